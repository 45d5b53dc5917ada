//! How far the approximate methods are off, over many random networks, against exact answers.
//!
//! `cargo test --no-default-features accuracy -- --nocapture` prints the table that the docs of
//! `queueing::approximate` quote.

use super::servers::{rolia, seidmann};
use plimsoll::queueing::{Class, Method, Network, Solution, Solver, Station, Workload, mixed};

/// A small generator, so that the networks are the same everywhere.
struct Draw(u64);

impl Draw {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, bound: u32) -> u32 {
        (self.unit() * f64::from(bound)) as u32
    }
}

/// One to three closed classes of up to 8 customers at two to four stations.
fn network(draw: &mut Draw, station: &dyn Fn(&mut Draw) -> Station) -> Network {
    let stations: Vec<Station> = (0..2 + draw.below(3)).map(|_| station(draw)).collect();
    let classes = (0..=draw.below(3))
        .map(|_| {
            let demands = stations.iter().map(|_| 0.05 + draw.unit()).collect();
            let population = f64::from(1 + draw.below(8));
            Class::closed("class", population, 4.0 * draw.unit(), demands)
        })
        .collect();
    Network::new(stations, classes)
}

/// Mean, 99th percentile and largest error of throughputs.
fn errors(mut errors: Vec<f64>) -> [f64; 3] {
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let at = errors.len() * 99 / 100;
    [mean, errors[at.min(errors.len() - 1)], errors[errors.len() - 1]]
}

#[expect(clippy::print_stderr, reason = "shown by --nocapture")]
fn print(what: &str, method: &str, [mean, high, most]: [f64; 3]) {
    let percent = [mean, high, most].map(|error| format!("{:6.2} %", 100.0 * error));
    eprintln!("{what:16} {method:28} {}", percent.join("  "));
}

