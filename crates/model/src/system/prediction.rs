//! What a deployment does under a load.

use std::collections::BTreeMap;
use std::fmt;

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::busiest::Busiest;
use super::correction::Correction;
use super::lens::Numbers;
use super::main_driver::MainDriver;
use super::plant::{Io, ResourceKind};
use super::resource::{Resource, Spot};
use crate::sim::Estimate;
use crate::units::about_count;
use crate::workload::Work;

/// A value with its 80 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The prediction.
    pub value: f64,
    /// Below it one time in ten.
    pub low: f64,
    /// Above it one time in ten.
    pub high: f64,
}

impl Interval {
    /// A value without stated error.
    pub fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// The 80 % interval of a value whose logarithm errs by `sigma`.
    pub fn around(value: f64, sigma: f64) -> Self {
        let factor = (Normal::standard().inverse_cdf(0.9) * sigma).exp();
        Self { value, low: value / factor, high: value * factor }
    }

    /// All of it by a factor: as wide as before.
    fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// Chance in percent that the value exceeds a limit, where the interval crosses that; `None` where it does not. The value
    /// is log-normal on each side of its estimate: the estimate is the median, one time in ten lies below the low end and one
    /// in ten above the high end.
    pub fn chance_above(self, limit: f64) -> Option<u32> {
        if !(self.low < limit && limit < self.high && self.low > 0.0) {
            return None;
        }
        let side = if limit < self.value { self.value / self.low } else { self.high / self.value };
        let z = Normal::standard().inverse_cdf(0.9) * (limit / self.value).ln() / side.ln();
        let above = if z.is_finite() { Normal::standard().sf(z) } else { 0.5 };
        Some((100.0 * above).round() as u32)
    }
}

/// The response of one kind of work.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassPrediction {
    /// Which kind of work it is.
    pub work: Work,
    /// As printed: "browse", "large sync", with the office where it is not the main one.
    pub name: String,
    /// Mean response time \[s\].
    pub mean: Interval,
    /// 95th percentile \[s\].
    pub p95: Interval,
    /// Completions \[1/s\].
    pub throughput: f64,
    /// It takes so long at least, whatever the model errs by: a round trip to its office, and its bytes on the slower of line and
    /// network at their stated rates \[s\].
    pub least: f64,
    /// Bytes to a client over the mean response time \[B/s\], for transfers.
    pub rate: Option<f64>,
    /// Where the time goes: kind of resource and seconds, largest first.
    pub parts: Vec<(ResourceKind, f64)>,
    /// What a simulation of the same found, where it was confirmed by one.
    pub simulated: Option<Simulated>,
}

/// A kind of work in a simulation of the same deployment and load; half-widths are of 95 % intervals, of chance alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Simulated {
    /// Mean response time \[s\].
    pub mean: Estimate,
    /// 95th percentile \[s\].
    pub p95: Estimate,
    /// Completions that were seen.
    pub seen: u64,
    /// Whether the solved times were off by more than both errors, so that these stand in their place.
    pub is_shown: bool,
}

impl ClassPrediction {
    /// Moves mean and 95th percentile by a factor each; intervals keep their width, and the parts their shares.
    pub fn move_by(&mut self, [mean, p95]: [f64; 2]) {
        for (_, seconds) in &mut self.parts {
            *seconds *= mean;
        }
        self.rate = self.rate.map(|rate| rate / mean);
        self.mean = self.mean.times(mean);
        self.p95 = self.p95.times(p95);
        self.end_at_least();
    }

    /// Its mean time without waits for locks \[s\].
    pub fn away_from_locks(&self) -> f64 {
        let parts = self.parts.iter();
        let away = parts.filter(|(kind, _)| *kind != ResourceKind::Lock);
        away.map(|(_, seconds)| seconds).sum()
    }

    /// Ends both intervals where physics ends them.
    pub(super) fn end_at_least(&mut self) {
        for interval in [&mut self.mean, &mut self.p95] {
            interval.low = interval.low.max(self.least.min(interval.value));
        }
    }

