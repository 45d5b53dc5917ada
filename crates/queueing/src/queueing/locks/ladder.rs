//! Readers of a lock by the length of their holds, and how long a batch of them lasts.
//!
//! Holds stand on a ladder with two rungs an octave, one of them at the mean hold that a reader is found with. A hold between two rungs is divided between them
//! so that the time it fills and its second moment stay the same, and nothing jumps where it
//! passes a rung. A hold that is not exponential counts as an exponential one that fills the same
//! time and of which, found at random, as much is left: S·(1 + c²)/2 on average.
//!
//! A batch lasts as long as its longest hold. With g(t) = Σ `a_i`·e^(−t/`S_i`), where `a_i` readers of kind i are in a
//! batch on average, it lasts beyond t with probability g/(1 + g) for readers that came in an
//! exponential time, and 1 − e^(−g) for a Poisson number. The moments are ∫ P dt, ∫ 2t·P dt and
//! ∫ 3t²·P dt by the trapezoidal rule in ln t, one point an octave. For up to a few readers in a batch
//! it errs by less than 10⁻³, for 50 by less than 1 %, for 10⁴, which all end at about the same time, by up to 7 %.
//!
//! A rare long reader among many short ones makes batches long, which a mean hold would hide.

use std::f64::consts::{LN_2, SQRT_2};

/// Octaves of the ladder: holds that are so many times halves of the longest count as that short.
const OCTAVES: usize = 17;
/// Rungs: the even ones are powers of two, the top is one of them.
const RUNGS: usize = 2 * OCTAVES + 2;
/// Octaves below the shortest hold at which hardly anybody is done, and above the longest at which all are.
const LEAD: usize = 5;
const TAIL: usize = 5;
/// Points in time.
const POINTS: usize = OCTAVES + 1 + LEAD + TAIL;

/// First three moments of a time \[s, s², s³\].
pub(super) type Moments = [f64; 3];

/// Something by point in time.
pub(super) type Curve = [f64; POINTS];

/// Nothing at any time.
pub(super) const NOTHING: Curve = [0.0; POINTS];

/// By rung, shortest first: how many, or how often.
pub(super) type Rates = [f64; RUNGS];

/// Nobody on any rung.
pub(super) const NOBODY: Rates = [0.0; RUNGS];

/// Tails of an exponential hold, by octave d from −[`LEAD`] to [`TAIL`]: e^(−2^d) for an even rung, and
/// e^(−2^(d − ½)) for the odd one above it.
const TAILS: [[f64; LEAD + TAIL + 1]; 2] = [
    [
        0.969_233_234_476_344_1,
        0.939_413_062_813_475_8,
        0.882_496_902_584_595_5,
        0.778_800_783_071_404_9,
        0.606_530_659_712_633_4,
        0.367_879_441_171_442_33,
        0.135_335_283_236_612_7,
        0.018_315_638_888_734_18,
        0.000_335_462_627_902_511_85,
        1.125_351_747_192_591_2e-7,
        1.266_416_554_909_417_6e-14,
    ],
    [
        0.978_145_265_337_749_6,
        0.956_768_160_102_656_5,
        0.915_405_312_186_222_7,
        0.837_966_885_578_755_8,
        0.702_188_501_326_559_6,
        0.493_068_691_395_239_8,
        0.243_116_734_434_214_2,
        0.059_105_746_561_956_225,
        0.003_493_489_276_646_2,
        1.220_446_732_604_199_2e-5,
        1.489_490_227_124_265_5e-10,
    ],
];

/// The rungs of one lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ladder {
    /// The hold that counts as 1 \[s\], and the hold of the top even rung, a power of two of these.
    unit: f64,
    top: f64,
    /// Lowest octave in which somebody stands.
    lowest: usize,
}

/// A hold's place: its lower rung, and how much of its time goes to the one above.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    rung: usize,
    above: f64,
}

