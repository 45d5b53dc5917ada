//! The table of simulators: events a processor second, and every answer against the truth.

use crate::rounds::{Entry, interleaved, mean, median};
use crate::workload::{Run, Workload};
use crate::{hand, ours, peers};

/// An engine: its name, how it runs, and the share of events it gets, so that rounds last alike.
struct Engine {
    name: &'static str,
    run: fn(Workload, u64, u64) -> Run,
    share: f64,
}

const ENGINES: [Engine; 5] = [
    Engine { name: "hand-written loop", run: hand::run, share: 1.0 },
    Engine { name: "ours, driven by data, with all its statistics", run: ours::run, share: 0.6 },
    Engine { name: "desru 0.1.13", run: peers::desru, share: 0.35 },
    Engine { name: "odem-rs 0.4", run: peers::odem, share: 0.35 },
    Engine { name: "nexosim 1.0", run: peers::nexosim, share: 0.05 },
];

/// Events of the hand-written loop a round.
const EVENTS: f64 = 20e6;

/// Times all engines on all networks and prints the table.
pub fn print(rounds: u64) {
    println!("| engine | network | of the hand-written loop | million events/s | answer | truth |");
    println!("|---|---|---|---|---|---|");
    for workload in Workload::ALL {
        let mut entries: Vec<Entry<'_>> = ENGINES
            .iter()
            .map(|engine| Entry {
                name: engine.name,
                work: Box::new(move |round| {
                    let events = (EVENTS * engine.share) as u64;
                    let run = (engine.run)(workload, 1000 + round, events);
                    (run.events as f64, run.answer)
                }),
            })
            .collect();
        let timings = interleaved(&mut entries, rounds);
        let (what, truth) = workload.truth();
        for (entry, timing) in entries.iter().zip(&timings) {
            let speed = median(&timing.speeds);
            let pairs = timing.speeds.iter().zip(&timings[0].speeds);
            let ratios: Vec<f64> = pairs.map(|(own, hand)| own / hand).collect();
            let (answer, error) = mean(&timing.answers);
            println!(
                "| {} | {} | {:.3} | {:.1} | {what} {answer:.4} ± {:.4} | {truth:.4} |",
                entry.name,
                workload.title(),
                median(&ratios),
                speed / 1e6,
                2.0 * error,
            );
        }
    }
}
