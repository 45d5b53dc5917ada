//! Safety of a deployment, which outranks every score: space for today's data, memory for the peak, database and
//! journal on separate disks.

use std::fmt;

use super::criteria;
use super::sizing::Sizing;
use super::stores::Limit;
use crate::calibration::Calibration;
use crate::catalog::{Called, Catalog};
use crate::site::Site;
use crate::system::capacity::{RoleSize, servers_memory};
use crate::system::memory::ServerMemory;
use crate::system::{Deployment, Mount};
use crate::units::{Bytes, two_digits};
use crate::workload::Load;

/// Why a deployment should not be built, in words; each is `None` where all is well.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Safety {
    /// A store does not hold today's data: never recommended.
    pub(super) full: Option<String>,
    /// A server needs more memory at the peak than it has.
    pub(super) short: Option<String>,
    /// Many people's database and journal are lost together with one set of disks.
    pub(super) shared: Option<SharedSet>,
    /// Database and journal share drives of the server that make two sets.
    pub(super) undivided: Option<String>,
    /// A store is full before the horizon.
    pub(super) fills: Option<String>,
    /// An array gets more disks than one of its kind grows to.
    pub(super) outgrown: Option<String>,
}

/// Order of preference by safety, the best first: what is unsafe today. A store that fills later comes after missed targets.
pub(super) type Rank = (bool, bool, bool, bool);

impl Safety {
    pub(super) fn of(
        site: &Site,
        catalog: &Catalog,
        calibration: &Calibration,
        deployment: &Deployment,
        load: &Load,
        sizes: &[RoleSize],
    ) -> Self {
        let sizing = Sizing::of(site, catalog, sizes);
        let limits = sizing.capacity(deployment);
        let outgrown = deployment.volumes.iter().find_map(|mount| {
            let times = two_digits(sizing.outgrown(mount)?);
            let Mount { device, disks, .. } = mount;
            let array = catalog.arrays.called(device);
            Some(format!("{array} needs {disks} drives, {times} times its usual number"))
        });
        Self {
            outgrown,
            undivided: undivided(deployment),
            full: limits.iter().find_map(Limit::too_small_today),
            short: memory_short(calibration, deployment, load).map(|short| short.to_string()),
            shared: shared_set(site, catalog, deployment),
            fills: limits.iter().find_map(Limit::fills),
        }
    }

    /// Warnings that come first where it is recommended nevertheless, beside memory that is missing.
    pub(super) fn cautions(&self) -> Vec<String> {
        let shared = self.shared.as_ref().map(|shared| {
            let SharedSet { lost, people, .. } = shared;
            let more = shared.drives_more();
            let more = if more > 0.0 { format!("; {more} more disks make two mirrored pairs") } else { String::new() };
            format!("no layout of this site is safer: {lost}, and {people} people depend on them{more}")
        });
        shared.into_iter().collect()
    }

    /// All that it lacks, in words.
    pub(super) fn all(&self) -> Vec<String> {
        let shared = self.shared.as_ref().map(SharedSet::why_not);
        let all = [&self.full, &self.short, &shared, &self.fills];
        all.into_iter().flatten().cloned().collect()
    }

    pub(super) fn rank(&self) -> Rank {
        (self.full.is_some(), self.short.is_some(), self.shared.is_some(), self.undivided.is_some())
    }

    /// Why it does not last until the horizon as one buys it: a store is full before, or an array is the wrong one.
    pub(super) fn does_not_last(&self) -> Option<&String> {
        self.fills.as_ref().or(self.outgrown.as_ref())
    }

    /// Whether memory is the worst of what it lacks that `other` has.
    pub(super) fn lacks_memory(&self, other: &Self) -> bool {
        let is_full = self.full.is_some() || other.full.is_some();
        !is_full && self.short.is_some() && other.short.is_none()
    }

    /// The worst of what it lacks that `other` has.
    pub(super) fn worse_than(&self, other: &Self) -> Option<String> {
        let shared = |safety: &Self| safety.shared.as_ref().map(SharedSet::why_not);
        let pairs = [
            (self.full.clone(), other.full.is_some()),
            (self.short.clone(), other.short.is_some()),
            (shared(self), other.shared.is_some()),
            (self.undivided.clone(), other.undivided.is_some()),
        ];
        let first = pairs.into_iter().find(|(mine, theirs)| mine.is_some() != *theirs);
        first.and_then(|(mine, _)| mine)
    }
}

