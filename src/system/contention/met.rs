//! What a section waits for all its tables, where that is shown: for each other section where the two meet.
//!
//! Two sections meet at the first table that one of them wants alone ([`super::super::while_held`]), so that a section's wait is
//! the sum of what it waits at each table for those whom it meets there. One is not met at random: of those who waited W together
//! for a table that they read, and then take turns at a later one that each wants alone ([`super::super::turns`]), each finds
//! others of them there. Turns take a share ρ of the time, and as many come in W as take their turns in ρ·W; no more of them are
//! let in together than come between two who want the earlier table alone, λ a second: ρ·W/(1 + W·λ/P), with P how likely one
//! waits at all.

use super::super::contests::Contests;
use super::super::sections::SectionWait;
use super::super::while_held::Behind;
use super::{Contention, for_later};

impl Contention<'_> {
    /// The wait of each kind of sections for all their tables, and behind whom its takers stand.
    pub(super) fn meet(&mut self) {
        let mut waits = std::mem::take(&mut self.waits);
        let mut behind = vec![Vec::new(); self.contests.takers.len()];
        for (kind, wait) in waits.iter_mut().enumerate() {
            *wait = self.met(kind);
            let lines: Vec<_> = self.behind(kind).collect();
            // Nobody stands in two lines at once.
            wait.mean += lines.iter().map(|(_, line)| line.wait).fold(0.0, f64::max);
            for (taker, line) in lines {
                behind[taker].push(line);
            }
            for (_, taker) in self.contests.places_of(kind) {
                let for_later = for_later(self.while_held.as_ref(), *taker);
                wait.lengthen(self.spread[*taker], for_later);
            }
        }
        self.waits = waits;
        if let Some(held) = &mut self.while_held {
            held.behind = behind;
        }
    }

    /// What a kind waits for whom it meets at random.
    fn met(&self, kind: usize) -> SectionWait {
        let mut wait = SectionWait::default();
        let Some(held) = &self.while_held else {
            return wait;
        };
        for (contest, taker) in self.contests.places_of(kind) {
            let (mean, long) = self.takers[*taker];
            let met = held.met(*taker);
            let long = if mean > 0.0 { long * met / mean } else { 0.0 };
            wait.mean += met;
            if long > wait.long {
                (wait.long, wait.shut_for) = (long, self.found[*contest].shut_for);
            }
        }
        wait
    }

    /// Where a kind's sections stand in the line of those who were let in with them, as which taker.
    fn behind(&self, kind: usize) -> impl Iterator<Item = (usize, Behind)> {
        let places = self.contests.places_of(kind);
        let readers = places
            .iter()
            .filter(|(_, taker)| !self.contests.takers[*taker].exclusive);
        readers.filter_map(move |(contest, taker)| {
            let (at, turns) = self.while_held.as_ref()?.turns_behind(*contest)?;
            let (_, there) = places.iter().find(|(later, _)| *later == at)?;
            let wait = self.takers[*taker].0;
            let likely = self.found[*contest].waited_at_all();
            let alone = wanted_alone(&self.contests, *contest, |kind| self.sums[kind].rate);
            let line = Behind {
                wait: turns * wait / (1.0 + wait * alone / likely),
                let_in_at: *contest,
            };
            Some((*there, line))
        })
    }
}

/// How many want a contest's lock alone \[1/s\], where so many sections of each kind come.
pub(super) fn wanted_alone(
    contests: &Contests<'_>,
    contest: usize,
    rate: impl Fn(usize) -> f64,
) -> f64 {
    let takers = contests.takers[contests.all[contest].takers.clone()].iter();
    let alone = takers.filter(|taker| taker.exclusive);
    alone.map(|taker| rate(taker.kind)).sum()
}
