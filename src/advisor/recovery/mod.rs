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

mod advice;
mod disaster;
mod lost;

use std::fmt;

use super::search::{Failures, Search};
use super::stated_times::{StatedTimes, checkpoint_of, known, stated_times};
use super::targets::{Want, missed};
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Named};
use crate::posterior::NumberId;
use crate::site::{Backup, Protection, Site};
use crate::system::{
    Deployment, Duration, Durations, Interval, Job, Numbers, Prediction, ProxyPlace, Used, durations, estimates,
};
use crate::units::{Fraction, Seconds};
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
    Disk(Named),
    /// One controller of an array, or the path to it.
    Controller(Named),
    /// An edge, as its server is called.
    Edge(String),
    /// A machine of the proxy in a place.
    Proxy(ProxyPlace),
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
            Self::Proxy(_) => "proxy",
            Self::Caches => "cold-caches",
        }
    }

    /// Of what, by its id; empty for the caches.
    pub fn of(&self) -> &str {
        match self {
            Self::Disk(of) | Self::Controller(of) => &of.id,
            Self::Edge(of) | Self::Proxy(ProxyPlace::Office(of)) => of,
            Self::Proxy(ProxyPlace::Builds) => "builds",
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
    /// What the site wants of it.
    pub target: Option<Want>,
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
                let strain = times.iter().map(|t| match &t.target {
                    Some(want) => want.time / want.limit,
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
    Store(Named),
}

/// "the commit server", "FlashBlade".
impl fmt::Display for Disaster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommitServer => f.write_str("the commit server"),
            Self::Store(array) => array.fmt(f),
        }
    }
}

/// A time as it is told: as an answer states it, where the model cannot tell it from that, or as it is estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Told {
    time: Seconds,
    is_stated: bool,
}

impl Told {
    pub(super) fn time(self) -> Seconds {
        self.time
    }
}

/// "12 h"; "13 h" of 13.4 h.
impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_stated { self.time.fmt(f) } else { f.write_str(&self.time.estimated()) }
    }
}

/// A disaster, and how it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// What is lost.
    pub lost: Disaster,
    /// Time until people work again \[s\]; none where nothing brings the data back.
    pub time: Option<Interval>,
    /// Work that is lost, counted in time \[s\]; `None` where all is.
    pub loses: Option<Interval>,
    /// Against `protection.rto`.
    pub rto: Verdict,
    /// What is lost against `protection.rpo`.
    pub rpo: Verdict,
    /// What brings it back, in words.
    pub how: String,
    /// The job that this rests on; none where what is stored outlives what is lost, or a standby takes over.
    pub by: Option<Job>,
    /// What survives of the journal, in words.
    pub journal: String,
}

impl Recovered {
    /// The work that is lost, in words: "up to 24 h of work", "all work".
    pub fn lost_in_words(&self) -> String {
        lost_in_words(self.loses.map(|lost| lost.value))
    }

    /// Whether more work is lost than a stated RPO allows.
    pub fn loses_too_much(&self, asked: &Protection) -> bool {
        asked.rpo.is_stated() && self.rpo == Verdict::Missed
    }
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
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recovery {
    /// How long maintenance takes.
    pub durations: Vec<Timed>,
    /// Today's peak without a part, in the order disks, controllers, edges, proxies, caches.
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
    pub used: Numbers,
    /// What stated times of today's maintenance say of the model; none where none is stated.
    pub observed: Option<StatedTimes>,
}

impl Recovery {
    /// The shortest checkpoint of a night that takes longer than the window, where none is within it.
    pub fn night_missed(&self) -> Option<Told> {
        let nightly = self.durations.iter().filter(|timed| {
            let window = timed.window.filter(|w| w.field == "protection.night_window");
            window.is_some() && timed.duration.job != Job::CheckpointLive
        });
        let is_met = |timed: &Timed| timed.window.is_some_and(|w| w.verdict != Verdict::Missed);
        if nightly.clone().any(is_met) {
            return None;
        }
        let time = |timed: &&Timed| timed.duration.time.value;
        let shortest = nightly.min_by(|a, b| time(a).total_cmp(&time(b)))?;
        Some(self.told(&shortest.duration))
    }

