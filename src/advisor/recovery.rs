//! Failure and recovery of the recommended deployment: how long maintenance takes, what is left while a part is lost, how
//! long until people work again after a disaster, and how much work is lost.
//!
//! A lost part is a steady state at today's peak, solved like every other prediction ([`super::what_if`] takes the part
//! out): a set without one disk whose rebuild has its share of the others, an array on the controllers that are left, one
//! edge fewer with its people at the commit server, page caches without content. Where the whole deployment was confirmed
//! by simulation, what is solved without the part is moved by the same ratio.
//!
//! A disaster takes a machine or a store away. What lay on it comes back from the newest copy that survives; which copies
//! there are is the answer to `protection.backup`.

use std::collections::BTreeMap;

use super::growth::tightest;
use super::ranking::missed;
use super::safety::memory_short;
use super::standby;
use super::what_if::fail;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::catalog::scenario::Part;
use crate::site::{Backup, Site};
use crate::system::{
    Deployment, Duration, Durations, Interval, Job, Lens, Mount, Prediction, Used, durations,
    predict_through, role_in_words,
};
use crate::units::Seconds;
use crate::workload::{Load, Work};

/// Whether a limit is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// With the whole 80 % interval.
    Met,
    /// By the estimate; the interval crosses the limit.
    MayMiss,
    /// Not by the estimate.
    Missed,
}

impl Verdict {
    fn of(time: Interval, limit: f64) -> Self {
        match time {
            t if t.high <= limit => Self::Met,
            t if t.value <= limit => Self::MayMiss,
            _ => Self::Missed,
        }
    }

    /// "met", "may miss", "missed".
    pub fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::MayMiss => "may miss",
            Self::Missed => "missed",
        }
    }
}

/// How long maintenance takes, against the time that the site gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Timed {
    /// How long.
    pub duration: Duration,
    /// What it is judged by; none where no answer limits it.
    pub window: Option<Window>,
}

/// A time that an answer gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// The answer's field.
    pub field: &'static str,
    /// How long \[s\].
    pub time: f64,
    /// Whether it is enough.
    pub verdict: Verdict,
}

/// A part that is lost while everything else goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// One disk of a set.
    Disk(String),
    /// One controller of an array, or the path to it.
    Controller(String),
    /// An edge, as its server is called.
    Edge(String),
    /// No part: all page caches are empty after a reboot.
    Caches,
}

impl Lost {
    /// Its word, for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Disk(_) => "disk",
            Self::Controller(_) => "controller",
            Self::Edge(_) => "edge",
            Self::Caches => "cold-caches",
        }
    }

    /// Of what; empty for the caches.
    pub fn of(&self) -> &str {
        match self {
            Self::Disk(of) | Self::Controller(of) | Self::Edge(of) => of,
            Self::Caches => "",
        }
    }
}

/// The deployment without a part.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What is lost.
    pub lost: Lost,
    /// How long everything stands still first \[s\].
    pub pause: f64,
    /// What is left.
    pub left: Left,
}

/// What a deployment does without a part.
#[derive(Debug, Clone, PartialEq)]
pub enum Left {
    /// It goes on.
    Works {
        /// Kinds of work that a person waits for.
        times: Vec<CaseTime>,
        /// Targets that it misses then and meets whole, in words; memory that is missing then.
        missed: Vec<String>,
    },
    /// It does not keep up with the peak, for this reason.
    Overloaded(String),
    /// Data is lost, or the whole store: this is a disaster.
    Gone(String),
}

/// A kind of work without a part.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseTime {
    /// Which it is.
    pub work: Work,
    /// As printed.
    pub name: String,
    /// 95th percentile \[s\].
    pub p95: f64,
    /// The same of the whole deployment \[s\].
    pub whole: f64,
    /// What the site wants, and the time that is judged by it \[s\].
    pub target: Option<(f64, f64)>,
}

impl Case {
    /// Kinds of work that go on.
    pub fn times(&self) -> impl Iterator<Item = &CaseTime> {
        let times = match &self.left {
            Left::Works { times, .. } => times.as_slice(),
            Left::Overloaded(_) | Left::Gone(_) => &[],
        };
        times.iter()
    }

