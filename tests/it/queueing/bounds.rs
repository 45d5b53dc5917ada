//! Bounds hold the exact answers of random networks, and meet them where they should.

use plimsoll::queueing::bounds::{Limit, NetworkBounds, asymptotic, balanced_job, of_network, proportional};
use plimsoll::queueing::{
    Class, Discipline, Method, Network, Pool, Solution, SolveError, Station, StationKind, Workload, mixed,
};
use proptest::prelude::*;

use super::{near, network, same_cases};

fn demands(stations: usize) -> impl Strategy<Value = Vec<f64>> {
    let demand = prop_oneof![1 => Just(0.0), 9 => 0.001..2.0_f64];
    prop::collection::vec(demand, stations)
}

fn station() -> impl Strategy<Value = Station> {
    prop_oneof![
        3 => (0..=3_u32).prop_map(|servers| network(&[servers], Vec::new()).stations.remove(0)),
        1 => prop::collection::vec(0.2..3.0_f64, 1..5)
            .prop_map(|speeds| Station::load_dependent("load-dependent", speeds)),
        1 => (0.3..4.0_f64).prop_map(|capacity| {
            Station::new("link", StationKind::Link { capacity })
        }),
    ]
}

/// One to three closed classes, whose thinking may be nothing, at one to three stations.
fn closed_network() -> impl Strategy<Value = Network> {
    prop::collection::vec(station(), 1..4).prop_flat_map(|stations| {
        let think_time = prop_oneof![1 => Just(1e-6), 1 => 0.01..10.0_f64];
        let class = (0..=6_u32, think_time, demands(stations.len()));
        prop::collection::vec(class, 1..4).prop_map(move |classes| {
            let class = |(population, think_time, demands): (u32, f64, Vec<f64>)| {
                Class::closed("closed", f64::from(population), think_time, demands)
            };
            Network::new(stations.clone(), classes.into_iter().map(class).collect())
        })
    })
}

/// The same with open classes that load each station to at most 80 %.
fn mixed_network() -> impl Strategy<Value = Network> {
    let open = prop::collection::vec(0.01..1.0_f64, 1..3);
    (closed_network(), open, 0.05..0.8_f64).prop_map(|(mut network, rates, used)| {
        let n_open = rates.len() as f64;
        for rate in rates {
            let demand = |station: &Station| match station.kind.last_speed() {
                speed if speed.is_finite() => speed * used / n_open / rate,
                _ => 1.0,
            };
            let demands = network.stations.iter().map(demand).collect();
            network.classes.insert(0, Class::open("open", rate, demands));
        }
        network
    })
}

fn check(network: &Network, bounds: &NetworkBounds, exact: &Solution) {
    let within = |low: f64, value: f64, high: f64| low * (1.0 - 1e-9) <= value && value <= high * (1.0 + 1e-9);
    for ((class, bounds), exact) in network.classes.iter().zip(&bounds.classes).zip(&exact.classes) {
        let found = bounds.bounds;
        assert!(
            within(found.throughput_low, exact.throughput, found.throughput_high),
            "{class:?}: throughput {} in {found:?}",
            exact.throughput
        );
        assert!(
            within(found.response_time_low, exact.response_time, found.response_time_high),
            "{class:?}: response time {} in {found:?}",
            exact.response_time
        );
        if let Workload::Closed { .. } = class.workload {
            assert!(exact.throughput <= bounds.saturation_throughput * (1.0 + 1e-9));
        }
    }
    for (bounds, exact) in bounds.stations.iter().zip(&exact.stations) {
        assert!(within(bounds.utilization_low, exact.utilization, bounds.utilization_high));
    }
}

