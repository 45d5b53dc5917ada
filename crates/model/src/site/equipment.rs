//! Storage that the site file describes itself: `[[equipment]]`, and the catalogue with it.
//!
//! What the site states holds as it stands; what it leaves out is that of a usual system of the kind, the generic
//! entries of `models/arrays`. Knows nothing about layouts.

use std::borrow::Cow;

use crate::catalog::{Array, Catalog, Entry, EntryKind, Fact, Medium};
use crate::diag::{Diagnostic, quoted};
use crate::origin::{Origin, Sourced};
use crate::units::{Bytes, BytesPerSecond, PerSecond, Seconds};

use super::Site;
use super::answer::Answer;
use super::read;
use super::section::{Section, known};
use super::vocabulary::{Vocabulary, Words};

/// What stands before the ids of things that the site describes.
const PREFIX: &str = "own-";
/// Most systems that a site describes: each is tried in every layout.
const MOST: usize = 20;

/// A kind of storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Flash alone, LUNs.
    FlashBlock,
    /// Flash alone, exports.
    FlashFile,
    /// Flash alone, both.
    FlashBoth,
    /// Disks behind a flash cache, LUNs.
    HybridBlock,
    /// Disks behind a flash cache, exports.
    HybridFile,
    /// Disks behind a flash cache, both.
    HybridBoth,
    /// Disks, LUNs.
    DiskBlock,
    /// Disks, exports.
    DiskFile,
    /// Disks, both.
    DiskBoth,
    /// Nodes that serve one filesystem.
    ScaleOutNas,
}

impl Sort {
    /// The words, as the site file has them.
    pub const WORDS: &'static [&'static str] = &[
        "all-flash block",
        "all-flash file",
        "all-flash block and file",
        "hybrid block",
        "hybrid file",
        "hybrid block and file",
        "disk block",
        "disk file",
        "disk block and file",
        "scale-out NAS",
    ];

    /// In the order of [`Sort::WORDS`].
    const ALL: [Self; 10] = [
        Self::FlashBlock,
        Self::FlashFile,
        Self::FlashBoth,
        Self::HybridBlock,
        Self::HybridFile,
        Self::HybridBoth,
        Self::DiskBlock,
        Self::DiskFile,
        Self::DiskBoth,
        Self::ScaleOutNas,
    ];

    /// The one with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        let place = Self::WORDS.iter().position(|known| *known == word)?;
        Self::ALL.get(place).copied()
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        let place = Self::ALL.iter().position(|sort| *sort == self);
        place.map_or("", |place| Self::WORDS[place])
    }

    /// The entry of the catalogue that says what the site leaves out.
    fn generic(self) -> &'static str {
        match self {
            Self::FlashBlock | Self::FlashBoth => "generic-flash-block",
            Self::FlashFile => "generic-flash-file",
            Self::HybridBlock | Self::HybridFile | Self::HybridBoth => "generic-hybrid",
            Self::DiskBlock | Self::DiskFile | Self::DiskBoth => "generic-disk",
            Self::ScaleOutNas => "generic-scale-out-nas",
        }
    }

    /// What it serves where the site does not say.
    fn protocols(self) -> &'static [&'static str] {
        match self {
            Self::FlashBlock | Self::HybridBlock | Self::DiskBlock => &["fc", "iscsi"],
            Self::FlashBoth | Self::HybridBoth | Self::DiskBoth => &["fc", "iscsi", "nfsv3", "nfsv4.1", "smb"],
            Self::FlashFile | Self::HybridFile | Self::DiskFile | Self::ScaleOutNas => &["nfsv3", "nfsv4.1", "smb"],
        }
    }
}

