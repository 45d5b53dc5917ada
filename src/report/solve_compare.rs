//! Methods side by side.

use super::estimate::Shown;
use super::solve::Compared;
use super::solve_text::title;
use crate::network::{Answer, File, Method};
use crate::page::{Table, paragraph};
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

/// The head of a method's column of numbers.
fn head(method: Method) -> &'static str {
    match method {
        Method::Auto => ">auto",
        Method::Exact => ">exact",
        Method::Convolution => ">convolution",
        Method::Amva => ">amva",
        Method::Linearizer => ">linearizer",
        Method::Aql => ">aql",
        Method::Bounds => ">bounds",
        Method::Sim => ">sim",
    }
}

/// One number of every answer.
struct Row {
    of: String,
    what: &'static str,
    shown: Shown,
    get: Box<dyn Fn(&Answer) -> Estimate>,
}

fn rows(answer: &Answer) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |of: &str, what, shown, get: Box<dyn Fn(&Answer) -> Estimate>| {
        let of = of.to_owned();
        rows.push(Row {
            of,
            what,
            shown,
            get,
        });
    };
    for (idx, class) in answer.classes.iter().enumerate() {
        let name = &class.name;
        add(
            name,
            "throughput",
            Shown::Rate,
            Box::new(move |a| a.classes[idx].throughput),
        );
        add(
            name,
            "response time",
            Shown::Time,
            Box::new(move |a| a.classes[idx].response),
        );
    }
    for (idx, station) in answer.stations.iter().enumerate() {
        let name = &station.name;
        if station.utilization.value > 0.0 {
            add(
                name,
                "utilization",
                Shown::Share,
                Box::new(move |a| a.stations[idx].utilization),
            );
        }
        add(
            name,
            "queue length",
            Shown::Number,
            Box::new(move |a| a.stations[idx].queue_length),
        );
    }
    rows
}

/// A table of all methods, each but the first with its difference to the first.
pub fn solve_comparison_text(file: &File, compared: &[Compared]) -> String {
    let mut out = title(file);
    let solved: Vec<&Answer> = compared
        .iter()
        .filter_map(|(_, o)| o.as_ref().ok())
        .collect();
    if let Some(first) = solved.first() {
        let mut heads = vec!["of", "what"];
        for (n, answer) in solved.iter().enumerate() {
            heads.push(head(answer.method));
            if n > 0 {
                heads.push(">");
            }
        }
        let mut table = Table::new(&heads);
        let mut before = String::new();
        for row in rows(first) {
            let name = if row.of == before {
                String::new()
            } else {
                row.of.clone()
            };
            let mut cells = vec![name, row.what.to_owned()];
            for (n, answer) in solved.iter().enumerate() {
                let (a, b) = ((row.get)(first), (row.get)(answer));
                cells.push(row.shown.estimate(answer, b));
                if n > 0 {
                    cells.push(difference(relative(a.value, b.value)));
                }
            }
            before = row.of;
            table.row(cells);
        }
        out.push_str(&table.text());
        out.push('\n');
    }
    for (method, outcome) in compared {
        match outcome {
            Ok(answer) => {
                line!(out, "  {method}: {}", answer.solved_by);
                for note in &answer.notes {
                    out.push_str(&paragraph(&format!("note: {note}"), 4));
                }
            }
            Err(unsolved) => out.push_str(&paragraph(&format!("{method}: {unsolved}"), 2)),
        }
    }
    out
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
