//! How long maintenance takes: checkpoints, their replay, a verify, restores, rebuilds, the seeding of an edge.
//!
//! Each is one process on an idle server. What it streams goes through all stations at once, so that it takes as long as
//! the slowest of them (asymptotic bound of one customer with perfect read-ahead: Lazowska and others 1984, chapter 5);
//! what it waits for file by file comes on top. With D bytes of db, T = `checkpoint.text` · D of plain text, and
//! R = D / 8 KiB · `rows_per_page` rows:
//!
//! ```text
//! checkpoint   max( D / read db,  R · scan + T · (copy + compress),  C / write checkpoint ),   C = checkpoint.share · D
//! replay       max( C / read checkpoint,  R · row write + T · (copy + decompress),  D / write db )
//! verify       revisions · (open + first block) + max( depots / read,  depots · copy )
//! restore      max( bytes / restore.rate,  bytes / network,  bytes / write ), and the replay
//! rebuild      drive / ( stream · rebuild.share )
//! edge         bytes / line, or bytes · round trip / window
//! ```
//!
//! Intervals: the error of each number alone, in squares (delta method on the logarithmic scale, [`super::interval`]); of two
//! directions the larger counts, since at the change from one limit to another only one direction moves anything. Nobody
//! published such times beside the hardware: nothing of this is fitted, and what p4d itself works through errs by
//! `unmeasured` besides.
//!
//! A stated time of a checkpoint is an observation ([`Pace`]): what p4d works through, or what its store moves, takes so many
//! times longer in every job of rows. Intervals stay those of the model.
//!
//! Assumptions: no other load; sizes as stated or assumed; archives one after the other; a checkpoint is compressed.

use std::collections::BTreeMap;

use super::deployment::{Deployment, Mount};
use super::disk_set::sets;
use super::lens::{Lens, Used};
use super::plant::{Demand, PAGE, Plant};
use super::prediction::Interval;
use super::resource::Resource;
use super::unmeasured;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Named, Release};
use crate::site::Site;
use crate::workload::Load;

/// The first release with parallel checkpoints (P4HELP: db.checkpoint.threads).
const PARALLEL_SINCE: Release = Release::new(2022, 2);

/// A kind of maintenance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// `p4d -jc`: all tables are locked so long.
    CheckpointLive,
    /// The same of the offline copy: nobody waits for it.
    CheckpointOffline,
    /// `p4d -jcpm` with a thread for each core.
    CheckpointParallel,
    /// `p4d -jr` of a checkpoint.
    Replay,
    /// `p4 verify` of all archives.
    Verify,
    /// The checkpoint from the store of backups, and its replay.
    RestoreDatabase,
    /// Database and depots from the store of backups.
    Restore,
    /// A new drive of a set is filled.
    Rebuild,
    /// Checkpoint and archives of a new edge cross its line.
    Seed,
}

impl Job {
    /// Whether p4d itself works through rows or archives.
    fn is_of_p4d(self) -> bool {
        !matches!(self, Self::Restore | Self::Rebuild | Self::Seed)
    }

    /// Its word, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::CheckpointLive => "checkpoint-live",
            Self::CheckpointOffline => "checkpoint-offline",
            Self::CheckpointParallel => "checkpoint-parallel",
            Self::Replay => "replay",
            Self::Verify => "verify",
            Self::RestoreDatabase => "restore-database",
            Self::Restore => "restore",
            Self::Rebuild => "rebuild",
            Self::Seed => "seed",
        }
    }
}

/// How many times longer jobs of rows take than the model estimates: 1 where no time is stated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// What one core works through: rows and plain text.
    pub processor: f64,
    /// What stations move.
    pub stations: f64,
}

impl Pace {
    /// As the model estimates.
    pub const MODEL: Self = Self {
        processor: 1.0,
        stations: 1.0,
    };
}

