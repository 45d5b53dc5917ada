//! What a section waits for later tables while it holds earlier ones.
//!
//! Commands take tables in one order and keep what they have. So two commands meet at the first table where one of
//! them wants to be alone: whoever comes second waits there until the other is through with all, and they never meet
//! at a later one. A table is then taken for longer than its own holds in three ways. Who has it alone waits for later
//! tables, though only for those whom he has not met before. Who wants to have it alone waits until the last of its
//! readers that wait for a later table is through: they are let go together, so that this is one wait, however many they
//! are. And readers who want a later table alone take turns there ([`super::turns`]).
//!
//! Knows how long holds become; that commands beside are shut out meanwhile is told by [`super::closures`].

use super::balance::BUSY_MOST;
use super::contests::{Contests, Taker};
use super::lock_wait::{Found, Sums};
use super::turns::Turns;

/// Ways of taking tables, who meets whom where, and what the last round found.
pub(super) struct WhileHeld {
    /// Contests, the last tables first.
    pub(super) order: Vec<usize>,
    ranks: Vec<usize>,
    /// Of each kind.
    way_of: Vec<usize>,
    ways: usize,
    /// By pair of ways the contest where they meet.
    meet: Vec<usize>,
    /// By taker: its wait for those whom it meets there \[s\].
    met: Vec<f64>,
    /// By taker: what is left on average of a hold of those whom it meets there \[s\].
    left: Vec<f64>,
    /// By taker: the part of its wait that is there because those who are alone wait for later tables \[s\].
    for_later: Vec<f64>,
    /// By taker: how long it waits for later tables \[s\].
    more: Vec<Longer>,
    /// By taker: how long who wants to be alone waits for readers who wait for later tables \[s\].
    drain: Vec<Longer>,
    /// By contest.
    going: Vec<Going>,
    turns: Turns,
    /// By kind: the first contest that it has alone.
    first_alone: Vec<Option<usize>>,
    /// By taker: what it waits in lines of those who were let in with it.
    pub(super) behind: Vec<Vec<Behind>>,
}

/// In line behind those who were let in together at an earlier contest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Behind {
    /// \[s\].
    pub(super) wait: f64,
    pub(super) let_in_at: usize,
}

/// Readers of a table who go on to a later one.
#[derive(Debug, Clone, Copy, Default)]
struct Going {
    /// How many \[1/s\].
    rate: f64,
    /// Their waits there, in seconds a second.
    waits: f64,
}

/// By what a hold is longer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Longer {
    /// \[s\]
    mean: f64,
    /// Mean of its square \[s²\].
    square: f64,
}

impl Longer {
    /// By a wait for a table that is shut for so long at a time, where so many want to be alone at the earlier one
    /// \[1/s\]: only the first of those who come meanwhile has it for longer, the others wait for him. The wait is its mean,
    /// and how likely there is one, exponential then.
    fn add(&mut self, (wait, at_all): (f64, f64), shut_for: f64, writers: f64) {
        let first = 1.0 / (1.0 + writers * shut_for);
        let wait = wait * first;
        self.square += 2.0 * self.mean * wait + 2.0 * wait * wait / (first * at_all);
        self.mean += wait;
    }

    fn and(self, other: Self) -> Self {
        Self {
            mean: self.mean + other.mean,
            square: self.square + 2.0 * self.mean * other.mean + other.square,
        }
    }

    /// \[s\].
    pub(super) fn mean(self) -> f64 {
        self.mean
    }

    /// With a hold of this mean and squared coefficient of variation: both of the whole.
    pub(super) fn lengthen(self, hold: f64, scv: f64) -> (f64, f64) {
        let mean = hold + self.mean;
        let square = hold * hold * (1.0 + scv) + 2.0 * hold * self.mean + self.square;
        let scv = if self.mean > 0.0 {
            square / (mean * mean) - 1.0
        } else {
            scv
        };
        (mean, scv)
    }

    /// λ·E[S²] of such holds \[s\].
    fn square(self, sum: &Sums) -> f64 {
        sum.square + 2.0 * self.mean * sum.work + self.square * sum.rate
    }
}

/// No contest: they never meet.
const NOWHERE: usize = usize::MAX;

