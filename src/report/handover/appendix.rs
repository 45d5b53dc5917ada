//! Appendices: the files of configuration, and every number with its origin.

use std::collections::BTreeMap;

use super::{Block, Cell, ReportSource, Section, Table};
use crate::origin::{Measurement, Origin};
use crate::posterior::NumberId;
use crate::report::prediction_json::each_number;
use crate::report::prose::capital;
use crate::system::Numbers;
use crate::units::{significant, two_digits};

/// Edges beyond these have the same files.
const EDGES: usize = 2;

/// How many numbers the prediction uses, by origin, and which were measured on the user's own hardware.
pub(super) fn rests(source: &ReportSource<'_>) -> Option<Section> {
    let used = &source.advice.chosen.as_ref()?.prediction.used;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for number in used.values() {
        *counts.entry(number.origin.kind()).or_default() += 1;
    }
    let counts: Vec<String> = counts.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let mut blocks = vec![Block::Text(format!(
        "{} numbers of the catalogue and the calibration: {}. The 80 % intervals combine their stated errors with the model's own \
         error, for the stated or assumed sizes and rates. The command plimsoll explain NAME shows the evidence of one.",
        used.len(),
        counts.join(", ")
    ))];
    let measured = measured_numbers(used);
    if !measured.is_empty() {
        blocks.push(Block::text("Measured by this program:"));
        blocks.push(Block::points(measured));
    }
    Some(Section::new("rests", "What the prediction rests on", blocks))
}

pub(super) fn configuration(source: &ReportSource<'_>) -> Option<Section> {
    let files = source.configuration;
    if files.is_empty() {
        return None;
    }
    let of_edges = files.iter().filter(|file| file.of_edge);
    let mut edges: Vec<&str> = of_edges.map(|f| f.server.as_str()).collect();
    edges.dedup();
    let left_out = edges.split_off(edges.len().min(EDGES));
    let mut blocks = vec![Block::Text(
        "The configuration lies in the folder config beside this report, where plimsoll report with \
         --configuration, or plimsoll advise with --out, has written it. Read each file before use: every line has \
         its reason above it, and plimsoll explain ID explains the ids in brackets."
            .to_owned(),
    )];
    let mut table = Table::new(&["file", "what it is for", ">lines"]);
    let mut server = "";
    for file in files {
        if left_out.contains(&file.server.as_str()) {
            continue;
        }
        if server != file.server {
            server = &file.server;
            table.title(capital(server));
        }
        table.row(vec![format!("config/{}", file.path()), capital(&file.title), file.lines.len().to_string()]);
    }
    blocks.push(Block::Table(table));
    if let Some(first) = left_out.first() {
        blocks.push(Block::Note(format!("From {first} on each edge has the same files in a folder of its own.")));
    }
    Some(Section { anchor: "configuration", title: "Configuration files", appendix: true, blocks })
}

/// The anchor of a number; empty if the prediction does not use it.
pub(super) fn number_anchor(source: &ReportSource<'_>, number: &NumberId) -> String {
    let Some(chosen) = &source.advice.chosen else {
        return String::new();
    };
    // Those of the prediction come first.
    let place = chosen.prediction.used.keys().position(|used| used == number);
    place.map_or(String::new(), |place| format!("number-{place}"))
}

pub(super) fn numbers(source: &ReportSource<'_>) -> Option<Section> {
    let chosen = source.advice.chosen.as_ref()?;
    let mut table = Table::small(&["number", ">value", ">±", "origin"]);
    for (i, n) in each_number(&chosen.prediction).enumerate() {
        let spread = if n.spread > 0.0 { format!("{}\u{a0}%", two_digits(n.spread * 100.0)) } else { String::new() };
        let cells = [n.shown, spread, n.origin.to_string()].map(Cell::plain);
        let name = Cell::plain(n.name).about(n.explained, "");
        table.linked(format!("number-{i}"), [name].into_iter().chain(cells).collect());
    }
    Some(Section {
        anchor: "numbers",
        title: "Numbers and their origins",
        appendix: true,
        blocks: vec![
            Block::Text(format!(
                "Every number of the catalogue, the calibration, the mix of commands and the criteria that this \
                 answer uses, with its one-sigma error. Solved by: {}.",
                chosen.prediction.method
            )),
            Block::Table(table),
        ],
    })
}

/// The numbers that were measured on the user's own hardware, a line each: what it is, and where and when.
fn measured_numbers(used: &Numbers) -> Vec<String> {
    let own = used.iter().filter_map(|(number, used)| match &used.origin {
        Origin::Measured { by } => Some((number, used, by)),
        _ => None,
    });
    own.map(|(number, used, by)| {
        let shown = match used.shown.parse::<f64>() {
            Ok(number) => significant(number, 3),
            Err(_) => used.shown.clone(),
        };
        format!("{number} {shown}: {}", by_place(by))
    })
    .collect()
}

/// Measurements, those of one place and day together: "measured on 2026-11-22 in srv-db (read.8k.random.1,
/// read.8k.random.4)".
fn by_place(measurements: &[Measurement]) -> String {
    let mut places: Vec<(&str, Vec<&str>)> = Vec::new();
    for Measurement { place, test } in measurements {
        let test = test.as_deref();
        match places.iter_mut().find(|(known, _)| known == place) {
            Some((_, tests)) => tests.extend(test),
            None => places.push((place, test.into_iter().collect())),
        }
    }
    let shown = places.iter().map(|(place, tests)| match tests.as_slice() {
        [] => (*place).to_owned(),
        tests => format!("{place} ({})", tests.join(", ")),
    });
    shown.collect::<Vec<_>>().join("; ")
}
