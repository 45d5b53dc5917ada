//! Who has tables alone while he stands in line for a later one: behind him nobody passes.
//!
//! At the end of a pause the first of them who comes there stands in the line of all who were let go with him, for V, and until
//! the stations have done what they do under their tables: V + W, or W/(1 − ρ) where that is longer, with streams from outside
//! that keep a share ρ busy. Who wants what he has waits meanwhile, other such sections among
//! them: the next finds only those whom he let pass, a share ρ of as long, the third ρ² and so on. The k-th is through after
//! W₁ + … + Wₖ, and whoever comes for one of the tables while one of them has it waits for what is left of that:
//! ½·(W₁² + W₂² + …) of a second's arrivals, all told; a client who comes a times a second once, ∫ e^(−a·t)·(Wₖ − t) dt. How many
//! of them there are is Poisson.
//!
//! Knows how many are let go, and the lines; not why.

use super::backlog::Lines;
use super::shut::Taken;
use crate::system::once;

/// How likely one more has to be.
const LIKELY_LEAST: f64 = 1e-3;
/// Sections that are told at most.
const MANY_MOST: f64 = 200.0;
/// Share of a line that comes anew at most.
const BUSY_MOST: f64 = 0.9;

/// For how long the busiest station is at what those do under their tables who are let go \[s\].
#[derive(Clone, Copy, Default)]
pub(super) struct BusyFor {
    pub(super) alone: f64,
    pub(super) beside_others: f64,
}

/// Sections that have the same tables alone while they stand in line for a later one.
#[derive(Default)]
pub(super) struct Gate {
    kinds: Vec<usize>,
    /// Contests of the tables that they have alone meanwhile.
    contests: Vec<usize>,
    /// How many there are, for how long the first of them stands in line \[s\], and for which share of that the next.
    many: f64,
    first: f64,
    share: f64,
    /// When one of them is through on average, and when all are \[s\].
    pub(super) through: f64,
    pub(super) lasts: f64,
    /// How likely there is one more of them, and how long that one stands in line \[s\].
    each: Vec<(f64, f64)>,
}

impl Gate {
    /// All gates of sections of these kinds with their tables, so many of each, where these lines are, and as usual, and the
    /// stations are busy for so long \[s\].
    pub(super) fn all<'t>(
        sections: impl Iterator<Item = (usize, &'t [Taken], f64)>,
        (lines, usual): (&Lines, &Lines),
        busy_for: BusyFor,
    ) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for (kind, way, many) in sections.filter(|(_, _, many)| *many > 0.0) {
            let Some((contests, line)) = stands(way, lines) else {
                continue;
            };
            if let Some(known) = all.iter_mut().find(|known| known.contests == contests) {
                known.kinds.push(kind);
                known.many += many;
            } else {
                all.push(Self {
                    kinds: vec![kind],
                    contests,
                    many,
                    first: (lines.seconds(line) + busy_for.alone).max(busy_for.beside_others),
                    share: usual.seconds(line).min(BUSY_MOST),
                    ..Self::default()
                });
            }
        }
        all.iter_mut().for_each(Self::pass);
        all
    }

    /// Lets them pass one after the other.
    fn pass(&mut self) {
        let (mut chance, mut at_least) = ((-self.many).exp(), -(-self.many).exp_m1());
        let (mut own, mut so_far, mut k) = (self.first, 0.0, 1.0);
        while at_least > LIKELY_LEAST && k <= MANY_MOST {
            so_far += own;
            self.through += at_least * so_far / self.many;
            self.lasts += at_least * own;
            self.each.push((at_least, own));
            own *= self.share;
            chance *= self.many / k;
            at_least -= chance;
            k += 1.0;
        }
    }

    /// What all wait who come a second while one of them has its tables, where each client comes so often \[1/s\]: \[s²\].
    pub(super) fn waited(&self, often: f64) -> f64 {
        let each = self.each.iter();
        each.map(|(likely, lasts)| likely * once::stay(often, *lasts))
            .sum()
    }

    /// Whether sections of a kind are among them.
    pub(super) fn is_of(&self, kind: usize) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether they have a table alone.
    pub(super) fn has(&self, taken: &Taken) -> bool {
        self.contests.contains(&taken.contest)
    }
}

/// What a section has alone while it stands in line for a later table, and the contest for that, if there is a line.
fn stands(way: &[Taken], lines: &Lines) -> Option<(Vec<usize>, usize)> {
    let first = way.iter().position(|taken| taken.alone)?;
    let line = lines.longest(way[first + 1..].iter())?;
    if line.seconds <= 0.0 {
        return None;
    }
    let before = way.iter().take_while(|taken| taken.contest != line.contest);
    let alone = before.filter(|taken| taken.alone);
    Some((alone.map(|taken| taken.contest).collect(), line.contest))
}

#[cfg(test)]
mod tests {
    use super::super::backlog::Lines;
    use super::super::shut::Taken;
    use super::{BusyFor, Gate};

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 2e-3 * b, "{a} {b}");
    }

    fn gate(many: f64, first: f64, share: f64) -> Gate {
        let mut gate = Gate {
            many,
            first,
            share,
            ..Gate::default()
        };
        gate.pass();
        gate
    }

    #[test]
    fn each_stands_in_what_is_left_of_the_line() {
        // Nobody comes anew: all are through with the first, of whom there is one with 1 − e^(−N).
        let alone = gate(4.0, 3.0, 0.0);
        near(alone.through, 3.0);
        near(alone.lasts, 3.0 * (1.0 - (-4.0_f64).exp()));
        near(alone.waited(0.0), 0.5 * 3.0 * alone.lasts);
        // As many come as are let pass: each of N is through after half of all, one of them being himself.
        let full = gate(4.0, 3.0, 1.0);
        near(full.through, 3.0 * (1.0 + 0.5 * 4.0));
        near(full.lasts, 12.0);
        near(full.waited(0.0), 0.5 * 36.0);
        // Who comes all the time meets each of them once.
        near(full.waited(1e4), 12.0 / 1e4);
    }

    #[test]
    fn who_has_a_table_alone_in_a_line_lets_nobody_pass() {
        let taken = |contest, alone| Taken::of(contest, alone);
        // Two kinds have table 0 alone when they come to table 2, where others are; one has it alone and goes nowhere.
        let ways = [
            vec![taken(0, true), taken(2, true)],
            vec![taken(0, true), taken(1, false), taken(2, false)],
            vec![taken(0, true)],
            vec![taken(2, true)],
        ];
        let lines = |many: f64| {
            let sections = ways.iter().map(|way| (&**way, many, 0.5));
            Lines::of(3, sections)
        };
        let sections = ways
            .iter()
            .enumerate()
            .map(|(kind, way)| (kind, &**way, 2.0));
        let busy_for = BusyFor {
            alone: 1.0,
            beside_others: 2.0,
        };
        let gates = Gate::all(sections, (&lines(4.0), &lines(0.1)), busy_for);
        assert_eq!(gates.len(), 1);
        let gate = &gates[0];
        assert_eq!(
            (0..4).map(|kind| gate.is_of(kind)).collect::<Vec<_>>(),
            [true, true, false, false]
        );
        assert!(gate.has(&taken(0, false)) && !gate.has(&taken(2, false)));
        // Four of them, in a line of 4 · 0.5 s and 1 s of work; of a second 0.05 s come anew.
        near(gate.many, 4.0);
        near(gate.first, 3.0);
        near(gate.share, 0.05);
    }
}
