//! One sweep over a network: what each class finds, how long it stays, and so how many are where.

use super::erlang::Erlang;
use super::plan::{LANES, Plan, Rule};

/// How a class' finding follows from what the network holds: `all·total − own·self + shift`.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) all: f64,
    pub(super) own: f64,
}

/// A network with certain populations, as the sweeps see it.
pub(super) struct Case<'a> {
    pub(super) plan: &'a Plan,
    /// Customers of each class.
    pub(super) populations: &'a [f64],
    /// Customers of all classes.
    pub(super) total: f64,
    /// What each class finds.
    pub(super) found: &'a [Found],
    /// What is added to it by class and column, first for numbers, then for busy servers.
    pub(super) shifts: &'a [f64],
    /// Whether shifts are none because nothing is known of them.
    pub(super) unshifted: bool,
    /// Whether better classes overtake customers who already wait as often as those who come later; see
    /// [`Special`](crate::queueing::special::Special).
    pub(super) overtaken: bool,
}

/// What is written while sweeping; reused from sweep to sweep.
#[derive(Clone)]
pub(super) struct Scratch {
    /// Residence of a class by column.
    pub(super) residence: Vec<f64>,
    /// Sums over classes by column: numbers, and busy servers.
    pub(super) totals: Vec<f64>,
    /// Throughput of each class.
    pub(super) rates: Vec<f64>,
}

impl Scratch {
    pub(super) fn new(plan: &Plan) -> Self {
        let columns = plan.columns();
        Self {
            residence: vec![0.0; columns],
            totals: vec![0.0; columns + plan.rules.len()],
            rates: vec![0.0; plan.problem.closed.len()],
        }
    }
}

