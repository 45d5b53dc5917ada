//! Pauses that begin where another client's ends: with tables shut, and with clients stuck, since whom that one let go comes to
//! what this one shuts, or stood in line with who makes it.
//!
//! Knows whom the one before let go, and where they were; not for how long they wait ([`super::moments`]).

use super::FREE_LEAST;
use super::course::{Routes, State, Stuck};
use super::moments::Comers;

/// The end of another client's pause at which this one begins.
#[derive(Clone, Copy)]
pub(super) struct After<'p> {
    /// The kind of sections that both are.
    pub(super) kind: usize,
    /// Who is let go then, by where he was stuck, and how many of them.
    pub(super) let_go: &'p [(Stuck, f64)],
    /// Who makes this one, by where he was stuck, and how likely.
    pub(super) makers: &'p [(Stuck, f64)],
}

impl After<'_> {
    /// States in which a pause begins, and how likely: who shuts further tables to all is the first to come, if one of his
    /// route is there.
    pub(super) fn begin(&self, course: &[State], routes: &Routes) -> Vec<(usize, f64)> {
        let first = &course[0];
        let mut begin = Vec::new();
        let mut none = 1.0;
        for (route, next) in &first.moves {
            if course[*next].shut.is_more_than(first.shut) {
                let come = self.let_go.iter().filter(|(own, _)| own.route == *route);
                let many: f64 = come
                    .map(|(own, many)| many * self.again(routes, *own, first))
                    .sum();
                let some = none * -(-many).exp_m1();
                begin.push((*next, some));
                none -= some;
            }
        }
        begin.push((0, none));
        begin
    }

    /// The part of each group's clients that is free as soon as a pause begins in a state.
    pub(super) fn free(&self, state: &State, comers: &Comers<'_>) -> Vec<f64> {
        let mut free = vec![1.0; comers.clients.len()];
        for (own, many) in self.let_go {
            let group = comers.routes.group(own.route);
            if let Some(clients) = comers.clients[group] {
                free[group] -= many * self.again(comers.routes, *own, state) / clients;
            }
        }
        free.iter().map(|free| free.max(FREE_LEAST)).collect()
    }

    /// Of those who are let go, how many are stuck again, and where, if a pause begins in these states with such a likelihood.
    pub(super) fn all_again(
        &self,
        begin: &[(usize, f64)],
        course: &[State],
        routes: &Routes,
    ) -> Vec<(Stuck, f64)> {
        let (server, shut) = routes.held_by(self.kind);
        let again = self.let_go.iter().map(|(own, many)| {
            let begin = begin.iter();
            let again =
                begin.map(|(state, likely)| likely * self.again(routes, *own, &course[*state]));
            let taker = routes.again(*own, (server, shut)).unwrap_or(own.taker);
            (Stuck { taker, ..*own }, many * again.sum::<f64>())
        });
        again.filter(|(_, many)| *many > 0.0).collect()
    }

    /// How likely somebody is stuck again as soon as a pause begins in a state: surely, if he comes to what is shut; and every
    /// other time, if he stood in line with who makes it, before him or behind.
    fn again(&self, routes: &Routes, own: Stuck, state: &State) -> f64 {
        let (server, _) = routes.held_by(self.kind);
        if routes.again(own, (server, state.shut)).is_some() {
            1.0
        } else {
            let all: f64 = self.makers.iter().map(|(_, likely)| likely).sum();
            let makers = self.makers.iter();
            let behind = makers.map(|(maker, likely)| likely * routes.behind_whom(own, *maker));
            behind.sum::<f64>() / all
        }
    }
}
