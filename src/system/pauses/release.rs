//! Who is let go together at the end of a hold.
//!
//! A pause lets go all who were stuck in it, wherever they were ([`super`]). Any other long hold does so with whom it stops at
//! its own tables: while one of λ a second lasts for S, λ·E\[S²\]/E\[S\] of those who come at a moment of it.
//!
//! Knows how many they are; not how long they wait, which the formula of a lock tells where it is no pause.

use super::Pauses;
use super::course::Stuck;
use super::sorts::left;
use crate::system::lock_wait::Sums;

/// So many of all commands are let go at least by a hold that is told: assumed, fewer are as good as alone.
const MANY_LEAST: f64 = 0.1;

/// Who is let go at the end of a hold.
#[derive(Clone, Copy, Default)]
pub(in super::super) struct LetGo {
    /// How likely a command is.
    pub(in super::super) likely: f64,
    /// How many are.
    pub(in super::super) many: f64,
    /// For how long they stand in line then \[s\].
    pub(in super::super) in_line: f64,
}

/// The ends of one kind of pauses.
pub(super) struct Release {
    /// \[1/s\].
    pub(super) often: f64,
    /// By route.
    pub(super) let_go: Vec<LetGo>,
    /// The same by where they were stuck.
    pub(super) stuck: Vec<(Stuck, LetGo)>,
}

impl Release {
    /// Adds somebody who was stuck, with such a likelihood, and how many they are.
    pub(super) fn add(&mut self, stuck: Stuck, likely: f64, many: f64) {
        let own = LetGo {
            likely,
            many,
            in_line: 0.0,
        };
        let let_go = &mut self.let_go[stuck.route];
        let_go.likely += own.likely;
        let_go.many += own.many;
        self.stuck.push((stuck, own));
    }
}

impl Pauses {
    /// Finds whom holds let go that are no pauses, where each group has so many clients.
    pub(super) fn release_by_others(&mut self, sums: &[Sums], clients: &[Option<f64>]) {
        self.let_go_by_others.clear();
        for holder in &self.holders {
            for kind in &holder.kinds {
                let (sum, rest) = (sums[*kind], 1.0 - self.parts[*kind]);
                if rest * sum.work <= 0.0 {
                    continue;
                }
                let mut let_go = vec![LetGo::default(); self.routes.len()];
                for route in &holder.behind {
                    let many = 2.0 * left(sum) * self.rates[*route];
                    let others = clients[self.routes.group(*route)].map_or(0.0, |n| many / n);
                    let_go[*route].many = many / (1.0 + others);
                }
                let all: f64 = let_go.iter().map(|own| own.many).sum();
                if all <= MANY_LEAST {
                    continue;
                }
                let likely = (rest * sum.work).min(1.0) * (1.0 - MANY_LEAST / all);
                for route in &holder.behind {
                    let_go[*route].likely = likely;
                }
                self.let_go_by_others.push(let_go);
            }
        }
    }

    /// Who is let go by each kind of pauses, by route.
    pub(in super::super) fn let_go_by_pauses(&self) -> impl Iterator<Item = &[LetGo]> {
        self.releases.iter().map(|release| &*release.let_go)
    }

    /// Who is let go by each kind of other holds, by route.
    pub(in super::super) fn let_go_by_others(&self) -> impl Iterator<Item = &[LetGo]> {
        self.let_go_by_others.iter().map(|let_go| &**let_go)
    }

    /// Of those who are let go, by route, those of a piece that comes so often \[1/s\].
    pub(in super::super) fn let_go(&self, routes: &[LetGo], piece: usize, rate: f64) -> LetGo {
        let route = self.routes.of_piece(piece);
        let (all, of_route) = (self.rates[route], routes[route]);
        let part = if all > 0.0 { rate / all } else { 0.0 };
        LetGo {
            many: part * of_route.many,
            ..of_route
        }
    }
}
