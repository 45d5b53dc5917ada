//! Short words for models, and judging an estimate against a known value.

use std::ops::ControlFlow;

use plimsoll::sim::{
    self, Arrivals, Class, Discipline, Distribution, Estimate, Lock, Model, Outcome, Run, Source, Span, Station, Step,
};

pub(super) fn exp(mean: f64) -> Distribution {
    Distribution::Exponential { mean }
}

pub(super) fn serve(station: usize, service: Distribution) -> Step {
    Step::Serve { station, service }
}

pub(super) fn station(discipline: Discipline, servers: f64) -> Station {
    Station { name: format!("{discipline:?}"), discipline, servers, speeds: Vec::new() }
}

pub(super) fn lock(name: &str) -> Lock {
    Lock { name: name.into() }
}

pub(super) fn class(source: Source, program: Vec<Step>) -> Class {
    Class { name: "class".into(), source, program, priority: 0, profile: None }
}

/// A Poisson stream.
pub(super) fn open(rate: f64, program: Vec<Step>) -> Class {
    let between = exp(1.0 / rate);
    class(Source::Open(Arrivals::Renewal(between)), program)
}

pub(super) fn closed(population: u32, think: f64, program: Vec<Step>) -> Class {
    let think = exp(think);
    class(Source::Closed { population, think }, program)
}

/// One station, one Poisson stream.
pub(super) fn single(discipline: Discipline, servers: f64, rate: f64, service: Distribution) -> Model {
    Model {
        stations: vec![station(discipline, servers)],
        classes: vec![open(rate, vec![serve(0, service)])],
        ..Model::default()
    }
}

pub(super) fn steady_for(time: f64) -> Run {
    Run { span: Span::SteadyFor { time }, ..Run::default() }
}

pub(super) fn run(model: &Model, run: &Run) -> Outcome {
    let replication = sim::simulate(model, run, 0, &mut |_| ControlFlow::Continue(())).unwrap();
    sim::fold(model, run, &[replication])
}

/// Whether a value lies within twice the 95 % interval: about four standard errors.
#[track_caller]
pub(super) fn assert_close(what: &str, estimate: Estimate, truth: f64) {
    let Estimate { value, half_width } = estimate;
    assert!(half_width < 0.2 * truth.abs() + 1e-9, "{what}: {value} ± {half_width} is too wide to tell {truth}");
    assert!(
        (value - truth).abs() <= 2.0 * half_width + 1e-9 * truth.abs(),
        "{what}: {value} ± {half_width}, but {truth} is exact"
    );
}
