//! A plan, a result and a comparison as pages.

use std::fmt::Write as _;
use std::time::Duration;

use super::compare::{Comparison, differences};
use super::network::NetworkResult;
use super::network::plan::Direction;
use super::place::Place;
use super::plan::Plan;
use super::result::{Measured, Tested, Times};
use crate::diag::harmless_line;
use crate::page::{Block, Page, Section, Table};
use crate::units::{Bytes, BytesPerSecond, Seconds, grouped};

fn time(seconds: f64) -> String {
    Seconds::new(seconds).to_string()
}

fn rate(per_s: f64) -> String {
    match per_s {
        r if r <= 0.0 => "–".to_owned(),
        r if r < 10.0 => format!("{r:.2}"),
        r if r < 1000.0 => format!("{r:.0}"),
        r => grouped(r),
    }
}

/// Minutes and seconds.
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

/// How the note of a test begins that was left out.
pub(super) const NOT_MEASURED: &str = "not measured: ";

/// What a run would do.
pub fn plan_page(plan: &Plan, place: &Place) -> Page {
    let bytes = |bytes: u64| Bytes::new(bytes as f64);
    let free = place.space.map_or_else(String::new, |s| format!(" of {} free now", bytes(s.free)));
    let heading = format!(
        "{} tests of {} rounds of {} in {}: about {}, at most {} on the volume at a time; {} stay free{free}",
        plan.tests.len(),
        plan.rounds,
        Seconds::new(plan.round.as_secs_f64()),
        harmless_line(&place.path.to_string_lossy()),
        span(plan.time()),
        bytes(plan.bytes()),
        bytes(place.keep_free),
    );
    let rows = plan.tests.iter().map(|test| vec![test.to_string(), test.title(), test.threads.to_string()]);
    let table = Table::new(&["test", "what it does", ">threads"]).with(rows);
    Page::new(heading, vec![Section::new("tests", "Tests", [table.into()])])
}

/// A result.
pub fn page(measured: &Measured) -> Page {
    if let Some(network) = &measured.network {
        return network_page(network);
    }
    let about = format!("{}, {}", measured.environment.summary(), measured.when);
    let (done, left_out): (Vec<&Tested>, Vec<&Tested>) = measured.tests.iter().partition(|t| t.iops > 0.0);
    let (blocks, others): (Vec<&Tested>, Vec<&Tested>) = done.into_iter().partition(|t| t.block_bytes.is_some());
    let legend = "a second: median of the rounds; p50, p99, max: in the closed loop; open p99: from when an operation \
                  was due, at 70 % of the closed loop's rate";
    let sections = vec![
        Section::untitled([Block::text(about)].into_iter().chain(notes(&measured.warnings))),
        Section::new("blocks", "Blocks", tests(&blocks)),
        Section::new("others", "Journal, locks, names, submit, processor", tests(&others)),
        Section::new("parts", "Parts of an operation", parts(&others)),
        Section::new("left-out", "Not measured", not_measured(&left_out)),
        Section::untitled([Block::Note(legend.to_owned())]),
    ];
    Page::new(harmless_line(&measured.folder), sections)
}

/// What a reader should know of a result.
fn notes(all: &[String]) -> impl Iterator<Item = Block> {
    all.iter().map(|note| Block::Note(format!("note: {note}")))
}

/// What was left out, by reason.
fn not_measured(tests: &[&Tested]) -> Vec<Block> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for test in tests {
        let reason = test.notes.join("; ");
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, ids)) => ids.push(&test.id),
            None => reasons.push((reason, vec![&test.id])),
        }
    }
    let said = reasons.iter().map(|(reason, ids)| {
        let reason = reason.strip_prefix(NOT_MEASURED).unwrap_or(reason);
        Block::text(format!("{}: {reason}", ids.join(", ")))
    });
    said.collect()
}

/// Tests of one kind; nothing where there are none.
fn tests(tests: &[&Tested]) -> Option<Block> {
    let heads = ["test", ">a second", ">p50", ">p99", ">max", ">commit p50", ">open p99", "verdict"];
    let rows = tests.iter().map(|test| row(test));
    Table::new(&heads).with(rows).unless_empty()
}

