//! Published answers. Tolerances are half a unit of the last printed digit, or 1e-5 where the
//! value was recomputed from closed forms, normalization constants or a Markov chain.

use plimsoll::queueing::bounds;
use plimsoll::queueing::closed_forms::{self, erlang_b, erlang_c};
use plimsoll::queueing::locks::capacity;
use plimsoll::queueing::{Class, Method, Network, Solution, exact, mixed, solve};

use super::{demands, near, network};

/// A closed network whose exact answer is published.
struct Row {
    source: &'static str,
    servers: &'static [u32],
    /// Population, think time, demands.
    classes: Vec<(f64, f64, Vec<f64>)>,
    /// Queue lengths by class, then by station.
    queue_lengths: &'static [&'static [f64]],
    /// Throughputs by class.
    throughputs: &'static [f64],
    tolerance: f64,
}

fn closed(classes: &[(f64, f64, Vec<f64>)]) -> Vec<Class> {
    let class = |(population, think_time, demands): &(f64, f64, Vec<f64>)| {
        Class::closed("closed", *population, *think_time, demands.clone())
    };
    classes.iter().map(class).collect()
}

fn closed_rows() -> Vec<Row> {
    vec![
        Row {
            source: "R8: Lazowska p. 142 [OQ]",
            servers: &[1, 1],
            classes: vec![(1.0, 0.0, vec![1.0, 3.0]), (1.0, 0.0, vec![2.0, 4.0])],
            queue_lengths: &[&[4.0 / 19.0, 15.0 / 19.0], &[5.0 / 19.0, 14.0 / 19.0]],
            throughputs: &[3.0 / 19.0, 2.0 / 19.0],
            tolerance: 1e-12,
        },
        Row {
            source: "R10: Lazowska p. 131 [LV]",
            servers: &[1, 1],
            classes: vec![(10.0, 0.0, vec![1.0, 0.09]), (25.0, 30.0, vec![0.1, 0.9])],
            queue_lengths: &[&[9.717_349, 0.282_651], &[0.849_570, 2.090_159]],
            throughputs: &[],
            tolerance: 1e-6,
        },
        Row {
            source: "R11: Bolch ex. 8.1 [OQ]",
            servers: &[2, 3, 1],
            classes: vec![(3.0, 0.0, vec![1.0 / 0.8, 0.667 / 0.6, 0.2 / 0.4])],
            queue_lengths: &[&[1.28981, 1.04988, 0.66031]],
            throughputs: &[0.944_419],
            tolerance: 1e-5,
        },
        Row {
            source: "R12: Bolch ex. 8.3 [OQ]",
            servers: &[1, 1, 1, 1],
            classes: vec![(
                6.0,
                0.0,
                demands(&[1.0, 0.4, 0.2, 0.1], &[0.02, 0.2, 0.4, 0.6]),
            )],
            queue_lengths: &[&[0.243_615, 2.261_038, 2.261_038, 1.234_309]],
            throughputs: &[9.919_836],
            tolerance: 1e-6,
        },
    ]
}

fn more_closed_rows() -> Vec<Row> {
    vec![
        Row {
            source: "R13: Bolch ex. 8.4 and 8.7 [OQ]",
            servers: &[2, 1, 1, 0],
            classes: vec![(
                3.0,
                0.0,
                demands(&[1.0, 0.5, 0.5, 1.0], &[0.5, 0.6, 0.8, 1.0]),
            )],
            queue_lengths: &[&[0.623_679, 0.472_872, 0.685_988, 1.217_461]],
            throughputs: &[1.217_461],
            tolerance: 1e-6,
        },
        // Visits from P = [.6 .3 .1; .2 .3 .5; .4 .1 .5] with one visit to the first station.
        Row {
            source: "R18: Bolch ex. 7.5 [OQ]",
            servers: &[1, 1, 1],
            classes: vec![(
                3.0,
                0.0,
                demands(
                    &[1.0, 0.32 / 0.6, 0.2 + 0.32 / 0.6],
                    &[1.25, 1.0 / 0.6, 2.5],
                ),
            )],
            queue_lengths: &[&[0.873_011, 0.541_498, 1.585_492]],
            throughputs: &[],
            tolerance: 1e-6,
        },
        Row {
            source: "R20: Jain, The Art of Computer Systems Performance Analysis [OQ]",
            servers: &[1, 1, 1],
            classes: vec![(20.0, 4.0, demands(&[16.0, 10.0, 5.0], &[0.125, 0.3, 0.2]))],
            queue_lengths: &[&[1.990_623, 16.176_651, 0.499_740]],
            throughputs: &[],
            tolerance: 1e-6,
        },
        Row {
            source: "closed network of the speed table: N = 100, Z = 10, D = .2 (4 servers), .1",
            servers: &[4, 1],
            classes: vec![(100.0, 10.0, vec![0.2, 0.1])],
            queue_lengths: &[],
            throughputs: &[9.119_254_577],
            tolerance: 1e-8,
        },
    ]
}