/// How long one of them takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Duration {
    /// What is done.
    pub job: Job,
    /// Of which set or office; empty where there is one alone.
    pub of: Named,
    /// Bytes that it is about.
    pub bytes: f64,
    /// How long \[s\].
    pub time: Interval,
    /// What limits it: the name of a resource.
    pub limit: String,
    /// How many times the model's own estimate it is: a stated time says so.
    pub paced: f64,
}

impl Duration {
    /// Whether one core limits it.
    pub fn is_by_processor(&self) -> bool {
        self.limit == PROCESSOR
    }
}

/// All of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Durations {
    /// In the order of [`Job`].
    pub all: Vec<Duration>,
    /// The numbers that they rest on, by name.
    pub used: BTreeMap<String, Used>,
}

impl Durations {
    /// How long a job takes that there is one of.
    pub fn time(&self, job: Job) -> Option<Interval> {
        self.all.iter().find(|d| d.job == job).map(|d| d.time)
    }
}

/// A limit that is no station.
const PROCESSOR: &str = "one core of commit server";

/// What is done to which bytes.
struct Subject<'a> {
    site: &'a Site,
    db: f64,
    depots: f64,
    /// Those without the part that nobody changes.
    active: f64,
    revisions: f64,
    pace: Pace,
}

/// How long all maintenance of a deployment takes on an idle server, with 80 % intervals.
pub fn durations(
    site: &Site,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    pace: Pace,
) -> Durations {
    // Nothing of what is read once is in a cache.
    let mut idle = load.clone();
    idle.cold = true;
    let subject = Subject {
        site,
        db: site.data.db_size.value.get(),
        depots: site.data.depot_size.value.get(),
        active: site.data.active_depots(),
        revisions: site.data.revisions.value,
        pace,
    };
    let work_at = |subject: &Subject<'_>, lens: Lens<'_>| {
        let mut plant = Plant::new(deployment, catalog, calibration, &lens, &idle);
        let all = subject.work(&mut plant);
        drop(plant);
        (all, lens.into_used())
    };
    let work = |lens: Lens<'_>| work_at(&subject, lens);
    let (mut all, used) = work(Lens::default());
    if pace != Pace::MODEL {
        let model = Subject {
            pace: Pace::MODEL,
            ..subject
        };
        let (own, _) = work_at(&model, Lens::forgetful());
        for (one, own) in all.iter_mut().zip(own) {
            one.paced = one.time.value / own.time.value;
        }
    }
    let mut squares = vec![0.0_f64; all.len()];
    for (name, number) in &used {
        if !number.is_uncertain() {
            continue;
        }
        let mut largest = vec![0.0_f64; all.len()];
        for sign in [1.0, -1.0] {
            let factors = BTreeMap::from([(name.clone(), (sign * number.spread).exp())]);
            let (shifted, _) = work(Lens::scaling(&factors));
            let pairs = all.iter().zip(&shifted);
            for (change, (was, is)) in largest.iter_mut().zip(pairs) {
                let moved = (is.time.value / was.time.value).ln().abs();
                if moved.is_finite() {
                    *change = change.max(moved);
                }
            }
        }
        for (square, change) in squares.iter_mut().zip(largest) {
            *square += change.powi(2);
        }
    }
    let own = calibration.posterior.discrepancy.powi(2);
    let unmeasured = unmeasured::sigma(calibration).powi(2);
    for (one, square) in all.iter_mut().zip(squares) {
        // Rates of drives, lines and backups are what they are; how p4d works through a checkpoint nobody measured.
        let beyond = if one.job.is_of_p4d() { unmeasured } else { 0.0 };
        one.time = Interval::around(one.time.value, (square + own + beyond).sqrt());
    }
    Durations { all, used }
}

