//! What is simulated: stations, locks, pools and caches, and the classes of customers that use them.
//!
//! A [`Model`] is plain data. A class has a source of customers and a program: the steps that each
//! of its customers goes through from arrival to response.

use super::distribution::Distribution;
use super::validate::JOBS_MAX;

/// Everything that is simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Where customers are served.
    pub stations: Vec<Station>,
    /// Readers–writer locks, each served in order of arrival.
    pub locks: Vec<Lock>,
    /// Passive resources of which there is a finite number.
    pub pools: Vec<Pool>,
    /// Services of all who wait at once.
    pub bulks: Vec<Bulk>,
    /// Stations whose servers sleep while they are idle.
    pub sleepers: Vec<Sleeper>,
    /// Caches.
    pub caches: Vec<Cache>,
    /// Kinds of work that are timed, by name ([`Step::Timed`]).
    pub activities: Vec<String>,
    /// Kinds of customers.
    pub classes: Vec<Class>,
    /// What happens at a given time, in any order.
    pub happenings: Vec<Happening>,
}

/// A place where customers are served.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    /// Its name.
    pub name: String,
    /// Who is served next.
    pub discipline: Discipline,
    /// Parallel servers, m; any number above 0 for processor sharing (a link of which one stream may
    /// take a third has three), a whole one else. Not used by a delay.
    pub servers: f64,
    /// Load-dependent service: speed of the whole station with 1, 2, … customers, the last for all
    /// beyond; in place of servers. Empty otherwise.
    pub speeds: Vec<f64>,
}

/// Who is served next.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Discipline {
    /// Everybody at once: nobody waits.
    Delay,
    /// First come, first served.
    Fcfs,
    /// Everybody at once at a speed of min(1, m/n).
    Ps,
    /// The last one preempts, and whom it preempted resumes.
    LcfsPr,
    /// Lowest [`Class::priority`] first, then first come; whoever is served is served to the end.
    Priority,
    /// Lowest [`Class::priority`] first; a better one preempts, and the preempted one resumes.
    PreemptivePriority,
}

/// A readers–writer lock: whoever waits is granted in order of arrival, neighbouring readers together.
#[derive(Clone, Debug, PartialEq)]
pub struct Lock {
    /// Its name.
    pub name: String,
}

/// A passive resource, granted in order of arrival.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Its name.
    pub name: String,
    /// How many there are.
    pub capacity: u32,
}

/// A service of all who wait at once, one after the other ([`Step::Bulk`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bulk {
    /// Index of the station where those who wait are counted.
    pub station: usize,
    /// By how much longer it takes for each beyond the first, as a part of what it takes for one.
    pub joined: f64,
}

/// A station of processor sharing whose servers sleep while they are idle. The one that became idle last is taken next, and has
/// `delay` · (1 − e^(−t/`after`)) more to do where it was idle for t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleeper {
    /// Index of the station.
    pub station: usize,
    /// What waking takes after a long time \[s\].
    pub delay: f64,
    /// The time in which a server falls asleep \[s\].
    pub after: f64,
}

/// A cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Cache {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: CacheKind,
}

/// What a cache holds.
#[derive(Clone, Debug, PartialEq)]
pub enum CacheKind {
    /// Whether a reference hits is drawn.
    Probability(f64),
    /// The least recently used item is replaced; item i of `items` is referenced in proportion to
    /// i^−skew (Zipf).
    Lru {
        /// Items that it holds.
        capacity: usize,
        /// Items that there are.
        items: usize,
        /// Skew, α; 0 is uniform.
        skew: f64,
    },
}

/// A kind of customers.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Where its customers come from.
    pub source: Source,
    /// What each of them does.
    pub program: Vec<Step>,
    /// Rank at stations with priority; lower is served first.
    pub priority: u8,
    /// How its arrivals vary over time; none is constant. Think times are divided by the factor, arrival
    /// rates multiplied.
    pub profile: Option<Profile>,
}

/// Where customers come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A fixed number of customers, who think between a response and the next request.
    Closed {
        /// Customers.
        population: u32,
        /// Think time.
        think: Distribution,
    },
    /// A stream from outside.
    Open(Arrivals),
}

/// How a stream from outside comes.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// Times between arrivals are independent; exponential ones make a Poisson stream.
    Renewal(Distribution),
    /// A Poisson stream whose rate switches between two values (MMPP): bursts.
    Bursts {
        /// Arrivals a second in either state.
        rates: [f64; 2],
        /// Mean time in either state \[s\].
        stays: [f64; 2],
    },
    /// At the given times \[s\], which rise.
    At(Vec<f64>),
    /// Only by [`HappeningKind::Arrive`].
    Never,
}

