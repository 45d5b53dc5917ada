//! The 95th percentile of a response time that is usually short and rarely blocked for long.
//!
//! A response is its own work, of an exponential time, and with a probability for each kind of holds the wait for what is left of
//! one, of an exponential time as well: a mixture, not a multiple of the mean. A command that meets one does not meet a
//! second. For work of mean 1/μ and a wait of mean 1/ν, P(work + wait > t) = (μ·e^(−νt) − ν·e^(−μt))/(μ − ν).

use super::long_holds::Stall;

/// The probability beyond a 95th percentile.
const BEYOND: f64 = 0.05;
/// Steps of Newton's method, and halvings where one would leave the bracket; a handful are usual.
const STEPS: usize = 60;
/// Relative error of a percentile.
const FOUND: f64 = 1e-13;
/// Relative difference of two means below which they count as equal.
const ALIKE: f64 = 1e-6;
/// The same of the waits of two stalls, which then are one: a percentile moves by the square of it.
const ONE: f64 = 1e-3;

/// 95th percentile over mean of what has this squared coefficient of variation, as of a gamma distribution: its cube root is
/// nearly normal (Wilson and Hilferty 1931). 1 of what is the same each time, 3.0 of an exponential time, within 3 % up to twice
/// its variance.
pub(super) fn two_moments(scv: f64) -> f64 {
    /// 95th percentile of the standard normal distribution.
    const NORMAL: f64 = 1.645;
    /// Beyond it the cube no longer follows.
    const SCV_MOST: f64 = 4.0;

    let of_root = scv.min(SCV_MOST) / 9.0;
    (1.0 - of_root + NORMAL * of_root.sqrt()).powi(3)
}

/// Adds a stall to others: to one behind which commands wait as long, or as one more.
pub(super) fn add(stalls: &mut Vec<Stall>, stall: Stall) {
    if stall.likely <= 0.0 {
        return;
    }
    let mut known = stalls.iter_mut().filter(|s| s.holder == stall.holder);
    if let Some(known) = known.find(|s| (s.wait - stall.wait).abs() <= ONE * stall.wait) {
        known.likely += stall.likely;
        known.wait += (stall.wait - known.wait) * stall.likely / known.likely;
    } else {
        stalls.push(stall);
    }
}

/// 95th percentile of work with this 95th percentile of its own and these stalls \[s\].
pub(super) fn p95(work: f64, stalls: &[Stall]) -> f64 {
    let longest = stalls.iter().map(|stall| stall.wait).fold(0.0, f64::max);
    if longest <= 0.0 {
        return work;
    }
    // Probabilities beyond one in all are of commands that meet several; they count as meeting one of them.
    let all: f64 = stalls.iter().map(|stall| stall.likely).sum();
    let scale = if all > 1.0 { 1.0 / all } else { 1.0 };
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut time = work;
    for _ in 0..STEPS {
        let (beyond, falls) = beyond(time, work, (stalls, scale));
        let excess = beyond - BEYOND;
        if excess > 0.0 {
            low = time;
        } else {
            high = time;
        }
        let step = excess / falls;
        if step.abs() <= FOUND * time {
            break;
        }
        let next = time + step;
        let inside = next > low && next < high;
        time = if inside {
            next
        } else if high.is_finite() {
            f64::midpoint(low, high)
        } else {
            2.0 * time + longest
        };
    }
    time
}

/// How likely a response takes longer than so long, and by how much that falls a second.
fn beyond(time: f64, work: f64, (stalls, scale): (&[Stall], f64)) -> (f64, f64) {
    let work = -work / BEYOND.ln();
    let (alone, falls) = if work > 0.0 {
        let alone = (-time / work).exp();
        (alone, alone / work)
    } else {
        (0.0, 0.0)
    };
    let mut sum = (alone, falls);
    for stall in stalls.iter().filter(|stall| stall.likely > 0.0) {
        let apart = stall.wait - work;
        let (both, both_falls) = if apart.abs() <= ALIKE * stall.wait {
            ((1.0 + time / work) * alone, time / work * falls)
        } else {
            let stalled = (-time / stall.wait).exp();
            ((stall.wait * stalled - work * alone) / apart, (stalled - alone) / apart)
        };
        let likely = scale * stall.likely;
        sum.0 += likely * (both - alone);
        sum.1 += likely * (both_falls - falls);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{Stall, add, p95, two_moments};

    fn stall(likely: f64, wait: f64) -> Stall {
        Stall { likely, wait, holder: None }
    }

    #[test]
    fn two_moments_give_the_percentile_of_a_gamma_distribution() {
        assert!((two_moments(0.0) - 1.0).abs() < 1e-12);
        // −ln 0.05; half of χ² with four degrees of freedom over two; χ² with one.
        for (scv, exact) in [(1.0, 2.9957), (0.5, 9.4877 / 4.0), (2.0, 3.8415)] {
            assert!((two_moments(scv) / exact - 1.0).abs() < 0.03, "{scv}");
        }
    }

    #[test]
    fn a_rare_stall_hardly_moves_the_95th_percentile() {
        assert!((p95(3.0, &[]) - 3.0).abs() < 1e-12);
        assert!((p95(3.0, &[stall(0.0, 100.0)]) - 3.0).abs() < 1e-9);
        // One in a thousand: of the others 4.9 in a hundred take longer.
        let others = 3.0 * (0.049_f64 / 0.999).ln() / 0.05_f64.ln();
        assert!((p95(3.0, &[stall(1e-3, 1e9)]) - others).abs() < 1e-6);
        let split = [stall(4e-4, 1e9), stall(6e-4, 1e9)];
        assert!((p95(3.0, &split) - others).abs() < 1e-6);
    }

    #[test]
    fn a_frequent_stall_sets_it() {
        // With hardly any work one in five is blocked, a quarter of these for longer than ln 4 means.
        assert!((p95(0.0, &[stall(0.2, 100.0)]) - 100.0 * 4.0_f64.ln()).abs() < 1e-9);
        // Work and wait alike: two stages, of which 5 % take longer than 4.743 865 means.
        let work = 10.0 * 20.0_f64.ln();
        assert!((p95(work, &[stall(1.0, 10.0)]) - 47.438_65).abs() < 1e-3);
        assert!(p95(work, &[stall(1.0, 10.0 + 1e-5)]) > p95(work, &[stall(1.0, 10.0 - 1e-5)]));
    }

    #[test]
    fn stalls_that_last_alike_are_one() {
        let each = [stall(0.1, 50.0), stall(0.02, 7.0), stall(0.05, 50.02)];
        let mut alike = Vec::new();
        for stall in each {
            add(&mut alike, stall);
        }
        assert_eq!(alike.len(), 2);
        assert!((p95(3.0, &alike) / p95(3.0, &each) - 1.0).abs() < 1e-7);
    }
}