    /// Whether it goes on and misses nothing that the whole deployment meets.
    pub fn is_met(&self) -> bool {
        matches!(&self.left, Left::Works { missed, .. } if missed.is_empty())
    }

    /// How badly it ends: nothing missed, targets missed, overloaded, data gone; then how far beyond.
    pub fn gravity(&self) -> (u8, f64) {
        match &self.left {
            Left::Works { times, missed } => {
                let strain = times.iter().map(|t| match t.target {
                    Some((limit, time)) => time / limit,
                    None => t.p95 / t.whole,
                });
                (u8::from(!missed.is_empty()), strain.fold(0.0, f64::max))
            }
            Left::Overloaded(_) => (2, 0.0),
            Left::Gone(_) => (3, 0.0),
        }
    }
}

/// What a disaster takes away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disaster {
    /// The commit server with its own disks.
    CommitServer,
    /// An array with all that lies on it.
    Store(String),
}

/// A disaster, and how it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// What is lost.
    pub lost: Disaster,
    /// Time until people work again \[s\]; none where nothing brings the data back.
    pub time: Option<Interval>,
    /// Work that is lost, counted in time \[s\]; none where all is.
    pub loses: Option<f64>,
    /// Against `protection.rto`.
    pub rto: Verdict,
    /// Whether no more is lost than `protection.rpo` allows.
    pub rpo_met: bool,
    /// What brings it back, in words.
    pub how: String,
    /// What survives of the journal, in words.
    pub journal: String,
}

/// The share of the time that the server answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Availability {
    /// What the site wants, in \[0, 1\].
    pub wanted: f64,
    /// What failures of the commit server leave, in \[0, 1\].
    pub expected: f64,
}

impl Availability {
    /// Whether it is enough.
    pub fn is_met(&self) -> bool {
        self.expected >= self.wanted
    }
}

/// What a standby on a machine and store of its own does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standby {
    /// Time until it has taken over \[s\].
    pub switch: f64,
    /// Work that it has not received yet, in time \[s\].
    pub lag: f64,
}

/// All of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovery {
    /// How long maintenance takes.
    pub durations: Vec<Timed>,
    /// Today's peak without a part, in the order disks, controllers, edges, caches.
    pub cases: Vec<Case>,
    /// Whether no target is missed while nothing is lost.
    pub whole_meets: bool,
    /// Disasters, the commit server's first.
    pub disasters: Vec<Recovered>,
    /// None where the commit server does not come back.
    pub availability: Option<Availability>,
    /// What a standby would do; none where there is one already.
    pub standby: Option<Standby>,
    /// What to do where an answer is missed, in sentences.
    pub advice: Vec<String>,
    /// The numbers that the durations rest on, by name.
    pub used: BTreeMap<String, Used>,
}

/// What is looked at.
struct Subject<'a> {
    site: &'a Site,
    catalog: &'a Catalog,
    calibration: &'a Calibration,
    deployment: &'a Deployment,
    load: &'a Load,
}

/// Failure and recovery of a deployment whose peak was predicted, and confirmed where that was asked for.
pub fn recovery(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    shown: &Prediction,
) -> Recovery {
    let subject = Subject {
        site,
        catalog,
        calibration,
        deployment,
        load,
    };
    let mut found = durations(site, deployment, load, catalog, calibration);
    let mut used = std::mem::take(&mut found.used);
    let disasters = subject.disasters(&found, shown, &mut used);
    let availability = subject.availability(&disasters, &mut used);
    let standby = subject.would_be();
    let timed: Vec<Timed> = found.all.into_iter().map(|d| timed(site, d)).collect();
    Recovery {
        cases: subject.cases(shown),
        whole_meets: missed(site, shown).is_empty(),
        advice: subject.advice(&timed, &disasters, availability, standby),
        standby,
        durations: timed,
        disasters,
        availability,
        used,
    }
}

