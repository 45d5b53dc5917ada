//! G/G/m with two-phase times, solved as a Markov chain: the truth for its approximations.

use super::chain;

/// A time of one or two exponential phases: it starts in the first with probability `first`, else in
/// the second; from the first the second follows with probability `onward`.
#[derive(Clone, Copy)]
pub(super) struct Phases {
    first: f64,
    rates: [f64; 2],
    onward: f64,
}

impl Phases {
    /// Mean 1 and c² of 1/2 (Erlang), 1 (exponential) or more (two exponentials of balanced means).
    pub(super) fn of_scv(scv: f64) -> Self {
        if scv == 0.5 {
            return Self { first: 1.0, rates: [2.0, 2.0], onward: 1.0 };
        }
        assert!(scv >= 1.0, "no two phases for {scv}");
        let first = f64::midpoint(1.0, ((scv - 1.0) / (scv + 1.0)).sqrt());
        Self { first, rates: [2.0 * first, 2.0 * (1.0 - first)], onward: 0.0 }
    }

    /// Where a new time starts, and how probably.
    fn starts(self) -> [(usize, f64); 2] {
        [(0, self.first), (1, 1.0 - self.first)]
    }

    /// Rate of ending from a phase.
    fn ends(self, phase: usize) -> f64 {
        self.rates[phase] * if phase == 0 { 1.0 - self.onward } else { 1.0 }
    }
}

/// Mean wait of G/G/m, in units of the mean service time.
pub(super) fn waiting_time(arrival: Phases, service: Phases, servers: usize, utilization: f64, most: usize) -> f64 {
    let speed = utilization * servers as f64;
    // Number, phase of the next arrival, services in the second phase.
    let found = chain::stationary((0, 0, 0), |&(number, phase, second)| {
        let mut next = Vec::new();
        let busy = servers.min(number);
        let first = busy - second;
        if phase == 0 {
            next.push(((number, 1, second), speed * arrival.rates[0] * arrival.onward));
        }
        for (start, probability) in arrival.starts() {
            let rate = speed * arrival.ends(phase) * probability;
            if number >= most {
                next.push(((number, start, second), rate));
            } else if number < servers {
                for (begun, probability) in service.starts() {
                    next.push(((number + 1, start, second + begun), rate * probability));
                }
            } else {
                next.push(((number + 1, start, second), rate));
            }
        }
        if first > 0 {
            let rate = first as f64 * service.rates[0] * service.onward;
            next.push(((number, phase, second + 1), rate));
        }
        for (done, n_done) in [(0, first), (1, second)] {
            if n_done == 0 {
                continue;
            }
            let rate = n_done as f64 * service.ends(done);
            let left = second - done;
            if number > servers {
                for (begun, probability) in service.starts() {
                    next.push(((number - 1, phase, left + begun), rate * probability));
                }
            } else {
                next.push(((number - 1, phase, left), rate));
            }
        }
        next.retain(|(_, rate)| *rate > 0.0);
        next
    });
    chain::mean(&found, |(number, ..)| number.saturating_sub(servers) as f64) / speed
}
