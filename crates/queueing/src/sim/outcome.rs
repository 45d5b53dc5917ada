//! What a simulation found.

use super::piling::Pile;
use super::run::{Means, Run};

/// A mean with its confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Half the width of its interval; infinite where there is no interval.
    pub half_width: f64,
}

/// Everything that a simulation found, over all replications.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// By class, in the model's order.
    pub classes: Vec<ClassOutcome>,
    /// By activity, in the model's order.
    pub activities: Vec<ActivityOutcome>,
    /// By station, in the model's order.
    pub stations: Vec<StationOutcome>,
    /// By lock, in the model's order.
    pub locks: Vec<LockOutcome>,
    /// By pool, in the model's order.
    pub pools: Vec<PoolOutcome>,
    /// Hit ratio of each cache.
    pub cache_hits: Vec<Estimate>,
    /// What went on over time, for runs to a given time; of the first replication.
    pub series: Option<Series>,
    /// Replications that were folded.
    pub replications: usize,
    /// Batches that the intervals are made of.
    pub batches: usize,
    /// Simulated time that was measured, over all replications \[s\].
    pub time: f64,
    /// Warm-up that was found and left out, longest of the replications \[s\].
    pub warm_up: f64,
    /// Events: arrivals from outside and completed services.
    pub events: u64,
    /// Why it ended.
    pub stopped: Stopped,
    /// Where jobs pile up, if they do and that is known; of the first replication that found it.
    pub pile: Option<Pile>,
}

impl Outcome {
    /// Whether so many completions are a smaller share of all than `share`.
    pub fn is_rare(&self, completions: u64, share: f64) -> bool {
        let classes: u64 = self.classes.iter().map(|c| c.total.completions).sum();
        let activities: u64 = self.activities.iter().map(|a| a.completions).sum();
        (completions as f64) < share * classes.max(activities) as f64
    }

    /// Largest relative half-width of the mean response times that had to be known in `run`, of what
    /// occurred.
    pub fn worst_precision(&self, run: &Run) -> f64 {
        let classes = match run.means {
            Means::All => self.classes.as_slice(),
            Means::Activities => &[],
        };
        let classes = classes.iter().map(|class| &class.total);
        let all = classes.chain(&self.activities);
        all.filter(|timed| timed.completions > 0 && !self.is_rare(timed.completions, run.rare))
            .map(|timed| timed.response.relative())
            .fold(0.0, f64::max)
    }
}

/// Why a simulation ended.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Stopped {
    /// The precision or the time that was asked for is reached.
    #[default]
    Done,
    /// Somebody interrupted it: what there is so far.
    Interrupted,
    /// The limit of events: the precision that was asked for is not reached.
    Events,
    /// Customers come faster than they leave: no steady state was found.
    Unsteady,
    /// More jobs were in the system at a time than a simulation keeps, though none of them waited.
    Jobs,
}

/// Response of what is timed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActivityOutcome {
    /// Its name.
    pub name: String,
    /// Completions in the measured time.
    pub completions: u64,
    /// Completions a second.
    pub throughput: Estimate,
    /// Mean response time \[s\].
    pub response: Estimate,
    /// Quantiles of the response time, by probability: 0.5, 0.9, 0.95, 0.99 \[s\].
    pub quantiles: Vec<(f64, Estimate)>,
    /// Greatest response time \[s\].
    pub longest: f64,
    /// Mean time a completion spent waiting for locks \[s\].
    pub lock_wait: f64,
}

/// One class: its customers from request to response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassOutcome {
    /// Its whole program as an activity.
    pub total: ActivityOutcome,
    /// Mean number in the system, thinking not counted.
    pub number: Estimate,
}

/// One station.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StationOutcome {
    /// Its name.
    pub name: String,
    /// Busy fraction of a server; 0 for a delay.
    pub utilization: Estimate,
    /// Mean number, waiting and in service.
    pub queue_length: Estimate,
    /// Mean time a visit, waiting and in service \[s\].
    pub residence: Estimate,
    /// Visits a second.
    pub throughput: Estimate,
    /// By class, in the model's order.
    pub classes: Vec<StationClassOutcome>,
}

/// One class at one station.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StationClassOutcome {
    /// Visits a second.
    pub throughput: f64,
    /// Mean number, waiting and in service.
    pub queue_length: f64,
    /// Busy servers.
    pub busy: f64,
}

/// One lock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockOutcome {
    /// Its name.
    pub name: String,
    /// Fraction of time that it was held by a writer.
    pub exclusive: Estimate,
    /// Fraction of time that it was held by readers.
    pub shared: Estimate,
    /// Mean number of waiting customers.
    pub waiting: Estimate,
    /// By activity and mode; only those that took it.
    pub users: Vec<LockUseOutcome>,
    /// Who waited for whom, longest total first.
    pub blame: Vec<Blame>,
}

/// One activity's use of a lock in one mode.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockUseOutcome {
    /// Index of the activity; none for what is not timed.
    pub activity: Option<usize>,
    /// Whether it was taken alone.
    pub exclusive: bool,
    /// Acquisitions in the measured time.
    pub acquisitions: u64,
    /// Mean wait \[s\].
    pub wait: f64,
    /// Longest wait \[s\].
    pub longest_wait: f64,
    /// Mean hold \[s\].
    pub hold: f64,
}

/// Who waited for whom: while the victim waited, the culprit held the lock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Blame {
    /// Activity that waited; none for what is not timed.
    pub victim: Option<usize>,
    /// Activity that held.
    pub culprit: Option<usize>,
    /// Waited seconds a second: the mean number of such waiters.
    pub waiting: f64,
}

/// One pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoolOutcome {
    /// Its name.
    pub name: String,
    /// Mean number taken.
    pub taken: Estimate,
    /// Mean number of waiting customers.
    pub waiting: Estimate,
}

/// What went on in equal pieces of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Length of a piece \[s\].
    pub piece: f64,
    /// Completions in each piece, by activity.
    pub completions: Vec<Vec<u64>>,
    /// Mean response time in each piece, by activity; 0 where nothing completed \[s\].
    pub response: Vec<Vec<f64>>,
    /// Busy fraction in each piece, by station.
    pub utilization: Vec<Vec<f64>>,
    /// Mean number waiting for each lock in each piece, by lock.
    pub lock_waiting: Vec<Vec<f64>>,
}

impl Estimate {
    /// Lower end of the interval.
    pub fn low(&self) -> f64 {
        self.value - self.half_width
    }

    /// Upper end of the interval.
    pub fn high(&self) -> f64 {
        self.value + self.half_width
    }

    /// Half-width over the value; infinite where the value is 0 and the width is not.
    pub fn relative(&self) -> f64 {
        if self.half_width == 0.0 { 0.0 } else { self.half_width / self.value.abs() }
    }
}
