//! What the last round found: lock by lock, who is stuck in pauses, and which sections are held for long.

use super::super::contests::Contest;
use super::super::pauses::Pauses;
use super::super::prediction::LockPrediction;
use super::super::quiet::LongHold;
use super::super::tables::lock_name;
use super::{Contention, for_later};

impl Contention<'_> {
    /// Mean wait at a contest's locks of those who take them alone, or of the others \[s\].
    fn mean(&self, contest: &Contest, exclusive: bool) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for t in contest.takers.clone() {
            let (taker, (wait, long)) = (&self.contests.takers[t], self.takers[t]);
            if taker.exclusive == exclusive {
                let rate = self.rates[taker.kind];
                let for_later = for_later(self.while_held.as_ref(), t);
                let spread = (self.spread[t].mean - long.max(for_later)).max(0.0);
                let paused = self.pauses.as_ref().map_or(0.0, |p| p.wait_at(t, rate));
                sum += rate * (wait + spread + paused);
                all += rate;
            }
        }
        if all > 0.0 { sum / all } else { 0.0 }
    }

    /// All locks, the most used first.
    pub(in crate::system) fn predictions(&self) -> Vec<LockPrediction> {
        let contest = |(c, contest): (usize, &Contest)| {
            let takers = self.contests.takers[contest.takers.clone()].iter();
            let writers = takers.filter(|taker| taker.exclusive);
            let paused = self.pauses.as_ref().map_or(0.0, |p| p.shut(c));
            LockPrediction {
                name: String::new(),
                write_wait: self.mean(contest, true),
                read_wait: self.mean(contest, false),
                hold: writers
                    .map(|taker| self.sums[taker.kind].hold)
                    .fold(0.0, f64::max),
                utilization: self.found[c].utilization * (1.0 - paused) + paused,
            }
        };
        let contests = self.contests.all.iter().enumerate();
        let contests: Vec<LockPrediction> = contests.map(contest).collect();
        let lock = |(table, server, contest): &(&str, usize, usize)| LockPrediction {
            name: lock_name(table, *server),
            ..contests[*contest]
        };
        let mut locks: Vec<LockPrediction> = self.contests.locks.iter().map(lock).collect();
        locks.sort_by(|a, b| {
            b.utilization
                .total_cmp(&a.utilization)
                .then_with(|| a.name.cmp(&b.name))
        });
        locks
    }

    /// By piece, if that is told: how likely it is stuck in a pause, and its mean wait for pauses \[s\].
    pub(in crate::system) fn paused(&self) -> Vec<(f64, f64)> {
        let pieces = 0..self.pieces.len();
        let told = self.pauses.as_ref();
        told.map_or_else(Vec::new, |pauses| {
            pieces.map(|p| (pauses.stuck(p), pauses.wait(p))).collect()
        })
    }

    /// The first of a contest's locks by name.
    pub(super) fn first_name(&self, contest: usize) -> String {
        let locks = self.contests.locks.iter();
        let first = locks.filter(|(_, _, c)| *c == contest).min();
        first.map_or_else(String::new, |(table, server, _)| lock_name(table, *server))
    }

    /// What pauses make of all, and the sections that are held for long, where that is told.
    pub(in crate::system) fn long_holds(&self) -> Option<(&Pauses, Vec<LongHold>)> {
        let pauses = self.pauses.as_ref()?;
        let pieces = self.contests.firsts.windows(2).enumerate();
        let sections = pieces.flat_map(|(piece, firsts)| {
            let first = firsts[0];
            (first..firsts[1]).map(move |section| (piece, section, section - first))
        });
        let long = sections.filter_map(|(piece, section, own)| {
            let kind = self.contests.kind_of[section];
            (pauses.part(kind) > 0.0).then_some(LongHold {
                piece,
                section,
                own,
                kind,
            })
        });
        Some((pauses, long.collect()))
    }
}
