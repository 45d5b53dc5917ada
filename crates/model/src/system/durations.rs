//! How long maintenance takes: checkpoints, their replay, a verify, restores, rebuilds, the seeding of an edge.
//!
//! Each is one process on an idle server. What it streams goes through all stations at once, so that it takes as long as
//! the slowest of them (asymptotic bound of one customer with perfect read-ahead: Lazowska and others 1984, chapter 5);
//! what it waits for file by file comes on top. With D bytes of db, T = `checkpoint.text` · D of plain text, and
//! R = D / 8 KiB · `rows_per_page` rows:
//!
//! ```text
//! checkpoint   max( (1 − u) D / read db,  R · scan + T · (copy + compress) + W(u · D / 8 KiB),  C / write checkpoint )
//! replay       max( C / read checkpoint,  R · row load + T · (copy + decompress) + W(p),  L / write db and p pages back )
//!              p = R · replay.scattered · (1 − m + m ln m),   m = memory / L < 1;  else p = 0
//! verify       revisions · (open + first block) + max( depots / read,  depots · copy )
//! restore      max( bytes / restore.rate,  bytes / network,  bytes / write,  bytes · copy over ssh ), and the replay
//! rebuild      drive / ( stream · rebuild.share )
//! edge         max( bytes / line,  bytes · round trip / window,  bytes · copy over ssh )
//! ```
//!
//! C is `checkpoint.share` · D, and L the part of the database that holds rows: all of it, or what a stated size of the checkpoint
//! says. W(n) is the time in which one process reads n pages, each at a place of its own: leaves that are out of order (u, an
//! answer), dead ones among them; and the pages of rows that a replay puts in out of the order of their keys. With uniform and
//! independent references a cache of M bytes under a tree that has grown to x misses 1 − M/x (Coffman and Denning 1973, 6.6);
//! over the growth from nothing to L that is 1 − m + m ln m on average. Each such page is written back as well, since it was changed
//! (Graefe 2011, 3.4). `tests/it/btree.rs` counts them in a real B-tree.
//!
//! What one process works through and waits for is multiplied by what the model errs by in that kind of job, as published times
//! show it: `recovery.rows` and `recovery.checkpoint` or `recovery.replay`; `recovery.copy` for copies
//! (docs/first-principles.md). What streams through stations is not.
//!
//! Intervals: the covariance of the fit's parameters and the error of each other number ([`super::interval`]); of two
//! directions the larger counts, since at the change from one limit to another only one direction moves anything. A verify,
//! which nobody published, errs by `unmeasured` besides.
//!
//! A stated time is a measurement like any other ([`crate::fit::blend()`]): what it says of the numbers is given as `known`, and
//! holds wherever these numbers are read.
//!
//! Assumptions: no other load; sizes as stated or assumed; archives one after the other; a checkpoint is compressed.

use std::collections::BTreeMap;

use super::deployment::{Deployment, Mount};
use super::disk_set::sets;
use super::dump::Dumped;
use super::interval::Errors;
use super::lens::{Lens, Numbers};
use super::plant::{Demand, PAGE, Plant};
use super::prediction::Interval;
use super::resource::Resource;
use super::unmeasured;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Feature, Named};
use crate::posterior::{NumberId, Posterior};
use crate::site::Site;
use crate::workload::{Dump, Load};

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
    /// Checkpoint and all archives of a new standby cross the line to it.
    SeedStandby,
}

impl Job {
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
            Self::SeedStandby => "seed-standby",
        }
    }
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
    /// Whether one thread of p4d limits it, with the pages that it waits for, and not what streams meanwhile.
    pub is_by_thread: bool,
    /// What streams meanwhile takes so long at its stated rates, and no better thread makes it faster; 0 where that is what limits \[s\].
    pub least: f64,
    /// How many times the model's own estimate it is: a stated time says so.
    pub paced: f64,
}

/// All of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Durations {
    /// In the order of [`Job`].
    pub all: Vec<Duration>,
    /// The numbers that they rest on.
    pub used: Numbers,
}

impl Durations {
    /// How long a job takes that there is one of.
    pub fn time(&self, job: Job) -> Option<Interval> {
        self.all.iter().find(|d| d.job == job).map(|d| d.time)
    }
}

/// A limit that is no station.
const PROCESSOR: &str = "one core of commit server";

/// What limits a job, and how long it takes so \[s\].
#[derive(Debug, Clone)]
pub(super) struct Slowest {
    limit: String,
    pub(super) seconds: f64,
    is_by_thread: bool,
    /// What streams meanwhile takes so long \[s\].
    least: f64,
}

impl Slowest {
    /// A station that streams.
    fn station((limit, seconds): (String, f64)) -> Self {
        Self { limit, seconds, is_by_thread: false, least: 0.0 }
    }

