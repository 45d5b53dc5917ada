//! Pauses that one kind of sections makes: those that begin by themselves, and those that begin where another client's ends, with
//! what that one left for later still there.
//!
//! Adds what commands wait for them to what is known of all pauses, and who is let go at their ends.
//!
//! Knows who is stuck for how long ([`super::moments`]) and of what sorts pauses are ([`super::sorts`]); not what those who are
//! let go wait for each other ([`super::backlog`]).

use super::after::After;
use super::course::Stuck;
use super::moments::{Comers, Moments};
use super::release::{LetGo, Release};
use super::shut::Shut;
use super::sorts::Sort;
use super::{Pauses, SPARE_LEAST};
use crate::system::lock_wait::Sums;

/// A sort of pauses that is less likely is left out.
const LIKELY_LEAST: f64 = 1e-6;

/// What pauses of a kind leave to those that begin at their end.
#[derive(Clone, Default)]
pub(super) struct Heritage {
    /// How likely somebody who makes a pause of the kind has waited for another one, by where he was stuck.
    makers: Vec<(Stuck, f64)>,
    /// Who is let go, by where he was stuck, and how many of them.
    let_go: Vec<(Stuck, f64)>,
}

impl Heritage {
    /// How likely somebody who makes a pause of the kind has waited for another one.
    fn likely(&self) -> f64 {
        let makers = self.makers.iter();
        makers.map(|(_, likely)| likely).sum::<f64>().min(1.0)
    }
}

/// What somebody holds as soon as a pause of his ends: whoever is let go then meets that, if he wants one of its tables.
struct Next {
    shut: (usize, Shut),
    likely: f64,
    /// \[s\].
    lasts: f64,
}

/// By group: how many clients it has, if they are limited, and how many of them are stuck on average.
pub(super) struct Clients<'p> {
    pub(super) most: &'p [Option<f64>],
    pub(super) stuck: Vec<f64>,
}

/// What all pauses of a kind have in common.
struct All<'p> {
    holder: usize,
    kind: usize,
    /// Share of time.
    time: f64,
    /// The part of it that is another client's than who comes.
    of_others: f64,
    next: Vec<Next>,
    /// What those before leave to it.
    before: &'p Heritage,
}

impl Pauses {
    /// Adds the pauses of one kind of sections: those that begin by themselves, and those that begin where another client's ends,
    /// with what that one left for later still there.
    pub(super) fn pause(
        &mut self,
        holder: usize,
        (kind, sums): (usize, &[Sums]),
        clients: &mut Clients<'_>,
    ) {
        if self.holders[holder].course.is_empty() {
            self.holders[holder].course = self.routes.course(self.holders[holder].begin);
        }
        let before = std::mem::take(&mut self.heritage[kind]);
        let of_others = clients.most[self.group_of[kind]].map_or(1.0, |n| 1.0 - 1.0 / n.max(1.0));
        let time = (self.parts[kind] * sums[kind].work).min(1.0);
        let sorts = Sort::both(sums[kind], before.likely());
        let all = All {
            holder,
            kind,
            time,
            of_others,
            next: self.next(kind, sums),
            before: &before,
        };
        self.shut_out[kind] = vec![0.0; self.routes.len()];
        for sort in sorts.iter().filter(|sort| sort.likely > LIKELY_LEAST) {
            self.pause_of(&all, sort, sums[kind], clients);
        }
    }

