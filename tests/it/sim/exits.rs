//! Where a service is the last thing that customers do, its end is worked out when they come. That must
//! make no difference: programs that are timed as an activity go the long way.

use std::ops::ControlFlow;

use plimsoll::sim::{self, Class, Discipline, Distribution, Model, Outcome, Run, Source, Span, Step};

use super::support::{class, closed, exp, open, run, serve, station, steady_for};
use super::witness::Witness;

/// One and many servers, several classes from outside and a closed one, the first station or a later one.
fn models() -> Vec<Model> {
    let stations =
        |list: &[(Discipline, f64)]| list.iter().map(|(discipline, servers)| station(*discipline, *servers)).collect();
    let (fcfs, ps) = (Discipline::Fcfs, Discipline::Ps);
    let of = |list: &[(Discipline, f64)], classes: Vec<Class>| Model {
        stations: stations(list),
        classes,
        ..Model::default()
    };
    let constant = Distribution::Constant;
    let choice = Step::Choose(vec![(0.7, vec![serve(0, exp(1.0))]), (0.3, vec![serve(1, exp(2.0))])]);
    // Think times are drawn in order of arrival at an exit: with several servers others get them.
    let source = Source::Closed { population: 3, think: constant(2.0) };
    let regular = class(source, vec![serve(0, exp(0.5))]);
    vec![
        of(&[(fcfs, 1.0)], vec![open(0.8, vec![serve(0, exp(1.0))])]),
        of(&[(fcfs, 8.0)], vec![open(6.4, vec![serve(0, exp(1.0))])]),
        of(
            &[(fcfs, 11.0)],
            vec![open(4.0, vec![serve(0, exp(1.0))]), open(1.0, vec![serve(0, constant(4.0))]), regular],
        ),
        of(&[(ps, 4.0), (fcfs, 1.0)], vec![closed(100, 10.0, vec![serve(0, exp(0.2)), serve(1, exp(0.1))])]),
        of(&[(fcfs, 2.0), (fcfs, 3.0)], vec![open(1.5, vec![serve(0, exp(1.0)), serve(1, exp(1.5))])]),
        of(&[(fcfs, 2.0), (fcfs, 1.0)], vec![open(1.0, vec![choice])]),
    ]
}

/// The same with every program timed as an activity.
fn timed(model: &Model) -> Model {
    let mut model = model.clone();
    model.activities = vec!["all".into()];
    for class in &mut model.classes {
        let body = std::mem::take(&mut class.program);
        class.program = vec![Step::Timed { activity: 0, body }];
    }
    model
}

/// All figures of classes and stations.
fn figures(outcome: &Outcome) -> Vec<f64> {
    let mut all = vec![outcome.time, outcome.warm_up];
    for class in &outcome.classes {
        let (total, number) = (&class.total, class.number);
        all.extend([number.value, number.half_width, total.longest]);
        all.extend([total.response.value, total.response.half_width]);
        all.extend([total.completions as f64, total.throughput.value]);
        for (_, quantile) in &total.quantiles {
            all.extend([quantile.value, quantile.half_width]);
        }
    }
    for station in &outcome.stations {
        let of_all = [station.utilization, station.queue_length, station.residence];
        all.extend(of_all.iter().flat_map(|e| [e.value, e.half_width]));
        for class in &station.classes {
            all.extend([class.throughput, class.queue_length, class.busy]);
        }
    }
    if let Some(series) = &outcome.series {
        all.extend(series.utilization.iter().flatten());
    }
    all
}

#[test]
fn ends_that_are_worked_out_are_those_that_happen() {
    let until = Run { span: Span::Until { time: 500.0, piece: 70.0 }, ..Run::default() };
    let few = Run { events_max: 12_345, span: Span::Steady { precision: 1e-9 }, ..Run::default() };
    for (idx, model) in models().iter().enumerate() {
        for run_to in [&until, &few, &steady_for(20_000.0)] {
            let (ours, other) = (run(model, run_to), run(&timed(model), run_to));
            assert_eq!((ours.events, ours.stopped), (other.events, other.stopped));
            assert_eq!(ours.batches, other.batches);
            for (one, other) in figures(&ours).into_iter().zip(figures(&other)) {
                let alike = one == other || (one - other).abs() <= 1e-7 * one.abs().max(1e-3);
                assert!(alike, "model {idx}, {run_to:?}: {one} and {other}");
            }
        }
    }
}

#[test]
fn ends_that_are_worked_out_are_told_in_order() {
    let run_to = Run { span: Span::Until { time: 300.0, piece: 300.0 }, ..Run::default() };
    for model in models() {
        let mut witness = Witness::new(&model);
        let (mut last, mut see) = (0.0, 0);
        let replication = sim::simulate_traced(&model, &run_to, 0, &mut |_| ControlFlow::Continue(()), &mut |event| {
            assert!(event.time >= last);
            (last, see) = (event.time, see + 1);
            witness.see(event);
        });
        let outcome = sim::fold(&model, &run_to, &[replication.unwrap()]);
        assert!(see > 500);
        witness.agree(&outcome, 300.0);
        // Nobody is the wiser for having watched.
        assert_eq!(outcome, run(&model, &run_to));
    }
}
