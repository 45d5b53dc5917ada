//! What cannot be carried is said at once, with the place and by how much, and never takes all memory.

use plimsoll::sim::{
    Arrivals, Cache, CacheKind, Class, Discipline, Distribution, JOBS_MAX, Lock, Mode, Model, Pool, Run, Source, Span,
    Spot, Step, Stopped,
};
use proptest::prelude::*;

use super::support::{exp, open, run, serve, single, station};

fn steady(model: &Model) -> plimsoll::sim::Outcome {
    let run_to = Run { span: Span::Steady { precision: 0.2 }, events_max: 3_000_000, ..Run::default() };
    run(model, &run_to)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// One class through a chain: saturated exactly where its rate times some demand over the servers
    /// reaches 1, and by rate·(1 − 1/ρ) of the worst.
    #[test]
    fn the_utilization_law_tells_what_is_saturated(
        rate in 0.01..5.0f64,
        demands in prop::collection::vec((0.01..1.0f64, 1..4u32), 1..4),
    ) {
        let worst = demands.iter().map(|(d, m)| rate * d / f64::from(*m)).fold(0.0, f64::max);
        prop_assume!(!(0.8..1.02).contains(&worst));
        let model = Model {
            stations: demands.iter().map(|(_, m)| station(Discipline::Fcfs, f64::from(*m))).collect(),
            classes: vec![open(
                rate,
                demands.iter().enumerate().map(|(s, (d, _))| serve(s, exp(*d))).collect(),
            )],
            ..Model::default()
        };
        let outcome = steady(&model);
        if worst < 1.0 {
            prop_assert!(outcome.pile.is_none() && outcome.stopped != Stopped::Unsteady);
        } else {
            prop_assert_eq!(outcome.stopped, Stopped::Unsteady);
            prop_assert!(outcome.events <= 100_000);
            let pile = outcome.pile.unwrap();
            let Spot::Station(at) = pile.spot else { panic!("{pile:?}") };
            let there = rate * demands[at].0 / f64::from(demands[at].1);
            prop_assert!((there / worst - 1.0).abs() < 1e-6);
            let wanted = rate * (1.0 - 1.0 / worst);
            prop_assert!((pile.per_second / wanted - 1.0).abs() < 1e-6, "{:?} {}", pile, wanted);
        }
    }
}

fn named(mut model: Model, name: &str) -> Model {
    name.clone_into(&mut model.stations[0].name);
    model
}