fn check(source: &str, solution: &Solution, row: &Row) {
    for (class, expected) in solution.classes.iter().zip(row.queue_lengths) {
        for (found, expected) in class.queue_length.iter().zip(*expected) {
            let close = (found - expected).abs() <= row.tolerance;
            assert!(close, "{source}: queue length {found}, not {expected}");
        }
    }
    for (class, expected) in solution.classes.iter().zip(row.throughputs) {
        let close = (class.throughput - expected).abs() <= row.tolerance;
        assert!(
            close,
            "{source}: throughput {}, not {expected}",
            class.throughput
        );
    }
}

#[test]
fn exact_answers_of_closed_networks_are_as_published() {
    for row in closed_rows().into_iter().chain(more_closed_rows()) {
        let network = network(row.servers, closed(&row.classes));
        let solution = solve(&network).unwrap();
        assert_eq!(solution.method, Method::Exact, "{}", row.source);
        check(row.source, &solution, &row);
    }
}

#[test]
fn approximations_of_published_closed_networks_are_close() {
    for row in closed_rows().into_iter().chain(more_closed_rows()) {
        let network = network(row.servers, closed(&row.classes));
        let truth = solve(&network).unwrap();
        for (method, tolerance) in [(Method::Schweitzer, 0.06), (Method::Linearizer, 0.02)] {
            let found = mixed::solve(&network, method).unwrap();
            for (found, truth) in found.classes.iter().zip(&truth.classes) {
                let error = (found.throughput / truth.throughput - 1.0).abs();
                assert!(error < tolerance, "{}, {method}: error {error}", row.source);
            }
        }
    }
}

/// Response times a visit of R12 and R20.
#[test]
fn response_times_a_visit_are_as_published() {
    let rows = [
        (
            6.0,
            0.0,
            vec![1.0, 0.4, 0.2, 0.1],
            vec![0.02, 0.2, 0.4, 0.6],
            vec![0.025, 0.570, 1.140, 1.244],
        ),
        (
            20.0,
            4.0,
            vec![16.0, 10.0, 5.0],
            vec![0.125, 0.3, 0.2],
            vec![0.373, 4.854, 0.300],
        ),
    ];
    for (population, think_time, visits, times, expected) in rows {
        let class = Class::closed("users", population, think_time, demands(&visits, &times));
        let solution = solve(&network(&vec![1; visits.len()], vec![class])).unwrap();
        for ((time, visits), expected) in solution.classes[0]
            .residence_time
            .iter()
            .zip(visits)
            .zip(expected)
        {
            near(time / visits, expected, 5.1e-4);
        }
    }
}

fn two_open_classes(arrival_rates: [f64; 2], demands: [[f64; 2]; 2]) -> Vec<Class> {
    arrival_rates
        .iter()
        .zip(demands)
        .map(|(&rate, d)| Class::open("open", rate, d.into()))
        .collect()
}

