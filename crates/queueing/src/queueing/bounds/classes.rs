//! Bounds on every class of a network: open, closed and mixed, with everything a network can say.
//!
//! Upper bounds on throughput follow from the capacities of stations and pools, which other classes
//! take part of, and from the time that a customer needs when nobody is there; they hold whatever
//! the disciplines and distributions are. Upper bounds on response times follow from the arrival
//! theorem: wherever the others are, they are N − 1 (Kerola's balanced bounds). They hold for networks
//! of product form; for others nothing is known, and the bounds are 0 and infinity.
//!
//! # References
//!
//! - E. D. Lazowska, J. Zahorjan, G. S. Graham, K. C. Sevcik, *Quantitative System Performance*,
//!   1984, chapter 5: asymptotic and balanced system bounds, several classes in section 5.7.
//! - T. Kerola, "The composite bound method for computing throughput bounds in multiple class
//!   environments", Performance Evaluation 6(1), 1986.
//! - M. Reiser and S. S. Lavenberg, "Mean-value analysis of closed multichain queueing networks",
//!   JACM 27(2), 1980: the arrival theorem.

use super::super::network::{Network, StationKind, Workload};
use super::super::solution::SolveError;
use super::product_form::has_product_form;
use super::view::{View, think_time};
use super::{Bounds, balanced_job};

/// What limits a class.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Limit {
    /// A station, by index.
    Station(usize),
    /// A pool, by index.
    Pool(usize),
}

/// Bounds on one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassBounds {
    /// Bounds on its throughput and its response time (think time not counted). The throughput of an
    /// open class is its arrival rate.
    pub bounds: Bounds,
    /// Throughput that it cannot exceed however many customers it has, X, in 1/s: what open classes
    /// (other ones, if it is open) leave of the limit below. Infinite if nothing limits it.
    pub saturation_throughput: f64,
    /// Population N* = (Z + D)/`D_max` at which the bounds for few and for many customers cross, with
    /// closed classes other than this one away; none for open classes and where nothing limits.
    pub knee: Option<f64>,
    /// What saturates first when it alone grows; the first of equals, and none if nothing does.
    pub limit: Option<Limit>,
}

/// Bounds on one station.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StationBounds {
    /// Least utilization, U, in [0, 1]; zero at a delay.
    pub utilization_low: f64,
    /// Greatest utilization, U, in [0, 1]; zero at a delay.
    pub utilization_high: f64,
}

/// Bounds on a network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkBounds {
    /// One entry per class, in the network's order.
    pub classes: Vec<ClassBounds>,
    /// One entry per station, in the network's order.
    pub stations: Vec<StationBounds>,
    /// Whether the network has product form; without it response times have no upper bound.
    pub product_form: bool,
}

/// Bounds of every class and station. A network whose open classes saturate a station is refused.
///
/// ```
/// use plimsoll_queueing::queueing::bounds::{Limit, of_network};
/// use plimsoll_queueing::queueing::{Class, Network, Station};
///
/// // Lazowska et al. 1984, page 142, whose exact throughputs are 3/19 and 2/19.
/// let network = Network::new(
///     vec![Station::queueing("cpu", 1), Station::queueing("disk", 1)],
///     vec![
///         Class::closed("A", 1.0, 0.0, vec![1.0, 3.0]),
///         Class::closed("B", 1.0, 0.0, vec![2.0, 4.0]),
///     ],
/// );
/// let found = of_network(&network).unwrap();
/// let a = &found.classes[0];
/// assert!(a.bounds.throughput_low <= 3.0 / 19.0 && 3.0 / 19.0 <= a.bounds.throughput_high);
/// assert_eq!(a.limit, Some(Limit::Station(1)));
/// ```
pub fn of_network(network: &Network) -> Result<NetworkBounds, SolveError> {
    network.validate()?;
    let view = View::new(network)?;
    let product_form = has_product_form(network);
    let mut lows = vec![0.0; view.classes.len()];
    if product_form {
        for (idx, low) in lows.iter_mut().enumerate() {
            *low = view.least_throughput(idx);
        }
    }
    let mut classes: Vec<ClassBounds> =
        (0..view.classes.len()).map(|idx| view.class_bounds(idx, &lows, product_form)).collect();
    if let Some(better) = view.balanced(network)
        && product_form
    {
        classes[0].bounds = intersection(classes[0].bounds, better);
    }
    let stations = view.station_bounds(&classes);
    Ok(NetworkBounds { classes, stations, product_form })
}

