//! Waits at the table locks, given who takes them, how often and for how long: roughly in searches, closely in what is
//! shown.
//!
//! Of the tables that a section takes together a command waits for each other command once: where the two meet, in what is
//! shown ([`met`]), and where it waits longest in searches ([`super::blame`]). While a throng is at the stations tables are shut
//! to all ([`jams`]); while stays are longer than at other times, so are all holds ([`closely`]). A table that is shut for long shuts those that are held meanwhile ([`super::closures`]), and a command
//! waits for that in one of its sections only ([`super::sections`]). Holds that are far longer than all else are pauses
//! ([`super::pauses`]). Lock files of one workspace (`clients/…`) are left out: their rivals are the same person's commands.

mod closely;
mod jams;
mod met;
mod told;

use self::closely::Tidal;
use super::around::Around;
use super::blame::Blame;
use super::closures::{Closures, Wait};
use super::contests::{Contest, Contests, Users};
use super::lock_wait::{Found, Sums, lock_wait};
use super::pauses::Pauses;
use super::prediction::PredictError;
use super::sections::{SectionWait, one_after_the_other};
use super::solve::{Effort, Piece};
use super::stays::Otherwise;
use super::tables::LockOrder;
use super::tides::Tide;
use super::while_held::WhileHeld;
use crate::queueing::locks::{self, CrowdRest, LockAtRest, LockCrowd, LockError};
use crate::workload::{Arrival, Group, Load};

/// For how long a section is held.
#[derive(Clone, Copy, Default)]
struct Hold {
    /// \[s\].
    mean: f64,
    /// The part of it that does not go with the size \[s\].
    fixed: f64,
    /// Beyond that of sizes \[s²\].
    variance: f64,
    /// By how much it is longer right after another client's \[s\].
    after_another: f64,
}

impl Hold {
    /// Its squared coefficient of variation, where sizes have this one.
    fn scv(&self, sizes: f64) -> f64 {
        if self.mean <= 0.0 {
            return sizes;
        }
        let varying = (1.0 - self.fixed / self.mean).max(0.0);
        sizes * varying * varying + self.variance / (self.mean * self.mean)
    }
}

/// The locks of a deployment and who takes them, and what the last round of waits found.
pub(super) struct Contention<'f> {
    load: &'f Load,
    pieces: &'f [Piece<'f>],
    contests: Contests<'f>,
    /// Each section by itself, where an answer is shown.
    users: Option<Users>,
    /// Most clients of each group that take a lock of one instance at a time; none if unlimited.
    populations: Vec<Option<f64>>,
    /// Where long closures spread to, where they are told.
    closures: Option<Closures>,
    /// What long holds make of all that comes meanwhile, where it is told.
    pauses: Option<Pauses>,
    /// What is waited for later tables, where it is told.
    while_held: Option<WhileHeld>,
    /// By taker of a lock: its wait for them.
    spread: Vec<Wait>,
    blame: Blame,
    /// Where each crowd's waits and each contest's lock were at rest, at low and at high tide: the next round is not far.
    rests: Vec<CrowdRest>,
    at_rest: Vec<[Option<LockAtRest>; 2]>,
    /// Of each section.
    holds: Vec<Hold>,
    /// Low and high tide, where they are told apart.
    tides: Option<[Tidal; 2]>,
    /// Of each kind of sections, and how often it comes with those that are pauses \[1/s\].
    sums: Vec<Sums>,
    rates: Vec<f64>,
    waits: Vec<SectionWait>,
    /// Mean wait of each taker of a lock, and the part of it while the lock is shut for long \[s\].
    takers: Vec<(f64, f64)>,
    /// By contest.
    found: Vec<Found>,
    /// Of the contest that is looked at: its crowds, and mean waits of their readers and writers \[s\].
    crowds: Vec<LockCrowd>,
    by_crowd: Vec<(f64, f64)>,
    /// Mean wait of each piece \[s\].
    by_piece: Vec<f64>,
}

