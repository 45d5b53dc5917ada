//! Common random numbers: alternatives meet the same arrivals and sizes, so that their difference is sharp.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use plimsoll::advisor::best_of_layout;
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::sim::{
    self, Alternative, Difference, Discipline, Distribution, Model, Replication, Run, Source, Span, Step, What,
};
use plimsoll::site::{self, Vocabulary};
use plimsoll::system::process::{Process, process};
use plimsoll::workload::from_site;

use super::support::{closed, exp, open, serve, station};
use crate::cli::example;

const MINUTE: f64 = 60.0;

/// Half an hour from an empty system.
fn for_a_while(seed: u64) -> Run {
    let (time, piece) = (30.0 * MINUTE, MINUTE);
    Run { seed, span: Span::Until { time, piece }, ..Run::default() }
}

fn of_site(name: &str, layouts: [&str; 2]) -> [Process; 2] {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let path = example(name);
    let site = site::load(path.as_ref(), &[], &Vocabulary::of(&catalog)).unwrap();
    layouts.map(|layout| {
        let deployment = best_of_layout(&site, &catalog, &calibration, layout).unwrap();
        let load = from_site::load(&site);
        process(&deployment, &load, &catalog, &calibration, None).unwrap()
    })
}

fn replications(model: &Model, run: &Run, count: u64) -> Vec<Replication> {
    (0..count).map(|n| sim::simulate(model, run, n, &mut |_| ControlFlow::Continue(())).unwrap()).collect()
}

/// Arrivals of each class, by its name.
fn arrivals(model: &Model) -> BTreeMap<String, Vec<f64>> {
    let mut seen: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    sim::simulate_traced(model, &for_a_while(1), 0, &mut |_| ControlFlow::Continue(()), &mut |event| {
        if event.what == What::Arrives {
            let name = model.classes[event.class].name.clone();
            seen.entry(name).or_default().push(event.time);
        }
    })
    .unwrap();
    seen
}

/// With common random numbers, and with independent ones.
fn twice(models: [&Model; 2], run: impl Fn(u64) -> Run, pairs: u64) -> [Vec<Difference>; 2] {
    let first = replications(models[0], &run(1), pairs);
    [1, 2].map(|seed| {
        let other = replications(models[1], &run(seed), pairs);
        let of = |model, replications| Alternative { model, replications };
        let found = sim::differences(of(models[0], &first), of(models[1], &other), 0.95);
        found.into_iter().map(Option::unwrap).collect()
    })
}

#[test]
fn layouts_meet_the_same_arrivals_of_the_same_kinds_whatever_their_servers() {
    // No edge, and one.
    let [a, b] = of_site("game-studio", ["split", "block-edges"]);
    let names = |process: &Process| -> Vec<String> {
        let stations = process.model.stations.iter();
        stations.map(|station| station.name.clone()).collect()
    };
    assert_ne!(names(&a), names(&b));
    let (here, there) = (arrivals(&a.model), arrivals(&b.model));
    let open = |class: &&sim::Class| matches!(class.source, Source::Open(_));
    let streams: Vec<&str> = a.model.classes.iter().filter(open).map(|c| c.name.as_str()).collect();
    assert!(!streams.is_empty());
    for name in &streams {
        assert_eq!(here[*name], there[*name], "{name}");
    }
    let most = streams.iter().map(|name| here[*name].len()).max();
    assert!(most > Some(1000), "{most:?}");
    // People wait for their answers, and come as often as these let them: at first at the same times.
    assert_eq!(here["developers"][..5], there["developers"][..5]);
    // Kinds and sizes belong to the arrivals: only what is still on its way is missing.
    let run = for_a_while(1);
    let done = |process: &Process| {
        let all = replications(&process.model, &run, 1);
        sim::fold(&process.model, &run, &all).activities
    };
    let mut automatic = 0;
    for (x, y) in done(&a).iter().zip(&done(&b)) {
        assert_eq!(x.name, y.name);
        if x.name.ends_with("(automation)") {
            automatic += x.completions;
            assert!(x.completions.abs_diff(y.completions) <= 6, "{}: {} and {}", x.name, x.completions, y.completions);
        }
    }
    assert!(automatic > 1000);
}

