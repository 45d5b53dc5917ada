//! Failure and recovery in words: each sentence is written here once, for the screen, the full text, JSON and the report.

use super::json::{Interval as IntervalJson, list as list_json, object};
use super::prose::capital;
use crate::advisor::{
    Availability, Case, CaseTime, Disaster, JobWindow, Left, Lost, Recovered, Recovery, TimedJob, Want, WindowVerdict,
};
use crate::posterior::NumberId;
use crate::site::Site;
use crate::system::{Interval, Job};
use crate::units::{Fraction, Seconds, list, two_digits};

/// Most kinds of work that one line names.
const NAMED: usize = 2;

/// The sections of recovery.
pub(crate) struct RecoverySource<'a> {
    pub(super) site: &'a Site,
    pub(super) recovery: &'a Recovery,
}

/// One row about maintenance.
pub(crate) struct JobRow {
    /// "checkpoint of the offline copy".
    pub(super) job: String,
    /// "2.1 h".
    pub(super) time: String,
    /// "1.2 h to 3.5 h".
    pub(super) interval: String,
    /// "disks of local RAID 10".
    pub(super) limit: String,
    /// "the night window is 6 h: met"; empty where no answer limits it.
    pub(super) judged: String,
    /// "longer than the model's estimate, as `today.checkpoint_time` (12 h, stated) says"; empty where the model estimates it.
    pub(super) origin: String,
}

impl JobRow {
    /// All of it.
    pub(super) fn sentence(&self) -> String {
        let first = format!("{}: {} ({}), limited by {}", capital(&self.job), self.time, self.interval, self.limit);
        let mut parts = vec![first.as_str(), &self.origin, &self.judged];
        parts.retain(|part| !part.is_empty());
        parts.join("; ")
    }
}

