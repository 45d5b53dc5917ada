//! How long a batch of readers holds a lock: the longest of so many exponential holds.
//!
//! # References
//!
//! - A. Rényi, "On the theory of order statistics", Acta Mathematica Hungarica 4, 1953: the longest of
//!   k exponentials is a sum of k of them at the rates 1, 2, … k.
//! - L. Lewin, *Polylogarithms and Associated Functions*, 1981: the dilogarithm's series and inversion.

use std::f64::consts::PI;

/// First two moments of the longest of a geometric number of unit exponentials, where readers come
/// `ratio` times as often as writers: ln(1 + r) and −2·Li₂(−r).
///
/// Up to r = 1 by the dilogarithm's series, and beyond by its inversion formula; both need the
/// logarithm of the mean.
pub(super) fn geometric_batch(ratio: f64) -> (f64, f64) {
    if ratio > 1.0 {
        let (log, rest) = (ratio.ln(), (1.0 / ratio).ln_1p());
        let inverse = PI * PI / 6.0 + log * log / 2.0 + dilogarithm(-rest);
        return (log + rest, 2.0 * inverse);
    }
    let mean = ratio.ln_1p();
    (mean, -2.0 * dilogarithm(-mean))
}

/// Terms of a power series of a Poisson number's moments, which is for means up to 1: the next is below a
/// rounding error.
const TERMS: usize = 17;
/// Coefficients of aⁿ from n = 1, the last first.
const SERIES: [(f64, f64); TERMS] = {
    let mut series = [(0.0, 0.0); TERMS];
    let (mut n, mut term) = (1.0, 1.0);
    let mut place = TERMS;
    while place > 0 {
        place -= 1;
        // (−1)ⁿ⁺¹/n!
        series[place] = (term / n, 2.0 * term / (n * n));
        n += 1.0;
        term /= -n;
    }
    series
};

/// Mean number beyond which a Poisson number is hardly ever zero: e⁻⁴⁰ is below a rounding error.
const NUMBER_MANY: f64 = 40.0;
/// Euler's constant, γ.
const EULER: f64 = 0.577_215_664_901_532_9;

/// First two moments of the longest of a Poisson number (mean a = `number`) of unit exponentials.
///
/// Of k exponentials the longest has the mean `H_k` = Σ 1/i and the variance Σ 1/i² (Rényi 1953), so the
/// moments are Σ P(k)·`H_k` and Σ P(k)·(`H_k`² + Σ 1/i²). As the moments of the longest of k are Σ (k over j)·(−1)ʲ⁺¹/j
/// and twice the same with 1/j², they are Σ (−1)ⁿ⁺¹·aⁿ/(n·n!) and 2·Σ (−1)ⁿ⁺¹·aⁿ/(n²·n!), which is shorter for
/// few. For many it is a Gumbel variable: ln a + γ, and π²/6 beyond its square.
pub(super) fn poisson_batch(number: f64) -> (f64, f64) {
    if number <= 0.0 {
        return (0.0, 0.0);
    }
    if number <= 1.0 {
        let (mut mean, mut square) = (0.0, 0.0);
        for (of_mean, of_square) in SERIES {
            mean = mean * number + of_mean;
            square = square * number + of_square;
        }
        return (mean * number, square * number);
    }
    if number > NUMBER_MANY {
        let mean = number.ln() + EULER;
        return (mean, mean * mean + PI * PI / 6.0);
    }
    let (mut mean, mut square) = (0.0, 0.0);
    let (mut longest, mut variance) = (0.0, 0.0);
    let (mut probability, mut count) = ((-number).exp(), 0.0);
    loop {
        count += 1.0;
        let share = 1.0 / count;
        probability *= number * share;
        longest += share;
        variance += share * share;
        let added = probability * (longest * longest + variance);
        mean += probability * longest;
        square += added;
        // Beyond twice the mean each term is less than half the one before.
        if count > 2.0 * number && added <= f64::EPSILON / 4.0 * square {
            return (mean, square);
        }
    }
}

/// `B_2k`/(2k + 1)! for k from 1.
const BERNOULLI_TERMS: [f64; 8] = [
    1.0 / 36.0,
    -1.0 / 3_600.0,
    1.0 / 211_680.0,
    -1.0 / 10_886_400.0,
    1.0 / 526_901_760.0,
    -691.0 / 16_999_766_784_000.0,
    1.0 / 1_120_863_744_000.0,
    -3_617.0 / 181_400_588_328_960_000.0,
];

/// Li₂(x) = Σ `B_n`·z^(n+1)/(n+1)! with z = −ln(1 − x), for x from −1 to 0.
fn dilogarithm(z: f64) -> f64 {
    let square = z * z;
    let mut power = z * square;
    let mut sum = z - square / 4.0;
    for term in BERNOULLI_TERMS {
        sum += term * power;
        power *= square;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{NUMBER_MANY, geometric_batch, poisson_batch};

    /// ∫ P(longest > t) and ∫ 2t·P(longest > t) by Simpson's rule, where P = 1 − exp(−a·e⁻ᵗ).
    fn integrated(number: f64) -> (f64, f64) {
        const STEPS: usize = 20_000;
        let width = (40.0 + number.ln_1p()) / STEPS as f64;
        let (mut mean, mut square) = (0.0, 0.0);
        for step in 0..=STEPS {
            let weight = match step {
                0 | STEPS => 1.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let time = step as f64 * width;
            let tail = -(-number * (-time).exp()).exp_m1();
            mean += weight * tail;
            square += weight * 2.0 * time * tail;
        }
        (mean * width / 3.0, square * width / 3.0)
    }

    fn near((mean, square): (f64, f64), truth: (f64, f64)) {
        assert!((mean / truth.0 - 1.0).abs() < 1e-10, "{mean} {truth:?}");
        assert!((square / truth.1 - 1.0).abs() < 1e-10, "{square} {truth:?}");
    }

    #[test]
    fn moments_of_a_poisson_batch_are_its_integrals() {
        let numbers = [
            1e-3,
            0.1,
            1.0,
            3.0,
            12.0,
            NUMBER_MANY,
            NUMBER_MANY + 1e-9,
            1e4,
        ];
        for number in numbers {
            near(poisson_batch(number), integrated(number));
        }
        assert_eq!(poisson_batch(0.0), (0.0, 0.0));
    }

    #[test]
    fn moments_of_a_geometric_batch_are_its_sums() {
        for ratio in [1e-3_f64, 0.5, 1.0, 1.5, 40.0] {
            // P(k readers between two writers) = (1 − p)·pᵏ with p = r/(1 + r).
            let share = ratio / (1.0 + ratio);
            let (mut mean, mut square) = (0.0, 0.0);
            let (mut longest, mut variance, mut probability) = (0.0, 0.0, 1.0 - share);
            for count in 1..4000 {
                probability *= share;
                longest += 1.0 / f64::from(count);
                variance += 1.0 / f64::from(count * count);
                mean += probability * longest;
                square += probability * (longest * longest + variance);
            }
            near(geometric_batch(ratio), (mean, square));
        }
    }
}