    /// The time of a job, and whether it is that of today's checkpoint as it was stated.
    pub fn told(&self, duration: &Duration) -> Told {
        let time = duration.time.value;
        let observed = self.observed.as_ref().and_then(StatedTimes::checkpoint);
        Told {
            time: Seconds::new(time),
            is_stated: is_serial(duration.job)
                && observed.is_some_and(|observed| observed.stated.total_cmp(&time).is_eq()),
        }
    }
}

/// Whether it is a checkpoint by one thread.
fn is_serial(job: Job) -> bool {
    matches!(job, Job::CheckpointLive | Job::CheckpointOffline)
}

/// Gives checkpoints that follow the stated time of today's that time, where what limits them lets it be as likely as the estimate:
/// within its interval.
fn follow(all: &mut [Duration], observed: Option<&StatedTimes>) {
    let Some(observed) = observed.and_then(StatedTimes::checkpoint) else {
        return;
    };
    for one in all {
        let Interval { low, high, .. } = one.time;
        let follows = is_serial(one.job) && one.paced != 1.0;
        if follows && (low..=high).contains(&observed.stated) {
            one.time.value = observed.stated;
        }
    }
}

/// What is looked at.
struct Subject<'a> {
    site: &'a Site,
    catalog: &'a Catalog,
    calibration: &'a Calibration,
    deployment: &'a Deployment,
    load: &'a Load,
}

impl<'a> Subject<'a> {
    fn of(
        (site, catalog, calibration): (&'a Site, &'a Catalog, &'a Calibration),
        (deployment, load): (&'a Deployment, &'a Load),
    ) -> Self {
        Self { site, catalog, calibration, deployment, load }
    }
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
    let observed = stated_times(site, catalog, calibration);
    let known = (site, catalog, calibration);
    let found = whole(known, (deployment, load), shown, observed);
    let subject = Subject::of(known, (deployment, load));
    let (timed, disasters) = (&found.durations, &found.disasters);
    Recovery {
        cases: subject.cases(shown),
        whole_meets: missed(site, shown).is_empty(),
        advice: subject.advice(timed, disasters, found.availability, found.standby),
        ..found
    }
}

/// The same without the cases in which a part is lost, and without advice: nothing is solved.
pub(super) fn whole(
    (site, catalog, calibration): (&Site, &Catalog, &Calibration),
    (deployment, load): (&Deployment, &Load),
    shown: &Prediction,
    observed: Option<StatedTimes>,
) -> Recovery {
    let subject = Subject::of((site, catalog, calibration), (deployment, load));
    let mut found = subject.maintenance(observed.as_ref());
    let mut used = std::mem::take(&mut found.used);
    let disasters = subject.disasters(&found, shown, &mut used);
    let availability = subject.availability(&disasters, &mut used);
    let standby = subject.would_be();
    let all = found.all.into_iter();
    Recovery {
        standby,
        durations: all.map(|d| timed(site, d, &disasters)).collect(),
        disasters,
        availability,
        used,
        observed,
        ..Recovery::default()
    }
}

/// How long today's checkpoint of a system that is there takes and then its replay, as they are told of it.
pub(super) fn built_anew(
    known: (&Site, &Catalog, &Calibration),
    on_it: (&Deployment, &Load),
    observed: Option<&StatedTimes>,
) -> Seconds {
    let found = Subject::of(known, on_it).maintenance(observed);
    let both = [checkpoint_of(known.0), Job::Replay].map(|job| found.time(job));
    Seconds::new(both.into_iter().flatten().map(|time| time.value).sum())
}

/// A stated answer on protection that a deployment does not keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Promise {
    /// Time until people work again.
    Rto(Seconds),
    /// Work that may be lost.
    Rpo(Seconds),
    /// Share of the time that the server answers.
    Availability(Fraction),
}

/// "RTO of 4 h", "availability of 99.9 %".
impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rto(time) => write!(f, "RTO of {time}"),
            Self::Rpo(time) => write!(f, "RPO of {time}"),
            Self::Availability(share) => write!(f, "availability of {share}"),
        }
    }
}

/// What a deployment does not keep of the stated RTO, RPO and availability.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Unkept {
    /// Which they are.
    pub(super) promises: Vec<Promise>,
    /// The most work that is lost, in whole seconds, where the RPO is among them; 0 where it is kept.
    lost: u64,
}

impl Unkept {
    /// How bad it is: by how many, then by the work that is lost \[s\].
    pub(super) fn rank(&self) -> (usize, u64) {
        (self.promises.len(), self.lost)
    }

