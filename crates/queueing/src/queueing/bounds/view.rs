//! A network as its bounds see it: what a customer needs at least and meets at most, and what classes
//! take of each other.

use super::super::network::{Class, Network, StationKind, Workload};
use super::super::problem::refuse_saturated;
use super::super::solution::SolveError;
use super::Limit;
use super::product_form::has_product_form;
use super::stretch::Stretch;

/// A class as the bounds see it.
pub(super) struct ClassView<'a> {
    pub(super) class: &'a Class,
    /// Time of a customer that nobody delays, in seconds.
    pub(super) base: f64,
    /// The same if open classes delay it, at most.
    pub(super) alone: f64,
    /// What another closed customer adds to its response time at most, in seconds.
    pub(super) each: f64,
    /// What another closed customer at a queueing station adds at least, in seconds.
    pub(super) each_at_least: f64,
    /// Time of it that is spent at delays, in seconds.
    pub(super) delay: f64,
}

/// What a class takes part of: a station or a pool.
pub(super) struct Resource {
    limit: Limit,
    /// What open classes leave, in busy servers or taken tokens.
    spare: f64,
    /// Use by each class, in seconds: demands, or times that a token is held at least.
    uses: Vec<f64>,
}

pub(super) struct View<'a> {
    pub(super) network: &'a Network,
    pub(super) classes: Vec<ClassView<'a>>,
    resources: Vec<Resource>,
    /// Closed customers of all classes.
    pub(super) population: f64,
    /// What limits each class where only open ones are beside it, as of [`View::limit`].
    pub(super) open_limits: Vec<(f64, Option<Limit>)>,
}

fn population(class: &Class) -> f64 {
    match class.workload {
        Workload::Open { .. } => 0.0,
        Workload::Closed { population, .. } => population,
    }
}

pub(super) fn think_time(class: &Class) -> f64 {
    match class.workload {
        Workload::Open { .. } => 0.0,
        Workload::Closed { think_time, .. } => think_time,
    }
}

fn arrival_rate(class: &Class) -> f64 {
    match class.workload {
        Workload::Open { arrival_rate } => arrival_rate,
        Workload::Closed { .. } => 0.0,
    }
}

/// Time of a class given its time at each station: branches of a fork pass together.
fn response_time(class: &Class, times: &[f64]) -> f64 {
    let mut outside = times.to_vec();
    let mut sum = 0.0;
    for fork in &class.forks {
        let branch = |stations: &Vec<usize>| stations.iter().map(|&idx| times[idx]).sum::<f64>();
        sum += fork.branches.iter().map(branch).fold(0.0, f64::max);
        for &idx in fork.branches.iter().flatten() {
            outside[idx] = 0.0;
        }
    }
    sum + outside.iter().sum::<f64>()
}

impl<'a> View<'a> {
    pub(super) fn new(network: &'a Network) -> Result<Self, SolveError> {
        let open_load: Vec<f64> = (0..network.stations.len())
            .map(|idx| {
                let load = |class: &Class| arrival_rate(class) * class.demands[idx];
                network.classes.iter().map(load).sum()
            })
            .collect();
        refuse_saturated(network, open_load.iter().copied())?;
        let stretches: Vec<Stretch> =
            network.stations.iter().zip(&open_load).map(|(station, load)| Stretch::new(&station.kind, *load)).collect();
        let classes: Vec<ClassView> =
            network.classes.iter().map(|class| ClassView::new(network, class, &stretches)).collect();
        let mut view = Self {
            network,
            resources: resources(network),
            population: network.classes.iter().map(population).sum(),
            open_limits: Vec::new(),
            classes,
        };
        let rates = view.open_rates();
        let limits = (0..view.classes.len()).map(|idx| view.limit(idx, &rates));
        view.open_limits = limits.collect();
        Ok(view)
    }

