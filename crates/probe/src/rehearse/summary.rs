//! The samples of a rehearsal as figures with intervals, beside the prediction.

use super::answer::{Caused, KindOfWork, LockWait, Span};
use super::client::Sample;
use super::judged::{Judged, OfKind};
use super::locks::{Locks, Who};
use super::plan::Plan;
use crate::bench::judge as judge_rates;
use crate::stats::warm_up::mser5;
use crate::stats::{Histogram, histogram, interval};

/// Batches that intervals are made of, and their confidence: that of all of Plimsoll's predictions.
const BATCHES: usize = 10;
const CONFIDENCE: f64 = 0.8;
/// Pieces of time in which the warm-up is looked for.
const PIECES: usize = 200;
/// The names of causes, in their order.
pub(super) const CAUSES: [&str; 4] = ["locks", "storage", "processor", "network"];

fn span(found: interval::Interval) -> Span {
    let known = found.half_width.is_finite();
    Span {
        value: found.value,
        low: known.then(|| (found.value - found.half_width).max(0.0)),
        high: known.then_some(found.value + found.half_width),
    }
}

fn ends((value, low, high): (f64, f64, f64)) -> Span {
    Span { value, low: Some(low), high: Some(high) }
}

fn around((value, half): (f64, f64)) -> Span {
    span(interval::Interval { value, half_width: half })
}

/// When the measurement begins: after the warm-up that was asked for, or that which the responses show, if that is longer
/// and no more than half of all.
pub(super) fn begin(plan: &Plan, samples: &[Sample], (asked, end): (f64, f64)) -> f64 {
    let kinds = plan.kinds.len();
    let mut sums = vec![(0.0, 0.0); kinds];
    for sample in samples {
        let sum = &mut sums[sample.kind];
        *sum = (sum.0 + sample.response, sum.1 + 1.0);
    }
    let mut pieces = vec![(0.0, 0.0); PIECES];
    for sample in samples.iter().filter(|s| s.at < end) {
        let (sum, count) = sums[sample.kind];
        let piece = &mut pieces[((sample.at / end * PIECES as f64) as usize).min(PIECES - 1)];
        // Over its kind's mean, so that a piece with a large sync is like any other.
        *piece = (piece.0 + sample.response * count / sum.max(1e-12), piece.1 + 1.0);
    }
    let mut last = 1.0;
    let series: Vec<f64> = pieces
        .iter()
        .map(|(sum, count)| {
            if *count > 0.0 {
                last = sum / count;
            }
            last
        })
        .collect();
    let cut = mser5(&series).unwrap_or(0) as f64 / PIECES as f64 * end;
    asked.max(cut.min(asked.max(end / 2.0)))
}

/// How the rate of commands moved, by the criterion of `bench`.
pub(super) fn verdict(samples: &[Sample], (begin, end): (f64, f64)) -> String {
    let mut rates = [0.0; 5];
    for sample in samples {
        let place = (sample.at - begin) / (end - begin) * rates.len() as f64;
        if place >= 0.0 && (place as usize) < rates.len() {
            rates[place as usize] += 1.0;
        }
    }
    judge_rates(&rates).title().to_owned()
}

struct Batch {
    histogram: Histogram,
    sum: f64,
    count: f64,
}

/// The figures of each kind of work.
pub(super) fn kinds(plan: &Plan, samples: &[Sample], (begin, end): (f64, f64), judged: &Judged) -> Vec<KindOfWork> {
    let each = plan.kinds.iter().enumerate();
    let mut kinds: Vec<KindOfWork> = each
        .map(|(number, planned)| {
            let own: Vec<&Sample> =
                samples.iter().filter(|s| s.kind == number && s.at >= begin && s.at < end).collect();
            let predicted = judged.kinds.get(&planned.work).copied().unwrap_or_default();
            kind(&planned.work.to_string(), planned.per_s, &own, (begin, end), &predicted)
        })
        .collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.commands));
    kinds
}