impl Case<'_> {
    /// Goes through the classes once; `lengths` has the numbers (those waiting at several servers) by
    /// class and column and then the busy servers, and moves by `step` towards what the sweep finds.
    /// Returns the largest move of a number as a fraction of its class' population.
    pub(super) fn sweep(&self, lengths: &mut [f64], erlangs: &mut [Erlang], scratch: &mut Scratch, step: f64) -> f64 {
        let (columns, rules) = (self.plan.columns(), self.plan.rules.len());
        self.sum(lengths, scratch);
        let split = self.populations.len() * columns;
        let mut residual = 0.0_f64;
        for (class_idx, &population) in self.populations.iter().enumerate() {
            if population <= 0.0 {
                scratch.rates[class_idx] = 0.0;
                continue;
            }
            let cycle = self.arrive(class_idx, lengths, erlangs, scratch);
            let rate = population / cycle;
            scratch.rates[class_idx] = rate;
            let (numbers, busy) = lengths.split_at_mut(split);
            let numbers = &mut numbers[class_idx * columns..][..columns];
            let busy = &mut busy[class_idx * rules..][..rules];
            let (totals, busy_totals) = scratch.totals.split_at_mut(columns);
            let singles = self.plan.singles;
            let mut moved = 0.0_f64;
            let mut most = [0.0_f64; LANES];
            let (now, _) = numbers[..singles].as_chunks_mut::<LANES>();
            let (total, _) = totals[..singles].as_chunks_mut::<LANES>();
            let (times, _) = scratch.residence[..singles].as_chunks::<LANES>();
            for ((now, total), times) in now.iter_mut().zip(total).zip(times) {
                for lane in 0..LANES {
                    let change = rate * times[lane] - now[lane];
                    most[lane] = if change.abs() > most[lane] { change.abs() } else { most[lane] };
                    now[lane] += step * change;
                    total[lane] += step * change;
                }
            }
            for most in most {
                moved = moved.max(most);
            }
            let demands = &self.plan.demands[class_idx * columns..][..columns];
            for (idx, rule) in self.plan.rules.iter().enumerate() {
                let column = singles + idx;
                let number = rate * scratch.residence[column];
                let serving = rate * demands[column];
                let target = match rule {
                    Rule::Servers(_) => (number - serving).max(0.0),
                    Rule::Speeds | Rule::Special(_) => number,
                };
                let change = target - numbers[column];
                numbers[column] += step * change;
                totals[column] += step * change;
                let served = serving - busy[idx];
                busy[idx] += step * served;
                busy_totals[idx] += step * served;
                moved = moved.max(change.abs()).max(served.abs());
            }
            residual = residual.max(moved / population);
        }
        residual
    }

    /// Sums over classes.
    pub(super) fn sum(&self, lengths: &[f64], scratch: &mut Scratch) {
        let (columns, rules) = (self.plan.columns(), self.plan.rules.len());
        let split = self.populations.len() * columns;
        scratch.totals.fill(0.0);
        let (totals, busy_totals) = scratch.totals.split_at_mut(columns);
        for row in lengths[..split].chunks_exact(columns.max(1)) {
            for (total, number) in totals.iter_mut().zip(row) {
                *total += number;
            }
        }
        for row in lengths[split..].chunks_exact(rules.max(1)) {
            for (total, number) in busy_totals.iter_mut().zip(row) {
                *total += number;
            }
        }
    }

    /// Residences of one who arrives, into the scratch, and how long a cycle of it takes.
    pub(super) fn arrive(
        &self,
        class_idx: usize,
        lengths: &[f64],
        erlangs: &mut [Erlang],
        scratch: &mut Scratch,
    ) -> f64 {
        let (columns, singles) = (self.plan.columns(), self.plan.singles);
        let row = class_idx * columns;
        let Found { all, own } = self.found[class_idx];
        let mut sums = [0.0; LANES];
        let (numbers, _) = lengths[row..row + singles].as_chunks::<LANES>();
        let (shifts, _) = self.shifts[row..row + singles].as_chunks::<LANES>();
        let (demands, _) = self.plan.demands[row..row + singles].as_chunks::<LANES>();
        let (totals, _) = scratch.totals[..singles].as_chunks::<LANES>();
        let (times, _) = scratch.residence[..singles].as_chunks_mut::<LANES>();
        let rows = numbers.iter().zip(shifts).zip(demands).zip(totals).zip(times);
        for ((((numbers, shifts), demands), totals), times) in rows {
            for lane in 0..LANES {
                let seen = all * totals[lane] - own * numbers[lane] + shifts[lane];
                let seen = if seen > 0.0 { seen } else { 0.0 };
                times[lane] = demands[lane] * (1.0 + seen);
                sums[lane] += times[lane];
            }
        }
        let mut cycle = self.plan.think[class_idx] + (sums[0] + sums[1]) + (sums[2] + sums[3]);
        for idx in 0..self.plan.rules.len() {
            let visits = self.plan.demands[row + singles + idx] > 0.0;
            let time = if visits { self.at_rule(class_idx, idx, lengths, erlangs, &scratch.totals).0 } else { 0.0 };
            scratch.residence[singles + idx] = time;
            cycle += time;
        }
        cycle + self.plan.overlap(class_idx, &scratch.residence)
    }

    /// Closed customers that a class finds at one server.
    pub(super) fn seen(&self, class_idx: usize, column: usize, lengths: &[f64], scratch: &Scratch) -> f64 {
        let Found { all, own } = self.found[class_idx];
        let at = class_idx * self.plan.columns() + column;
        (all * scratch.totals[column] - own * lengths[at] + self.shifts[at]).max(0.0)
    }

    /// Residence at a station other than one server, and customers of all classes found there.
    pub(super) fn at_rule(
        &self,
        class_idx: usize,
        idx: usize,
        lengths: &[f64],
        erlangs: &mut [Erlang],
        totals: &[f64],
    ) -> (f64, f64) {
        let (columns, rules) = (self.plan.columns(), self.plan.rules.len());
        let column = self.plan.singles + idx;
        let demand = self.plan.demands[class_idx * columns + column];
        let station = self.plan.stations[column];
        let center = station.map(|k| &self.plan.problem.centers[k]).expect("not padding");
        let split = self.populations.len() * columns;
        let Found { all, own } = self.found[class_idx];
        let seen = |at: usize, total: usize| (all * totals[total] - own * lengths[at] + self.shifts[at]).max(0.0);
        let number = seen(class_idx * columns + column, column);
        let others = self.others(class_idx);
        match &self.plan.rules[idx] {
            Rule::Speeds => {
                let factor = center.factor(number, others);
                (demand * factor, number + center.open_load * factor)
            }
            Rule::Special(special) => {
                let waits = special.open_waits(|d| self.at(d, idx, lengths));
                let found = |d: usize| {
                    let (number, busy) = self.at(d, idx, lengths);
                    let own = if d == class_idx { own } else { 0.0 };
                    let left =
                        |held: f64, at: usize| (held * (1.0 - own) + self.special_shift(class_idx, d, at)).max(0.0);
                    (left(number, d * columns + column), left(busy, split + d * rules + idx))
                };
                let numbers: f64 = (0..self.populations.len()).map(|d| found(d).0).sum();
                let time = special.residence(class_idx, found, &waits, self.overtaken);
                (time, numbers + special.open_number(&waits))
            }
            Rule::Servers(servers) => {
                let busy = seen(split + class_idx * rules + idx, columns + idx) + center.open_load;
                let (servers, open) = (f64::from(*servers), center.open_utilization());
                let is_alone = center.open_load == 0.0;
                // Whoever finds fewer others than servers does not wait; in between, for fractions
                // of a customer, the step is a slope.
                let fills = if is_alone { (others + 1.0 - servers).clamp(0.0, 1.0) } else { 1.0 };
                let backlog = if self.unshifted && is_alone {
                    // A saturated station of m servers has N − m waiting, so without one customer
                    // the proportion is (N − 1 − m)/(N − m), not (N − 1)/N.
                    let beyond = (others - servers).max(0.0);
                    let proportion = others / (others + 1.0);
                    number * beyond / (beyond + 1.0) / proportion.max(f64::MIN_POSITIVE)
                } else {
                    fills * number
                };
                let erlang = &mut erlangs[class_idx * rules + idx];
                let all_busy = if fills > 0.0 { fills * erlang.waits(busy) } else { 0.0 };
                let wait = demand / servers * (backlog + all_busy) / (1.0 - open);
                let waiting = (backlog + open * all_busy) / (1.0 - open);
                (demand + wait, waiting + busy.min(servers))
            }
        }
    }

    /// Number and number in service of a class at a station other than one server.
    pub(super) fn at(&self, class_idx: usize, idx: usize, lengths: &[f64]) -> (f64, f64) {
        let (columns, rules) = (self.plan.columns(), self.plan.rules.len());
        let split = self.populations.len() * columns;
        let number = lengths[class_idx * columns + self.plan.singles + idx];
        (number, lengths[split + class_idx * rules + idx])
    }

    /// Shifts are kept as sums over classes; where classes matter each gets its part of the sum in
    /// proportion: all of it if there is one class.
    fn special_shift(&self, class_idx: usize, other_idx: usize, at: usize) -> f64 {
        if self.unshifted || class_idx != other_idx {
            return 0.0;
        }
        self.shifts[at]
    }

    /// Customers but the one that arrives.
    pub(super) fn others(&self, class_idx: usize) -> f64 {
        let own = self.populations[class_idx].min(1.0);
        self.total - own
    }
}
