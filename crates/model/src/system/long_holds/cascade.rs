//! The blocking cascade behind one long hold: the sets of blocked tables that can follow each other while it lasts.
//!
//! A state is a set of blocked tables ([`Blocked`]). An arriving command requests its tables in their order until one is blocked; it
//! stays there with the tables that it holds, which are blocked in turn. States therefore only grow, and the few that can be
//! reached are enumerated once. How likely each is follows from rates and lengths ([`super::transient`]).

use std::collections::HashMap;

use super::super::contests::Contests;
use super::super::piece::Piece;
use super::blocked::{Blocked, Request};

/// Most states of a cascade; beyond, an arrival that would lead to another one leaves the state as it is. Sites met so far have
/// fewer than 300.
const STATES_MAX: usize = 4096;

/// Calls of a group that lock the same tables in the same order.
#[derive(PartialEq)]
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

/// The order in which all commands lock their tables.
#[derive(PartialEq)]
pub(super) struct Routes {
    all: Vec<Route>,
    /// By piece.
    of_piece: Vec<usize>,
    /// By kind of sections: the server, and the tables in their order.
    requests: Vec<(usize, Vec<Request>)>,
    /// By contest: the server, and which of its tables it is.
    tables: Vec<(usize, u32)>,
}

/// Where commands are blocked: a route, and the taker that it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    pub(super) route: usize,
    pub(super) taker: usize,
}

/// A state of a cascade.
pub(super) struct State {
    pub(super) blocked: Blocked,
    pub(super) waiting: Vec<Waiting>,
    /// Routes whose arrival blocks further tables, and the state that follows.
    pub(super) moves: Vec<(usize, usize)>,
}