    /// The work that is lost where the stated RPO is missed, in words: "up to 24 h of work", "all work".
    pub(super) fn lost(&self) -> String {
        lost_in_words((self.lost < u64::MAX).then_some(self.lost as f64))
    }
}

/// What of it a deployment does not keep.
pub(super) fn unkept(search: &Search<'_>, deployment: &Deployment, prediction: &Prediction) -> Unkept {
    let Failures::Judged(times) = &search.failures else {
        return Unkept::default();
    };
    let (known, load) = (search.known(), search.load);
    let (site, catalog, calibration) = known;
    let subject = Subject::of(known, (deployment, load));
    let found = estimates(site, deployment, load, catalog, calibration, times);
    let mut used = Numbers::new();
    let disasters = subject.disasters(&found, prediction, &mut used);
    let availability = subject.availability(&disasters, &mut used);
    let Protection { rto, rpo, availability: share, .. } = &site.protection;
    let broken = Broken::of(&disasters, availability);
    let all = [
        (broken.rto && rto.is_stated()).then_some(Promise::Rto(rto.value)),
        (broken.rpo && rpo.is_stated()).then_some(Promise::Rpo(rpo.value)),
        (broken.availability && share.is_stated()).then_some(Promise::Availability(share.value)),
    ];
    let worst = disasters.iter().map(|one| {
        let lost = one.loses.map_or(f64::INFINITY, |lost| lost.value);
        lost.round() as u64
    });
    let lost = if broken.rpo && rpo.is_stated() { worst.max().unwrap_or_default() } else { 0 };
    Unkept { promises: all.into_iter().flatten().collect(), lost }
}

/// Work that is lost \[s\], `None` where all is, in words: "up to 24 h of work", "all work".
pub(super) fn lost_in_words(lost: Option<f64>) -> String {
    lost.map_or("all work".to_owned(), |time| format!("up to {} of work", Seconds::new(time).estimated()))
}

/// Which answers on protection are missed.
struct Broken {
    rto: bool,
    rpo: bool,
    availability: bool,
}

impl Broken {
    fn of(disasters: &[Recovered], availability: Option<Availability>) -> Self {
        Self {
            rto: disasters.iter().any(|d| d.rto == Verdict::Missed),
            rpo: disasters.iter().any(|d| d.rpo == Verdict::Missed),
            availability: availability.is_none_or(|a| !a.is_met()),
        }
    }
}

/// A job beside the answer that limits it. On the RTO decides the way back from a disaster, of which a job is a part: it has the
/// verdict of the worst that rests on it, and none where nothing does.
fn timed(site: &Site, duration: Duration, disasters: &[Recovered]) -> Timed {
    let asked = &site.protection;
    let window = match duration.job {
        Job::CheckpointLive | Job::CheckpointOffline | Job::CheckpointParallel => {
            let window = asked.night_window.value.get();
            let verdict = Verdict::of(duration.time, window);
            Some(("protection.night_window", window, verdict))
        }
        job => {
            let resting = disasters.iter().filter(|one| one.by == Some(job));
            let worst = resting.map(|one| one.rto).max_by_key(|rto| *rto as u8);
            worst.map(|verdict| ("protection.rto", asked.rto.value.get(), verdict))
        }
    };
    let window = window.map(|(field, time, verdict)| Window { field, time, verdict });
    Timed { duration, window }
}

impl Subject<'_> {
    /// How long maintenance takes by what stated times say of it.
    fn maintenance(&self, observed: Option<&StatedTimes>) -> Durations {
        let Self { site, catalog, calibration, deployment, load } = self;
        let known = known(observed, calibration);
        let mut found = durations(site, deployment, load, catalog, calibration, &known);
        follow(&mut found.all, observed);
        found
    }

    fn parameter(&self, used: &mut Numbers, id: &str) -> Interval {
        let Some(parameter) = self.calibration.parameter(id) else {
            return Interval::exact(0.0);
        };
        used.insert(NumberId::parameter(id), Used::of_parameter(parameter));
        Interval::around(parameter.value.value, parameter.value.spread)
    }

    /// What a standby would do; none where there is one.
    fn would_be(&self) -> Option<Standby> {
        let value = |id| self.calibration.parameter(id).map(|p| p.value.value);
        Some(Standby { switch: value("standby.switch")?, lag: value("standby.lag")? }).filter(|_| !self.has_standby())
    }

    fn has_standby(&self) -> bool {
        self.site.protection.backup.value == Backup::Replica || self.deployment.standby.is_some()
    }
}
