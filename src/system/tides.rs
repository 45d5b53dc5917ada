//! How stays of all who come and go rise and fall with what those left for later who never think, and with what is left of
//! throngs.
//!
//! A large sync leaves pages for the disks, on which all of them work for minutes; for the rest of its hours they have less to
//! do. Whom it lets go when it has read its tables is at the stations for a while after tables are open again. Stays of everybody
//! else are long then, and shorter for long: far longer than any command takes, so that waits for locks are those of the one and
//! of the other, and their mean is more than the wait at the mean stay.
//!
//! What c clients leave, each for a share p of the time and J jobs at once, is a binomial number of jobs, with a variance of
//! c·p·(1 − p)·J² and a third moment of c·p·(1 − p)·(1 − 2·p)·J³. A job more makes stays at one server longer by 1/(1 − ρ)
//! demands, as in [`super::quiet`]; of several servers [`super::steady`] tells it. Throngs of n(t), λ a second, are shot noise,
//! with the cumulants λ·∫ nᵏ dt (Campbell 1909; Rice, "Mathematical analysis of random noise", 1944, section 1.5); they are gone
//! before more come for them, and each is in everybody's way once.
//!
//! Two points tell all of it, at ½·(γ ± √(γ² + 4)) deviations from the mean with chances of ½·(1 ∓ γ/√(γ² + 4)), where γ is the
//! skewness (Rosenblueth, "Point estimates for probability moments", Proc. Natl. Acad. Sci. 72, 1975).
//!
//! Knows who is at stations; not which tables are held meanwhile ([`super::contention`]).
//!
//! Assumption: stations rise and fall together, as that one does whose rise lengthens holds most.

use super::around::Around;
use super::balance::{BUSY_MOST, Frame};
use super::leftover::Leftover;
use super::plant::Seconds;
use super::steady::{Party, speed};
use crate::queueing::Flows;

/// A rise of holds that is worth telling, over all holds.
const RISE_LEAST: f64 = 0.03;
/// What is left of stays at low tide at least: assumed, since two points far apart may lie below what can be.
const LOW_LEAST: f64 = 0.2;

/// A share of the time, and stays then over their mean, by station.
pub(super) struct Tide {
    pub(super) share: f64,
    pub(super) stays: Vec<f64>,
}

/// By how many demands stays are longer at a station: central moments.
#[derive(Clone, Copy, Default)]
struct Rise {
    /// The mean, beyond what stays are told with.
    more: f64,
    variance: f64,
    third: f64,
}

impl Rise {
    /// Adds jobs that are there or not, each of which makes stays so much longer.
    fn add(&mut self, party: &Party, each: f64) {
        let (rise, share) = (party.jobs as f64 * each, party.share);
        let one = party.clients * share * (1.0 - share);
        self.variance += one * rise.powi(2);
        self.third += one * (1.0 - 2.0 * share) * rise.powi(3);
    }

    /// Adds what comes so often \[1/s\] and goes, by its moments over time, each of which makes stays so much longer.
    fn add_shots(&mut self, often: f64, [mean, square, cube]: [f64; 3], each: f64) {
        self.more += often * mean * each;
        self.variance += often * square * each.powi(2);
        self.third += often * cube * each.powi(3);
    }

    /// The lower and the higher of two points that tell it: its chance, and by how many deviations it is off the mean.
    fn two_points(&self) -> [(f64, f64); 2] {
        let skewness = self.third / self.variance.powf(1.5);
        let root = (skewness * skewness + 4.0).sqrt();
        [-1.0, 1.0].map(|sign| {
            let chance = 0.5 * (1.0 - sign * skewness / root);
            (chance, 0.5 * (skewness + sign * root))
        })
    }
}

