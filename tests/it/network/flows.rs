//! Open networks whose streams are not Poisson: decomposition against the simulator.
//!
//! `cargo test --no-default-features streams_that_are_not_poisson -- --nocapture` prints the table that the
//! docs of `queueing::decomposition` quote.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use plimsoll::network::{self, Analytic, Method, Simplification};
use plimsoll::sim::{self, Run, Span};

use super::file;

/// A network with the variation of its first stream left open.
struct Case {
    what: &'static str,
    text: &'static str,
}

const STATIONS: &str =
    "[station.a]\nkind = \"fcfs\"\n[station.b]\nkind = \"fcfs\"\n[station.c]\nkind = \"fcfs\"\nservers = 2\n";

const CASES: [Case; 5] = [
    Case { what: "one station, ρ 0.8", text: "demand = { a = \"0.8 s\" }" },
    Case { what: "two in a row, ρ 0.8 and 0.6", text: "demand = { a = \"0.8 s\", b = \"0.6 s\" }" },
    Case {
        what: "three in a row, ρ 0.5, 0.9 and 0.7 of two servers",
        text: "demand = { a = \"0.5 s\", b = \"0.9 s\", c = \"1.4 s\" }",
    },
    Case {
        what: "constant services in a row, ρ 0.7 and 0.8",
        text: "service = { a = { mean = \"0.7 s\", scv = 0 }, b = { mean = \"0.8 s\", scv = 0 } }\nvisits = { a = 1, b = 1 }",
    },
    Case {
        what: "met by a Poisson stream at b, ρ 0.6 and 0.8",
        text: "demand = { a = \"0.6 s\", b = \"0.4 s\" }\n[class.other]\nrate = \"1 /s\"\ndemand = { b = \"0.4 s\" }",
    },
];

fn text(case: &Case, arrivals: &str) -> String {
    format!("{STATIONS}[class.jobs]\n{arrivals}\n{}\n", case.text)
}

#[expect(clippy::print_stderr, reason = "shown by --nocapture")]
fn print(page: &str) {
    eprintln!("\n{page}");
}

#[test]
fn streams_that_are_not_poisson_are_near_to_the_simulated_ones() {
    let mut page = String::from("| network | c² | simulated R | decomposition | as Poisson |\n|---|---|---|---|---|\n");
    let (mut sums, mut worst, mut count) = ([0.0; 2], 0.0_f64, 0.0);
    for case in &CASES {
        for scv in [0.25, 4.0] {
            let arrivals = format!("interarrival = {{ mean = \"1 s\", scv = {scv} }}");
            let varied = file(&text(case, &arrivals));
            let poisson = file(&text(case, "rate = \"1 /s\""));
            let run = Run { seed: 20_261_121, span: Span::Steady { precision: 0.01 }, ..Run::default() };
            let one = sim::simulate(&varied.model, &run, 0, &mut |_| ControlFlow::Continue(()));
            let simulated = sim::fold(&varied.model, &run, &[one.unwrap()]).classes[0].total.response;
            let errors = [&varied, &poisson].map(|file| {
                let answer = network::solve(file, Method::Auto).unwrap();
                answer.classes[0].response.value / simulated.value - 1.0
            });
            for (sum, error) in sums.iter_mut().zip(errors) {
                *sum += error.abs();
            }
            worst = worst.max(errors[0].abs());
            count += 1.0;
            let [ours, plain] = errors.map(|e| format!("{:+.1} %", 100.0 * e));
            let (what, value, width) = (case.what, simulated.value, simulated.half_width);
            writeln!(page, "| {what} | {scv} | {value:.3} ± {width:.3} s | {ours} | {plain} |").unwrap();
        }
    }
    let [ours, plain] = sums.map(|sum| 100.0 * sum / count);
    writeln!(page, "| | | mean error | {ours:.1} % | {plain:.1} % |").unwrap();
    print(&page);
    assert!(ours < 8.0 && ours < plain / 3.0, "{ours} {plain}");
    assert!(worst < 0.2, "{worst}");
}

#[test]
fn poisson_streams_and_sharing_stations_are_left_as_they_are() {
    let told = |text: &str| Analytic::of(&file(text).model).simplifications;
    let class = || "jobs".to_owned();
    let varied = "interarrival = { mean = \"1 s\", scv = 4 }";
    assert_eq!(told(&text(&CASES[1], varied)), [Simplification::RenewalArrivals { class: class() }]);
    assert!(told(&text(&CASES[1], "rate = \"1 /s\"")).is_empty());
    // Sharing has no such formula.
    let shared = text(&CASES[1], varied).replace("fcfs", "ps");
    assert_eq!(told(&shared), [Simplification::PoissonArrivals { class: class() }]);
}

#[test]
fn a_stream_is_followed_along_paths_that_branch_and_repeat() {
    // Half of the jobs go to b twice, the others to c: the answer obeys Little's law everywhere.
    let text = format!(
        "{STATIONS}[class.jobs]\ninterarrival = {{ mean = \"1 s\", scv = 4 }}\n\
         service = {{ a = \"0.5 s\", b = \"0.6 s\", c = \"1 s\" }}\n\
         path = [\"a\", {{ choose = [{{ chance = 0.5, steps = [{{ repeat = 2, steps = [\"b\"] }}] }}, \
         {{ chance = 0.5, steps = [\"c\"] }}] }}]\n"
    );
    let file = file(&text);
    let answer = network::solve(&file, Method::Auto).unwrap();
    let number: f64 = answer.stations.iter().map(|s| s.queue_length.value).sum();
    let class = &answer.classes[0];
    assert!((number - class.throughput.value * class.response.value).abs() < 1e-9);
    let run = Run { span: Span::Steady { precision: 0.02 }, ..Run::default() };
    let one = sim::simulate(&file.model, &run, 0, &mut |_| ControlFlow::Continue(()));
    let simulated = sim::fold(&file.model, &run, &[one.unwrap()]).classes[0].total.response;
    // Who comes straight back to b arrives with nobody else: found 15 % too short.
    let error = class.response.value / simulated.value - 1.0;
    assert!(error.abs() < 0.2, "{error}");
}