fn kind(
    name: &str,
    planned_per_s: Option<f64>,
    own: &[&Sample],
    (begin, end): (f64, f64),
    predicted: &OfKind,
) -> KindOfWork {
    let mut batches: Vec<Batch> =
        (0..BATCHES).map(|_| Batch { histogram: Histogram::new(), sum: 0.0, count: 0.0 }).collect();
    let mut causes = [0.0; 4];
    let mut longest = 0.0_f64;
    for sample in own {
        let place = (sample.at - begin) / (end - begin) * BATCHES as f64;
        let batch = &mut batches[(place as usize).min(BATCHES - 1)];
        batch.histogram.record(sample.response);
        batch.sum += sample.response;
        batch.count += 1.0;
        longest = longest.max(sample.response);
        for (cause, part) in causes.iter_mut().zip(sample.parts.array()) {
            *cause += part;
        }
    }
    let n = own.len() as f64;
    let some = |value: Span| (n > 0.0).then_some(value);
    let pairs = batches.iter().map(|batch| (batch.sum, batch.count));
    let mean = if own.len() < 2 * BATCHES {
        // Too few for batches: one by one, as if they were independent.
        let responses: Vec<f64> = own.iter().map(|s| s.response).collect();
        span(interval::mean(&responses, CONFIDENCE))
    } else {
        span(interval::ratio(pairs, CONFIDENCE))
    };
    let quantile = |p: f64| {
        let all = batches.iter().map(|batch| &batch.histogram);
        some(span(histogram::quantile_interval(all, p, CONFIDENCE)))
    };
    let mut parts = causes.map(|sum| sum / n.max(1.0));
    // What neither side saw is between them: the loopback, and turns for a processor.
    parts[3] += (mean.value - parts.iter().sum::<f64>()).max(0.0);
    let predicted_mean = predicted.mean.map(ends);
    let ratio = predicted_mean.filter(|_| n > 0.0).map(|p| mean.value / p.value);
    let inside = predicted_mean.filter(|_| n > 0.0).map(|p| {
        let (low, high) = (mean.low.unwrap_or(mean.value), mean.high.unwrap_or(mean.value));
        p.low.is_none_or(|l| high >= l) && p.high.is_none_or(|h| low <= h)
    });
    KindOfWork {
        class: name.to_owned(),
        commands: own.len() as u64,
        planned_per_s,
        measured_per_s: n / (end - begin),
        measured_mean_s: some(mean),
        measured_p50_s: quantile(0.5),
        measured_p95_s: quantile(0.95),
        measured_p99_s: quantile(0.99),
        measured_longest_s: longest,
        predicted_mean_s: predicted_mean,
        predicted_p95_s: predicted.p95.map(ends),
        simulated_mean_s: predicted.simulated_mean.map(around),
        simulated_p95_s: predicted.simulated_p95.map(around),
        mean_ratio: ratio,
        mean_is_inside: inside,
        causes: CAUSES
            .iter()
            .enumerate()
            .map(|(n, cause)| Caused {
                cause: (*cause).to_owned(),
                measured_s: parts[n],
                predicted_s: predicted.causes.map(|causes| causes[n]),
            })
            .collect(),
    }
}

/// Who waited for whom.
pub(super) fn lock_waits(plan: &Plan, locks: &Locks) -> Vec<LockWait> {
    let name = |who: Who| plan.kinds.get(who.0).map_or_else(String::new, |k| k.work.to_string());
    let mode = |who: Who| if who.1 { "exclusive" } else { "shared" }.to_owned();
    let mut waits: Vec<LockWait> = Vec::new();
    for ((_, blames), table) in locks.seen().into_iter().zip(&plan.tables) {
        waits.extend(blames.into_iter().map(|blame| LockWait {
            table: table.clone(),
            waiter: name(blame.waiter),
            waiter_mode: mode(blame.waiter),
            holder: name(blame.holder),
            holder_mode: mode(blame.holder),
            times: blame.times,
            waited_s: blame.seconds,
        }));
    }
    waits.sort_by(|a, b| b.waited_s.total_cmp(&a.waited_s));
    waits
}