impl<'f> Contention<'f> {
    pub(super) fn new(
        load: &'f Load,
        pieces: &'f [Piece<'f>],
        order: &LockOrder<'_>,
        servers: &[f64],
        effort: Effort,
    ) -> Self {
        let contests = Contests::of(pieces);
        let most = |group: &Group| match group.arrival {
            Arrival::Closed { population, .. } => Some((population / load.instances).max(1.0)),
            Arrival::Open { .. } => None,
        };
        let takers = contests.takers.len();
        let ranks = || contests.ranks(order);
        Self {
            load,
            pieces,
            users: (effort == Effort::Shown).then(|| contests.users()),
            populations: load.groups.iter().map(most).collect(),
            closures: (effort == Effort::Shown).then(|| Closures::of(&contests, &ranks())),
            pauses: (effort == Effort::Shown)
                .then(|| Pauses::of(pieces, &contests, &ranks(), servers)),
            while_held: (effort == Effort::Shown).then(|| WhileHeld::of(&contests, ranks())),
            spread: vec![Wait::default(); takers],
            blame: Blame::of(&contests),
            rests: vec![CrowdRest::default(); takers],
            at_rest: vec![[None, None]; contests.all.len()],
            holds: Vec::with_capacity(contests.kind_of.len()),
            tides: None,
            sums: vec![Sums::default(); contests.kinds.len()],
            rates: Vec::with_capacity(contests.kinds.len()),
            waits: vec![SectionWait::default(); contests.kinds.len()],
            takers: vec![(0.0, 0.0); takers],
            found: vec![Found::default(); contests.all.len()],
            crowds: Vec::with_capacity(load.groups.len()),
            by_crowd: Vec::with_capacity(load.groups.len()),
            by_piece: Vec::with_capacity(pieces.len()),
            contests,
        }
    }

    /// Finds the waits where the groups' cycles come at these rates and take so much longer at each station, on average and by
    /// tides, but for what is otherwise in long holds; returns the most saturated lock, as an error.
    pub(super) fn find(
        &mut self,
        (stretch, otherwise, tides): (&[Vec<f64>], &[Otherwise], Option<&[Tide; 2]>),
        (rates, around): (&[f64], &Around),
        effort: Effort,
    ) -> Result<Option<PredictError>, PredictError> {
        self.hold(stretch);
        self.tides = tides.map(|tides| self.rise_and_fall(stretch, tides));
        for otherwise in otherwise {
            let hold = &mut self.holds[otherwise.section];
            hold.mean += otherwise.hold;
            hold.variance += otherwise.variance;
            hold.after_another += otherwise.after_another;
        }
        self.add_up(rates);
        self.rates.clear();
        self.rates.extend(self.sums.iter().map(|sum| sum.rate));
        if effort == Effort::Shown {
            self.pause(rates, around);
        }
        let mut takers = std::mem::take(&mut self.takers);
        let mut worst: Option<(f64, usize)> = None;
        let mut while_held = match effort {
            Effort::Search => None,
            Effort::Shown => self.while_held.take(),
        };
        for at in 0..self.contests.all.len() {
            let c = while_held.as_ref().map_or(at, |held| held.order[at]);
            if let Some(held) = &mut while_held {
                held.lengthen(&self.contests, c, &self.sums, &self.found);
            }
            let contest = &self.contests.all[c];
            let unlimited = self.contests.takers[contest.takers.clone()]
                .iter()
                .any(|taker| {
                    self.populations[self.contests.kinds[taker.kind].group].is_none()
                        && self.sums[taker.kind].rate > 0.0
                });
            let own = &mut takers[contest.takers.clone()];
            let (found, asked) = lock_wait(unlimited, own, |times, takers| match effort {
                Effort::Search => self.roughly(c, times, takers),
                Effort::Shown => self.closely(c, (rates, times), while_held.as_ref(), takers),
            })?;
            if let Some(asked) = asked
                && worst.is_none_or(|(most, _)| asked > most)
            {
                worst = Some((asked, c));
            }
            self.found[c] = found;
            if let Some(held) = &mut while_held {
                held.learn(&self.contests, c, &takers, &self.sums);
            }
            // Not sooner: a stand-in would lengthen holds that others have to stand in for.
            for (mean, long) in &mut takers[self.contests.all[c].takers.clone()] {
                *mean *= found.stand_in;
                *long *= found.stand_in;
            }
        }
        self.takers = takers;
        if while_held.is_some() {
            self.while_held = while_held;
        }
        if effort == Effort::Shown {
            self.spread();
            self.meet();
        } else {
            self.add_blame();
        }
        self.put_together(stretch);
        Ok(worst.map(|(utilization, contest)| PredictError::Saturated {
            resource: format!("lock {}", self.first_name(contest)),
            utilization,
        }))
    }

    /// Mean wait of each piece for all its sections \[s\].
    pub(super) fn by_piece(&self) -> &[f64] {
        &self.by_piece
    }

    /// What pauses make of all, where that is told.
    pub(super) fn pauses(&self) -> Option<&Pauses> {
        self.pauses.as_ref()
    }

    /// Mean hold of each section.
    fn hold(&mut self, stretch: &[Vec<f64>]) {
        self.holds.clear();
        for piece in self.pieces {
            let stretch = &stretch[piece.group];
            let insides = piece.cost.insides().zip(&piece.fixed);
            self.holds.extend(insides.map(|(inside, fixed)| Hold {
                mean: inside.stretched(stretch),
                fixed: *fixed,
                ..Hold::default()
            }));
        }
    }

    /// Sums over the sections of each kind, whose groups' cycles come at these rates.
    fn add_up(&mut self, rates: &[f64]) {
        self.sums.fill(Sums::default());
        for (piece, firsts) in self.pieces.iter().zip(self.contests.firsts.windows(2)) {
            let rate = rates[piece.group] * piece.weight / self.load.instances;
            let sections = firsts[0]..firsts[1];
            let kinds = &self.contests.kind_of[sections.clone()];
            for (kind, hold) in kinds.iter().zip(&self.holds[sections]) {
                let sum = &mut self.sums[*kind];
                sum.rate += rate;
                sum.work += rate * hold.mean;
                sum.after_another += rate * hold.after_another;
                sum.square += rate * hold.mean * hold.mean * (1.0 + hold.scv(piece.size_scv));
                if rate > 0.0 {
                    sum.hold = sum.hold.max(hold.mean);
                }
            }
        }
    }

    /// Finds what pauses make of all, and leaves their holds out of all sums.
    fn pause(&mut self, rates: &[f64], around: &Around) {
        let Some(pauses) = &mut self.pauses else {
            return;
        };
        let pieces = self.pieces.iter();
        let rates = pieces.map(|piece| rates[piece.group] * piece.weight / self.load.instances);
        pauses.find(rates, &self.sums, &self.populations, around);
        for (kind, sum) in self.sums.iter_mut().enumerate() {
            let rest = rest(Some(pauses), kind);
            sum.rate *= rest;
            sum.work *= rest;
            sum.after_another *= rest;
            sum.square *= rest;
        }
    }

    /// Waits where users come so many times as often as the sums say, by the mean hold of readers.
    fn roughly(
        &mut self,
        contest: usize,
        times: f64,
        takers: &mut [(f64, f64)],
    ) -> Result<Found, LockError> {
        let Contest {
            takers: own,
            crowds,
        } = &self.contests.all[contest];
        self.crowds.clear();
        let groups = self.contests.crowds[crowds.clone()].iter();
        self.crowds.extend(groups.map(|group| LockCrowd {
            population: self.populations[*group],
            ..LockCrowd::default()
        }));
        let own = &self.contests.takers[own.clone()];
        for taker in own {
            let (crowd, sum) = (&mut self.crowds[taker.crowd], &self.sums[taker.kind]);
            if taker.exclusive {
                crowd.write_rate += times * sum.rate;
                crowd.write_work += times * sum.work;
                crowd.write_square += times * sum.square;
            } else {
                crowd.read_rate += times * sum.rate;
                crowd.read_work += times * sum.work;
            }
            crowd.longest_hold = crowd.longest_hold.max(sum.hold);
        }
        self.by_crowd.resize(self.crowds.len(), (0.0, 0.0));
        let rests = &mut self.rests[crowds.clone()];
        let utilization = locks::rough_crowds(&self.crowds, rests, &mut self.by_crowd)?;
        for (wait, taker) in takers.iter_mut().zip(own) {
            let (read, write) = self.by_crowd[taker.crowd];
            *wait = (if taker.exclusive { write } else { read }, 0.0);
        }
        Ok(Found {
            utilization,
            asked: utilization,
            shut_for: 0.0,
            between: [0.0; 2],
            stand_in: 1.0,
        })
    }

    /// Lets long closures spread to earlier tables, where they are told.
    fn spread(&mut self) {
        if let Some(closures) = &self.closures {
            let own = |taker: usize| Wait {
                mean: self.takers[taker].1,
                shut_for: self.found[self.contests.takers[taker].contest].shut_for,
            };
            let rate = |kind: usize| self.sums[kind].rate;
            self.spread = closures.spread(&self.contests, rate, own);
        }
    }

    /// The wait of each kind of sections for all their tables, roughly: for whom it meets at several of them where it waits
    /// longest.
    fn add_blame(&mut self) {
        let (contests, sums) = (&self.contests, &self.sums);
        self.blame
            .begin(contests, |t| sums[contests.takers[t].kind].square);
        for (kind, wait) in contests.kinds.iter().zip(&mut self.waits) {
            *wait = SectionWait::default();
            let places = &contests.places[kind.places.clone()];
            for (_, taker) in places {
                wait.mean = wait.mean.max(self.takers[*taker].0);
            }
            if places.len() > 1 {
                wait.mean = self.blame.wait(contests, kind, &self.takers);
            }
        }
    }

    /// The wait of each piece for all its sections.
    fn put_together(&mut self, stretch: &[Vec<f64>]) {
        self.by_piece.clear();
        let pieces = self.pieces.iter().zip(self.contests.firsts.windows(2));
        self.by_piece
            .extend(pieces.enumerate().map(|(p, (piece, firsts))| {
                let paused = self.pauses.as_ref().map_or(0.0, |pauses| pauses.wait(p));
                let stretch = &stretch[piece.group];
                let sections = piece.cost.sections.iter().zip(firsts[0]..firsts[1]);
                paused
                    + one_after_the_other(sections.map(|(section, s)| {
                        let before = || piece.cost.list(&section.before).stretched(stretch);
                        (
                            self.waits[self.contests.kind_of[s]],
                            self.holds[s].mean,
                            before,
                        )
                    }))
            }));
    }
}

/// The part of a kind's holds that are no pauses.
fn rest(pauses: Option<&Pauses>, kind: usize) -> f64 {
    pauses.map_or(1.0, |pauses| 1.0 - pauses.part(kind))
}

/// How much of a taker's wait is there because those who have the lock alone wait for later tables, where that is told \[s\].
fn for_later(while_held: Option<&WhileHeld>, taker: usize) -> f64 {
    while_held.map_or(0.0, |held| held.for_later(taker))
}

#[cfg(test)]
mod tests {
    use super::Hold;

    #[test]
    fn round_trips_are_the_same_each_time() {
        let hold = |fixed, variance| Hold {
            mean: 10.0,
            fixed,
            variance,
            ..Hold::default()
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(hold(0.0, 0.0).scv(0.4), 0.4);
        // Half of it varies, and that by 0.4 · 5²; and 3 more.
        near(hold(5.0, 3.0).scv(0.4), (0.4 * 25.0 + 3.0) / 100.0);
        near(hold(12.0, 0.0).scv(0.4), 0.0);
        near(Hold::default().scv(0.4), 0.4);
    }
}