impl WhileHeld {
    /// Nobody waits yet; contests have these ranks in the order of tables.
    pub(super) fn of(contests: &Contests<'_>, ranks: Vec<usize>) -> Self {
        let mut ways: Vec<Vec<(usize, usize, bool)>> = Vec::new();
        let kinds = contests.kinds.iter().map(|kind| {
            let places = &contests.places[kind.places.clone()];
            let places = places.iter();
            let mut way: Vec<_> = places
                .map(|(c, taker)| (ranks[*c], *c, contests.takers[*taker].exclusive))
                .collect();
            way.sort_unstable();
            ways.iter().position(|w| *w == way).unwrap_or_else(|| {
                ways.push(way);
                ways.len() - 1
            })
        });
        let way_of = kinds.collect();
        let meet = |a: &[(usize, usize, bool)], b: &[(usize, usize, bool)]| {
            let mut places = a.iter();
            let first = places.find(|(_, contest, alone)| {
                let mut others = b.iter();
                others.any(|(_, other, other_alone)| other == contest && (*alone || *other_alone))
            });
            first.map_or(NOWHERE, |(_, contest, _)| *contest)
        };
        let pairs = ways.iter().flat_map(|a| ways.iter().map(|b| meet(a, b)));
        let first_alone = (0..contests.kinds.len()).map(|kind| {
            let places = contests.places_of(kind).iter();
            let alone = places.filter(|(_, taker)| contests.takers[*taker].exclusive);
            alone.map(|(c, _)| *c).min_by_key(|c| ranks[*c])
        });
        let mut order: Vec<usize> = (0..contests.all.len()).collect();
        order.sort_by_key(|c| std::cmp::Reverse((ranks[*c], *c)));
        Self {
            order,
            meet: pairs.collect(),
            way_of,
            ways: ways.len(),
            met: vec![0.0; contests.takers.len()],
            left: vec![0.0; contests.takers.len()],
            for_later: vec![0.0; contests.takers.len()],
            more: vec![Longer::default(); contests.takers.len()],
            drain: vec![Longer::default(); contests.takers.len()],
            going: vec![Going::default(); contests.all.len()],
            turns: Turns::of(contests),
            first_alone: first_alone.collect(),
            behind: vec![Vec::new(); contests.takers.len()],
            ranks,
        }
    }

    /// By what a taker has a contest's lock for longer.
    pub(super) fn longer(&self, taker: usize) -> Longer {
        self.more[taker].and(self.drain[taker])
    }

    /// λ·E[S²] of a taker's sections, as they have the lock \[s\].
    pub(super) fn square(&self, contests: &Contests<'_>, taker: usize, sum: &Sums) -> f64 {
        if contests.takers[taker].exclusive {
            self.longer(taker).square(sum)
        } else {
            sum.square
        }
    }

    /// How long a taker who wants to be alone waits on average for readers who wait for later tables \[s\].
    pub(super) fn drained(&self, taker: usize) -> f64 {
        self.drain[taker].mean
    }

    /// At which later contest readers of this one take turns, and the share of time that these take.
    pub(super) fn turns_behind(&self, contest: usize) -> Option<(usize, f64)> {
        self.turns.taken(contest)
    }

    /// The first contest that a kind has alone, where that is another one: an earlier one, if it has this one alone.
    fn alone_before(&self, kind: usize, contest: usize) -> Option<usize> {
        self.first_alone[kind].filter(|first| *first != contest)
    }

    /// The other contest that a taker has alone when he comes to have his own alone, if so: he comes there one at a time.
    pub(super) fn has_before(&self, taker: &Taker) -> Option<usize> {
        let before = self.alone_before(taker.kind, taker.contest);
        before.filter(|_| taker.exclusive)
    }

    /// A contest's place in the order of tables.
    pub(super) fn rank(&self, contest: usize) -> usize {
        self.ranks[contest]
    }

    /// How long a taker waits for those whom it meets there \[s\].
    pub(super) fn met(&self, taker: usize) -> f64 {
        self.met[taker]
    }

