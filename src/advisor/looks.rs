//! Loads that are looked at for a curve, each solved once, several at a time where there are hands for it.
//!
//! Which loads are looked at depends on what was found, one after the other. What may be asked for next is
//! solved meanwhile by idle hands, and forgotten if it was not asked for: so the same loads are looked at,
//! with the same answers, however many hands there are. Starts no thread: the hands are the caller's.

use std::fmt;

use super::curve::Stop;
use crate::system::{PredictError, Prediction};

/// What a deployment does under a load.
pub type Solved = Result<Prediction, PredictError>;

/// Whoever solves loads.
pub trait Hands {
    /// How many loads are solved at a time.
    fn count(&self) -> usize;

    /// Solves loads, which are independent of each other; answers are in the order of the loads.
    fn all(&self, loads: &[f64], solve: &(dyn Fn(f64) -> Solved + Sync)) -> Vec<Solved>;
}

/// Solves one load after the other.
#[derive(Debug, Clone, Copy)]
pub struct OneHand;

impl Hands for OneHand {
    fn count(&self) -> usize {
        1
    }

    fn all(&self, loads: &[f64], solve: &(dyn Fn(f64) -> Solved + Sync)) -> Vec<Solved> {
        loads.iter().map(|load| solve(*load)).collect()
    }
}

/// Solved multiples of the load.
pub(super) struct Looks<'a> {
    at: &'a (dyn Fn(f64) -> Solved + Sync),
    hands: &'a dyn Hands,
    /// Solved, and not asked for yet.
    ahead: Vec<(f64, Solved)>,
    /// By rising load.
    pub(super) points: Vec<(f64, Prediction)>,
    /// The least multiple that has no answer, and why.
    pub(super) saturated: Option<Stop>,
    /// How many may still be looked at.
    pub(super) left: usize,
}

impl fmt::Debug for Looks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors: Vec<f64> = self.points.iter().map(|(factor, _)| *factor).collect();
        f.debug_struct("Looks")
            .field("at", &factors)
            .finish_non_exhaustive()
    }
}

impl<'a> Looks<'a> {
    pub(super) fn new(
        at: &'a (dyn Fn(f64) -> Solved + Sync),
        hands: &'a dyn Hands,
        left: usize,
    ) -> Self {
        Self {
            at,
            hands,
            ahead: Vec::new(),
            points: Vec::new(),
            saturated: None,
            left,
        }
    }

    /// Solves what will or may be asked for, if several can be solved at a time.
    pub(super) fn foresee(&mut self, factors: &[f64]) {
        if self.hands.count() > 1 {
            let solved = self.hands.all(factors, self.at);
            self.ahead = factors.iter().copied().zip(solved).collect();
        }
    }

    fn solve(&mut self, factor: f64) -> Solved {
        match self.ahead.iter().position(|(known, _)| *known == factor) {
            Some(place) => self.ahead.swap_remove(place).1,
            None => (self.at)(factor),
        }
    }

    /// Solves one multiple, if there is any left to be solved.
    pub(super) fn look(&mut self, factor: f64) -> Option<&Prediction> {
        if let Some(place) = same(self.points.iter().map(|(known, _)| *known), factor) {
            return Some(&self.points[place].1);
        }
        self.left = self.left.checked_sub(1)?;
        match self.solve(factor) {
            Ok(prediction) => {
                let place = self.points.partition_point(|(f, _)| *f < factor);
                self.points.insert(place, (factor, prediction));
                Some(&self.points[place].1)
            }
            Err(error) => {
                if self.saturated.as_ref().is_none_or(|s| s.factor > factor) {
                    let why = error.to_string();
                    self.saturated = Some(Stop { factor, why });
                }
                None
            }
        }
    }

    /// The largest multiple with an answer.
    pub(super) fn last(&self) -> f64 {
        self.points.last().map_or(0.0, |(factor, _)| *factor)
    }

    /// The middle of two multiples, which is to be looked at next; then one of the halves is, of which the
    /// lower is solved faster.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        let middle = (low * high).sqrt();
        if self.ahead.iter().all(|(known, _)| *known != middle) {
            let next = [middle, (low * middle).sqrt(), (middle * high).sqrt()];
            self.foresee(&next[..next.len().min(self.hands.count())]);
        }
        middle
    }

    /// Halves the way to saturation until it is known so well, as a ratio.
    pub(super) fn close_in(&mut self, close: f64) {
        while self.left > 0 {
            let Some(high) = self.saturated.as_ref().map(|s| s.factor) else {
                return;
            };
            let low = self.last().max(high / 2.0_f64.powi(8));
            if high / low < close {
                return;
            }
            let middle = self.between(low, high);
            self.look(middle);
        }
    }

    /// Solves both ends, and then the middle of the widest gap between them until none is left.
    pub(super) fn fill(&mut self, start: f64, end: f64) {
        let mut factors: Vec<f64> = self.points.iter().map(|(factor, _)| *factor).collect();
        let mut wanted = Vec::new();
        let mut want = |factors: &mut Vec<f64>, factor: f64| {
            if wanted.len() < self.left && same(factors.iter().copied(), factor).is_none() {
                factors.insert(factors.partition_point(|f| *f < factor), factor);
                wanted.push(factor);
                return true;
            }
            false
        };
        want(&mut factors, start);
        want(&mut factors, end);
        while let Some(middle) = widest(&factors, end) {
            if !want(&mut factors, middle) {
                break;
            }
        }
        self.foresee(&wanted);
        for factor in wanted {
            self.look(factor);
        }
    }
}

/// Where a multiple stands that is as good as this one.
fn same(mut known: impl Iterator<Item = f64>, factor: f64) -> Option<usize> {
    known.position(|known| (known / factor - 1.0).abs() < 1e-6)
}

/// The middle of the widest gap below `end`.
fn widest(factors: &[f64], end: f64) -> Option<f64> {
    let pairs = factors.windows(2).map(|pair| (pair[0], pair[1]));
    let below = pairs.filter(|(_, b)| *b <= end * 1.001);
    let widest = below.max_by(|x, y| (x.1 - x.0).total_cmp(&(y.1 - y.0)));
    widest.map(|(a, b)| f64::midpoint(a, b))
}