#[test]
fn a_lock_and_a_pool_are_full_when_they_are_held_all_the_time() {
    let body =
        |before: Step, after: Step| vec![before, serve(0, exp(0.3)), serve(1, Distribution::Constant(0.2)), after];
    for rate in [1.5, 4.0] {
        let stations = vec![station(Discipline::Delay, 1.0), station(Discipline::Ps, 9.0)];
        let lock = Model {
            stations: stations.clone(),
            locks: vec![Lock { name: "db.rev".into() }],
            classes: vec![open(rate, body(Step::Lock(vec![(0, Mode::Exclusive)]), Step::Unlock(vec![0])))],
            ..Model::default()
        };
        let pool = Model {
            stations,
            pools: vec![Pool { name: "threads".into(), capacity: 3 }],
            classes: vec![open(rate, body(Step::Take { pool: 0, count: 2 }, Step::Give { pool: 0, count: 2 }))],
            ..Model::default()
        };
        // Held 0.5 s each time: 0.75 and 2 of one lock, 1.5 and 4 of three threads.
        for (model, spot, load) in [(lock, Spot::Lock(0), rate * 0.5), (pool, Spot::Pool(0), rate / 3.0)] {
            let outcome = steady(&model);
            match outcome.pile {
                None => assert!(load < 1.0, "{spot:?} {load}"),
                Some(pile) => {
                    assert!(load > 1.0, "{spot:?} {load}");
                    assert_eq!(pile.spot, spot);
                    assert!((pile.per_second - rate * (1.0 - 1.0 / load)).abs() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn readers_do_not_fill_a_lock_and_what_is_never_late_may_be_just_full() {
    let mut model = Model {
        stations: vec![station(Discipline::Delay, 1.0)],
        locks: vec![Lock { name: "db.have".into() }],
        classes: vec![open(20.0, vec![Step::Lock(vec![(0, Mode::Shared)]), serve(0, exp(1.0)), Step::Unlock(vec![0])])],
        ..Model::default()
    };
    assert_eq!(steady(&model).pile, None);
    // D/D/1 at a utilization of 1.
    model.stations[0] = station(Discipline::Fcfs, 1.0);
    model.classes = vec![Class {
        source: Source::Open(Arrivals::Renewal(Distribution::Constant(1.0))),
        ..open(1.0, vec![serve(0, Distribution::Constant(1.0))])
    }];
    assert_eq!(steady(&model).pile, None);
    // M/D/1 is not carried.
    model.classes = vec![open(1.0, vec![serve(0, Distribution::Constant(1.0))])];
    assert_eq!(steady(&model).stopped, Stopped::Unsteady);
}

#[test]
fn jobs_that_nobody_foresaw_end_the_run_at_a_stated_number() {
    // What misses a simulated cache is not known before.
    let miss = Step::Refer { cache: 0, hit: vec![], miss: vec![serve(0, exp(1.0))] };
    let model = Model {
        caches: vec![Cache { name: "cache".into(), kind: CacheKind::Lru { capacity: 1, items: 1000, skew: 0.0 } }],
        ..single(Discipline::Fcfs, 1.0, 1e6, exp(1.0))
    };
    let model = named(Model { classes: vec![open(1e6, vec![miss])], ..model }, "disk");
    for span in [Span::Steady { precision: 0.1 }, Span::Until { time: 1e6, piece: 1e5 }] {
        let outcome = run(&model, &Run { span, ..Run::default() });
        assert_eq!(outcome.stopped, Stopped::Unsteady);
        let pile = outcome.pile.unwrap();
        assert_eq!((pile.spot, pile.name.as_str()), (Spot::Station(0), "disk"));
        assert!((pile.per_second / 1e6 - 1.0).abs() < 0.02, "{pile:?}");
        assert!(outcome.events < 2 * JOBS_MAX as u64);
        assert!(pile.to_string().contains("jobs pile up a second at station \"disk\""));
    }
}

#[test]
fn spawned_work_and_turns_without_service_have_an_end() {
    let spawn = Step::Repeat { times: u32::MAX, body: vec![Step::Spawn(vec![serve(0, exp(1.0))])] };
    let mut model = single(Discipline::Fcfs, 1.0, 1.0, exp(1.0));
    model.classes[0].program = vec![spawn];
    let outcome = run(&model, &Run { span: Span::Until { time: 10.0, piece: 1.0 }, ..Run::default() });
    assert_eq!(outcome.stopped, Stopped::Jobs);
    let endless = Step::Repeat {
        times: u32::MAX,
        body: vec![Step::Repeat { times: u32::MAX, body: vec![Step::Choose(vec![(1.0, vec![])])] }],
    };
    model.classes[0].program = vec![endless, serve(0, exp(0.1))];
    let outcome = run(&model, &Run { events_max: 100_000, ..Run::default() });
    assert!(matches!(outcome.stopped, Stopped::Events | Stopped::Unsteady), "{:?}", outcome.stopped);
}

#[test]
fn more_jobs_than_there_is_room_for_are_not_said_to_wait() {
    let model = single(Discipline::Delay, 1.0, 1e6, exp(1e3));
    let outcome = run(&model, &Run::default());
    assert_eq!((outcome.stopped, outcome.pile), (Stopped::Jobs, None));
}

#[test]
fn many_servers_that_are_preempted_are_as_busy_as_few() {
    // Last come, first served, preempting: the mean is that of processor sharing, whatever the services.
    for servers in [16.0, 5000.0] {
        let model = single(Discipline::LcfsPr, servers, servers * 0.7, exp(1.0));
        let run_to = Run { span: Span::SteadyFor { time: 200_000.0 / servers }, ..Run::default() };
        let outcome = run(&model, &run_to);
        assert!((outcome.stations[0].utilization.value - 0.7).abs() < 0.03);
    }
}