    /// Takes the times of another kind of work where these are longer, with where they go.
    pub(super) fn at_least(&mut self, other: &Self) {
        if other.mean.value > self.mean.value {
            (self.mean, self.rate) = (other.mean, other.rate);
            self.parts.clone_from(&other.parts);
        }
        if other.p95.value > self.p95.value {
            self.p95 = other.p95;
        }
        self.least = self.least.max(other.least);
    }
}

/// What a simulation of a deployment's peak came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Confirmation {
    /// Times that can be compared.
    Steady(Simulation),
    /// Nothing, for this reason.
    Failed(String),
}

/// How much was simulated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Simulation {
    /// Events: arrivals from outside and completed services.
    pub events: u64,
    /// Simulated time \[s\].
    pub time: f64,
}

/// How busy a resource is.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourcePrediction {
    /// Which.
    pub resource: Resource,
    /// Busy fraction of a server, in \[0, 1\].
    pub utilization: f64,
}

/// Waiting at a table lock.
#[derive(Debug, Clone, PartialEq)]
pub struct LockPrediction {
    /// Which: a table on a server.
    pub lock: Resource,
    /// Mean wait of those who write \[s\].
    pub write_wait: f64,
    /// Mean wait of those who read \[s\].
    pub read_wait: f64,
    /// Longest mean hold of a command that takes it exclusively \[s\].
    pub hold: f64,
    /// Share of its capacity in use.
    pub utilization: f64,
}

/// Holds of a table lock that are far longer than everything else: rare, and everybody who wants the table waits.
#[derive(Debug, Clone, PartialEq)]
pub struct LongHold {
    /// Who holds.
    pub holder: Work,
    /// Files of its command.
    pub files: f64,
    /// Table and server.
    pub lock: String,
    /// How long \[s\].
    pub hold: f64,
    /// How often \[1/s\].
    pub rate: f64,
    /// Kinds of work and the share of each that meets one, largest share first.
    pub met_by: Vec<(Work, f64)>,
}

/// Commands on a server at the same moment, on average over the peak (Little 1961).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InFlight {
    /// Those that run, waiting or not.
    pub running: f64,
    /// Those of them that wait for a lock.
    pub blocked: f64,
}

/// The commit section: how long meta/commit is held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommitSection {
    /// Hold of one commit \[s\].
    pub hold: f64,
    /// Files that it commits.
    pub files: f64,
}

impl CommitSection {
    /// Files committed a second while the section is held: what branchsubmit reports.
    pub fn rate(&self) -> f64 {
        self.files / self.hold
    }
}

/// Everything predicted for one deployment under one load.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// By kind of work.
    pub classes: Vec<ClassPrediction>,
    /// By resource, in the order of the plant.
    pub resources: Vec<ResourcePrediction>,
    /// By lock, busiest first.
    pub locks: Vec<LockPrediction>,
    /// Long holds of locks, those that cost most waiting first.
    pub long_holds: Vec<LongHold>,
    /// The commit section of the largest commit in the load.
    pub commit: Option<CommitSection>,
    /// What each server's volumes are asked for a second, by server and role.
    pub io: BTreeMap<(usize, &'static str), Io>,
    /// Cycles a second of each group.
    pub group_rates: Vec<f64>,
    /// Commands in flight by server.
    pub in_flight: Vec<InFlight>,
    /// Share of db page reads found in the commit server's memory.
    pub db_hit: f64,
    /// Share of archive bytes found in the commit server's memory.
    pub depot_hit: f64,
    /// Numbers that went in, by name; searches do not ask and have none.
    pub used: Numbers,
    /// What each kind of work, resource and lock hangs on most, by its name; known with the intervals.
    pub main_drivers: BTreeMap<String, MainDriver>,
    /// The busiest resource or lock by the upper end of its interval; known with the intervals, none where nothing is busy.
    pub busiest: Option<Busiest>,
    /// How the network was solved, and the rounds of the lock iteration.
    pub method: String,
    /// The simulation that it was confirmed by, if it was.
    pub confirmed: Option<Confirmation>,
    /// How far simulations moved solved times, at this load and at others.
    pub correction: Correction,
}

