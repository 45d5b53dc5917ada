//! Changes of a system that is there: what an administrator can do about it, with risk, down time and steps.
//!
//! A file says in words what the change is, and names actions from a small set that the advisor can apply to a
//! deployment.

use super::bare;
use super::entry::Entry;
use super::feature::Upgrade;
use super::filesystem::SYSTEMS;
use super::layout::ROLES;
use super::provider::Class;
use super::record::{always, or};
use super::release::{ReadLocks, Release};
use crate::document::{Readable, Reader};
use crate::origin::Sourced;
use crate::units::{Bytes, BytesPerSecond, Seconds};

/// The words for actions in a file.
pub const ACTIONS: [&str; 24] = [
    "own-drives",
    "flash-drives",
    "cloud-medium",
    "cloud-volumes",
    "array",
    "client-network",
    "client-links",
    "memory",
    "processor",
    "server",
    "operating-system",
    "release",
    "peeking",
    "edges",
    "proxies",
    "office-proxies",
    "mounts",
    "parallel-syncs",
    "tcp-window",
    "build-syncs",
    "parallel-checkpoints",
    "offline-checkpoints",
    "rebuild",
    "standby",
];

/// What a change does to a deployment.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Moves roles to drives of their own in the server: of this kind, or (without one) of the kind on which they lie,
    /// wherever that is.
    OwnDrives {
        /// What moves.
        roles: Vec<&'static str>,
        /// The kind of drives.
        medium: Option<String>,
        /// How many.
        drives: f64,
        /// RAID level.
        raid: String,
    },
    /// Replaces the disks of every volume by flash in the server: of the server's own as many, of an array so many.
    FlashDrives {
        /// The kind of drives.
        medium: String,
        /// How many, for what lies on disks of an array.
        drives: f64,
        /// RAID level of these.
        raid: String,
    },
    /// Moves roles on rented disks to another kind of them.
    CloudMedium {
        /// What moves.
        roles: Vec<&'static str>,
        /// The class of disks.
        class: Class,
    },
    /// Moves roles from a file service or an array to rented disks of the instance.
    CloudVolumes {
        /// What moves.
        roles: Vec<&'static str>,
        /// The class of disks.
        class: Class,
    },
    /// Moves roles to an array that the site has.
    Array {
        /// What moves.
        roles: Vec<&'static str>,
        /// The array.
        array: String,
    },
    /// Joins server and clients by another network, if that is faster.
    ClientNetwork(String),
    /// So many times the links to the clients.
    ClientLinks(f64),
    /// So many times the memory of the commit server.
    Memory(f64),
    /// Another processor family, with so many times the cores.
    Processor {
        /// The family; none keeps the processor.
        family: Option<String>,
        /// Times the cores.
        cores: f64,
    },
    /// The server that the site names for what comes next, in place of today's.
    Server,
    /// Another operating system, one that the site allows; its filesystem with it.
    OperatingSystem(&'static str),
    /// The newest release of p4d that is known, from one whose reads take locks.
    Release,
    /// `db.peeking`: which locks reads take then.
    Peeking(ReadLocks),
    /// An edge in each distant office.
    Edges,
    /// A proxy for builds.
    Proxies,
    /// A proxy in each distant office without an edge.
    OfficeProxies,
    /// The mount options that are recommended for exports: all, or more connections alone.
    Mounts {
        /// Whether only `nconnect` is added.
        connections_only: bool,
    },
    /// So many threads for each parallel sync.
    ParallelSyncs(f64),
    /// A connection to a distant office keeps in flight what fills its line, if that is far more than today.
    TcpWindow,
    /// Builds sync without rows in the common db.have.
    BuildSyncs,
    /// The newest release of p4d that is known, from one whose reads take no locks and that makes no checkpoint in parallel.
    ParallelCheckpoints,
    /// Checkpoints are made of an offline copy of the database in place of the live one.
    OfflineCheckpoints,
    /// The database is built anew from a checkpoint: its pages are full and in order.
    Rebuild,
    /// A standby on a machine and store of its own.
    Standby,
}