    /// A job of rows: one thread works through them and waits for pages one by one, which errs by `error`, while stations move
    /// what is read and written in sequence.
    pub(super) fn of_rows<'p>(
        plant: &mut Plant<'p>,
        error: &'static str,
        (processor, waits): (f64, &Demand),
        work: impl Fn(&mut Plant<'p>, &mut Demand),
    ) -> Self {
        let error = plant.parameter("recovery.rows") * plant.parameter(error);
        let waited = waits.sum();
        let of_thread = error * (processor + waited);
        let mut d = Demand::default();
        work(plant, &mut d);
        let streamed = Self::station(plant.slowest(&d));
        if streamed.seconds > of_thread {
            return streamed;
        }
        let limit = if waited > processor { plant.slowest(waits).0 } else { PROCESSOR.to_owned() };
        Self { limit, seconds: of_thread, is_by_thread: true, least: streamed.seconds }
    }
}

/// What is done to which bytes.
struct Subject<'a> {
    site: &'a Site,
    dumped: Dumped,
    depots: f64,
    /// Those without the part that nobody changes.
    active: f64,
    revisions: f64,
}

/// A job that somebody timed, and where.
#[derive(Debug, Clone, Copy)]
pub struct JobOf<'a> {
    /// Its sizes.
    pub site: &'a Site,
    /// What it runs on.
    pub deployment: &'a Deployment,
    /// What is beside it in memory.
    pub load: &'a Load,
    /// Which it is.
    pub job: Job,
}

impl JobOf<'_> {
    /// How long it takes with every number times its factor \[s\], and the numbers that jobs there rest on; none where it is not
    /// done there.
    pub(crate) fn time(
        self,
        (catalog, calibration): (&Catalog, &Calibration),
        factors: &BTreeMap<NumberId, f64>,
    ) -> Option<(f64, Numbers)> {
        let subject = Subject::of(self.site, self.deployment, self.load);
        let lens = Lens::scaling(factors).remembering();
        let known = (catalog, calibration);
        let (all, used) = subject.worked(self.deployment, &idle(self.load), known, lens);
        let one = all.into_iter().find(|one| one.job == self.job)?;
        Some((one.time.value, used))
    }
}

/// The estimates of [`durations`] alone, each its own interval, and not how far they are from the model's own nor
/// which numbers were read; `times` is what is known of the numbers ([`Posterior::times`]).
pub fn estimates(
    site: &Site,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    times: &BTreeMap<NumberId, f64>,
) -> Durations {
    let subject = Subject::of(site, deployment, load);
    let (all, used) = subject.worked(deployment, &idle(load), (catalog, calibration), Lens::scaling(times));
    Durations { all, used }
}

/// Nothing of what is read once is in a cache.
fn idle(load: &Load) -> Load {
    Load { cold: true, ..load.clone() }
}

/// How long all maintenance of a deployment takes on an idle server, with 80 % intervals, by what is `known` of the numbers
/// beside what they stand at ([`Posterior::standing`] where that is nothing).
pub fn durations(
    site: &Site,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    known: &Posterior,
) -> Durations {
    let idle = idle(load);
    let subject = Subject::of(site, deployment, load);
    let work = |lens: Lens<'_>| subject.worked(deployment, &idle, (catalog, calibration), lens);
    let factors = known.times();
    let (mut all, used) = work(Lens::scaling(&factors).remembering());
    if known.shift.iter().any(|shift| *shift != 0.0) {
        let (own, _) = work(Lens::forgetful());
        for (one, own) in all.iter_mut().zip(own) {
            one.paced = one.time.value / own.time.value;
        }
    }
    let changes = |shifted: &Vec<Duration>| {
        let pairs = all.iter().zip(shifted);
        let changes = pairs.map(|(was, is)| (is.time.value / was.time.value).ln());
        Some(changes.map(|change| if change.is_finite() { change } else { 0.0 }).collect())
    };
    let errors = Errors {
        solve: &|shifts| {
            let mut factors = factors.clone();
            for (number, shift) in shifts {
                *factors.entry((*number).clone()).or_insert(1.0) *= shift;
            }
            work(Lens::scaling(&factors)).0
        },
        used: &used,
        posterior: known,
        larger: true,
    };
    let squares = errors.variances(all.len(), changes, |_, _| ());
    let unmeasured = unmeasured::sigma(calibration).powi(2);
    for (one, square) in all.iter_mut().zip(squares) {
        let beyond = if one.job == Job::Verify { unmeasured } else { 0.0 };
        one.time = Interval::around(one.time.value, (square + beyond).sqrt());
        one.time.low = one.time.low.max(one.least.min(one.time.value));
    }
    end_at_one_thread(&mut all, deployment.cores.max(1.0));
    Durations { all, used }
}

