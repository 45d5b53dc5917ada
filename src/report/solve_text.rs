//! One answer of `solve` as text.

use super::estimate::{Shown, time};
use super::solve::{Solved, digits};
use crate::network::{Answer, ClassBounds, File, Unsolved};
use crate::page::{Table, paragraph};
use crate::sim::{Arrivals, Discipline, Estimate, Source};
use crate::units::significant;

/// Title and source of a network.
pub(super) fn title(file: &File) -> String {
    let mut out = paragraph(&file.title, 0);
    if let Some(source) = &file.source {
        out.push_str(&paragraph(source, 2));
    }
    out.push('\n');
    out
}

/// Classes, stations, locks, pools, and how it was solved.
pub fn solve_text(solved: &Solved<'_>) -> String {
    let answer = solved.answer;
    let mut out = title(solved.file);
    out.push_str(&classes(solved.file, answer));
    out.push('\n');
    out.push_str(&stations(solved.file, answer));
    out.push_str(&locks(answer));
    out.push_str(&pools(answer));
    for (name, hits) in &answer.caches {
        line!(
            out,
            "\n  cache {name}: {} of references hit",
            Shown::Share.estimate(answer, *hits)
        );
    }
    out.push('\n');
    if let Some((name, busy)) = answer.bottleneck() {
        line!(
            out,
            "  bottleneck: {name}, {} busy",
            Shown::Share.plain(busy, 4)
        );
    }
    for bounds in solved.bounds {
        out.push_str(&paragraph(&bounds_sentence(bounds), 2));
    }
    out.push_str(&paragraph(&how(solved), 2));
    for note in &answer.notes {
        out.push_str(&paragraph(&format!("note: {note}"), 2));
    }
    out
}

/// "20", or "open".
fn customers(file: &File, class: usize) -> String {
    match &file.model.classes[class].source {
        Source::Closed { population, .. } => population.to_string(),
        Source::Open(Arrivals::Bursts { .. }) => "open, in bursts".to_owned(),
        Source::Open(_) => "open".to_owned(),
    }
}

fn classes(file: &File, answer: &Answer) -> String {
    let with_quantiles = answer.classes.iter().any(|c| !c.quantiles.is_empty());
    let mut heads = vec![
        "class",
        ">customers",
        ">throughput",
        ">response time",
        ">in the system",
    ];
    if with_quantiles {
        heads.extend([">median", ">p95", ">p99"]);
    }
    let mut table = Table::new(&heads);
    for (class_idx, class) in answer.classes.iter().enumerate() {
        let mut row = vec![
            class.name.clone(),
            customers(file, class_idx),
            Shown::Rate.estimate(answer, class.throughput),
            Shown::Time.estimate(answer, class.response),
            significant(class.number.value, digits(answer, class.number)),
        ];
        if with_quantiles {
            for wanted in [0.5, 0.95, 0.99] {
                let found = class.quantiles.iter().find(|(p, _)| *p == wanted);
                row.push(found.map_or(String::new(), |(_, e)| {
                    time(e.value, digits(answer, *e).min(3))
                }));
            }
        }
        table.row(row);
    }
    table.text()
}

fn stations(file: &File, answer: &Answer) -> String {
    let several = answer.classes.len() > 1;
    let mut table = Table::new(&[
        "station",
        ">utilization",
        ">queue length",
        ">residence time",
        ">visits",
    ]);
    for (station_idx, station) in answer.stations.iter().enumerate() {
        let is_delay = file.model.stations[station_idx].discipline == Discipline::Delay;
        table.row(vec![
            station.name.clone(),
            if is_delay {
                "–".to_owned()
            } else {
                Shown::Share.estimate(answer, station.utilization)
            },
            Shown::Number.estimate(answer, station.queue_length),
            Shown::Time.estimate(answer, station.residence),
            Shown::Rate.estimate(answer, station.throughput),
        ]);
        for class in answer.classes.iter().filter(|_| several) {
            let at = class.stations[station_idx];
            if at.queue_length > 0.0 {
                let shown = |shown: Shown, value: f64| {
                    shown.plain(
                        value,
                        digits(
                            answer,
                            Estimate {
                                value,
                                ..station.queue_length
                            },
                        )
                        .min(4),
                    )
                };
                table.row(vec![
                    format!("  {}", class.name),
                    if is_delay {
                        "–".to_owned()
                    } else {
                        shown(Shown::Share, at.utilization)
                    },
                    shown(Shown::Number, at.queue_length),
                    shown(Shown::Time, at.residence),
                    shown(Shown::Rate, at.throughput),
                ]);
            }
        }
    }
    table.text()
}