/// The power of two at or below a positive number.
fn power_below(x: f64) -> f64 {
    // The exponent alone, without the fraction's 52 bits.
    f64::from_bits(x.to_bits() & !((1 << 52) - 1)).max(f64::MIN_POSITIVE)
}

/// How long a hold counts, for what is left of it when it is found at random.
pub(super) fn counted(hold: f64, scv: f64) -> f64 {
    hold * 0.5 * (1.0 + scv)
}

impl Ladder {
    /// For holds up to so long \[s\], as they count, of which one like the `unit` \[s\] stands on a rung.
    pub(super) fn up_to(longest: f64, unit: f64) -> Self {
        Self { unit, top: 2.0 * power_below(longest / unit), lowest: OCTAVES }
    }

    fn hold(&self, rung: usize) -> f64 {
        self.unit * self.top * RUNG_HOLDS[rung]
    }

    /// Where a hold stands \[s\], as it counts.
    pub(super) fn place(&mut self, hold: f64) -> Place {
        let hold = hold / self.unit;
        let lower = power_below(hold).max(self.top * RUNG_HOLDS[0]);
        let below = (self.top / lower).to_bits() >> 52;
        // A ratio of powers of two is a power of two, whose exponent counts the octaves below the top.
        let below = (below as usize).saturating_sub(EXPONENT_OF_ONE);
        let octave = OCTAVES - below.clamp(1, OCTAVES);
        self.lowest = self.lowest.min(octave);
        let ratio = hold / lower;
        let odd = usize::from(ratio >= SQRT_2);
        let over = if odd == 1 { ratio / SQRT_2 } else { ratio };
        Place { rung: 2 * octave + odd, above: ((over - 1.0) / (SQRT_2 - 1.0)).clamp(0.0, 1.0) }
    }

    /// Adds readers who fill so much time a time, Σ λ·S.
    pub(super) fn add(&self, rates: &mut Rates, place: Place, work: f64) {
        let rung = place.rung;
        rates[rung] += work * (1.0 - place.above) / self.hold(rung);
        rates[rung + 1] += work * place.above / self.hold(rung + 1);
    }

    /// Of readers that come at these rates: those who hold the lock where nobody writes, of whom a writer
    /// who comes after an exponential time at this rate \[1/s\] finds so many.
    pub(super) fn found(&self, rates: &Rates, writers: f64) -> Rates {
        let mut found = NOBODY;
        for rung in 2 * self.lowest..RUNGS {
            let hold = self.hold(rung);
            found[rung] = rates[rung] * hold / (1.0 + writers * hold);
        }
        found
    }

    /// How many hold beyond each point in time.
    pub(super) fn curve(&self, rates: &Rates) -> Curve {
        let mut curve = NOTHING;
        let mut longer = 0.0;
        for octave in (self.lowest..=OCTAVES).rev() {
            // Whoever is far longer than a point's time is still there.
            curve[octave] += longer;
            for (rate, tails) in rates[2 * octave..].iter().zip(&TAILS) {
                if *rate > 0.0 {
                    for (point, tail) in curve[octave..].iter_mut().zip(tails) {
                        *point += rate * tail;
                    }
                    longer += rate;
                }
            }
        }
        curve
    }

    /// Moments of a time that is longer than each point's with this probability.
    pub(super) fn moments(&self, beyond: impl Fn(usize) -> f64) -> Moments {
        let mut time = self.hold(2 * self.lowest) * TAIL_BEGIN;
        // The rule goes on to the time zero with the probability of its first point.
        let first = beyond(self.lowest);
        let mut sums =
            [time * first * 2.0, time * time * first * (4.0 / 3.0), time * time * time * first * (8.0 / 7.0)];
        for point in self.lowest + 1..POINTS {
            time *= 2.0;
            let weight = time * beyond(point);
            sums[0] += weight;
            sums[1] += weight * time;
            sums[2] += weight * time * time;
        }
        [LN_2 * sums[0], 2.0 * LN_2 * sums[1], 3.0 * LN_2 * sums[2]]
    }
}

