//! Whether a model can be simulated, and what is wrong if not.

use super::distribution::Distribution;
use super::model::{
    Arrivals, CacheKind, Class, Discipline, HappeningKind, Model, ModelError, Profile, Route, Source, Station, Step,
};
use super::order;

/// Most items of all simulated LRU caches together: their tables take 20 bytes for each.
pub const CACHE_ITEMS_MAX: usize = 20_000_000;

/// Most jobs in a simulated system at a time: customers, their branches and spawned work.
pub const JOBS_MAX: usize = 2_000_000;

/// Most memory for them in one replication \[bytes\]: less than [`JOBS_MAX`] fit where programs have much
/// to remember.
pub const JOBS_BYTES_MAX: usize = 512 << 20;

pub(super) type Checked = Result<(), ModelError>;

fn wrong<T>(sentence: String) -> Result<T, ModelError> {
    Err(ModelError(sentence))
}

pub(super) fn check(holds: bool, sentence: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { wrong(sentence()) }
}

/// Whether a time or weight is finite and not negative.
fn is_amount(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

impl Model {
    /// Whether it can be simulated; the error names what is wrong.
    ///
    /// Locks and pools must be asked for in one order by all, so that no deadlock is possible; what
    /// is taken must be given back by the same branch; and a closed class must consume time.
    pub fn validate(&self) -> Checked {
        check(!self.classes.is_empty(), || "there is no class of customers".into())?;
        for station in &self.stations {
            check_station(station)?;
        }
        for bulk in &self.bulks {
            let (station, joined, len) = (bulk.station, bulk.joined, self.stations.len());
            check(station < len && is_amount(joined), || {
                format!(
                    "a bulk is counted at station {station} of {len} and takes {joined} times longer for each who joins"
                )
            })?;
        }
        for sleeper in &self.sleepers {
            let station = self.stations.get(sleeper.station);
            let is_shared =
                station.is_some_and(|station| station.discipline == Discipline::Ps && station.speeds.is_empty());
            let is_known = is_amount(sleeper.delay) && is_amount(sleeper.after);
            check(is_shared && is_known && sleeper.after > 0.0, || {
                format!(
                    "a server of station {} sleeps after {} s and wakes in {} s: only one that is shared evenly does, in times that are",
                    sleeper.station, sleeper.after, sleeper.delay
                )
            })?;
        }
        for cache in &self.caches {
            check_cache(&cache.name, &cache.kind)?;
        }
        let items = self.caches.iter().map(|cache| match cache.kind {
            CacheKind::Lru { items, .. } => items,
            CacheKind::Probability(_) => 0,
        });
        let items: usize = items.sum();
        check(items <= CACHE_ITEMS_MAX, || {
            format!("the caches have {items} items together, more than the {CACHE_ITEMS_MAX} that a simulation keeps")
        })?;
        for class in &self.classes {
            check_source(class)?;
            self.check_steps(class, &class.program)?;
            check_consumes(class)?;
        }
        let population: u64 = self.classes.iter().map(population).sum();
        check(population <= JOBS_MAX as u64, || {
            format!("{population} customers are more than the {JOBS_MAX} that a simulation keeps at a time")
        })?;
        for happening in &self.happenings {
            self.check_happening(happening.at, &happening.kind)?;
        }
        order::check(self)
    }

    fn check_steps(&self, class: &Class, steps: &[Step]) -> Checked {
        steps.iter().try_for_each(|step| self.check_step(class, step))
    }

    fn check_step(&self, class: &Class, step: &Step) -> Checked {
        let name = &class.name;
        let known = |idx: usize, len: usize, what: &str| {
            check(idx < len, || format!("class `{name}` uses {what} {idx}, but there are only {len}"))
        };
        match step {
            Step::Serve { station, service } | Step::Fixed { station, service } => {
                known(*station, self.stations.len(), "station")?;
                check_distribution(name, "service time", service)
            }
            Step::Lock(set) => set.iter().try_for_each(|(lock, _)| known(*lock, self.locks.len(), "lock")),
            Step::Unlock(set) => set.iter().try_for_each(|lock| known(*lock, self.locks.len(), "lock")),
            Step::Take { pool, count } | Step::Give { pool, count } => {
                known(*pool, self.pools.len(), "pool")?;
                let pool = &self.pools[*pool];
                check(*count <= pool.capacity, || {
                    let (has, asked) = (pool.capacity, pool.name.as_str());
                    format!("class `{name}` takes {count} of pool `{asked}`, which has only {has}")
                })
            }
            Step::Bulk { bulk, body } => {
                known(*bulk, self.bulks.len(), "bulk")?;
                check(only_serves(body), || format!("class `{name}` does more in a bulk than being served"))?;
                self.check_steps(class, body)
            }
            Step::Fork(branches) => branches.iter().try_for_each(|branch| self.check_steps(class, branch)),
            Step::Spawn(body) | Step::Repeat { body, .. } | Step::Batches { body, .. } => self.check_steps(class, body),
            Step::Choose(options) => {
                let weights: Vec<f64> = options.iter().map(|(weight, _)| *weight).collect();
                check(weights.iter().all(|w| is_amount(*w)) && weights.iter().sum::<f64>() > 0.0, || {
                    format!(
                        "class `{name}` chooses with weights {weights:?}; they must be zero or more, and not all zero"
                    )
                })?;
                options.iter().try_for_each(|(_, body)| self.check_steps(class, body))
            }
            Step::Refer { cache, hit, miss } => {
                known(*cache, self.caches.len(), "cache")?;
                self.check_steps(class, hit)?;
                self.check_steps(class, miss)
            }
            Step::Wander(route) => self.check_route(name, route),
            Step::Sized { factor, body } => {
                check_distribution(name, "size factor", factor)?;
                self.check_steps(class, body)
            }
            Step::Timed { activity, body } => {
                known(*activity, self.activities.len(), "activity")?;
                self.check_steps(class, body)
            }
        }
    }

    fn check_route(&self, name: &str, route: &Route) -> Checked {
        let n = route.visits.len();
        check(route.entry.len() == n && route.next.len() == n && route.next.iter().all(|row| row.len() == n), || {
            format!("class `{name}` has a route of {n} visits whose probabilities do not match in number")
        })?;
        for row in route.next.iter().chain([&route.entry]) {
            let sum: f64 = row.iter().sum();
            check(row.iter().all(|p| is_amount(*p)) && sum <= 1.0 + 1e-9, || {
                format!(
                    "class `{name}` has routing probabilities {row:?}; they must be zero or more and add up to at most 1"
                )
            })?;
        }
        for visit in &route.visits {
            let (idx, len) = (visit.station, self.stations.len());
            check(idx < len, || format!("class `{name}` visits station {idx}, but there are only {len}"))?;
            check_distribution(name, "service time", &visit.service)?;
        }
        check(can_leave(route), || format!("class `{name}` has a route that some visit never leaves"))
    }

    fn check_happening(&self, at: f64, kind: &HappeningKind) -> Checked {
        check(is_amount(at), || format!("something happens at {at} s; times must be finite and not negative"))?;
        match *kind {
            HappeningKind::Speed { station, factor } => {
                check(station < self.stations.len(), || {
                    format!("the speed of station {station} changes, but there are only {}", self.stations.len())
                })?;
                check(is_amount(factor), || {
                    let name = &self.stations[station].name;
                    format!("the speed of station `{name}` changes to {factor}; it must be zero or more")
                })
            }
            HappeningKind::Arrive { class, within, .. } => {
                check(class < self.classes.len(), || {
                    format!("customers of class {class} arrive, but there are only {}", self.classes.len())
                })?;
                let class = &self.classes[class];
                check(matches!(class.source, Source::Open(_)), || {
                    format!("customers of class `{}` arrive at a given time, but the class is closed", class.name)
                })?;
                check(is_amount(within), || {
                    format!("customers of class `{}` arrive within {within} s; it must be zero or more", class.name)
                })
            }
        }
    }
}

/// Whether steps wait for nothing but services: who waits for them may hold what others want.
fn only_serves(steps: &[Step]) -> bool {
    steps.iter().all(|step| match step {
        Step::Serve { .. } | Step::Fixed { .. } => true,
        Step::Fork(branches) => branches.iter().all(|branch| only_serves(branch)),
        _ => false,
    })
}

fn population(class: &Class) -> u64 {
    match class.source {
        Source::Closed { population, .. } => u64::from(population),
        Source::Open(_) => 0,
    }
}

fn check_station(station: &Station) -> Checked {
    let (name, servers) = (&station.name, station.servers);
    check(station.speeds.iter().all(|s| s.is_finite() && *s > 0.0), || {
        format!("station `{name}` has speeds {:?}; each must be above 0", station.speeds)
    })?;
    match station.discipline {
        Discipline::Delay => {
            check(station.speeds.is_empty(), || format!("station `{name}` is a delay, which has no speeds"))
        }
        _ if !station.speeds.is_empty() => Ok(()),
        Discipline::Ps => check(servers.is_finite() && servers > 0.0, || {
            format!("station `{name}` has {servers} servers; there must be more than 0")
        }),
        _ => check(servers >= 1.0 && servers.fract() == 0.0 && servers <= f64::from(u32::MAX), || {
            format!("station `{name}` has {servers} servers; it needs a whole number of them")
        }),
    }
}

fn check_cache(name: &str, kind: &CacheKind) -> Checked {
    match *kind {
        CacheKind::Probability(p) => check((0.0..=1.0).contains(&p), || {
            format!("cache `{name}` hits with probability {p}; it must be from 0 to 1")
        }),
        CacheKind::Lru { items, skew, .. } => {
            check((1..=CACHE_ITEMS_MAX).contains(&items), || {
                format!("cache `{name}` has {items} items; it takes 1 to {CACHE_ITEMS_MAX}")
            })?;
            check(is_amount(skew), || format!("cache `{name}` has a skew of {skew}; it must be zero or more"))
        }
    }
}

fn check_source(class: &Class) -> Checked {
    let name = &class.name;
    if let Some(profile) = &class.profile {
        check_profile(name, profile)?;
        check(!matches!(class.source, Source::Open(Arrivals::At(_) | Arrivals::Never)), || {
            format!("class `{name}` has a profile, but its arrivals are not random")
        })?;
    }
    match &class.source {
        Source::Closed { think, .. } => check_distribution(name, "think time", think),
        Source::Open(Arrivals::Renewal(between)) => {
            check_distribution(name, "time between arrivals", between)?;
            check(between.mean() > 0.0, || format!("class `{name}` has no time between its arrivals"))
        }
        Source::Open(Arrivals::Bursts { rates, stays }) => check(
            rates.iter().all(|rate| is_amount(*rate)) && stays.iter().all(|stay| stay.is_finite() && *stay > 0.0),
            || {
                format!(
                    "class `{name}` arrives in bursts with rates {rates:?} and stays {stays:?}; rates must be zero or more and stays above 0"
                )
            },
        ),
        Source::Open(Arrivals::At(times)) => {
            check(times.iter().all(|time| is_amount(*time)) && times.is_sorted(), || {
                format!("class `{name}` has arrival times that are negative or do not rise")
            })
        }
        Source::Open(Arrivals::Never) => Ok(()),
    }
}

fn check_profile(name: &str, profile: &Profile) -> Checked {
    check(
        profile.piece.is_finite()
            && profile.piece > 0.0
            && !profile.factors.is_empty()
            && profile.factors.iter().all(|factor| is_amount(*factor)),
        || {
            format!(
                "class `{name}` has a profile with pieces of {} s and factors {:?}; pieces must last and factors be zero or more",
                profile.piece, profile.factors
            )
        },
    )
}

fn check_distribution(class: &str, what: &str, distribution: &Distribution) -> Checked {
    let valid = match distribution {
        Distribution::Constant(value) => is_amount(*value),
        Distribution::Exponential { mean } => is_amount(*mean),
        Distribution::Erlang { mean, phases } => is_amount(*mean) && *phases >= 1,
        Distribution::Hyperexponential { mean, scv } => is_amount(*mean) && scv.is_finite() && *scv >= 1.0,
        Distribution::Coxian { phases, continues } => {
            phases.len() == continues.len() + 1
                && phases.iter().all(|mean| is_amount(*mean))
                && continues.iter().all(|p| (0.0..=1.0).contains(p))
        }
        Distribution::Uniform { low, high } => is_amount(*low) && is_amount(*high) && low <= high,
        Distribution::Lognormal { mean, scv } => mean.is_finite() && *mean > 0.0 && is_amount(*scv),
    };
    check(valid, || format!("class `{class}` has a {what} that is not a distribution of times: {distribution:?}"))
}

/// Whether every visit that can be reached can also be left.
fn can_leave(route: &Route) -> bool {
    let leaves = |row: &[f64]| row.iter().sum::<f64>() < 1.0 - 1e-12;
    let mut open: Vec<bool> = route.next.iter().map(|row| leaves(row)).collect();
    let mut reached: Vec<bool> = route.entry.iter().map(|p| *p > 0.0).collect();
    for _ in 0..open.len() {
        for (from, row) in route.next.iter().enumerate() {
            for (to, p) in row.iter().enumerate().filter(|(_, p)| **p > 0.0) {
                debug_assert!(*p > 0.0);
                open[from] |= open[to];
                reached[to] |= reached[from];
            }
        }
    }
    reached.iter().zip(&open).all(|(r, o)| !*r || *o)
}

/// A closed class without think time must be served somewhere: else it would go round for ever at one
/// point of time.
fn check_consumes(class: &Class) -> Checked {
    let Source::Closed { think, population } = &class.source else {
        return Ok(());
    };
    let consumes = *population == 0 || think.mean() > 0.0 || takes_time(&class.program);
    check(consumes, || format!("class `{}` is closed, but neither thinks nor is served", class.name))
}

/// Whether steps can take time for the one who goes through them.
fn takes_time(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Serve { service, .. } | Step::Fixed { service, .. } => service.mean() > 0.0,
        Step::Wander(route) => {
            let n = route.visits.len();
            (0..n).any(|v| route.visits[v].service.mean() > 0.0) && route.entry.iter().any(|p| *p > 0.0)
        }
        Step::Fork(branches) => branches.iter().any(|branch| takes_time(branch)),
        Step::Choose(options) => options.iter().any(|(w, body)| *w > 0.0 && takes_time(body)),
        Step::Repeat { times, body } | Step::Batches { times, body } => *times > 0 && takes_time(body),
        Step::Refer { hit, miss, .. } => takes_time(hit) || takes_time(miss),
        Step::Bulk { body, .. } | Step::Sized { body, .. } | Step::Timed { body, .. } => takes_time(body),
        Step::Lock(_) | Step::Unlock(_) | Step::Take { .. } | Step::Give { .. } | Step::Spawn(_) => false,
    })
}