impl View<'_> {
    /// Closed customers that a customer of the class finds at most anywhere.
    fn others(&self, idx: usize) -> f64 {
        match self.classes[idx].class.workload {
            Workload::Open { .. } => self.population,
            Workload::Closed { population, .. } => (self.population - population.clamp(0.0, 1.0)).max(0.0),
        }
    }

    /// Response time at most, by the arrival theorem, in seconds.
    fn greatest_response(&self, idx: usize) -> f64 {
        let view = &self.classes[idx];
        view.alone + self.others(idx) * view.each
    }

    fn least_throughput(&self, idx: usize) -> f64 {
        let class = self.classes[idx].class;
        match class.workload {
            Workload::Open { arrival_rate } => arrival_rate,
            Workload::Closed { population, think_time } if population > 0.0 => {
                population / (think_time + self.greatest_response(idx))
            }
            Workload::Closed { .. } => 0.0,
        }
    }

    fn class_bounds(&self, idx: usize, lows: &[f64], product_form: bool) -> ClassBounds {
        let view = &self.classes[idx];
        let (saturation_throughput, limit) = self.open_limits[idx];
        let think_time = think_time(view.class);
        let greatest = if product_form { self.greatest_response(idx) } else { f64::INFINITY };
        let least = if product_form { view.base + self.least_wait(idx) } else { view.base };
        let bounds = match view.class.workload {
            Workload::Open { arrival_rate } => Bounds {
                throughput_low: arrival_rate,
                throughput_high: arrival_rate,
                response_time_low: least,
                response_time_high: greatest,
            },
            Workload::Closed { population, .. } if population > 0.0 => {
                let mut taken = self.open_rates();
                for (rate, low) in taken.iter_mut().zip(lows) {
                    *rate = rate.max(*low);
                }
                let (capacity, _) = self.limit(idx, &taken);
                let cycle_low = (least + think_time).max(population / capacity);
                Bounds::from_cycle(population, think_time, cycle_low, greatest + think_time)
            }
            Workload::Closed { .. } => Bounds {
                throughput_low: 0.0,
                throughput_high: 0.0,
                response_time_low: least,
                response_time_high: greatest,
            },
        };
        let is_closed = matches!(view.class.workload, Workload::Closed { .. });
        ClassBounds {
            bounds,
            saturation_throughput,
            knee: limit.filter(|_| is_closed).map(|_| (think_time + view.base) * saturation_throughput),
            limit,
        }
    }

    /// Least wait of a class behind closed customers, in seconds: those that cannot be thinking or at
    /// a delay are at queueing stations.
    fn least_wait(&self, idx: usize) -> f64 {
        let own = &self.classes[idx];
        if own.each_at_least == 0.0 {
            return 0.0;
        }
        let mut queued = 0.0;
        for (other_idx, other) in self.classes.iter().enumerate() {
            let Workload::Closed { population, think_time } = other.class.workload else {
                continue;
            };
            let left = population - if other_idx == idx { 1.0 } else { 0.0 };
            if left > 0.0 {
                let away = think_time + other.delay;
                let (capacity, _) = self.open_limits[other_idx];
                let most = capacity.min(left / (think_time + other.base));
                queued += (left - most * away).max(0.0);
            }
        }
        queued * own.each_at_least
    }

    /// Balanced job bounds, where a network is what they are made for: one closed class at stations of
    /// one server and delays.
    fn balanced(&self, network: &Network) -> Option<Bounds> {
        let [view] = self.classes.as_slice() else {
            return None;
        };
        let Workload::Closed { population, think_time } = view.class.workload else {
            return None;
        };
        let mut demands = Vec::new();
        for (station, demand) in network.stations.iter().zip(&view.class.demands) {
            match station.kind {
                StationKind::Queueing { servers: 1 } => demands.push(*demand),
                StationKind::Delay => {}
                _ => return None,
            }
        }
        if population < 1.0 {
            return None;
        }
        // Delays are thinking, but belong to the response time.
        let away = think_time + view.delay;
        let mut bounds = balanced_job(&demands, away, population);
        bounds.response_time_low += view.delay;
        bounds.response_time_high += view.delay;
        Some(bounds)
    }

    fn station_bounds(&self, classes: &[ClassBounds]) -> Vec<StationBounds> {
        let used = |station_idx: usize, rate: fn(&Bounds) -> f64| -> f64 {
            let speed = self.network.stations[station_idx].kind.greatest_speed();
            let work = self.network.classes.iter().zip(classes);
            let busy: f64 = work.map(|(class, found)| class.demands[station_idx] * rate(&found.bounds)).sum();
            (busy / speed).min(1.0)
        };
        (0..self.network.stations.len())
            .map(|idx| StationBounds {
                utilization_low: used(idx, |bounds| bounds.throughput_low),
                utilization_high: used(idx, |bounds| bounds.throughput_high),
            })
            .collect()
    }
}

fn intersection(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        throughput_low: a.throughput_low.max(b.throughput_low),
        throughput_high: a.throughput_high.min(b.throughput_high),
        response_time_low: a.response_time_low.max(b.response_time_low),
        response_time_high: a.response_time_high.min(b.response_time_high),
    }
}
