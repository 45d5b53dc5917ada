//! Fork and join, work that nobody waits for, repetition, sizes, caches.

use plimsoll::queueing::closed_forms;
use plimsoll::sim::{Cache, CacheKind, Discipline, Distribution, Model, Step};

use super::support::{assert_close, exp, open, run, serve, single, station, steady_for};

#[test]
fn two_branches_join_as_flatto_and_hahn_say() {
    for (rate, response) in [(0.3, 2.089_286), (0.5, 2.875), (0.7, 4.708_333)] {
        let branches = vec![vec![serve(0, exp(1.0))], vec![serve(1, exp(1.0))]];
        let model = Model {
            stations: vec![station(Discipline::Fcfs, 1.0); 2],
            classes: vec![open(rate, vec![Step::Fork(branches)])],
            ..Model::default()
        };
        let outcome = run(&model, &steady_for(120_000.0));
        assert_close("R", outcome.classes[0].total.response, response);
        let exact = closed_forms::fork_join2(rate, 1.0).unwrap();
        assert!((exact - response).abs() < 1e-5);
    }
}

#[test]
fn spawned_work_loads_the_station_but_not_the_response() {
    let mut model = single(Discipline::Delay, 1.0, 1.0, exp(0.5));
    model.stations.push(station(Discipline::Fcfs, 1.0));
    model.classes[0].program.push(Step::Spawn(vec![serve(1, exp(0.5))]));
    let outcome = run(&model, &steady_for(50_000.0));
    assert_close("R", outcome.classes[0].total.response, 0.5);
    assert_close("U", outcome.stations[1].utilization, 0.5);
    assert_close("Q", outcome.stations[1].queue_length, 1.0);
}

#[test]
fn repetitions_and_sizes_multiply() {
    let body = vec![Step::Sized {
        factor: Distribution::of(1.0, 2.0),
        body: vec![Step::Repeat { times: 3, body: vec![serve(0, Distribution::Constant(0.2))] }],
    }];
    let mut model = single(Discipline::Delay, 1.0, 1.0, exp(1.0));
    model.classes[0].program = vec![Step::Sized { factor: Distribution::Constant(2.0), body }];
    let outcome = run(&model, &steady_for(100_000.0));
    assert_close("R", outcome.classes[0].total.response, 1.2);
    assert_close("X", outcome.stations[0].throughput, 3.0);
    // One factor for the whole body: its variation is that of the factor, so the median of the
    // hyperexponential factor shows, not a mean of three draws.
    let median = outcome.classes[0].total.quantiles[0].1.value;
    assert!(median < 0.75, "{median}");
}

#[test]
fn lru_caches_hit_as_often_as_simulated_elsewhere() {
    // R34b: Zipf (skew, items, capacity).
    for (skew, items, capacity, hits) in
        [(0.8, 10_000, 100, 0.156_78), (0.8, 10_000, 1_000, 0.437_15), (1.0, 100_000, 1_000, 0.506_50)]
    {
        let mut model = single(Discipline::Delay, 1.0, 1.0, exp(0.1));
        model.caches = vec![Cache { name: "pages".into(), kind: CacheKind::Lru { capacity, items, skew } }];
        model.classes[0].program = vec![Step::Refer { cache: 0, hit: vec![], miss: vec![serve(0, exp(0.1))] }];
        let outcome = run(&model, &steady_for(300_000.0));
        assert_close("hits", outcome.cache_hits[0], hits);
    }
}

#[test]
fn a_cache_may_be_a_probability() {
    let mut model = single(Discipline::Delay, 1.0, 1.0, exp(0.1));
    model.caches = vec![Cache { name: "pages".into(), kind: CacheKind::Probability(0.9) }];
    model.classes[0].program = vec![Step::Refer { cache: 0, hit: vec![], miss: vec![serve(0, exp(1.0))] }];
    let outcome = run(&model, &steady_for(100_000.0));
    assert_close("hits", outcome.cache_hits[0], 0.9);
    assert_close("R", outcome.classes[0].total.response, 0.1);
}