/// `[[equipment]]`: one system; `None` is not stated.
#[derive(Debug, Clone, PartialEq)]
pub struct Equipment {
    /// Its id among the arrays: `own-my-array`.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Where it is stated: `site.toml:12`.
    pub place: String,
    /// What kind it is.
    pub kind: Sort,
    /// Usable capacity before data reduction.
    pub usable: Answer<Bytes>,
    /// Logical over physical bytes.
    pub data_reduction: Option<Answer<f64>>,
    /// All ports together.
    pub bandwidth: Option<Answer<BytesPerSecond>>,
    /// Rate of a long write.
    pub write_bandwidth: Option<Answer<BytesPerSecond>>,
    /// Requests of 8 KiB.
    pub operations: Option<Answer<PerSecond>>,
    /// One random read of 8 KiB at its ports.
    pub read_time: Option<Answer<Seconds>>,
    /// One write of 8 KiB at its ports.
    pub write_time: Option<Answer<Seconds>>,
    /// Ids of protocols.
    pub protocols: Option<Answer<Vec<String>>>,
    /// Ports to the servers; a count.
    pub ports: Option<Answer<f64>>,
    /// Id of their network.
    pub port_network: Option<Answer<String>>,
    /// Controllers or nodes; a count.
    pub controllers: Option<Answer<f64>>,
    /// Whether it takes snapshots.
    pub snapshots: Option<Answer<bool>>,
}

/// The `[[equipment]]` tables; their ids are new among those of the vocabulary.
pub(super) fn equipment(root: &Section<'_>) -> Vec<Equipment> {
    let mut all: Vec<Equipment> = Vec::new();
    let tables = root.reader.tables("equipment");
    if let Some(first_too_many) = tables.get(MOST) {
        let place = first_too_many.place();
        root.reader.diagnostics().push(
            Diagnostic::error("SIT016", format!("{} [[equipment]] tables are more than {MOST}", tables.len()))
                .at(place.source, place.span.clone(), "the first one too many")
                .help("each is tried in every layout; leave out what cannot be bought"),
        );
        return all;
    }
    for (i, reader) in tables.into_iter().enumerate() {
        let section = Section { reader, prefix: format!("equipment.{i}."), ledger: root.ledger };
        all.push(one(&section, &all));
        section.reader.finish();
    }
    all
}

fn one(section: &Section<'_>, before: &[Equipment]) -> Equipment {
    section.require(&["equipment.name", "equipment.kind", "equipment.usable"]);
    let name = read::name(section, "equipment.name");
    if before.iter().any(|other| other.name == name) && !name.is_empty() {
        section.report(
            "equipment.name",
            Diagnostic::error("SIT016", format!("two systems of [[equipment]] are called {}", quoted(&name)))
                .help("give one of them another name"),
            "the second",
        );
    }
    let kind = section.reader.word("kind", Sort::WORDS);
    let usable = section.stated("equipment.usable");
    let protocols = section.stated("equipment.protocols");
    read::at_least_one(section, "equipment.protocols", protocols.as_ref());
    let taken = section.ledger.vocabulary.words(Words::Ids(EntryKind::Array));
    let found = Equipment {
        id: id_of(&name, |id| taken.contains(&id) || before.iter().any(|other| other.id == id)),
        place: section.place(section.reader.place()),
        name,
        // One that is missing or wrong was reported.
        kind: kind.and_then(|word| Sort::of_word(word.value)).unwrap_or(Sort::FlashBoth),
        usable: usable.unwrap_or_else(|| Answer::missing(Bytes::new(0.0))),
        data_reduction: section.stated("equipment.data_reduction"),
        bandwidth: section.stated("equipment.bandwidth"),
        write_bandwidth: section.stated("equipment.write_bandwidth"),
        operations: section.stated("equipment.operations"),
        read_time: section.stated("equipment.read_time"),
        write_time: section.stated("equipment.write_time"),
        protocols,
        ports: section.stated("equipment.ports"),
        port_network: section.stated("equipment.port_network"),
        controllers: section.stated("equipment.controllers"),
        snapshots: section.stated("equipment.snapshots"),
    };
    if found.ports.is_some() != found.port_network.is_some() {
        let (there, lacks) = if found.ports.is_some() {
            ("equipment.ports", "port_network")
        } else {
            ("equipment.port_network", "ports")
        };
        section.report(
            there,
            Diagnostic::error("SIT016", format!("{} needs {:?} beside it", quoted(known(there).key()), lacks)).help(
                "number of ports and their network together limit the bandwidth: ports = 4, port_network = \"eth-25g\"",
            ),
            "alone it says nothing",
        );
    }
    found
}

