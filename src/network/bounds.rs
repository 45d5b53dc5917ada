//! Bounds on the classes of a file, with the names that the file gives: what
//! [`queueing::bounds`](crate::queueing::bounds) says of its analytic network. Waits for locks are left
//! out there, so what bounds a throughput from above still does.

use super::File;
use super::analytic::Analytic;
use super::solve::{Unsolved, unsolved};
use crate::queueing::bounds::{self, Limit, NetworkBounds};
use crate::queueing::network::{Network, Workload};

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
    /// The station or pool that limits it.
    pub limited_by: Option<String>,
    /// Population at which the two optimistic bounds cross, N*; none for an open class.
    pub knee: Option<f64>,
    /// Which bounds they are.
    pub kind: &'static str,
}

/// Bounds on every class, in the order of the file; a network that open classes saturate has none.
///
/// ```
/// use plimsoll::network;
/// // Bolch et al., example 9.6, whose asymptotic bounds are 1/9.2 s and 64 s.
/// let text = "schema = 1\n[station.a]\n[station.b]\n[class.c]\npopulation = 20\nthink = \"120 s\"\ndemand = { a = \"9.2 s\", b = \"8 s\" }\n";
/// let file = network::parse("c.toml", text, &[]).unwrap();
/// let bounds = &network::bounds(&file).unwrap()[0];
/// assert!(bounds.throughput_high <= 1.0 / 9.2 && bounds.response_low >= 64.0);
/// ```
pub fn bounds(file: &File) -> Result<Vec<ClassBounds>, Unsolved> {
    let analytic = Analytic::of(&file.model);
    let found = bounds::of_network(&analytic.network).map_err(|e| unsolved(&analytic, &e))?;
    let classes = 0..file.model.classes.len();
    Ok(classes
        .map(|idx| of_class(&analytic.network, &found, idx))
        .collect())
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
        throughput_high: if is_open {
            bounds.saturation_throughput
        } else {
            within.throughput_high
        },
        response_low: within.response_time_low,
        response_high: Some(within.response_time_high).filter(|high| high.is_finite()),
        limited_by,
        knee: bounds.knee,
        kind: if found.product_form {
            "balanced job"
        } else {
            "asymptotic"
        },
    }
}