#[test]
fn open_networks_are_as_published() {
    // R6: Lazowska p. 113 [OQ].
    let central = Class::open(
        "jobs",
        0.3,
        demands(&[121.0, 70.0, 50.0], &[0.005, 0.03, 0.027]),
    );
    let solution = solve(&network(&[1, 1, 1], vec![central])).unwrap();
    assert_eq!(solution.method, Method::ClosedForm);
    near(solution.stations[0].utilization, 0.1815, 1e-12);
    near(solution.stations[0].queue_length, 0.221_747, 1e-6);
    near(solution.classes[0].throughput * 121.0, 36.3, 1e-12);

    // R7: Lazowska p. 138 [OQ].
    let classes = two_open_classes([3.0 / 19.0, 2.0 / 19.0], [[1.0, 3.0], [2.0, 4.0]]);
    let solution = solve(&network(&[1, 1], classes)).unwrap();
    near(solution.classes[0].residence_time[0], 1.58333, 1e-5);
    near(solution.classes[0].queue_length[0], 0.25, 1e-12);

    // R16: Bolch ex. 7.4 [OQ]; 4 jobs a second pass stations 20, 10, 10 and 4 times a second.
    let visits = [5.0, 2.5, 2.5, 1.0];
    let class = Class::open("jobs", 4.0, demands(&visits, &[0.04, 0.03, 0.06, 0.05]));
    let solution = solve(&network(&[1; 4], vec![class])).unwrap();
    for (station_idx, (number, time)) in [
        (4.0, 0.2),
        (3.0 / 7.0, 0.3 / 7.0),
        (1.5, 0.15),
        (0.25, 0.0625),
    ]
    .iter()
    .enumerate()
    {
        near(solution.stations[station_idx].queue_length, *number, 1e-9);
        let residence = solution.classes[0].residence_time[station_idx];
        near(residence / visits[station_idx], *time, 1e-9);
    }
}

/// R9: Lazowska p. 148 [OQ].
#[test]
fn the_mixed_network_is_as_published_by_exact_analysis() {
    let mut classes = two_open_classes([1.0, 0.5], [[0.25, 1.0 / 6.0], [0.5, 1.0]]);
    classes.push(Class::closed("C", 1.0, 0.0, vec![0.5, 1.0]));
    classes.push(Class::closed("D", 1.0, 0.0, vec![1.0, 4.0 / 3.0]));
    let solution = solve(&network(&[1, 1], classes)).unwrap();
    let expected = [[4.0, 15.0], [5.0, 14.0]];
    for (class, expected) in solution.classes[2..].iter().zip(expected) {
        for (found, expected) in class.queue_length.iter().zip(expected) {
            near(*found, expected / 19.0, 1e-12);
        }
    }
}

#[test]
fn single_stations_are_as_published() {
    // R1: Erlang B; load at which a fraction is lost.
    for (servers, lost, load) in [
        (15, 0.01, 8.10804),
        (5, 0.01, 1.3608),
        (9, 0.01, 3.7825),
        (10, 0.001, 3.0920),
        (8, 0.05, 4.5430),
        (9, 0.05, 5.3702),
    ] {
        assert!(erlang_b(servers, load - 1e-4) < lost && lost < erlang_b(servers, load + 1e-4));
    }
    // R2: M/M/8.
    near(erlang_c(8, 6.4), 0.457_644_9, 1e-7);
    let queue = closed_forms::mmm(6.4, 1.0, 8).unwrap();
    near(queue.response_time, 1.286_028_1, 1e-7);
    near(queue.queue_length, 8.230_579_7, 1e-7);
    // R3: Hillier and Lieberman's hospital.
    near(
        closed_forms::mm1(2.0, 1.0 / 3.0).unwrap().response_time,
        1.0,
        1e-12,
    );
    let two_doctors = closed_forms::mmm(2.0, 1.0 / 3.0, 2).unwrap();
    near(two_doctors.waiting_time, 1.0 / 24.0, 1e-12);
    near(two_doctors.response_time, 0.375, 1e-12);
    // R5: [JX] mg1fcfs, mg1ps, mm1k.
    let coxian = closed_forms::mg1(1.0, 0.5, 4.0).unwrap();
    near(coxian.queue_length, 1.75, 1e-12);
    near(
        closed_forms::mg1_ps(1.0, 0.5).unwrap().response_time,
        1.0,
        1e-12,
    );
    near(
        closed_forms::mmmk(9.0, 0.1, 1, 11).unwrap().queue_length,
        4.276_904,
        1e-6,
    );
}

