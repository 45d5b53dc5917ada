//! Networks against exact solutions.

use plimsoll::queueing::{self, Class as QClass, Network, Station as QStation};
use plimsoll::sim::{Discipline, Distribution, Model, Outcome, Route, Step, Visit};

use super::support::{assert_close, closed, exp, open, run, serve, station, steady_for};

/// Compares throughput, response and queue lengths of closed or open classes.
#[track_caller]
fn assert_solved(model: &Model, network: &Network, time: f64) -> Outcome {
    let outcome = run(model, &steady_for(time));
    let exact = queueing::solve(network).unwrap();
    for (ours, theirs) in outcome.classes.iter().zip(&exact.classes) {
        assert_close("X", ours.total.throughput, theirs.throughput);
        assert_close("R", ours.total.response, theirs.response_time);
    }
    for (idx, (ours, theirs)) in outcome.stations.iter().zip(&exact.stations).enumerate() {
        assert_close("Q", ours.queue_length, theirs.queue_length);
        for (class, exact) in ours.classes.iter().zip(&exact.classes) {
            let queue = exact.queue_length[idx];
            assert!((class.queue_length - queue).abs() < 0.1 * queue + 0.02);
        }
    }
    outcome
}

#[test]
fn thinking_users_of_a_processor_and_a_disk_have_the_exact_throughput() {
    let program = vec![serve(0, exp(0.2)), serve(1, exp(0.1))];
    let model = Model {
        stations: vec![station(Discipline::Ps, 4.0), station(Discipline::Fcfs, 1.0)],
        classes: vec![closed(100, 10.0, program)],
        ..Model::default()
    };
    let outcome = run(&model, &steady_for(8_000.0));
    assert_close("X", outcome.classes[0].total.throughput, 9.119_254_577);
}

#[test]
fn terminals_of_jain() {
    // Visits 16, 10 and 5 by a central server: N = 20, Z = 4 s.
    let visit = |station, mean| Visit { station, service: exp(mean) };
    let route = Route {
        visits: vec![visit(0, 0.125), visit(1, 0.3), visit(2, 0.2)],
        entry: vec![1.0, 0.0, 0.0],
        next: vec![vec![0.0, 10.0 / 16.0, 5.0 / 16.0], vec![1.0, 0.0, 0.0], vec![1.0, 0.0, 0.0]],
    };
    let model = Model {
        stations: vec![station(Discipline::Fcfs, 1.0); 3],
        classes: vec![closed(20, 4.0, vec![Step::Wander(route)])],
        ..Model::default()
    };
    let outcome = run(&model, &steady_for(200_000.0));
    for (station, queue) in outcome.stations.iter().zip([1.990_623, 16.176_651, 0.499_740]) {
        assert_close("Q", station.queue_length, queue);
    }
}

#[test]
fn machine_repairman() {
    // 5 machines that run for 10 h each, 1 repairman who takes 2 h: a closed M/M/1//5.
    let model = Model {
        stations: vec![station(Discipline::Fcfs, 1.0)],
        classes: vec![closed(5, 10.0, vec![serve(0, exp(2.0))])],
        ..Model::default()
    };
    let network = Network {
        stations: vec![QStation::queueing("repairman", 1)],
        classes: vec![QClass::closed("machines", 5.0, 10.0, vec![2.0])],
        ..Network::default()
    };
    assert_solved(&model, &network, 400_000.0);
}

#[test]
fn two_classes_share_processors_and_pass_through_a_preemptive_stack() {
    let model = Model {
        stations: vec![station(Discipline::Ps, 1.0), station(Discipline::LcfsPr, 1.0)],
        classes: vec![
            closed(6, 5.0, vec![serve(0, exp(0.5)), serve(1, Distribution::of(0.4, 3.0))]),
            closed(3, 2.0, vec![serve(0, Distribution::of(0.2, 0.25)), serve(1, exp(0.8))]),
        ],
        ..Model::default()
    };
    let network = Network {
        stations: ["a", "b"].map(|name| QStation::queueing(name, 1)).into(),
        classes: vec![QClass::closed("one", 6.0, 5.0, vec![0.5, 0.4]), QClass::closed("two", 3.0, 2.0, vec![0.2, 0.8])],
        ..Network::default()
    };
    assert_solved(&model, &network, 60_000.0);
}

#[test]
fn open_and_closed_classes_mixed() {
    // Lazowska et al., p. 148 (R9): Q closed 4/19, 15/19, 5/19, 14/19.
    let program = |a, b| vec![serve(0, exp(a)), serve(1, exp(b))];
    let model = Model {
        stations: vec![station(Discipline::Ps, 1.0); 2],
        classes: vec![
            open(1.0, program(0.25, 1.0 / 6.0)),
            open(0.5, program(0.5, 1.0)),
            closed(1, 0.0, program(0.5, 1.0)),
            closed(1, 0.0, program(1.0, 4.0 / 3.0)),
        ],
        ..Model::default()
    };
    let outcome = run(&model, &steady_for(100_000.0));
    for (station, class, truth) in [(0, 2, 4.0), (1, 2, 15.0), (0, 3, 5.0), (1, 3, 14.0)] {
        let queue = outcome.stations[station].classes[class].queue_length;
        assert!((queue - truth / 19.0).abs() < 0.03, "{queue} for {truth}/19");
    }
}

#[test]
fn a_station_whose_speed_grows_with_its_load_is_a_station_of_more_servers() {
    for discipline in [Discipline::Fcfs, Discipline::Ps] {
        let mut model = Model {
            stations: vec![station(discipline, 1.0)],
            classes: vec![open(2.4, vec![serve(0, exp(1.0))])],
            ..Model::default()
        };
        model.stations[0].speeds = vec![1.0, 2.0, 3.0];
        let outcome = run(&model, &steady_for(60_000.0));
        let mm3 = queueing::closed_forms::mmm(2.4, 1.0, 3).unwrap();
        assert_close("R", outcome.classes[0].total.response, mm3.response_time);
    }
}
