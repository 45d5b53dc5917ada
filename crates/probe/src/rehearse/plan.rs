//! What a rehearsal does: whose commands, how often, on how much data.

use std::collections::BTreeMap;
use std::time::Duration;

use super::load::rehearsed_load;
use super::locks::By;
use super::machine;
use super::script::{Script, Scripts};
use crate::calibration::Calibration;
use crate::catalog::{Catalog, ReadLocks, Release};
use crate::site::Site;
use crate::system::cache::{Popularity, hit_ratio};
use crate::system::memory;
use crate::units::Bytes;
use crate::workload::{Arrival, Load, Work};

/// How a site is rehearsed.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Multiple of the site's peak load.
    pub load: f64,
    /// Size of the data and of large syncs over the site's; none is the largest that fits.
    pub scale: Option<f64>,
    /// Seed of arrivals, sizes and choices.
    pub seed: u64,
    /// Time before anything counts.
    pub warm_up: Duration,
    /// Time that counts.
    pub measure: Duration,
    /// Most bytes on all volumes together.
    pub bytes_max: u64,
    /// How tables are locked.
    pub by: By,
    /// Round trip that is added between client and server \[s\].
    pub round_trip: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            load: 1.0,
            scale: None,
            seed: 1,
            warm_up: Duration::from_secs(10),
            measure: Duration::from_mins(1),
            bytes_max: 2 << 30,
            by: By::Files,
            round_trip: 0.0,
        }
    }
}

/// Least and greatest multiple of the load.
const LOAD: std::ops::RangeInclusive<f64> = 0.01..=100.0;
/// Bytes of a large sync that the scale aims at where nobody states one: some seconds on any volume.
const SYNC_BYTES: f64 = 200e6;
/// Shares of the bytes: hot pages, cold pages, archives to read, archives that are written, journal.
const HOT: f64 = 0.3;
const COLD: f64 = 0.2;
const ARCHIVES: f64 = 0.3;
const WRITTEN: f64 = 0.12;
const JOURNAL: f64 = 0.05;

/// A kind of work and how often it is planned.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// Which.
    pub work: Work,
    /// Commands a second if responses took no time; none for large syncs, whose clients wait for them most of the time.
    pub per_s: Option<f64>,
}

/// A command that clients of a group send.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sent {
    /// Share of the group's commands.
    pub(super) share: f64,
    /// Its script, by its place in [`Plan::scripts`].
    pub(super) script: usize,
    /// Its kind of work, by its place in [`Plan::kinds`].
    pub(super) kind: usize,
    /// Phases of the Erlang distribution of its size; 1 is exponential.
    pub(super) phases: u32,
}

/// Clients that do the same.
#[derive(Debug, Clone)]
pub(super) struct Population {
    pub(super) arrival: Arrival,
    pub(super) threads: usize,
    pub(super) sent: Vec<Sent>,
}

/// A rehearsal, before it starts.
#[derive(Debug, Clone)]
pub struct Plan {
    /// As it was asked for.
    pub settings: Settings,
    /// Size of the data and of large syncs over the site's.
    pub scale: f64,
    /// The load: what is rehearsed and what is predicted.
    pub load: Load,
    /// Kinds of work.
    pub kinds: Vec<Planned>,
    /// Share of db page reads that memory serves, as at the site.
    pub db_hit: f64,
    /// Share of archive bytes that memory serves, as at the site.
    pub depot_hit: f64,
    /// What the rehearsal changes of the site, and why; one sentence each.
    pub notes: Vec<String>,
    /// The site's memory at the scale \[B\].
    pub memory: f64,
    /// The site's release of p4d.
    pub release: Release,
    /// Which locks reads take.
    pub read_locks: ReadLocks,
    pub(super) scripts: Vec<Script>,
    /// What every command does before its own.
    pub(super) prologue: Script,
    pub(super) tables: Vec<String>,
    pub(super) populations: Vec<Population>,
    pub(super) rates: Rates,
    pub(super) file_bytes: u64,
}

