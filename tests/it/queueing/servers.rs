//! Corrections for several servers, side by side against exact load-dependent answers and the simulator.
//!
//! `cargo test --no-default-features several_servers -- --nocapture` prints the table that the docs of
//! `queueing::approximate` quote.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use plimsoll::queueing::{Class, Method, Network, Station, StationKind, Workload, mixed};
use plimsoll::sim::{self, Discipline, Distribution, Estimate, Model, Run, Source, Span, Step};

/// m servers as one m times as fast, and a delay (Seidmann, Schweitzer and Shalev-Oren 1987).
pub(super) fn seidmann(network: &Network) -> Network {
    let mut split = network.clone();
    for (k, station) in network.stations.iter().enumerate() {
        let servers = station.kind.greatest_speed();
        split.stations[k] = Station::queueing("fast", 1);
        split.stations.push(Station::delay("service"));
        for class in &mut split.classes {
            let demand = class.demands[k];
            class.demands[k] = demand / servers;
            class.demands.push(demand * (servers - 1.0) / servers);
        }
    }
    split
}

/// What the recursion says of the full population.
pub(super) struct Recursion {
    pub(super) throughputs: Vec<f64>,
    /// By class, then by station.
    residence: Vec<Vec<f64>>,
}

/// Rolia's correction (Rolia 1992, page 157; Rolia and Sevcik, "The method of layers", IEEE TSE 21(8),
/// 1995): who arrives finds Q customers and waits Q·S/m with the probability (U/m)^m that all servers
/// are busy. Over all populations, so that the correction alone is in error: one customer less is known.
pub(super) fn rolia(network: &Network) -> Recursion {
    let (classes, stations) = (network.classes.len(), network.stations.len());
    let full: Vec<usize> = network
        .classes
        .iter()
        .map(|class| match class.workload {
            Workload::Closed { population, .. } => population as usize,
            Workload::Open { .. } => 0,
        })
        .collect();
    let strides: Vec<usize> = (0..classes).map(|c| full[..c].iter().map(|n| n + 1).product()).collect();
    let all: usize = full.iter().map(|n| n + 1).product();
    // Work in line Σ Q·D and busy servers Σ U of each station, by population.
    let (mut work, mut busy) = (vec![vec![0.0; stations]; all], vec![vec![0.0; stations]; all]);
    let mut last = Recursion { throughputs: vec![0.0; classes], residence: vec![vec![0.0; stations]; classes] };
    for at in 1..all {
        let (mut line, mut used) = (vec![0.0; stations], vec![0.0; stations]);
        for (c, class) in network.classes.iter().enumerate() {
            let n = at / strides[c] % (full[c] + 1);
            if n == 0 {
                continue;
            }
            let less = at - strides[c];
            let residence: Vec<f64> = (0..stations)
                .map(|k| {
                    let servers = network.stations[k].kind.greatest_speed();
                    let all_busy = (busy[less][k] / servers).min(1.0).powf(servers);
                    // One visit each: all have a service of their demand.
                    class.demands[k] + all_busy * work[less][k] / servers
                })
                .collect();
            let Workload::Closed { think_time, .. } = class.workload else {
                continue;
            };
            let rate = n as f64 / (think_time + residence.iter().sum::<f64>());
            for k in 0..stations {
                line[k] += rate * residence[k] * class.demands[k];
                used[k] += rate * class.demands[k];
            }
            last.throughputs[c] = rate;
            last.residence[c] = residence;
        }
        (work[at], busy[at]) = (line, used);
    }
    last
}

/// N customers who think for a second, m servers of a second, and a disk four fifths as busy.
fn workshop(servers: u32, customers: f64) -> Network {
    let disk = 0.8 / f64::from(servers);
    Network::new(
        vec![Station::queueing("servers", servers), Station::queueing("disk", 1)],
        vec![Class::closed("customers", customers, 1.0, vec![1.0, disk])],
    )
}