impl Routes {
    /// Of pieces through tables of these ranks.
    pub(super) fn of(pieces: &[Piece<'_>], contests: &Contests<'_>, ranks: &[usize]) -> Self {
        let tables = numbered(contests);
        let requests = contests.kinds.iter().map(|kind| {
            let mut places = contests.places[kind.places.clone()].to_vec();
            places.sort_unstable_by_key(|(contest, _)| (ranks[*contest], *contest));
            let server = places.first().map_or(0, |(contest, _)| tables[*contest].0);
            let requests = places.iter().map(|(contest, taker)| Request {
                table: tables[*contest].1,
                exclusive: contests.takers[*taker].exclusive,
                taker: *taker,
            });
            let distinguished = requests.filter(|r| r.table < Blocked::TABLES_MOST);
            (server, distinguished.collect())
        });
        let mut routes =
            Self { requests: requests.collect(), all: Vec::new(), of_piece: Vec::with_capacity(pieces.len()), tables };
        for (piece, firsts) in pieces.iter().zip(contests.firsts.windows(2)) {
            let kinds = &contests.kind_of[firsts[0]..firsts[1]];
            let sections = piece.cost.sections.iter().zip(kinds);
            let sections = sections.map(|(section, kind)| {
                let before = piece.cost.list(&section.before);
                (*kind, before.iter().next().is_none())
            });
            let route = Route { group: piece.group, sections: sections.collect() };
            let known = routes.all.iter().position(|known| *known == route);
            routes.of_piece.push(known.unwrap_or(routes.all.len()));
            if known.is_none() {
                routes.all.push(route);
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

    pub(super) fn of_piece(&self, piece: usize) -> usize {
        self.of_piece[piece]
    }

    /// Server and number there of each contest's table.
    pub(super) fn tables(&self) -> &[(usize, u32)] {
        &self.tables
    }

    /// The server of a kind of sections, and what is blocked while it holds its tables.
    pub(super) fn held_by(&self, kind: usize) -> (usize, Blocked) {
        let (server, requests) = &self.requests[kind];
        (*server, Blocked::by(requests))
    }

    /// Routes whose arrival blocks further tables to all while these of a server are blocked.
    pub(super) fn closers(&self, server: usize, blocked: Blocked) -> Vec<usize> {
        let (_, next) = self.state(server, blocked);
        let further = next.iter().filter(|(_, then)| then.blocks_more_than(blocked));
        further.map(|(route, _)| *route).collect()
    }

    /// Routes with sections of a kind, and the kind of the next section on the same server where that begins at once.
    pub(super) fn next(&self, kind: usize) -> Vec<(usize, Option<usize>)> {
        let server = |kind: usize| self.requests[kind].0;
        let routes = self.all.iter().enumerate();
        let next = routes.filter_map(|(route, own)| {
            let at = own.kinds().position(|k| k == kind)?;
            let next = own.sections.get(at + 1);
            let next = next.filter(|(next, at_once)| *at_once && server(*next) == server(kind));
            Some((route, next.map(|(next, _)| *next)))
        });
        next.collect()
    }

    /// As which taker a command that was blocked is blocked again in a later section, while these tables of a server are.
    pub(super) fn again(&self, was: Waiting, server: usize, blocked: Blocked) -> Option<usize> {
        let mut sections = self.all[was.route].kinds().map(|kind| &self.requests[kind]);
        sections.find(|(_, requests)| requests.iter().any(|r| r.taker == was.taker))?;
        let mut later = sections.filter(|(at, _)| *at == server);
        later.find_map(|(_, requests)| blocked.first(requests).map(|(taker, _)| taker))
    }

    /// The state where these tables of a server are blocked, and what an arrival of each route makes of it.
    fn state(&self, server: usize, blocked: Blocked) -> (State, Vec<(usize, Blocked)>) {
        let mut state = State { blocked, waiting: Vec::new(), moves: Vec::new() };
        let mut next = Vec::new();
        for (route, own) in self.all.iter().enumerate() {
            let sections = own.kinds().map(|kind| &self.requests[kind]);
            let mut here = sections.filter(|(at, _)| *at == server);
            if let Some((taker, then)) = here.find_map(|(_, requests)| blocked.first(requests)) {
                state.waiting.push(Waiting { route, taker });
                if then != blocked {
                    next.push((route, then));
                }
            }
        }
        (state, next)
    }

    /// All states that follow from one where these tables of a server are blocked, each after those that lead to it.
    pub(super) fn cascade(&self, server: usize, first: Blocked) -> Vec<State> {
        let mut reached = vec![first];
        let mut known = HashMap::from([(first, 0)]);
        let mut found = Vec::new();
        while found.len() < reached.len() {
            let (state, next) = self.state(server, reached[found.len()]);
            for (_, then) in &next {
                if !known.contains_key(then) && reached.len() < STATES_MAX {
                    known.insert(*then, reached.len());
                    reached.push(*then);
                }
            }
            found.push((state, next));
        }
        found.sort_by_key(|(state, _)| state.blocked.size());
        let places = found.iter().enumerate();
        let places: HashMap<Blocked, usize> = places.map(|(at, (state, _))| (state.blocked, at)).collect();
        let found = found.into_iter().map(|(mut state, next)| {
            let moves = next.into_iter();
            let moves = moves.filter_map(|(route, then)| Some((route, *places.get(&then)?)));
            state.moves = moves.collect();
            state
        });
        found.collect()
    }
}

/// By contest the server and the number of its table there.
fn numbered(contests: &Contests<'_>) -> Vec<(usize, u32)> {
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
    tables
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Blocked, Request, Route, Routes, State, Waiting};

    /// Tables that a section locks, exclusively or not.
    type Tables<'t> = &'t [(u32, bool)];

    /// Routes of these groups through sections that lock these tables of one server.
    pub(in super::super) fn routes(all: &[(usize, &[Tables<'_>])]) -> Routes {
        let mut routes = Routes {
            all: Vec::new(),
            of_piece: Vec::new(),
            requests: Vec::new(),
            tables: vec![(0, 0), (0, 1), (0, 2)],
        };
        for (group, sections) in all {
            let kinds = sections.iter().map(|section| {
                let taker = routes.requests.len();
                let requests =
                    section.iter().map(|(table, exclusive)| Request { table: *table, exclusive: *exclusive, taker });
                routes.requests.push((0, requests.collect()));
                (taker, true)
            });
            let sections = kinds.collect();
            routes.of_piece.push(routes.all.len());
            routes.all.push(Route { group: *group, sections });
        }
        routes
    }

    /// What follows while a command reads table 2.
    pub(in super::super) fn while_read(routes: &Routes) -> Vec<State> {
        let reader = Request { table: 2, exclusive: false, taker: 0 };
        routes.cascade(0, Blocked::by(&[reader]))
    }

    #[test]
    fn a_blocked_writer_blocks_what_it_holds_and_what_it_waits_for() {
        // One holds table 0 exclusively when it requests table 2; others read table 0, or read 1 and then 2.
        let routes = routes(&[
            (0, &[&[(0, true), (2, true)]]),
            (0, &[&[(0, false)]]),
            (0, &[&[(1, false), (2, false)]]),
            (0, &[&[(1, true)]]),
        ]);
        let cascade = while_read(&routes);
        let waiting = |s: usize| -> Vec<usize> {
            let waiting = cascade[s].waiting.iter();
            waiting.map(|waiting| waiting.route).collect()
        };
        // Only the first waits while the table is read; then all who request 0 or 2, and at last the writer of 1.
        assert_eq!(waiting(0), [0]);
        assert_eq!(waiting(1), [0, 1, 2]);
        assert_eq!(waiting(2), [0, 1, 2, 3]);
        assert_eq!(cascade.len(), 4);
        let all = |s: usize| -> Vec<u32> {
            let blocked = cascade[s].blocked;
            (0..3).filter(|table| blocked.is_to_all(*table)).collect()
        };
        assert!(all(0).is_empty());
        assert_eq!((all(1), all(2), all(3)), (vec![0, 2], vec![0, 2], vec![0, 1, 2]));
    }

    #[test]
    fn a_command_with_other_tables_is_not_blocked() {
        let routes = routes(&[(0, &[&[(0, true), (1, true)]]), (0, &[&[(2, false)]])]);
        let cascade = while_read(&routes);
        assert_eq!(cascade.len(), 1);
        assert!(cascade[0].waiting.is_empty());
    }

    #[test]
    fn a_released_command_meets_what_the_holder_locks_next() {
        // One reads table 2 and then locks it exclusively, as others do; some only read it, or lock another one then.
        let routes = routes(&[
            (0, &[&[(2, false)], &[(2, true)]]),
            (1, &[&[(2, false)], &[(2, true)]]),
            (1, &[&[(2, false)]]),
            (1, &[&[(2, false)], &[(0, true)]]),
        ]);
        let waiting = |route, taker| Waiting { route, taker };
        assert_eq!(routes.next(0), [(0, Some(1))]);
        let (server, then) = routes.held_by(1);
        assert_eq!(routes.again(waiting(1, 2), server, then), Some(3));
        assert_eq!(routes.again(waiting(2, 4), server, then), None);
        assert_eq!(routes.again(waiting(3, 5), server, then), None);
        // A command that was blocked in its last section has no other.
        assert_eq!(routes.again(waiting(1, 3), server, then), None);
    }
}
