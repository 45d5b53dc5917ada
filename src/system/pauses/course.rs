//! Which tables shut one after the other while somebody has some for long, by who comes.
//!
//! A state is a set of tables that are shut to those who want them alone and a set that is shut to all. Who comes takes
//! his tables in their order until one is shut to him; there he stays, with all that he has, and what he has and what he
//! wants is shut in turn. So states only grow, and the few that can be reached are found once.
//!
//! Knows who takes which tables in which order; not how often, nor for how long ([`super::moments`]).

use std::collections::HashMap;

use super::super::contests::Contests;
use super::super::solve::Piece;
use super::shut::{Shut, Taken};

/// States that are told apart at most; beyond, whoever would lead to another leaves all as it is.
const STATES_MAX: usize = 4096;

/// Calls of a group that take the same tables in the same order.
struct Route {
    group: usize,
    /// The kind of each section, and whether it begins as soon as the one before it ends.
    sections: Vec<(usize, bool)>,
}

impl Route {
    fn kinds(&self) -> impl Iterator<Item = usize> {
        self.sections.iter().map(|(kind, _)| *kind)
    }
}

/// All ways through the tables.
pub(super) struct Routes {
    all: Vec<Route>,
    /// By piece.
    of_piece: Vec<usize>,
    /// By kind of sections: the server, and the tables in their order.
    ways: Vec<(usize, Vec<Taken>)>,
    /// By contest: the server, and which of its tables it is.
    tables: Vec<(usize, u32)>,
}

/// Who is stuck: a route, and the taker that it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stuck {
    pub(super) route: usize,
    pub(super) taker: usize,
}

pub(super) struct State {
    pub(super) shut: Shut,
    pub(super) stuck: Vec<Stuck>,
    /// Routes that shut further tables, and the state that follows.
    pub(super) moves: Vec<(usize, usize)>,
}