impl Prediction {
    /// Whether large syncs at once, of a class, take as long as at the usual peak: that is one fact.
    pub fn is_usual(&self, at_once: &ClassPrediction) -> bool {
        /// Times within a percent are told with the same two digits.
        const ALIKE: f64 = 0.99;
        let (mut classes, of) = (self.classes.iter(), &at_once.work);
        of.is_at_once()
            && classes.any(|usual| {
                usual.work != *of && usual.work.clients == of.clients && usual.p95.value >= ALIKE * at_once.p95.value
            })
    }

    /// Resources, and behind them locks, each with the share of its time in use.
    pub fn busy(&self) -> impl Iterator<Item = (&Resource, f64)> {
        let resources = self.resources.iter();
        let resources = resources.map(|r| (&r.resource, r.utilization));
        resources.chain(self.locks.iter().map(|l| (&l.lock, l.utilization)))
    }

    /// The busiest resource or lock.
    pub fn bottleneck(&self) -> (Resource, f64) {
        // Of several that are equally busy the first is named.
        let busiest = self.busy().reduce(|busiest, next| if next.1 > busiest.1 { next } else { busiest });
        busiest.map_or_else(
            || (Resource::shared(Spot::Nothing), 0.0),
            |(resource, utilization)| (resource.clone(), utilization),
        )
    }

    /// Large syncs in flight: how often they come times how long each takes (Little 1961).
    pub fn large_syncs_in_flight(&self) -> f64 {
        let large = self.classes.iter().filter(|c| c.work.is_large_sync());
        large.map(|class| class.throughput * class.mean.value).sum()
    }

    /// What each group does together \[cycles/s\]: how large the load is.
    pub fn cycles(&self) -> f64 {
        self.group_rates.iter().sum()
    }

    /// Takes no large sync to be faster while all that are stated run at once than at the usual peak.
    pub fn heed_at_once(&mut self) {
        let (at_once, usual): (Vec<_>, Vec<_>) = self.classes.iter_mut().partition(|class| class.work.is_at_once());
        for class in at_once {
            let mut usual = usual.iter();
            let clients = &class.work.clients;
            if let Some(one) = usual.find(|usual| usual.work.clients == *clients) {
                class.at_least(one);
            }
        }
    }

    /// The same where simulations replaced solved times: those of the same work are moved as far, since both come from the
    /// same solution of another load.
    ///
    /// # Errors
    ///
    /// A simulation found that such a load is not carried.
    pub fn confirmed_by(mut self, correction: &Correction) -> Result<Self, PredictError> {
        let cycles = self.cycles();
        if let Some(why) = correction.overload(cycles) {
            return Err(why.clone());
        }
        for (work, ratio) in correction.at(cycles) {
            if let Some(class) = self.classes.iter_mut().find(|class| class.work == work) {
                class.move_by(ratio);
            }
        }
        self.heed_at_once();
        self.correction.clone_from(correction);
        Ok(self)
    }

    /// A kind of work.
    pub fn class(&self, work: &Work) -> Option<&ClassPrediction> {
        self.classes.iter().find(|c| c.work == *work)
    }
}

/// Why there is no prediction: saturation is an answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PredictError {
    /// A resource or lock cannot keep up with what comes.
    #[error("{}", Overload::of(resource, *utilization))]
    Saturated {
        /// Which.
        resource: Resource,
        /// Asked over possible, at least 1.
        utilization: f64,
    },
    /// A simulation of the steady peak is not steady, though the analytic solution is.
    #[error("{}", piling_up(resource, *utilization))]
    Unsteady {
        /// Where most work waits, or the busiest resource or lock of the analytic solution.
        resource: Resource,
        /// Share of its time that is needed.
        utilization: f64,
    },
    /// The solver gave up.
    #[error("no solution: {0}")]
    Unsolved(String),
}

