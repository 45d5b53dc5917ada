//! Where readers of a table take turns: at the later table that each of them wants alone.
//!
//! Readers that were let in together are through with all only when each has had its turn there, and between two turns
//! those who only read the later table have theirs. Where they do so at several later tables, they come to the others one by
//! one, from the first that most of them want alone.
//!
//! Knows how long a turn is; what turns do to waits is told by [`crate::queueing::locks`].

use super::contests::Contests;
use super::lock_wait::{Found, Sums};
use super::while_held::WhileHeld;

/// Most of those who take turns anywhere: more than this part of as many as take them where most do: assumed.
const MOST_OF_THEM: f64 = 0.7;
/// Share of time that turns take at most: assumed, so that nothing becomes infinite on the way.
const TURNS_MOST: f64 = 0.9;

/// Where readers take turns and for how long, as the last round found it.
#[derive(Default)]
pub(super) struct Turns {
    /// By taker: by what a hold of one who takes a turn is longer \[s\].
    more: Vec<Option<f64>>,
    /// By contest: how much of a second those take who want it alone and read an earlier one.
    work: Vec<f64>,
    /// By contest: the part of waits there that is not for those who take turns.
    besides: Vec<f64>,
    /// By contest: where its readers take turns, and how much of a second these take.
    taken: Vec<Option<(usize, f64)>>,
}

impl Turns {
    pub(super) fn of(contests: &Contests<'_>) -> Self {
        Self {
            more: vec![None; contests.takers.len()],
            work: vec![0.0; contests.all.len()],
            besides: vec![1.0; contests.all.len()],
            taken: vec![None; contests.all.len()],
        }
    }

    /// By what a hold of a taker who only reads a table is longer in his turn, if he takes one \[s\].
    pub(super) fn more(&self, taker: usize) -> Option<f64> {
        self.more[taker]
    }

    /// Where a contest's readers take turns, if they do, and the share of time that these take.
    pub(super) fn taken(&self, contest: usize) -> Option<(usize, f64)> {
        self.taken[contest]
    }

    /// The part of waits at a later contest that is not for those who take turns.
    pub(super) fn besides(&self, later: usize) -> f64 {
        self.besides[later]
    }

    /// Finds where a contest's readers take turns, and how long ones, where later contests were looked at.
    pub(super) fn find(
        &mut self,
        (contests, contest): (&Contests<'_>, usize),
        (sums, found): (&[Sums], &[Found]),
        held: &WhileHeld,
    ) {
        let takers = contests.all[contest].takers.clone();
        self.more[takers.clone()].fill(None);
        self.taken[contest] = None;
        self.besides.fill(1.0);
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
        let come = |at: usize| -> f64 {
            let turn = |reader: &usize| {
                let kind = contests.takers[*reader].kind;
                let mut later = held.later(contests, contest, kind);
                later.any(|(l, t)| *l == at && contests.takers[*t].exclusive)
            };
            let kinds = readers()
                .filter(turn)
                .map(|reader| contests.takers[reader].kind);
            kinds.map(|kind| sums[kind].rate).sum()
        };
        let come: Vec<f64> = (0..self.work.len()).map(come).collect();
        let most = come.iter().copied().fold(0.0, f64::max);
        let many = (0..come.len()).filter(|at| most > 0.0 && come[*at] > MOST_OF_THEM * most);
        let Some(at) = many.min_by_key(|at| held.rank(*at)) else {
            return;
        };
        for reader in readers() {
            let kind = contests.takers[reader].kind;
            let mut later = held.later(contests, contest, kind);
            let there = later.find(|(l, t)| *l == at && contests.takers[*t].exclusive);
            self.more[reader] = there.map(more);
        }
        self.taken[contest] = Some((at, self.work[at].min(TURNS_MOST)));
        for later in (0..self.work.len()).filter(|later| self.work[*later] > 0.0) {
            self.besides[later] = besides((contests, sums), (contest, at, later), held);
        }
    }
}

/// Of the waits of a contest's readers at a later one the part that is not for those of them who take turns at this one: they
/// have other tables alone as well meanwhile.
fn besides(
    (contests, sums): (&Contests<'_>, &[Sums]),
    (contest, at, later): (usize, usize, usize),
    held: &WhileHeld,
) -> f64 {
    let alone_at = |kind: usize, contest: usize| contests.taker(kind, contest).map(|t| t.exclusive);
    let (mut others, mut all) = (0.0, 0.0);
    for t in contests.all[later].takers.clone() {
        let taker = &contests.takers[t];
        // Who has the earlier one alone never meets its readers here.
        let met = alone_at(taker.kind, contest) != Some(true);
        if taker.exclusive && met {
            let square = held.square(contests, t, &sums[taker.kind]);
            let in_turn =
                alone_at(taker.kind, contest).is_some() && alone_at(taker.kind, at) == Some(true);
            all += square;
            if !in_turn {
                others += square;
            }
        }
    }
    if all > 0.0 { others / all } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::{Turns, besides};
    use crate::system::contests::tests::contests;
    use crate::system::lock_wait::{Found, Sums};
    use crate::system::while_held::WhileHeld;

    #[test]
    fn who_takes_a_turn_is_waited_for_nowhere_else() {
        // Readers of the first table, of whom some want both others alone; and one who wants the last alone and not the first.
        let contests = contests(&[
            &[(0, false), (1, true), (2, true)],
            &[(0, false), (1, false), (2, false)],
            &[(0, true), (2, true)],
            &[(2, true)],
        ]);
        let held = WhileHeld::of(&contests, vec![0, 1, 2]);
        let hold = |square: f64| Sums {
            rate: 1.0,
            work: square.sqrt(),
            square,
            after_another: 0.0,
            hold: square.sqrt(),
        };
        let sums = [hold(3.0), hold(1.0), hold(5.0), hold(1.0)];
        let besides = |later| besides((&contests, &sums), (0, 2, later), &held);
        // They have the second table alone while they wait for their turn at the last.
        assert_eq!(besides(1), 0.0);
        // Who has the first alone meets none of its readers later.
        assert_eq!(besides(2), 0.25);
    }

    #[test]
    fn turns_are_taken_at_the_first_table_that_most_want_alone() {
        // Readers of the first table, all of whom want the third alone, most the second as well, and few the fourth.
        let contests = contests(&[
            &[(0, false), (1, true), (2, true)],
            &[(0, false), (2, true)],
            &[(0, false), (2, true), (3, true)],
            &[(0, true)],
        ]);
        let held = WhileHeld::of(&contests, vec![0, 1, 2, 3]);
        let sum = |rate: f64| Sums {
            rate,
            work: 0.01 * rate,
            square: 2e-4 * rate,
            after_another: 0.0,
            hold: 0.01,
        };
        let taken = |rates: [f64; 3]| {
            let [most, some, few] = rates.map(sum);
            let mut turns = Turns::of(&contests);
            let found = vec![Found::default(); 4];
            turns.find(
                (&contests, 0),
                (&[most, some, few, sum(0.1)], &found),
                &held,
            );
            turns.taken(0)
        };
        // A second of each brings as much of a turn as he holds the tables for.
        let (at, share) = taken([8.0, 1.0, 1.0]).unwrap();
        assert!(at == 1 && (share - 0.08).abs() < 1e-12, "{at} {share}");
        let (at, share) = taken([5.0, 4.0, 1.0]).unwrap();
        assert!(at == 2 && (share - 0.1).abs() < 1e-12, "{at} {share}");
        assert!(taken([0.0; 3]).is_none());
    }
}
