//! Turns that readers take one after the other while they hold a lock together, as at another lock that each of them
//! wants alone.
//!
//! Of readers let in together a geometric number takes an exponential turn. Their sum is zero or exponential: with n on
//! average and turns of mean T it is there with probability n/(1 + n), and then lasts T·(1 + n) on average (a geometric
//! sum of exponential times; Feller, "An introduction to probability theory", vol. 2, 1971, section XII.5). Where
//! nobody writes, turns are an M/M/1 queue.
//!
//! Turns and holds beside them both grow with the time in which readers came, which is exponential at a rate r. That
//! of those who hold beyond t, who come at a rate a, none is among them has the probability r/(r + a); then they came in
//! an exponential time at the rate r + a, which says how many turns there are. Against a simulation of two locks (`tests/it/sim/turns.rs`) waits are within
//! 4 % from 30 to 80 % of capacity.

use super::ladder::{Ladder, Moments};

/// Share of its time that the place where turns are taken is busy at most, where they are taken as they come: assumed, so
/// that what is left stays finite before the rates that it was asked for are known to be too high.
const BUSY_MOST: f64 = 0.9;

/// Turns of all readers as those of one kind that fills the same time, with the same second moment.
pub(super) struct Turns {
    /// How often they come \[1/s\].
    rate: f64,
    /// How long one takes \[s\].
    mean: f64,
}

/// A time that is there with a probability, and is then exponential with this mean \[s\].
#[derive(Clone, Copy)]
pub(super) struct Sometimes {
    share: f64,
    mean: f64,
}

impl Turns {
    /// From Σ λ·T and Σ λ·E\[T²\]/2.
    pub(super) fn of([work, square]: [f64; 2]) -> Self {
        let mean = if work > 0.0 { square / work } else { 0.0 };
        Self {
            rate: if mean > 0.0 { work / mean } else { 0.0 },
            mean,
        }
    }

    /// Of those who come in an exponential time at this rate \[1/s\], one after the other.
    pub(super) fn together(&self, rate: f64) -> Sometimes {
        let number = self.rate / rate;
        Sometimes {
            share: number / (1.0 + number),
            mean: self.mean * (1.0 + number),
        }
    }

    /// What is left where nobody writes.
    pub(super) fn in_line(&self) -> Sometimes {
        let busy = (self.rate * self.mean).min(BUSY_MOST);
        Sometimes {
            share: busy,
            mean: self.mean / (1.0 - busy),
        }
    }
}

impl Sometimes {
    /// What is left after an exponential time at this rate \[1/s\].
    pub(super) fn left_after(self, rate: f64) -> Self {
        let over = rate * self.mean;
        Self {
            share: self.share * over / (1.0 + over),
            ..self
        }
    }

    /// This one, or the other where it is not there.
    pub(super) fn or(self, other: Self) -> [Self; 2] {
        let share = other.share * (1.0 - self.share);
        [self, Self { share, ..other }]
    }
}

/// Probability that one of these is longer than a time \[s\].
fn beyond(turns: &[Sometimes], time: f64) -> f64 {
    let there = turns.iter().filter(|turn| turn.share > 0.0);
    there
        .map(|turn| turn.share * (-time / turn.mean).exp())
        .sum()
}

/// Moments of the time until the last is through: one holds beyond each point of the ladder with the probability
/// `holds`; turns take one of these times, or of those by point where nobody holds beyond it.
pub(super) fn last<const N: usize>(
    ladder: &Ladder,
    holds: impl Fn(usize) -> f64,
    turns: [Sometimes; N],
    where_none: impl Fn(usize) -> [Sometimes; N],
) -> Moments {
    let mut found = ladder.moments(&holds);
    if turns.iter().all(|turn| turn.share <= 0.0) {
        return found;
    }
    // The shorter of the two ends with the ladder; the longer may not.
    let shorter = ladder.moments(|point| {
        let (time, holds) = (ladder.time(point), holds(point));
        // Turns without holds are no part of both.
        beyond(&turns, time) - (1.0 - holds) * beyond(&where_none(point), time)
    });
    let mut factor = 1.0;
    for (power, (found, shorter)) in (1..).zip(found.iter_mut().zip(shorter)) {
        factor *= f64::from(power);
        let there = turns.iter();
        let turns: f64 = there.map(|t| t.share * factor * t.mean.powi(power)).sum();
        *found += turns - shorter;
    }
    found
}