/// Two mirrored pairs.
const TWO_PAIRS: f64 = 4.0;

/// Database and journal of the commit server on one set of its own drives that are enough for two.
fn undivided(deployment: &Deployment) -> Option<String> {
    let (db, journal) = (deployment.mount("db")?, deployment.mount("journal")?);
    let is_one = db.is_local() && db.shares_disks(journal) && db.disks >= TWO_PAIRS;
    is_one.then(|| format!("database and journal share one set of {} drives, which make two", db.disks))
}

/// A server that needs more memory than it has.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryShort {
    /// The server: "the commit server".
    pub server: String,
    /// What it needs at the peak.
    pub needs: Bytes,
    /// What it has.
    pub has: Bytes,
}

/// "the commit server needs 40 GiB of memory at the peak and has 32 GiB".
impl fmt::Display for MemoryShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { server, needs, has } = self;
        // Two digits may round to what is there, or below it.
        let needs = if needs.get() < 1.1 * has.get() { needs.to_string() } else { needs.estimated() };
        let has = has.to_string();
        let more = if needs == has { "slightly more than " } else { "" };
        write!(f, "{server} needs {more}{needs} of memory at the peak and has {has}")
    }
}

/// The server that lacks most memory under a load; `None` where none does. It outranks all response times.
pub fn memory_short(calibration: &Calibration, deployment: &Deployment, load: &Load) -> Option<MemoryShort> {
    let worst = servers_memory(calibration, deployment, load)
        .into_iter()
        .filter(ServerMemory::is_short)
        .max_by(|a, b| (a.need() - a.there).total_cmp(&(b.need() - b.there)))?;
    Some(MemoryShort {
        server: deployment.server_in_words(worst.server),
        needs: Bytes::new(worst.need()),
        has: Bytes::new(worst.there),
    })
}

/// Database and journal on one set of disks where more than a small site's people work.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SharedSet {
    /// What is lost together, in words.
    pub(super) lost: String,
    /// Disks of the set, where they are its server's own.
    disks: Option<f64>,
    /// People who work on it.
    pub(super) people: f64,
}

impl SharedSet {
    fn why_not(&self) -> String {
        format!(
            "{}; with more than {} people ({} here) this is recommended only if nothing else can be built",
            self.lost,
            shared_limit(),
            self.people
        )
    }

    /// Disks that the server lacks for two mirrored pairs.
    fn drives_more(&self) -> f64 {
        self.disks.map_or(0.0, |disks| (TWO_PAIRS - disks).max(0.0))
    }
}

/// People up to whom database and journal may share a set of disks.
pub(super) fn shared_limit() -> f64 {
    criteria::amount("shared_set", "people")
}

/// The first server on which more people than that share a set; `None` where none does.
///
/// A set is one that its server alone has, or one of an array that does not survive two lost disks.
pub(super) fn shared_set(site: &Site, catalog: &Catalog, deployment: &Deployment) -> Option<SharedSet> {
    let limit = shared_limit();
    let weak = |mount: &Mount| {
        let raid = catalog.raid.get(&mount.raid);
        mount.is_private() || raid.is_none_or(|raid| raid.failures_tolerated.value < 2.0)
    };
    (0..deployment.servers()).find_map(|server| {
        let office = deployment.offices.get(server.wrapping_sub(1));
        let people = match office {
            None => site.people.developers.value,
            Some(name) => {
                let mut offices = site.people.sites.iter();
                offices.find(|office| office.name == *name).map_or(0.0, |office| office.developers.value)
            }
        };
        let db = deployment.mount_on("db", server)?;
        let journal = deployment.mount_on("journal", server)?;
        let shares = db.shares_disks(journal) && weak(db) && people > limit;
        shares.then(|| SharedSet {
            lost: format!(
                "database and journal of {} lie on one set of disks ({} in {}) and are lost together",
                deployment.server_in_words(server),
                db.disks,
                catalog.raid.called(&db.raid)
            ),
            disks: db.is_local().then_some(db.disks),
            people,
        })
    })
}