impl Frame<'_, '_> {
    /// Low and high tide, where groups' cycles come so often; nothing where they are alike. Stays are so much longer than demands
    /// without what clients left for later, and under locks.
    pub(super) fn tides(
        &self,
        leftovers: &[Leftover],
        around: &Around,
        at: (&Flows, &[f64]),
        (before, told): (&[Vec<f64>], &[Vec<f64>]),
    ) -> Option<[Tide; 2]> {
        let (_, rates) = at;
        let (busy, coming) = (self.busy(rates), self.coming(rates));
        let stays = self.stays_of_who_thinks(told)?;
        let mut rises = vec![Rise::default(); coming.len()];
        for own in leftovers {
            let k = own.station;
            let usual = before[own.group][k];
            let party = own.party(leftovers, rates, (busy[k], coming[k]), usual);
            rises[k].add(&party, self.rise_by_a_job(at, k, coming[k]));
        }
        for jam in &around.jams {
            let throng = &around.throngs[jam.throng];
            let (k, moments) = (throng.station, throng.moments_after(jam.lasts()));
            rises[k].add_shots(jam.often, moments, throng.each());
        }
        for (rise, stay) in rises.iter_mut().zip(stays) {
            // Where stays are no longer than demands there is room for more.
            if *stay <= 1.0 {
                *rise = Rise::default();
            }
        }
        let held = self.held_at(rates, stays);
        let of_holds = |k: usize| held[k] * rises[k].variance.sqrt() / stays[k];
        let most = (0..rises.len()).max_by(|a, b| of_holds(*a).total_cmp(&of_holds(*b)));
        let most = most.filter(|most| of_holds(*most) > RISE_LEAST)?;
        Some(rises[most].two_points().map(|(share, by)| {
            let stays = rises.iter().zip(stays).map(|(rise, stay)| {
                (1.0 + (rise.more + by * rise.variance.sqrt()) / stay).max(LOW_LEAST)
            });
            Tide {
                share,
                stays: stays.collect(),
            }
        }))
    }

    /// By how many demands a stay is longer with one more job at a station, of which those who come and go keep so many servers
    /// busy.
    fn rise_by_a_job(&self, at: (&Flows, &[f64]), k: usize, coming: f64) -> f64 {
        let servers = self.plant.servers(k);
        let coming = coming.min(BUSY_MOST * servers);
        if servers <= 1.0 {
            return 1.0 / (1.0 - coming);
        }
        let mut others = self.never_away(None, at, k);
        let without = 1.0 / speed(servers, coming, &others);
        others.push(Party {
            jobs: servers as usize,
            clients: 1.0,
            share: 1.0,
        });
        (1.0 / speed(servers, coming, &others) - without) / servers
    }

    /// The share of all holds that each station has, where stays are so much longer than demands.
    fn held_at(&self, rates: &[f64], stays: &[f64]) -> Vec<f64> {
        let mut held = vec![0.0; stays.len()];
        for piece in self.pieces {
            let often = rates[piece.group] * piece.weight;
            for (k, demand) in piece.cost.insides().flat_map(Seconds::iter) {
                held[k] += often * demand * stays[k];
            }
        }
        let all: f64 = held.iter().sum();
        held.into_iter()
            .map(|held| if all > 0.0 { held / all } else { 0.0 })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Party, Rise};

    #[test]
    fn two_points_have_the_moments_of_a_binomial_number() {
        let party = Party {
            jobs: 4,
            clients: 3.0,
            share: 0.07,
        };
        let mut jobs = Rise::default();
        jobs.add(&party, 1.0);
        // Of none to three of three clients, four jobs each.
        let chance = |n: i32, of: f64| of * 0.07_f64.powi(n) * 0.93_f64.powi(3 - n);
        let numbers = [(0, 1.0), (1, 3.0), (2, 3.0), (3, 1.0)];
        let mean = 4.0 * 3.0 * 0.07;
        let moment = |power: i32| -> f64 {
            let off = numbers.iter().map(|(n, of)| {
                let jobs = 4.0 * f64::from(*n);
                chance(*n, *of) * (jobs - mean).powi(power)
            });
            off.sum()
        };
        let deviation = moment(2).sqrt();
        let told = |power: i32| -> f64 {
            let points = jobs.two_points();
            let off = points
                .iter()
                .map(|(c, by)| c * (by * deviation).powi(power));
            off.sum()
        };
        for (power, truth) in [(0, 1.0), (1, 0.0), (2, moment(2)), (3, moment(3))] {
            assert!((told(power) - truth).abs() < 1e-9, "{power} {truth}");
        }
        // High tide is seldom, and high.
        let [(low, below), (high, above)] = jobs.two_points();
        assert!(high < 0.25 && above > 1.5 && low > 0.75 && below > -1.0);
    }

    #[test]
    fn shots_that_come_at_random_have_the_moments_of_a_poisson_number() {
        // One more for a time of 5 s, every 2 s on average, as in M/G/∞: all cumulants are 2.5.
        let mut shots = Rise::default();
        shots.add_shots(0.5, [5.0; 3], 1.0);
        assert_eq!([shots.more, shots.variance, shots.third], [2.5; 3]);
        // In other units.
        shots.add_shots(0.5, [5.0; 3], 2.0);
        assert_eq!([shots.more, shots.variance, shots.third], [7.5, 12.5, 22.5]);
    }
}
