//! A rehearsal in words: what will be done, what was found, and several beside each other.

use super::answer::{KindOfWork, Rehearsed, Span};
use super::judgement::{is_near, sentences};
use super::layout::{Layout, ROLES};
use super::plan::Plan;
use crate::diag::harmless_line;
use crate::page::{Block, Cell, Page, Section, Table, Tone, blocks_text};
use crate::units::{Bytes, Seconds, significant};

/// The most lock waits, and utilisations of the model, that are listed.
const LISTED: usize = 8;

pub(super) fn seconds(value: f64) -> String {
    Seconds::new(value).to_string()
}

/// A measured mean over its prediction.
pub(super) fn ratio(kind: &KindOfWork) -> String {
    kind.mean_ratio.map_or_else(|| "–".to_owned(), |ratio| significant(ratio, 2))
}

/// Whether a measured mean is inside its prediction's interval.
pub(super) fn inside(kind: &KindOfWork) -> &'static str {
    match kind.mean_is_inside {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    }
}

fn short(span: Option<Span>) -> String {
    span.map_or_else(|| "–".to_owned(), |span| seconds(span.value))
}

fn ranged(span: Option<Span>) -> String {
    let Some(span) = span else {
        return "–".to_owned();
    };
    match (span.low, span.high) {
        (Some(low), Some(high)) => format!("{} ({} to {})", seconds(span.value), seconds(low), seconds(high)),
        _ => seconds(span.value),
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{} %", significant(share * 100.0, 2))
}

/// What a plan will do, in a sentence.
pub(super) fn plan_sentence(plan: &Plan) -> String {
    let settings = &plan.settings;
    format!(
        "{} clients, each a thread with its own connection, at {} of the site's peak load; up to {} on the volumes; {} to warm up and {} \
         that count, after about 5 s of probes for each folder and the laying out of the data.",
        plan.clients(),
        percent(settings.load),
        Bytes::new(plan.bytes().iter().sum::<u64>() as f64),
        seconds(settings.warm_up.as_secs_f64()),
        seconds(settings.measure.as_secs_f64())
    )
}

/// The kinds of work of a plan and how often each comes.
pub(super) fn plan_kinds(plan: &Plan) -> Table {
    let mut table = Table::new(&["kind of work", ">planned 1/s"]);
    for planned in &plan.kinds {
        let rate = planned.per_s.map_or_else(|| "always in flight".to_owned(), |r| significant(r, 3));
        table.row(vec![harmless_line(&planned.work.to_string()), rate]);
    }
    table
}

/// What a plan will do.
pub fn plan_text(plan: &Plan, layout: &Layout) -> String {
    let mut places = Table::new(&["", ""]);
    for (role, name) in ROLES.iter().enumerate() {
        let path = layout.place(role).path.to_string_lossy();
        places.row(vec![(*name).to_owned(), harmless_line(&path)]);
    }
    let mut blocks = vec![Block::Text(plan_sentence(plan)), places.into(), plan_kinds(plan).into()];
    blocks.extend(plan.notes.iter().map(|text| note(text)));
    blocks_text(&blocks)
}

/// Where the time of a kind differs most, in words.
fn difference(kind: &KindOfWork) -> Option<String> {
    let ratio = kind.mean_ratio?;
    if is_near(ratio) {
        return None;
    }
    let cause = kind.differs_by()?;
    Some(format!(
        "{}: measured is {} times the prediction; most of the difference is {} (measured {}, predicted {}).",
        harmless_line(&kind.class),
        significant(ratio, 2),
        cause.cause,
        seconds(cause.measured_s),
        seconds(cause.predicted_s?)
    ))
}

/// A rehearsal as a page: the same on the terminal and in the window.
pub fn page(found: &Rehearsed) -> Page {
    let off: Vec<String> = found.kinds.iter().filter_map(difference).collect();
    let off = (!off.is_empty()).then(|| Block::points(off));
    let times_title = "Each kind of work, measured beside predicted";
    let units_title = "Processor time of a unit of work on this machine";
    let waits_title = "Who waited for whom at table locks";
    let sections = vec![
        Section::new("verdict", "How well it was predicted", verdict(found)),
        Section::new("times", times_title, times(found)),
        Section::new("causes", "Where the mean time goes", causes(found)),
        Section::new("waits", waits_title, [waits(found)]),
        Section::new("busy", "Utilisation", [busy(found)]),
        Section::new("off", "Kinds of work that are far off", off),
        Section::new("units", units_title, units(found).unless_empty()),
        Section::new("notes", "Notes", notes(found)),
    ];
    Page::new(conditions(found), sections)
}

/// What was rehearsed.
fn conditions(found: &Rehearsed) -> String {
    format!(
        "Rehearsal of {} at {} of its peak load, data at {} of its size: {} clients, {} measured after {} of warm-up.",
        harmless_line(&found.site),
        percent(found.load_ratio),
        percent(found.scale_ratio),
        found.clients,
        seconds(found.measured_s),
        seconds(found.warm_up_s)
    )
}

/// How well it was predicted, in two sentences, and what became of the load.
fn verdict(found: &Rehearsed) -> Vec<Block> {
    let [first, second] = sentences(found);
    let measured = if found.saturated { "saturated: work came faster than it was done" } else { "carried" };
    let predicted = match &found.predicted_saturated {
        Some(why) => format!("saturated: {why}"),
        None => "carried".to_owned(),
    };
    let mut blocks = vec![Block::Lead(first), Block::Text(second)];
    blocks.push(Block::Note(format!("Measured: {measured} (rate of commands: {}).", found.verdict)));
    blocks.push(Block::Note(format!("Predicted for this machine: {predicted}.")));
    blocks
}

/// What is to know before the numbers are believed.
fn notes(found: &Rehearsed) -> Vec<Block> {
    let notes = found.environment.warnings.iter().chain(&found.notes);
    let notes = notes.map(|text| note(text));
    let last = format!("{}; {}", found.environment.processes, found.locked_by);
    notes.chain([note(&last)]).collect()
}

/// "Note: this is so."
pub(super) fn note(text: &str) -> Block {
    Block::Note(format!("Note: {}.", harmless_line(text)))
}

fn units(found: &Rehearsed) -> Table {
    let mut units = Table::new(&["unit of work", ">model", ">real work", ">together"]);
    for unit in &found.units {
        let cells = [unit.model_s, unit.real_s, unit.measured_s].map(seconds);
        units.row([vec![unit.name.clone()], cells.to_vec()].concat());
    }
    units
}

/// The cause by which a kind differs most, measured and predicted: "storage 1.2 ms / 800 µs".
pub(super) fn difference_in_words(kind: &KindOfWork) -> String {
    kind.differs_by().map_or_else(String::new, |cause| {
        format!(
            "{} {} / {}",
            harmless_line(&cause.cause),
            seconds(cause.measured_s),
            cause.predicted_s.map_or_else(|| "–".to_owned(), seconds)
        )
    })
}

/// Each kind of work, and how the table is read.
fn times(found: &Rehearsed) -> Vec<Block> {
    let mut table = Table::new(&[
        "kind of work",
        ">commands",
        ">mean",
        ">predicted",
        ">simulated",
        ">p95",
        ">predicted",
        ">p99",
        ">longest",
        ">ratio",
        "inside",
    ]);
    for kind in found.kinds.iter().filter(|kind| kind.commands > 0) {
        let cells = [
            harmless_line(&kind.class),
            kind.commands.to_string(),
            short(kind.measured_mean_s),
            short(kind.predicted_mean_s),
            short(kind.simulated_mean_s),
            short(kind.measured_p95_s),
            short(kind.predicted_p95_s),
            short(kind.measured_p99_s),
            seconds(kind.measured_longest_s),
            ratio(kind),
        ];
        let tone = match kind.mean_is_inside {
            Some(true) => Tone::Good,
            Some(false) => Tone::Warning,
            None => Tone::Plain,
        };
        let is_inside = Cell::plain(inside(kind).to_owned()).toned(tone);
        let cells = cells.into_iter().map(Cell::plain).chain([is_inside]);
        table.linked(String::new(), cells.collect());
    }
    let mut blocks = vec![table.into()];
    let missed = found.kinds.iter().filter(|kind| kind.commands == 0).count();
    if missed > 0 {
        blocks.push(Block::Note(format!(
            "{missed} kinds of work are too rare for the measured time; a longer --time or a higher --load shows them."
        )));
    }
    blocks.push(Block::Note(
        "mean, p95, p99: of the measured responses; ratio: measured mean over predicted; inside: the measured mean lies in the \
         prediction's 80 % interval, or its own reaches into it. --format json has all intervals."
            .to_owned(),
    ));
    blocks
}

/// Where the mean time of each kind goes.
fn causes(found: &Rehearsed) -> Vec<Block> {
    let mut table = Table::new(&["kind of work", ">locks", ">storage", ">processor", ">network"]);
    let heads = table.heads.len();
    for kind in found.kinds.iter().filter(|kind| kind.commands > 0) {
        let cells = kind.causes.iter().map(|cause| {
            let predicted = cause.predicted_s.map_or_else(|| "–".to_owned(), seconds);
            format!("{} | {predicted}", seconds(cause.measured_s))
        });
        let cells = std::iter::once(harmless_line(&kind.class)).chain(cells);
        // A file that was written by hand may have other causes.
        let cells = cells.chain(std::iter::repeat_with(|| "–".to_owned()));
        table.row(cells.take(heads).collect());
    }
    vec![Block::Note("measured | predicted".to_owned()), table.into()]
}

fn waits(found: &Rehearsed) -> Block {
    let mut table = Table::new(&["table", "waited", "for", ">times", ">in all"]);
    for wait in found.locks.iter().take(LISTED) {
        table.row(vec![
            harmless_line(&wait.table),
            harmless_line(&format!("{} ({})", wait.waiter, wait.waiter_mode)),
            harmless_line(&format!("{} ({})", wait.holder, wait.holder_mode)),
            wait.times.to_string(),
            seconds(wait.waited_s),
        ]);
    }
    table_or(table, "No command waited for a table.")
}

/// A table, or a sentence where it has no rows.
fn table_or(table: Table, none: &str) -> Block {
    table.unless_empty().unwrap_or_else(|| Block::text(none))
}

/// How busy what was, by the kernel's counters, and by the model.
fn busy(found: &Rehearsed) -> Block {
    let measured = table_or(measured_busy(found), "The kernel counted nothing.");
    let none = "The model predicts none of a load that saturates.";
    let predicted = table_or(predicted_busy(found), none);
    Block::Beside(vec![vec![measured], vec![predicted]])
}

fn measured_busy(found: &Rehearsed) -> Table {
    let mut table = Table::new(&["measured", ">busy", ">requests 1/s", ">bytes/s"]);
    for one in &found.utilised {
        let optional = |x: Option<f64>, show: fn(f64) -> String| x.map_or_else(|| "–".to_owned(), show);
        table.row(vec![
            harmless_line(&one.name),
            percent(one.busy_fraction),
            optional(one.requests_per_s, |r| significant(r, 3)),
            optional(one.bytes_per_s, |b| Bytes::new(b).to_string()),
        ]);
    }
    table
}

fn predicted_busy(found: &Rehearsed) -> Table {
    let mut predicted: Vec<_> = found.predicted_utilised.iter().collect();
    predicted.sort_by(|a, b| b.busy_fraction.total_cmp(&a.busy_fraction));
    let mut table = Table::new(&["predicted", ">busy"]);
    for one in predicted.into_iter().take(LISTED) {
        table.row(vec![harmless_line(&one.name), percent(one.busy_fraction)]);
    }
    table
}

/// Several layouts with the same arrivals.
pub fn comparison_text(all: &[(String, Rehearsed)]) -> String {
    let mut table = Table::new(&["kind of work", "layout", ">mean", ">predicted", ">p95", "mean, 80 % interval"]);
    let Some((_, first)) = all.first() else {
        return String::new();
    };
    for kind in &first.kinds {
        for (name, found) in all {
            let Some(own) = found.kinds.iter().find(|k| k.class == kind.class) else {
                continue;
            };
            table.row(vec![
                harmless_line(&own.class),
                harmless_line(name),
                short(own.measured_mean_s),
                short(own.predicted_mean_s),
                short(own.measured_p95_s),
                ranged(own.measured_mean_s),
            ]);
        }
    }
    let said = "The same arrivals and sizes on each layout:".to_owned();
    blocks_text(&[Block::Heading(said), table.into()])
}
