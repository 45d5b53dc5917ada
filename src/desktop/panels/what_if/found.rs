//! Makes the results of a change from the analytic answer, the simulated one, and the advice.

use super::outcome::{Busy, Chart, LockWait, Outcome, Row, Trend};
use crate::advisor::Driver;
use crate::advisor::{ClassCurve, Curve};
use crate::desktop::answer::{Advised, Checked, REPLICATIONS, Tried};
use crate::desktop::panels::drivers::Drivers;
use crate::page::Series;
use crate::page::Whisker;
use crate::report::response::Judged;
use crate::report::{ResponseChart, response_charts};
use crate::sim::{ActivityOutcome, Estimate, Stopped};
use crate::system::{Interval, Prediction};
use crate::units::{Seconds, significant};
use crate::workload::Work;

/// Resources and locks that are shown.
const BARS: usize = 8;
const LOCKS: usize = 6;
/// What moves by less is the same.
const SAME: f64 = 1.02;

/// What an outcome is made from.
pub(super) struct Found<'a> {
    pub(super) advised: &'a Advised,
    pub(super) tried: &'a Tried,
    /// Its response times over the load; those of the change before until its own are computed.
    pub(super) curve: &'a Curve,
    /// Simulated, if it is of the same change.
    pub(super) checked: Option<&'a Checked>,
    /// Whether more of that is to come.
    pub(super) is_checking: bool,
    /// Why nothing could be simulated.
    pub(super) problem: Option<&'a str>,
}