/// Piecewise constant factor over time, repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Length of a piece \[s\].
    pub piece: f64,
    /// Factor in each piece; after the last the first follows.
    pub factors: Vec<f64>,
}

/// How a lock is taken.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mode {
    /// With other readers.
    Shared,
    /// Alone.
    Exclusive,
}

/// What a customer does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Waits at a station and is served.
    Serve {
        /// Index of the station.
        station: usize,
        /// Service time at speed 1.
        service: Distribution,
    },
    /// Waits at a station and is served, for the same time whatever the size ([`Step::Sized`]) of what is
    /// done.
    Fixed {
        /// Index of the station.
        station: usize,
        /// Service time at speed 1.
        service: Distribution,
    },
    /// Takes locks one after the other in the given order, which must be the same for all: it waits for
    /// each while it holds those before it.
    Lock(Vec<(usize, Mode)>),
    /// Lets go of locks.
    Unlock(Vec<usize>),
    /// Takes `count` of a pool, waiting in order of arrival.
    Take {
        /// Index of the pool.
        pool: usize,
        /// How many.
        count: u32,
    },
    /// Gives `count` back.
    Give {
        /// Index of the pool.
        pool: usize,
        /// How many.
        count: u32,
    },
    /// Is served together with all who wait: one of them goes through the body, which may do nothing but serve, for all, and who comes
    /// meanwhile waits for the next time (group commit). The size of what is done ([`Step::Sized`]) does not count inside.
    Bulk {
        /// Index of the bulk.
        bulk: usize,
        /// What is done once for all of them.
        body: Vec<Self>,
    },
    /// Branches at once, and goes on when all are done.
    Fork(Vec<Vec<Self>>),
    /// Starts work that it does not wait for.
    Spawn(Vec<Self>),
    /// One of several, drawn in proportion to the weights.
    Choose(Vec<(f64, Vec<Self>)>),
    /// The same again, a fixed number of times.
    Repeat {
        /// Times.
        times: u32,
        /// What is repeated.
        body: Vec<Self>,
    },
    /// The same again, as many times as the size ([`Step::Sized`]) says: `times` × size, rounded, at least once; each time is
    /// the same part of the whole.
    Batches {
        /// Times at size 1.
        times: u32,
        /// One of them at size 1.
        body: Vec<Self>,
    },
    /// References an item of a cache.
    Refer {
        /// Index of the cache.
        cache: usize,
        /// What follows a hit.
        hit: Vec<Self>,
        /// What follows a miss.
        miss: Vec<Self>,
    },
    /// Visits stations by drawing the next one after each (a Markov chain) until it leaves.
    Wander(Route),
    /// Draws one factor by which every service in the body is multiplied: a command of many files
    /// works long everywhere.
    Sized {
        /// The factor; mean 1.
        factor: Distribution,
        /// What is done.
        body: Vec<Self>,
    },
    /// Times its body as an activity.
    Timed {
        /// Index in [`Model::activities`].
        activity: usize,
        /// What is timed.
        body: Vec<Self>,
    },
}

/// A Markov chain over visits.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Its states.
    pub visits: Vec<Visit>,
    /// Probability of each visit to be the first; what is missing to 1 visits nothing.
    pub entry: Vec<f64>,
    /// Probability of each visit to follow each; what is missing to 1 leaves.
    pub next: Vec<Vec<f64>>,
}

/// A visit to a station.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// Index of the station.
    pub station: usize,
    /// Service time at speed 1.
    pub service: Distribution,
}

/// What happens at a given time.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// When \[s\].
    pub at: f64,
    /// What.
    pub kind: HappeningKind,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum HappeningKind {
    /// A station works at `factor` of its speed from now on; 0 stands still.
    Speed {
        /// Index of the station.
        station: usize,
        /// Of its speed as described.
        factor: f64,
    },
    /// Customers of an open class arrive, evenly spread over some time.
    Arrive {
        /// Index of the class.
        class: usize,
        /// How many.
        count: u32,
        /// Over how long \[s\].
        within: f64,
    },
}

/// Why a model cannot be simulated: a sentence that names what is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ModelError(pub String);

impl ModelError {
    /// Why a run that ended with [`Stopped::Jobs`](super::Stopped::Jobs) has no answer.
    pub fn too_many_jobs() -> Self {
        Self(format!(
            "more than {JOBS_MAX} jobs are in the system at a time, which is all that a simulation keeps; divide populations, rates and servers by one number"
        ))
    }
}
