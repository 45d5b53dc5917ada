//! The order in which locks and pools are asked for: a circle of customers who each hold what the
//! next one waits for stands still for ever.

use super::names::Names;
use crate::diag::{Diagnostic, Diagnostics, Place, quoted};

/// What is held while others are asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Held {
    Lock(usize),
    Pool(usize),
}

impl Held {
    fn name(self, names: &Names) -> String {
        match self {
            Self::Lock(lock) => format!("lock {}", quoted(&names.locks[lock])),
            Self::Pool(pool) => format!("pool {}", quoted(&names.pools[pool])),
        }
    }
}

/// Who is requested while whom is held, and where.
#[derive(Default)]
pub(super) struct Order {
    edges: Vec<(Held, Held, Place)>,
}

impl Order {
    /// `asked` is asked for at `place` while all of `held` are.
    pub(super) fn note(&mut self, held: &[Held], asked: Held, place: &Place) {
        for &holding in held {
            let known = self.edges.iter().any(|(from, to, _)| (*from, *to) == (holding, asked));
            if !known {
                self.edges.push((holding, asked, place.clone()));
            }
        }
    }

    /// Reports every request that may close a circle.
    pub(super) fn check(&self, names: &Names, diagnostics: &Diagnostics) {
        for (held, asked, place) in &self.edges {
            let circle = match (held, asked) {
                (Held::Lock(held), Held::Lock(asked)) => asked <= held,
                (held, asked) => held == asked || self.leads(*asked, *held),
            };
            if !circle {
                continue;
            }
            let help = if held == asked {
                "customers that hold one and wait for another block each other for ever"
            } else {
                "elsewhere it is the other way round, or the locks stand in another order in the \
                 file: customers could block each other for ever"
            };
            let (held, asked) = (held.name(names), asked.name(names));
            diagnostics.push(
                Diagnostic::error("NET008", format!("{asked} is requested while {held} is held"))
                    .at(place.source, place.span.clone(), "requested here")
                    .help(help),
            );
        }
    }

    /// Whether somebody who holds `from` asks, perhaps through others, for `to`.
    fn leads(&self, from: Held, to: Held) -> bool {
        let mut seen = Vec::new();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            if !seen.contains(&at) {
                seen.push(at);
                open.extend(self.edges.iter().filter(|e| e.0 == at).map(|e| e.1));
            }
        }
        false
    }
}
