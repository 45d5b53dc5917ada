//! How likely each state of a blocking cascade is at a random moment of a long hold, and how long its commands still wait.
//!
//! Arrivals are Poisson streams and a hold lasts for some exponential phases of equal length (Erlang's method of stages), so that
//! states follow each other as in a continuous-time Markov chain without returns: from state to state and from phase to phase. A
//! client that is blocked does not arrive again (a finite source); what is left of each group's clients follows as a mean.

use super::cascade::{Routes, State, Waiting};

/// Probability below which a state is left out.
const LIKELY_LEAST: f64 = 1e-12;
/// Most phases of a hold: more change no mean by 1 %.
const PHASES_MOST: f64 = 6.0;

/// The arrivals during a long hold.
pub(super) struct Arrivals<'p> {
    pub(super) routes: &'p Routes,
    /// By route: commands on average \[1/s\].
    pub(super) rates: &'p [f64],
    /// By group: clients, if they are limited.
    pub(super) clients: &'p [Option<f64>],
    /// By group: the part of its clients that is blocked nowhere, on average over all time.
    pub(super) free: &'p [f64],
}

impl Arrivals<'_> {
    /// Arrivals of a route where this part of the clients of each group is free \[1/s\].
    fn rate(&self, route: usize, free: &[f64]) -> f64 {
        let group = self.routes.group(route);
        self.rates[route] * free[group] / self.free[group]
    }

    /// How often a client of each group is blocked in a state \[1/s\].
    fn blocked(&self, state: &State, rates: &mut [f64]) {
        rates.fill(0.0);
        for waiting in &state.waiting {
            let group = self.routes.group(waiting.route);
            if let Some(clients) = self.clients[group] {
                rates[group] += self.rates[waiting.route] / (self.free[group] * clients);
            }
        }
    }
}

/// The length of a hold: phases, and the mean of each \[s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Length {
    pub(super) phases: u32,
    pub(super) phase: f64,
}

impl Length {
    /// Of holds with a mean and a mean residual life, E\[S²\]/2E\[S\] \[s\].
    pub(super) fn of(mean: f64, residual: f64) -> Self {
        let scv = (2.0 * residual / mean - 1.0).max(1.0 / PHASES_MOST);
        let phases = (1.0 / scv).round().max(1.0) as u32;
        Self { phases, phase: 2.0 * residual / f64::from(phases + 1) }
    }
}

/// Blocked commands of a route at one table.
pub(super) struct Wait {
    pub(super) waiting: Waiting,
    /// How likely an arrival at a random moment of the hold is blocked there, times the part of its group's clients that is free.
    pub(super) likely: f64,
    /// That times the mean time that is left \[s\].
    pub(super) seconds: f64,
}

/// A long hold at a random moment.
pub(super) struct Transient {
    pub(super) waits: Vec<Wait>,
    /// By group: the part of its clients that is free.
    pub(super) free: Vec<f64>,
    /// By state.
    pub(super) likely: Vec<f64>,
}

/// By state how likely it is at some moment, and by state and group that times the part of clients that is free.
struct Moment {
    likely: Vec<f64>,
    free: Vec<f64>,
}

impl Transient {
    /// Of a hold that begins in the first of these states.
    pub(super) fn of(cascade: &[State], arrivals: &Arrivals<'_>, length: Length) -> Self {
        let groups = arrivals.clients.len();
        let mut moment = Moment { likely: vec![0.0; cascade.len()], free: vec![0.0; cascade.len() * groups] };
        moment.likely[0] = 1.0;
        moment.free[..groups].fill(1.0);
        let mut found = Self { waits: Vec::new(), free: vec![0.0; groups], likely: vec![0.0; cascade.len()] };
        let mut places = vec![Vec::new(); arrivals.rates.len()];
        for phase in 0..length.phases {
            let left = f64::from(length.phases - phase) * length.phase;
            moment = moment.pass(cascade, arrivals, 1.0 / length.phase);
            let share = 1.0 / f64::from(length.phases);
            found.add(cascade, arrivals, &moment, share, left, &mut places);
        }
        found
    }

    /// Adds a moment that stands for such a share of all, where so much is left \[s\].
    fn add(
        &mut self,
        cascade: &[State],
        arrivals: &Arrivals<'_>,
        moment: &Moment,
        share: f64,
        left: f64,
        places: &mut [Vec<(usize, usize)>],
    ) {
        let groups = self.free.len();
        for (s, state) in cascade.iter().enumerate() {
            let free = &moment.free[s * groups..][..groups];
            self.likely[s] += share * moment.likely[s];
            for (sum, free) in self.free.iter_mut().zip(free) {
                *sum += share * free;
            }
            if moment.likely[s] < LIKELY_LEAST {
                continue;
            }
            for waiting in &state.waiting {
                // By route: takers, and where their waits are.
                let known = &mut places[waiting.route];
                let at = known.iter().find(|(taker, _)| *taker == waiting.taker);
                let place = if let Some((_, place)) = at {
                    *place
                } else {
                    known.push((waiting.taker, self.waits.len()));
                    self.waits.push(Wait { waiting: *waiting, likely: 0.0, seconds: 0.0 });
                    self.waits.len() - 1
                };
                let likely = share * free[arrivals.routes.group(waiting.route)];
                self.waits[place].likely += likely;
                self.waits[place].seconds += likely * left;
            }
        }
    }
}

