//! How likely each state of a pause is at a random moment of it, and who is stuck then.
//!
//! Commands come as Poisson streams, and a pause lasts for some exponential phases of equal length (Erlang's method of
//! stages), so that states follow each other as in a Markov chain without returns: from state to state and from phase to
//! phase. A client who is stuck does not come again; of the others each is stuck at the rate at which it comes to what is
//! shut.
//!
//! Knows rates and lengths; not where they come from.

use std::collections::HashMap;

use super::after::After;
use super::course::{Routes, State, Stuck};

/// A state that is less likely is left out.
const LIKELY_LEAST: f64 = 1e-12;

/// Who comes while something is shut.
pub(super) struct Comers<'p> {
    pub(super) routes: &'p Routes,
    /// By route: commands on average \[1/s\].
    pub(super) rates: &'p [f64],
    /// By group: clients, if they are limited.
    pub(super) clients: &'p [Option<f64>],
    /// By group: how many of its clients are stuck nowhere, on average over all time.
    pub(super) free: &'p [f64],
}

impl Comers<'_> {
    /// How often a route is taken where so many of the clients of each group are free \[1/s\].
    fn rate(&self, route: usize, free: &[f64]) -> f64 {
        let group = self.routes.group(route);
        self.rates[route] * free[group] / self.free[group]
    }

    /// How often a client of each group is stuck in a state \[1/s\].
    fn stuck(&self, state: &State, rates: &mut [f64]) {
        rates.fill(0.0);
        for stuck in &state.stuck {
            let group = self.routes.group(stuck.route);
            if let Some(clients) = self.clients[group] {
                rates[group] += self.rates[stuck.route] / (self.free[group] * clients);
            }
        }
    }
}

/// How long pauses last: phases, and the mean of each \[s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Length {
    pub(super) phases: u32,
    pub(super) phase: f64,
}

impl Length {
    /// On average \[s\].
    pub(super) fn mean(self) -> f64 {
        f64::from(self.phases) * self.phase
    }
}

/// A pause at a random moment.
pub(super) struct Moments {
    /// How likely a route is stuck where, times the part of its group's clients that are free, and that times the time
    /// that is left \[s\].
    pub(super) stuck: Vec<(Stuck, f64, f64)>,
    /// How many of those whom another one let go are stuck as soon as it begins, and where.
    pub(super) again: Vec<(Stuck, f64)>,
    /// By group: the part of its clients that are free.
    pub(super) free: Vec<f64>,
    /// By state.
    pub(super) likely: Vec<f64>,
}

/// By state how likely it is at some moment, and by state and group that times the part of clients that are free.
struct Moment {
    likely: Vec<f64>,
    free: Vec<f64>,
}

impl Moments {
    /// Of a pause that begins in the first of these states, or where another client's ends, in one to which those lead at once
    /// who come from there.
    pub(super) fn of(
        course: &[State],
        comers: &Comers<'_>,
        length: Length,
        after: Option<After<'_>>,
    ) -> Self {
        let groups = comers.clients.len();
        let mut moment = Moment {
            likely: vec![0.0; course.len()],
            free: vec![0.0; course.len() * groups],
        };
        let begin = after.map_or_else(
            || vec![(0, 1.0)],
            |after| after.begin(course, comers.routes),
        );
        let again = after.map_or_else(Vec::new, |after| {
            after.all_again(&begin, course, comers.routes)
        });
        for (state, likely) in begin {
            moment.likely[state] += likely;
            let free = after.map_or_else(
                || vec![1.0; groups],
                |after| after.free(&course[state], comers),
            );
            let sums = &mut moment.free[state * groups..][..groups];
            for (sum, free) in sums.iter_mut().zip(free) {
                *sum += likely * free;
            }
        }
        let mut found = Self {
            stuck: Vec::new(),
            again,
            free: vec![0.0; groups],
            likely: vec![0.0; course.len()],
        };
        let mut places = HashMap::new();
        for phase in 0..length.phases {
            let left = f64::from(length.phases - phase) * length.phase;
            moment = moment.pass(course, comers, 1.0 / length.phase);
            found.add(
                course,
                comers,
                (&moment, 1.0 / f64::from(length.phases)),
                left,
                &mut places,
            );
        }
        found
    }