/// Numbers of the model that the operations need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rates {
    pub(super) rows_per_page: f64,
    pub(super) pages_per_row: f64,
    pub(super) scan_share: f64,
    pub(super) bytes_a_row: f64,
}

/// Rows written a committed file: what `flush_bytes_per_file` counts by.
const ROWS_A_FILE: f64 = 12.0;

fn parameter(calibration: &Calibration, id: &str) -> Result<f64, String> {
    let found = calibration.parameter(id);
    found.map(|p| p.value.value).ok_or_else(|| format!("the calibration has no parameter {id}"))
}

impl Plan {
    /// What rehearsing `site` means; a sentence where it cannot be.
    pub fn of(site: &Site, catalog: &Catalog, calibration: &Calibration, settings: &Settings) -> Result<Self, String> {
        if !LOAD.contains(&settings.load) {
            let (load, least, most) = (settings.load, LOAD.start(), LOAD.end());
            return Err(format!("a load of {load}: from {least} to {most}"));
        }
        let mut notes = Vec::new();
        let sync_bytes = site.workload.concurrent_sync_size.value.get();
        let scale = settings.scale.unwrap_or((SYNC_BYTES / sync_bytes).min(1.0));
        if !(scale.is_finite() && scale > 0.0 && scale <= 1.0) {
            return Err(format!("a scale of {scale}: above 0 and up to 1"));
        }
        let load = rehearsed_load(site, settings.load, scale, &mut notes)?;
        let memory = site.server.ram.value.get() * scale;
        let release = site.server.release.value;
        let read_locks = ReadLocks::of(release, site.server.peeking.value);
        let rates = Rates {
            rows_per_page: parameter(calibration, "rows_per_page")?,
            pages_per_row: parameter(calibration, "pages_per_keyed_row")?,
            scan_share: parameter(calibration, "scan_share")?,
            bytes_a_row: parameter(calibration, "flush_bytes_per_file")? / ROWS_A_FILE,
        };
        let transfer = parameter(calibration, "size.transfer")?;
        let mut plan = Self {
            settings: settings.clone(),
            scale,
            kinds: Vec::new(),
            db_hit: 1.0,
            depot_hit: 1.0,
            notes,
            memory,
            release,
            read_locks,
            scripts: Vec::new(),
            prologue: Script::default(),
            tables: Vec::new(),
            populations: Vec::new(),
            rates,
            file_bytes: site.data.file_size.value.get().max(1.0) as u64,
            load,
        };
        // An Erlang distribution of n phases has a spread of 1/√n.
        let transfer_phases = transfer.powi(-2).round().max(1.0) as u32;
        plan.populate(catalog, transfer_phases);
        plan.find_hits(calibration)?;
        plan.note_scale();
        Ok(plan)
    }

    /// The hit ratios of a deployment with this memory: those that the model takes.
    fn find_hits(&mut self, calibration: &Calibration) -> Result<(), String> {
        // Neither processors nor volumes matter to memory.
        let deployment = machine::deployment(self, 1.0, Vec::new());
        let process = parameter(calibration, "process.memory")?;
        let to_hot = parameter(calibration, "db.hot_references")?;
        let load = &self.load;
        let db = [(load.db_hot_bytes, to_hot), ((load.db_bytes - load.db_hot_bytes).max(0.0), 1.0 - to_hot)];
        let hot = parameter(calibration, "depot.hot_share")?;
        let to_hot = parameter(calibration, "depot.hot_references")?;
        let depot = [(load.depot_bytes * hot, to_hot), (load.depot_bytes * (1.0 - hot), 1.0 - to_hot)];
        let pages = |classes: [(f64, f64); 2]| classes.map(|(bytes, references)| Popularity { bytes, references });
        let servers = memory::of_servers(&deployment, load, process);
        let free = servers.first().map_or(0.0, memory::ServerMemory::cache);
        self.db_hit = hit_ratio(&pages(db), free);
        self.depot_hit = hit_ratio(&pages(depot), (free - load.db_hot_bytes).max(0.0));
        Ok(())
    }

