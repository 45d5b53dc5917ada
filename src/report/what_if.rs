//! What a change does: response times, how busy what is, and waits at locks, before and after.

use super::peak::led;
use super::prose::part_in_words;
use super::response::Judged;
use crate::advisor::{Advice, Curve, Driver, SEEN_LEAST};
use crate::page::{Cell, Table, Tone};
use crate::sim::{ActivityOutcome, Estimate, Outcome};
use crate::system::process::Activity;
use crate::system::{Interval, Prediction, ResourcePrediction};
use crate::units::{Seconds, significant};
use crate::workload::Work;

/// Resources and locks that are shown.
const BARS: usize = 8;
const LOCKS: usize = 6;
/// What moves by less is the same.
const SAME: f64 = 1.02;
/// An error up to this is small enough for a simulated time to take the place of the solved one.
const KNOWN: f64 = 0.25;

/// A change with what was found of it.
#[derive(Debug, Clone, Copy)]
pub struct WhatIf<'a> {
    /// What is changed.
    pub advice: &'a Advice,
    /// What the recommended deployment does.
    pub before: &'a Prediction,
    /// What it does with the change; none where there is no steady state.
    pub after: Option<&'a Prediction>,
    /// The multiple of the load at which that is: below 1 where all of it overloads the change.
    pub at: f64,
    /// Whether anything was changed.
    pub is_changed: bool,
    /// Response times over the load, which know the targets.
    pub curve: &'a Curve,
    /// The same solved with intervals of its own, and simulated.
    pub checked: Option<Simulated<'a>>,
}

/// A change, simulated.
#[derive(Debug, Clone, Copy)]
pub struct Simulated<'a> {
    /// What the analytic solver predicts, with intervals of its own.
    pub prediction: &'a Prediction,
    /// Kinds of work, in the order of the outcome.
    pub activities: &'a [Activity],
    /// What was found so far.
    pub outcome: Option<&'a Outcome>,
}

impl Simulated<'_> {
    /// A kind of work, where enough of it was completed for an error of its times.
    pub fn of(&self, work: &Work) -> Option<&ActivityOutcome> {
        let place = self.activities.iter().position(|a| a.work == *work)?;
        let found = self.outcome?.activities.get(place)?;
        (found.completions >= SEEN_LEAST).then_some(found)
    }
}

/// What a table shows of a simulated kind of work: its 95th percentile \[s\].
pub fn estimate(found: &ActivityOutcome) -> Option<Estimate> {
    let quantile = found.quantiles.iter().find(|(p, _)| *p == 0.95);
    quantile.map(|(_, estimate)| *estimate)
}

/// A figure before and after, in seconds.
#[derive(Debug, Clone, Copy)]
struct Moved {
    was: Option<f64>,
    is: Option<f64>,
    /// The part of a difference that chance explains.
    error: f64,
}

impl Moved {
    /// By how much, in words, and what that means; `words` are for more and for less. A difference within the error is none.
    fn told(self, words: [&str; 2]) -> (String, Tone) {
        let (Some(was), Some(is)) = (self.was, self.is) else {
            return Default::default();
        };
        if was <= 0.0 || is <= 0.0 {
            return Default::default();
        }
        // "1.03", "1.4", "12.5".
        let shown = |ratio: f64| significant(ratio, if (1.095..9.95).contains(&ratio) { 2 } else { 3 });
        let same = SAME.max(1.0 + self.error);
        match is / was {
            ratio if ratio > same => (format!("{} × {}", shown(ratio), words[0]), Tone::Warning),
            ratio if ratio < 1.0 / same => (format!("{} × {}", shown(1.0 / ratio), words[1]), Tone::Good),
            _ => ("same".to_owned(), Tone::Plain),
        }
    }
}