/// `own-` and the name in small letters and digits with hyphens, with a number where that is taken.
fn id_of(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    const LONGEST: usize = 40;
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if slug.len() >= LONGEST {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    let base = format!("{PREFIX}{}", if slug.is_empty() { "array" } else { slug });
    if !is_taken(&base) {
        return base;
    }
    let mut number = 2_u32;
    loop {
        let id = format!("{base}-{number}");
        if !is_taken(&id) {
            return id;
        }
        number += 1;
    }
}

/// The words with the ids of what the site describes.
pub(super) fn extended<'v>(vocabulary: &'v Vocabulary, equipment: &[Equipment]) -> Cow<'v, Vocabulary> {
    if equipment.is_empty() {
        return Cow::Borrowed(vocabulary);
    }
    let mut more = vocabulary.clone();
    let arrays = more.ids.entry(EntryKind::Array).or_default();
    arrays.extend(equipment.iter().map(|one| one.id.clone()));
    for one in equipment {
        more.speaks.insert(one.id.clone(), one.spoken());
        let bandwidth = one.bandwidth.as_ref().map_or(0.0, |b| b.value.get());
        more.fastest_read = more.fastest_read.max(bandwidth);
    }
    Cow::Owned(more)
}

impl Equipment {
    /// The protocols that it serves.
    fn spoken(&self) -> Vec<String> {
        match &self.protocols {
            Some(stated) => stated.value.clone(),
            None => self.kind.protocols().iter().map(|&id| id.to_owned()).collect(),
        }
    }

    /// Its attributes that the site states, each with its value for a person and where it stands.
    pub fn stated(&self) -> Vec<(&'static str, String, String)> {
        let mut found = Vec::new();
        let mut add = |key: &'static str, value: Option<(String, &Origin)>| {
            if let Some((value, origin)) = value {
                found.push((key, value, origin.to_string()));
            }
        };
        add("usable", Some((self.usable.value.si(), &self.usable.origin)));
        add("data_reduction", shown(self.data_reduction.as_ref(), f64::to_string));
        add("bandwidth", shown(self.bandwidth.as_ref(), ToString::to_string));
        add("write_bandwidth", shown(self.write_bandwidth.as_ref(), ToString::to_string));
        add("operations", shown(self.operations.as_ref(), ToString::to_string));
        add("read_time", shown(self.read_time.as_ref(), ToString::to_string));
        add("write_time", shown(self.write_time.as_ref(), ToString::to_string));
        add("protocols", shown(self.protocols.as_ref(), |ids| ids.join(", ")));
        add("ports", shown(self.ports.as_ref(), f64::to_string));
        add("port_network", shown(self.port_network.as_ref(), Clone::clone));
        add("controllers", shown(self.controllers.as_ref(), f64::to_string));
        add("snapshots", shown(self.snapshots.as_ref(), bool::to_string));
        found
    }

    /// It as an array of the catalogue, and the medium that is its own.
    fn entries(&self, catalog: &Catalog) -> Option<(Array, Medium)> {
        let mut array = catalog.arrays.get(self.kind.generic())?.clone();
        let mut medium = catalog.media.get(&array.medium)?.clone();
        let facts: Vec<Fact> = self
            .stated()
            .into_iter()
            .map(|(key, value, _)| Fact {
                path: key.to_owned(),
                value,
                origin: Origin::Stated { place: self.place.clone() },
            })
            .collect();
        array.entry = Entry {
            id: self.id.clone(),
            title: self.name.clone(),
            name: self.name.clone(),
            summary: format!("{}, stated in {}", self.kind.word(), self.place),
            facts,
        };
        medium.entry = Entry {
            id: format!("{}-drive", self.id),
            title: format!("drive of {}", self.name),
            name: format!("drive of {}", self.name),
            ..medium.entry
        };
        array.medium.clone_from(&medium.entry.id);
        array.protocols = self.spoken();
        array.usable = sourced(&self.usable);
        array.is_fixed = true;
        if let Some(factor) = &self.data_reduction {
            array.data_reduction = sourced(factor);
        }
        if let Some(controllers) = &self.controllers {
            array.controllers = sourced(controllers);
        }
        if let Some(snapshots) = &self.snapshots {
            array.snapshots = snapshots.value;
        }
        self.set_times(&mut array, &mut medium);
        self.set_rates(catalog, &mut array, &mut medium);
        Some((array, medium))
    }

    /// A read is the controller's work and then memory or the medium; a write the controller's work and the protected
    /// memory: the stated time is the sum.
    fn set_times(&self, array: &mut Array, medium: &mut Medium) {
        if let Some(read) = &self.read_time {
            let time = read.value.get();
            let front = array.front_end.value.get().min(time / 2.0);
            let rest = time - front;
            array.front_end = Sourced::new(Seconds::new(front), read.origin.clone());
            array.read_hit = Sourced::new(Seconds::new(array.read_hit.value.get().min(rest)), read.origin.clone());
            medium.random_read = Sourced::new(Seconds::new(rest), read.origin.clone());
        }
        if let Some(write) = &self.write_time {
            array.write_ack = sourced(write);
            array.sync_service = sourced(write);
        }
    }

    fn set_rates(&self, catalog: &Catalog, array: &mut Array, medium: &mut Medium) {
        let usual = array.bandwidth.value.get();
        if let Some(bandwidth) = &self.bandwidth {
            array.bandwidth = sourced(bandwidth);
        }
        let network = self.port_network.as_ref();
        let network = network.and_then(|id| catalog.networks.get(&id.value));
        if let (Some(ports), Some(network)) = (&self.ports, network) {
            let rate = network.bandwidth.value.get() * network.efficiency.value.get();
            let all = ports.value * rate;
            if all < array.bandwidth.value.get() {
                array.bandwidth = Sourced::new(BytesPerSecond::new(all), ports.origin.clone());
            }
        }
        let times = array.bandwidth.value.get() / usual;
        if let Some(bandwidth) = &self.write_bandwidth {
            array.write_bandwidth = sourced(bandwidth);
        } else if self.bandwidth.is_some() {
            // As its reads are to those of a usual system, with the usual system's error.
            let usual = &array.write_bandwidth;
            let rate = BytesPerSecond::new(usual.value.get() * times);
            let how = "the usual share of the stated bandwidth".to_owned();
            let ids = vec!["equipment.bandwidth".to_owned()];
            array.write_bandwidth = Sourced { value: rate, origin: Origin::Derived { ids, how }, spread: usual.spread };
        }
        // One writer reaches no more than all together, and what it reaches of a usual system otherwise.
        let most = array.write_bandwidth.clone();
        array.forced_write =
            array.forced_write.take().map(|forced| if most.value.get() < forced.value.get() { most } else { forced });
        // The drives move and serve at least what the whole does.
        let each = array.bandwidth.value.get() / array.disks.value;
        if each > medium.stream.value.get() {
            medium.stream = Sourced::new(BytesPerSecond::new(each), array.bandwidth.origin.clone());
        }
        if let Some(operations) = &self.operations {
            array.operations = Some(sourced(operations));
            let each = operations.value.get() * medium.random_read.value.get() / array.disks.value;
            if each > medium.parallelism.value {
                medium.parallelism = Sourced::new(each, operations.origin.clone());
            }
        }
    }
}