impl RecoverySource<'_> {
    /// One row a kind of maintenance.
    pub(super) fn jobs(&self) -> Vec<JobRow> {
        let rows = self.recovery.durations.iter();
        rows.map(|timed| self.job(timed)).collect()
    }

    /// "Published checkpoints took 0.79 times …, which these times take over (docs/first-principles.md). "; empty where no time
    /// was estimated.
    pub(super) fn published(&self) -> String {
        let number = |id: &str| {
            let found = self.recovery.used.get(&NumberId::parameter(id));
            found.map(|used| used.value)
        };
        let jobs = || {
            let rows = number("recovery.rows")?;
            let of = |id: &str| Some(two_digits(rows * number(id)?));
            Some((of("recovery.checkpoint")?, of("recovery.replay")?))
        };
        jobs().map_or(String::new(), |(checkpoint, replay)| {
            format!(
                "Published checkpoints took {checkpoint} times what the parts of the model add up to, published replays {replay} times: \
                 that is in these times (docs/first-principles.md). "
            )
        })
    }

    fn job(&self, timed: &TimedJob) -> JobRow {
        let duration = &timed.duration;
        let of = &duration.of;
        let job = match duration.job {
            Job::CheckpointLive => "live checkpoint (locks all tables)".to_owned(),
            Job::CheckpointOffline => "checkpoint of the offline copy".to_owned(),
            Job::CheckpointParallel => "parallel checkpoint (-jcpm)".to_owned(),
            Job::Replay => "replay of a checkpoint".to_owned(),
            Job::Verify => "verify of all archives".to_owned(),
            Job::RestoreDatabase => "restore of the database".to_owned(),
            Job::Restore => "restore of database and depots".to_owned(),
            Job::Rebuild => format!("rebuild of a drive of {of}"),
            Job::Seed => format!("seeding of the edge in {of}"),
            Job::SeedStandby => format!("seeding of the standby in {of}"),
        };
        let is_way_back = matches!(duration.job, Job::Replay | Job::RestoreDatabase | Job::Restore);
        let judged = match timed.window {
            Some(JobWindow { time, verdict, .. }) if is_way_back => {
                let ways = self.recovery.disasters.iter();
                let resting = ways.filter(|way| way.by == Some(duration.job));
                let lost: Vec<String> = resting.map(|way| way.lost.to_string()).collect();
                format!(
                    "brings people back after the loss of {}: RTO of {} {}",
                    list(&lost),
                    Seconds::new(time),
                    verdict.word()
                )
            }
            Some(JobWindow { time, verdict, .. }) => {
                format!("the night window is {}: {}", Seconds::new(time), verdict.word())
            }
            None if is_way_back => "no way back from the loss of a server or store rests on it".to_owned(),
            None => String::new(),
        };
        let observed = self.recovery.observed.as_ref();
        let observed = observed.filter(|_| duration.paced != 1.0);
        let origin = observed.map_or(String::new(), |o| o.origin(duration.paced));
        JobRow {
            job,
            time: shown(duration.time.value),
            interval: interval(duration.time),
            limit: duration.limit.clone(),
            judged,
            origin,
        }
    }

    /// "With one disk of local RAID 10 lost".
    fn without(lost: &Lost) -> String {
        match lost {
            Lost::Disk(set) => format!("With one disk of {set} lost"),
            Lost::Controller(array) => format!("With one controller or path of {array} lost"),
            Lost::Edge(edge) => format!("With {edge} lost"),
            Lost::Proxy(place) => format!("With the proxy {} lost", place.in_words()),
            Lost::Caches => "With cold caches after a reboot".to_owned(),
        }
    }

    /// "With one controller of X lost: sync takes 12 min (target 5 min)."
    pub(super) fn case(&self, case: &Case) -> String {
        let pause = if case.pause > 0.0 { format!(", after a pause of {}", shown(case.pause)) } else { String::new() };
        let what = match &case.left {
            Left::Works { missed, .. } if !missed.is_empty() => {
                let named: Vec<&str> = missed.iter().take(NAMED).map(String::as_str).collect();
                let more = match missed.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    n => format!("; and {n} more targets"),
                };
                format!("{}{more}", named.join("; "))
            }
            Left::Works { .. } => "no further target is missed".to_owned(),
            Left::Overloaded(why) | Left::Gone(why) => why.clone(),
        };
        let what = if case.is_met() && self.recovery.whole_meets {
            format!("meets {}", self.site.targets.every())
        } else {
            what
        };
        format!("{}: {what}{pause}", Self::without(&case.lost))
    }

    /// One sentence for all lost parts: that all targets are met, or the worst case.
    pub(super) fn n_minus_one(&self) -> String {
        let worst = self
            .recovery
            .cases
            .iter()
            .filter(|case| !case.is_met())
            .max_by(|a, b| a.gravity().partial_cmp(&b.gravity()).unwrap_or(std::cmp::Ordering::Equal));
        if let Some(worst) = worst {
            return format!("{}.", self.case(worst));
        }
        let mut parts: Vec<&str> = Vec::new();
        for case in &self.recovery.cases {
            let part = match case.lost {
                Lost::Disk(_) => "one disk",
                Lost::Controller(_) => "one controller",
                Lost::Edge(_) => "one edge",
                Lost::Proxy(_) => "one proxy",
                Lost::Caches => continue,
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        let which = if self.recovery.whole_meets {
            format!("{} is still met", self.site.targets.every())
        } else {
            "no further target is missed".to_owned()
        };
        match parts.as_slice() {
            [] => format!("With cold caches {which}."),
            [first @ .., last] => {
                let first = match first {
                    [] => String::new(),
                    first => format!("{} or ", first.join(", ")),
                };
                format!("With {first}{last} lost {which}, and with cold caches too.")
            }
        }
    }

    /// "Commit server lost: people work again in 1.5 h (…), by …; RTO 4 h: met. Loses up to 24 h of work: RPO 1 h: missed."
    pub(super) fn disaster(&self, one: &Recovered) -> String {
        let asked = &self.site.protection;
        let lost = match &one.lost {
            Disaster::CommitServer => "Commit server lost".to_owned(),
            Disaster::Store(array) => format!("{} lost", capital(&array.name)),
        };
        let rpo = one.rpo.word();
        let Some(time) = one.time else {
            return format!(
                "{lost}: {}; no backup survives (RTO {}: missed; RPO {}: {rpo})",
                one.how, asked.rto.value, asked.rpo.value
            );
        };
        let back = format!("people work again in {} ({}): {}", shown(time.value), interval(time), one.how);
        let loses = match one.loses {
            None => "all work is lost".to_owned(),
            Some(loses) if loses.high == 0.0 => "no work is lost".to_owned(),
            Some(loses) if shown(loses.low) == shown(loses.high) => {
                format!("up to {} of work is lost", shown(loses.value))
            }
            Some(loses) => {
                let (value, low) = (shown(loses.value), shown(loses.low));
                let interval = if loses.high.is_finite() {
                    interval(loses)
                } else {
                    format!("{low} or more: without end where the line does not keep up")
                };
                format!("up to {value} ({interval}) of work is lost")
            }
        };
        format!(
            "{lost}: {back} (RTO {}: {}). {}, since {} (RPO {}: {rpo})",
            asked.rto.value,
            one.rto.word(),
            capital(&loses),
            one.journal,
            asked.rpo.value
        )
    }

    /// "Availability 99.98 % with a failure in 4 years; wanted 99.9 %: met."
    pub(super) fn availability(one: Availability) -> String {
        let verdict = if one.is_met() { "met" } else { "missed" };
        format!(
            "Availability: failures of the commit server leave {} of the time, {} a year without it (wanted {}: {verdict})",
            share(one.expected),
            shown(Seconds::years(1.0 - one.expected).get()),
            Fraction::new(one.wanted)
        )
    }
}

object! {
    /// Failure and recovery of the recommended layout.
    #[schemars(rename = "Recovery")]
    RecoveryJson of (source: &RecoverySource<'_>) [let r = source.recovery;] {
        sentence: String = source.n_minus_one(), "The same as `answer.n_minus_one`.";
        durations: Vec<JobTime> = list_json(r.durations.iter().zip(source.jobs()), |(timed, row)| JobTime::of(timed, &row)), "How long maintenance takes.";
        cases: Vec<LostPart> = list_json(&r.cases, |case| LostPart::of(source, case)), "One part lost.";
        disasters: Vec<LostStore> = list_json(&r.disasters, |one| LostStore::of(source, one)), "A server or a store lost.";
        availability: Option<AvailabilityJson> = r.availability.map(AvailabilityJson::of), "Null where the commit server does not come back.";
        advice: Vec<String> = list_json(&r.advice, |text| format!("{text}.")), "What to do where an answer is missed.";
    }

    /// How long a job of maintenance takes.
    JobTime of (timed: &TimedJob, row: &JobRow) [let (d, window) = (&timed.duration, timed.window.as_ref());] {
        job: &'static str = d.job.word(), "checkpoint-live, checkpoint-offline, checkpoint-parallel, replay, verify, restore-database, restore, rebuild, seed or seed-standby.";
        of: String = d.of.id.clone(), "The set of disks, the office; else empty.";
        size_bytes: f64 = d.bytes.round(), "How much it reads or writes.";
        duration_s: IntervalJson = IntervalJson::of(d.time), "How long it takes.";
        limited_by: String = d.limit.clone(), "What limits it.";
        window_s: Option<f64> = window.map(|w| w.time), "The time that it may take; null where no answer limits it, as the next two.";
        window_field: Option<&'static str> = window.map(|w| w.field), "The answer that says so.";
        verdict: Option<&'static str> = window.map(|w| w.verdict.word()), "met, may miss where the interval crosses the window, missed.";
        origin: Option<String> = (!row.origin.is_empty()).then(|| row.origin.clone()), "Whether it is longer or shorter than the model's estimate, and which stated times say so; else null.";
        sentence: String = format!("{}.", row.sentence()), "All of it in a sentence.";
    }

    /// What a lost part does.
    LostPart of (source: &RecoverySource<'_>, case: &Case) [
        let (times, missed, overloaded, gone) = match &case.left {
            Left::Works { times, missed } => (times.as_slice(), missed.clone(), None, None),
            Left::Overloaded(why) => (&[][..], Vec::new(), Some(why.clone()), None),
            Left::Gone(why) => (&[][..], Vec::new(), None, Some(why.clone())),
        };
    ] {
        lost: &'static str = case.lost.word(), "disk, controller, edge, proxy or cold-caches.";
        of: String = case.lost.of().to_owned(), "Which one.";
        pause_s: f64 = case.pause, "How long everything stands still first.";
        met: bool = case.is_met(), "Whether nothing is missed that the whole deployment meets.";
        times: Vec<LostTime> = list_json(times, LostTime::of), "Times without the part.";
        missed: Vec<String> = missed, "Targets that are missed then, in words.";
        overloaded: Option<String> = overloaded, "What is overloaded then, or null.";
        data_lost: Option<String> = gone, "Why data are lost, or null.";
        sentence: String = format!("{}.", source.case(case)), "All of it in a sentence.";
    }

    /// The time of a kind of work while a part is lost.
    LostTime of (t: &CaseTime) [let target = t.target.as_ref();] {
        class: String = t.name.clone(), "The kind of work.";
        response_time_p95_s: f64 = t.p95, "95th percentile without the part.";
        whole_response_time_p95_s: f64 = t.whole, "95th percentile with it.";
        target_s: Option<f64> = target.map(|want| want.limit), "What the site wants; null where it wants nothing, as the next two.";
        target_origin: Option<String> = target.map(|want| want.origin.to_string()), "Where that comes from.";
        met: Option<bool> = target.map(Want::is_met), "Whether it is met.";
    }

    /// What a lost server or store does.
    LostStore of (source: &RecoverySource<'_>, one: &Recovered) [
        let (lost, of) = match &one.lost {
            Disaster::CommitServer => ("commit-server", ""),
            Disaster::Store(array) => ("store", array.id.as_str()),
        };
    ] {
        lost: &'static str = lost, "commit-server or store.";
        of: String = of.to_owned(), "The array.";
        duration_s: Option<IntervalJson> = one.time.map(IntervalJson::of), "Until people work again; null: never.";
        loses_s: Option<f64> = one.loses.map(|loses| loses.value), "Work that is lost, counted in time; null: all.";
        loses_low_s: Option<f64> = one.loses.map(|loses| loses.low), "Low end of its 80 % interval; null: all.";
        loses_high_s: Option<f64> = one.loses.map(|loses| loses.high).filter(|high| high.is_finite()), "High end; null: all.";
        rto: &'static str = one.rto.word(), "met, may miss or missed.";
        rto_met: bool = one.rto != WindowVerdict::Missed, "Whether the RTO is met.";
        rpo: &'static str = one.rpo.word(), "met, may miss or missed.";
        rpo_met: bool = one.rpo != WindowVerdict::Missed, "Whether the RPO is met.";
        how: String = one.how.clone(), "How people get to work again.";
        rests_on: Option<&'static str> = one.by.map(Job::word), "The job among `durations[]` that this rests on; null: none.";
        sentence: String = format!("{}.", source.disaster(one)), "All of it in a sentence.";
    }

    /// Share of the time in which the commit server works.
    #[schemars(rename = "Availability")]
    AvailabilityJson of (one: Availability) {
        wanted_fraction: f64 = one.wanted, "What the site wants.";
        expected_fraction: f64 = one.expected, "What is expected.";
        met: bool = one.is_met(), "Whether that is enough.";
    }
}

fn shown(seconds: f64) -> String {
    Seconds::new(seconds).estimated()
}

fn interval(time: Interval) -> String {
    format!("{} to {}", shown(time.low), shown(time.high))
}

/// A share near 1 with as many nines as it has.
fn share(x: f64) -> String {
    let digits = (-(1.0 - x).max(1e-9).log10()).floor().max(2.0) as usize - 1;
    format!("{:.*} %", digits.min(6), 100.0 * x)
}
