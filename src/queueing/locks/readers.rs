//! Readers of a lock, some of whom hold it longer than others, and how long a batch of them lasts.
//!
//! A batch lasts as long as its longest hold. With holds of several lengths the tail of that is
//! P(longest > t) = 1 − exp(−Σ `a_i`·`G_i`(t)) for a Poisson number of means `a_i`, and r·q/(1 + r·q),
//! q = Σ `p_i`·`G_i`(t), for a geometric number of mean r; G(t) is the tail of one hold, exponential or, where
//! holds vary little, normal. Its moments are ∫ P dt and ∫ 2t·P dt, by the trapezoidal rule in ln t.
//! A rare long reader among many short ones makes batches long, which the mean hold would hide.

use statrs::function::erf::erfc;

use super::longest::{geometric_batch, poisson_batch};

/// Holds within this factor count as one of their mean.
const ALIKE: f64 = 1.5;
/// Below this c² a hold counts as normal, else as exponential.
const STEADY: f64 = 0.7;
/// Step of the rule in ln t.
const STEP: f64 = 0.2;
/// The rule begins at this share of the shortest hold, and ends at so many times the longest.
const BEGIN: f64 = 2e-3;
const END: f64 = 36.0;

/// First two moments of a time, in seconds and seconds squared.
pub(super) type Moments = (f64, f64);

/// Readers who hold alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// Acquisitions, λ \[1/s\].
    pub(super) rate: f64,
    /// Mean hold, S \[s\].
    pub(super) hold: f64,
    /// Squared coefficient of variation of the hold, c².
    pub(super) scv: f64,
}

impl Kind {
    fn is_exponential(&self) -> bool {
        self.scv >= STEADY
    }

    /// Whether another holds like this one, the shortest of its kind.
    fn is_like(&self, other: &Self) -> bool {
        other.hold <= self.hold * ALIKE && self.is_exponential() == other.is_exponential()
    }

    /// The probability that a hold is longer than t.
    fn tail(&self, t: f64) -> f64 {
        if self.is_exponential() {
            (-t / self.hold).exp()
        } else {
            let spread = self.hold * self.scv.max(1e-4).sqrt();
            0.5 * erfc((t - self.hold) / (spread * std::f64::consts::SQRT_2))
        }
    }
}

/// Readers by the length of their holds.
pub(super) struct Readers {
    kinds: Vec<Kind>,
    /// Acquisitions of all, λ \[1/s\].
    pub(super) rate: f64,
    /// Times of the rule; none for one exponential kind, whose moments have closed forms.
    times: Vec<f64>,
    /// By time, then by kind: the tail of a hold.
    tails: Vec<f64>,
    /// Further time that those of a batch hold the lock together \[s\].
    together: f64,
}

impl Readers {
    /// Readers of these kinds, who beyond their holds wait `together` for something else.
    pub(super) fn new(mut users: Vec<Kind>, together: f64) -> Self {
        users.retain(|user| user.rate > 0.0 && user.hold > 0.0);
        users.sort_by(|a, b| {
            let steady = a.is_exponential().cmp(&b.is_exponential());
            steady.then(a.hold.total_cmp(&b.hold))
        });
        let mut kinds: Vec<Kind> = Vec::with_capacity(users.len());
        let mut shortest: Option<Kind> = None;
        for user in users {
            match (kinds.last_mut(), shortest) {
                (Some(kind), Some(least)) if least.is_like(&user) => {
                    let all = kind.rate + user.rate;
                    kind.hold = (kind.rate * kind.hold + user.rate * user.hold) / all;
                    kind.scv = (kind.rate * kind.scv + user.rate * user.scv) / all;
                    kind.rate = all;
                }
                _ => {
                    shortest = Some(user);
                    kinds.push(user);
                }
            }
        }
        let closed = kinds.is_empty() || matches!(&kinds[..], [one] if one.is_exponential());
        let times = if closed { Vec::new() } else { times(&kinds) };
        let tails = times
            .iter()
            .flat_map(|t| kinds.iter().map(|kind| kind.tail(*t)))
            .collect();
        Self {
            rate: kinds.iter().map(|kind| kind.rate).sum(),
            kinds,
            times,
            tails,
            together,
        }
    }

    /// Of the batch that holds the lock when a writer comes and no other is there, where writers come at
    /// a rate \[1/s\] and spend a sojourn \[s\].
    ///
    /// An idle time of writers begins with the readers that have come during the last one's sojourn, and
    /// ends at the rate of writers: a kind of hold S has λ·(1 + `λ_w`·m)/(`λ_w` + 1/S) there at its end,
    /// m = 1/(`λ_w` + 1/sojourn).
    pub(super) fn present(&self, writers: f64, sojourn: f64) -> Moments {
        let before = if writers > 0.0 {
            writers / (writers + 1.0 / sojourn)
        } else {
            0.0
        };
        let number =
            |kind: &Kind| kind.rate * kind.hold * (1.0 + before) / (1.0 + writers * kind.hold);
        let all: f64 = self.kinds.iter().map(number).sum();
        let moments = match self.kinds.as_slice() {
            [one] if self.times.is_empty() => scaled(poisson_batch(all), one.hold),
            kinds => {
                let numbers: Vec<f64> = kinds.iter().map(number).collect();
                self.moments(|tails| -(-weighted(&numbers, tails)).exp_m1())
            }
        };
        self.and_together(moments, -(-all).exp_m1())
    }

