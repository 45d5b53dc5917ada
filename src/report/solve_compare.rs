//! Methods side by side.

use super::estimate::Shown;
use super::solve::Compared;
use super::solve_page::{notes, page};
use crate::network::{Answer, File};
use crate::page::{Block, Page, Table};
use crate::sim::Estimate;
use crate::units::significant;

/// (b − a)/a; none where a is 0 and b is not.
pub(super) fn relative(a: f64, b: f64) -> Option<f64> {
    if a == b {
        Some(0.0)
    } else if a == 0.0 {
        None
    } else {
        Some((b - a) / a)
    }
}

/// The numbers of an answer that are compared: of what, which, how it is shown.
fn numbers(answer: &Answer) -> Vec<(&str, &'static str, Shown, Estimate)> {
    let classes = answer.classes.iter().flat_map(|class| {
        let name = class.name.as_str();
        [(name, "throughput", Shown::Rate, class.throughput), (name, "response time", Shown::Time, class.response)]
    });
    let stations = answer.stations.iter().flat_map(|station| {
        let name = station.name.as_str();
        [
            (name, "utilization", Shown::Share, station.utilization),
            (name, "queue length", Shown::Number, station.queue_length),
        ]
    });
    classes.chain(stations).collect()
}

/// The answers of several methods, each but the first with its difference to the first.
fn table(answers: &[&Answer]) -> Option<Table> {
    let mut heads = vec!["of".to_owned(), "what".to_owned()];
    for (n, answer) in answers.iter().enumerate() {
        heads.push(format!(">{}", answer.method));
        heads.extend((n > 0).then(|| ">".to_owned()));
    }
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = Table::new(&heads);
    let columns: Vec<_> = answers.iter().map(|answer| numbers(answer)).collect();
    let mut before = "";
    for (row, (of, what, shown, first)) in columns.first()?.iter().enumerate() {
        // A delay is never busy.
        if *what == "utilization" && first.value <= 0.0 {
            continue;
        }
        let name = if *of == before { "" } else { *of };
        let mut cells = vec![name.to_owned(), (*what).to_owned()];
        for (n, (answer, column)) in answers.iter().zip(&columns).enumerate() {
            let (.., found) = column[row];
            cells.push(shown.estimate(answer, found));
            cells.extend((n > 0).then(|| difference(relative(first.value, found.value))));
        }
        table.row(cells);
        before = of;
    }
    Some(table)
}

/// A table of all methods, and how each came to its answer or why it has none.
pub fn solve_comparison_page(file: &File, compared: &[Compared]) -> Page {
    let outcomes = compared.iter();
    let solved: Vec<&Answer> = outcomes.filter_map(|(_, o)| o.as_ref().ok()).collect();
    let mut blocks: Vec<Block> = table(&solved).into_iter().map(Block::Table).collect();
    for (method, outcome) in compared {
        match outcome {
            Ok(answer) => {
                blocks.push(Block::text(format!("{method}: {}", answer.solved_by)));
                blocks.extend(notes(answer));
            }
            Err(unsolved) => blocks.push(Block::text(format!("{method}: {unsolved}"))),
        }
    }
    page(file, blocks)
}

fn difference(relative: Option<f64>) -> String {
    match relative {
        None => "–".to_owned(),
        Some(x) if x.abs() < 5e-6 => "0 %".to_owned(),
        Some(x) => {
            let digits = if x.abs() >= 0.1 { 3 } else { 2 };
            let sign = if x > 0.0 { "+" } else { "−" };
            format!("{sign}{} %", significant(x.abs() * 100.0, digits))
        }
    }
}