    /// Adds those pauses of a kind that are of one sort.
    fn pause_of(&mut self, all: &All<'_>, sort: &Sort, sum: Sums, clients: &mut Clients<'_>) {
        let holder = &self.holders[all.holder];
        let part = sort.likely * sort.longer;
        let share = all.time * part;
        let comers = Comers {
            routes: &self.routes,
            rates: &self.rates,
            clients: clients.most,
            free: &self.free,
        };
        let after = sort.after_another.then_some(After {
            kind: all.kind,
            let_go: &all.before.let_go,
            makers: &all.before.makers,
        });
        let length = sort.length(sum.work / sum.rate);
        let moments = Moments::of(&holder.course, &comers, length, after);
        let begin = holder.begin;
        for (stuck, free) in clients.stuck.iter_mut().zip(&moments.free) {
            *stuck += share * (1.0 - free);
        }
        for (shut, (server, table)) in self.shut.iter_mut().zip(self.routes.tables()) {
            if *server == begin.0 {
                let states = holder.course.iter().zip(&moments.likely);
                let to_all = states.filter(|(state, _)| state.shut.is_to_all(*table));
                *shut += share * to_all.map(|(_, likely)| likely).sum::<f64>();
            }
        }
        let away = self.away(&moments.free);
        for (out, away) in self.shut_out[all.kind].iter_mut().zip(away) {
            *out += part * away;
        }
        let mut release = Release {
            often: self.parts[all.kind] * sum.rate * sort.likely,
            let_go: vec![LetGo::default(); self.routes.len()],
            stuck: Vec::new(),
        };
        for (stuck, likely, seconds) in moments.stuck {
            let group = self.routes.group(stuck.route);
            // Nobody comes to a pause of his own.
            let comes = if group == self.group_of[all.kind] {
                all.of_others
            } else {
                1.0
            };
            let (rate, come) = (self.rates[stuck.route], comes / self.free[group]);
            let likely = likely * come;
            self.wait_as(stuck.route, stuck.taker, share * seconds * come);
            self.shut_out[all.kind][stuck.route] += part * likely;
            if self.routes.comes_to(stuck, all.kind) {
                let makers = &mut self.heritage[all.kind].makers;
                add(makers, stuck, share * likely);
            }
            // Of a pause that somebody is stuck in, as much is gone as is left.
            let many = 2.0 * sort.left * rate * likely;
            release.add(stuck, share * likely, many);
        }
        for (stuck, many) in moments.again {
            let rate = self.rates[stuck.route];
            if rate > 0.0 {
                let likely = release.often * many / rate;
                self.wait_as(stuck.route, stuck.taker, likely * length.mean());
                self.again[stuck.route] += likely;
                release.add(stuck, likely, many);
            }
        }
        for (stuck, own) in &release.stuck {
            self.meet_next(*stuck, own.likely, &all.next, clients);
            let let_go = &mut self.heritage[all.kind].let_go;
            add(let_go, *stuck, own.many * part.min(1.0 - SPARE_LEAST));
        }
        self.releases.push(release);
    }

    /// Adds what those who are let go with such a likelihood wait for what is held next.
    fn meet_next(&mut self, stuck: Stuck, likely: f64, next: &[Next], clients: &mut Clients<'_>) {
        for next in next {
            if let Some(taker) = self.routes.again(stuck, next.shut) {
                let wait = likely * next.likely * next.lasts;
                self.wait_as(stuck.route, taker, wait);
                let group = self.routes.group(stuck.route);
                let most = clients.most[group].unwrap_or(f64::INFINITY);
                clients.stuck[group] += self.rates[stuck.route] * wait / most;
            }
        }
    }

    /// What a kind's holders hold next.
    fn next(&self, kind: usize, sums: &[Sums]) -> Vec<Next> {
        let own = self.routes.next(kind);
        let all: f64 = own.iter().map(|(route, _)| self.rates[*route]).sum();
        let next = own.into_iter().filter_map(|(route, next)| {
            let next = next.filter(|next| sums[*next].rate > 0.0)?;
            Some(Next {
                shut: self.routes.held_by(next),
                likely: self.rates[route] / all,
                lasts: sums[next].work / sums[next].rate,
            })
        });
        next.collect()
    }

    /// By route, the part of its commands that does not come where so many of each group's clients are free.
    fn away(&self, free: &[f64]) -> Vec<f64> {
        let groups = (0..self.routes.len()).map(|route| self.routes.group(route));
        groups.map(|g| 1.0 - free[g] / self.free[g]).collect()
    }
}

/// Adds to who is stuck somewhere.
fn add(all: &mut Vec<(Stuck, f64)>, stuck: Stuck, more: f64) {
    match all.iter_mut().find(|(known, _)| *known == stuck) {
        Some((_, sum)) => *sum += more,
        None => all.push((stuck, more)),
    }
}