/// 2^−[`LEAD`].
const TAIL_BEGIN: f64 = 1.0 / 32.0;
/// Bits of the exponent of 1.
const EXPONENT_OF_ONE: usize = 1023;

/// Hold of each rung over that of the top even one.
const RUNG_HOLDS: Rates = {
    let mut holds = NOBODY;
    let mut octave = OCTAVES + 1;
    let mut hold = 1.0;
    while octave > 0 {
        octave -= 1;
        holds[2 * octave] = hold;
        holds[2 * octave + 1] = hold * SQRT_2;
        hold *= 0.5;
    }
    holds
};

#[cfg(test)]
mod tests {
    use super::{Ladder, Moments, NOBODY, POINTS, Rates, TAILS, counted};

    fn on_ladder(readers: &[(f64, f64)]) -> (Ladder, Rates) {
        let longest = readers.iter().map(|r| r.1).fold(0.0, f64::max);
        let mut ladder = Ladder::up_to(longest, 1.0);
        let mut rates = NOBODY;
        for (rate, hold) in readers {
            let place = ladder.place(*hold);
            ladder.add(&mut rates, place, rate * hold);
        }
        (ladder, rates)
    }

    fn geometric(readers: &[(f64, f64)]) -> Moments {
        let (ladder, rates) = on_ladder(readers);
        let curve = ladder.curve(&rates);
        ladder.moments(|point| curve[point] / (1.0 + curve[point]))
    }

    fn near(found: f64, truth: f64, tolerance: f64) {
        assert!((found / truth - 1.0).abs() < tolerance, "{found} {truth}");
    }

    #[test]
    fn tails_are_exponentials() {
        for (tails, above) in TAILS.iter().zip([0.0, 0.5]) {
            for (tail, octave) in tails.iter().zip(-5..) {
                near(*tail, (-(f64::from(octave) - above).exp2()).exp(), 1e-12);
            }
        }
    }

    #[test]
    fn one_kind_lasts_as_long_as_the_closed_form() {
        // The longest of a geometric number of mean r: ln(1 + r) on average.
        for (ratio, error) in [(1e-3, 1e-3), (0.3, 1e-3), (2.0, 1e-3), (50.0, 0.01), (1e4, 0.07)] {
            near(geometric(&[(ratio, 4.0)])[0], 4.0 * f64::ln_1p(ratio), error);
        }
    }

    #[test]
    fn a_rare_long_reader_is_not_hidden_by_the_mean() {
        // One in a batch of one: its hold is a mixture.
        let number = 1e-6;
        let [mean, square, cube] = geometric(&[(0.99 * number, 0.01), (0.01 * number, 10.0)]);
        near(mean / number, 0.109_9, 2e-3);
        near(square / number, 2.000_198, 2e-3);
        // Third moments are kept on rungs only.
        near(cube / number, 60.0, 0.2);
    }

    #[test]
    fn a_hold_between_rungs_is_nearly_one_of_its_own_length() {
        for hold in [4.0, 4.5, 5.3, 6.9, 7.99] {
            for ratio in [0.1, 1.0, 30.0] {
                near(geometric(&[(ratio, hold)])[0], hold * f64::ln_1p(ratio), 0.03);
            }
        }
    }

    #[test]
    fn readers_below_the_ladder_keep_the_time_that_they_fill() {
        let (ladder, rates) = on_ladder(&[(1e3, 1e-9), (1e-9, 1e3)]);
        let filled: f64 = (0..rates.len()).map(|r| rates[r] * ladder.hold(r)).sum();
        near(filled, 2e-6, 1e-9);
        assert_eq!(ladder.curve(&rates).len(), POINTS);
    }

    #[test]
    fn a_hold_of_fixed_length_counts_half() {
        near(counted(3.0, 0.0), 1.5, 1e-15);
        near(counted(3.0, 1.0), 3.0, 1e-15);
    }
}
