//! From replications to an outcome: all batches of all replications are independent observations.

use super::measure::{Batch, LockTotals, Replication, StationSums};
use super::model::{Discipline, Model, Station};
use super::outcome::{
    ActivityOutcome, Blame, ClassOutcome, Estimate, LockOutcome, LockUseOutcome, Outcome, PoolOutcome,
    StationClassOutcome, StationOutcome, Stopped,
};
use super::run::Run;
use crate::stats::histogram::quantile_interval;
use crate::stats::interval::{self, Interval};

/// Quantiles of response times that an outcome has.
pub const QUANTILES: [f64; 4] = [0.5, 0.9, 0.95, 0.99];

impl From<Interval> for Estimate {
    fn from(interval: Interval) -> Self {
        Self { value: interval.value, half_width: interval.half_width }
    }
}

impl Station {
    /// Servers that its utilization is a fraction of; none for a delay.
    pub(super) fn counted_servers(&self) -> Option<f64> {
        match self.discipline {
            Discipline::Delay => None,
            _ if self.speeds.is_empty() => Some(self.servers),
            _ => Some(1.0),
        }
    }
}

/// The outcome of replications of one run, in their order: the same slice gives the same bytes. One
/// replication to a given time has no intervals; they are infinite.
pub fn fold(model: &Model, run: &Run, replications: &[Replication]) -> Outcome {
    let batches: Vec<&Batch> = replications.iter().flat_map(|r| &r.batches).collect();
    let fold = Fold {
        model,
        confidence: run.confidence,
        replications,
        time: batches.iter().map(|batch| batch.time).sum(),
        batches,
    };
    let n_classes = model.classes.len();
    let classes = (0..n_classes).map(|class| ClassOutcome {
        total: fold.timing(class, &model.classes[class].name),
        number: fold.mean(|batch| batch.numbers[class]),
    });
    let activities = model.activities.iter().enumerate();
    let caches = 0..model.caches.len();
    Outcome {
        classes: classes.collect(),
        activities: activities.map(|(idx, name)| fold.timing(n_classes + idx, name)).collect(),
        stations: (0..model.stations.len()).map(|s| fold.station(s)).collect(),
        locks: (0..model.locks.len()).map(|lock| fold.lock(lock)).collect(),
        pools: (0..model.pools.len()).map(|pool| fold.pool(pool)).collect(),
        cache_hits: caches.map(|cache| fold.ratio(|b| (b.caches[cache].0 as f64, b.caches[cache].1 as f64))).collect(),
        series: replications.first().and_then(|first| first.pieces.as_ref()).map(super::measure::Pieces::series),
        replications: replications.len(),
        batches: fold.batches.len(),
        time: fold.time,
        warm_up: replications.iter().fold(0.0, |most, r| most.max(r.warm_up)),
        events: replications.iter().map(|r| r.events).sum(),
        stopped: stopped(replications),
        pile: replications.iter().find_map(|r| r.pile.clone()),
    }
}

/// The worst reason of all.
fn stopped(replications: &[Replication]) -> Stopped {
    let reasons = [Stopped::Interrupted, Stopped::Unsteady, Stopped::Jobs, Stopped::Events];
    let found = reasons.into_iter().find(|reason| replications.iter().any(|r| r.stopped == *reason));
    found.unwrap_or(Stopped::Done)
}

struct Fold<'a> {
    model: &'a Model,
    confidence: f64,
    replications: &'a [Replication],
    batches: Vec<&'a Batch>,
    time: f64,
}