    /// Adds a moment that stands for such a share of all, where so much is left \[s\].
    fn add(
        &mut self,
        course: &[State],
        comers: &Comers<'_>,
        (moment, share): (&Moment, f64),
        left: f64,
        places: &mut HashMap<Stuck, usize>,
    ) {
        let groups = self.free.len();
        for (s, state) in course.iter().enumerate() {
            let free = &moment.free[s * groups..][..groups];
            self.likely[s] += share * moment.likely[s];
            for (sum, free) in self.free.iter_mut().zip(free) {
                *sum += share * free;
            }
            if moment.likely[s] < LIKELY_LEAST {
                continue;
            }
            for stuck in &state.stuck {
                let place = *places.entry(*stuck).or_insert_with(|| {
                    self.stuck.push((*stuck, 0.0, 0.0));
                    self.stuck.len() - 1
                });
                let likely = share * free[comers.routes.group(stuck.route)];
                self.stuck[place].1 += likely;
                self.stuck[place].2 += likely * left;
            }
        }
    }
}

impl Moment {
    /// The end of an exponential time that begins here and ends at a rate \[1/s\]: what is found at its end is found at a random
    /// moment of it.
    fn pass(mut self, course: &[State], comers: &Comers<'_>, end: f64) -> Self {
        let groups = comers.clients.len();
        let mut ended = Self {
            likely: vec![0.0; self.likely.len()],
            free: vec![0.0; self.free.len()],
        };
        let (mut free, mut stuck) = (vec![0.0; groups], vec![0.0; groups]);
        for (s, state) in course.iter().enumerate() {
            let likely = self.likely[s];
            if likely < LIKELY_LEAST {
                continue;
            }
            for (free, sum) in free.iter_mut().zip(&self.free[s * groups..]) {
                *free = sum / likely;
            }
            let on = |free: &[f64]| -> f64 {
                let moves = state.moves.iter();
                moves.map(|(route, _)| comers.rate(*route, free)).sum()
            };
            let leave = end + on(&free);
            comers.stuck(state, &mut stuck);
            for (free, stuck) in free.iter_mut().zip(&stuck) {
                *free *= leave / (leave + stuck);
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
                let flow = (likely - ended.likely[s]) * comers.rate(*route, &free) / all;
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
    use super::super::FREE_LEAST;
    use super::super::course::tests::{routes, while_read};
    use super::{After, Comers, Length, Moments, Stuck};

    fn near(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    }

    fn exponential(mean: f64) -> Length {
        Length {
            phases: 1,
            phase: mean,
        }
    }

    /// A writer shuts table 2 to its readers.
    fn of_a_reader(length: Length, after: Option<After<'_>>) -> Moments {
        let routes = routes(&[(0, &[&[(2, true)]]), (0, &[&[(2, false)]])]);
        let comers = Comers {
            routes: &routes,
            rates: &[0.3, 5.0],
            clients: &[None],
            free: &[1.0],
        };
        Moments::of(&while_read(&routes), &comers, length, after)
    }

    #[test]
    fn readers_wait_from_the_first_writer_on() {
        let (rate, lasts) = (0.3, 4.0);
        let moments = of_a_reader(exponential(lasts), None);
        let (writer, reader) = (moments.stuck[0], moments.stuck[1]);
        near(writer.1, 1.0);
        near(writer.2, lasts);
        // The first of two exponential times that begin together.
        let shut = rate / (rate + 1.0 / lasts);
        near(reader.1, shut);
        near(reader.2, shut * lasts);
        near(moments.likely[1], shut);
    }

    #[test]
    fn of_stages_half_are_left_and_a_late_closure_leaves_less() {
        let length = Length {
            phases: 6,
            phase: 1.0,
        };
        let moments = of_a_reader(length, None);
        let (writer, reader) = (moments.stuck[0], moments.stuck[1]);
        near(writer.2, 3.5);
        let on: f64 = 1.0 / 1.3;
        let stages = (0..6).map(|k| (k, 1.0 - on.powi(k + 1)));
        let (likely, left) = stages.fold((0.0, 0.0), |sum, (k, shut)| {
            (sum.0 + shut / 6.0, sum.1 + shut * f64::from(6 - k) / 6.0)
        });
        near(reader.1, likely);
        near(reader.2, left);
        assert!(reader.2 / reader.1 < 3.5);
    }

    #[test]
    fn after_another_pause_those_it_let_go_shut_tables_at_once() {
        let (rate, lasts) = (0.3, 4.0);
        // Of four writers on average who stood in line for the table two are behind who reads it next; readers shut nothing.
        let writer = Stuck { route: 0, taker: 0 };
        let reader = Stuck { route: 1, taker: 1 };
        let after = After {
            kind: 1,
            let_go: &[(writer, 3.0), (reader, 9.0), (writer, 1.0)],
            makers: &[(reader, 0.1)],
        };
        let moments = of_a_reader(exponential(lasts), Some(after));
        let at_once = 1.0 - (-2.0_f64).exp();
        let shut = at_once + (1.0 - at_once) * rate / (rate + 1.0 / lasts);
        near(moments.likely[1], shut);
        near(moments.stuck[1].1, shut);
    }

    #[test]
    fn who_was_stuck_before_another_pause_is_not_free_when_it_begins() {
        // Two of ten clients come from another table to what is shut anew, and of four who stood in line there two are behind.
        let routes = routes(&[(0, &[&[(0, false)], &[(2, true)]])]);
        let comers = Comers {
            routes: &routes,
            rates: &[0.0],
            clients: &[Some(10.0)],
            free: &[1.0],
        };
        let stuck = |taker| Stuck { route: 0, taker };
        let after = After {
            kind: 1,
            let_go: &[(stuck(0), 2.0), (stuck(1), 4.0)],
            makers: &[(stuck(1), 0.1)],
        };
        let course = while_read(&routes);
        assert_eq!(course.len(), 2);
        let free = after.free(&course[1], &comers);
        near(free[0], 0.6);
        // All ten are too many.
        let all = After {
            let_go: &[(stuck(0), 10.0)],
            ..after
        };
        near(all.free(&course[1], &comers)[0], FREE_LEAST);
    }

    #[test]
    fn a_client_is_stuck_once() {
        let routes = routes(&[(0, &[&[(2, true)]])]);
        let (rate, clients, lasts) = (2.0, 8.0, 10.0);
        let comers = Comers {
            routes: &routes,
            rates: &[rate],
            clients: &[Some(clients)],
            free: &[0.8],
        };
        let course = while_read(&routes);
        let moments = Moments::of(&course, &comers, exponential(lasts), None);
        // Each comes so often where it is free.
        let own = rate / 0.8 / clients;
        near(moments.free[0], 1.0 / (1.0 + own * lasts));
        near(moments.stuck[0].1, moments.free[0]);
    }

    #[test]
    fn who_is_behind_the_next_one_is_stuck_again_for_all_of_it() {
        // Those who want table 2 alone have table 0 alone by then; others only read table 0.
        let routes = routes(&[
            (0, &[&[(0, false)], &[(0, true), (2, true)]]),
            (0, &[&[(0, false)]]),
            (1, &[&[(0, false)], &[(2, false)]]),
        ]);
        let (writer, reader) = (Stuck { route: 0, taker: 0 }, Stuck { route: 1, taker: 2 });
        let at = |taker| (Stuck { route: 2, taker }, 0.125);
        let again = |makers: &[(Stuck, f64)]| {
            let after = After {
                kind: 4,
                let_go: &[(writer, 3.0), (reader, 8.0)],
                makers,
            };
            let course = while_read(&routes);
            after.all_again(&[(0, 1.0)], &course, &routes)
        };
        // The writers come to table 2, whoever has it next.
        let writers = (Stuck { route: 0, taker: 1 }, 3.0);
        // Who stood with the readers lets every other one of them go; who had passed table 0 before it was shut, nobody.
        assert_eq!(again(&[at(3)]), [writers, (reader, 4.0)]);
        assert_eq!(again(&[at(4)]), [writers, (reader, 8.0)]);
        assert_eq!(again(&[at(3), at(4)]), [writers, (reader, 6.0)]);
    }
}