    /// How much of a taker's wait is there because those who have the lock alone wait for later tables \[s\].
    pub(super) fn for_later(&self, taker: usize) -> f64 {
        self.for_later[taker]
    }

    /// By what a reader of a contest's lock has it for longer in his turn at a later one, if he takes one \[s\].
    pub(super) fn turn(&self, taker: usize) -> Option<f64> {
        self.turns.more(taker)
    }

    /// Finds by how much longer a contest's takers have it, where later tables were all looked at.
    pub(super) fn lengthen(
        &mut self,
        contests: &Contests<'_>,
        contest: usize,
        sums: &[Sums],
        found: &[Found],
    ) {
        let mut turns = std::mem::take(&mut self.turns);
        turns.find((contests, contest), (sums, found), self);
        self.turns = turns;
        let takers = contests.all[contest].takers.clone();
        let alone = contests.takers[takers.clone()].iter();
        let alone = alone.filter(|taker| taker.exclusive);
        let writers: f64 = alone.map(|taker| sums[taker.kind].rate).sum();
        // Who has an earlier table alone comes by himself: nobody of his kind is behind him.
        let own = contests.takers[takers.clone()].iter();
        let in_line = own.filter(|o| o.exclusive && self.has_before(o).is_none());
        let in_line: f64 = in_line.map(|o| sums[o.kind].rate).sum();
        for t in takers.filter(|t| contests.takers[*t].exclusive) {
            let taker = &contests.takers[t];
            let mut more = Longer::default();
            for (later, there) in self.later(contests, contest, taker.kind) {
                let wait = self.met[*there];
                let found = &found[*later];
                let shut_for = found.shut_for_or(wait).min(self.shut_by_met(*there, found));
                more.add((wait, found.waited_at_all()), shut_for, writers);
            }
            self.more[t] = more;
            self.drain[t] = if writers > 0.0 {
                self.drain(contests, taker, (sums, found), in_line)
            } else {
                Longer::default()
            };
        }
    }

    /// How long a taker who wants to be alone, as so many do a second, waits for readers who wait for later tables, but for
    /// those who take turns.
    fn drain(
        &mut self,
        contests: &Contests<'_>,
        taker: &Taker,
        (sums, found): (&[Sums], &[Found]),
        writers: f64,
    ) -> Longer {
        let contest = taker.contest;
        let mut going = std::mem::take(&mut self.going);
        going.fill(Going::default());
        let own = self.way_of[taker.kind] * self.ways;
        for reader in &contests.takers[contests.all[contest].takers.clone()] {
            if reader.exclusive || self.meet[own + self.way_of[reader.kind]] != contest {
                continue;
            }
            let sum = &sums[reader.kind];
            for (later, there) in self.later(contests, contest, reader.kind) {
                let going = &mut going[*later];
                going.rate += sum.rate;
                // Those who were let in with it here are told as the longest of a batch.
                let behind = self.behind[*there].iter();
                let behind = behind.filter(|line| line.let_in_at != contest);
                let behind = behind.map(|line| line.wait).fold(0.0, f64::max);
                going.waits += sum.rate * (self.met[*there] + behind);
            }
        }
        // Of several later tables the one that is waited for longest: whoever holds several lets go of all at once.
        let here = &found[contest];
        let mut drain = Longer::default();
        for (later, (going, found)) in going.iter().zip(found).enumerate() {
            if going.waits > 0.0 {
                let wait = self.turns.besides(later) * going.waits / going.rate;
                let shut_for = found.shut_for_or(wait);
                let somebody = going.rate * shut_for / (1.0 + going.rate * shut_for);
                // Only what is left of it when the others that were let in with them are through.
                let left = here.left_after_readers(shut_for);
                let mut there = Longer::default();
                there.add((wait * somebody * left, 1.0), shut_for, writers);
                if there.mean > drain.mean {
                    drain = there;
                }
            }
        }
        self.going = going;
        drain
    }

    /// For how long those whom a taker meets shut a contest to it, with all who come before they are through \[s\]: what is
    /// left of a hold begins a busy period, which lasts 1/(1 − ρ) times as long (Kleinrock, "Queueing systems", vol. 1, 1975,
    /// section 5.8).
    fn shut_by_met(&self, taker: usize, found: &Found) -> f64 {
        self.left[taker] / (1.0 - found.utilization.min(BUSY_MOST))
    }

