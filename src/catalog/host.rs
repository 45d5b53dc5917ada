//! Servers and networks.

use super::bare;
use super::entry::Entry;
use super::filesystem::SYSTEMS;
use super::processor;
use super::release::Release;
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::{Bytes, BytesPerSecond, Fraction, Hertz, PerSecond, Seconds};

/// Processor generations of servers: all but [`TODAY`] have costs of their own in `calibration/parameters.toml`.
pub const GENERATIONS: [&str; 6] = ["2005", "2008", "2009", "2012", "2017", TODAY];
/// The generation on which p4d was not measured: its costs are those of [`MEASURED`] times the ratio of the speeds.
pub const TODAY: &str = "2026";
/// The latest generation on which p4d was measured.
pub const MEASURED: &str = "2017";

/// What kind of server a model is: what of it can be other than its file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A machine of one's own: memory and disks can be bought otherwise.
    Machine,
    /// An instance that is rented: it has what its size has, and no more.
    Instance,
}

impl Form {
    const WORDS: [&str; 2] = ["machine", "instance"];

    fn of_word(word: &str) -> Self {
        if word == "instance" {
            Self::Instance
        } else {
            Self::Machine
        }
    }
}

/// Of which time a model is the usual server: it stands in where a site names no model.
#[derive(Debug, Clone, PartialEq)]
pub struct Usual {
    /// First and last year of the releases of p4d that run on it.
    pub years: (u16, u16),
    /// The most cores that servers of the time had, where that is a limit.
    pub cores_most: Option<Sourced<f64>>,
    /// The most memory that they had, where that is a limit.
    pub memory_most: Option<Sourced<Bytes>>,
    /// The slowest and the fastest kind of disks that were in them.
    pub media: Vec<String>,
}

impl Usual {
    fn read(r: &Reader<'_>) -> Option<Self> {
        r.require(&["first_year", "last_year", "media"]);
        let (first, last) = (r.count("first_year"), r.count("last_year"));
        let (cores_most, memory_most) = (r.sourced_number("cores_most"), r.sourced("memory_most"));
        let media = r.texts("media");
        r.finish();
        let media: Vec<String> = media?.into_iter().map(|medium| medium.value).collect();
        if media.len() != 2 {
            let message = "`media` must name two kinds of disks: the slowest and the fastest";
            let found = format!("found {}", media.len());
            r.report("MOD008", message, r.place(), found);
        }
        Some(Self {
            years: (first?.value as u16, last?.value as u16),
            cores_most,
            memory_most,
            media,
        })
    }
}

/// A server model.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// Processor cores.
    pub cores: Sourced<f64>,
    /// Memory.
    pub memory: Sourced<Bytes>,
    /// Clock.
    pub clock: Sourced<Hertz>,
    /// 32 or 64.
    pub bits: Sourced<f64>,
    /// Disks inside.
    pub internal_disks: Sourced<f64>,
    /// What they are.
    pub internal_medium: String,
    /// Which processor costs apply.
    pub generation: &'static str,
    /// Family of its processor, where its file names one; only of a server of today.
    pub processor: Option<String>,
    /// Operating systems that it runs.
    pub systems: Vec<&'static str>,
    /// Requests in flight on one NFS mount of its kernel.
    pub nfs_slots: Sourced<f64>,
    /// Years in which it is bought.
    pub era: String,
    /// Machine or instance; a machine where the file does not say.
    pub form: Form,
    /// The storage that comes with it: ids of arrays.
    pub storage: Vec<String>,
    /// What all network volumes of an instance move together; without a limit of its own where the file does not say.
    pub storage_bandwidth: Option<Sourced<BytesPerSecond>>,
    /// Operations that all of them take together.
    pub storage_operations: Option<Sourced<PerSecond>>,
    /// What an instance moves to its clients and to storage that is no volume of it; without a limit of its own where the
    /// file does not say.
    pub network_bandwidth: Option<Sourced<BytesPerSecond>>,
    /// The time whose usual server it is, if any.
    pub usual: Option<Usual>,
}

/// The usual server of a release's time that runs one of the systems, in the order of the systems.
pub fn usual_server<'s>(
    mut servers: impl Iterator<Item = &'s Server> + Clone,
    release: Release,
    systems: &[String],
) -> Option<&'s Server> {
    let year = release.year();
    let of_its_time = |server: &&Server| {
        let years = server.usual.as_ref().map(|usual| usual.years);
        years.is_some_and(|(first, last)| (first..=last).contains(&year))
    };
    systems
        .iter()
        .find_map(|system| {
            let mut all = servers.clone().filter(of_its_time);
            all.find(|server| server.systems.contains(&system.as_str()))
        })
        .or_else(|| servers.find(of_its_time))
}

impl Server {
    /// Whether its processor costs follow from the family and the clock of its processor.
    pub fn is_of_today(&self) -> bool {
        self.generation == TODAY
    }

    /// The family of its processor: what its file says, else the usual one; none of an older server.
    pub fn processor(&self) -> Option<&str> {
        self.is_of_today()
            .then(|| self.processor.as_deref().unwrap_or(processor::USUAL))
    }

    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&[
            "cores",
            "memory",
            "clock",
            "bits",
            "internal_disks",
            "internal_medium",
            "generation",
            "systems",
            "nfs_slots",
            "era",
        ]);
        let form = r.word("form", &Form::WORDS);
        let form = form.map_or(Form::Machine, |form| Form::of_word(form.value));
        let storage = r.raw("storage").and_then(|_| r.texts("storage"));
        let storage = storage.into_iter().flatten().map(|id| id.value).collect();
        let processor = r.text("processor").map(|id| id.value);
        let storage_bandwidth = r.sourced("storage_bandwidth");
        let storage_operations = r.sourced("storage_operations");
        let network_bandwidth = r.sourced("network_bandwidth");
        let usual = r.raw("usual").and_then(|_| Usual::read(&r.table("usual")?));
        whole!(
            r,
            Self {
                entry, form, storage, processor, storage_bandwidth, storage_operations, network_bandwidth, usual;
                cores: r.sourced_number("cores"),
                memory: r.sourced("memory"),
                clock: r.sourced("clock"),
                bits: r.sourced_number("bits"),
                internal_disks: r.sourced_number("internal_disks"),
                internal_medium: bare(r.text("internal_medium")),
                generation: bare(r.word("generation", &GENERATIONS)),
                systems: r.word_list("systems", &SYSTEMS),
                nfs_slots: r.sourced_number("nfs_slots"),
                era: bare(r.text("era")),
            }
        )
    }
}

/// A network or fabric, one link of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// `ethernet` or `fibre-channel`.
    pub kind: &'static str,
    /// Raw rate of one link.
    pub bandwidth: Sourced<BytesPerSecond>,
    /// Payload's share of it.
    pub efficiency: Sourced<Fraction>,
    /// Round trip between two hosts on it, their stacks included.
    pub round_trip: Sourced<Seconds>,
}

impl Network {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&["kind", "bandwidth", "efficiency", "round_trip"]);
        whole!(
            r,
            Self {
                entry;
                kind: bare(r.word("kind", &["ethernet", "fibre-channel"])),
                bandwidth: r.sourced("bandwidth"),
                efficiency: r.sourced("efficiency"),
                round_trip: r.sourced("round_trip"),
            }
        )
    }
}
