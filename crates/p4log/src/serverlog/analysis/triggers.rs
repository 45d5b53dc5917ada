//! Triggers by name: how often they ran, and for how long.

use super::ranking::Cost;
use crate::serverlog::merge::add;
use crate::serverlog::record::Trigger;

/// Runs of one trigger.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TriggerSum {
    /// How often it ran.
    pub calls: u64,
    /// Of these, with a lapse in the log.
    pub timed: u64,
    /// Their lapses together \[s\].
    pub lapse_s: f64,
    /// The longest of them \[s\].
    pub longest_s: f64,
}

impl TriggerSum {
    /// Adds a run.
    pub(super) fn add(&mut self, trigger: &Trigger) {
        let lapse_s = trigger.lapse_s.unwrap_or(0.0);
        self.merge(&Self { calls: 1, timed: u64::from(trigger.lapse_s.is_some()), lapse_s, longest_s: lapse_s });
    }

    /// The mean lapse \[s\]; `None` if the log has none.
    pub fn mean_s(&self) -> Option<f64> {
        (self.timed > 0).then(|| self.lapse_s / self.timed as f64)
    }
}

impl Cost for TriggerSum {
    fn merge(&mut self, other: &Self) {
        add(&mut self.calls, other.calls);
        add(&mut self.timed, other.timed);
        self.lapse_s += other.lapse_s;
        self.longest_s = self.longest_s.max(other.longest_s);
    }

    fn weight(&self) -> f64 {
        self.lapse_s + self.calls as f64 / 1e3
    }
}