    /// Where a kind's sections take tables later than a contest's.
    pub(super) fn later<'c>(
        &'c self,
        contests: &'c Contests<'_>,
        contest: usize,
        kind: usize,
    ) -> impl Iterator<Item = &'c (usize, usize)> {
        let places = contests.places_of(kind).iter();
        places.filter(move |(l, _)| self.ranks[*l] > self.ranks[contest])
    }

    /// Learns what a contest's takers wait there, of which those whom they meet there are a part, and so are waits for
    /// later tables: by λ·E\[S²\] of each kind, but for those who have the same earlier table alone and are never there at once.
    pub(super) fn learn(
        &mut self,
        contests: &Contests<'_>,
        contest: usize,
        waits: &[(f64, f64)],
        sums: &[Sums],
    ) {
        let takers = contests.all[contest].takers.clone();
        for t in takers.clone() {
            let own = &contests.takers[t];
            let before = self.has_before(own);
            let never_there = |o: &Taker| before.is_some() && self.has_before(o) == before;
            let (mut here, mut work, mut all, mut plain) = (0.0, 0.0, 0.0, 0.0);
            for o in takers.clone() {
                let other = &contests.takers[o];
                if (own.exclusive || other.exclusive) && !never_there(other) {
                    let sum = &sums[other.kind];
                    let square = self.more[o].square(sum);
                    all += square;
                    plain += sum.square;
                    let pair = self.way_of[own.kind] * self.ways + self.way_of[other.kind];
                    if self.meet[pair] == contest {
                        here += square;
                        work += sum.work + self.more[o].mean * sum.rate;
                    }
                }
            }
            let of_all = |part: f64| if all > 0.0 { part / all } else { 0.0 };
            self.met[t] = waits[t].0 * of_all(here);
            self.left[t] = if work > 0.0 { 0.5 * here / work } else { 0.0 };
            self.for_later[t] = waits[t].0 * of_all(all - plain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WhileHeld;
    use crate::system::contests::tests::contests;
    use crate::system::lock_wait::{Found, Sums};

    #[test]
    fn who_has_an_earlier_table_alone_comes_to_later_ones_by_himself() {
        let contests = contests(&[
            &[(0, false), (1, true), (2, true)],
            &[(2, true)],
            &[(0, false), (2, false)],
        ]);
        // The tables are taken from the last number to the first.
        let held = WhileHeld::of(&contests, vec![2, 1, 0]);
        let before = |kind| [0, 1, 2].map(|contest| held.alone_before(kind, contest));
        assert_eq!(before(0), [Some(2), Some(2), None]);
        assert_eq!(before(1), [Some(2), Some(2), None]);
        assert_eq!(before(2), [None; 3]);
    }

    #[test]
    fn who_is_never_there_at_once_is_no_part_of_a_wait() {
        // Who has the earlier table alone as well, who wants the later one only, and a reader of it.
        let contests = contests(&[&[(0, true), (1, true)], &[(0, true)], &[(0, false)]]);
        let hold = |rate: f64, hold: f64| Sums {
            rate,
            work: rate * hold,
            square: 2.0 * rate * hold * hold,
            after_another: 0.0,
            hold,
        };
        let sums = [hold(50.0, 0.01), hold(1.0, 0.04), hold(2.0, 0.01)];
        let mut held = WhileHeld::of(&contests, vec![1, 0]);
        held.learn(&contests, 0, &[(0.3, 0.0); 3], &sums);
        let taker = |kind: usize| contests.all[0].takers.start + kind;
        // Of its own kind it meets nobody there; both others it does.
        assert_eq!(held.met(taker(0)), 0.3);
        assert!((held.left[taker(0)] - 0.5 * 0.0036 / 0.06).abs() < 1e-12);
        // Everybody else meets all of them.
        assert_eq!(held.met(taker(1)), 0.3);
        let half_in_use = Found {
            utilization: 0.5,
            ..Found::default()
        };
        assert!((held.shut_by_met(taker(0), &half_in_use) - 0.06).abs() < 1e-12);
    }
}