/// Residence time at the servers, simulated.
fn simulated(network: &Network) -> Estimate {
    let exp = |mean| Distribution::Exponential { mean };
    let class = &network.classes[0];
    let Workload::Closed { population, think_time } = class.workload else {
        return Estimate::default();
    };
    let model = Model {
        stations: network
            .stations
            .iter()
            .map(|station| sim::Station {
                name: station.name.clone(),
                discipline: Discipline::Fcfs,
                servers: station.kind.greatest_speed(),
                speeds: Vec::new(),
            })
            .collect(),
        classes: vec![sim::Class {
            name: class.name.clone(),
            source: Source::Closed { population: population as u32, think: exp(think_time) },
            program: (0..2).map(|station| Step::Serve { station, service: exp(class.demands[station]) }).collect(),
            priority: 0,
            profile: None,
        }],
        ..Model::default()
    };
    let run = Run { seed: 20_261_121, span: Span::Steady { precision: 0.005 }, ..Run::default() };
    let one = sim::simulate(&model, &run, 0, &mut |_| ControlFlow::Continue(())).unwrap();
    sim::fold(&model, &run, &[one]).stations[0].residence
}

#[expect(clippy::print_stderr, reason = "shown by --nocapture")]
fn print(page: &str) {
    eprintln!("\n{page}");
}

#[test]
fn several_servers_are_nearer_to_exact_than_by_seidmann_and_rolia() {
    let mut page = String::from(
        "| m | N | exact R | simulated | ours, Linearizer | ours, Schweitzer | Seidmann, exact | Rolia, recursion |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let mut sums = [0.0; 4];
    let (mut worst, mut count): (f64, _) = (0.0, 0.0);
    for servers in [2_u32, 4, 8, 16] {
        for factor in [1.0, 1.5, 2.0, 3.0, 6.0] {
            let network = workshop(servers, (f64::from(servers) * factor).round());
            assert_eq!(network.stations[0].kind, StationKind::Queueing { servers });
            let at = |network: &Network, method| {
                let found = mixed::solve(network, method).unwrap();
                found.classes[0].residence_time[0]
            };
            let exact = at(&network, Method::Exact);
            let split = mixed::solve(&seidmann(&network), Method::Exact).unwrap();
            let split = &split.classes[0].residence_time;
            let found = [
                at(&network, Method::Linearizer),
                at(&network, Method::Schweitzer),
                // The fast server and its delay.
                split[0] + split[2],
                rolia(&network).residence[0][0],
            ];
            let sim = simulated(&network);
            // Twice the 95 % interval is about four standard errors.
            assert!((sim.value - exact).abs() <= 2.0 * sim.half_width, "{servers} {factor}: {sim:?}, not {exact}");
            let errors = found.map(|r| r / exact - 1.0);
            worst = worst.max(errors[0].abs());
            for (sum, error) in sums.iter_mut().zip(errors) {
                *sum += error.abs();
            }
            count += 1.0;
            let shown = errors.map(|error| format!("{:+.2} %", 100.0 * error)).join(" | ");
            writeln!(
                page,
                "| {servers} | {:.0} | {exact:.4} s | {:.4} ± {:.4} s | {shown} |",
                f64::from(servers) * factor,
                sim.value,
                sim.half_width
            )
            .unwrap();
        }
    }
    let means = sums.map(|sum| 100.0 * sum / count);
    let shown = means.map(|e| format!("{e:.2} %")).join(" | ");
    writeln!(page, "| | | | mean error | {shown} |").unwrap();
    print(&page);
    let [linearizer, schweitzer, seidmann, rolia] = means;
    assert!(linearizer < seidmann / 4.0 && linearizer < rolia / 4.0, "{means:?}");
    assert!(schweitzer < seidmann && schweitzer < rolia, "{means:?}");
    assert!(worst < 0.035, "{worst}");
}