#[test]
fn differences_between_layouts_are_sharper_with_common_random_numbers() {
    for (site, layouts) in [("netapp-lab-2013", ["n13-nfs", "n13-fc"]), ("game-studio", ["split", "block-edges"])] {
        let [a, b] = of_site(site, layouts);
        let [common, independent] = twice([&a.model, &b.model], for_a_while, 6);
        let (mut sharper, mut all, mut ratio) = (0, 0, 0.0);
        for (x, y) in common.iter().zip(&independent) {
            let (x, y) = (x.response.half_width, y.response.half_width);
            if x.is_finite() && y.is_finite() && y > 0.0 {
                all += 1;
                sharper += usize::from(x < y);
                ratio += (x / y).powi(2).ln();
            }
        }
        let ratio = (ratio / all as f64).exp();
        assert!(all >= 8 && sharper * 10 >= all * 7, "{site}: {sharper} of {all}");
        assert!(ratio < 0.5, "{site}: {ratio}");
    }
}

/// Queues whose answers are known: one activity at one station.
fn queue(servers: f64, mean: f64) -> Model {
    let body = vec![serve(0, exp(mean))];
    Model {
        stations: vec![station(Discipline::Fcfs, servers)],
        activities: vec!["work".to_owned()],
        classes: vec![open(0.5, vec![Step::Timed { activity: 0, body }])],
        ..Model::default()
    }
}

#[test]
fn intervals_of_differences_contain_the_exact_difference_as_often_as_they_say() {
    // M/M/1 at ρ = 0.5 and 0.45: W = S/(1 − ρ).
    let (a, b) = (queue(1.0, 1.0), queue(1.0, 0.9));
    let (exact, runs) = (0.9 / 0.55 - 2.0, 200);
    let tail = 20f64.ln();
    let window = |seed| Run { seed, span: Span::Window { from: 200.0, until: 2200.0 }, ..Run::default() };
    let (mut means, mut tails, mut correlation) = (0, 0, 0.0);
    for seed in 0..runs {
        let run = |_| window(seed);
        let [common, _] = twice([&a, &b], run, 8);
        let Difference { response, p95, .. } = common[0];
        means += u64::from((response.value - exact).abs() <= response.half_width);
        tails += u64::from((p95.value - exact * tail).abs() <= p95.half_width);
        correlation += common[0].correlation.unwrap() / runs as f64;
    }
    // 95 % of 200 is 190, with a standard error of 3; those of tails are widened by the buckets.
    assert!((180..=198).contains(&means), "{means}");
    assert!(tails >= 180, "{tails}");
    assert!(correlation > 0.9, "{correlation}");
}

#[test]
fn the_same_model_twice_differs_by_nothing() {
    let model = queue(2.0, 1.0);
    let [common, independent] = twice([&model, &model], for_a_while, 4);
    assert_eq!((common[0].response.value, common[0].response.half_width), (0.0, 0.0));
    assert_eq!(common[0].pairs, 4);
    assert!(independent[0].response.half_width > 0.0);
}

#[test]
fn only_what_both_do_and_finish_is_compared() {
    let (mut a, mut b) = (queue(1.0, 1.0), queue(1.0, 0.5));
    b.activities.push("other".to_owned());
    b.classes.push(closed(
        1,
        5.0,
        vec![Step::Timed { activity: 1, body: vec![serve(0, Distribution::Constant(0.1))] }],
    ));
    let (time, piece) = (1e5, 1e5);
    let run = Run { span: Span::Until { time, piece }, ..Run::default() };
    let (mut first, second) = (replications(&a, &run, 3), replications(&b, &run, 3));
    let stopped = sim::simulate(&a, &run, 1, &mut |_| ControlFlow::Break(())).unwrap();
    let compare = |a: &Model, first: &[Replication]| {
        let first = Alternative { model: a, replications: first };
        let other = Alternative { model: &b, replications: &second };
        sim::differences(first, other, 0.95)
    };
    let found = compare(&a, &first);
    assert!(found[0].is_some() && found[1].is_none());
    // An interrupted replication has no partner.
    assert_eq!(stopped.stopped(), sim::Stopped::Interrupted);
    first[1] = stopped;
    assert_eq!(compare(&a, &first)[0].unwrap().pairs, 2);
    a.activities[0] = "renamed".to_owned();
    assert!(compare(&a, &first).iter().all(Option::is_none));
}

#[test]
fn a_window_measures_what_it_says() {
    let model = queue(1.0, 1.0);
    let run = |from, until| Run { span: Span::Window { from, until }, ..Run::default() };
    let one = sim::simulate(&model, &run(50.0, 1050.0), 0, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(one.warm_up(), 50.0);
    assert!((one.time() - 1000.0).abs() < 1e-6);
    for (from, until) in [(5.0, 5.0), (-1.0, 5.0), (0.0, f64::INFINITY), (f64::NAN, 1.0)] {
        assert!(run(from, until).validate().is_err(), "{from} {until}");
    }
}
