//! Exact methods against each other, against Markov chains, and at the ends of their range.

use plimsoll::queueing::{Class, Method, Network, Solution, SolveError, Station, mixed, solve};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::chain::{mean, stationary};
use super::{near, network};

/// A station of any kind of product form.
fn station() -> impl Strategy<Value = Station> {
    prop_oneof![
        Just(Station::delay("delay")),
        (1..4_u32).prop_map(|servers| Station::queueing("servers", servers)),
        prop::collection::vec(0.3..3.0_f64, 1..6).prop_map(|s| Station::load_dependent("any", s)),
        (0.4..4.5_f64).prop_map(|capacity| Station::link("link", capacity, 1.0, 1.0)),
    ]
}

/// One to three closed classes and an open one that takes at most 60 % of any station.
fn mixed_network() -> impl Strategy<Value = Network> {
    let demand = || prop_oneof![1 => Just(0.0), 9 => 0.01..2.0_f64];
    prop::collection::vec(station(), 1..5)
        .prop_flat_map(move |stations| {
            let class = (0..6_u32, 0.01..5.0_f64, prop::collection::vec(demand(), stations.len()));
            (Just(stations), prop::collection::vec(class, 1..4), 0.0..0.6_f64)
        })
        .prop_map(|(stations, closed, used)| {
            let mut classes: Vec<Class> =
                closed.into_iter().map(|(n, z, demands)| Class::closed("closed", f64::from(n), z, demands)).collect();
            let load = |station: &Station| match station.kind.last_speed() {
                f64::INFINITY => 1.0,
                speed => used * speed,
            };
            classes.push(Class::open("open", 1.0, stations.iter().map(load).collect()));
            Network::new(stations, classes)
        })
}

fn assert_same(one: &Solution, other: &Solution, tolerance: f64) {
    let close = |a: f64, b: f64| (a - b).abs() <= tolerance * b.abs().max(1e-6);
    for (one, other) in one.classes.iter().zip(&other.classes) {
        assert!(close(one.throughput, other.throughput), "{one:?} {other:?}");
        let pairs = one.residence_time.iter().zip(&other.residence_time);
        let seen = one.seen_queue_length.iter().zip(&other.seen_queue_length);
        for (a, b) in pairs.chain(seen) {
            assert!(close(*a, *b), "{a} {b}: {one:?} {other:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_260_102),
        ..ProptestConfig::default() })]

    #[test]
    fn mean_values_and_convolution_are_the_same(network in mixed_network()) {
        let one = mixed::solve(&network, Method::Exact).unwrap();
        let other = mixed::solve(&network, Method::Convolution).unwrap();
        assert_same(&one, &other, 1e-10);
    }
}

/// One class of `n` at a delay and stations of the given speeds, by the balance of its Markov chain.
#[test]
fn a_load_dependent_network_is_as_its_markov_chain_says() {
    let (n, think, demands) = (9_u32, 2.0, [0.7, 1.1]);
    let speeds = [vec![1.0, 1.6, 1.9, 1.2], vec![1.0, 2.0, 2.5]];
    let speed = |k: usize, j: u32| speeds[k][(j as usize).min(speeds[k].len()) - 1];
    let states = stationary((0_u32, 0_u32), |&(a, b)| {
        let mut next = Vec::new();
        if a + b < n {
            next.push(((a + 1, b), f64::from(n - a - b) / think));
        }
        if a > 0 {
            next.push(((a - 1, b + 1), speed(0, a) / demands[0]));
        }
        if b > 0 {
            next.push(((a, b - 1), speed(1, b) / demands[1]));
        }
        next
    });
    let network = Network::new(
        vec![Station::load_dependent("a", speeds[0].clone()), Station::link("b", 2.5, 1.0, 1.0)],
        vec![Class::closed("users", f64::from(n), think, demands.to_vec())],
    );
    for method in [Method::Exact, Method::Convolution] {
        let solution = mixed::solve(&network, method).unwrap();
        let lengths = &solution.classes[0].queue_length;
        near(lengths[0], mean(&states, |s| f64::from(s.0)), 1e-9);
        near(lengths[1], mean(&states, |s| f64::from(s.1)), 1e-9);
        let thinking = mean(&states, |s| f64::from(n - s.0 - s.1));
        near(solution.classes[0].throughput, thinking / think, 1e-9);
    }
}

#[test]
fn a_million_customers_lose_no_digits() {
    let users = 1_000_000.0;
    let network = Network::new(
        vec![
            Station::queueing("four", 4),
            Station::queueing("disk", 1),
            Station::delay("line"),
            Station::load_dependent("array", vec![1.0, 1.8, 2.4, 2.8, 3.0]),
        ],
        vec![Class::closed("users", users, 1e4, vec![0.08, 0.019, 0.1, 0.05])],
    );
    let solution = solve(&network).unwrap();
    assert_eq!(solution.method, Method::Linearizer);
    let exact = mixed::solve(&network, Method::Exact).unwrap();
    let class = &exact.classes[0];
    // The four processors are the bottleneck: 50/s, and the rest of the users wait there.
    near(class.throughput, 50.0, 1e-6);
    let open = |load: f64| {
        let others = vec![Class::open("open", load, vec![0.0, 0.019, 0.1, 0.05])];
        solve(&Network::new(network.stations.clone(), others)).unwrap()
    };
    // Others are as under a Poisson stream of 50/s.
    for (one, other) in class.queue_length[1..].iter().zip(&open(50.0).classes[0].queue_length[1..]) {
        near(*one, *other, 1e-4);
    }
    let total = class.queue_length.iter().sum::<f64>() + class.throughput * 1e4;
    near(total, users, 1e-3);
    assert!(exact.stations.iter().all(|s| (0.0..=1.0).contains(&s.utilization)));
    near(solution.classes[0].throughput, 50.0, 1e-3);
}

#[test]
fn convolution_holds_what_mean_values_do_at_a_saturated_station() {
    // The textbook's p(0) = 1 − Σ p(j) turns negative here from some hundred customers on.
    for users in [50.0, 500.0, 3000.0] {
        let network = network(&[8, 1, 3], vec![Class::closed("users", users, 1.0, vec![4.0, 0.4, 1.5])]);
        let one = mixed::solve(&network, Method::Exact).unwrap();
        let other = mixed::solve(&network, Method::Convolution).unwrap();
        assert_same(&one, &other, 1e-9);
        assert!(one.classes[0].throughput <= 2.0);
    }
}

#[test]
fn what_is_too_large_says_so() {
    let classes = vec![Class::closed("users", 1e9, 1.0, vec![1.0])];
    let network = network(&[1], classes);
    let refused = mixed::solve(&network, Method::Exact).unwrap_err();
    assert!(matches!(refused, SolveError::TooLarge { .. }), "{refused}");
    assert_eq!(solve(&network).unwrap().method, Method::Linearizer);
}
