//! How far simulations moved solved times, by load.
//!
//! A deployment is simulated at a load or two, and asked about at many: headroom, years, sliders. Between two simulated loads the
//! ratios of simulated to solved times run straight over the logarithm of the load; beyond them they stay as they are at the nearer
//! one. So an answer at a simulated load is what was simulated, and where limits lie does not hang on which load is called today's.

use super::prediction::PredictError;
use crate::workload::Work;

/// Simulated over solved mean and 95th percentile of the kinds of work whose solved times a simulation replaced.
pub type Ratios = Vec<(Work, [f64; 2])>;

/// What simulations of one deployment found, by load.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Correction {
    /// Load \[cycles/s of all groups\] and ratios, by load.
    at: Vec<(f64, Ratios)>,
    /// The load \[cycles/s\] beyond which a simulation found no steady state, and what it says.
    unsteady: Option<(f64, PredictError)>,
}

impl Correction {
    /// Of one simulated load \[cycles/s\].
    pub fn of(load: f64, ratios: Ratios) -> Self {
        Self { at: vec![(load, ratios)], unsteady: None }
    }

    /// With what was found at other loads.
    pub fn extend(&mut self, other: Self) {
        self.at.extend(other.at);
        self.at.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.unsteady = other.unsteady.or(self.unsteady.take());
    }

    /// Beyond this load \[cycles/s\] a simulation is not steady, for the reason it gives.
    pub fn unsteady_beyond(&mut self, load: f64, why: PredictError) {
        self.unsteady = Some((load, why));
    }

    /// The ratios alone, for a deployment that is like the simulated one and not the same.
    #[must_use]
    pub fn of_another(mut self) -> Self {
        self.unsteady = None;
        self
    }

    /// Why a load \[cycles/s\] is not carried, where a simulation says so.
    pub fn overload(&self, load: f64) -> Option<&PredictError> {
        let (most, why) = self.unsteady.as_ref()?;
        (load > *most).then_some(why)
    }

    /// Factors of mean and 95th percentile of the kinds of work that are moved at a load \[cycles/s\].
    pub fn at(&self, load: f64) -> Ratios {
        let above = self.at.partition_point(|(at, _)| *at < load);
        let (low, high) = match (above.checked_sub(1).map(|i| &self.at[i]), self.at.get(above)) {
            (Some(low), Some(high)) => (low, high),
            (Some(only), None) | (None, Some(only)) => return only.1.clone(),
            (None, None) => return Ratios::new(),
        };
        let share = (load / low.0).ln() / (high.0 / low.0).ln();
        let mut works: Vec<&Work> = low.1.iter().chain(&high.1).map(|(work, _)| work).collect();
        works.sort_unstable();
        works.dedup();
        let of = |ratios: &Ratios, work: &Work| {
            let mut ratios = ratios.iter();
            ratios.find(|(one, _)| one == work).map_or([1.0; 2], |(_, ratio)| *ratio)
        };
        let between = |work: &Work| {
            let [low, high] = [of(&low.1, work), of(&high.1, work)];
            let between = |i: usize| low[i].powf(1.0 - share) * high[i].powf(share);
            (work.clone(), [between(0), between(1)])
        };
        works.into_iter().map(between).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Correction;
    use crate::workload::{Clients, Task, Work};

    fn work(name: &str) -> Work {
        Work { clients: Clients::MainOffice, task: Task::Background(name.to_owned()) }
    }

    #[test]
    fn ratios_run_over_the_logarithm_of_the_load() {
        let mut found = Correction::of(10.0, vec![(work("a"), [1.2, 1.0])]);
        assert_eq!(found.at(1000.0), [(work("a"), [1.2, 1.0])]);
        found.extend(Correction::of(40.0, vec![(work("b"), [1.0, 4.0])]));
        let between = found.at(20.0);
        assert_eq!(between.len(), 2);
        assert!((between[0].1[0] - 1.2_f64.sqrt()).abs() < 1e-12);
        assert!((between[1].1[1] - 2.0).abs() < 1e-12);
        assert_eq!(found.at(5.0), found.at(10.0));
        assert_eq!(found.at(50.0), [(work("b"), [1.0, 4.0])]);
        assert!(Correction::default().at(1.0).is_empty());
    }
}
