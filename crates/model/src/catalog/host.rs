//! Servers and networks.

use super::entry::Entry;
use super::filesystem::SYSTEMS;
use super::processor;
use super::record::{or, word, words};
use super::release::Release;
use crate::document::{Readable, Reader};
use crate::origin::Sourced;
use crate::units::{Bytes, BytesPerSecond, Fraction, Hertz, PerSecond, Seconds};

/// Processor generations of servers: all but [`TODAY`] have costs of their own in `calibration/parameters.toml`.
pub const GENERATIONS: [&str; 6] = ["2005", "2008", "2009", "2012", "2017", TODAY];
/// The generation on which p4d was not measured: its costs are those of [`MEASURED`] times the ratio of the speeds.
pub const TODAY: &str = "2026";
/// The latest generation on which p4d was measured.
pub const MEASURED: &str = "2017";

/// The parameter that says what the processor of a generation takes for a kind of work: `row_write.2017`.
pub fn cost(work: &str, generation: &str) -> String {
    format!("{work}.{generation}")
}

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
}

impl Readable for Form {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        Some(match reader.word(key, &Self::WORDS)?.value {
            "instance" => Self::Instance,
            _ => Self::Machine,
        })
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

impl Readable for Usual {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        let r = reader.table(key)?;
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
        Some(Self { years: (first?.value as u16, last?.value as u16), cores_most, memory_most, media })
    }
}

record! {
    /// A server model.
    struct Server: Entry {
        /// Processor cores.
        cores: Sourced<f64>,
        /// What the variables for Terraform call it; its id where the file does not say.
        terraform: Option<String>,
        /// Memory.
        memory: Sourced<Bytes>,
        /// Clock.
        clock: Sourced<Hertz>,
        /// 32 or 64.
        bits: Sourced<f64>,
        /// Disks inside.
        internal_disks: Sourced<f64>,
        /// What they are.
        internal_medium: String,
        /// Drives that fit in it: the most that may be bought for it; those inside where the file does not say.
        bays: Option<Sourced<f64>>,
        /// Which processor costs apply.
        generation: &'static str = word(&GENERATIONS),
        /// Family of its processor, where its file names one; only of a server of today.
        processor: Option<String>,
        /// Operating systems that it runs.
        systems: Vec<&'static str> = words(&SYSTEMS),
        /// Requests in flight on one NFS mount of its kernel.
        nfs_slots: Sourced<f64>,
        /// Years in which it is bought.
        era: String,
        /// Machine or instance; a machine where the file does not say.
        form: Form = or(Form::Machine),
        /// The provider that rents it; none of a machine of one's own.
        provider: Option<String>,
        /// Instances of one provider with the same processors and as much memory a core, in the provider's word.
        family: Option<String>,
        /// The entry of another provider whose figures it has where no source gives its own; none where none is borrowed.
        figures_of: Option<String>,
        /// What all network volumes of an instance move together; without a limit of its own where the file does not say.
        storage_bandwidth: Option<Sourced<BytesPerSecond>>,
        /// Operations that all of them take together.
        storage_operations: Option<Sourced<PerSecond>>,
        /// What an instance moves to its clients and to storage that is no volume of it; without a limit of its own where the
        /// file does not say.
        network_bandwidth: Option<Sourced<BytesPerSecond>>,
        /// The time whose usual server it is, if any.
        usual: Option<Usual>,
    }
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

    /// Drives that fit in it.
    pub fn bays(&self) -> f64 {
        self.bays.as_ref().unwrap_or(&self.internal_disks).value
    }

    /// The family of its processor: what its file says, else the usual one; none of an older server.
    pub fn processor(&self) -> Option<&str> {
        self.is_of_today().then(|| self.processor.as_deref().unwrap_or(processor::USUAL))
    }
}

record! {
    /// A network or fabric, one link of it.
    struct Network: Entry {
        /// `ethernet` or `fibre-channel`.
        kind: &'static str = word(&["ethernet", "fibre-channel"]),
        /// Raw rate of one link.
        bandwidth: Sourced<BytesPerSecond>,
        /// Payload's share of it.
        efficiency: Sourced<Fraction>,
        /// Round trip between two hosts on it, their stacks included.
        round_trip: Sourced<Seconds>,
    }
}