impl PredictError {
    /// The resource or lock that cannot keep up, where one does not.
    pub fn resource(&self) -> Option<&Resource> {
        match self {
            Self::Saturated { resource, .. } | Self::Unsteady { resource, .. } => Some(resource),
            Self::Unsolved(_) => None,
        }
    }

    /// What cannot keep up, without the share of its time that is needed.
    pub fn without_share(&self) -> String {
        match self {
            Self::Saturated { resource, utilization } => Overload::of(resource, *utilization).what,
            Self::Unsteady { .. } | Self::Unsolved(_) => self.to_string(),
        }
    }
}

/// That a resource is overloaded, and by how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overload {
    /// "disks of local RAID 10 are overloaded".
    pub what: String,
    /// "they need 130 % of their time"; nothing of a lock: holds grow with the load, so that the share of its time does not say
    /// which part of the load it carries, as that of a disk does.
    pub needs: Option<String>,
}

impl Overload {
    /// Of a resource that needs such a share of its time.
    pub fn of(resource: &Resource, utilization: f64) -> Self {
        let (is, needs, its) =
            if resource.are_several() { ("are", "they need", "their") } else { ("is", "it needs", "its") };
        let time = if utilization < 10.0 {
            format!("{:.0} % of {its} time", utilization * 100.0)
        } else {
            format!("{} times {its} time", about_count(utilization))
        };
        Self {
            what: format!("{resource} {is} overloaded"),
            needs: (!resource.is_lock()).then(|| format!("{needs} {time}")),
        }
    }
}

impl fmt::Display for Overload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.needs {
            Some(needs) => write!(f, "{}: {needs}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// Of a lock without a share: it is held longer the more commands wait for it.
fn piling_up(resource: &Resource, utilization: f64) -> String {
    let work = "in the simulation, work arrives faster than it is completed";
    if resource.is_lock() {
        return format!("{work}; {resource} is held the longer the more commands wait for it");
    }
    let (needs, its) = if resource.are_several() { ("need", "their") } else { ("needs", "its") };
    let percent = utilization * 100.0;
    format!("{work}; {resource} {needs} {percent:.0} % of {its} time")
}

#[cfg(test)]
mod tests {
    use super::{Interval, PredictError, Resource, Spot};
    use crate::catalog::Named;

    #[test]
    fn only_what_grows_with_the_load_says_how_much_it_needs() {
        let told = |resource: Resource| {
            let utilization = 1.87;
            PredictError::Saturated { resource, utilization }.to_string()
        };
        let lock = Resource::lock("db.locks", 0);
        let wanted = "lock db.locks on commit server is overloaded";
        assert_eq!(told(lock), wanted);
        let filer = Named { id: "nas".to_owned(), name: "filer".to_owned() };
        let several = Resource::of_server(0, Spot::Requests(filer));
        let wanted = "NFS requests of commit server to filer are overloaded: they need 187 % of their time";
        assert_eq!(told(several), wanted);
        let one = Resource::of_server(0, Spot::Volumes);
        let wanted = "bandwidth to the volumes of commit server is overloaded: it needs 187 % of its time";
        assert_eq!(told(one), wanted);
    }

    #[test]
    fn a_limit_inside_the_interval_is_exceeded_by_chance() {
        let time = Interval { value: 2.0, low: 1.0, high: 8.0 };
        let risk = |time: Interval, limit| time.chance_above(limit);
        assert_eq!(risk(time, 2.0), Some(50));
        assert_eq!(risk(time, 7.999), Some(10));
        assert_eq!(risk(time, 1.001), Some(90));
        // Half-way to the high end, as a ratio: z = 0.64.
        assert_eq!(risk(time, 4.0), Some(26));
        assert_eq!((risk(time, 8.0), risk(time, 1.0)), (None, None));
        let exact = Interval { value: 2.0, low: 2.0, high: 2.0 };
        assert_eq!((risk(exact, 2.0), risk(exact, 3.0)), (None, None));
    }
}