    fn populate(&mut self, catalog: &Catalog, transfer_phases: u32) {
        let mut scripts = Scripts::new(catalog, self.release, self.read_locks, self.load.revisions_a_file);
        let mut places: BTreeMap<Work, usize> = BTreeMap::new();
        for group in &self.load.groups {
            let all: f64 = group.calls.iter().map(|call| call.weight).sum();
            let mut sent = Vec::new();
            for call in group.calls.iter().filter(|call| call.weight > 0.0) {
                let command = &catalog.commands[&call.command];
                let work = Work::new(&group.clients, command.response, &call.command);
                let per_s = match group.arrival {
                    Arrival::Open { rate } => Some(rate * call.weight),
                    // Most of their time passes in the sync, not between two.
                    Arrival::Closed { .. } if group.clients.are_large_syncs() => None,
                    Arrival::Closed { population, think_time } => Some(population / think_time * call.weight),
                };
                let kinds = &mut self.kinds;
                let kind = *places.entry(work.clone()).or_insert_with(|| {
                    kinds.push(Planned { work, per_s: None });
                    kinds.len() - 1
                });
                if let Some(per_s) = per_s {
                    *self.kinds[kind].per_s.get_or_insert(0.0) += per_s;
                }
                self.scripts.push(scripts.of(call));
                sent.push(Sent {
                    share: call.weight / all,
                    script: self.scripts.len() - 1,
                    kind,
                    phases: if command.kind == "transfer" { transfer_phases } else { 1 },
                });
            }
            self.populations.push(Population {
                arrival: match group.arrival {
                    Arrival::Open { rate } => Arrival::Open { rate: rate * all },
                    closed @ Arrival::Closed { .. } => closed,
                },
                threads: group.threads.round().max(1.0) as usize,
                sent,
            });
        }
        self.prologue = scripts.prologue();
        self.tables = scripts.into_tables();
    }

    fn note_scale(&mut self) {
        let (scale, hot) = (self.scale, self.hot_bytes() + self.cold_bytes());
        self.notes.push(format!(
            "data and large syncs are {scale:.3} of the site's; {} of pages and {} of archives are on the volumes, and each read goes to \
             memory or past it with the site's own hit ratio",
            Bytes::new(hot as f64),
            Bytes::new(self.archive_bytes() as f64)
        ));
    }

    /// Clients in all, each a thread.
    pub fn clients(&self) -> usize {
        let each = self.load.groups.iter().map(|group| match group.arrival {
            Arrival::Closed { population, .. } => population as usize,
            Arrival::Open { .. } => 0,
        });
        each.sum()
    }

    /// Most bytes that it takes on the volumes of db, journal and depot.
    pub fn bytes(&self) -> [u64; 3] {
        let db = self.hot_bytes() + self.cold_bytes() + (64 << 20);
        let depot = self.archive_bytes() + self.written_bytes() + (1 << 20);
        [db, 2 * self.journal_bytes() + (1 << 20), depot]
    }

    fn share(&self, share: f64) -> f64 {
        self.settings.bytes_max as f64 * share
    }

    /// Pages that commands come back to, all tables together \[B\].
    pub(super) fn hot_bytes(&self) -> u64 {
        self.load.db_hot_bytes.min(self.share(HOT)).max(1e6) as u64
    }

    /// Pages that are read past memory \[B\]; none where memory has all.
    pub(super) fn cold_bytes(&self) -> u64 {
        if self.db_hit >= 1.0 {
            return 0;
        }
        (self.load.db_bytes - self.load.db_hot_bytes).min(self.share(COLD)).max(8e6) as u64
    }

    /// Archives to read \[B\].
    pub(super) fn archive_bytes(&self) -> u64 {
        let least = 4.0 * self.file_bytes as f64;
        self.load.depot_bytes.min(self.share(ARCHIVES)).max(least) as u64
    }

    /// Archives that are written before the oldest of them go \[B\].
    pub(super) fn written_bytes(&self) -> u64 {
        self.share(WRITTEN).max(4.0 * self.file_bytes as f64) as u64
    }

    /// What the journal, and the log, grow to before they begin anew \[B\].
    pub(super) fn journal_bytes(&self) -> u64 {
        self.share(JOURNAL).max(1e6) as u64
    }
}