impl Found<'_> {
    pub(super) fn outcome(&self) -> Outcome {
        let after = self.tried.after.prediction.as_ref();
        Outcome {
            saturated: after.err().map(ToString::to_string),
            short: self.tried.after.short.clone(),
            carries: self.carries(),
            rows: self.rows(after.ok()),
            charts: self.charts(),
            busy: self.busy(after.ok()),
            locks: self.locks(after.ok()),
            simulation: self.simulation(),
        }
    }

    fn carries(&self) -> String {
        let shown = |stop: Option<&crate::advisor::Stop>| match stop {
            Some(stop) => format!("{} times its peak load", significant(stop.factor, 2)),
            None => "more than 64 times its peak load".to_owned(),
        };
        let (before, after) = (&self.tried.before.curve, self.curve);
        if self.tried.after.prediction.is_err() {
            return String::new();
        }
        let now = shown(after.limit.as_ref());
        let why = after
            .limit
            .as_ref()
            .map_or(String::new(), |stop| format!("; then {}", stop.why));
        if self.tried.change.is_none() {
            return format!("Carries {now}{why}.");
        }
        format!(
            "Carries {now} (before: {}){why}.",
            shown(before.limit.as_ref())
        )
    }

    /// The 80 % interval of a class: the simulation's lane works it out, until then it is as wide,
    /// relatively, as that of the recommendation.
    fn interval(&self, work: &Work, by_mean: bool, value: f64) -> Option<(f64, f64)> {
        let pick = |prediction: &Prediction| {
            let class = prediction.class(work)?;
            Some(if by_mean { class.mean } else { class.p95 })
        };
        let own = self.checked.and_then(|checked| pick(&checked.prediction));
        let chosen = self.advised.advice.chosen.as_ref();
        let Interval {
            value: of,
            low,
            high,
        } = own.or_else(|| pick(&chosen?.prediction))?;
        (high > low && of > 0.0).then(|| (value * low / of, value * high / of))
    }

    /// What a figure depends on most: as the simulation's lane found it for the change, until then as in the
    /// recommendation.
    fn driver(&self, figure: &str) -> Option<Driver> {
        let drivers = Drivers {
            advice: &self.advised.advice,
            own: self.checked.map(|checked| &checked.prediction),
        };
        drivers.of(figure)
    }

    fn rows(&self, after: Option<&Prediction>) -> Vec<Row> {
        let before = &self.tried.before.prediction;
        let curve = self.curve;
        let shown = after.unwrap_or(before).classes.iter();
        // Commands of automation have no target.
        let judged = shown.filter(|c| c.work.target().is_some());
        judged
            .map(|class| {
                let bent = curve.classes.iter().find(|c| c.work == class.work);
                let by_mean = bent.is_some_and(ClassCurve::by_mean);
                let of = |prediction: Option<&Prediction>| {
                    let class = prediction?.class(&class.work)?;
                    Some(if by_mean {
                        class.mean.value
                    } else {
                        class.p95.value
                    })
                };
                let solved = (of(Some(before)), of(after));
                let found = self.simulated(&class.work);
                let found = found.and_then(|found| estimate(found, by_mean));
                let found = found.filter(|found| after.is_some() && found.relative() <= KNOWN);
                let beside = self.simulated_before(&class.work, by_mean);
                // Both simulated or both solved: never one compared with the other.
                let (was, is, error) = match (found, beside) {
                    (Some(found), _) if self.tried.change.is_none() => {
                        (Some(found.value), Some(found.value), found.relative())
                    }
                    (Some(found), Some(beside)) => {
                        let error = found.relative() + beside.relative();
                        (Some(beside.value), Some(found.value), error)
                    }
                    _ => (solved.0, solved.1, 0.0),
                };
                let is_simulated = is != solved.1;
                let (factor, trend) = moved(was, is, error, ["slower", "faster"]);
                let interval = is.and_then(|v| self.interval(&class.work, by_mean, v));
                let target = bent.and_then(|c| c.target.as_ref()).zip(is);
                Row {
                    name: if by_mean {
                        format!("{}, mean", class.name)
                    } else {
                        class.name.clone()
                    },
                    before: was.map_or(String::new(), seconds),
                    after: is.map_or(String::new(), seconds),
                    interval: interval.map_or(String::new(), |(low, high)| {
                        format!("{} to {}", seconds(low), seconds(high))
                    }),
                    factor,
                    trend,
                    target: target.map(|(want, value)| {
                        let (low, high) = interval.unwrap_or((value, value));
                        Judged::of(want, Interval { value, low, high })
                    }),
                    simulated: found.filter(|_| is_simulated).map_or(String::new(), off_by),
                    driver: self.driver(&class.name),
                }
            })
            .collect()
    }

    /// The recommendation, simulated when it was confirmed.
    fn simulated_before(&self, work: &Work, by_mean: bool) -> Option<Estimate> {
        let chosen = self.advised.advice.chosen.as_ref()?;
        let found = chosen.prediction.class(work)?.simulated?;
        let estimate = if by_mean { found.mean } else { found.p95 };
        (estimate.relative() <= KNOWN).then_some(estimate)
    }

    fn simulated(&self, work: &Work) -> Option<&ActivityOutcome> {
        let checked = self.checked?;
        let outcome = checked.outcome.as_ref()?;
        let place = checked.activities.iter().position(|a| a.work == *work)?;
        let found = outcome.activities.get(place)?;
        (found.completions > 0).then_some(found)
    }

    fn charts(&self) -> Vec<Chart> {
        let mut before = if self.tried.change.is_none() {
            Vec::new()
        } else {
            response_charts(&self.tried.before.curve)
        };
        let charts = response_charts(self.curve).into_iter();
        charts
            .map(|mut found| {
                let whiskers = self.whiskers(&found);
                let place = before.iter().position(|b| b.office == found.office);
                let before = place.map(|place| before.swap_remove(place).chart);
                let data = &mut found.chart;
                if let Some(before) = &before {
                    let (x, y) = (&mut data.x.range, &mut data.y.range);
                    // What was is shown too, unless that would press what is into a corner.
                    x.1 = x.1.max(before.x.range.1.min(x.1 * 1.5));
                    y.0 = y.0.min(before.y.range.0);
                    y.1 = y.1.max(before.y.range.1);
                }
                Chart {
                    whiskers,
                    before: before.map_or_else(Vec::new, |before| before.series),
                    data: found.chart,
                }
            })
            .collect()
    }

    fn whiskers(&self, of_office: &ResponseChart) -> Vec<Whisker> {
        let of = |series: &Series| {
            let (work, by_mean) = of_office.lines.get(series.index)?;
            let found = estimate(self.simulated(work)?, *by_mean)?;
            if found.relative() > VAGUE {
                return None;
            }
            let y = (found.low().max(0.0), found.value, found.high());
            y.2.is_finite().then_some(Whisker {
                index: series.index,
                x: 1.0,
                y,
            })
        };
        of_office.chart.series.iter().filter_map(of).collect()
    }

    fn busy(&self, after: Option<&Prediction>) -> Vec<Busy> {
        let before = &self.tried.before.prediction.resources;
        let now = after.map_or(&[][..], |p| &p.resources);
        let of = |list: &[crate::system::ResourcePrediction], name: &str| {
            let mut same = list.iter().filter(|r| r.resource.name == name);
            same.next().map(|r| r.utilization)
        };
        let gone = before
            .iter()
            .filter(|r| of(now, &r.resource.name).is_none());
        let mut all: Vec<Busy> = now
            .iter()
            .chain(gone)
            .map(|r| Busy {
                before: of(before, &r.resource.name),
                after: of(now, &r.resource.name),
                driver: self.driver(&r.resource.name),
                name: r.resource.name.clone(),
            })
            .collect();
        let most = |busy: &Busy| busy.after.unwrap_or(0.0).max(busy.before.unwrap_or(0.0));
        all.retain(|busy| most(busy) >= 5e-4);
        all.sort_by(|a, b| {
            most(b)
                .total_cmp(&most(a))
                .then_with(|| a.name.cmp(&b.name))
        });
        all.truncate(BARS);
        all
    }

    fn locks(&self, after: Option<&Prediction>) -> Vec<LockWait> {
        let before = &self.tried.before.prediction.locks;
        let now = after.map_or(&before[..], |p| &p.locks);
        let mut all: Vec<(f64, LockWait)> = now
            .iter()
            .filter(|lock| lock.write_wait.max(lock.read_wait) >= 1e-6)
            .map(|lock| {
                let was = before
                    .iter()
                    .find(|l| l.lock.name == lock.lock.name)
                    .map(|l| l.write_wait);
                let is = after.map(|_| lock.write_wait);
                let (_, trend) = moved(was, is, 0.0, ["longer", "shorter"]);
                let shown = LockWait {
                    name: lock.lock.name.clone(),
                    before: was.map_or(String::new(), seconds),
                    after: is.map_or(String::new(), seconds),
                    readers: seconds(lock.read_wait),
                    trend,
                    driver: self.driver(&lock.lock.name),
                };
                (lock.write_wait.max(lock.read_wait), shown)
            })
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
        all.into_iter().take(LOCKS).map(|(_, lock)| lock).collect()
    }

    fn simulation(&self) -> String {
        if self.tried.after.prediction.is_err() {
            return "not simulated: overloaded".to_owned();
        }
        if let Some(problem) = self.problem {
            return format!("not simulated: {problem}");
        }
        let Some(outcome) = self.checked.and_then(|checked| checked.outcome.as_ref()) else {
            return if self.is_checking {
                "simulating…"
            } else {
                ""
            }
            .to_owned();
        };
        if outcome.stopped == Stopped::Unsteady {
            return match &outcome.pile {
                Some(pile) => format!("simulated: overloaded: {pile}"),
                None => "simulated: overloaded, no steady state was found".to_owned(),
            };
        }
        let events = significant(outcome.events as f64 / 1e6, 2);
        let more = if self.is_checking {
            ", more to come…"
        } else {
            ""
        };
        let done = self.checked.map_or(0, |checked| checked.replications);
        format!("simulated: {done} of {REPLICATIONS} runs, {events} million events{more}")
    }
}

