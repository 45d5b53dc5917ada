//! A rehearsal in words: what will be done, what was found, and several beside each other.

use std::fmt::Write as _;

use super::answer::{ClientsHost, KindOfWork, Rehearsed, Span};
use super::judgement::{is_near, sentences};
use super::layout::{Layout, ROLES};
use super::plan::Plan;
use crate::bench::network::plan::Direction;
use crate::diag::harmless_line;
use crate::page::{Table, paragraph};
use crate::units::{Bytes, BytesPerSecond, Seconds, significant};

/// The most lock waits, and utilisations of the model, that are listed.
const LISTED: usize = 8;

pub(super) fn seconds(value: f64) -> String {
    Seconds::new(value).to_string()
}

/// A measured mean over its prediction.
pub(super) fn ratio(kind: &KindOfWork) -> String {
    kind.mean_ratio
        .map_or_else(|| "–".to_owned(), |ratio| significant(ratio, 2))
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
        (Some(low), Some(high)) => format!(
            "{} ({} to {})",
            seconds(span.value),
            seconds(low),
            seconds(high)
        ),
        _ => seconds(span.value),
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{} %", significant(share * 100.0, 2))
}

/// What a plan will do, in a sentence.
pub fn plan_sentence(plan: &Plan) -> String {
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
pub fn plan_kinds(plan: &Plan) -> Table {
    let mut table = Table::new(&["kind of work", ">planned 1/s"]);
    for planned in &plan.kinds {
        let rate = planned
            .per_s
            .map_or_else(|| "always in flight".to_owned(), |r| significant(r, 3));
        table.row(vec![harmless_line(&planned.work.to_string()), rate]);
    }
    table
}

/// What a plan will do.
pub fn plan_text(plan: &Plan, layout: &Layout) -> String {
    let mut out = paragraph(&plan_sentence(plan), 0);
    for (role, name) in ROLES.iter().enumerate() {
        let path = harmless_line(&layout.place(role).path.to_string_lossy());
        let _infallible = writeln!(out, "  {name:<8} {path}");
    }
    if let Some(clients) = &plan.settings.clients {
        let _infallible = writeln!(
            out,
            "  {:<8} {}",
            "clients",
            harmless_line(&clients.address)
        );
    }
    out.push('\n');
    out.push_str(&plan_kinds(plan).text());
    for note in &plan.notes {
        out.push_str(&paragraph(&format!("Note: {note}."), 2));
    }
    out
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

/// Everything that is said of a rehearsal, in its order: the same on the terminal and in the window.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// What was rehearsed, where the clients were, what became of the load, measured and predicted.
    pub opening: Vec<String>,
    /// Each kind of work, measured beside predicted.
    pub times: Table,
    /// How that table is read.
    pub about_times: Vec<String>,
    /// How well it was predicted, in two sentences.
    pub judgement: [String; 2],
    /// Kinds of work that are off, and by what.
    pub differences: Vec<String>,
    /// Where the mean time goes: each cell has what was measured and what was predicted.
    pub causes: Table,
    /// Who waited for whom at table locks; none where nobody did.
    pub waits: Option<Table>,
    /// How busy what was, by the kernel's counters.
    pub busy: Table,
    /// The same by the model; empty where it predicts nothing.
    pub predicted_busy: Table,
    /// Processor time of a unit of work on this machine.
    pub units: Table,
    /// What is to know before the numbers are believed.
    pub notes: Vec<String>,
}

/// What is said of the waits where there were none.
const NO_WAITS: &str = "No command waited for a table.";

/// Everything that is said of a rehearsal.
pub fn said(found: &Rehearsed) -> Said {
    let (times, about_times) = times(found);
    let notes = found.environment.warnings.iter().chain(&found.notes);
    let notes = notes.map(|note| format!("{}.", harmless_line(note)));
    let last = format!("{}; {}.", found.environment.processes, found.locked_by);
    Said {
        opening: opening(found),
        times,
        about_times,
        judgement: sentences(found),
        differences: found.kinds.iter().filter_map(difference).collect(),
        causes: causes(found),
        waits: waits(found),
        busy: busy(found),
        predicted_busy: predicted_busy(found),
        units: units(found),
        notes: notes.chain([last]).collect(),
    }
}

/// The whole answer.
pub fn text(found: &Rehearsed) -> String {
    let said = said(found);
    let mut out = String::new();
    for sentence in &said.opening {
        out.push_str(&paragraph(sentence, 0));
    }
    out.push('\n');
    out.push_str(&said.times.text());
    for about in &said.about_times {
        out.push_str(&paragraph(about, 2));
    }
    out.push_str(&paragraph(&said.judgement.join(" "), 2));
    for line in &said.differences {
        out.push_str(&paragraph(line, 2));
    }
    out.push('\n');
    out.push_str(&said.causes.text());
    out.push_str("  measured | predicted\n");
    match &said.waits {
        None => {
            let _infallible = writeln!(out, "\n{NO_WAITS}");
        }
        Some(waits) => {
            out.push_str("\nWho waited for whom at table locks:\n");
            out.push_str(&waits.text());
        }
    }
    out.push_str("\nUtilisation:\n");
    out.push_str(&said.busy.text());
    if !said.predicted_busy.rows.is_empty() {
        out.push_str(&said.predicted_busy.text());
    }
    out.push_str("\nProcessor time of a unit of work on this machine:\n");
    out.push_str(&said.units.text());
    for note in &said.notes {
        out.push_str(&paragraph(&format!("Note: {note}"), 2));
    }
    out
}

fn opening(found: &Rehearsed) -> Vec<String> {
    let mut said = vec![format!(
        "Rehearsal of {} at {} of its peak load, data at {} of its size: {} clients, {} measured after {} of warm-up.",
        harmless_line(&found.site),
        percent(found.load_ratio),
        percent(found.scale_ratio),
        found.clients,
        seconds(found.measured_s),
        seconds(found.warm_up_s)
    )];
    said.extend(found.environment.clients.as_ref().map(network_in_words));
    let measured = if found.saturated {
        "saturated: work came faster than it was done"
    } else {
        "carried"
    };
    said.push(format!(
        "Measured: {measured} (rate of commands: {}).",
        found.verdict
    ));
    let predicted = match &found.predicted_saturated {
        Some(why) => format!("saturated: {why}"),
        None => "carried".to_owned(),
    };
    said.push(format!("Predicted for this machine: {predicted}."));
    said
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

/// Where the clients were, and the network to them.
pub(super) fn network_in_words(clients: &ClientsHost) -> String {
    let network = &clients.network;
    let trips = network.round_trips.iter();
    let trip = trips.min_by_key(|trip| trip.message_bytes);
    let trip = trip.map_or_else(|| "–".to_owned(), |trip| seconds(trip.latency_s.p50));
    let best = |direction: Direction| {
        let found = network.bandwidths.iter();
        let rates = found.filter(|found| found.direction == direction);
        let best = rates.map(|found| found.bytes_per_s.median).reduce(f64::max);
        best.map_or_else(|| "–".to_owned(), |b| BytesPerSecond::new(b).to_string())
    };
    let busy = clients.busy_fraction.map_or_else(String::new, |busy| {
        format!("; its processors {} busy meanwhile", percent(busy))
    });
    format!(
        "Clients on {}: round trip {trip}, {} to it and {} from it, measured before the load{busy}.",
        harmless_line(&clients.address),
        best(Direction::Upload),
        best(Direction::Download)
    )
}

/// Each kind of work, and how the table is read.
fn times(found: &Rehearsed) -> (Table, Vec<String>) {
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
        table.row(vec![
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
            inside(kind).to_owned(),
        ]);
    }
    let mut about = Vec::new();
    let missed = found.kinds.iter().filter(|kind| kind.commands == 0).count();
    if missed > 0 {
        about.push(format!(
            "{missed} kinds of work are too rare for the measured time; a longer --time or a higher --load shows them."
        ));
    }
    about.push(
        "mean, p95, p99: of the measured responses; ratio: measured mean over predicted; inside: the measured mean lies in the \
         prediction's 80 % interval, or its own reaches into it. --format json has all intervals."
            .to_owned(),
    );
    (table, about)
}

fn causes(found: &Rehearsed) -> Table {
    let mut table = Table::new(&[
        "where the mean time goes",
        ">locks",
        ">storage",
        ">processor",
        ">network",
    ]);
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
    table
}

fn waits(found: &Rehearsed) -> Option<Table> {
    if found.locks.is_empty() {
        return None;
    }
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
    Some(table)
}

fn busy(found: &Rehearsed) -> Table {
    let mut table = Table::new(&["measured", ">busy", ">requests 1/s", ">bytes/s"]);
    for one in &found.utilised {
        let optional =
            |x: Option<f64>, show: fn(f64) -> String| x.map_or_else(|| "–".to_owned(), show);
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
    let mut table = Table::new(&[
        "kind of work",
        "layout",
        ">mean",
        ">predicted",
        ">p95",
        "mean, 80 % interval",
    ]);
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
    format!(
        "The same arrivals and sizes on each layout:\n{}",
        table.text()
    )
}