fn row(test: &Tested) -> Vec<String> {
    let shown = |times: Option<&Times>, of: fn(&Times) -> f64| times.map_or_else(|| "–".to_owned(), |t| time(of(t)));
    let latency = test.latency_s.as_ref();
    let mut verdict = test.verdict.title().to_owned();
    if let Some(sustained) = test.flushed_iops {
        let _infallible = write!(verdict, "; {} with the flush", rate(sustained));
    }
    for note in &test.notes {
        let _infallible = write!(verdict, "; {note}");
    }
    vec![
        test.id.clone(),
        rate(test.iops),
        shown(latency, |t| t.p50),
        shown(latency, |t| t.p99),
        shown(latency, |t| t.max),
        test.part("commit").map_or_else(|| "–".to_owned(), |p| time(p.p50)),
        shown(test.open_loop.as_ref().map(|o| &o.latency_s), |t| t.p99),
        verdict,
    ]
}

/// The parts of operations that have several.
fn parts(tests: &[&Tested]) -> Option<Block> {
    let several = tests.iter().filter(|test| test.parts.len() > 1);
    let rows = several.flat_map(|test| {
        test.parts.iter().map(move |part| {
            let times = [part.p50, part.p99, part.max].map(time);
            [test.id.clone(), part.part.clone()].into_iter().chain(times).collect()
        })
    });
    Table::new(&["test", "part", ">p50", ">p99", ">max"]).with(rows).unless_empty()
}

/// Two results side by side.
pub fn comparison_page(first: &Measured, second: &Measured, compared: &[Comparison]) -> Page {
    let about = |one: &Measured| harmless_line(&format!("{}, {}", one.folder, one.when));
    let differ = differences(first, second);
    let differ = (!differ.is_empty()).then(|| Block::Note(format!("other differences: {}", differ.join(", "))));
    let heads = ["test", ">A a second", ">B a second", ">B over A", "95 % interval", "B is"];
    let rows = compared.iter().map(|one| {
        let interval = one.interval.map_or_else(|| "–".to_owned(), |[low, high]| format!("{low:.2} – {high:.2}"));
        vec![
            one.id.clone(),
            rate(one.iops[0]),
            rate(one.iops[1]),
            format!("{:.2}", one.ratio),
            interval,
            one.verdict.title().to_owned(),
        ]
    });
    let table = Table::new(&heads).with(rows).unless_empty();
    let table = table.unwrap_or_else(|| Block::text("no test was measured in both"));
    Page::new(
        format!("A: {}; B: {}", about(first), about(second)),
        vec![Section::untitled(differ), Section::new("tests", "Tests", [table])],
    )
}

/// Round trips and bandwidths between two hosts.
fn network_page(result: &NetworkResult) -> Page {
    let trips = result.round_trips.iter().map(|trip| {
        let latency = &trip.latency_s;
        vec![
            Bytes::new(trip.message_bytes as f64).to_string(),
            time(latency.p50),
            time(latency.p99),
            time(latency.p99_9),
            time(latency.max),
            format!("{} – {}", time(trip.p50_s.low), time(trip.p50_s.high)),
        ]
    });
    let heads = ["message", ">p50", ">p99", ">p99.9", ">max", ">p50 of the rounds"];
    let trips = Table::new(&heads).with(trips);
    let bandwidths = result.bandwidths.iter().map(|one| {
        let direction = match one.direction {
            Direction::Upload => "to it",
            Direction::Download => "from it",
        };
        let window = one.window_bytes.map_or_else(|| "the kernel's".to_owned(), |w| Bytes::new(w as f64).to_string());
        let found = &one.bytes_per_s;
        let rates = [found.median, found.low, found.high];
        let rates = rates.map(|bytes| BytesPerSecond::new(bytes).to_string());
        let mut row = vec![direction.to_owned(), window, one.streams.to_string()];
        row.extend(rates);
        row
    });
    let heads = ["direction", "window", ">streams", ">median", ">lowest", ">highest"];
    let bandwidths = Table::new(&heads).with(bandwidths);
    Page::new(
        format!("{} to {}", result.local, result.peer),
        vec![
            Section::untitled(notes(&result.notes)),
            Section::new("round-trips", "Round trips", [trips.into()]),
            Section::new("bandwidth", "Bandwidth", [bandwidths.into()]),
        ],
    )
}