/// What a table shows of a simulated kind of work.
fn estimate(found: &ActivityOutcome, by_mean: bool) -> Option<Estimate> {
    if by_mean {
        return Some(found.response);
    }
    let quantile = found.quantiles.iter().find(|(p, _)| *p == 0.95);
    quantile.map(|(_, estimate)| *estimate)
}

/// Simulated times with a larger error are not drawn.
const VAGUE: f64 = 1.0;

/// An error up to this is small enough for a simulated time to take the place of the solved one.
const KNOWN: f64 = 0.25;

/// "± 4 %"; nothing where all runs agree.
fn off_by(found: Estimate) -> String {
    match found.relative() {
        error if !error.is_finite() || error < 1e-3 => "simulated".to_owned(),
        error => format!("simulated ± {} %", significant(error * 100.0, 2)),
    }
}

fn seconds(value: f64) -> String {
    Seconds::new(value).to_string()
}

/// By how much, in words; `words` are for more and for less. A difference within the error is none.
fn moved(was: Option<f64>, is: Option<f64>, error: f64, words: [&str; 2]) -> (String, Trend) {
    let (Some(was), Some(is)) = (was, is) else {
        return (String::new(), Trend::Same);
    };
    if was <= 0.0 || is <= 0.0 {
        return (String::new(), Trend::Same);
    }
    // "1.03", "1.4", "12.5".
    let shown = |ratio: f64| significant(ratio, if (1.095..9.95).contains(&ratio) { 2 } else { 3 });
    let same = SAME.max(1.0 + error);
    match is / was {
        ratio if ratio > same => (format!("{} × {}", shown(ratio), words[0]), Trend::Worse),
        ratio if ratio < 1.0 / same => (
            format!("{} × {}", shown(1.0 / ratio), words[1]),
            Trend::Better,
        ),
        _ => ("same".to_owned(), Trend::Same),
    }
}