/// A parallel checkpoint takes no longer than that of one thread, and no less than its share of one core, whatever divides it.
fn end_at_one_thread(all: &mut [Duration], cores: f64) {
    let mut alone = all.iter().filter(|one| one.job == Job::CheckpointOffline);
    let Some(alone) = alone.next().map(|one| one.time) else {
        return;
    };
    let parallel = all.iter_mut();
    for one in parallel.filter(|one| one.job == Job::CheckpointParallel) {
        let time = one.time;
        one.time.high = time.high.min(alone.high).max(time.value);
        one.time.low = time.low.max(alone.low / cores).min(time.value);
    }
}

impl<'a> Subject<'a> {
    fn of(site: &'a Site, deployment: &Deployment, load: &Load) -> Self {
        let db = site.data.db_size.value.get();
        Self {
            site,
            dumped: Dumped::of(deployment, load, db, Dump::of(site)),
            depots: site.data.depot_size.value.get(),
            active: site.data.active_depots(),
            revisions: site.data.revisions.value,
        }
    }
}

impl Subject<'_> {
    /// All jobs under an idle load, and the numbers that they rest on.
    fn worked(
        &self,
        deployment: &Deployment,
        idle: &Load,
        (catalog, calibration): (&Catalog, &Calibration),
        lens: Lens<'_>,
    ) -> (Vec<Duration>, Numbers) {
        let mut plant = Plant::new(deployment, catalog, calibration, &lens, idle);
        let all = self.work(&mut plant);
        drop(plant);
        (all, lens.into_used())
    }

    fn work(&self, plant: &mut Plant<'_>) -> Vec<Duration> {
        let mut all = Vec::new();
        let mut add = |job, of: Named, bytes, slowest: Slowest| {
            all.push(Duration {
                job,
                of,
                bytes,
                time: Interval::exact(slowest.seconds),
                limit: slowest.limit,
                is_by_thread: slowest.is_by_thread,
                least: slowest.least,
                paced: 1.0,
            });
        };
        let (dumped, depots) = (self.dumped, self.depots);
        let db = dumped.db;
        let checkpoint = dumped.checkpoint(plant);
        let in_use = dumped.in_use(plant);
        add(Job::CheckpointLive, Named::default(), db, in_use);
        let offline = dumped.dump(plant, "offline_db", 1.0, 1.0);
        add(Job::CheckpointOffline, Named::default(), db, offline);
        if plant.deployment.release.has(Feature::ParallelCheckpoints) {
            let divided = plant.parameter("checkpoint.parallel").min(1.0);
            let cores = plant.deployment.cores.max(1.0);
            let threads = 1.0 / (1.0 - divided + divided / cores);
            let parallel = dumped.dump(plant, "offline_db", 1.0, threads);
            add(Job::CheckpointParallel, Named::default(), db, parallel);
        }
        let replay = self.replay(plant, checkpoint);
        add(Job::Replay, Named::default(), checkpoint, replay.clone());
        add(Job::Verify, Named::default(), depots, self.verify(plant));
        let copy = copied(plant, checkpoint);
        let fetched = pipeline(plant, copy, |plant, d| {
            fetch(plant, d, "checkpoint", checkpoint);
        });
        let restored = in_turn(fetched.clone(), replay.clone());
        add(Job::RestoreDatabase, Named::default(), checkpoint, restored.clone());
        // The replay runs while archives follow the checkpoint.
        let copy = copied(plant, checkpoint + self.active);
        let all_fetched = pipeline(plant, copy, |plant, d| {
            fetch(plant, d, "checkpoint", checkpoint);
            // People work again before its read-only part is there.
            fetch(plant, d, "depot", self.active);
        });
        let longer = if all_fetched.seconds >= restored.seconds { all_fetched } else { restored };
        let restored = checkpoint + self.active;
        add(Job::Restore, Named::default(), restored, longer);
        all.extend(rebuilds(plant));
        all.extend(self.seeds(plant, checkpoint));
        all
    }

    /// Checkpoint and archives of each distant edge, and of a distant standby, over its line.
    fn seeds(&self, plant: &Plant<'_>, checkpoint: f64) -> Vec<Duration> {
        let mut all = Vec::new();
        let share = self.site.edge.depot_share.value.get();
        let edges = plant.deployment.offices.iter();
        let edges = edges.map(|name| (name, Job::Seed, share));
        let standby = plant.deployment.standby.as_ref();
        let standby = standby.and_then(|standby| standby.office.as_ref());
        let standby = standby.map(|name| (name, Job::SeedStandby, 1.0));
        for (name, job, share) in edges.chain(standby) {
            let mut offices = self.site.people.sites.iter();
            let Some(office) = offices.find(|office| office.name == *name) else {
                continue;
            };
            let bytes = checkpoint + self.depots * share;
            let sent = bytes * plant.parameter("line.compressed");
            let line = sent / office.bandwidth.value.get();
            let window = self.site.server.tcp_window.value.get();
            let stream = sent * office.round_trip.value.get() / window;
            let limits = [
                (line, Resource::line_to(name).name),
                (stream, format!("one TCP stream over the line to {name}")),
                (copied(plant, sent), PROCESSOR.to_owned()),
            ];
            let slowest = limits.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
            let (seconds, limit) = slowest.unwrap_or_default();
            all.push(Duration {
                job,
                of: Named::from(name.clone()),
                bytes,
                time: Interval::exact(seconds),
                limit,
                is_by_thread: false,
                least: 0.0,
                paced: 1.0,
            });
        }
        all
    }

    /// All rows of a checkpoint into a new database.
    fn replay(&self, plant: &mut Plant<'_>, checkpoint: f64) -> Slowest {
        let dumped = self.dumped;
        let live = dumped.live(plant);
        let scattered = dumped.rows(plant) * plant.parameter("replay.scattered");
        let pages = scattered * missed_while_growing(dumped.memory / live.max(PAGE));
        let waits = plant.wait_for_pages(0, "db", pages);
        let row = plant.parameter("row_load") * plant.slower_than_measured();
        let load = dumped.rows(plant) * row + dumped.text_time(plant, "decompress");
        Slowest::of_rows(plant, "recovery.replay", (load, &waits), |plant, d| {
            plant.read_all(d, 0, "checkpoint", checkpoint);
            plant.write_all(d, 0, "db", live);
            plant.write_back(d, 0, "db", pages);
        })
    }

    fn verify(&self, plant: &mut Plant<'_>) -> Slowest {
        let digest = self.depots * plant.cost("byte");
        let depots = self.depots;
        let streamed = pipeline(plant, digest, |plant, d| {
            plant.read_all(d, 0, "depot", depots);
        });
        let mut opened = Demand::default();
        plant.open_all(&mut opened, 0, self.revisions);
        let opened = Slowest::station(("archive files one by one".to_owned(), opened.sum()));
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
            is_by_thread: false,
            least: 0.0,
            paced: 1.0,
        }
    };
    ours.map(rebuild).collect()
}

