//! The peak: response times, busy resources, locks.

use crate::advisor::{Advice, tightest};
use crate::desktop::panels::{hang::Hang, judged};
use crate::desktop::widgets::Tone;
use crate::desktop::widgets::range::Range;
use crate::report::{Answer, interval_shown, kind_shown, mean_above_p95, response};
use crate::site::Site;
use crate::system::Prediction;
use crate::units::Seconds;

/// Rows of resources and of locks.
const ROWS: usize = 10;
/// Locks that are used less are not shown.
const LEAST_USED: f64 = 0.001;

/// One kind of work.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// "submit (Montreal)".
    pub name: String,
    /// The 95th percentile.
    pub p95: String,
    /// Its interval.
    pub interval: String,
    /// The mean.
    pub mean: String,
    /// Completions a second, and bytes a second of transfers.
    pub rate: String,
    /// For the bar: times \[s\].
    pub range: Range,
    /// The target with a mark, or nothing.
    pub target: String,
    /// Whether it holds.
    pub tone: Tone,
    /// Where the time goes.
    pub parts: String,
    /// All of it.
    pub hover: String,
    /// What it depends on most.
    pub hang: Option<Hang>,
}

/// A resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Busy {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Busy fraction, in \[0, 1\].
    pub utilization: f64,
    /// What it depends on most.
    pub hang: Option<Hang>,
}

/// A lock.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Table and server.
    pub name: String,
    /// Share of its capacity in use, in \[0, 1\].
    pub utilization: f64,
    /// How long it is held.
    pub hold: String,
    /// How long writers wait.
    pub writers: String,
    /// How long readers wait.
    pub readers: String,
    /// What it depends on most.
    pub hang: Option<Hang>,
}

fn seconds(s: f64) -> String {
    Seconds::new(s).to_string()
}

/// Kinds of work that a person waits for.
pub(super) fn responses(
    site: &Site,
    advice: &Advice,
    prediction: &Prediction,
    answer: &Answer,
) -> Vec<Response> {
    let rows = response::responses(prediction, Some(site)).into_iter();
    let found = rows.filter_map(|row| Some((prediction.class(&row.work)?, row)));
    found
        .map(|(class, row)| {
            let (target, tone) = judged(row.target.as_ref());
            let simulated = if row.simulated.is_empty() {
                String::new()
            } else {
                format!("\np95 simulated {}", row.simulated)
            };
            let p95 = class.p95;
            let few = mean_above_p95(class).map_or(String::new(), |few| format!("\n{few}"));
            // As the answer has it, where that shows this kind of work.
            let shown = answer.work.iter().find(|shown| shown.work == row.work);
            let (name, time, interval) = match shown {
                Some(shown) => (&shown.name, &shown.p95, &shown.interval),
                None => (&row.name, &row.p95, &row.interval),
            };
            let [name, time, interval] = [name, time, interval].map(String::clone);
            Response {
                range: Range {
                    value: p95.value,
                    low: p95.low,
                    high: p95.high,
                    target: tightest(site, class).map(|want| want.limit),
                },
                target,
                tone,
                hover: format!(
                    "p95 {}{simulated}\nmean {}{few}\n{} /s\n\n{}",
                    interval_shown(p95),
                    interval_shown(class.mean),
                    row.per_second,
                    response::parts(class).join("\n")
                ),
                hang: Hang::of(advice, prediction, &class.name),
                name,
                p95: time,
                interval,
                mean: row.mean,
                rate: format!("{} /s", row.per_second),
                parts: row.parts,
            }
        })
        .collect()
}

/// The busiest resources.
pub(super) fn resources(advice: &Advice, prediction: &Prediction) -> Vec<Busy> {
    let mut resources: Vec<_> = prediction.resources.iter().collect();
    resources.sort_by(|a, b| {
        let busier = b.utilization.total_cmp(&a.utilization);
        busier.then(a.resource.name.cmp(&b.resource.name))
    });
    let busiest = resources.into_iter().take(ROWS);
    busiest
        .map(|r| Busy {
            name: r.resource.name.clone(),
            kind: kind_shown(r.resource.kind()).to_owned(),
            utilization: r.utilization,
            hang: Hang::of(advice, prediction, &r.resource.name),
        })
        .collect()
}

/// The busiest locks.
pub(super) fn locks(advice: &Advice, prediction: &Prediction) -> Vec<Held> {
    let used = prediction.locks.iter();
    used.filter(|l| l.utilization > LEAST_USED)
        .take(ROWS)
        .map(|l| Held {
            name: l.lock.name.clone(),
            utilization: l.utilization,
            hold: seconds(l.hold),
            writers: seconds(l.write_wait),
            readers: seconds(l.read_wait),
            hang: Hang::of(advice, prediction, &l.lock.name),
        })
        .collect()
}
