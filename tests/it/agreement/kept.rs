//! What was simulated, kept beside the tests: it takes minutes, and comparing with it takes seconds.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use plimsoll::document::read_text;
use plimsoll::sim::{self, Model, Run, Span, Stopped};
use serde::{Deserialize, Serialize};

const FILE: &str = "tests/it/agreement/kept.toml";
/// Events of one simulation: a few seconds.
const EVENTS: u64 = 30_000_000;
/// A simulated figure that is known less well is not compared.
const KNOWN: f64 = 0.10;
/// How far numbers of a model may have moved, on average, for a simulation of it to be still good.
const MOVED: f64 = 1e-3;

/// A simulated figure with half the width of its 95 % interval \[s\].
pub(super) type Figure = (f64, f64);

/// One kind of work: its mean and its 95th percentile, where they are known.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kind {
    pub(super) mean: Option<Figure>,
    pub(super) p95: Option<Figure>,
}

/// One simulation.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Simulated {
    /// The multiple of the site's load from which its deployment saturated when it was simulated.
    pub(super) saturation: f64,
    /// How many numbers the model has, and the mean of their logarithms.
    numbers: usize,
    logarithm: f64,
    /// Whether customers left as fast as they came.
    pub(super) steady: bool,
    pub(super) kinds: BTreeMap<String, Kind>,
}

/// All simulations, by the name of their case.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Kept(BTreeMap<String, Simulated>);

impl Kept {
    pub(super) fn read() -> Self {
        read_text(Path::new(FILE)).map_or_else(
            |_| Self::default(),
            |text| toml::from_str(&text).unwrap_or_else(|error| panic!("{FILE}: {error}")),
        )
    }

    pub(super) fn write(&self) {
        std::fs::write(FILE, toml::to_string(self).unwrap()).unwrap();
    }

    /// What was simulated of a case, if it was of this model.
    pub(super) fn of(&self, case: &str, model: &Model) -> Option<&Simulated> {
        let (numbers, logarithm) = fingerprint(model);
        self.0.get(case).filter(|s| s.numbers == numbers && (s.logarithm - logarithm).abs() <= MOVED)
    }

    /// The load, in multiples of the site's, from which a case's deployment saturated when it was simulated.
    pub(super) fn saturation(&self, case: &str) -> Option<f64> {
        Some(self.0.get(case)?.saturation).filter(|multiple| *multiple > 0.0)
    }

    /// Whether a case is kept whose name begins so.
    pub(super) fn has(&self, name: &str) -> bool {
        let first = self.0.range(name.to_owned()..).next();
        first.is_some_and(|(case, _)| case.starts_with(name))
    }

    /// Keeps what was found in place of all before.
    pub(super) fn replace(&mut self, found: BTreeMap<String, Simulated>) {
        self.0 = found;
    }
}

/// How many numbers a model has, and the mean of their logarithms; what things are called does not count.
fn fingerprint(model: &Model) -> (usize, f64) {
    let text = format!("{model:?}");
    let text: String = text.split('"').step_by(2).collect();
    let words = text.split(|c: char| !(c.is_ascii_digit() || ".e-".contains(c)));
    let numbers = words.filter_map(|word| word.parse::<f64>().ok());
    let logarithms = numbers.map(|number| number.abs().ln());
    let logarithms: Vec<f64> = logarithms.filter(|logarithm| logarithm.is_finite()).collect();
    let count = logarithms.len();
    (count, logarithms.iter().sum::<f64>() / count.max(1) as f64)
}

/// Simulates a model for a few seconds.
pub(super) fn simulate(model: &Model, saturation: f64) -> Simulated {
    let run = Run { span: Span::Steady { precision: 0.02 }, events_max: EVENTS, ..Run::default() };
    let go_on = &mut |_| ControlFlow::Continue(());
    let replication = sim::simulate(model, &run, 0, go_on).unwrap();
    let outcome = sim::fold(model, &run, &[replication]);
    let rounded = |value: f64| format!("{value:.3e}").parse().unwrap();
    let known = |figure: sim::Estimate| {
        let known = figure.value > 0.0 && figure.half_width <= KNOWN * figure.value;
        known.then(|| (rounded(figure.value), rounded(figure.half_width)))
    };
    let kinds = outcome.activities.iter().map(|activity| {
        let p95 = activity.quantiles.iter().find(|(share, _)| *share == 0.95);
        let kind = Kind { mean: known(activity.response), p95: p95.and_then(|(_, figure)| known(*figure)) };
        (activity.name.clone(), kind)
    });
    let (numbers, logarithm) = fingerprint(model);
    Simulated { saturation, numbers, logarithm, steady: outcome.stopped != Stopped::Unsteady, kinds: kinds.collect() }
}
