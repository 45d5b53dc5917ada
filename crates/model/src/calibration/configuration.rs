//! The rows of E07's table: servers with the RAID, stripe and filesystem of each volume.

use super::check::{Claims, mandatory, report};
use crate::diag::quoted;
use crate::document::{Located, Reader};
use crate::units::Bytes;

const FILESYSTEMS: [&str; 7] = ["XFS", "ext3", "ext4", "ReiserFS", "UFS", "ZFS", "NTFS"];

/// How disks are grouped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raid {
    /// `RAID 10`, `JBOD`.
    pub level: String,
    /// How many, where the source says.
    pub disks: Option<u32>,
    /// Whether other volumes of the server lie on the same disks.
    pub is_shared: bool,
    /// Whether the disks are in a storage network.
    pub is_san: bool,
}

/// Where one part of the server lies; a thing is absent where the source says nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Volume {
    /// The group of disks.
    pub raid: Option<Raid>,
    /// The stripe.
    pub stripe: Option<Bytes>,
    /// The filesystem as its makers write it.
    pub filesystem: Option<&'static str>,
}

/// One server of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// The row, from 1.
    pub number: u32,
    /// The model.
    pub server: String,
    /// The operating system as printed.
    pub os: String,
    /// Word size, 32 or 64.
    pub bits: u32,
    /// Memory.
    pub ram: Bytes,
    /// The processor as printed.
    pub cpu: String,
    /// Turns a minute of the disks in the server.
    pub internal_rpm: f64,
    /// Turns a minute of the disks in the storage network.
    pub san_rpm: f64,
    /// The db files.
    pub db: Volume,
    /// The journal.
    pub journal: Volume,
    /// The operating system.
    pub os_volume: Volume,
    /// The versioned files.
    pub archive: Volume,
    /// What else the source says of the row, or how it was read.
    pub note: Option<String>,
}

pub(super) fn read(reader: &Reader<'_>, numbers: &mut Claims) -> Option<Configuration> {
    reader.require(&["number", "bits", "ram", "internal_rpm", "san_rpm"]);
    let number = reader.count("number");
    if let Some(number) = &number {
        let name = Located { value: number.value.to_string(), place: number.place.clone() };
        numbers.claim(reader, &name, "configuration");
    }
    let bits = reader.count("bits");
    if let Some(bits) = bits.as_ref().filter(|b| b.value != 32.0 && b.value != 64.0) {
        report(
            reader,
            ("CAL013", "a server has 32 or 64 bits"),
            (&bits.place, "neither"),
            "the word size of its operating system",
        );
    }
    let ram = reader.quantity::<Bytes>("ram");
    let internal_rpm = reader.count("internal_rpm");
    let san_rpm = reader.count("san_rpm");
    let (server, os, cpu) = (mandatory(reader, "server"), mandatory(reader, "os"), mandatory(reader, "cpu"));
    let db = read_volume(reader, "db_raid", Some("db_stripe"), "db_filesystem");
    let journal = read_volume(reader, "journal_raid", Some("journal_stripe"), "journal_filesystem");
    let os_volume = read_volume(reader, "os_raid", None, "os_filesystem");
    let archive = read_volume(reader, "archive_raid", Some("archive_stripe"), "archive_filesystem");
    let note = reader.text("note").map(|t| t.value);
    reader.finish();
    Some(Configuration {
        number: number?.value as u32,
        server: server?.value,
        os: os?.value,
        bits: bits?.value as u32,
        ram: ram?.value,
        cpu: cpu?.value,
        internal_rpm: internal_rpm?.value,
        san_rpm: san_rpm?.value,
        db,
        journal,
        os_volume,
        archive,
        note,
    })
}

fn read_volume(
    reader: &Reader<'_>,
    raid: &'static str,
    stripe: Option<&'static str>,
    filesystem: &'static str,
) -> Volume {
    Volume {
        raid: reader.text(raid).and_then(|text| read_raid(reader, &text)),
        stripe: stripe.and_then(|key| reader.quantity::<Bytes>(key)).map(|s| s.value),
        filesystem: reader.word(filesystem, &FILESYSTEMS).map(|f| f.value),
    }
}

fn read_raid(reader: &Reader<'_>, text: &Located<String>) -> Option<Raid> {
    let parsed = parse_raid(&text.value);
    if parsed.is_none() {
        report(
            reader,
            ("CAL013", &format!("{} is no group of disks", quoted(&text.value))),
            (&text.place, "cannot be read"),
            "the level, then what is known of disks, shared and SAN: \"RAID 10, 4 disks, shared, SAN\"",
        );
    }
    parsed
}

fn parse_raid(text: &str) -> Option<Raid> {
    let mut parts = text.split(", ");
    let level = parts.next()?;
    let is_level = level == "JBOD"
        || level.strip_prefix("RAID ").is_some_and(|digits| matches!(digits, "0" | "1" | "5" | "6" | "10"));
    let mut raid = Raid { level: is_level.then(|| level.to_owned())?, disks: None, is_shared: false, is_san: false };
    for part in parts {
        match part {
            "shared" if !raid.is_shared => raid.is_shared = true,
            "SAN" if !raid.is_san => raid.is_san = true,
            _ if raid.disks.is_none() => {
                let digits = part.strip_suffix(" disks").or(part.strip_suffix(" disk"))?;
                raid.disks = Some(digits.parse().ok().filter(|n| *n > 0)?);
            }
            _ => return None,
        }
    }
    Some(raid)
}