fn locks(answer: &Answer) -> String {
    if answer.locks.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&[
        "lock",
        ">written",
        ">waiting for it",
        ">readers wait",
        ">writers wait",
    ]);
    for lock in &answer.locks {
        let digits = digits(answer, lock.waiting);
        table.row(vec![
            lock.name.clone(),
            Shown::Share.estimate(answer, lock.exclusive),
            Shown::Number.estimate(answer, lock.waiting),
            time(lock.read_wait, digits),
            time(lock.write_wait, digits),
        ]);
    }
    format!("\n{}", table.text())
}

fn pools(answer: &Answer) -> String {
    if answer.pools.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["pool", ">taken", ">waiting for it"]);
    for pool in &answer.pools {
        table.row(vec![
            pool.name.clone(),
            Shown::Number.estimate(answer, pool.taken),
            Shown::Number.estimate(answer, pool.waiting),
        ]);
    }
    format!("\n{}", table.text())
}

/// What bounds say of a class.
pub(super) fn bounds_sentence(bounds: &ClassBounds) -> String {
    let by = bounds
        .limited_by
        .as_ref()
        .map_or(String::new(), |name| format!(" ({name})"));
    let rate = |x: f64| significant(x, 4);
    match bounds.knee {
        None if bounds.limited_by.is_none() => format!("{}: no station limits it", bounds.name),
        None => format!(
            "{}: saturates {} at {} /s",
            bounds.name,
            bounds.limited_by.as_deref().unwrap_or_default(),
            rate(bounds.throughput_high)
        ),
        Some(knee) => {
            let low = bounds
                .throughput_low
                .map_or(String::new(), |low| format!("{} – ", rate(low)));
            let high = bounds
                .response_high
                .map_or(String::new(), |high| format!(" – {}", time(high, 4)));
            format!(
                "{}: knee at {} customers{by}; {} bounds: throughput {}{low}{} /s, response time {}{}{high}",
                bounds.name,
                significant(knee, 3),
                bounds.kind,
                if low.is_empty() { "at most " } else { "" },
                rate(bounds.throughput_high),
                if high.is_empty() { "at least " } else { "" },
                time(bounds.response_low, 4),
            )
        }
    }
}

/// How it was solved, in a sentence.
fn how(solved: &Solved<'_>) -> String {
    let Some(outcome) = &solved.answer.run else {
        return format!("solved by: {}", solved.answer.solved_by);
    };
    let ran = solved.ran(outcome);
    format!(
        "solved by: simulation, {}, {}; {}",
        ran.replications(),
        ran.measured(|seconds| time(seconds, 3)),
        ran.counted()
    )
}

/// A network without steady state.
pub fn unsolved_text(file: &File, unsolved: &Unsolved) -> String {
    let mut out = title(file);
    out.push_str(&paragraph(
        &format!("{unsolved}; there is no steady state"),
        2,
    ));
    out
}

/// Bounds alone.
pub fn bounds_text(file: &File, bounds: &[ClassBounds]) -> String {
    let mut table = Table::new(&[
        "class",
        ">customers",
        ">throughput from",
        ">to",
        ">response time from",
        ">to",
        ">knee",
        "limited by",
    ]);
    let or_dash = |found: Option<String>| found.unwrap_or_else(|| "–".to_owned());
    for (class_idx, class) in bounds.iter().enumerate() {
        table.row(vec![
            class.name.clone(),
            customers(file, class_idx),
            or_dash(class.throughput_low.map(|x| Shown::Rate.plain(x, 5))),
            if class.throughput_high.is_finite() {
                Shown::Rate.plain(class.throughput_high, 5)
            } else {
                "–".to_owned()
            },
            time(class.response_low, 5),
            or_dash(class.response_high.map(|x| time(x, 5))),
            or_dash(class.knee.map(|x| significant(x, 4))),
            or_dash(class.limited_by.clone()),
        ]);
    }
    let mut kinds: Vec<&str> = bounds.iter().map(|b| b.kind).collect();
    kinds.dedup();
    let mut out = title(file);
    out.push_str(&table.text());
    line!(out, "\n  solved by: {} bounds", kinds.join(" and "));
    out
}