/// Processor time of one process that copies bytes by rsync over ssh \[s\].
fn copied(plant: &Plant<'_>, bytes: f64) -> f64 {
    let byte = plant.parameter("copy.byte") * plant.slower_than_measured();
    bytes * byte * plant.parameter("recovery.copy")
}

/// Bytes from the store of backups to a volume.
fn fetch(plant: &mut Plant<'_>, d: &mut Demand, role: &str, bytes: f64) {
    plant.restore(d, bytes);
    plant.line_transfer(d, 0, bytes);
    plant.write_all(d, 0, role, bytes);
}

/// Share of references to a tree that grows from nothing that miss a cache which holds a part `m` of it in the end.
///
/// ```text
/// ∫₀¹ max(0, 1 − m/x) dx = 1 − m + m ln m
/// ```
pub fn missed_while_growing(m: f64) -> f64 {
    if m <= 0.0 {
        1.0
    } else if m < 1.0 {
        1.0 - m + m * m.ln()
    } else {
        0.0
    }
}

/// One process whose processor time and stations are at work together.
fn pipeline<'a>(plant: &mut Plant<'a>, processor: f64, work: impl Fn(&mut Plant<'a>, &mut Demand)) -> Slowest {
    let mut d = Demand::default();
    work(plant, &mut d);
    let slowest = plant.slowest(&d);
    if processor > slowest.1 {
        Slowest { limit: PROCESSOR.to_owned(), seconds: processor, is_by_thread: true, least: slowest.1 }
    } else {
        Slowest::station(slowest)
    }
}

/// One after the other: limited by what limits the longer one.
fn in_turn(a: Slowest, b: Slowest) -> Slowest {
    let (seconds, least) = (a.seconds + b.seconds, a.least + b.least);
    let longer = if a.seconds > b.seconds { a } else { b };
    Slowest { seconds, least, ..longer }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Interval, Job, end_at_one_thread};
    use crate::catalog::Named;

    #[test]
    fn several_threads_take_no_longer_than_one_and_no_less_than_their_share() {
        let job = |job, low, value, high| Duration {
            job,
            of: Named::default(),
            bytes: 1.0,
            time: Interval { value, low, high },
            limit: String::new(),
            is_by_thread: true,
            least: 0.0,
            paced: 1.0,
        };
        let mut all = [job(Job::CheckpointOffline, 50.0, 100.0, 200.0), job(Job::CheckpointParallel, 1.0, 20.0, 900.0)];
        end_at_one_thread(&mut all, 8.0);
        assert_eq!((all[1].time.low, all[1].time.high), (50.0 / 8.0, 200.0));
    }
}
