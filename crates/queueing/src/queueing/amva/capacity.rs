//! Throughputs that no station exceeds: times at an overloaded station are lengthened until it is just busy.
//!
//! The Linearizer and AQL guess what an arriving customer finds, and near saturation the guess can be a little
//! too low: a station then is asked for a few parts in a thousand more than it can do. All residence times
//! there are multiplied by the one factor at which its utilization is 1, so that Little's law, the utilization
//! law and N = X·(R + Z) hold for what is answered. A longer time at one station only lowers the load of the
//! others, so the factors are found one station after the other.

use super::Engine;
use super::plan::Rule;

/// Load over capacity above 1 that is no more than rounding.
const ROUNDING: f64 = 1e-9;

/// Rounds over the overloaded stations, and the change of a factor at which they end.
const MOST_ROUNDS: usize = 100;
const SETTLED: f64 = 1e-12;

/// Halvings of an interval that holds a factor.
const HALVINGS: usize = 60;

impl Engine {
    /// Lengthens times where the sweeps ask a station for more than it can do; returns the largest of what was
    /// asked for too much, as a fraction of what the station can do, and 0 where nothing was.
    pub(super) fn respect_capacities(&mut self) -> f64 {
        let loads: Vec<(usize, f64)> = (0..self.plan.columns())
            .map(|column| (column, self.load(column)))
            .filter(|(_, load)| *load > 1.0 + ROUNDING)
            .collect();
        let excess = loads.iter().map(|(_, load)| load - 1.0).fold(0.0, f64::max);
        if loads.is_empty() {
            return 0.0;
        }
        let mut factors = vec![1.0; loads.len()];
        for _ in 0..MOST_ROUNDS {
            let mut change = 0.0_f64;
            for (factor, (column, _)) in factors.iter_mut().zip(&loads) {
                // The last factor may have become too large, since others have grown.
                self.lengthen(*column, 1.0 / *factor);
                let found = self.factor(*column);
                self.lengthen(*column, found);
                change = change.max((found / *factor - 1.0).abs());
                *factor = found;
            }
            if change < SETTLED {
                break;
            }
        }
        self.keep_numbers();
        excess
    }

    /// Work that closed classes bring to a station, over what open ones leave.
    fn load(&self, column: usize) -> f64 {
        let (plan, columns) = (&self.plan, self.plan.columns());
        let Some(center) = plan.stations[column].map(|k| &plan.problem.centers[k]) else {
            return 0.0;
        };
        // Demands at one server are over what open classes leave already.
        let capacity = if column < plan.singles { 1.0 } else { center.greatest_speed() - center.open_load };
        let demands = plan.demands.iter().skip(column).step_by(columns);
        let work = self.scratch.rates.iter().zip(demands).map(|(r, d)| r * d);
        work.sum::<f64>() / capacity
    }

    /// Multiplies all times at a station, and so slows down who visits it.
    fn lengthen(&mut self, column: usize, factor: f64) {
        let columns = self.plan.columns();
        for class_idx in 0..self.plan.problem.closed.len() {
            let population = self.populations[class_idx];
            let times = &mut self.residence[class_idx * columns..][..columns];
            if population <= 0.0 || times[column] == 0.0 {
                continue;
            }
            times[column] *= factor;
            let sum: f64 = times.iter().sum();
            let cycle = self.plan.think[class_idx] + sum + self.plan.overlap(class_idx, times);
            self.scratch.rates[class_idx] = population / cycle;
        }
    }

    /// The least factor, 1 or more, with which a station is asked for no more than it can do.
    fn factor(&mut self, column: usize) -> f64 {
        let mut at = |factor: f64| {
            self.lengthen(column, factor);
            let load = self.load(column);
            self.lengthen(column, 1.0 / factor);
            load
        };
        if at(1.0) <= 1.0 {
            return 1.0;
        }
        let (mut low, mut high) = (1.0, 2.0);
        while at(high) > 1.0 && high < f64::MAX / 4.0 {
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if at(middle) > 1.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// Numbers of the full network from its times: X·R, at several servers those who wait.
    fn keep_numbers(&mut self) {
        let (plan, columns) = (&self.plan, self.plan.columns());
        let (singles, rules) = (plan.singles, plan.rules.len());
        let split = plan.problem.closed.len() * columns;
        let (numbers, busy) = self.lengths[..plan.size()].split_at_mut(split);
        for (class_idx, &rate) in self.scratch.rates.iter().enumerate() {
            let row = class_idx * columns;
            for column in 0..columns {
                let serving = rate * plan.demands[row + column];
                let number = rate * self.residence[row + column];
                let rule = column.checked_sub(singles);
                numbers[row + column] = match rule.map(|idx| &plan.rules[idx]) {
                    Some(Rule::Servers(_)) => (number - serving).max(0.0),
                    _ => number,
                };
                if let Some(idx) = rule {
                    busy[class_idx * rules + idx] = serving;
                }
            }
        }
        let case = super::case((plan, self.method, self.overtaken), (&self.populations, &self.found, &self.shifts), 0);
        case.sum(&self.lengths[..plan.size()], &mut self.scratch);
    }
}