    /// Of a batch of a geometric number of readers with mean `ratio`.
    pub(super) fn batch(&self, ratio: f64) -> Moments {
        let moments = match self.kinds.as_slice() {
            [one] if self.times.is_empty() => scaled(geometric_batch(ratio), one.hold),
            kinds => {
                let numbers: Vec<f64> = kinds
                    .iter()
                    .map(|kind| ratio * kind.rate / self.rate)
                    .collect();
                self.moments(|tails| {
                    let number = weighted(&numbers, tails);
                    number / (1.0 + number)
                })
            }
        };
        self.and_together(moments, ratio / (1.0 + ratio))
    }

    /// The moments of a batch that is there with `probability`, and of what it waits for together.
    fn and_together(&self, (mean, square): Moments, probability: f64) -> Moments {
        let more = self.together * probability;
        (mean + more, square + 2.0 * self.together * (mean + more))
    }

    fn moments(&self, survives: impl Fn(&[f64]) -> f64) -> Moments {
        let (mut mean, mut square) = (0.0, 0.0);
        let rows = self.tails.chunks_exact(self.kinds.len().max(1));
        for (idx, (t, tails)) in self.times.iter().zip(rows).enumerate() {
            let weight = t * survives(tails);
            // Up to the first time hardly anybody is done: that is t·P, and half a step of the rule.
            let step = if idx == 0 { 1.0 + STEP / 2.0 } else { STEP };
            mean += step * weight;
            square += STEP * 2.0 * t * weight;
        }
        (mean, square)
    }
}

fn weighted(numbers: &[f64], tails: &[f64]) -> f64 {
    numbers.iter().zip(tails).map(|(n, tail)| n * tail).sum()
}

fn scaled((mean, square): Moments, hold: f64) -> Moments {
    (mean * hold, square * hold * hold)
}

fn times(kinds: &[Kind]) -> Vec<f64> {
    let holds = || kinds.iter().map(|kind| kind.hold);
    let begin = holds().fold(f64::INFINITY, f64::min) * BEGIN;
    let end = holds().fold(0.0, f64::max) * END;
    let steps = ((end / begin).ln() / STEP).ceil() as usize;
    (0..=steps)
        .map(|step| begin * (step as f64 * STEP).exp())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Kind, Moments, Readers};

    fn kind(rate: f64, hold: f64) -> Kind {
        Kind {
            rate,
            hold,
            scv: 1.0,
        }
    }

    fn near((mean, square): Moments, truth: Moments) {
        assert!((mean / truth.0 - 1.0).abs() < 2e-3, "{mean} {truth:?}");
        assert!((square / truth.1 - 1.0).abs() < 2e-3, "{square} {truth:?}");
    }

    #[test]
    fn kinds_that_differ_little_are_as_one() {
        let one = Readers::new(vec![kind(4.0, 0.1)], 0.0);
        let split = Readers::new(vec![kind(1.0, 0.1), kind(3.0, 0.1)], 0.0);
        assert_eq!(one.present(1.0, 0.5), split.present(1.0, 0.5));
    }

    #[test]
    fn the_rule_finds_the_closed_forms() {
        for rate in [0.01, 1.0, 30.0] {
            let exact = Readers::new(vec![kind(rate, 0.1)], 0.0);
            // Hardly anybody of another kind.
            let ruled = Readers::new(vec![kind(rate, 0.1), kind(rate * 1e-9, 0.2)], 0.0);
            near(ruled.present(2.0, 0.3), exact.present(2.0, 0.3));
            for ratio in [0.1, 2.0, 50.0] {
                near(ruled.batch(ratio), exact.batch(ratio));
            }
        }
    }

    #[test]
    fn a_rare_long_reader_lasts_beyond_the_mean() {
        // One of a batch of one: its hold is a mixture.
        let few = Readers::new(vec![kind(0.99, 0.01), kind(0.01, 10.0)], 0.0);
        let ratio = 1e-6;
        let (mean, square) = few.batch(ratio);
        near((mean / ratio, square / ratio), (0.1099, 2.000_198));
    }

    #[test]
    fn holds_that_vary_little_have_little_more_than_their_square() {
        let steady = Kind {
            scv: 0.09,
            ..kind(1.0, 10.0)
        };
        let ratio = 1e-6;
        let (mean, square) = Readers::new(vec![steady], 0.0).batch(ratio);
        let error = |found: f64, truth: f64| (found / ratio / truth - 1.0).abs();
        assert!(error(mean, 10.0) < 0.01, "{}", mean / ratio);
        assert!(error(square, 109.0) < 0.02, "{}", square / ratio);
    }
}
