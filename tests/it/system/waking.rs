//! Processors of a virtual machine that sleep while they are idle: beside what was measured, and beside a formula.

use std::fmt::Write as _;

use super::first_principles::Table;
use super::nfs::clients;
use super::processors::parameter;
use super::*;
use plimsoll::system::{Resource, Spot};
use plimsoll::workload::{Arrival, Call};

/// Pauses \[ms\].
const PAUSES: [f64; 6] = [0.0, 0.3, 1.0, 3.0, 10.0, 100.0];

/// What an action took on the median after these pauses \[µs\]: `plimsoll bench --only idle` of 29 November 2026, on a virtual machine of
/// two cores under KVM with nothing else at work.
const MEASURED: [(&str, [f64; 6]); 4] = [
    ("echo over a socket", [15.0, 28.6, 28.6, 31.1, 35.4, 76.1]),
    ("100 rows read", [125.4, 124.5, 119.9, 123.5, 134.0, 178.8]),
    ("page read", [55.7, 55.2, 58.5, 80.8, 126.4, 238.9]),
    ("page forced out", [108.0, 115.2, 124.5, 159.7, 243.7, 403.4]),
];

/// What was measured after pauses, and what the law says of each from the first and the last.
pub(super) fn by_pause() -> String {
    let mut text =
        "| what | no pause | 0.3 ms | 1 ms | 3 ms | 10 ms | 100 ms |\n|---|---|---|---|---|---|---|\n".to_owned();
    let asleep = |pause: f64| -(-pause * 1e-3 / parameter("wake.after")).exp_m1();
    for (what, times) in MEASURED {
        let (alone, most) = (times[0], times[5]);
        let cells = PAUSES.iter().zip(times).map(|(pause, time)| {
            let law = alone + (most - alone) * asleep(*pause) / asleep(PAUSES[5]);
            assert!((time - law).abs() < (most - alone) / 3.0, "{what} after {pause} ms: {time}, {law}");
            format!("{time:.0} ({law:.0})")
        });
        let cells: Vec<String> = cells.collect();
        let _infallible = writeln!(text, "| {what} | {} |", cells.join(" | "));
    }
    text
}

/// Listings that come to a virtual machine with so many cores at a rate, and to a server of its own hardware.
fn listings(cores: f64, rate: f64) -> [(Deployment, Load); 2] {
    let mut load = clients(1.0, Call::once("changes", 10.0, 0.0));
    load.groups[0].arrival = Arrival::Open { rate };
    [true, false].map(|processors_sleep| {
        let deployment = Deployment { cores, processors_sleep, ..on("local-all", &rich(&ORDINARY.site())) };
        (deployment, load.clone())
    })
}

fn mean((deployment, load): &(Deployment, Load)) -> f64 {
    shown(deployment, load).classes[0].mean.value
}

/// The delay of a command by its rate at one core, beside Welch's formula.
pub(super) fn by_load() -> String {
    let mut table = Table::new("commands a second | formula, µs | predicted, µs | ratio", 1.02);
    let (delay, after) = (parameter("wake.delay"), parameter("wake.after"));
    for rate in [0.1, 10.0, 100.0, 300.0] {
        let cases = listings(1.0, rate);
        let [with, without] = [0, 1].map(|n| mean(&cases[n]));
        let prediction = shown(&cases[1].0, &cases[1].1);
        let processor = Resource::of_server(0, Spot::Processor);
        let found = prediction.resources.iter();
        let busy = found.filter(|one| one.resource == processor);
        let busy: f64 = busy.map(|one| one.utilization).sum();
        let formula = delay * (1.0 - busy) / (1.0 + rate * after);
        table.row(&[format!("{rate}")], 1e6 * formula, 1e6 * (with - without));
    }
    table.text
}

#[test]
fn the_delay_fades_with_load_and_both_engines_have_it() {
    for cores in [1.0, 4.0] {
        let mut last = f64::INFINITY;
        for rate in [1.0, 30.0, 300.0] {
            let [sleeping, awake] = listings(cores, rate);
            let delay = mean(&sleeping) - mean(&awake);
            assert!(0.0 < delay && delay < last, "{cores} cores, {rate}/s: {delay}");
            last = delay;
            let hours = 20_000.0 / rate / 3600.0;
            let simulated = [&sleeping, &awake].map(|(deployment, load)| {
                let (_, outcome) = simulated(deployment, load, hours);
                outcome.activities[0].response.value
            });
            let found = simulated[0] - simulated[1];
            let off = (found - delay).abs() / parameter("wake.delay");
            assert!(off < 0.05, "{cores} cores, {rate}/s: {found} simulated, {delay} predicted");
        }
    }
}