record! {
    /// A change of a system that is there.
    struct Change: Entry {
        /// What can go wrong.
        risk: Sourced<String>,
        /// How long p4d is down for it beside the copy of the database.
        down_time: Sourced<Seconds>,
        /// How fast the database is copied meanwhile, its comparison included; not where the file does not say.
        copy_rate: Option<Sourced<BytesPerSecond>>,
        /// 0 configuration only, 1 restart, 2 new hardware in the server, 3 data migration, 4 new server.
        trouble: Sourced<f64> = grade(TROUBLE_MOST),
        /// What it costs beside the others, from 0 (nothing) to 5.
        cost: Sourced<f64> = grade(COST_MOST),
        /// What is done, in order.
        steps: Vec<String>,
        /// Changes that are a part of this one: the two are not combined.
        includes: Vec<String> = or(Vec::new()),
        /// Rules whose finding it is a remedy for.
        mends: Vec<String> = or(Vec::new()),
        /// What it does to a deployment.
        actions: Vec<Action> = always(actions),
    }
}

/// The database that is there, by which p4d is down for a change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Database {
    /// Its size.
    pub size: Bytes,
    /// The release of p4d that wrote it.
    pub release: Release,
    /// How long a checkpoint of it and its replay take, one after the other.
    pub anew: Seconds,
}

impl Change {
    /// Whether it puts edges or proxies somewhere.
    pub fn places_servers(&self) -> bool {
        let places = |action: &Action| matches!(action, Action::Edges | Action::Proxies | Action::OfficeProxies);
        self.actions.iter().any(places)
    }

    /// Whether it puts another server in the place of the one that is there.
    pub fn replaces_server(&self) -> bool {
        let replaces = |action: &Action| matches!(action, Action::Processor { .. } | Action::Server);
        self.actions.iter().any(replaces)
    }

    /// Whether what it buys stays behind with a server that is replaced.
    pub fn stays_with_server(&self) -> bool {
        let is_memory = |action: &Action| matches!(action, Action::Memory(_));
        self.replaces_server() || self.actions.iter().any(is_memory)
    }

    /// How long p4d is down for it: what is done in any case, the copy of the database, and what an upgrade writes anew.
    pub fn down(&self, database: &Database) -> Seconds {
        let copy = self.copy_rate.as_ref();
        let copied = copy.map_or(0.0, |rate| database.size.get() / rate.value.get());
        let rewrites = self.prepares(database.release).any(|upgrade| upgrade.rewrites);
        let rewritten = if rewrites { database.anew.get() } else { 0.0 };
        Seconds::new(self.down_time.value.get() + copied + rewritten)
    }

    /// Whether it moves p4d to a newer release.
    fn upgrades(&self) -> bool {
        let upgrades = |action: &Action| matches!(action, Action::Release | Action::ParallelCheckpoints);
        self.actions.iter().any(upgrades)
    }

    /// What it has to prepare where p4d is of this release and gets a newer one by it.
    fn prepares(&self, release: Release) -> impl Iterator<Item = &'static Upgrade> {
        let newest = self.upgrades().then(Release::newest);
        newest.into_iter().flat_map(move |newest| release.upgrades_to(newest))
    }
}

impl Change {
    /// What is done, in order, where p4d is of this release; before an upgrade what that has to prepare.
    pub fn steps_from(&self, release: Release) -> Vec<String> {
        if !self.upgrades() {
            return self.steps.clone();
        }
        let newest = Release::newest();
        let aim = format!("Aim at release {newest}, the newest that is known here.");
        let prepare = self.prepares(release);
        let prepare = prepare.map(|upgrade| upgrade.prepare.value.clone());
        let before = std::iter::once(aim).chain(prepare);
        before.chain(self.steps.iter().cloned()).collect()
    }
}

/// The largest grade of cost and of trouble.
pub const COST_MOST: f64 = 5.0;
/// The same of trouble.
pub const TROUBLE_MOST: f64 = 4.0;