fn sourced<T: Clone>(answer: &Answer<T>) -> Sourced<T> {
    Sourced::new(answer.value.clone(), answer.origin.clone())
}

fn shown<T>(answer: Option<&Answer<T>>, text: impl Fn(&T) -> String) -> Option<(String, &Origin)> {
    answer.map(|answer| (text(&answer.value), &answer.origin))
}

impl Site {
    /// The catalogue with what the site describes itself.
    ///
    /// ```
    /// use plimsoll_model::catalog::Catalog;
    /// use plimsoll_model::site::{self, Vocabulary};
    /// let catalog = Catalog::embedded();
    /// let text = "schema = 1\nname = \"A\"\n[people]\ndevelopers = 40\n[[equipment]]\nname = \"My array\"\n\
    ///             kind = \"all-flash block and file\"\nusable = \"200 TB\"\n";
    /// let site = site::parse("site.toml", text, &[], &Vocabulary::of(&catalog)).unwrap();
    /// let array = &site.equipped(&catalog).arrays["own-my-array"];
    /// assert_eq!(array.usable.origin.to_string(), "stated: site.toml:8");
    /// assert_eq!(array.usable.value.si(), "200 TB");
    /// ```
    pub fn equipped<'c>(&self, catalog: &'c Catalog) -> Cow<'c, Catalog> {
        if self.equipment.is_empty() {
            return Cow::Borrowed(catalog);
        }
        let mut more = catalog.clone();
        for one in &self.equipment {
            if let Some((array, medium)) = one.entries(catalog) {
                more.media.insert(medium.entry.id.clone(), medium);
                more.arrays.insert(one.id.clone(), array);
            }
        }
        Cow::Owned(more)
    }
}