impl Fold<'_> {
    fn ratio(&self, pair: impl Fn(&Batch) -> (f64, f64)) -> Estimate {
        let pairs: Vec<(f64, f64)> = self.batches.iter().map(|batch| pair(batch)).collect();
        interval::ratio(pairs.iter().copied(), self.confidence).into()
    }

    /// Of an integral over time.
    fn mean(&self, area: impl Fn(&Batch) -> f64) -> Estimate {
        self.ratio(|batch| (area(batch), batch.time))
    }

    /// A sum over the measured time, a second.
    fn per_second(&self, sum: f64) -> f64 {
        if self.time > 0.0 { sum / self.time } else { 0.0 }
    }

    fn timing(&self, idx: usize, name: &str) -> ActivityOutcome {
        let completions = self.batches.iter().map(|b| b.timings[idx].count).sum();
        let totals = self.replications.iter();
        let totals = totals.filter_map(|r| r.totals.timings.get(idx));
        let (waited, longest) = totals.fold((0.0, 0.0f64), |all, one| (all.0 + one.0, all.1.max(one.1)));
        let observed = self.batches.iter().map(|b| b.timings[idx].observed());
        let histograms = self.batches.iter().map(|b| &b.timings[idx].histogram);
        let quantiles = QUANTILES.map(|probability| {
            let interval = quantile_interval(histograms.clone(), probability, self.confidence);
            (probability, interval.into())
        });
        ActivityOutcome {
            name: name.to_owned(),
            completions,
            throughput: self.mean(|batch| batch.timings[idx].count as f64),
            response: interval::controlled(&observed.collect::<Vec<_>>(), self.confidence).into(),
            quantiles: quantiles.into(),
            longest,
            lock_wait: if completions > 0 { waited / completions as f64 } else { 0.0 },
        }
    }

    fn station(&self, idx: usize) -> StationOutcome {
        let station = &self.model.stations[idx];
        let n = self.model.classes.len();
        let classes = (0..n).map(|class| {
            let mut sums = StationSums::default();
            for replication in self.replications {
                if let Some(cell) = replication.totals.cells.get(idx * n + class) {
                    sums.add(cell);
                }
            }
            StationClassOutcome {
                throughput: self.per_second(sums.count as f64),
                queue_length: self.per_second(sums.area),
                busy: self.per_second(sums.busy),
            }
        });
        let utilization =
            station.counted_servers().map(|servers| self.mean(|batch| batch.stations[idx].busy / servers));
        StationOutcome {
            name: station.name.clone(),
            utilization: utilization.unwrap_or_default(),
            queue_length: self.mean(|batch| batch.stations[idx].area),
            residence: self.ratio(|b| (b.stations[idx].area, b.stations[idx].count as f64)),
            throughput: self.mean(|batch| batch.stations[idx].count as f64),
            classes: classes.collect(),
        }
    }

    fn lock(&self, idx: usize) -> LockOutcome {
        let totals: Vec<&LockTotals> =
            self.replications.iter().filter_map(|replication| replication.totals.locks.get(idx)).collect();
        LockOutcome {
            name: self.model.locks[idx].name.clone(),
            exclusive: self.mean(|batch| batch.locks[idx].exclusive),
            shared: self.mean(|batch| batch.locks[idx].shared),
            waiting: self.mean(|batch| batch.locks[idx].waiting),
            users: lock_users(&totals),
            blame: self.blame(&totals),
        }
    }

    fn blame(&self, totals: &[&LockTotals]) -> Vec<Blame> {
        let Some(first) = totals.first() else {
            return Vec::new();
        };
        let n = first.actors.len();
        let mut all = Vec::new();
        for (place, (victim, culprit)) in (0..n * n).map(|place| (place, (place / n, place % n))) {
            let waited: f64 = totals.iter().map(|lock| lock.blame[place]).sum();
            if waited > 0.0 {
                all.push(Blame {
                    victim: first.actors[victim],
                    culprit: first.actors[culprit],
                    waiting: self.per_second(waited),
                });
            }
        }
        // Stable: equal ones stay in the order of activities.
        all.sort_by(|a, b| b.waiting.total_cmp(&a.waiting));
        all
    }

    fn pool(&self, idx: usize) -> PoolOutcome {
        PoolOutcome {
            name: self.model.pools[idx].name.clone(),
            taken: self.mean(|batch| batch.pools[idx].0),
            waiting: self.mean(|batch| batch.pools[idx].1),
        }
    }
}

fn lock_users(totals: &[&LockTotals]) -> Vec<LockUseOutcome> {
    let Some(first) = totals.first() else {
        return Vec::new();
    };
    let mut users = Vec::new();
    for (place, (used, _)) in first.users.iter().enumerate() {
        let counts = || totals.iter().map(|lock| &lock.users[place].1);
        let acquisitions: u64 = counts().map(|c| c.acquisitions).sum();
        let releases: u64 = counts().map(|c| c.releases).sum();
        let wait: f64 = counts().map(|c| c.wait).sum();
        let hold: f64 = counts().map(|c| c.hold).sum();
        if acquisitions == 0 {
            continue;
        }
        users.push(LockUseOutcome {
            activity: used.activity,
            exclusive: used.exclusive,
            acquisitions,
            wait: wait / acquisitions as f64,
            longest_wait: counts().fold(0.0, |most, c| most.max(c.longest_wait)),
            hold: if releases > 0 { hold / releases as f64 } else { 0.0 },
        });
    }
    users.sort_by_key(|user| (user.activity, user.exclusive));
    users
}
