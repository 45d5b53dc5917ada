//! Bounds on what any discipline can do, in microseconds of arithmetic.
//!
//! Closed classes: X ≤ min(N/(D + Z), `1/D_max`), where `D_max` is the largest demand over the speed
//! that the station has for it beside open classes; alone in the network also X ≥ N/(N·D + Z), and
//! with single servers the tighter balanced job bounds. Open classes: the greatest rate.
//!
//! # References
//!
//! - E. D. Lazowska, J. Zahorjan, G. S. Graham, K. C. Sevcik, *Quantitative System Performance*,
//!   1984, chapter 5.

use super::File;
use super::analytic::Analytic;
use crate::queueing::bounds::{Bounds, balanced_job};
use crate::queueing::network::{Class, Network, StationKind, Workload};

/// Bounds on one class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassBounds {
    /// Its name.
    pub name: String,
    /// Least throughput \[1/s\]; none where other classes could take everything.
    pub throughput_low: Option<f64>,
    /// Greatest throughput \[1/s\]; for an open class the rate that saturates a station when the
    /// others stay as they are.
    pub throughput_high: f64,
    /// Least response time \[s\].
    pub response_low: f64,
    /// Greatest response time \[s\]; none where other classes or open arrivals could take everything.
    pub response_high: Option<f64>,
    /// The station that limits it.
    pub limited_by: Option<String>,
    /// Population at which the two optimistic bounds cross, N*; none for an open class.
    pub knee: Option<f64>,
    /// Which bounds they are.
    pub kind: &'static str,
}

/// Bounds on every class, in the order of the file.
///
/// ```
/// use plimsoll::network;
/// // Bolch et al., example 9.6.
/// let text = "schema = 1\n[station.a]\n[station.b]\n[class.c]\npopulation = 20\nthink = \"120 s\"\ndemand = { a = \"9.2 s\", b = \"8 s\" }\n";
/// let file = network::parse("c.toml", text, &[]).unwrap();
/// let bounds = &network::bounds(&file)[0];
/// assert!((bounds.throughput_high - 0.108_696).abs() < 1e-6);
/// assert!(bounds.response_low >= 64.0);
/// ```
pub fn bounds(file: &File) -> Vec<ClassBounds> {
    let network = Analytic::of(&file.model).network;
    let n_classes = file.model.classes.len();
    let classes = network.classes.iter().take(n_classes);
    classes.map(|class| of_class(&network, class)).collect()
}

/// Greatest speed of each station, less what open classes other than `class` take.
fn speeds(network: &Network, class: &Class) -> Vec<f64> {
    let open = |station: usize| -> f64 {
        let others = network
            .classes
            .iter()
            .filter(|other| !std::ptr::eq(*other, class));
        let taken = others.map(|other| match other.workload {
            Workload::Open { arrival_rate } => arrival_rate * other.demands[station],
            Workload::Closed { .. } => 0.0,
        });
        taken.sum()
    };
    let stations = network.stations.iter().enumerate();
    let left = stations.map(|(k, station)| (station.kind.greatest_speed() - open(k)).max(0.0));
    left.collect()
}

fn of_class(network: &Network, class: &Class) -> ClassBounds {
    let speeds = speeds(network, class);
    let (mut most, mut limited_by) = (0.0, None);
    for ((demand, speed), station) in class.demands.iter().zip(&speeds).zip(&network.stations) {
        let least_time = if *demand > 0.0 { demand / speed } else { 0.0 };
        if least_time > most {
            (most, limited_by) = (least_time, Some(station.name.clone()));
        }
    }
    let demand: f64 = demand_outside_forks(class);
    let mut bounds = ClassBounds {
        name: class.name.clone(),
        throughput_low: None,
        throughput_high: 1.0 / most,
        response_low: demand,
        response_high: None,
        limited_by,
        knee: None,
        kind: "asymptotic",
    };
    let Workload::Closed {
        population,
        think_time,
    } = class.workload
    else {
        return bounds;
    };
    bounds.knee = (most > 0.0).then(|| (demand + think_time) / most);
    bounds.throughput_high = bounds
        .throughput_high
        .min(population / (demand + think_time));
    bounds.response_low = demand.max(population * most - think_time);
    if network.classes.len() == 1 {
        alone(network, class, population, think_time, &mut bounds);
    }
    bounds
}

/// A fork lasts as long as its longest branch at least.
fn demand_outside_forks(class: &Class) -> f64 {
    let all: f64 = class.demands.iter().sum();
    let saved = class.forks.iter().map(|fork| {
        let branches = fork.branches.iter();
        let times = branches.map(|branch| branch.iter().map(|&k| class.demands[k]).sum::<f64>());
        let times: Vec<f64> = times.collect();
        times.iter().sum::<f64>() - times.iter().copied().fold(0.0, f64::max)
    });
    all - saved.sum::<f64>()
}

/// Pessimistic bounds, and balanced ones where every server is a single one.
fn alone(
    network: &Network,
    class: &Class,
    population: f64,
    think_time: f64,
    bounds: &mut ClassBounds,
) {
    let slowest = |kind: &StationKind| match kind {
        StationKind::LoadDependent { speeds } => speeds
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
            .min(1.0),
        StationKind::Link { capacity } => capacity.min(1.0),
        StationKind::Delay | StationKind::Queueing { .. } => 1.0,
    };
    if !network.pools.is_empty() {
        return;
    }
    let (mut thinking, mut longest) = (think_time, 0.0);
    let mut single = true;
    let mut demands = Vec::new();
    for (station, demand) in network.stations.iter().zip(&class.demands) {
        if station.kind == StationKind::Delay {
            thinking += demand;
        } else {
            longest += demand / slowest(&station.kind);
            single &= station.kind == (StationKind::Queueing { servers: 1 });
            demands.push(*demand);
        }
    }
    let delays = thinking - think_time;
    let cycle = population * longest + thinking;
    bounds.throughput_low = Some(population / cycle);
    bounds.response_high = Some(cycle - think_time);
    if single && class.forks.is_empty() && !demands.is_empty() {
        let tight: Bounds = balanced_job(&demands, thinking, population);
        bounds.throughput_low = Some(tight.throughput_low);
        bounds.throughput_high = tight.throughput_high;
        bounds.response_low = tight.response_time_low + delays;
        bounds.response_high = Some(tight.response_time_high + delays);
        bounds.kind = "balanced job";
    }
}