/// How many of the stated RTO, RPO and availability a deployment breaks.
pub(super) fn broken_promises(
    (site, catalog, calibration): (&Site, &Catalog, &Calibration),
    deployment: &Deployment,
    load: &Load,
    prediction: &Prediction,
) -> usize {
    let subject = Subject {
        site,
        catalog,
        calibration,
        deployment,
        load,
    };
    let found = durations(site, deployment, load, catalog, calibration);
    let mut used = BTreeMap::new();
    let disasters = subject.disasters(&found, prediction, &mut used);
    let availability = subject.availability(&disasters, &mut used);
    let asked = &site.protection;
    let late = asked.rto.is_stated() && disasters.iter().any(|d| d.rto == Verdict::Missed);
    let loses = asked.rpo.is_stated() && disasters.iter().any(|d| !d.rpo_met);
    let is_down = asked.availability.is_stated() && availability.is_none_or(|a| !a.is_met());
    [late, loses, is_down]
        .into_iter()
        .filter(|broken| *broken)
        .count()
}

/// Puts a duration beside the answer that limits it.
fn timed(site: &Site, duration: Duration) -> Timed {
    let asked = &site.protection;
    let window = match duration.job {
        Job::CheckpointLive | Job::CheckpointOffline | Job::CheckpointParallel => {
            Some(("protection.night_window", asked.night_window.value))
        }
        Job::Replay | Job::RestoreDatabase | Job::Restore => {
            Some(("protection.rto", asked.rto.value))
        }
        Job::Verify | Job::Rebuild | Job::Seed => None,
    };
    let window = window.map(|(field, time)| Window {
        field,
        time: time.get(),
        verdict: Verdict::of(duration.time, time.get()),
    });
    Timed { duration, window }
}