/// What its stations are, how one is drawn, and the most that each method may be off on average.
type Kind = (&'static str, fn(&mut Draw) -> Station, [f64; 5]);

#[test]
fn the_accuracy_of_the_approximate_methods_is_as_told() {
    let kinds: [Kind; 4] = [
        ("one server", |_| Station::queueing("one", 1), [0.04, 0.004, 0.008, 1.0, 1.0]),
        ("1 to 8 servers", |d| Station::queueing("some", 1 + d.below(8)), [0.03, 0.008, 0.01, 0.2, 0.2]),
        (
            "load-dependent",
            |d| Station::load_dependent("any", (0..5).map(|_| 0.5 + d.unit()).collect()),
            [0.08, 0.06, 0.06, 1.0, 1.0],
        ),
        ("link", |d| Station::link("line", 0.5 + 4.0 * d.unit(), 1.0, 1.0), [0.04, 0.02, 0.02, 1.0, 1.0]),
    ];
    for (what, station, limits) in kinds {
        let mut draw = Draw(20_260_103);
        let mut found = vec![Vec::new(); 5];
        for _ in 0..300 {
            let network = network(&mut draw, &station);
            let exact = mixed::solve(&network, Method::Exact).unwrap();
            let methods = [Method::Schweitzer, Method::Linearizer, Method::Aql];
            let mut answers: Vec<_> = methods.iter().map(|m| mixed::solve(&network, *m).unwrap()).collect();
            if what.ends_with("servers") {
                answers.push(mixed::solve(&seidmann(&network), Method::Exact).unwrap());
            }
            let rates = |of: &Solution| of.classes.iter().map(|c| c.throughput).collect();
            let mut rates: Vec<Vec<f64>> = answers.iter().map(rates).collect();
            if what.ends_with("servers") {
                rates.push(rolia(&network).throughputs);
            }
            for (errors, rates) in found.iter_mut().zip(&rates) {
                for (rate, class) in rates.iter().zip(&exact.classes) {
                    errors.push((rate / class.throughput - 1.0).abs());
                }
            }
        }
        let names = ["Schweitzer", "Linearizer", "AQL", "Seidmann's servers, exact", "Rolia's servers, recursion"];
        for ((name, found), limit) in names.iter().zip(found).zip(limits) {
            if !found.is_empty() {
                let error = errors(found);
                print(what, name, error);
                assert!(error[0] < limit, "{what}, {name}: {error:?}");
            }
        }
    }
}

#[test]
fn a_warm_start_gives_the_same_answer_in_fewer_sweeps() {
    let mut draw = Draw(20_260_104);
    for method in [Method::Schweitzer, Method::Linearizer, Method::Aql] {
        let (mut cold_sweeps, mut warm_sweeps) = (0, 0);
        for _ in 0..40 {
            let mut network = network(&mut draw, &|draw| Station::queueing("some", 1 + draw.below(4)));
            let mut solver = Solver::new();
            solver.solve(&network, method).unwrap();
            for demand in network.classes.iter_mut().flat_map(|class| &mut class.demands) {
                *demand *= 1.0 + 0.001 * draw.unit();
            }
            let warm = solver.solve(&network, method).unwrap();
            let cold = mixed::solve(&network, method).unwrap();
            for (one, other) in warm.classes.iter().zip(&cold.classes) {
                assert!((one.throughput / other.throughput - 1.0).abs() < 1e-8);
            }
            cold_sweeps += cold.iterations;
            warm_sweeps += warm.iterations;
        }
        assert!(5 * warm_sweeps < 4 * cold_sweeps, "{method}: {warm_sweeps} {cold_sweeps}");
    }
}

/// A station that is asked for a little more than it can do is not given up: times there are lengthened.
#[test]
fn the_linearizer_keeps_to_capacities_beside_jobs_that_are_always_there() {
    let mut draw = Draw(20_260_105);
    let (mut worst, mut lengthened) = (0.0_f64, 0);
    for _ in 0..400 {
        let stations: Vec<Station> = (0..=draw.below(3)).map(|_| Station::queueing("s", 1)).collect();
        let class = |draw: &mut Draw, population: f64, think_time: f64| {
            let demands = stations.iter().map(|_| 0.05 + draw.unit()).collect();
            Class::closed("class", population, think_time, demands)
        };
        let population = f64::from(1 + draw.below(12));
        let think_time = 20.0 * draw.unit();
        let classes = vec![class(&mut draw, population, think_time), class(&mut draw, 1.0, 0.0)];
        let network = Network::new(stations.clone(), classes);
        let exact = mixed::solve(&network, Method::Exact).unwrap();
        for method in [Method::Linearizer, Method::Aql] {
            let found = mixed::solve(&network, method).unwrap();
            for station in &found.stations {
                assert!((0.0..=1.0 + 1e-12).contains(&station.utilization), "{station:?}");
            }
            for ((class, found), exact) in network.classes.iter().zip(&found.classes).zip(&exact.classes) {
                assert!(found.throughput > 0.0 && found.residence_time.iter().all(|t| *t >= 0.0));
                let Workload::Closed { population, think_time } = class.workload else { unreachable!() };
                let cycle = think_time + found.response_time;
                assert!((found.throughput * cycle / population - 1.0).abs() < 1e-9);
                if method == Method::Linearizer {
                    worst = worst.max((found.throughput / exact.throughput - 1.0).abs());
                }
            }
            // By a hundredth at most, which the answer says.
            assert!((0.0..0.03).contains(&found.excess), "{}", found.excess);
            lengthened += u32::from(found.excess > 1e-6);
        }
    }
    assert!(worst < 0.03, "{worst}");
    assert!(lengthened > 50, "{lengthened}");
}

#[test]
fn a_job_that_is_always_there_gets_its_part() {
    let terminals = Class::closed("terminals", 10.0, 12.0, vec![1.0]);
    let background = Class::closed("background", 1.0, 0.0, vec![1.0]);
    let network = Network::new(vec![Station::queueing("cpu", 1)], vec![terminals, background]);
    let exact = mixed::solve(&network, Method::Exact).unwrap().classes[1].throughput;
    assert!((exact - 0.381).abs() < 1e-3);
    let found = mixed::solve(&network, Method::Linearizer).unwrap();
    assert!((found.classes[1].throughput / exact - 1.0).abs() < 0.01, "{found:?}");
    assert!((found.stations[0].utilization - 1.0).abs() < 1e-9);
    assert!(found.excess > 1e-4);
}
