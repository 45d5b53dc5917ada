//! How long a writer waits for readers: for the batch between it and the writer ahead, or for those who hold the lock
//! when it comes first.
//!
//! Knows readers' holds by their length; not how long the lock is busy.

use super::busy_period::View;
use super::ladder::{Moments, NOBODY, NOTHING};

/// Of so few readers the third power does not matter.
const FEW: f64 = 1e-2;

impl View<'_> {
    /// Moments of a batch of those who come in an exponential time at this rate \[1/s\].
    pub(super) fn batch(&self, times: impl Fn(usize) -> f64, rate: f64) -> Moments {
        let Some(ladder) = self.ladder else {
            return [0.0; 3];
        };
        let mut curve = NOTHING;
        for (c, source) in self.sources.iter().enumerate() {
            let times = times(c) * self.met[c];
            for (sum, of_crowd) in curve.iter_mut().zip(&source.curve) {
                *sum += times * of_crowd;
            }
        }
        ladder.moments(|point| curve[point] / (rate + curve[point]))
    }

    /// Moments of what is left of the readers that a first writer finds: those that came one by one while
    /// no writer was there, a Poisson number, and those let in together after the last, a geometric one.
    /// Writers come at a rate \[1/s\]; their holds keep it busy for so long \[s\].
    pub(super) fn present(&self, more: &[f64], (rate, before): (f64, f64)) -> Moments {
        let Some(ladder) = self.ladder else {
            return [0.0; 3];
        };
        let mut rates = NOBODY;
        for ((source, more), met) in self.sources.iter().zip(more).zip(&self.met) {
            for (sum, of_crowd) in rates.iter_mut().zip(&source.readers) {
                *sum += more * met * of_crowd;
            }
        }
        let curve = ladder.curve(&ladder.found(&rates, rate));
        let together = rate * before;
        let holds = |point: usize| {
            let number = curve[point];
            // Of few, hardly ever two at once: a series saves the exponential.
            let someone = if number < FEW { number * (1.0 - 0.5 * number) } else { -(-number).exp_m1() };
            (together * number + someone) / (1.0 + together * number)
        };
        ladder.moments(holds)
    }
}