impl Routes {
    /// Of pieces through tables of these ranks.
    pub(super) fn of(pieces: &[Piece<'_>], contests: &Contests<'_>, ranks: &[usize]) -> Self {
        let mut tables = vec![(0, 0); contests.all.len()];
        let mut counts: Vec<u32> = Vec::new();
        let mut known = vec![false; contests.all.len()];
        for (_, server, contest) in &contests.locks {
            if !std::mem::replace(&mut known[*contest], true) {
                counts.resize(counts.len().max(*server + 1), 0);
                tables[*contest] = (*server, counts[*server]);
                counts[*server] += 1;
            }
        }
        let ways = contests.kinds.iter().map(|kind| {
            let mut own = contests.places[kind.places.clone()].to_vec();
            own.sort_unstable_by_key(|(c, _)| (ranks[*c], *c));
            let server = own.first().map_or(0, |(c, _)| tables[*c].0);
            let own = own.iter().map(|(contest, taker)| Taken {
                table: tables[*contest].1,
                alone: contests.takers[*taker].exclusive,
                taker: *taker,
                contest: *contest,
            });
            (
                server,
                own.filter(|t| t.table < Shut::TABLES_MOST).collect(),
            )
        });
        let mut routes = Self {
            ways: ways.collect(),
            all: Vec::new(),
            of_piece: Vec::with_capacity(contests.firsts.len()),
            tables,
        };
        // A kind is of one group, so that routes of the same kinds are too.
        for (piece, firsts) in pieces.iter().zip(contests.firsts.windows(2)) {
            let kinds = &contests.kind_of[firsts[0]..firsts[1]];
            let sections = piece
                .cost
                .sections
                .iter()
                .zip(kinds)
                .map(|(section, kind)| {
                    let before = piece.cost.list(&section.before);
                    (*kind, before.iter().next().is_none())
                });
            let sections: Vec<(usize, bool)> = sections.collect();
            let known = routes.all.iter().position(|r| r.sections == sections);
            routes.of_piece.push(known.unwrap_or(routes.all.len()));
            if known.is_none() {
                routes.all.push(Route {
                    group: kinds.first().map_or(0, |kind| contests.kinds[*kind].group),
                    sections,
                });
            }
        }
        routes
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn group(&self, route: usize) -> usize {
        self.all[route].group
    }

    /// The kinds of a route's sections, one after the other, and what each takes.
    pub(super) fn sections(&self, route: usize) -> impl Iterator<Item = (usize, &[Taken])> {
        let kinds = self.all[route].kinds();
        kinds.map(|kind| (kind, &*self.ways[kind].1))
    }

    pub(super) fn of_piece(&self, piece: usize) -> usize {
        self.of_piece[piece]
    }

    /// Server and number there of each contest's table.
    pub(super) fn tables(&self) -> &[(usize, u32)] {
        &self.tables
    }

    /// The server of a kind of sections, and what is shut while it has its tables.
    pub(super) fn held_by(&self, kind: usize) -> (usize, Shut) {
        let (server, way) = &self.ways[kind];
        (*server, Shut::by(way))
    }

    /// Routes that are stuck while these tables of a server are shut, and those of them that shut further ones to all.
    pub(super) fn behind(&self, (server, shut): (usize, Shut)) -> (Vec<usize>, Vec<usize>) {
        let (state, next) = self.state(server, shut);
        let stuck = state.stuck.iter().map(|stuck| stuck.route);
        let further = next.iter().filter(|(_, then)| then.is_more_than(shut));
        (stuck.collect(), further.map(|(route, _)| *route).collect())
    }

    /// Kinds of sections with their tables and how many there are, where routes have so many commands.
    pub(super) fn kinds_with<'r, T>(
        &'r self,
        routes: &'r [T],
        many: impl Fn(&T) -> f64 + 'r,
    ) -> impl Iterator<Item = (usize, &'r [Taken], f64)> {
        let mut sums = vec![0.0; self.ways.len()];
        for (route, own) in routes.iter().enumerate() {
            for kind in self.all[route].kinds() {
                sums[kind] += many(own);
            }
        }
        let ways = self.ways.iter().zip(sums).enumerate();
        ways.map(|(kind, ((_, way), many))| (kind, &**way, many))
    }

    /// Who has sections of a kind, and of what kind the next section on the same server is where it begins at once.
    pub(super) fn next(&self, kind: usize) -> Vec<(usize, Option<usize>)> {
        let server = |kind: usize| self.ways[kind].0;
        let routes = self.all.iter().enumerate();
        let next = routes.filter_map(|(route, own)| {
            let at = own.kinds().position(|k| k == kind)?;
            let next = own.sections.get(at + 1);
            let next = next.filter(|(next, at_once)| *at_once && server(*next) == server(kind));
            Some((route, next.map(|(next, _)| *next)))
        });
        next.collect()
    }

    /// The section in which somebody is stuck.
    pub(super) fn section(&self, stuck: Stuck) -> Option<usize> {
        let mut sections = self.sections(stuck.route);
        sections.position(|(_, way)| way.iter().any(|taken| taken.taker == stuck.taker))
    }

    /// Whether somebody who is stuck comes to a section of this kind when he is let go, there or later.
    pub(super) fn comes_to(&self, stuck: Stuck, kind: usize) -> bool {
        let at = self.section(stuck);
        at.is_some_and(|at| {
            self.sections(stuck.route)
                .skip(at)
                .any(|(own, _)| own == kind)
        })
    }

    /// How likely somebody who is stuck is behind another one: surely where that one had passed before it was shut, and every
    /// other time where both are in one line.
    pub(super) fn behind_whom(&self, own: Stuck, other: Stuck) -> f64 {
        let taken = |route| self.sections(route).flat_map(|(_, way)| way);
        let Some(at) = taken(own.route).find(|taken| taken.taker == own.taker) else {
            return 0.0;
        };
        let mut way = taken(other.route);
        match way.find(|taken| taken.contest == at.contest || taken.taker == other.taker) {
            Some(met) if met.contest == at.contest => {
                let in_line = met.taker == other.taker;
                if in_line { 0.5 } else { 1.0 }
            }
            _ => 0.0,
        }
    }

    /// As which taker somebody who was stuck is stuck again in a later section, while these tables of a server are shut.
    pub(super) fn again(&self, stuck: Stuck, (server, shut): (usize, Shut)) -> Option<usize> {
        let mut ways = self.all[stuck.route].kinds().map(|kind| &self.ways[kind]);
        ways.find(|(_, way)| way.iter().any(|taken| taken.taker == stuck.taker))?;
        let mut later = ways.filter(|(at, _)| *at == server);
        later.find_map(|(_, way)| shut.stuck(way).map(|(taker, _)| taker))
    }

    /// The state where these tables of a server are shut, and what routes make of it.
    fn state(&self, server: usize, shut: Shut) -> (State, Vec<(usize, Shut)>) {
        let mut state = State {
            shut,
            stuck: Vec::new(),
            moves: Vec::new(),
        };
        let mut next = Vec::new();
        for (route, own) in self.all.iter().enumerate() {
            let here = own.kinds().map(|kind| &self.ways[kind]);
            let mut here = here.filter(|(at, _)| *at == server);
            if let Some((taker, then)) = here.find_map(|(_, way)| shut.stuck(way)) {
                state.stuck.push(Stuck { route, taker });
                if then != shut {
                    next.push((route, then));
                }
            }
        }
        (state, next)
    }

    /// All states that follow from one where these tables of a server are shut, each after those that lead to it.
    pub(super) fn course(&self, (server, begin): (usize, Shut)) -> Vec<State> {
        let mut shuts = vec![begin];
        let mut known = HashMap::from([(begin, 0)]);
        let mut found = Vec::new();
        while found.len() < shuts.len() {
            let (state, next) = self.state(server, shuts[found.len()]);
            for (_, then) in &next {
                if !known.contains_key(then) && shuts.len() < STATES_MAX {
                    known.insert(*then, shuts.len());
                    shuts.push(*then);
                }
            }
            found.push((state, next));
        }
        found.sort_by_key(|(state, _)| state.shut.size());
        let places: HashMap<Shut, usize> = found
            .iter()
            .enumerate()
            .map(|(at, (state, _))| (state.shut, at))
            .collect();
        let found = found.into_iter().map(|(mut state, next)| {
            let next = next.into_iter();
            let moves = next.filter_map(|(route, then)| Some((route, *places.get(&then)?)));
            state.moves = moves.collect();
            state
        });
        found.collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Route, Routes, Shut, State, Stuck, Taken};

    /// Tables that a section takes, alone or not.
    type Tables<'t> = &'t [(u32, bool)];

    /// Routes of these groups through sections that take these tables of one server.
    pub(in super::super) fn routes(all: &[(usize, &[Tables<'_>])]) -> Routes {
        let mut routes = Routes {
            all: Vec::new(),
            of_piece: Vec::new(),
            ways: Vec::new(),
            tables: vec![(0, 0), (0, 1), (0, 2)],
        };
        for (group, sections) in all {
            let kinds = sections.iter().map(|section| {
                let taker = routes.ways.len();
                let taken = section.iter().map(|(table, alone)| Taken {
                    table: *table,
                    alone: *alone,
                    taker,
                    contest: *table as usize,
                });
                routes.ways.push((0, taken.collect()));
                (taker, true)
            });
            let kinds = kinds.collect();
            routes.of_piece.push(routes.all.len());
            routes.all.push(Route {
                group: *group,
                sections: kinds,
            });
        }
        routes
    }

    /// What follows while somebody reads table 2.
    pub(in super::super) fn while_read(routes: &Routes) -> Vec<State> {
        let mut shut = Shut::default();
        shut.add(&Taken {
            table: 2,
            alone: false,
            taker: 0,
            contest: 2,
        });
        routes.course((0, shut))
    }

    #[test]
    fn who_is_stuck_shuts_what_it_has_and_what_it_wants() {
        // One has table 0 alone when it wants table 2 alone; others read table 0, or read 1 and then 2.
        let routes = routes(&[
            (0, &[&[(0, true), (2, true)]]),
            (0, &[&[(0, false)]]),
            (0, &[&[(1, false), (2, false)]]),
            (0, &[&[(1, true)]]),
        ]);
        let course = while_read(&routes);
        let stuck = |s: usize| -> Vec<usize> { course[s].stuck.iter().map(|s| s.route).collect() };
        // Only the one is stuck while the table is read; then all who want 0 or 2, and at last who wants 1 alone.
        assert_eq!(stuck(0), [0]);
        assert_eq!(stuck(1), [0, 1, 2]);
        assert_eq!(stuck(2), [0, 1, 2, 3]);
        assert_eq!(course.len(), 4);
        let all =
            |s: usize| -> Vec<u32> { (0..3).filter(|t| course[s].shut.is_to_all(*t)).collect() };
        assert!(all(0).is_empty());
        assert_eq!(
            (all(1), all(2), all(3)),
            (vec![0, 2], vec![0, 2], vec![0, 1, 2])
        );
    }

    #[test]
    fn who_wants_another_table_goes_on() {
        let routes = routes(&[(0, &[&[(0, true), (1, true)]]), (0, &[&[(2, false)]])]);
        let course = while_read(&routes);
        assert_eq!(course.len(), 1);
        assert!(course[0].stuck.is_empty());
    }

    #[test]
    fn who_is_let_go_meets_what_the_holder_takes_next() {
        // One reads table 2 and then wants it alone, as others do; some only read it, or want another one then.
        let mut routes = routes(&[
            (0, &[&[(2, false)], &[(2, true)]]),
            (1, &[&[(2, false)], &[(2, true)]]),
            (1, &[&[(2, false)]]),
            (1, &[&[(2, false)], &[(0, true)]]),
        ]);
        let stuck = |route, taker| Stuck { route, taker };
        assert_eq!(routes.next(0), [(0, Some(1))]);
        let then = routes.held_by(1);
        assert_eq!(routes.again(stuck(1, 2), then), Some(3));
        assert_eq!(routes.again(stuck(2, 4), then), None);
        assert_eq!(routes.again(stuck(3, 5), then), None);
        assert!(routes.comes_to(stuck(1, 2), 3) && routes.comes_to(stuck(1, 3), 3));
        assert!(!routes.comes_to(stuck(1, 3), 2));
        // Who is stuck in his last section has no other.
        assert_eq!(routes.again(stuck(1, 3), then), None);
        // He is behind those who stood before him in his line, or had passed it; not behind who stands at an earlier table.
        let who = [stuck(1, 2), stuck(1, 3)];
        assert_eq!(who.map(|own| routes.behind_whom(own, who[0])), [0.5, 0.5]);
        assert_eq!(
            who.map(|own| routes.behind_whom(own, stuck(3, 5))),
            [0.5, 0.5]
        );
        assert_eq!(routes.behind_whom(stuck(3, 6), stuck(3, 5)), 0.0);
        assert_eq!(routes.behind_whom(stuck(3, 5), stuck(3, 6)), 1.0);
        // Who does something else first lets them pass.
        routes.all[0].sections[1].1 = false;
        assert_eq!(routes.next(0), [(0, None)]);
    }
}
