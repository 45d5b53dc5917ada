//! What must hold in every network: conservation, order, Little's law, the same bytes.

use std::ops::ControlFlow;

use plimsoll::sim::{self, Event, Model, Outcome, Run, Span, Step};
use proptest::prelude::*;

use super::random_model;
use super::support::{exp, open, run, serve, single, station, steady_for};
use super::witness::Witness;

fn until(time: f64, seed: u64) -> Run {
    Run { seed, span: Span::Until { time, piece: time / 4.0 }, ..Run::default() }
}

fn traced(model: &Model, run: &Run, see: &mut dyn FnMut(&Event)) -> Outcome {
    let watch = &mut |_| ControlFlow::Continue(());
    let replication = sim::simulate_traced(model, run, 0, watch, see).unwrap();
    sim::fold(model, run, &[replication])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn customers_locks_and_pools_are_conserved_in_order_in_any_network(seed in any::<u64>()) {
        let model = random_model::model(seed);
        let mut witness = Witness::new(&model);
        let outcome = traced(&model, &until(60.0, seed), &mut |event| witness.see(event));
        prop_assert!(outcome.events > 50);
        witness.agree(&outcome, 60.0);
    }

    #[test]
    fn a_trace_changes_nothing_and_a_seed_tells_all(seed in any::<u64>()) {
        let (model, run) = (random_model::model(seed), until(20.0, seed));
        let outcome = traced(&model, &run, &mut |_| {});
        let again = sim::simulate(&model, &run, 0, &mut |_| ControlFlow::Continue(())).unwrap();
        prop_assert_eq!(&outcome, &sim::fold(&model, &run, &[again]));
        let other = sim::simulate(&model, &run, 1, &mut |_| ControlFlow::Continue(())).unwrap();
        prop_assert_ne!(outcome, sim::fold(&model, &run, &[other]));
    }

    #[test]
    fn utilization_is_throughput_times_service(rate in 0.2f64..0.8, servers in 1u32..4) {
        for discipline in [sim::Discipline::Fcfs, sim::Discipline::Ps, sim::Discipline::LcfsPr] {
            let servers = f64::from(servers);
            let model = single(discipline, servers, rate * servers, exp(1.0));
            let outcome = run(&model, &steady_for(3_000.0));
            let station = &outcome.stations[0];
            prop_assert!((station.utilization.value - rate).abs() < 0.15);
            let busy = station.classes[0].busy;
            prop_assert!((busy - station.utilization.value * servers).abs() < 1e-9);
        }
    }
}

#[test]
fn threads_change_nothing() {
    let model = random_model::model(5);
    let run = until(40.0, 3);
    let one = |n| sim::simulate(&model, &run, n, &mut |_| ControlFlow::Continue(())).unwrap();
    let in_turn: Vec<_> = (0..4).map(one).collect();
    let at_once: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..4).map(|n| scope.spawn(move || one(n))).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    let (a, b) = (sim::fold(&model, &run, &in_turn), sim::fold(&model, &run, &at_once));
    assert_eq!(format!("{a:?}"), format!("{b:?}"));
    assert_eq!((a.replications, a.batches), (4, 4));
    assert!(a.classes[0].number.half_width.is_finite());
}

#[test]
fn alternatives_with_one_seed_see_the_same_arrivals_and_sizes() {
    let program =
        |work| vec![Step::Sized { factor: exp(1.0), body: vec![serve(0, sim::Distribution::Constant(work))] }];
    let arrivals = |work: f64, extra: bool| {
        let mut model = Model {
            stations: vec![station(sim::Discipline::Delay, 1.0)],
            classes: vec![open(1.0, program(work))],
            ..Model::default()
        };
        if extra {
            model.classes[0].program.push(serve(0, exp(1.0)));
        }
        let (mut came, mut sizes) = (Vec::new(), Vec::new());
        traced(&model, &until(100.0, 9), &mut |event| match event.what {
            sim::What::Arrives => came.push(event.time),
            sim::What::Joins { .. } if !extra => {}
            sim::What::Ends { .. } if !extra => {
                sizes.push(((event.time - came[event.customer as usize - 1]) / work * 1e6).round());
            }
            _ => {}
        });
        sizes.sort_by(f64::total_cmp);
        (came, sizes)
    };
    let (slow, fast, longer) = (arrivals(0.1, false), arrivals(0.05, false), arrivals(0.1, true));
    assert_eq!(slow.0, fast.0);
    assert_eq!(slow.0, longer.0);
    let (shared, all) = (slow.1.len().min(fast.1.len()), slow.1.len().max(fast.1.len()));
    assert!(all - shared <= 2 && slow.1.iter().filter(|s| fast.1.contains(s)).count() + 3 > shared);
}

#[test]
fn a_million_customers_fit_in_one_network() {
    let mut model = single(sim::Discipline::Ps, 1e5, 1.0, exp(0.1));
    model.classes[0].source = sim::Source::Closed { population: 1_000_000, think: exp(10.0) };
    let outcome = run(&model, &until(2.0, 1));
    // From all thinking, the rate rises as 1 − e^(−10.1·t) to a million in 10.1 s.
    let truth = 1e6 / 10.1 * (1.0 - 1.0 / 20.2);
    let throughput = outcome.classes[0].total.throughput.value;
    assert!((throughput - truth).abs() < 1_000.0, "{throughput} for {truth}");
}
