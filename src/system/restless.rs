//! What is answered where rounds come to no rest.
//!
//! Knows the rounds by how far each was from rest and whether it asked a lock for more than it can do; not what they are
//! rounds of ([`super::solve`]).

use super::flow::Flow;
use super::prediction::PredictError;

/// Last rounds of those that run out, of which none may ask a lock for more than it can do: assumed, twice the length of the
/// swings that were seen.
const SWING_ROUNDS: usize = 20;

/// What is kept of rounds in case that they run out.
pub(super) struct Restless {
    rounds_max: usize,
    nearest: Option<(f64, Flow)>,
    saturated: Option<PredictError>,
}

impl Restless {
    pub(super) fn new(rounds_max: usize) -> Self {
        Self {
            rounds_max,
            nearest: None,
            saturated: None,
        }
    }

    /// The flow for the next round after one with this flow at this distance from rest: what is mixed, or for the last
    /// one what was nearest.
    pub(super) fn next(
        &mut self,
        round: usize,
        (distance, flow): (f64, Flow),
        saturated: Option<PredictError>,
        mixed: Flow,
    ) -> Flow {
        if self.rounds_max - round < SWING_ROUNDS && saturated.is_some() {
            self.saturated = saturated;
        }
        if (self.nearest.as_ref()).is_none_or(|(least, _)| distance < *least) {
            self.nearest = Some((distance, flow));
        }
        match self.nearest.take_if(|_| round + 1 == self.rounds_max) {
            Some((_, nearest)) => nearest,
            None => mixed,
        }
    }

    /// The lock that the last rounds asked for more than it can do, now and then.
    pub(super) fn saturated(self) -> Option<PredictError> {
        self.saturated
    }
}

#[cfg(test)]
mod tests {
    use super::{Flow, PredictError, Restless};

    fn flow(wait: f64) -> Flow {
        Flow {
            spare: Vec::new(),
            waits: vec![wait],
            beside_own: Vec::new(),
            apart: Vec::new(),
        }
    }

    #[test]
    fn the_last_round_is_of_what_was_nearest_to_rest() {
        let mut restless = Restless::new(5);
        let mut next = |round, distance, wait| {
            let found = (distance, flow(wait));
            restless.next(round, found, None, flow(-1.0)).waits[0]
        };
        assert_eq!(next(1, 0.5, 1.0), -1.0);
        assert_eq!(next(2, 0.1, 2.0), -1.0);
        assert_eq!(next(3, 0.3, 3.0), -1.0);
        assert_eq!(next(4, 0.2, 4.0), 2.0);
        assert!(restless.saturated().is_none());
    }

    #[test]
    fn a_lock_that_is_full_now_and_then_at_the_end_is_full() {
        let full = || PredictError::Unsolved("full".to_owned());
        let mut restless = Restless::new(100);
        restless.next(79, (1.0, flow(1.0)), Some(full()), flow(0.0));
        restless.next(99, (1.0, flow(1.0)), None, flow(0.0));
        assert!(restless.saturated().is_none());
        let mut restless = Restless::new(100);
        restless.next(90, (1.0, flow(1.0)), Some(full()), flow(0.0));
        restless.next(99, (1.0, flow(1.0)), None, flow(0.0));
        assert!(restless.saturated().is_some());
    }
}
