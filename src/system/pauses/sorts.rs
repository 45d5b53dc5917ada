//! How long pauses last, by how they begin: by themselves, or where another client's ends, with what that one left for later
//! still there.
//!
//! Knows mean holds and how unlike they are; not who waits for them.

use super::moments::Length;
use crate::system::lock_wait::Sums;

/// Phases of a pause at most: more of them change nothing that is told.
const PHASES_MAX: f64 = 6.0;
/// Least mean of pauses that begin by themselves, over the mean of all, on the way as well.
const ALONE_LEAST: f64 = 0.1;

/// Pauses of a kind that begin in the same way.
pub(super) struct Sort {
    /// Whether that is at the end of another client's.
    pub(super) after_another: bool,
    /// How likely one is of this sort.
    pub(super) likely: f64,
    /// How long it lasts on average, over the mean of all.
    pub(super) longer: f64,
    /// How much of one is left at a random moment of it \[s\].
    pub(super) left: f64,
}

impl Sort {
    /// Pauses that begin by themselves, and those that begin where another client's ends, of which one is with such a
    /// likelihood: both together as long as all, and as unlike.
    pub(super) fn both(sum: Sums, after_another: f64) -> [Self; 2] {
        let by_itself = 1.0 - after_another;
        let behind = 1.0 + sum.after_another / sum.work * by_itself;
        let alone = if by_itself > 0.0 {
            ((1.0 - after_another * behind) / by_itself).max(ALONE_LEAST)
        } else {
            1.0
        };
        let square = after_another * behind * behind + by_itself * alone * alone;
        let sort = |after_another, likely, longer| Self {
            after_another,
            likely,
            longer,
            left: left(sum) * longer / square,
        };
        [
            sort(false, by_itself, alone),
            sort(true, after_another, behind),
        ]
    }

    /// Phases of one, where all last so long on average \[s\].
    pub(super) fn length(&self, all: f64) -> Length {
        length(all * self.longer, self.left)
    }
}

/// How much of a hold is left at a random moment of it \[s\].
pub(super) fn left(sum: Sums) -> f64 {
    0.5 * sum.square / sum.work
}

/// Phases of pauses with a mean, of which so much is left at a random moment \[s\].
fn length(mean: f64, left: f64) -> Length {
    let scv = (2.0 * left / mean - 1.0).max(1.0 / PHASES_MAX);
    let phases = (1.0 / scv).round().max(1.0) as u32;
    Length {
        phases,
        phase: 2.0 * left / f64::from(phases + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{Sort, Sums, length};

    #[test]
    fn pauses_after_others_are_longer_and_all_are_as_long_as_before() {
        let sum = Sums {
            rate: 0.01,
            work: 0.3,
            square: 10.0,
            after_another: 0.2,
            hold: 30.0,
        };
        let [alone, behind] = Sort::both(sum, 0.1);
        // By 20 s, nine times in ten of which the others have to be shorter for.
        assert!((behind.longer * 30.0 - 48.0).abs() < 1e-9);
        assert!((behind.longer - alone.longer - 20.0 / 30.0).abs() < 1e-9);
        let all = [&alone, &behind];
        let mean: f64 = all.iter().map(|sort| sort.likely * sort.longer).sum();
        assert!((mean - 1.0).abs() < 1e-9);
        let left = all.iter().map(|sort| sort.likely * sort.longer * sort.left);
        assert!((left.sum::<f64>() - 0.5 * 10.0 / 0.3).abs() < 1e-9);
        // Where nothing is left they are alike.
        let none = Sums {
            after_another: 0.0,
            ..sum
        };
        let [alone, behind] = Sort::both(none, 0.1);
        assert_eq!((alone.longer, behind.longer), (1.0, 1.0));
    }

    #[test]
    fn of_a_pause_as_much_is_left_as_was_said() {
        for (mean, left, phases) in [(2.0, 2.0, 1), (2.0, 1.0, 6), (6.0, 4.0, 3), (1.0, 9.0, 1)] {
            let length = length(mean, left);
            assert_eq!(length.phases, phases);
            // Of k phases (k + 1)/2 are left on average.
            let told = length.phase * f64::from(length.phases + 1) / 2.0;
            assert!((told - left).abs() < 1e-12);
        }
    }
}