/// A whole number from 0 to the most that such a grade is; reports what is none.
fn grade(most: f64) -> impl Fn(&Reader<'_>, &'static str) -> Option<Sourced<f64>> {
    move |r, key| {
        let grade: Sourced<f64> = Readable::required(r, key)?;
        if (0.0..=most).contains(&grade.value) && grade.value.fract() == 0.0 {
            return Some(grade);
        }
        let message = format!("{key:?} must be a whole number from 0 to {most}");
        if let Some(value) = r.raw(key) {
            let found = format!("found {}", grade.value);
            r.report("MOD009", message, &value.place, found);
        }
        None
    }
}

/// The `[[action]]` tables.
fn actions(r: &Reader<'_>, _: &str) -> Vec<Action> {
    r.require(&["action"]);
    r.tables("action").iter().filter_map(Action::read).collect()
}

impl Action {
    fn read(r: &Reader<'_>) -> Option<Self> {
        r.require(&["do"]);
        let what = r.word("do", &ACTIONS)?.value;
        let text = |key: &'static str| {
            r.require(&[key]);
            bare(r.text(key))
        };
        let times = |key: &'static str| times(r, key);
        let roles = || {
            r.require(&["roles"]);
            r.word_list("roles", &ROLES)
        };
        let action = match what {
            "own-drives" => {
                let (medium, roles) = (bare(r.text("medium")), roles());
                let (drives, raid) = (times("drives"), text("raid"));
                Self::OwnDrives { roles: roles?, medium, drives: drives?, raid: raid? }
            }
            "flash-drives" => {
                let (medium, drives, raid) = (text("medium"), times("drives"), text("raid"));
                Self::FlashDrives { medium: medium?, drives: drives?, raid: raid? }
            }
            "cloud-medium" | "cloud-volumes" => {
                let (roles, class) = (roles(), Class::required(r, "class"));
                let (roles, class) = (roles?, class?);
                if what == "cloud-medium" {
                    Self::CloudMedium { roles, class }
                } else {
                    Self::CloudVolumes { roles, class }
                }
            }
            "array" => {
                let (roles, array) = (roles(), text("array"));
                Self::Array { roles: roles?, array: array? }
            }
            "client-network" => Self::ClientNetwork(text("network")?),
            "client-links" => Self::ClientLinks(times("times")?),
            "memory" => Self::Memory(times("times")?),
            "processor" => {
                let (family, cores) = (bare(r.text("family")), times("cores"));
                Self::Processor { family, cores: cores? }
            }
            "server" => Self::Server,
            "operating-system" => Self::OperatingSystem(r.word("system", &SYSTEMS)?.value),
            "release" => Self::Release,
            "peeking" => Self::Peeking(peeking(r)?),
            "edges" => Self::Edges,
            "proxies" => Self::Proxies,
            "office-proxies" => Self::OfficeProxies,
            "parallel-syncs" => Self::ParallelSyncs(times("threads")?),
            "tcp-window" => Self::TcpWindow,
            "build-syncs" => Self::BuildSyncs,
            "parallel-checkpoints" => Self::ParallelCheckpoints,
            "offline-checkpoints" => Self::OfflineCheckpoints,
            "rebuild" => Self::Rebuild,
            "standby" => Self::Standby,
            _ => Self::Mounts { connections_only: r.boolean("connections_only").is_some_and(|b| b.value) },
        };
        r.finish();
        Some(action)
    }
}

/// How many times as much.
fn times(r: &Reader<'_>, key: &'static str) -> Option<f64> {
    r.require(&[key]);
    let times = r.number(key)?;
    if times.value >= 1.0 && times.value <= 100.0 {
        return Some(times.value);
    }
    let found = format!("found {}", times.value);
    let message = format!("{key:?} must be a number from 1 to 100");
    r.report("MOD009", message, &times.place, found);
    None
}

/// `value` 2 or 3 of db.peeking.
fn peeking(r: &Reader<'_>) -> Option<ReadLocks> {
    let value = r.word("value", &["2", "3"])?;
    Some(match value.value {
        "2" => ReadLocks::Few,
        _ => ReadLocks::None,
    })
}
