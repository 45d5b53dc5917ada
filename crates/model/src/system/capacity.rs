//! How large each volume has to be, today and at the horizon, and how much memory is worth having.
//!
//! The db's volume holds the live database and its offline copy (SDP), the depots' the archives,
//! checkpoints and rotated journals. [`provide`] adds headroom and snapshot reserve. Growth compounds yearly; journal and log grow with the db.

use crate::calibration::Calibration;
use crate::catalog::{Catalog, Step};
use crate::site::Site;
use crate::system::memory::{ServerMemory, of_servers};
use crate::system::{Deployment, Mount};
use crate::units::{Bytes, DAY, Quantity};
use crate::workload::{Arrival, Group, Load};

/// What one role needs.
#[derive(Debug, Clone, PartialEq)]
pub struct RoleSize {
    /// `db`, `offline_db`, …
    pub role: &'static str,
    /// Bytes of data today.
    pub data: Bytes,
    /// Bytes of data at the horizon.
    pub data_at_horizon: Bytes,
    /// Share of it that the edge of a distant office holds.
    pub at_office: f64,
    /// The arithmetic.
    pub how: String,
}

/// What to provide for a byte of data on a volume: headroom everywhere, and the snapshot reserve where the
/// store keeps snapshots beside the data.
pub fn provide(site: &Site, catalog: &Catalog, mount: &Mount) -> f64 {
    let headroom = 1.0 / (1.0 - site.horizon.headroom.value.get());
    let snapshots = catalog.arrays.get(&mount.device).is_some_and(|a| a.snapshots && !a.snapshots_elsewhere);
    if snapshots { headroom / (1.0 - site.protection.snapshot_reserve.value.get()) } else { headroom }
}

/// Sizes of all roles.
pub fn sizes(site: &Site, load: &Load, catalog: &Catalog, calibration: &Calibration) -> Vec<RoleSize> {
    let day = Day { load, catalog, mean: DAY / site.workload.peak_to_mean.value };
    let journal = Bytes::new(day.sum(journal_bytes));
    let log = Bytes::new(day.sum(log_bytes));
    let db = site.data.db_size.value;
    let share = calibration.parameter("checkpoint.share").map_or(0.0, |p| p.value.value);
    let at_office = site.edge.depot_share.value.get();
    let kept = site.protection.checkpoints_kept.value;
    let journals = site.protection.journals_kept.value;
    let checkpoints = db * (share * kept) + journal * journals;
    let (db_growth, depot_growth) = (site.data.db_growth.value, site.data.depot_growth.value);
    let roles = [
        ("db", db, db_growth, "the database".to_owned()),
        ("offline_db", db, db_growth, "a second copy, replayed offline (SDP)".to_owned()),
        (
            "journal",
            journal * 2.0,
            db_growth,
            format!("two days of {journal} of records: a day and a checkpoint that is late"),
        ),
        ("log", log * journals, db_growth, format!("{journals} days of {log} of log lines")),
        ("depot", site.data.depot_size.value, depot_growth, "the archives".to_owned()),
        (
            "checkpoint",
            checkpoints,
            db_growth,
            format!("{kept} checkpoints of {share} of the db and {journals} rotated journals"),
        ),
    ];
    let time = site.horizon.time.value;
    roles
        .into_iter()
        .map(|(role, data, growth, how)| {
            let data_at_horizon = data * growth.over(time);
            RoleSize { role, data, data_at_horizon, at_office: if role == "depot" { at_office } else { 1.0 }, how }
        })
        .collect()
}

/// What a load writes in a day.
struct Day<'a> {
    load: &'a Load,
    catalog: &'a Catalog,
    /// Time at the peak that does the work of a day \[s\].
    mean: f64,
}

impl Day<'_> {
    fn sum(&self, measure: fn(&Step, f64) -> f64) -> f64 {
        let mut sum = 0.0;
        for group in &self.load.groups {
            let cycles = self.cycles(group);
            for call in &group.calls {
                let command = &self.catalog.commands[&call.command];
                let own: f64 = command.steps.iter().map(|s| measure(s, call.files)).sum();
                let overhead = &self.catalog.commands["overhead"];
                let every: f64 = overhead.steps.iter().map(|s| measure(s, 0.0)).sum();
                sum += cycles * call.weight * (own + if command.prologue { every } else { 0.0 });
            }
        }
        sum
    }

    fn cycles(&self, group: &Group) -> f64 {
        match group.arrival {
            Arrival::Open { rate } => rate * self.mean,
            Arrival::Closed { population, think_time } => population / think_time.max(f64::MIN_POSITIVE) * self.mean,
        }
    }
}

fn journal_bytes(step: &Step, files: f64) -> f64 {
    match step {
        Step::Journal(per) => {
            per.per_command.as_ref().map_or(0.0, |x| x.value.base())
                + per.per_file.as_ref().map_or(0.0, |x| x.value.base()) * files
        }
        _ => 0.0,
    }
}

fn log_bytes(step: &Step, _: f64) -> f64 {
    if let Step::Log(bytes) = step { bytes.value.base() } else { 0.0 }
}

/// Memory that servers have, need, and are worth having.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// What the commit server has.
    pub there: Bytes,
    /// Perforce's rule: 1.5 KB a file and 64 MB a user (SAG, KB2957).
    pub rule: Bytes,
    /// Db and all that the commit server needs at the peak: nothing is read twice.
    pub all: Bytes,
    /// Share of db page reads found in the commit server's memory.
    pub hit: f64,
    /// What each server needs at the peak to survive it; the commit server first.
    pub servers: Vec<ServerMemory>,
}

/// Compares the memory of a deployment's servers with what they need, with the rule and with the database.
pub fn memory(site: &Site, calibration: &Calibration, deployment: &Deployment, load: &Load, hit: f64) -> Memory {
    const A_FILE: f64 = 1.5 * 1024.0;
    const A_USER: f64 = 64.0 * 1024.0 * 1024.0;
    let servers = servers_memory(calibration, deployment, load);
    let files = site.data.files.value;
    let users = site.people.developers.value;
    Memory {
        there: Bytes::new(deployment.memory),
        rule: Bytes::new(files * A_FILE + users * A_USER),
        all: site.data.db_size.value + Bytes::new(servers.first().map_or(0.0, ServerMemory::need)),
        hit,
        servers,
    }
}

/// Memory of each server at the peak.
pub fn servers_memory(calibration: &Calibration, deployment: &Deployment, load: &Load) -> Vec<ServerMemory> {
    let process = calibration.parameter("process.memory").map_or(0.0, |p| p.value.value);
    of_servers(deployment, load, process)
}
