//! Our simulator, given each network as data: a model file could hold the same.

use std::ops::ControlFlow;

use plimsoll::sim::{
    Arrivals, Class, Discipline, Distribution, Model, Run as Plan, Source, Span, Station, Step, fold, simulate,
};

use crate::workload::{CORES, CUSTOMERS, DISK, PROCESSOR, Run, THINK, Workload};

fn exponential(mean: f64) -> Distribution {
    Distribution::Exponential { mean }
}

fn station(name: &str, discipline: Discipline, servers: u32) -> Station {
    Station { name: name.to_owned(), discipline, servers: f64::from(servers), speeds: Vec::new() }
}

fn serve(station: usize, mean: f64) -> Step {
    Step::Serve { station, service: exponential(mean) }
}

fn model(workload: Workload) -> Model {
    let (stations, source, program) = if workload == Workload::Closed {
        (
            vec![station("processor", Discipline::Ps, CORES), station("disk", Discipline::Fcfs, 1)],
            Source::Closed { population: CUSTOMERS, think: exponential(THINK) },
            vec![serve(0, PROCESSOR), serve(1, DISK)],
        )
    } else {
        let (servers, rate) = workload.open();
        (
            vec![station("servers", Discipline::Fcfs, servers as u32)],
            Source::Open(Arrivals::Renewal(exponential(1.0 / rate))),
            vec![serve(0, 1.0)],
        )
    };
    Model {
        stations,
        classes: vec![Class { name: "customers".to_owned(), source, program, priority: 0, profile: None }],
        ..Model::default()
    }
}

/// Simulates about `events` events with everything that a run reports: warm-up, batches, intervals and
/// quantiles of responses, each station and class.
pub fn run(workload: Workload, seed: u64, events: u64) -> Run {
    let model = model(workload);
    // Two events a customer, and three a cycle of the closed network.
    let events_per_s = match workload {
        Workload::Closed => 3.0 * workload.truth().1,
        open => 2.0 * open.open().1,
    };
    let plan = Plan { seed, span: Span::SteadyFor { time: events as f64 / events_per_s }, ..Plan::default() };
    let replication = simulate(&model, &plan, 0, &mut |_| ControlFlow::Continue(())).expect("the model is sound");
    let outcome = fold(&model, &plan, &[replication]);
    let total = &outcome.classes[0].total;
    let answer = match workload {
        Workload::Closed => total.throughput.value,
        _ => total.response.value,
    };
    Run { events, answer }
}
