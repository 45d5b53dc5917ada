//! Failure and recovery in words: each sentence is written here once, for the screen, the full text, JSON and the report.

use serde_json::{Value, json};

use super::prose::capital;
use crate::advisor::{
    Availability, Case, Disaster, Left, Lost, Recovered, Recovery, TimedJob, Want, WindowVerdict,
};
use crate::site::Site;
use crate::system::{Interval, Job};
use crate::units::{Fraction, Seconds};

/// Most kinds of work that one line names.
const NAMED: usize = 2;

/// The sections of recovery.
pub(super) struct Told<'a> {
    pub(super) site: &'a Site,
    pub(super) recovery: &'a Recovery,
}

/// One row about maintenance.
pub(super) struct JobRow {
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
    /// "29 times the model's estimate, from `today.checkpoint_time` (12 h, stated)"; empty where the model estimates it.
    pub(super) origin: String,
}

impl JobRow {
    /// All of it.
    pub(super) fn sentence(&self) -> String {
        let first = format!(
            "{}: {} ({}), limited by {}",
            capital(&self.job),
            self.time,
            self.interval,
            self.limit
        );
        let mut parts = vec![first.as_str(), &self.origin, &self.judged];
        parts.retain(|part| !part.is_empty());
        parts.join("; ")
    }
}

impl Told<'_> {
    /// One row a kind of maintenance.
    pub(super) fn jobs(&self) -> Vec<JobRow> {
        let rows = self.recovery.durations.iter();
        rows.map(|timed| self.job(timed)).collect()
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
        };
        let judged = timed.window.map_or(String::new(), |window| {
            let what = if window.field == "protection.rto" {
                "the RTO"
            } else {
                "the night window"
            };
            format!(
                "{what} is {}: {}",
                Seconds::new(window.time),
                window.verdict.word()
            )
        });
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
            Lost::Caches => "With cold caches after a reboot".to_owned(),
        }
    }

    /// "With one controller of X lost: sync takes 12 min (target 5 min)."
    pub(super) fn case(&self, case: &Case) -> String {
        let pause = if case.pause > 0.0 {
            format!(", after a pause of {}", shown(case.pause))
        } else {
            String::new()
        };
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
            .max_by(|a, b| {
                a.gravity()
                    .partial_cmp(&b.gravity())
                    .unwrap_or(std::cmp::Ordering::Equal)
            });
        if let Some(worst) = worst {
            return format!("{}.", self.case(worst));
        }
        let mut parts: Vec<&str> = Vec::new();
        for case in &self.recovery.cases {
            let part = match case.lost {
                Lost::Disk(_) => "one disk",
                Lost::Controller(_) => "one controller",
                Lost::Edge(_) => "one edge",
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
        let rpo = if one.rpo_met { "met" } else { "missed" };
        let Some(time) = one.time else {
            return format!(
                "{lost}: {}; nothing brings them back (RTO {}: missed; RPO {}: {rpo})",
                one.how, asked.rto.value, asked.rpo.value
            );
        };
        let back = format!(
            "people work again in {} ({}): {}",
            shown(time.value),
            interval(time),
            one.how
        );
        let loses = match one.loses {
            None => "all work is lost".to_owned(),
            Some(0.0) => "no work is lost".to_owned(),
            Some(loses) => format!("up to {} of work is lost", shown(loses)),
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
            "Availability: failures of the commit server leave {} of the time (wanted {}: {verdict})",
            share(one.expected),
            Fraction::new(one.wanted)
        )
    }

    /// The section `recovery`; keys are listed in `docs/json.md`.
    pub(super) fn json(&self) -> Value {
        let r = self.recovery;
        let span =
            |time: Interval| json!({ "value": time.value, "low": time.low, "high": time.high });
        let jobs = r.durations.iter().zip(self.jobs());
        let durations: Vec<Value> = jobs
            .map(|(timed, row)| {
                let d = &timed.duration;
                json!({
                    "job": d.job.word(),
                    "of": d.of.id,
                    "size_bytes": d.bytes.round(),
                    "duration_s": span(d.time),
                    "limited_by": d.limit,
                    "window_s": timed.window.map(|w| w.time),
                    "window_field": timed.window.map(|w| w.field),
                    "verdict": timed.window.map(|w| w.verdict.word()),
                    "origin": (!row.origin.is_empty()).then_some(&row.origin),
                    "sentence": format!("{}.", row.sentence()),
                })
            })
            .collect();
        let cases: Vec<Value> = r.cases.iter().map(|case| self.case_json(case)).collect();
        let disasters: Vec<Value> = r
            .disasters
            .iter()
            .map(|one| {
                let (lost, of) = match &one.lost {
                    Disaster::CommitServer => ("commit-server", ""),
                    Disaster::Store(array) => ("store", array.id.as_str()),
                };
                json!({
                    "lost": lost,
                    "of": of,
                    "duration_s": one.time.map(span),
                    "loses_s": one.loses,
                    "rto": one.rto.word(),
                    "rto_met": one.rto != WindowVerdict::Missed,
                    "rpo_met": one.rpo_met,
                    "how": one.how,
                    "sentence": format!("{}.", self.disaster(one)),
                })
            })
            .collect();
        json!({
            "sentence": self.n_minus_one(),
            "durations": durations,
            "cases": cases,
            "disasters": disasters,
            "availability": r.availability.map(|one| json!({
                "wanted_fraction": one.wanted,
                "expected_fraction": one.expected,
                "met": one.is_met(),
            })),
            "advice": r.advice.iter().map(|text| format!("{text}.")).collect::<Vec<_>>(),
        })
    }

    fn case_json(&self, case: &Case) -> Value {
        let (times, missed, overloaded, gone) = match &case.left {
            Left::Works { times, missed } => {
                let times = times.iter().map(|t| {
                    json!({
                        "class": t.name,
                        "response_time_p95_s": t.p95,
                        "whole_response_time_p95_s": t.whole,
                        "target_s": t.target.as_ref().map(|want| want.limit),
                        "target_origin": t.target.as_ref().map(|want| want.origin.to_string()),
                        "met": t.target.as_ref().map(Want::is_met),
                    })
                });
                (times.collect(), missed.clone(), None, None)
            }
            Left::Overloaded(why) => (Vec::new(), Vec::new(), Some(why), None),
            Left::Gone(why) => (Vec::new(), Vec::new(), None, Some(why)),
        };
        json!({
            "lost": case.lost.word(),
            "of": case.lost.of(),
            "pause_s": case.pause,
            "met": case.is_met(),
            "times": times,
            "missed": missed,
            "overloaded": overloaded,
            "data_lost": gone,
            "sentence": format!("{}.", self.case(case)),
        })
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
    let digits = (-(1.0 - x).max(1e-9).log10()).ceil().max(2.0) as usize - 1;
    format!("{:.*} %", digits.min(6), 100.0 * x)
}
