//! Where readers of a table take turns: at the later table that each of them wants alone.
//!
//! Readers that were let in together are through with all only when each has had its turn there, and between two turns
//! those who only read the later table have theirs. Where they do so at several later tables, they come to the others one by
//! one, from the one that takes longest.
//!
//! Knows how long a turn is; what turns do to waits is told by [`crate::queueing::locks`].

use super::contests::Contests;
use super::lock_wait::{Found, Sums};
use super::while_held::WhileHeld;

/// Where readers take turns and for how long, as the last round found it.
#[derive(Default)]
pub(super) struct Turns {
    /// By taker: by what a hold of one who takes a turn is longer \[s\].
    more: Vec<Option<f64>>,
    /// By contest: how much of a second those take who want it alone and read an earlier one.
    work: Vec<f64>,
}

impl Turns {
    pub(super) fn of(contests: &Contests<'_>) -> Self {
        Self {
            more: vec![None; contests.takers.len()],
            work: vec![0.0; contests.all.len()],
        }
    }

    /// By what a hold of a taker who only reads a table is longer in his turn, if he takes one \[s\].
    pub(super) fn more(&self, taker: usize) -> Option<f64> {
        self.more[taker]
    }

    /// Finds where a contest's readers take turns, and how long ones, where later contests were looked at: the answer is
    /// that later one, if any, and of waits there the part that is not for turns.
    pub(super) fn find(
        &mut self,
        (contests, contest): (&Contests<'_>, usize),
        (sums, found): (&[Sums], &[Found]),
        held: &WhileHeld,
    ) -> Option<(usize, f64)> {
        let takers = contests.all[contest].takers.clone();
        self.more[takers.clone()].fill(None);
        let readers = || takers.clone().filter(|t| !contests.takers[*t].exclusive);
        let more =
            |(later, there): &(usize, usize)| held.longer(*there).mean() + found[*later].between[0];
        self.work.fill(0.0);
        for reader in readers() {
            let kind = contests.takers[reader].kind;
            for place in held.later(contests, contest, kind) {
                if contests.takers[place.1].exclusive {
                    self.work[place.0] += sums[kind].work + sums[kind].rate * more(place);
                }
            }
        }
        let most = (0..self.work.len()).max_by(|a, b| self.work[*a].total_cmp(&self.work[*b]));
        let at = most.filter(|at| self.work[*at] > 0.0)?;
        for reader in readers() {
            let kind = contests.takers[reader].kind;
            let mut later = held.later(contests, contest, kind);
            let there = later.find(|(l, t)| *l == at && contests.takers[*t].exclusive);
            self.more[reader] = there.map(more);
        }
        Some((at, besides(contests, (contest, at), sums)))
    }
}

/// Of the waits of a contest's readers at a later one the part that is not for their turns there.
fn besides(contests: &Contests<'_>, (contest, later): (usize, usize), sums: &[Sums]) -> f64 {
    let (mut others, mut all) = (0.0, 0.0);
    let takers = contests.takers[contests.all[later].takers.clone()].iter();
    for taker in takers.filter(|taker| taker.exclusive) {
        let square = sums[taker.kind].square;
        match contests.taker(taker.kind, contest) {
            // They never meet there.
            Some(earlier) if earlier.exclusive => {}
            Some(_) => all += square,
            None => {
                others += square;
                all += square;
            }
        }
    }
    if all > 0.0 { others / all } else { 1.0 }
}