proptest! {
    #![proptest_config(same_cases(256))]

    #[test]
    fn bounds_hold_exact_answers_of_closed_networks(network in closed_network()) {
        let exact = mixed::solve(&network, Method::Exact).unwrap();
        check(&network, &of_network(&network).unwrap(), &exact);
    }

    #[test]
    fn bounds_hold_exact_answers_of_mixed_networks(network in mixed_network()) {
        let exact = mixed::solve(&network, Method::Exact).unwrap();
        check(&network, &of_network(&network).unwrap(), &exact);
    }

    /// Of a customer alone everything is known.
    #[test]
    fn bounds_of_a_single_customer_meet(demands in demands(4), think_time in 0.01..10.0_f64) {
        let network = network(&[1, 2, 0, 1], vec![Class::closed("one", 1.0, think_time, demands)]);
        let found = of_network(&network).unwrap().classes[0].bounds;
        prop_assert!((found.throughput_low / found.throughput_high - 1.0).abs() < 1e-12);
    }

    /// So it is of open classes alone.
    #[test]
    fn bounds_of_open_classes_meet(
        servers in prop::collection::vec(0..4_u32, 3), used in 0.01..0.99_f64,
    ) {
        let demands = servers.iter().map(|m| used * f64::from((*m).max(1))).collect();
        let network = network(&servers, vec![Class::open("open", 1.0, demands)]);
        let found = of_network(&network).unwrap();
        let exact = mixed::solve(&network, Method::ClosedForm).unwrap();
        let bounds = found.classes[0].bounds;
        prop_assert!((bounds.response_time_low / bounds.response_time_high - 1.0).abs() < 1e-12);
        check(&network, &found, &exact);
        for (bounds, exact) in found.stations.iter().zip(&exact.stations) {
            prop_assert!((bounds.utilization_low - exact.utilization).abs() < 1e-12);
        }
    }

    /// With many customers the bounds close in on the bottleneck of a class that is alone.
    #[test]
    fn bounds_of_many_customers_meet_at_the_bottleneck(demands in demands(3)) {
        prop_assume!(demands.iter().any(|demand| *demand > 0.0));
        let network = network(&[1, 2, 1], vec![Class::closed("many", 1e7, 1.0, demands)]);
        let found = of_network(&network).unwrap().classes[0];
        let most = found.saturation_throughput;
        prop_assert!((found.bounds.throughput_high / most - 1.0).abs() < 1e-9);
        prop_assert!((found.bounds.throughput_low / most - 1.0).abs() < 1e-3);
    }

    /// Tighter bounds lie within looser ones.
    #[test]
    fn each_method_sharpens_the_one_before(
        demands in prop::collection::vec(0.01..2.0_f64, 1..6), think_time in 0.0..10.0_f64,
        population in 1..200_u32,
    ) {
        let n = f64::from(population);
        let (wide, narrow) = (asymptotic(&demands, think_time, n), balanced_job(&demands, think_time, n));
        prop_assert!(narrow.throughput_low >= wide.throughput_low * (1.0 - 1e-12));
        prop_assert!(narrow.throughput_high <= wide.throughput_high * (1.0 + 1e-12));
        let (wide, narrow) = (balanced_job(&demands, 0.0, n), proportional(&demands, n));
        prop_assert!(narrow.throughput_low >= wide.throughput_low * (1.0 - 1e-9));
        prop_assert!(narrow.throughput_high <= wide.throughput_high * (1.0 + 1e-9));
    }
}

/// The example of the composite bound method's tests in octave-queueing: demands (10, 7, 5, 4) and
/// (5, 2, 4, 6), ten customers of the second class.
#[test]
fn two_classes_take_their_parts_of_each_station() {
    for n in 1..=20 {
        let classes = vec![
            Class::closed("A", f64::from(n), 0.0, vec![10.0, 7.0, 5.0, 4.0]),
            Class::closed("B", 10.0, 0.0, vec![5.0, 2.0, 4.0, 6.0]),
        ];
        let network = network(&[1; 4], classes);
        let found = of_network(&network).unwrap();
        check(&network, &found, &mixed::solve(&network, Method::Exact).unwrap());
        // Kerola's lower bound: N_c / (D_c + (N − 1) D_max).
        let a = f64::from(n) / (26.0 + f64::from(n + 9) * 10.0);
        near(found.classes[0].bounds.throughput_low, a, 1e-12);
        assert_eq!(found.classes[0].limit, Some(Limit::Station(0)));
        assert_eq!(found.classes[1].limit, Some(Limit::Station(3)));
        // What A takes at least of the first station is not there for B.
        let b = found.classes[1].bounds.throughput_high;
        assert!(b <= (1.0 - 10.0 * a) / 5.0 + 1e-12 && b <= 1.0 / 6.0);
    }
}