impl Subject<'_> {
    fn work(&self, plant: &mut Plant<'_>) -> Vec<Duration> {
        let mut all = Vec::new();
        let mut add = |job, of: Named, bytes, (limit, seconds): (String, f64)| {
            all.push(Duration {
                job,
                of,
                bytes,
                time: Interval::exact(seconds),
                limit,
                paced: 1.0,
            });
        };
        let (db, depots) = (self.db, self.depots);
        let checkpoint = db * plant.parameter("checkpoint.share");
        let dump = self.dump_time(plant);
        let live = self.of_rows(plant, dump, |plant, d| {
            plant.read_all(d, 0, "db", db);
            plant.write_all(d, 0, "checkpoint", checkpoint);
        });
        add(Job::CheckpointLive, Named::default(), db, live);
        let offline = self.of_rows(plant, dump, |plant, d| {
            plant.read_all(d, 0, "offline_db", db);
            plant.write_all(d, 0, "checkpoint", checkpoint);
        });
        add(Job::CheckpointOffline, Named::default(), db, offline);
        if plant.deployment.release >= PARALLEL_SINCE {
            let divided = plant.parameter("checkpoint.parallel").min(1.0);
            let cores = plant.deployment.cores.max(1.0);
            let dump = dump * (1.0 - divided + divided / cores);
            let parallel = self.of_rows(plant, dump, |plant, d| {
                plant.read_all(d, 0, "offline_db", db);
                plant.write_all(d, 0, "checkpoint", checkpoint);
            });
            add(Job::CheckpointParallel, Named::default(), db, parallel);
        }
        let load = self.load_time(plant);
        let replay = self.of_rows(plant, load, |plant, d| {
            plant.read_all(d, 0, "checkpoint", checkpoint);
            plant.write_all(d, 0, "db", db);
        });
        add(Job::Replay, Named::default(), checkpoint, replay.clone());
        add(Job::Verify, Named::default(), depots, self.verify(plant));
        let fetched = pipeline(plant, 0.0, |plant, d| {
            fetch(plant, d, "checkpoint", checkpoint);
        });
        let restored = in_turn(fetched.clone(), replay.clone());
        add(
            Job::RestoreDatabase,
            Named::default(),
            checkpoint,
            restored.clone(),
        );
        // The replay runs while archives follow the checkpoint.
        let all_fetched = pipeline(plant, 0.0, |plant, d| {
            fetch(plant, d, "checkpoint", checkpoint);
            // People work again before its read-only part is there.
            fetch(plant, d, "depot", self.active);
        });
        let longer = if all_fetched.1 >= restored.1 {
            all_fetched
        } else {
            restored
        };
        let restored = checkpoint + self.active;
        add(Job::Restore, Named::default(), restored, longer);
        all.extend(rebuilds(plant));
        all.extend(self.seeds(plant, checkpoint));
        all
    }

    /// Checkpoint and archives of each distant edge over its line.
    fn seeds(&self, plant: &Plant<'_>, checkpoint: f64) -> Vec<Duration> {
        let mut all = Vec::new();
        for name in &plant.deployment.offices {
            let mut offices = self.site.people.sites.iter();
            let Some(office) = offices.find(|office| office.name == *name) else {
                continue;
            };
            let share = self.site.edge.depot_share.value.get();
            let bytes = checkpoint + self.depots * share;
            let sent = bytes * plant.parameter("line.compressed");
            let line = sent / office.bandwidth.value.get();
            let window = self.site.server.tcp_window.value.get();
            let stream = sent * office.round_trip.value.get() / window;
            let limit = if stream > line {
                format!("one TCP stream over the line to {name}")
            } else {
                Resource::line_to(name).name
            };
            all.push(Duration {
                job: Job::Seed,
                of: Named::from(name.clone()),
                bytes,
                time: Interval::exact(line.max(stream)),
                limit,
                paced: 1.0,
            });
        }
        all
    }

    /// A job of rows, at the pace that was observed.
    fn of_rows<'p>(
        &self,
        plant: &mut Plant<'p>,
        processor: f64,
        work: impl Fn(&mut Plant<'p>, &mut Demand),
    ) -> (String, f64) {
        let Pace {
            processor: slower,
            stations,
        } = self.pace;
        pipeline_at(plant, processor * slower, stations, work)
    }

    fn rows(&self, plant: &Plant<'_>) -> f64 {
        self.db / PAGE * plant.parameter("rows_per_page")
    }

    /// Processor time of one thread that dumps all rows \[s\].
    fn dump_time(&self, plant: &Plant<'_>) -> f64 {
        let scan = plant.cost("row_read") * plant.parameter("scan_share");
        self.rows(plant) * scan + self.text_time(plant, "compress")
    }

    /// Processor time of one thread that writes all rows of a checkpoint \[s\].
    fn load_time(&self, plant: &Plant<'_>) -> f64 {
        self.rows(plant) * plant.cost("row_write") + self.text_time(plant, "decompress")
    }

    /// Processor time of a checkpoint's plain text, copied and packed or unpacked \[s\].
    fn text_time(&self, plant: &Plant<'_>, packed: &'static str) -> f64 {
        let packing = plant.parameter(packed) * plant.slower_than_measured();
        let text = self.db * plant.parameter("checkpoint.text");
        text * (plant.cost("byte") + packing)
    }

    fn verify(&self, plant: &mut Plant<'_>) -> (String, f64) {
        let digest = self.depots * plant.cost("byte");
        let depots = self.depots;
        let streamed = pipeline(plant, digest, |plant, d| {
            plant.read_all(d, 0, "depot", depots);
        });
        let mut opened = Demand::default();
        plant.open_all(&mut opened, 0, self.revisions);
        let opened = ("archive files one by one".to_owned(), opened.sum());
        in_turn(opened, streamed)
    }
}

