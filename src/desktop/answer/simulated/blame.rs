//! Who waits for whom, as it happens: the wait for a lock since the last change is charged to those who held
//! it meanwhile, in equal parts, as the simulator itself does at the end ([`crate::sim::Blame`]).

/// Bins of a run.
pub(super) const BINS: usize = 96;

/// What one kind of work waited for another at one lock.
#[derive(Debug, Clone, PartialEq)]
pub struct Waited {
    /// Index of the lock.
    pub lock: usize,
    /// Index of the activity that waited; none for what is not timed.
    pub victim: Option<usize>,
    /// Index of the activity that held.
    pub culprit: Option<usize>,
    /// Waited \[s\].
    pub seconds: f64,
    /// The same by bin \[s\].
    pub bins: Vec<f32>,
}

/// A lock with those who wait for it and those who hold it, by activity; the last is what is not timed.
#[derive(Debug, Clone, PartialEq)]
struct Queue {
    waits: Vec<u32>,
    holds: Vec<u32>,
    waiting: u32,
    holding: u32,
    since: f64,
    /// By victim and culprit, 1 more than the index of the row; 0 where there is none yet.
    rows: Vec<u32>,
}

/// All waits for locks.
#[derive(Debug, Clone, PartialEq)]
pub struct Blame {
    /// Activities.
    activities: usize,
    queues: Vec<Queue>,
    /// Those that happened, in the order in which they first did.
    pub rows: Vec<Waited>,
    /// Length of a bin \[s\].
    bin: f64,
}

impl Blame {
    pub(super) fn new(locks: usize, activities: usize, until: f64) -> Self {
        let n = activities + 1;
        let queue =
            Queue { waits: vec![0; n], holds: vec![0; n], waiting: 0, holding: 0, since: 0.0, rows: vec![0; n * n] };
        Self { activities, queues: vec![queue; locks], rows: Vec::new(), bin: until / BINS as f64 }
    }

    fn actor(&self, activity: Option<usize>) -> usize {
        activity.unwrap_or(self.activities).min(self.activities)
    }

    pub(super) fn asks(&mut self, time: f64, lock: usize, activity: Option<usize>) {
        self.charge(time, lock);
        let actor = self.actor(activity);
        self.queues[lock].waits[actor] += 1;
        self.queues[lock].waiting += 1;
    }

    pub(super) fn granted(&mut self, time: f64, lock: usize, activity: Option<usize>) {
        self.charge(time, lock);
        let actor = self.actor(activity);
        let queue = &mut self.queues[lock];
        queue.waits[actor] = queue.waits[actor].saturating_sub(1);
        queue.waiting = queue.waiting.saturating_sub(1);
        queue.holds[actor] += 1;
        queue.holding += 1;
    }

    pub(super) fn releases(&mut self, time: f64, lock: usize, activity: Option<usize>) {
        self.charge(time, lock);
        let actor = self.actor(activity);
        let queue = &mut self.queues[lock];
        queue.holds[actor] = queue.holds[actor].saturating_sub(1);
        queue.holding = queue.holding.saturating_sub(1);
    }

    /// Goes on to a time as it is.
    pub(super) fn settle(&mut self, time: f64) {
        for lock in 0..self.queues.len() {
            self.charge(time, lock);
        }
    }

    #[inline]
    fn charge(&mut self, time: f64, lock: usize) {
        let queue = &mut self.queues[lock];
        let since = std::mem::replace(&mut queue.since, time);
        if queue.waiting == 0 || queue.holding == 0 || time <= since {
            return;
        }
        let n = self.activities + 1;
        let timed = |actor: usize| (actor < self.activities).then_some(actor);
        for (victim, waits) in queue.waits.iter().enumerate().filter(|(_, w)| **w > 0) {
            for (culprit, holds) in queue.holds.iter().enumerate().filter(|(_, h)| **h > 0) {
                let row = &mut queue.rows[victim * n + culprit];
                if *row == 0 {
                    self.rows.push(Waited {
                        lock,
                        victim: timed(victim),
                        culprit: timed(culprit),
                        seconds: 0.0,
                        bins: vec![0.0; BINS],
                    });
                    *row = self.rows.len() as u32;
                }
                let share = f64::from(waits * holds) / f64::from(queue.holding);
                self.rows[*row as usize - 1].spread(since, time, share, self.bin);
            }
        }
    }

    /// The bin of a moment.
    pub fn bin_of(&self, moment: f64) -> usize {
        ((moment / self.bin) as usize).min(BINS - 1)
    }
}

impl Waited {
    /// Adds `share` for each second between two times.
    fn spread(&mut self, from: f64, until: f64, share: f64, bin: f64) {
        self.seconds += share * (until - from);
        let (mut at, mut index) = (from, (from / bin) as usize);
        while at < until && index < BINS {
            let end = (bin * (index + 1) as f64).min(until);
            self.bins[index] += (share * (end - at).max(0.0)) as f32;
            (at, index) = (end, index + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_charged_to_who_holds() {
        let mut blame = Blame::new(1, 2, 960.0);
        let grant = |blame: &mut Blame, time, who| {
            blame.asks(time, 0, Some(who));
            blame.granted(time, 0, Some(who));
        };
        grant(&mut blame, 0.0, 0);
        blame.asks(5.0, 0, Some(1));
        blame.asks(10.0, 0, None);
        blame.releases(25.0, 0, Some(0));
        blame.granted(25.0, 0, Some(1));
        blame.settle(30.0);
        let found: Vec<_> = blame.rows.iter().map(|r| (r.victim, r.culprit, r.seconds)).collect();
        let expected = [(Some(1), Some(0), 20.0), (None, Some(0), 15.0), (None, Some(1), 5.0)];
        assert_eq!(found, expected);
        assert_eq!(blame.rows[0].bins[..3], [5.0, 10.0, 5.0]);
    }
}