/// R31: M/M/m/K [OQ].
#[test]
fn finite_queues_are_as_published() {
    let three = closed_forms::mmmk(40.0, 1.0 / 30.0, 3, 7).unwrap();
    near(three.empty_probability, 0.255_037, 1e-6);
    near(three.response_time, 0.036_517, 1e-6);
    let four = closed_forms::mmmk(50.0, 0.1, 4, 6).unwrap();
    near(four.blocking_probability, 0.293_543, 1e-6);
    let two = closed_forms::mmmk(3.0, 0.5, 2, 5).unwrap();
    near(two.empty_probability, 0.179_334, 1e-6);
    near(two.blocking_probability, 0.085_113, 1e-6);
    near(two.queue_length, 2.00595, 1e-5);
    near(two.waiting_time, 0.230_857, 1e-6);
}

#[test]
fn forks_flushes_and_locks_are_as_published() {
    // R28: Flatto and Hahn.
    for (utilization, expected) in [(0.3, 2.089_286), (0.5, 2.875), (0.7, 4.708_333)] {
        near(
            closed_forms::fork_join2(utilization, 1.0).unwrap(),
            expected,
            1e-6,
        );
    }
    // R33b: group commit with a flush of 1 ms.
    let commits = closed_forms::group_commit(1000.0, 0.001).unwrap();
    near(commits.waiting_time, 0.365_529e-3, 1e-9);
    near(commits.utilization, 0.731_059, 1e-6);
    near(commits.batch, 1.367_879, 1e-6);
    let commits = closed_forms::group_commit(5000.0, 0.001).unwrap();
    near(commits.waiting_time, 0.499_327e-3, 1e-9);
    near(commits.utilization, 0.998_654, 1e-6);
    near(commits.batch, 5.006_738, 1e-6);
    // R30b: writers a second through a saturated lock, by the fraction of writers.
    for (fraction, read_hold, write_hold, writers) in [
        (0.1, 1.0, 1.0, 0.30279),
        (0.02, 0.05, 0.2, 2.52780),
        (0.5, 1.0, 2.0, 0.37131),
    ] {
        let readers = writers * (1.0 - fraction) / fraction;
        near(capacity(readers, read_hold, writers, write_hold), 1.0, 2e-5);
    }
}

/// R27: Hsieh and Lam 1987, table IV [OQ].
#[test]
fn bounds_hold_the_published_throughputs() {
    let demands = [0.1, 0.1, 0.09, 0.08];
    for (population, low, exact_throughput, high) in [
        (2.0, 4.3174, 4.3174, 4.3174),
        (5.0, 6.6600, 6.7148, 6.7297),
        (10.0, 8.0219, 8.2062, 8.2700),
        (20.0, 8.8672, 9.1682, 9.3387),
        (80.0, 9.6736, 9.8530, 10.0),
    ] {
        let found = bounds::proportional(&demands, population);
        near(found.throughput_low, low, 5.1e-5);
        near(found.throughput_high, high, 5.1e-5);
        let class = Class::closed("jobs", population, 0.0, demands.to_vec());
        let solution = exact::solve(&network(&[1; 4], vec![class])).unwrap();
        let throughput = solution.classes[0].throughput;
        near(throughput, exact_throughput, 5.1e-5);
        for bounds in [
            bounds::balanced_job(&demands, 0.0, population),
            bounds::asymptotic(&demands, 0.0, population),
        ] {
            assert!(bounds.throughput_low <= throughput && throughput <= bounds.throughput_high);
        }
    }
    // R37: Bolch ex. 9.6 [OQ].
    let found = bounds::asymptotic(&[9.2, 8.0], 120.0, 20.0);
    near(found.throughput_high, 0.108_696, 1e-6);
    near(found.response_time_low, 64.0, 1e-12);
}

/// With one server each, N = 10,000 and 10 stations; and with 64 servers near saturation.
#[test]
fn ten_thousand_customers_are_solved_without_losing_digits() {
    let balanced = vec![Class::closed("jobs", 10_000.0, 0.0, vec![0.1; 10])];
    let solution = exact::solve(&network(&[1; 10], balanced)).unwrap();
    // A balanced network has X = N / (D (N + K − 1)).
    near(
        solution.classes[0].throughput,
        10_000.0 / (0.1 * 10_009.0),
        1e-9,
    );

    let network: Network = network(
        &[64, 1],
        vec![Class::closed("u", 10_000.0, 1.0, vec![6.4, 0.05])],
    );
    let solution = exact::solve(&network).unwrap();
    near(solution.classes[0].throughput, 10.0, 1e-9);
}