#[test]
fn the_knee_is_where_the_bounds_cross() {
    // Four processors and a disk; an open class takes half of the disk.
    let classes = vec![Class::open("open", 5.0, vec![0.0, 0.1]), Class::closed("users", 10.0, 4.0, vec![0.8, 0.1])];
    let found = of_network(&network(&[4, 1], classes)).unwrap();
    let users = &found.classes[1];
    // The disk has 5 visits/s to spare and takes twice as long; so have the processors.
    near(users.saturation_throughput, 5.0, 1e-12);
    near(users.knee.unwrap(), (4.0 + 0.8 + 0.2) * 5.0, 1e-12);
    assert_eq!(found.classes[0].knee, None);
    near(found.classes[0].saturation_throughput, 10.0, 1e-12);
    let idle = of_network(&network(&[0], vec![Class::closed("u", 3.0, 1.0, vec![1.0])])).unwrap();
    assert_eq!((idle.classes[0].knee, idle.classes[0].limit), (None, None));
    near(idle.classes[0].bounds.throughput_low, 1.5, 1e-12);
}

#[test]
fn without_product_form_only_what_always_holds_is_said() {
    let stations = |discipline| vec![Station::queueing("disk", 1).with_discipline(discipline)];
    let classes = |scv: f64| {
        let class = |name| Class::closed(name, 2.0, 1.0, vec![1.0]).with_scv(vec![scv]);
        vec![class("A"), class("B").with_priority(1)]
    };
    for (discipline, scv, product_form) in [
        (Discipline::Ps, 4.0, true),
        (Discipline::LcfsPr, 4.0, true),
        (Discipline::Fcfs, 1.0, true),
        (Discipline::Fcfs, 4.0, false),
        (Discipline::Priority, 1.0, false),
        (Discipline::PreemptivePriority, 1.0, false),
    ] {
        let found = of_network(&Network::new(stations(discipline), classes(scv))).unwrap();
        assert_eq!(found.product_form, product_form, "{discipline:?}");
        let bounds = found.classes[0].bounds;
        assert_eq!(bounds.response_time_high.is_finite(), product_form);
        assert_eq!(bounds.throughput_low > 0.0, product_form);
        assert!(bounds.throughput_high <= 1.0 && bounds.response_time_low >= 1.0);
    }
}

#[test]
fn pools_and_forks_limit_too() {
    let stations = vec![Station::queueing("a", 4), Station::queueing("b", 4)];
    let class = Class::closed("jobs", 100.0, 0.0, vec![1.0, 0.5]);
    let mut network = Network::new(stations, vec![class]);
    network.pools.push(Pool::new("threads", 3, vec![0, 1], vec![0]));
    let found = of_network(&network).unwrap();
    near(found.classes[0].bounds.throughput_high, 2.0, 1e-12);
    assert_eq!(found.classes[0].limit, Some(Limit::Pool(0)));
    // Forked, a token is held for the longer branch only.
    network.classes[0] = network.classes[0].clone().with_fork(vec![vec![0], vec![1]]);
    let found = of_network(&network).unwrap();
    near(found.classes[0].bounds.throughput_high, 3.0, 1e-12);
    near(found.classes[0].bounds.response_time_low, 100.0 / 3.0, 1e-12);
}

/// Speeds 1, 3, 2: two customers are served faster than one alone.
#[test]
fn stations_may_be_faster_with_more_customers() {
    let station = Station::load_dependent("disk", vec![1.0, 3.0, 2.0]);
    assert!(matches!(station.kind, StationKind::LoadDependent { .. }));
    let network = Network::new(vec![station], vec![Class::closed("u", 3.0, 1.0, vec![1.0])]);
    let found = of_network(&network).unwrap().classes[0].bounds;
    // Births 3, 2, 1; deaths 1, 3, 2.
    let weights = [1.0, 3.0, 2.0, 1.0];
    let sum: f64 = weights.iter().sum();
    let throughput = (3.0 * weights[0] + 2.0 * weights[1] + weights[2]) / sum;
    assert!(found.throughput_low <= throughput && throughput <= found.throughput_high);
    near(found.response_time_low, 2.0 / 3.0, 1e-12);
}

#[test]
fn saturated_and_wrong_networks_are_refused() {
    let saturated = network(&[1], vec![Class::open("o", 1.0, vec![1.5])]);
    assert!(matches!(of_network(&saturated), Err(SolveError::Saturated { .. })));
    let wrong = network(&[1], vec![Class::open("o", -1.0, vec![1.5])]);
    assert!(matches!(of_network(&wrong), Err(SolveError::Invalid(_))));
}
