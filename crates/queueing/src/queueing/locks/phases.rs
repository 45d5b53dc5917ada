//! The sojourn of a writer as a mixture of two exponential times.
//!
//! After a long reader a lock is busy for long, at other times hardly ever: writers' sojourns are then
//! far more variable than an exponential time, and a mean alone misleads about what happens meanwhile.

/// Below this distance of c² from 1 a time is exponential.
const NEARLY: f64 = 1e-4;
/// Least c² of a time that is told by two exponential stages: half, where they are alike, and a bit.
const SCV_LEAST: f64 = 0.52;
/// Most that the phases' means together exceed the least that they can be.
const SUM_MOST: f64 = 50.0;
/// Least mean of a phase, as a share of that of both.
const LITTLE: f64 = 1e-9;
/// How near the last sum of phases is expected.
const NEAR: f64 = 1.1;
/// Steps of the search for a phase, and the relative error that it may leave.
const STEPS_MAX: usize = 30;
const FITTED: f64 = 1e-6;

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Phase {
    /// Its weight: below 0 where the time varies less than an exponential one.
    pub(super) share: f64,
    /// Its mean \[s\].
    pub(super) mean: f64,
}

/// One exponential time, in the place of two.
pub(super) fn exponential(mean: f64) -> [Phase; 2] {
    [Phase { share: 1.0, mean }, Phase { share: 0.0, mean }]
}

/// Two stages one after the other, as a difference of exponentials, with a mean and c² below 1.
pub(super) fn stages(mean: f64, scv: f64) -> [Phase; 2] {
    let apart = (2.0 * scv.max(SCV_LEAST) - 1.0).sqrt();
    let (short, long) = (0.5 * mean * (1.0 - apart), 0.5 * mean * (1.0 + apart));
    [Phase { share: -short / (long - short), mean: short }, Phase { share: long / (long - short), mean: long }]
}

/// The phases with these first two moments for which the next writer comes in time with probability
/// `busy`, where it `meets` a phase of a mean with a probability that grows with the mean.
///
/// With s the sum of the means `m_1` + `m_2`, their product is s·E1 − E2/2, so that one unknown is left. The
/// longer phase is the longer, and the rarer, the larger s, and busy falls from one phase to a
/// sojourn that is nothing or long. The search begins at the sum of the `last` phases. Below c² = 1 the two stages are used if `steady`, else one phase.
pub(super) fn fitted(
    moments: (f64, f64),
    busy: f64,
    (last, steady): (f64, bool),
    meets: impl Fn(f64) -> f64,
) -> [Phase; 2] {
    let (mean, square) = moments;
    let scv = square / (mean * mean) - 1.0;
    if scv <= 1.0 + NEARLY {
        return if steady && scv < 1.0 - NEARLY { stages(mean, scv) } else { exponential(mean) };
    }
    let least = square / (2.0 * mean);
    let phases = |sum: f64| {
        let product = (sum * mean - 0.5 * square).max(0.0);
        let long = 0.5 * (sum + (sum * sum - 4.0 * product).max(0.0).sqrt());
        let short = (product / long).max(LITTLE * mean);
        let share = ((mean - short) / (long - short)).clamp(0.0, 1.0);
        [Phase { share: 1.0 - share, mean: short }, Phase { share, mean: long }]
    };
    let excess = |sum: f64| {
        let met = phases(sum).map(|phase| phase.share * meets(phase.mean));
        met[0] + met[1] - busy
    };
    phases(crossing((least, last, SUM_MOST * least), FITTED * busy, excess))
}

/// Where a function that grows crosses zero, else the end that is nearer to it: the Illinois method, with
/// a guess between the ends.
fn crossing((mut low, guess, mut high): (f64, f64, f64), error: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut below, mut above) = (None, None);
    if guess > low && guess < high {
        let value = f(guess);
        if value.abs() <= error {
            return guess;
        }
        if value < 0.0 {
            (low, below) = (guess, Some(value));
            // The last time it was near.
            let near = (guess * NEAR).min(high);
            let value = f(near);
            if value >= 0.0 {
                (high, above) = (near, Some(value));
            } else {
                (low, below) = (near, Some(value));
            }
        } else {
            (high, above) = (guess, Some(value));
            let near = (guess / NEAR).max(low);
            let value = f(near);
            if value <= 0.0 {
                (low, below) = (near, Some(value));
            } else {
                (high, above) = (near, Some(value));
            }
        }
    }
    let mut below = below.unwrap_or_else(|| f(low));
    if below >= 0.0 {
        return low;
    }
    let mut above = above.unwrap_or_else(|| f(high));
    if above <= 0.0 {
        return high;
    }
    let mut at = low;
    let mut last_below = None;
    for _ in 0..STEPS_MAX {
        at = (low * above - high * below) / (above - below);
        let value = f(at);
        if value.abs() <= error {
            break;
        }
        if value < 0.0 {
            (low, below) = (at, value);
            if last_below == Some(true) {
                above *= 0.5;
            }
        } else {
            (high, above) = (at, value);
            if last_below == Some(false) {
                below *= 0.5;
            }
        }
        last_below = Some(value < 0.0);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{Phase, fitted, stages};

    fn moments(phases: &[Phase; 2]) -> (f64, f64) {
        let sum = |f: fn(&Phase) -> f64| phases.iter().map(f).sum();
        (sum(|p| p.share * p.mean), sum(|p| p.share * 2.0 * p.mean * p.mean))
    }

    #[test]
    fn a_mixture_is_found_again() {
        let truth = [Phase { share: 0.9, mean: 0.5 }, Phase { share: 0.1, mean: 20.0 }];
        let meets = |mean: f64| mean / (2.0 + mean);
        let busy = truth.iter().map(|p| p.share * meets(p.mean)).sum();
        let found = fitted(moments(&truth), busy, (0.0, false), meets);
        for (found, truth) in found.iter().zip(&truth) {
            assert!((found.share / truth.share - 1.0).abs() < 1e-4, "{found:?}");
            assert!((found.mean / truth.mean - 1.0).abs() < 1e-4, "{found:?}");
        }
    }

    #[test]
    fn two_stages_have_their_moments() {
        let (mean, square) = moments(&stages(3.0, 0.7));
        assert!((mean - 3.0).abs() < 1e-12);
        assert!((square - 9.0 * 1.7).abs() < 1e-12);
    }
}
