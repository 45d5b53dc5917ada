//! Bounds on the classes of a file, with the names that the file gives.
//!
//! A network of product form that the analytic side takes as it is has the bounds of
//! [`queueing::bounds`](crate::queueing::bounds), from both sides. Every other one has those that need nothing but
//! the means of the file: what a customer needs at least, and what open classes leave of each resource. They hold in
//! any steady state, and there is no least throughput then.

use super::File;
use super::analytic::Analytic;
use super::needs::{Needs, Resource, needs, resources};
use super::solve::{Unsolved, unsolved};
use crate::queueing::bounds::{self, Limit, NetworkBounds};
use crate::queueing::network::{Network, Workload};
use crate::sim::{Arrivals, Model, Source};

/// Bounds on one class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassBounds {
    /// Its name.
    pub name: String,
    /// Least throughput \[1/s\]; none for an open class and where other classes could take everything.
    pub throughput_low: Option<f64>,
    /// Greatest throughput \[1/s\]; for an open class the rate that saturates a station when the
    /// others stay as they are.
    pub throughput_high: f64,
    /// Least response time \[s\].
    pub response_low: f64,
    /// Greatest response time \[s\]; none without product form.
    pub response_high: Option<f64>,
    /// The station, pool or lock that limits it.
    pub limited_by: Option<String>,
    /// Population at which the two optimistic bounds cross, N*; none for an open class.
    pub knee: Option<f64>,
    /// Which bounds they are.
    pub kind: &'static str,
}

/// Bounds on every class, in the order of the file; a network that open classes saturate has none.
///
/// ```
/// use plimsoll_network::network;
/// // Bolch et al., example 9.6, whose asymptotic bounds are 1/9.2 s and 64 s.
/// let text = "schema = 1\n[station.a]\n[station.b]\n[class.c]\npopulation = 20\nthink = \"120 s\"\ndemand = { a = \"9.2 s\", b = \"8 s\" }\n";
/// let file = network::parse("c.toml", text, &[]).unwrap();
/// let bounds = &network::bounds(&file).unwrap()[0];
/// assert!(bounds.throughput_high <= 1.0 / 9.2 && bounds.response_low >= 64.0);
/// ```
pub fn bounds(file: &File) -> Result<Vec<ClassBounds>, Unsolved> {
    let analytic = Analytic::of(&file.model);
    if analytic.is_exact() {
        let found = bounds::of_network(&analytic.network).map_err(|e| unsolved(&file.model, &analytic, &e))?;
        if found.product_form {
            let classes = 0..file.model.classes.len();
            return Ok(classes.map(|idx| of_class(&analytic.network, &found, idx)).collect());
        }
    }
    asymptotic(&file.model)
}

/// A class of the file: its customers, and what one of them needs.
struct Wanted {
    /// Customers and mean think time \[s\] of a closed class.
    closed: Option<(f64, f64)>,
    /// Arrivals of an open class \[1/s\].
    rate: f64,
    needs: Needs,
}

fn asymptotic(model: &Model) -> Result<Vec<ClassBounds>, Unsolved> {
    let resources = resources(model);
    let wanted: Vec<Wanted> = (model.classes.iter())
        .map(|class| Wanted {
            closed: match &class.source {
                Source::Closed { population, think } => Some((f64::from(*population), think.mean())),
                Source::Open(_) => None,
            },
            rate: arrival_rate(&class.source),
            needs: needs(model, &class.program),
        })
        .collect();
    // What open classes take of each resource.
    let taken: Vec<f64> =
        (0..resources.len()).map(|at| wanted.iter().map(|of| of.rate * of.needs.uses[at]).sum()).collect();
    let full = |(resource, taken): &(&Resource, &f64)| **taken >= resource.in_the_end;
    if let Some((resource, taken)) = resources.iter().zip(&taken).find(full) {
        return Err(Unsolved::Saturated {
            what: format!("{} {:?}", resource.kind, resource.name),
            utilization: taken / resource.in_the_end,
        });
    }
    let classes = model.classes.iter().zip(&wanted);
    Ok(classes.map(|(class, of)| asymptotic_of(class.name.clone(), of, &resources, &taken)).collect())
}

fn asymptotic_of(name: String, of: &Wanted, resources: &[Resource], taken: &[f64]) -> ClassBounds {
    let mut limit = (f64::INFINITY, None);
    for ((resource, taken), used) in resources.iter().zip(taken).zip(&of.needs.uses) {
        let own = of.rate * used;
        let most = (resource.capacity - (taken - own)).max(0.0) / used;
        if *used > 0.0 && most < limit.0 {
            limit = (most, Some(resource.name.clone()));
        }
    }
    let (capacity, limited_by) = limit;
    let least = of.needs.time;
    let (throughput_high, response_low, knee) = match of.closed {
        None => (capacity, least, None),
        Some((population, think)) => {
            let alone = population / (think + least);
            let knee = limited_by.is_some().then_some((think + least) * capacity);
            if capacity < alone { (capacity, population / capacity - think, knee) } else { (alone, least, knee) }
        }
    };
    ClassBounds {
        name,
        throughput_low: None,
        throughput_high,
        response_low,
        response_high: None,
        limited_by,
        knee,
        kind: "asymptotic",
    }
}

/// Customers of an open class a second, on average.
fn arrival_rate(source: &Source) -> f64 {
    match source {
        Source::Open(Arrivals::Renewal(between)) => 1.0 / between.mean(),
        Source::Open(Arrivals::Bursts { rates, stays }) => {
            (rates[0] * stays[0] + rates[1] * stays[1]) / (stays[0] + stays[1])
        }
        Source::Closed { .. } | Source::Open(Arrivals::At(_) | Arrivals::Never) => 0.0,
    }
}

fn of_class(network: &Network, found: &NetworkBounds, idx: usize) -> ClassBounds {
    let (class, bounds) = (&network.classes[idx], &found.classes[idx]);
    let limited_by = bounds.limit.map(|limit| match limit {
        Limit::Station(idx) => network.stations[idx].name.clone(),
        Limit::Pool(idx) => network.pools[idx].name.clone(),
    });
    let is_open = matches!(class.workload, Workload::Open { .. });
    let within = bounds.bounds;
    let low = within.throughput_low;
    ClassBounds {
        name: class.name.clone(),
        throughput_low: (!is_open && low > 0.0).then_some(low),
        throughput_high: if is_open { bounds.saturation_throughput } else { within.throughput_high },
        response_low: within.response_time_low,
        response_high: Some(within.response_time_high).filter(|high| high.is_finite()),
        limited_by,
        knee: bounds.knee,
        kind: if found.product_form { "balanced job" } else { "asymptotic" },
    }
}