impl WhatIf<'_> {
    /// What a figure depends on most: as was found for the change itself, until then as in the recommendation.
    fn driver(&self, figure: &str) -> Option<Driver> {
        let own = self.checked.map(|checked| checked.prediction);
        Driver::nearest(self.advice, own, figure)
    }

    /// The 80 % interval of a class: until it is worked out, it is as wide, relatively, as that of the recommendation.
    fn interval(&self, work: &Work, value: f64) -> Interval {
        let pick = |prediction: &Prediction| Some(prediction.class(work)?.p95);
        let own = self.checked.and_then(|checked| pick(checked.prediction));
        let chosen = self.advice.chosen.as_ref();
        let known = own.or_else(|| pick(&chosen?.prediction));
        let known = known.filter(|of| of.high > of.low && of.value > 0.0);
        let (low, high) = known.map_or((value, value), |of| (value * of.low / of.value, value * of.high / of.value));
        Interval { value, low, high }
    }

    /// Response times of what people wait for: before and after where something was changed.
    pub fn times(&self) -> Table {
        let mut table = if self.is_changed {
            let changed = match self.at {
                less if less < 1.0 => format!("changed, at {}", part_in_words(less)),
                _ => "changed".to_owned(),
            };
            Table::new(&["kind of work, p95", "before", &changed, "", "target"])
        } else {
            Table::new(&["kind of work, p95", "response time", "target"])
        };
        let shown = self.after.unwrap_or(self.before).classes.iter();
        // Commands of automation have no target.
        for class in shown.filter(|class| class.work.target().is_some()) {
            let cells = self.time(&class.work, &class.name);
            table.linked(String::new(), cells);
        }
        table
    }

    fn time(&self, work: &Work, name: &str) -> Vec<Cell> {
        let bent = self.curve.classes.iter().find(|class| class.work == *work);
        let of = |prediction: Option<&Prediction>| Some(prediction?.class(work)?.p95.value);
        let solved = Moved { was: of(Some(self.before)), is: of(self.after), error: 0.0 };
        let found = self.checked.and_then(|checked| estimate(checked.of(work)?));
        let found = found.filter(|found| self.after.is_some() && found.relative() <= KNOWN);
        // Both simulated or both solved: never one compared with the other.
        let moved = match (found, self.simulated_before(work)) {
            (Some(found), _) if !self.is_changed => {
                Moved { was: Some(found.value), is: Some(found.value), error: found.relative() }
            }
            (Some(found), Some(before)) => {
                Moved { was: Some(before.value), is: Some(found.value), error: found.relative() + before.relative() }
            }
            _ => solved,
        };
        let below = found.filter(|_| moved.is != solved.is).map_or(String::new(), off_by);
        let interval = moved.is.map(|value| self.interval(work, value));
        let about = match interval {
            Some(Interval { low, high, .. }) if high > low => {
                format!("80 % interval: {} to {}.", Seconds::new(low), Seconds::new(high))
            }
            _ => String::new(),
        };
        let driver = self.driver(name);
        let lead = |text: String| led(Cell::plain(text), &about, driver.clone());
        let target = bent.and_then(|class| class.target.as_ref()).zip(interval);
        let target = target.map(|(want, interval)| Judged::of(want, interval));
        let (factor, tone) = moved.told(["slower", "faster"]);
        let mut cells = vec![lead(name.to_owned()), lead(seconds(moved.is)).below(below).strong()];
        if self.is_changed {
            cells.insert(1, Cell::plain(seconds(moved.was)));
            cells.push(Cell::plain(factor).toned(tone));
        }
        cells.push(target.as_ref().map_or_else(Cell::default, Judged::cell));
        cells
    }

    /// The recommendation, simulated when it was confirmed.
    fn simulated_before(&self, work: &Work) -> Option<Estimate> {
        let chosen = self.advice.chosen.as_ref()?;
        let found = chosen.prediction.class(work)?.simulated?;
        (found.seen >= SEEN_LEAST && found.p95.relative() <= KNOWN).then_some(found.p95)
    }

    /// The resources that are busiest before or after.
    pub fn busy(&self) -> Table {
        let before = &self.before.resources;
        let now = self.after.map_or(&[][..], |p| &p.resources);
        let of = |list: &[ResourcePrediction], name: &str| {
            let same = list.iter().find(|r| r.resource.name == name);
            same.map(|r| r.utilization)
        };
        let gone = before.iter().filter(|r| of(now, &r.resource.name).is_none());
        let names = now.iter().chain(gone).map(|r| &r.resource.name);
        let mut all: Vec<_> = names.map(|name| (name, of(before, name), of(now, name))).collect();
        let most =
            |(_, before, after): &(&String, Option<f64>, Option<f64>)| after.unwrap_or(0.0).max(before.unwrap_or(0.0));
        all.retain(|busy| most(busy) >= 5e-4);
        all.sort_by(|a, b| most(b).total_cmp(&most(a)).then_with(|| a.0.cmp(b.0)));
        let mut table = Table::new(&["", ""]);
        for (name, before, after) in all.into_iter().take(BARS) {
            let named = led(Cell::plain(name.clone()), "", self.driver(name));
            table.linked(String::new(), vec![named, Cell::pair(before, after)]);
        }
        table
    }

    /// The locks that are waited for longest.
    pub fn locks(&self) -> Table {
        let before = &self.before.locks;
        let now = self.after.map_or(&before[..], |p| &p.locks);
        let longest = |lock: &crate::system::LockPrediction| lock.write_wait.max(lock.read_wait);
        let mut all: Vec<_> = now.iter().filter(|lock| longest(lock) >= 1e-6).collect();
        all.sort_by(|a, b| {
            let longer = longest(b).total_cmp(&longest(a));
            longer.then_with(|| a.lock.name.cmp(&b.lock.name))
        });
        let mut table = Table::new(&["table", ">writers before", ">writers", ">readers"]);
        for lock in all.into_iter().take(LOCKS) {
            let name = &lock.lock.name;
            let was = before.iter().find(|other| other.lock.name == *name);
            let moved =
                Moved { was: was.map(|lock| lock.write_wait), is: self.after.map(|_| lock.write_wait), error: 0.0 };
            let (_, tone) = moved.told(["longer", "shorter"]);
            let driver = self.driver(name);
            let lead = |text: String| led(Cell::plain(text), "", driver.clone());
            let cells = vec![
                lead(name.clone()),
                Cell::plain(seconds(moved.was)),
                lead(seconds(moved.is)).toned(tone).strong(),
                lead(seconds(Some(lock.read_wait))),
            ];
            table.linked(String::new(), cells);
        }
        table
    }
}

/// "± 4 %"; nothing where all runs agree.
fn off_by(found: Estimate) -> String {
    match found.relative() {
        error if !error.is_finite() || error < 1e-3 => "simulated".to_owned(),
        error => format!("simulated ± {} %", significant(error * 100.0, 2)),
    }
}

fn seconds(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| Seconds::new(value).to_string())
}
