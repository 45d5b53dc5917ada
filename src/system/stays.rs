//! What lengthens stays at stations beyond what the network knows: jobs that come together, and what is left for later.

use super::balance::Frame;
use super::leftover::Leftover;
use super::solve::Effort;
use super::together::Gathering;

/// Where that is told.
pub(super) struct Stays {
    gatherings: Vec<Gathering>,
    leftovers: Vec<Leftover>,
}

impl Stays {
    pub(super) fn of(frame: &Frame<'_, '_>, effort: Effort) -> Self {
        match effort {
            Effort::Search => Self {
                gatherings: Vec::new(),
                leftovers: Vec::new(),
            },
            Effort::Shown => Self {
                gatherings: Gathering::all(frame),
                leftovers: Leftover::all(frame),
            },
        }
    }

    /// Residence over what each group waits for at each station, if it is not as the network has it.
    pub(super) fn longer(
        &self,
        frame: &Frame<'_, '_>,
        rates: &[f64],
        alone: &[Vec<f64>],
    ) -> Option<Vec<Vec<f64>>> {
        if self.gatherings.is_empty() && self.leftovers.is_empty() {
            return None;
        }
        let mut stretch = frame.together(&self.gatherings, rates, alone);
        if !self.leftovers.is_empty() {
            Leftover::lengthen(
                &self.leftovers,
                rates,
                &frame.utilization(rates),
                &mut stretch,
            );
        }
        Some(stretch)
    }
}
