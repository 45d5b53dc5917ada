//! The table: medians and ranges of both tools, and the medians of their ratios.

use super::Sample;
use crate::rounds::median;

/// All rounds of one kind of access.
pub(super) struct Row {
    /// As `plimsoll bench --only` takes it.
    pub(super) id: String,
    /// Theirs and ours.
    rounds: Vec<(Sample, Sample)>,
}

impl Row {
    pub(super) fn new(id: &str) -> Self {
        let rounds = Vec::new();
        Self { id: id.to_owned(), rounds }
    }

    pub(super) fn add(&mut self, round: (Sample, Sample)) {
        self.rounds.push(round);
    }

    /// Three cells: theirs, ours, ours over theirs; empty where nobody says it.
    fn cells(&self, of: impl Fn(&Sample) -> Option<f64>, shown: impl Fn(f64) -> String) -> String {
        let side = |pick: &dyn Fn(&(Sample, Sample)) -> Sample| -> String {
            let values: Vec<f64> = self.rounds.iter().filter_map(|r| of(&pick(r))).collect();
            if values.is_empty() {
                return String::new();
            }
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            format!("{} ({}–{})", shown(median(&values)), shown(low), shown(high))
        };
        let ratios = self.rounds.iter().filter_map(|r| Some(of(&r.1)? / of(&r.0)?));
        let ratios: Vec<f64> = ratios.collect();
        let ratio = if ratios.is_empty() { String::new() } else { format!("{:.2}", median(&ratios)) };
        format!("{} | {} | {ratio}", side(&|r| r.0), side(&|r| r.1))
    }
}

/// Prints them as Markdown. The median time is the commit's where there is one.
pub(super) fn print(name: &str, rows: &[Row]) {
    let columns = ["operations/s", "median, µs", "processor µs an operation"];
    let heads = columns.map(|column| format!("{name}: {column} | ours | ratio"));
    println!("| test | {} |", heads.join(" | "));
    println!("|---{}|", "|---".repeat(columns.len() * 3));
    for row in rows {
        let rates = row.cells(|s| Some(s.iops), |x| format!("{x:.0}"));
        let times = row.cells(|s| s.p50, |x| format!("{:.1}", x * 1e6));
        let processor = row.cells(|s| s.processor, |x| format!("{:.1}", x * 1e6));
        println!("| {} | {rates} | {times} | {processor} |", row.id);
    }
}