/// A new drive of each set of the commit server.
fn rebuilds(plant: &Plant<'_>) -> Vec<Duration> {
    // A cloud's service rebuilds unseen; without redundancy nothing is left to rebuild from.
    let is_ours = |mount: &&Mount| {
        let raid = &plant.catalog.raid[&mount.raid];
        !mount.is_cloud() && raid.failures_tolerated.value >= 1.0
    };
    let ours = sets(plant.deployment.volumes.iter().filter(is_ours)).into_iter();
    let rebuild = |mount: &Mount| {
        let (bytes, rate) = plant.rebuild(mount);
        Duration {
            job: Job::Rebuild,
            of: mount.set_name(plant.catalog),
            bytes,
            time: Interval::exact(bytes / rate),
            limit: format!("one drive of {}", mount.set_name(plant.catalog)),
            paced: 1.0,
        }
    };
    ours.map(rebuild).collect()
}

/// Bytes from the store of backups to a volume.
fn fetch(plant: &mut Plant<'_>, d: &mut Demand, role: &str, bytes: f64) {
    plant.restore(d, bytes);
    plant.line_transfer(d, 0, bytes);
    plant.write_all(d, 0, role, bytes);
}

/// One process whose processor time and stations are at work together: the slowest, and how long it takes \[s\].
fn pipeline<'a>(
    plant: &mut Plant<'a>,
    processor: f64,
    work: impl Fn(&mut Plant<'a>, &mut Demand),
) -> (String, f64) {
    pipeline_at(plant, processor, 1.0, work)
}

/// The same with stations that take so many times longer.
fn pipeline_at<'a>(
    plant: &mut Plant<'a>,
    processor: f64,
    longer: f64,
    work: impl Fn(&mut Plant<'a>, &mut Demand),
) -> (String, f64) {
    let mut d = Demand::default();
    work(plant, &mut d);
    let (name, seconds) = plant.slowest(&d);
    let slowest = (name, seconds * longer);
    if processor > slowest.1 {
        (PROCESSOR.to_owned(), processor)
    } else {
        slowest
    }
}

/// One after the other: limited by what limits the longer one.
fn in_turn(a: (String, f64), b: (String, f64)) -> (String, f64) {
    let sum = a.1 + b.1;
    (if a.1 > b.1 { a.0 } else { b.0 }, sum)
}
