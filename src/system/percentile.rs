//! The 95th percentile of a response time that is nearly always short and now and then long.
//!
//! Most commands meet no long pause ([`super::pauses`]); those who do wait for minutes. A multiple of the mean would tell
//! neither. So a response is work of an exponential time and, with the probability of being stuck, an exponential pause.
//!
//! Knows means and how likely one is stuck; not where they come from.

/// Share of responses that take longer.
const BEYOND: f64 = 0.05;
/// Steps of bisection: to all digits.
const STEPS: usize = 60;
/// Pause and work are as long as each other within this share.
const ALIKE: f64 = 1e-6;

/// How a response goes on after what is the same each time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Varying {
    /// The 95th percentile of its work alone \[s\].
    pub(super) work: f64,
    /// How likely it is stuck, and for how long it then is on average \[s\].
    pub(super) stuck: f64,
    pub(super) pause: f64,
}

impl Varying {
    /// The 95th percentile \[s\].
    pub(super) fn p95(self) -> f64 {
        if self.stuck <= 0.0 || self.pause <= 0.0 {
            return self.work;
        }
        let (mut low, mut high) = (self.work, self.work + self.pause);
        while self.beyond(high) > BEYOND {
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..STEPS {
            let middle = f64::midpoint(low, high);
            if self.beyond(middle) > BEYOND {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// How likely it takes longer than this \[s\].
    fn beyond(self, time: f64) -> f64 {
        let work = -self.work / BEYOND.ln();
        let alone = if work > 0.0 {
            (-time / work).exp()
        } else {
            0.0
        };
        let apart = self.pause - work;
        let both = if apart.abs() <= ALIKE * self.pause {
            (1.0 + time / work) * alone
        } else {
            (self.pause * (-time / self.pause).exp() - work * alone) / apart
        };
        let stuck = self.stuck.min(1.0);
        alone + stuck * (both - alone)
    }
}

#[cfg(test)]
mod tests {
    use super::Varying;

    fn p95(work: f64, stuck: f64, pause: f64) -> f64 {
        Varying { work, stuck, pause }.p95()
    }

    #[test]
    fn who_is_hardly_ever_stuck_is_as_fast_as_before() {
        assert!((p95(3.0, 0.0, 100.0) - 3.0).abs() < 1e-12);
        // One in a thousand: of the others 4.9 in a hundred take longer.
        let others = 3.0 * (0.049_f64 / 0.999).ln() / 0.05_f64.ln();
        assert!((p95(3.0, 1e-3, 1e9) - others).abs() < 1e-6);
    }

    #[test]
    fn who_is_often_stuck_waits_for_the_pause() {
        // With no work to speak of one in five is stuck, a quarter of these for longer than ln 4 pauses.
        assert!((p95(0.0, 0.2, 100.0) - 100.0 * 4.0_f64.ln()).abs() < 1e-9);
        // Work and pause alike: two stages, of which 5 % take longer than 4.743 865 means.
        let work = 10.0 * 20.0_f64.ln();
        assert!((p95(work, 1.0, 10.0) - 47.438_65).abs() < 1e-3);
        assert!(p95(work, 1.0, 10.0 + 1e-5) > p95(work, 1.0, 10.0 - 1e-5));
    }
}
