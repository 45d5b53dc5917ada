//! The window: from a change to its answer, and its frames. Wall time, for somebody waits for it.

mod frames;
mod latency;

use std::time::Duration;

/// Changes and frames of each kind, if not said otherwise.
const ROUNDS: usize = 300;

/// Prints a table: `latency [ROUNDS]` or `frames`.
pub fn print(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["latency"] => latency::print(ROUNDS),
        ["latency", rounds] => {
            let rounds = rounds.parse().ok().filter(|rounds| *rounds > 0);
            latency::print(rounds.ok_or("how many rounds? a number from 1")?)
        }
        ["frames"] => frames::print(),
        _ => Err("window latency [ROUNDS], or window frames".to_owned()),
    }
}

/// What a share of the times are within \[ms\].
fn at(times: &mut [Duration], share: f64) -> f64 {
    times.sort();
    let place = (times.len() - 1) as f64 * share;
    times[place as usize].as_secs_f64() * 1e3
}
