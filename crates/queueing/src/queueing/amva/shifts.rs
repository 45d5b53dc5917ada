//! What a class finds beyond the proportion: the shifts of the Linearizer and of AQL.
//!
//! - K. M. Chandy and D. Neuse, CACM 25(2), 1982; the sums over classes are kept instead of each
//!   class' shift, after E. de Souza e Silva and R. R. Muntz, IEEE TC 39(6), 1990.
//! - J. Zahorjan, D. L. Eager, H. M. Sweillam, "Accuracy, speed, and convergence of approximate mean
//!   value analysis", Performance Evaluation 8(4), 1988.

use super::Engine;
use crate::queueing::solution::Method;

impl Engine {
    /// Shifts from what the networks hold now, for numbers and for busy servers.
    pub(super) fn renew_shifts(&mut self, lengths: &[f64]) {
        let classes = self.plan.problem.closed.len();
        if self.networks() == 1 {
            return;
        }
        let numbers = classes * self.plan.columns();
        for (from, width) in [(0, self.plan.columns()), (numbers, self.plan.rules.len())] {
            for class_idx in 0..classes {
                match self.method {
                    Method::Aql => self.shift_totals(lengths, class_idx, from, width),
                    _ => self.shift_classes(lengths, class_idx, from, width),
                }
            }
        }
    }

    /// The Linearizer: with `γ_cdk = Q_dk(N − 1_c)/(N_d − 1_c) − Q_dk/N_d` a class finds Σ over
    /// classes of `γ_cdk` times their others more than in proportion.
    fn shift_classes(&mut self, lengths: &[f64], class_idx: usize, from: usize, width: usize) {
        let (classes, size) = (self.plan.problem.closed.len(), self.plan.size());
        let full = &self.populations[..classes];
        let fewer = &self.populations[(class_idx + 1) * classes..][..classes];
        let own = from + class_idx * width;
        let (first, later) = self.shifts.split_at_mut(size);
        first[own..own + width].fill(0.0);
        for other_idx in 0..classes {
            if fewer[other_idx] <= 0.0 {
                let shifts = &mut later[other_idx * size + own..][..width];
                shifts.fill(0.0);
                continue;
            }
            let row = from + other_idx * width;
            let there = &lengths[row..row + width];
            let removed = &lengths[(class_idx + 1) * size + row..][..width];
            // In the network where the other class has lost one, too, it has that much less.
            let lost = fewer[other_idx].min(1.0);
            let shifts = &mut later[other_idx * size + own..][..width];
            let (per, per_fewer) = (1.0 / full[other_idx], 1.0 / fewer[other_idx]);
            let rows = first[own..own + width].iter_mut().zip(shifts).zip(there).zip(removed);
            for (((first, later), there), removed) in rows {
                let shift = removed * per_fewer - there * per;
                *first += fewer[other_idx] * shift;
                *later = lost * shift;
            }
        }
        for other_idx in 0..classes {
            let shifts = &mut later[other_idx * size + own..][..width];
            for (shift, first) in shifts.iter_mut().zip(&first[own..own + width]) {
                *shift = first - *shift;
            }
        }
    }

    /// AQL: the same of all classes together.
    fn shift_totals(&mut self, lengths: &[f64], class_idx: usize, from: usize, width: usize) {
        let (classes, size) = (self.plan.problem.closed.len(), self.plan.size());
        let total: f64 = self.populations[..classes].iter().sum();
        let fewer: f64 = self.populations[(class_idx + 1) * classes..][..classes].iter().sum();
        for column in 0..width {
            let sum = |network: usize| -> f64 {
                let at = |d: usize| lengths[network * size + from + d * width + column];
                (0..classes).map(at).sum()
            };
            let mut shift = 0.0;
            if fewer > 0.0 {
                shift = sum(class_idx + 1) / fewer - sum(0) / total;
            }
            for network in 0..=classes {
                let others = if network == 0 { fewer } else { (fewer - 1.0).max(0.0) };
                self.shifts[network * size + from + class_idx * width + column] = others * shift;
            }
        }
    }
}
