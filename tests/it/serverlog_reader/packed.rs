//! Logs packed in any way say the same as plain; what is cut says what it has.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use plimsoll::serverlog::Reader;
use plimsoll::serverlog::open::{Packing, open};

use super::fixtures::{OTHERS, SUBMIT_AND_SYNC};
use super::{Taken, read};

pub(super) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

pub(super) fn zstd(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A file of the test's own.
pub(super) struct Kept(pub(super) PathBuf);

impl Kept {
    pub(super) fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("plimsoll-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).unwrap();
    }
}

fn read_packed(path: &Path, packing: Packing) -> Taken {
    let mut taken = Taken::default();
    let mut reader = Reader::new();
    let mut opened = open(path).unwrap();
    assert_eq!(opened.packing(), packing);
    reader.read_opened(0, &mut opened, &mut taken).unwrap();
    reader.finish(&mut taken);
    taken.understood = reader.understood();
    taken
}

#[test]
fn packed_logs_say_the_same_in_one_part_and_in_several() {
    let (first, second) = (SUBMIT_AND_SYNC.as_bytes(), OTHERS.as_bytes());
    let whole = read(&format!("{SUBMIT_AND_SYNC}{OTHERS}"));
    let skip = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'a', b'b', b'c'];
    for (name, bytes, packing) in [
        ("plain.log", [first, second].concat(), Packing::Plain),
        ("one.gz", gzip(&[first, second].concat()), Packing::Gzip),
        ("two.gz", [gzip(first), gzip(second)].concat(), Packing::Gzip),
        ("one.zst", zstd(&[first, second].concat()), Packing::Zstd),
        ("two.zst", [zstd(first), zstd(second)].concat(), Packing::Zstd),
        ("skip.zst", [&skip[..], &zstd(first), &skip, &zstd(second)].concat(), Packing::Zstd),
    ] {
        let kept = Kept::new(name, &bytes);
        assert_eq!(read_packed(&kept.0, packing), whole, "{name}");
    }
    let units = format!("\u{feff}{SUBMIT_AND_SYNC}{OTHERS}");
    let little: Vec<u8> = units.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (name, bytes) in [("little.log", little), ("big.log", big)] {
        let kept = Kept::new(name, &bytes);
        let taken = read_packed(&kept.0, Packing::Utf16);
        assert_eq!(taken.commands.len(), whole.commands.len());
        assert_eq!(taken.understood.unknown, 0, "{:?}", taken.damage);
    }
}

#[test]
fn a_packed_file_that_is_cut_gives_what_it_has_and_says_so() {
    let text = SUBMIT_AND_SYNC.repeat(400);
    let lines = text.lines().count() as u64;
    for (name, bytes, packing) in
        [("cut.gz", gzip(text.as_bytes()), Packing::Gzip), ("cut.zst", zstd(text.as_bytes()), Packing::Zstd)]
    {
        let kept = Kept::new(name, &bytes[..bytes.len() * 3 / 4]);
        let taken = read_packed(&kept.0, packing);
        assert!(taken.understood.lines > lines / 2, "{name}: {:?}", taken.understood);
        let last = taken.damage.iter().find(|damage| damage.found.contains("is cut: it ends"));
        let place = last.unwrap_or_else(|| panic!("{name}: {:?}", taken.damage)).place;
        assert_eq!(place.offset, taken.understood.bytes);
        let kept = Kept::new(&format!("tail-{name}"), &[&bytes[..], b"tail that is no member"].concat());
        let taken = read_packed(&kept.0, packing);
        assert_eq!(taken.understood.lines, lines);
        assert!(taken.damage.iter().any(|damage| damage.found.contains("is damaged: what follows")));
    }
}

#[test]
fn what_is_no_log_is_refused_with_what_may_be_given() {
    let kept = Kept::new("other.xz", b"\xfd7zXZ\0rest");
    let refused = open(&kept.0).unwrap_err().to_string();
    assert!(refused.contains("packed by xz") && refused.contains("gzip or zstd"), "{refused}");
    let folder = open(&std::env::temp_dir()).unwrap_err().to_string();
    assert!(folder.contains("a directory"), "{folder}");
    let missing = open(Path::new("no/such.log")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read no/such.log: "), "{missing}");
    let empty = Kept::new("empty.log", b"");
    assert_eq!(read_packed(&empty.0, Packing::Plain), Taken::default());
}
