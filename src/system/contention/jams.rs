//! Tables that a throng at the stations shuts ([`super::super::throngs`]).
//!
//! With n more at a station each hold that works there lasts longer by n of its demands, and so a table is asked for more: from
//! one on it lets through fewer than come, which is told as a time for which it is shut. Who has an earlier table alone comes to a
//! later one by himself and never asks for more than that can do. Whoever has an earlier table stands with it at the one that is
//! shut, so that the earlier one is shut as well, from the first of them on.
//!
//! Knows what tables were asked for in the last round; not who waits ([`super::super::pauses`]).

use super::super::pauses::{Jam, Jammed};
use super::super::throngs::{Comers, Throng};
use super::met::wanted_alone;
use super::{Contention, rest};

/// A time that is worth telling \[s\].
const LEAST: f64 = 1e-9;

/// What the last round's tables can do.
pub(in crate::system) struct Tables {
    stations: usize,
    /// By contest and station, how many more jobs there make it be asked for all it can do; infinite if none do.
    room: Vec<Vec<f64>>,
    /// By contest.
    comers: Vec<Comers>,
}

impl Tables {
    /// By station, how many more jobs make the first table be asked for all it can do; infinite if none do.
    pub(in crate::system) fn least_room(&self) -> Vec<f64> {
        let stations = 0..self.stations;
        let least = stations.map(|k| {
            let room = self.room.iter().map(|room| room[k]);
            room.fold(f64::INFINITY, f64::min)
        });
        least.collect()
    }
}

impl Contention<'_> {
    /// What tables were asked for, where groups' cycles come so often and stations have so many servers; none before the first
    /// round.
    pub(in crate::system) fn tables(&self, rates: &[f64], servers: &[f64]) -> Tables {
        let mut tables = Tables {
            stations: servers.len(),
            room: Vec::new(),
            comers: Vec::new(),
        };
        if self.holds.is_empty() {
            return tables;
        }
        let asked = self.asked_by_one_more(rates, servers);
        let room = self.found.iter().zip(asked).map(|(found, asked)| {
            let room = asked.into_iter().map(|asked| {
                if asked > 0.0 && found.asked > 0.0 {
                    (1.0 - found.asked).max(0.0) / asked
                } else {
                    f64::INFINITY
                }
            });
            room.collect()
        });
        tables.room = room.collect();
        let contests = 0..self.contests.all.len();
        tables.comers = contests.map(|contest| self.comers(contest)).collect();
        tables
    }

    /// Who comes to a contest.
    fn comers(&self, contest: usize) -> Comers {
        let (mut all, mut closed, mut clients) = (0.0, 0.0, 0.0);
        let mut counted = vec![false; self.populations.len()];
        for taker in &self.contests.takers[self.contests.all[contest].takers.clone()] {
            let group = self.contests.kinds[taker.kind].group;
            let rate = self.sums[taker.kind].rate;
            if self.load.groups[group].never_thinks() {
                continue;
            }
            all += rate;
            if let Some(population) = self.populations[group] {
                closed += rate;
                if !std::mem::replace(&mut counted[group], true) {
                    clients += population;
                }
            }
        }
        if closed <= 0.0 {
            return Comers::default();
        }
        Comers {
            closed: closed / all,
            often: closed / clients,
        }
    }

    /// What throngs make of the tables of an instance of p4d that is not the one that they come from.
    pub(in crate::system) fn jams(&self, throngs: &[Throng], could: &Tables) -> Vec<Jam> {
        let elsewhere = 1.0 - 1.0 / self.load.instances;
        if throngs.is_empty() || elsewhere <= 0.0 {
            return Vec::new();
        }
        let rate = |kind: usize| self.sums[kind].rate;
        let contests = 0..self.contests.all.len();
        let alone = contests.map(|contest| wanted_alone(&self.contests, contest, rate));
        let alone: Vec<f64> = alone.collect();
        let jams = throngs.iter().enumerate().filter_map(|(at, throng)| {
            let tables = could.room.iter().zip(&could.comers).zip(&alone);
            let tables = tables.map(|((room, comers), alone)| {
                let until = throng.stops(room[throng.station], *comers);
                Jammed {
                    until,
                    behind: until,
                    alone: *alone,
                }
            });
            let mut tables: Vec<Jammed> = tables.collect();
            self.shut_earlier(&mut tables);
            let any = tables.iter().any(|table| table.until > 0.0);
            any.then_some(Jam {
                throng: at,
                often: throng.often * elsewhere,
                tables,
            })
        });
        jams.collect()
    }

    /// By contest and station, how much more of its capacity is asked for with a job more at the station, by those who can ask for
    /// more than it has.
    fn asked_by_one_more(&self, rates: &[f64], servers: &[f64]) -> Vec<Vec<f64>> {
        let mut more = vec![vec![0.0; servers.len()]; self.contests.all.len()];
        let mut work = vec![0.0; self.contests.all.len()];
        let pieces = self.pieces.iter().zip(self.contests.firsts.windows(2));
        for (piece, firsts) in pieces {
            let rate = rates[piece.group] * piece.weight / self.load.instances;
            for (s, inside) in (firsts[0]..firsts[1]).zip(piece.cost.insides()) {
                let kind = self.contests.kind_of[s];
                let rate = rate * rest(self.pauses.as_ref(), kind);
                let places = self.contests.places_of(kind).iter();
                for (contest, _) in places.filter(|(_, taker)| !self.comes_by_himself(*taker)) {
                    work[*contest] += rate * self.holds[s].mean;
                    for (k, demand) in inside.iter() {
                        more[*contest][k] += rate * demand / servers[k];
                    }
                }
            }
        }
        for ((more, work), found) in more.iter_mut().zip(work).zip(&self.found) {
            for more in more.iter_mut().filter(|more| **more > 0.0) {
                *more *= found.asked / work;
            }
        }
        more
    }

    /// Whether a taker comes to a contest one at a time, since he has another one alone by then.
    fn comes_by_himself(&self, taker: usize) -> bool {
        let taker = &self.contests.takers[taker];
        let held = self.while_held.as_ref();
        held.is_some_and(|held| held.has_before(taker).is_some())
    }

    /// Shuts earlier tables of those who stand at later ones.
    fn shut_earlier(&self, tables: &mut [Jammed]) {
        let Some(held) = &self.while_held else {
            return;
        };
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for kind in (0..self.sums.len()).filter(|kind| self.sums[*kind].rate > 0.0) {
                for (contest, _) in self.contests.places_of(kind) {
                    let later = held.later(&self.contests, *contest, kind);
                    let later = later.map(|(later, _)| tables[*later].behind);
                    let later = later.fold(0.0, f64::max);
                    let own = &mut tables[*contest];
                    if later > own.behind + LEAST {
                        own.behind = later;
                        changed = true;
                    }
                }
            }
        }
    }
}
