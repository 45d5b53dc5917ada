//! The section of the hand-over report that rehearsals make: where and when, a table, a chart, and two sentences.

use super::answer::{Environment, KindOfWork, Rehearsed, Span};
use super::judgement::sentences;
use super::shown::{difference_in_words, inside, note, percent, ratio, seconds};
use crate::diag::harmless_line;
use crate::page::{Across, Axis, Block, ChartData, Mark, Measure, Section, Series, Table};

/// Rehearsals as a section of the report on a site of this name.
pub fn section(all: &[Rehearsed], site: &str) -> Option<Section> {
    if all.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::Text(
        "The site's load was put on real volumes without p4d, as real table locks, pages, journal commits, archive files and sockets. \
         The prediction is of the machine on which that ran, from probes made minutes before."
            .to_owned(),
    )];
    for found in all {
        if all.len() > 1 {
            let on = harmless_line(&found.environment.db_folder);
            blocks.push(Block::Heading(format!("{} on {on}", date(found))));
        }
        blocks.extend(one(found, site));
    }
    Some(Section { anchor: "rehearsal", title: "Rehearsal", appendix: false, blocks })
}

/// "2026-11-26 20:17 UTC".
fn date(found: &Rehearsed) -> String {
    let when = harmless_line(&found.when);
    match when.split_once('T') {
        Some((day, time)) => {
            let minutes: String = time.chars().take(5).collect();
            format!("{day} {minutes} UTC")
        }
        None => when,
    }
}

fn one(found: &Rehearsed, site: &str) -> Vec<Block> {
    let kinds: Vec<&KindOfWork> = found.kinds.iter().filter(|k| k.commands > 0).collect();
    let mut blocks = vec![Block::Text(conditions(found)), Block::Text(place(&found.environment))];
    if found.site != site {
        let theirs = harmless_line(&found.site);
        blocks.push(Block::Note(format!("This rehearsal is of another site, {theirs}: compare with care.")));
    }
    blocks.push(Block::Text(sentences(found).join(" ")));
    blocks.push(Block::Table(table(&kinds)));
    blocks.extend(chart(&kinds).map(Block::Chart));
    blocks.push(Block::Note(
        "Mean response times; bands and ranges hold 80 %. Inside: the measured mean lies in the prediction's range, or its own range \
         reaches into it. The cause is that by which both differ most."
            .to_owned(),
    ));
    let warnings = found.environment.warnings.iter();
    blocks.extend(warnings.map(|text| note(text)));
    blocks
}

fn conditions(found: &Rehearsed) -> String {
    format!(
        "Measured on {} with plimsoll {}: {} of {}'s peak load and {} of its data, {} clients, {} after {} of warm-up.",
        date(found),
        harmless_line(&found.tool),
        percent(found.load_ratio),
        harmless_line(&found.site),
        percent(found.scale_ratio),
        found.clients,
        seconds(found.measured_s),
        seconds(found.warm_up_s)
    )
}

fn place(environment: &Environment) -> String {
    let processor = environment.host.processor.as_deref();
    let processor = processor.map_or_else(String::new, |name| format!(" ({})", harmless_line(name)));
    let folders = [
        ("database", &environment.db_folder),
        ("journal", &environment.journal_folder),
        ("archives", &environment.depot_folder),
    ];
    let devices = environment.devices.iter().map(Some).chain(std::iter::repeat(None));
    let volumes: Vec<String> = folders
        .into_iter()
        .zip(devices)
        .map(|((role, folder), device)| {
            let device = device.map_or_else(String::new, |d| format!(" ({})", harmless_line(d)));
            format!("{role} in {}{device}", harmless_line(folder))
        })
        .collect();
    format!("Host: {} processors{processor}; {}. Clients on the same host.", environment.cores, volumes.join(", "))
}

fn span(span: Option<Span>) -> [String; 2] {
    let Some(Span { value, low, high }) = span else {
        return ["–".to_owned(), String::new()];
    };
    let range = low.zip(high);
    let range = range.map_or_else(String::new, |(low, high)| format!("{} to {}", seconds(low), seconds(high)));
    [seconds(value), range]
}

fn table(kinds: &[&KindOfWork]) -> Table {
    let mut table = Table::new(&[
        ">",
        "kind of work",
        ">commands",
        ">measured",
        ">80 % range",
        ">predicted",
        ">80 % range",
        ">ratio",
        "inside",
        "differs by (measured, predicted)",
    ]);
    for (number, kind) in (1..).zip(kinds) {
        let [measured, around] = span(kind.measured_mean_s);
        let [predicted, within] = span(kind.predicted_mean_s);
        table.row(vec![
            number.to_string(),
            harmless_line(&kind.class),
            kind.commands.to_string(),
            measured,
            around,
            predicted,
            within,
            ratio(kind),
            inside(kind).to_owned(),
            difference_in_words(kind),
        ]);
    }
    table
}

/// Measured and predicted means as two lines over the rows of the table; none of fewer than two rows.
fn chart(kinds: &[&KindOfWork]) -> Option<ChartData> {
    type Mean = fn(&KindOfWork) -> Option<Span>;
    let lines: [(&str, Mean); 2] =
        [("measured", |kind| kind.measured_mean_s), ("predicted", |kind| kind.predicted_mean_s)];
    let series = lines.into_iter().enumerate().map(|(index, (name, mean))| {
        let spans = (1..).zip(kinds).filter_map(|(n, kind)| {
            let span = mean(kind).filter(|span| span.value > 0.0)?;
            Some((f64::from(n), span))
        });
        let spans: Vec<(f64, Span)> = spans.collect();
        let band = spans.iter().map(|(x, span)| {
            let (low, high) = (span.low, span.high);
            (*x, low.unwrap_or(span.value), high.unwrap_or(span.value))
        });
        Series {
            name: name.to_owned(),
            index,
            band: band.collect(),
            points: spans.iter().map(|(x, span)| (*x, span.value)).collect(),
        }
    });
    let series: Vec<Series> = series.filter(|series| series.points.len() > 1).collect();
    let values = series.iter().flat_map(|series| {
        let ends = series.band.iter().flat_map(|(_, low, high)| [*low, *high]);
        ends.chain(series.points.iter().map(|(_, y)| *y))
    });
    let shown = values.filter(|y| *y > 0.0);
    let (low, high) = shown.fold((f64::INFINITY, 0.0_f64), |(low, high), y| (low.min(y), high.max(y)));
    if series.is_empty() {
        return None;
    }
    let marks = (1..=kinds.len()).map(|n| Mark {
        at: n as f64,
        across: Across::X,
        label: n.to_string(),
        series: None,
        limit: false,
    });
    Some(ChartData {
        title: "Mean response, measured and predicted".to_owned(),
        x: Axis {
            label: "kind of work, by its number in the table".to_owned(),
            measure: Measure::Number,
            log: false,
            range: (0.5, kinds.len() as f64 + 0.5),
        },
        y: Axis {
            label: "mean response".to_owned(),
            measure: Measure::Time,
            log: true,
            range: (low / 1.3, high * 1.3),
        },
        series,
        marks: marks.collect(),
    })
}
