//! One answer of `solve` as a page.

use super::estimate::{Shown, time};
use super::solve::{Solved, digits};
use crate::network::{Answer, ClassBounds, File, Unsolved};
use crate::page::{Block, Page, Section, Table};
use crate::sim::{Arrivals, Discipline, Estimate, Source};
use crate::units::significant;

/// A page about a network: its title, its source, and what was found.
pub(super) fn page(file: &File, found: impl IntoIterator<Item = Block>) -> Page {
    let source = file.source.clone().map(Block::Note);
    let blocks = source.into_iter().chain(found);
    Page::new(&file.title, vec![Section::untitled(blocks)])
}

/// Classes, stations, locks, pools, and how it was solved.
pub fn solve_page(solved: &Solved<'_>) -> Page {
    let answer = solved.answer;
    let mut blocks = vec![classes(solved.file, answer).into(), stations(solved.file, answer).into()];
    blocks.extend(locks(answer).unless_empty());
    blocks.extend(pools(answer).unless_empty());
    for (name, hits) in &answer.caches {
        let hits = Shown::Share.estimate(answer, *hits);
        blocks.push(Block::text(format!("cache {name}: {hits} of references hit")));
    }
    blocks.extend(answer.bottleneck().map(|(name, busy)| {
        let busy = Shown::Share.plain(busy, 4);
        Block::text(format!("bottleneck: {name}, {busy} busy"))
    }));
    blocks.extend(solved.bounds.iter().map(bounds_sentence).map(Block::text));
    blocks.push(Block::text(how(solved)));
    blocks.extend(notes(answer));
    page(solved.file, blocks)
}

/// What a reader should know of an answer.
pub(super) fn notes(answer: &Answer) -> impl Iterator<Item = Block> {
    let notes = answer.notes.iter();
    notes.map(|note| Block::Note(format!("note: {note}")))
}

/// "20", or "open".
fn customers(file: &File, class: usize) -> String {
    match &file.model.classes[class].source {
        Source::Closed { population, .. } => population.to_string(),
        Source::Open(Arrivals::Bursts { .. }) => "open, in bursts".to_owned(),
        Source::Open(_) => "open".to_owned(),
    }
}

fn classes(file: &File, answer: &Answer) -> Table {
    let with_quantiles = answer.classes.iter().any(|c| !c.quantiles.is_empty());
    let mut heads = vec!["class", ">customers", ">throughput", ">response time", ">in the system"];
    if with_quantiles {
        heads.extend([">median", ">p95", ">p99"]);
    }
    let rows = answer.classes.iter().enumerate().map(|(idx, class)| {
        let mut row = vec![
            class.name.clone(),
            customers(file, idx),
            Shown::Rate.estimate(answer, class.throughput),
            Shown::Time.estimate(answer, class.response),
            significant(class.number.value, digits(answer, class.number)),
        ];
        if with_quantiles {
            row.extend([0.5, 0.95, 0.99].map(|wanted| {
                let found = class.quantiles.iter().find(|(p, _)| *p == wanted);
                found.map_or(String::new(), |(_, e)| time(e.value, digits(answer, *e).min(3)))
            }));
        }
        row
    });
    Table::new(&heads).with(rows)
}

/// Stations, and below each the part of each class where there are several.
fn stations(file: &File, answer: &Answer) -> Table {
    let several = answer.classes.len() > 1;
    let mut table = Table::new(&["station", ">utilization", ">queue length", ">residence time", ">visits"]);
    for (idx, station) in answer.stations.iter().enumerate() {
        let is_delay = file.model.stations[idx].discipline == Discipline::Delay;
        let busy = |shown: String| if is_delay { "–".to_owned() } else { shown };
        table.row(vec![
            station.name.clone(),
            busy(Shown::Share.estimate(answer, station.utilization)),
            Shown::Number.estimate(answer, station.queue_length),
            Shown::Time.estimate(answer, station.residence),
            Shown::Rate.estimate(answer, station.throughput),
        ]);
        for class in answer.classes.iter().filter(|_| several) {
            let at = class.stations[idx];
            if at.queue_length > 0.0 {
                let shown = |shown: Shown, value: f64| {
                    let estimate = Estimate { value, ..station.queue_length };
                    shown.plain(value, digits(answer, estimate).min(4))
                };
                table.row(vec![
                    format!("  {}", class.name),
                    busy(shown(Shown::Share, at.utilization)),
                    shown(Shown::Number, at.queue_length),
                    shown(Shown::Time, at.residence),
                    shown(Shown::Rate, at.throughput),
                ]);
            }
        }
    }
    table
}

fn locks(answer: &Answer) -> Table {
    let heads = ["lock", ">written", ">waiting for it", ">readers wait", ">writers wait"];
    Table::new(&heads).with(answer.locks.iter().map(|lock| {
        let digits = digits(answer, lock.waiting);
        vec![
            lock.name.clone(),
            Shown::Share.estimate(answer, lock.exclusive),
            Shown::Number.estimate(answer, lock.waiting),
            time(lock.read_wait, digits),
            time(lock.write_wait, digits),
        ]
    }))
}

fn pools(answer: &Answer) -> Table {
    let heads = ["pool", ">taken", ">waiting for it"];
    Table::new(&heads).with(answer.pools.iter().map(|pool| {
        vec![
            pool.name.clone(),
            Shown::Number.estimate(answer, pool.taken),
            Shown::Number.estimate(answer, pool.waiting),
        ]
    }))
}

/// What bounds say of a class.
fn bounds_sentence(bounds: &ClassBounds) -> String {
    let by = bounds.limited_by.as_ref().map_or(String::new(), |name| format!(" ({name})"));
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
            let low = bounds.throughput_low.map_or(String::new(), |low| format!("{} – ", rate(low)));
            let high = bounds.response_high.map_or(String::new(), |high| format!(" – {}", time(high, 4)));
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
pub fn unsolved_page(file: &File, unsolved: &Unsolved) -> Page {
    let why = format!("{unsolved}; there is no steady state");
    page(file, [Block::text(why)])
}

/// Bounds alone.
pub fn bounds_page(file: &File, bounds: &[ClassBounds]) -> Page {
    let heads = ["class", ">customers", ">throughput from", ">to", ">response time from", ">to", ">knee", "limited by"];
    let or_dash = |found: Option<String>| found.unwrap_or_else(|| "–".to_owned());
    let rate = |found: Option<f64>| or_dash(found.map(|x| Shown::Rate.plain(x, 5)));
    let rows = bounds.iter().enumerate().map(|(idx, class)| {
        let high = class.throughput_high;
        vec![
            class.name.clone(),
            customers(file, idx),
            rate(class.throughput_low),
            rate(high.is_finite().then_some(high)),
            time(class.response_low, 5),
            or_dash(class.response_high.map(|x| time(x, 5))),
            or_dash(class.knee.map(|x| significant(x, 4))),
            or_dash(class.limited_by.clone()),
        ]
    });
    let table = Table::new(&heads).with(rows);
    let mut kinds: Vec<&str> = bounds.iter().map(|b| b.kind).collect();
    kinds.dedup();
    let how = format!("solved by: {} bounds", kinds.join(" and "));
    page(file, [table.into(), Block::text(how)])
}
