//! Timing: rounds in which everybody takes a turn, so that a busy machine slows all of them alike.

use std::hint::black_box;

use cpu_time::ProcessTime;

/// A thing to time: does a piece of work and says how large it was and what it found.
pub struct Entry<'a> {
    /// Its name.
    pub name: &'a str,
    /// Works with a seed; gives the amount of work done and an answer.
    pub work: Box<dyn FnMut(u64) -> (f64, f64) + 'a>,
}

/// What the rounds of one entry found.
pub struct Timing {
    /// Work a processor second, of each round.
    pub speeds: Vec<f64>,
    /// Answer of each round.
    pub answers: Vec<f64>,
}

/// Times all entries, round by round, each round with a seed of its own.
pub fn interleaved(entries: &mut [Entry<'_>], rounds: u64) -> Vec<Timing> {
    let mut timings: Vec<Timing> = entries.iter().map(|_| Timing { speeds: Vec::new(), answers: Vec::new() }).collect();
    for round in 0..=rounds {
        for (entry, timing) in entries.iter_mut().zip(&mut timings) {
            let start = ProcessTime::now();
            let (amount, answer) = (entry.work)(round);
            let seconds = start.elapsed().as_secs_f64();
            // The first round warms caches and branch predictors.
            if round > 0 {
                timing.speeds.push(amount / seconds);
                timing.answers.push(answer);
            }
        }
    }
    timings
}

/// The middle one.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

/// Mean, and its standard error over the rounds.
pub fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (square / (n - 1.0).max(1.0) / n).sqrt())
}

/// Processor seconds of one call: the median of `rounds` short batches.
pub fn seconds_of<R>(rounds: u64, mut call: impl FnMut() -> R) -> f64 {
    let start = ProcessTime::now();
    black_box(call());
    let once = start.elapsed().as_secs_f64().max(1e-9);
    // Batches long enough for the clock, which counts in less than a microsecond.
    let calls = (1e-3 / once).clamp(1.0, 1e6) as u64;
    let batches: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = ProcessTime::now();
            for _ in 0..calls {
                black_box(call());
            }
            start.elapsed().as_secs_f64() / calls as f64
        })
        .collect();
    median(&batches)
}