impl Moment {
    /// The end of an exponential phase that begins here and ends at a rate \[1/s\]: its end sees what a random moment of it does.
    fn pass(mut self, cascade: &[State], arrivals: &Arrivals<'_>, end: f64) -> Self {
        let groups = arrivals.clients.len();
        let mut ended = Self { likely: vec![0.0; self.likely.len()], free: vec![0.0; self.free.len()] };
        let (mut free, mut blocked) = (vec![0.0; groups], vec![0.0; groups]);
        for (s, state) in cascade.iter().enumerate() {
            let likely = self.likely[s];
            if likely < LIKELY_LEAST {
                continue;
            }
            for (free, sum) in free.iter_mut().zip(&self.free[s * groups..]) {
                *free = sum / likely;
            }
            let on = |free: &[f64]| -> f64 {
                let moves = state.moves.iter();
                moves.map(|(route, _)| arrivals.rate(*route, free)).sum()
            };
            let leave = end + on(&free);
            arrivals.blocked(state, &mut blocked);
            for (free, blocked) in free.iter_mut().zip(&blocked) {
                *free *= leave / (leave + blocked);
            }
            ended.likely[s] = likely * end / leave;
            for (sum, free) in ended.free[s * groups..].iter_mut().zip(&free) {
                *sum = ended.likely[s] * free;
            }
            let all = on(&free);
            if all <= 0.0 {
                continue;
            }
            for (route, next) in &state.moves {
                let flow = (likely - ended.likely[s]) * arrivals.rate(*route, &free) / all;
                self.likely[*next] += flow;
                for (sum, free) in self.free[next * groups..].iter_mut().zip(&free) {
                    *sum += flow * free;
                }
            }
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::super::cascade::tests::{routes, while_read};
    use super::{Arrivals, Length, Transient};

    fn near(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    }

    /// A writer blocks table 2 to its readers.
    fn of_a_reader(length: Length) -> Transient {
        let routes = routes(&[(0, &[&[(2, true)]]), (0, &[&[(2, false)]])]);
        let arrivals = Arrivals { routes: &routes, rates: &[0.3, 5.0], clients: &[None], free: &[1.0] };
        Transient::of(&while_read(&routes), &arrivals, length)
    }

    #[test]
    fn readers_wait_from_the_first_writer_on() {
        let (rate, lasts) = (0.3, 4.0);
        let found = of_a_reader(Length { phases: 1, phase: lasts });
        let (writer, reader) = (&found.waits[0], &found.waits[1]);
        near(writer.likely, 1.0);
        near(writer.seconds, lasts);
        // The first of two exponential times that begin together.
        let blocked = rate / (rate + 1.0 / lasts);
        near(reader.likely, blocked);
        near(reader.seconds, blocked * lasts);
        near(found.likely[1], blocked);
    }

    #[test]
    fn of_stages_half_are_left_and_a_late_writer_leaves_less() {
        let found = of_a_reader(Length { phases: 6, phase: 1.0 });
        let (writer, reader) = (&found.waits[0], &found.waits[1]);
        near(writer.seconds, 3.5);
        let on: f64 = 1.0 / 1.3;
        let stages = (0..6).map(|k| (k, 1.0 - on.powi(k + 1)));
        let (likely, left) = stages
            .fold((0.0, 0.0), |sum, (k, blocked)| (sum.0 + blocked / 6.0, sum.1 + blocked * f64::from(6 - k) / 6.0));
        near(reader.likely, likely);
        near(reader.seconds, left);
        assert!(reader.seconds / reader.likely < 3.5);
    }

    #[test]
    fn a_client_is_blocked_once() {
        let routes = routes(&[(0, &[&[(2, true)]])]);
        let (rate, clients, lasts) = (2.0, 8.0, 10.0);
        let arrivals = Arrivals { routes: &routes, rates: &[rate], clients: &[Some(clients)], free: &[0.8] };
        let length = Length { phases: 1, phase: lasts };
        let found = Transient::of(&while_read(&routes), &arrivals, length);
        // Each arrives so often where it is free.
        let own = rate / 0.8 / clients;
        near(found.free[0], 1.0 / (1.0 + own * lasts));
        near(found.waits[0].likely, found.free[0]);
    }

    #[test]
    fn phases_have_the_residual_life_that_was_given() {
        for (mean, residual, phases) in [(2.0, 2.0, 1), (2.0, 1.0, 6), (6.0, 4.0, 3), (1.0, 9.0, 1)] {
            let length = Length::of(mean, residual);
            assert_eq!(length.phases, phases);
            // Of k phases (k + 1)/2 are left on average.
            let left = length.phase * f64::from(length.phases + 1) / 2.0;
            assert!((left - residual).abs() < 1e-12);
        }
    }
}
