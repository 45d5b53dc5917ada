//! A plan, a result and a comparison as text for a terminal.
//!
//! Names of folders and what stands in a result file may be anything: nothing of it reaches the terminal as a command.

use std::fmt::Write as _;
use std::time::Duration;

use super::compare::{Comparison, differences};
use super::place::Place;
use super::plan::Plan;
use super::result::{Measured, Tested, Times};
use crate::diag::{harmless, harmless_line};
use crate::page::{Table, paragraph};
use crate::units::{Bytes, Seconds, grouped};

fn heading(out: &mut String, title: &str) {
    let _infallible = writeln!(out, "\n{title}\n{}", "═".repeat(title.chars().count()));
}

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
pub fn plan_text(plan: &Plan, place: &Place) -> String {
    let mut out = String::new();
    let bytes = |bytes: u64| Bytes::new(bytes as f64);
    let _infallible = writeln!(
        out,
        "{} tests of {} rounds of {} in {}: about {}, at most {} on the volume at a time; {} stay free{}",
        plan.tests.len(),
        plan.rounds,
        Seconds::new(plan.round.as_secs_f64()),
        harmless_line(&place.path.to_string_lossy()),
        span(plan.time()),
        bytes(plan.bytes()),
        bytes(place.keep_free),
        place
            .space
            .map_or_else(String::new, |s| format!(" of {} free now", bytes(s.free))),
    );
    let mut table = Table::new(&["test", "what it does", ">threads"]);
    for test in &plan.tests {
        table.row(vec![
            test.to_string(),
            test.title(),
            test.threads.to_string(),
        ]);
    }
    heading(&mut out, "Tests");
    out += &table.text();
    harmless(&out)
}

/// A result.
pub fn text(measured: &Measured) -> String {
    let mut out = String::new();
    let _infallible = writeln!(
        out,
        "{}\n{}, {}",
        harmless_line(&measured.folder),
        measured.environment.summary(),
        measured.when
    );
    for warning in &measured.warnings {
        out += &paragraph(&format!("note: {warning}"), 0);
    }
    let (done, left_out): (Vec<&Tested>, Vec<&Tested>) =
        measured.tests.iter().partition(|t| t.iops > 0.0);
    let (blocks, others): (Vec<&Tested>, Vec<&Tested>) =
        done.into_iter().partition(|t| t.block_bytes.is_some());
    out += &table("Blocks", &blocks);
    out += &table("Journal, locks, names, submit, processor", &others);
    out += &parts(&others);
    out += &not_measured(&left_out);
    out += "\n  a second: median of the rounds; p50, p99, max: in the closed loop; open p99: from when an operation \
            was due,\n  at 70 % of the closed loop's rate\n";
    harmless(&out)
}

/// What was left out, by reason.
fn not_measured(tests: &[&Tested]) -> String {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for test in tests {
        let reason = test.notes.join("; ");
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, ids)) => ids.push(&test.id),
            None => reasons.push((reason, vec![&test.id])),
        }
    }
    let mut out = String::new();
    if !reasons.is_empty() {
        heading(&mut out, "Not measured");
    }
    for (reason, ids) in reasons {
        let reason = reason.strip_prefix(NOT_MEASURED).unwrap_or(&reason);
        out += &paragraph(&format!("{}: {reason}", ids.join(", ")), 2);
    }
    out
}

/// Tests of one kind; nothing where there are none.
fn table(title: &str, tests: &[&Tested]) -> String {
    let mut out = String::new();
    if tests.is_empty() {
        return out;
    }
    heading(&mut out, title);
    let mut table = Table::new(&[
        "test",
        ">a second",
        ">p50",
        ">p99",
        ">max",
        ">commit p50",
        ">open p99",
        "verdict",
    ]);
    for test in tests {
        table.row(row(test));
    }
    out + &table.text()
}

fn row(test: &Tested) -> Vec<String> {
    let shown = |times: Option<&Times>, of: fn(&Times) -> f64| {
        times.map_or_else(|| "–".to_owned(), |t| time(of(t)))
    };
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
        test.part("commit")
            .map_or_else(|| "–".to_owned(), |p| time(p.p50)),
        shown(test.open_loop.as_ref().map(|o| &o.latency_s), |t| t.p99),
        verdict,
    ]
}

/// The parts of operations that have several.
fn parts(tests: &[&Tested]) -> String {
    let mut table = Table::new(&["test", "part", ">p50", ">p99", ">max"]);
    for test in tests.iter().filter(|t| t.parts.len() > 1) {
        for part in &test.parts {
            table.row(vec![
                test.id.clone(),
                part.part.clone(),
                time(part.p50),
                time(part.p99),
                time(part.max),
            ]);
        }
    }
    let mut out = String::new();
    if !table.is_empty() {
        heading(&mut out, "Parts of an operation");
        out += &table.text();
    }
    out
}

/// Two results side by side.
pub fn comparison_text(first: &Measured, second: &Measured, compared: &[Comparison]) -> String {
    let about = |one: &Measured| harmless_line(&format!("{}, {}", one.folder, one.when));
    let mut out = format!("A: {}\nB: {}\n", about(first), about(second));
    let differ = differences(first, second);
    if !differ.is_empty() {
        out += &paragraph(&format!("other differences: {}", differ.join(", ")), 0);
    }
    heading(&mut out, "Tests");
    let mut table = Table::new(&[
        "test",
        ">A a second",
        ">B a second",
        ">B over A",
        "95 % interval",
        "B is",
    ]);
    for one in compared {
        let interval = one.interval.map_or_else(
            || "–".to_owned(),
            |[low, high]| format!("{low:.2} – {high:.2}"),
        );
        table.row(vec![
            one.id.clone(),
            rate(one.iops[0]),
            rate(one.iops[1]),
            format!("{:.2}", one.ratio),
            interval,
            one.verdict.title().to_owned(),
        ]);
    }
    out += &table.text();
    if compared.is_empty() {
        out += "  no test was measured in both\n";
    }
    harmless(&out)
}