impl Subject<'_> {
    fn parameter(&self, used: &mut BTreeMap<String, Used>, id: &str) -> Interval {
        let Some(parameter) = self.calibration.parameter(id) else {
            return Interval::exact(0.0);
        };
        used.insert(format!("parameter {id}"), Used::of_parameter(parameter));
        Interval::around(parameter.value.value, parameter.value.spread)
    }

    fn cases(&self, shown: &Prediction) -> Vec<Case> {
        let lens = Lens::forgetful();
        let solved = predict_through(
            lens,
            self.deployment,
            self.load,
            self.catalog,
            self.calibration,
        );
        let whole = Whole {
            solved: solved.as_ref().unwrap_or(shown),
            shown,
            missed: missed(self.site, shown),
            is_short: memory_short(self.calibration, self.deployment, self.load).is_some(),
        };
        let mut cases = self.disks(&whole);
        cases.extend(self.controllers(&whole));
        cases.extend(self.edge(&whole));
        let cold = Load {
            cold: true,
            ..self.load.clone()
        };
        cases.push(Case {
            lost: Lost::Caches,
            pause: 0.0,
            left: self.left(&whole, self.deployment, &cold, self.catalog),
        });
        cases
    }

    /// One disk of each set of the commit server, while a new one is filled.
    fn disks(&self, whole: &Whole<'_>) -> Vec<Case> {
        let share = self.calibration.parameter("rebuild.share");
        let rebuilt = share.map_or(0.0, |p| p.value.value);
        let mut cases: Vec<Case> = Vec::new();
        for mount in &self.deployment.volumes {
            let lost = Lost::Disk(mount.set.clone());
            let Some(role) = mount.roles.first() else {
                continue;
            };
            // A cloud's service replaces its disks unseen.
            if mount.is_cloud() || cases.iter().any(|case| case.lost == lost) {
                continue;
            }
            let mut without = self.deployment.clone();
            let left = match fail(Part::Disk(role), &mut without, self.catalog) {
                Ok(_) => {
                    for volume in without.volumes.iter_mut().filter(|v| v.set == mount.set) {
                        volume.disks *= 1.0 - rebuilt;
                    }
                    self.left(whole, &without, self.load, self.catalog)
                }
                Err(error) => Left::Gone(error.to_string()),
            };
            cases.push(Case {
                lost,
                pause: 0.0,
                left,
            });
        }
        cases
    }

    /// One controller of each array.
    fn controllers(&self, whole: &Whole<'_>) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for mount in &self.deployment.volumes {
            let lost = Lost::Controller(mount.device.clone());
            let Some(role) = mount.roles.first() else {
                continue;
            };
            if mount.is_private() || cases.iter().any(|case| case.lost == lost) {
                continue;
            }
            let mut without = self.deployment.clone();
            let left = match fail(Part::Controller(role), &mut without, self.catalog) {
                Ok(catalog) => {
                    let catalog = catalog.as_deref().unwrap_or(self.catalog);
                    self.left(whole, &without, self.load, catalog)
                }
                Err(error) => Left::Gone(error.to_string()),
            };
            let array = self.catalog.arrays.get(&mount.device);
            let pause = array.and_then(|array| array.takeover.as_ref());
            cases.push(Case {
                lost,
                pause: pause.map_or(0.0, |pause| pause.value.get()),
                left,
            });
        }
        cases
    }

    /// The edge that most people lose: that of the largest office, else one beside the commit server.
    fn edge(&self, whole: &Whole<'_>) -> Option<Case> {
        let d = self.deployment;
        if d.edges == 0 {
            return None;
        }
        let people = |name: &String| {
            let mut offices = self.site.people.sites.iter();
            let office = offices.find(|office| office.name == *name);
            office.map_or(0.0, |office| office.developers.value)
        };
        let offices = d.offices.iter().enumerate();
        let largest = offices.max_by(|a, b| people(a.1).total_cmp(&people(b.1)));
        let server = largest.map_or(d.edges as usize, |(index, _)| index + 1);
        let mut without = d.clone();
        without.edges -= 1;
        if let Some((index, _)) = largest {
            without.offices.remove(index);
        }
        Some(Case {
            lost: Lost::Edge(d.server_in_words(server)),
            pause: 0.0,
            left: self.left(whole, &without, self.load, self.catalog),
        })
    }

    /// What `without` does under a load, beside the whole deployment.
    fn left(
        &self,
        whole: &Whole<'_>,
        without: &Deployment,
        load: &Load,
        catalog: &Catalog,
    ) -> Left {
        let lens = Lens::forgetful();
        let mut after = match predict_through(lens, without, load, catalog, self.calibration) {
            Ok(after) => after,
            Err(error) => return Left::Overloaded(error.to_string()),
        };
        let mut times = Vec::new();
        for class in &mut after.classes {
            let (Some(shown), Some(solved)) = (
                whole.shown.class(&class.work),
                whole.solved.class(&class.work),
            ) else {
                continue;
            };
            class.p95.value *= shown.p95.value / solved.p95.value;
            class.mean.value *= shown.mean.value / solved.mean.value;
            if class.work.target().is_some() {
                let want = tightest(self.site, class);
                times.push(CaseTime {
                    work: class.work.clone(),
                    name: class.name.clone(),
                    p95: class.p95.value,
                    whole: shown.p95.value,
                    target: want.map(|want| (want.limit, want.time)),
                });
            }
        }
        // What is missed as a whole is not the lost part's doing.
        let of = |sentence: &String| sentence.split(" takes ").next().map(str::to_owned);
        let before: Vec<Option<String>> = whole.missed.iter().map(of).collect();
        let mut missed = missed(self.site, &after);
        missed.retain(|sentence| !before.contains(&of(sentence)));
        if !whole.is_short {
            missed.extend(memory_short(self.calibration, without, load));
        }
        Left::Works { times, missed }
    }

    fn disasters(
        &self,
        durations: &Durations,
        shown: &Prediction,
        used: &mut BTreeMap<String, Used>,
    ) -> Vec<Recovered> {
        let behind = self.behind(shown, used);
        let mut all = vec![self.disaster(Disaster::CommitServer, durations, behind, used)];
        let mut seen: Vec<&str> = Vec::new();
        for mount in &self.deployment.volumes {
            // The volumes of a cloud outlive its machines; what loses them loses the region.
            if mount.is_private() || seen.contains(&mount.device.as_str()) {
                continue;
            }
            seen.push(&mount.device);
            let lost = Disaster::Store(mount.device.clone());
            all.push(self.disaster(lost, durations, behind, used));
        }
        all
    }

    /// How far a standby is behind \[s\]; none where there is no standby.
    fn behind(&self, shown: &Prediction, used: &mut BTreeMap<String, Used>) -> Option<f64> {
        let has_one = self.site.protection.backup.value == Backup::Replica;
        let of_layout = self.deployment.standby.as_ref();
        if !has_one && of_layout.is_none() {
            return None;
        }
        let lag = self.parameter(used, "standby.lag").value;
        let behind = of_layout
            .and_then(|standby| standby::behind(self.site, self.catalog, standby, shown, lag));
        Some(behind.map_or(lag, standby::Behind::lost))
    }

    #[expect(
        clippy::too_many_lines,
        reason = "which copy brings it back, one case after the other"
    )]
    fn disaster(
        &self,
        lost: Disaster,
        durations: &Durations,
        behind: Option<f64>,
        used: &mut BTreeMap<String, Used>,
    ) -> Recovered {
        let asked = &self.site.protection;
        let backup = asked.backup.value;
        let is_lost = |mount: &Mount| match &lost {
            Disaster::CommitServer => mount.is_local(),
            Disaster::Store(device) => mount.device == *device,
        };
        let goes = |role: &str| self.deployment.mount(role).is_some_and(is_lost);
        let [db, depot, checkpoint, journal] = ["db", "depot", "checkpoint", "journal"].map(goes);
        // A snapshot lies on the disks that it is of; on a server's own there is none.
        let is_backed_up = matches!(backup, Backup::Tape | Backup::Checkpoint);
        let loses_data = (depot || (db && checkpoint)) && !is_backed_up;
        let spare = self.parameter(used, "spare.ready");
        let of = |job| durations.time(job).unwrap_or(Interval::exact(0.0));
        let (time, how) = if behind.is_some() {
            let standby = match &self.deployment.standby {
                Some(standby) => format!("the standby in {}", standby.office),
                None => "the standby".to_owned(),
            };
            (
                Some(self.parameter(used, "standby.switch")),
                format!("{standby} takes over"),
            )
        } else if loses_data {
            let roles = ["db", "journal", "depot", "checkpoint"];
            let gone: Vec<&str> = roles
                .into_iter()
                .filter(|role| goes(role))
                .map(role_in_words)
                .collect();
            let why = match (backup, &lost) {
                (Backup::Snapshots, Disaster::Store(_)) => "with their snapshots",
                (Backup::Snapshots, _) => "since a server's own disks take no snapshots",
                _ => "since there is no backup",
            };
            (None, format!("{} are gone {why}", gone.join(" and ")))
        } else if depot {
            (
                Some(plus(spare, of(Job::Restore))),
                "a spare, then database and depots from the backup".to_owned(),
            )
        } else if db && checkpoint {
            (
                Some(plus(spare, of(Job::RestoreDatabase))),
                "a spare, then the database from the backup".to_owned(),
            )
        } else if db {
            (
                Some(plus(spare, of(Job::Replay))),
                "a spare, then the last checkpoint is replayed".to_owned(),
            )
        } else {
            let what = match lost {
                Disaster::CommitServer => "a spare server on the same volumes",
                Disaster::Store(_) => "a spare store; database and depots lie elsewhere",
            };
            (Some(spare), what.to_owned())
        };
        let (loses, survives) = if let Some(behind) = behind {
            let loses = behind.is_finite().then_some(behind);
            (loses, "the standby has all but what it is behind")
        } else if loses_data {
            (None, "nothing brings it back")
        } else if journal || depot {
            let interval = self.parameter(used, "backup.interval");
            (
                Some(interval.value),
                if journal {
                    "the journal written after the last backup is lost with it"
                } else {
                    "archives written after the last backup are lost with it"
                },
            )
        } else {
            (Some(0.0), "the journal survives: every commit is in it")
        };
        let (rto, rpo) = (asked.rto.value.get(), asked.rpo.value.get());
        Recovered {
            rto: time.map_or(Verdict::Missed, |time| Verdict::of(time, rto)),
            rpo_met: loses.is_some_and(|loses| loses <= rpo),
            lost,
            time,
            loses,
            how,
            journal: survives.to_owned(),
        }
    }

    /// Each failure of the commit server takes as long as its recovery.
    fn availability(
        &self,
        disasters: &[Recovered],
        used: &mut BTreeMap<String, Used>,
    ) -> Option<Availability> {
        let down = disasters.first()?.time?.value;
        let between = self.parameter(used, "server.failures").value;
        (between > 0.0).then(|| Availability {
            wanted: self.site.protection.availability.value.get(),
            expected: between / (between + down),
        })
    }

    /// What a standby would do; none where there is one.
    fn would_be(&self) -> Option<Standby> {
        let value = |id| self.calibration.parameter(id).map(|p| p.value.value);
        let has_one = self.site.protection.backup.value == Backup::Replica
            || self.deployment.standby.is_some();
        Some(Standby {
            switch: value("standby.switch")?,
            lag: value("standby.lag")?,
        })
        .filter(|_| !has_one)
    }

    fn advice(
        &self,
        durations: &[Timed],
        disasters: &[Recovered],
        availability: Option<Availability>,
        standby: Option<Standby>,
    ) -> Vec<String> {
        let asked = &self.site.protection;
        let mut advice = Vec::new();
        let late = disasters.iter().any(|d| d.rto == Verdict::Missed);
        let loses = disasters.iter().any(|d| !d.rpo_met);
        let is_down = availability.is_some_and(|a| !a.is_met());
        if let Some(Standby { switch, lag }) = standby.filter(|_| late || is_down || loses) {
            let mut why = Vec::new();
            if late {
                why.push(format!("people must work again within {}", asked.rto.value));
            }
            if loses {
                why.push(format!("at most {} of work may be lost", asked.rpo.value));
            }
            if is_down {
                why.push(format!(
                    "the server must answer {} of the time",
                    asked.availability.value
                ));
            }
            let enough = switch <= asked.rto.value.get() && lag <= asked.rpo.value.get();
            let but = if enough {
                ""
            } else {
                "; even that is not enough"
            };
            advice.push(format!(
                "Run a standby with journal, database and depots on a machine and store of its own: {}. It takes over in about {} and loses about {}{but}",
                why.join(", and "),
                Seconds::new(switch).estimated(),
                Seconds::new(lag).estimated(),
            ));
        }
        let journal_local = self
            .deployment
            .mount("journal")
            .is_some_and(Mount::is_local);
        let lost_journal = disasters.first().is_some_and(|d| !d.rpo_met) && journal_local;
        if lost_journal && standby.is_some() {
            advice.push(
                "Without a standby, copy the journal off the server as it is written, or put it on a store that outlives the server".to_owned(),
            );
        }
        let gone = disasters.iter().any(|d| d.time.is_none());
        if gone {
            advice.push(match asked.backup.value {
                Backup::Snapshots => "Copy snapshots or checkpoints to another store: those on the same disks are lost with them".to_owned(),
                _ => "Back up checkpoints, journals and depots to another store: without a backup a lost store is lost for good".to_owned(),
            });
        }
        let of = |job| durations.iter().find(|t| t.duration.job == job);
        let misses = |job| {
            let window = of(job).and_then(|t| t.window);
            window.is_some_and(|w| w.verdict == Verdict::Missed)
        };
        if misses(Job::CheckpointOffline) {
            let parallel = of(Job::CheckpointParallel).filter(|_| !misses(Job::CheckpointParallel));
            advice.push(match parallel {
                Some(p) => format!(
                    "Make parallel checkpoints (-jcpm): {} in place of a night that is too short",
                    Seconds::new(p.duration.time.value).estimated()
                ),
                None => {
                    "Make checkpoints on a standby: no night is long enough for one on this server"
                        .to_owned()
                }
            });
        }
        advice
    }
}

/// The whole deployment at today's peak.
struct Whole<'a> {
    /// As solved.
    solved: &'a Prediction,
    /// As shown: confirmed by simulation where that was asked for.
    shown: &'a Prediction,
    missed: Vec<String>,
    is_short: bool,
}

/// One after the other; errors in squares.
fn plus(a: Interval, b: Interval) -> Interval {
    let value = a.value + b.value;
    let above = (a.high - a.value).hypot(b.high - b.value);
    let below = (a.value - a.low).hypot(b.value - b.low);
    Interval {
        value,
        low: value - below,
        high: value + above,
    }
}
