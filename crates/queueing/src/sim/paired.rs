//! Two alternatives that met the same arrivals and sizes: how far apart they are.
//!
//! Replication i of one and replication i of the other drew from the same streams (common random
//! numbers), so both had an easy or a hard time together, and the difference of the two varies less
//! than either. The interval of a mean's difference is Student's of the pairs; that of a quantile's
//! is found by sectioning, each pair of replications being a section, and is widened by what the
//! histogram's buckets may hide.
//!
//! # References
//!
//! - A. M. Law, "Simulation Modeling and Analysis", 5th ed., McGraw-Hill 2015, sections 10.2 (paired-t)
//!   and 11.2 (common random numbers).

use super::measure::Replication;
use super::model::Model;
use super::outcome::{Estimate, Stopped};
use crate::stats::histogram::{self, Histogram};
use crate::stats::interval::{self, Interval};

/// Completions that a replication needs to have a 95th percentile: one in twenty lies above it.
const TAIL_MIN: u64 = 20;
/// The quantile that is compared.
const TAIL: f64 = 0.95;

/// A model and its replications, in their order.
#[derive(Clone, Copy, Debug)]
pub struct Alternative<'a> {
    /// What was simulated.
    pub model: &'a Model,
    /// What was found.
    pub replications: &'a [Replication],
}

/// How far an activity's response time is from that in the alternative that it is compared with:
/// negative if it is shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Of the mean response times \[s\]; its interval is infinite where there are too few pairs.
    pub response: Estimate,
    /// Of their 95th percentiles \[s\].
    pub p95: Estimate,
    /// Correlation of the two means over the pairs, −1 to 1: the higher, the more the common random
    /// numbers have sharpened the difference. None where nothing varies.
    pub correlation: Option<f64>,
    /// Pairs of replications that both ran to their end.
    pub pairs: usize,
}

/// One activity in one replication.
struct Section {
    sum: f64,
    count: u64,
    histogram: Histogram,
}

impl Section {
    fn of(replication: &Replication, timing: usize) -> Self {
        let timings = || replication.batches.iter().map(|b| &b.timings[timing]);
        Self {
            sum: timings().map(|t| t.sum).sum(),
            count: timings().map(|t| t.count).sum(),
            histogram: Histogram::merged(timings().map(|t| &t.histogram)),
        }
    }
}

/// The differences of `other` to `first`, by activity of `other`; none for what `first` does not do.
/// Activities are matched by name, and only pairs of replications that were not interrupted count.
pub fn differences(first: Alternative<'_>, other: Alternative<'_>, confidence: f64) -> Vec<Option<Difference>> {
    let whole = |r: &Replication| r.stopped != Stopped::Interrupted;
    let replications = first.replications.iter().zip(other.replications);
    let pairs: Vec<_> = replications.filter(|(a, b)| whole(a) && whole(b)).collect();
    let activities = other.model.activities.iter().enumerate();
    activities
        .map(|(idx, name)| {
            let there = first.model.activities.iter().position(|a| a == name)?;
            let timings = [first.model.classes.len() + there, other.model.classes.len() + idx];
            let sections = pairs.iter().map(|(a, b)| [Section::of(a, timings[0]), Section::of(b, timings[1])]);
            Some(difference(&sections.collect::<Vec<_>>(), confidence))
        })
        .collect()
}

fn difference(pairs: &[[Section; 2]], confidence: f64) -> Difference {
    let sums: Vec<_> = pairs.iter().map(|pair| [0, 1].map(|side| (pair[side].sum, pair[side].count as f64))).collect();
    Difference {
        response: interval::paired(&sums, confidence).into(),
        p95: tails(pairs, confidence).into(),
        correlation: interval::correlation(&sums),
        pairs: pairs.len(),
    }
}

fn tails(pairs: &[[Section; 2]], confidence: f64) -> Interval {
    let all = [0, 1].map(|side| Histogram::merged(pairs.iter().map(|p| &p[side].histogram)).quantile(TAIL));
    let apart = all[1] - all[0];
    if pairs.iter().flatten().any(|s| s.count < TAIL_MIN) {
        return Interval::unknown(apart);
    }
    let quantile = |section: &Section| section.histogram.quantile(TAIL);
    let each: Vec<f64> = pairs.iter().map(|[a, b]| quantile(b) - quantile(a)).collect();
    let mut interval = interval::sections(apart, &each, confidence);
    interval.half_width += histogram::ERROR * (all[0] + all[1]);
    interval
}