    /// What limits a class, and its throughput there, if the classes of `taken` throughputs (in 1/s)
    /// take their part.
    pub(super) fn limit(&self, idx: usize, taken: &[f64]) -> (f64, Option<Limit>) {
        let mut least = (f64::INFINITY, None);
        for resource in &self.resources {
            if resource.uses[idx] > 0.0 {
                let taken: f64 = resource
                    .uses
                    .iter()
                    .zip(taken)
                    .zip(0..)
                    .filter(|(_, other)| *other != idx)
                    .map(|((used, rate), _)| used * rate)
                    .sum();
                let most = (resource.spare - taken).max(0.0) / resource.uses[idx];
                if most < least.0 {
                    least = (most, Some(resource.limit));
                }
            }
        }
        least
    }

    /// Rates of open classes, and zeros.
    pub(super) fn open_rates(&self) -> Vec<f64> {
        self.classes.iter().map(|view| arrival_rate(view.class)).collect()
    }
}

impl<'a> ClassView<'a> {
    fn new(network: &Network, class: &'a Class, stretches: &[Stretch]) -> Self {
        let times = |stretch: fn(&Stretch) -> f64| -> Vec<f64> {
            let each = class.demands.iter().zip(stretches);
            each.map(|(demand, found)| demand * stretch(found)).collect()
        };
        let least = if has_product_form(network) { times(|stretch| stretch.least) } else { fastest(network, class) };
        let at_delays = class.demands.iter().zip(&network.stations);
        // Where no closed customer ever is, none waits behind another.
        let queued: Vec<f64> = times(|stretch| stretch.each_at_least)
            .into_iter()
            .enumerate()
            .filter(|(idx, _)| {
                let visits = |class: &Class| population(class) > 0.0 && class.demands[*idx] > 0.0;
                network.stations[*idx].kind != StationKind::Delay && network.classes.iter().any(visits)
            })
            .map(|(_, time)| time)
            .collect();
        Self {
            class,
            base: response_time(class, &least),
            alone: times(|stretch| stretch.alone).iter().sum(),
            each: times(|stretch| stretch.each).into_iter().fold(0.0, f64::max),
            each_at_least: queued.into_iter().reduce(f64::min).unwrap_or(0.0),
            delay: at_delays.filter(|(_, station)| station.kind == StationKind::Delay).map(|(demand, _)| demand).sum(),
        }
    }
}

/// Times at each station, in seconds, if a customer has all of what it can get, whatever the
/// discipline.
fn fastest(network: &Network, class: &Class) -> Vec<f64> {
    let each = network.stations.iter().zip(&class.demands);
    each.map(|(station, demand)| match &station.kind {
        StationKind::LoadDependent { .. } => demand / station.kind.greatest_speed(),
        StationKind::Link { capacity } => demand / capacity.min(1.0),
        StationKind::Delay | StationKind::Queueing { .. } => *demand,
    })
    .collect()
}

fn resources(network: &Network) -> Vec<Resource> {
    let stations = network.stations.iter().enumerate().map(|(idx, station)| {
        let uses = network.classes.iter().map(|class| class.demands[idx]);
        Resource { limit: Limit::Station(idx), spare: station.kind.greatest_speed(), uses: uses.collect() }
    });
    let pools = network.pools.iter().enumerate().map(|(idx, pool)| {
        let held = |(class_idx, class): (usize, &Class)| {
            let mut times = fastest(network, class);
            for (station_idx, time) in times.iter_mut().enumerate() {
                let is_held = pool.classes.contains(&class_idx);
                if !is_held || !pool.stations.contains(&station_idx) {
                    *time = 0.0;
                }
            }
            response_time(class, &times)
        };
        Resource {
            limit: Limit::Pool(idx),
            spare: f64::from(pool.capacity),
            uses: network.classes.iter().enumerate().map(held).collect(),
        }
    });
    stations.chain(pools).filter(|resource| resource.spare.is_finite()).collect()
}
