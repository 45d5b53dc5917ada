//! The table as a page.

use std::fmt::Write;

use super::coverage::{Coverage, EVENTS, RUNS};
use super::{Case, Row};

type Section = (&'static str, Vec<Case>, Vec<Vec<Row>>);

const HEAD: &str = "\
# Published answers

What textbooks, papers and other tools print, and what this program says. The test
`cargo test --no-default-features reference_table -- --nocapture` makes this page and fails when a figure
is off by more than its tolerance, which is half a unit of the last printed digit unless a source
rounded on the way.

X throughput, R response time (at a station: a visit; V·R all visits), Q and L number of customers, Lq
those who wait, Wq their wait, U utilization, p0 nobody there, pK turned away, a load in erlangs. Error
is ours less the published figure. Beside it, for networks: the sum over all states where they are
few (exact, without recursion), the relative errors of the Linearizer and of Schweitzer's
approximation, and a simulation of about 500,000 events from a fixed seed with its 95 % interval
(of a class' number at a station there is none).

[OQ] quotes the tests of octave-queueing 1.2.7, [LV] those of LQNS 6.2, [JX] the example models of JMT.
";

pub(super) fn page(sections: &[Section], coverages: &[Coverage]) -> String {
    let mut page = HEAD.to_owned();
    let all = || sections.iter().flat_map(|(.., rows)| rows.iter().flatten());
    let n_cases: usize = sections.iter().map(|(_, cases, _)| cases.len()).sum();
    // Distances in half-widths.
    let simulated: Vec<f64> = all()
        .filter_map(|row| {
            let found = row.simulated.filter(|_| row.has_interval)?;
            Some((found.value - row.truth).abs() / found.half_width)
        })
        .collect();
    write!(
        page,
        "\n{n_cases} cases, {} figures; {} within tolerance. {} of {} simulated figures lie within \
         their 95 % interval, the farthest {:.1} half-widths from the answer.\n",
        all().count(),
        all().filter(|row| row.is_ok()).count(),
        simulated.iter().filter(|distance| **distance <= 1.0).count(),
        simulated.len(),
        simulated.iter().copied().fold(0.0, f64::max),
    )
    .unwrap();
    for (title, cases, rows) in sections {
        write!(page, "\n## {title}\n\n| case | what | source |\n|---|---|---|\n").unwrap();
        for case in cases {
            writeln!(page, "| {} | {} | {} |", case.id, case.what, case.source).unwrap();
        }
        figures(&mut page, rows);
    }
    covered(&mut page, coverages);
    page
}

/// How often intervals hold the truth.
fn covered(page: &mut String, coverages: &[Coverage]) {
    write!(
        page,
        "\n## Intervals\n\n{RUNS} simulations of each of these cases, of about {EVENTS:.0} events and with \
         other seeds: how many of their 95 % intervals hold the exact answer, and by how many standard \
         errors the mean of all of them is off.\n\n| case | figure | exact | held | off |\n\
         | --- | --- | --- | --- | --- |\n"
    )
    .unwrap();
    for row in coverages {
        writeln!(
            page,
            "| {} | {} | {} | {:.1} % | {:+.1} |",
            row.id,
            row.figure,
            digits(row.truth, 7),
            row.held as f64 / RUNS as f64 * 100.0,
            row.bias
        )
        .unwrap();
    }
}

/// A column: its head and what it says of a row.
type Column = (&'static str, fn(&Row) -> String);

const ALWAYS: [Column; 7] = [
    ("case", |row| row.id.to_owned()),
    ("figure", |row| row.figure.clone()),
    ("published", |row| row.published.to_owned()),
    ("ours", |row| digits(row.ours, 7)),
    ("error", error),
    ("tolerance", |row| digits(row.tolerance, 2)),
    ("ok", |row| if row.is_ok() { "yes" } else { "no" }.to_owned()),
];

const OF_NETWORKS: [Column; 3] = [
    ("states", |row| row.enumerated.map_or_else(none, |sum| digits(sum, 7))),
    ("Linearizer", |row| row.linearizer.map_or_else(none, percent)),
    ("Schweitzer", |row| row.schweitzer.map_or_else(none, percent)),
];

const SIMULATED: Column = ("simulated", |row| {
    row.simulated.map_or_else(none, |found| {
        if !row.has_interval {
            return digits(found.value, 4);
        }
        format!("{} ± {}", digits(found.value, 4), digits(found.half_width, 2))
    })
});

fn none() -> String {
    "–".to_owned()
}

fn percent(part: f64) -> String {
    let text = format!("{:+.2} %", part * 100.0);
    if text == "-0.00 %" { "+0.00 %".to_owned() } else { text }
}

fn figures(page: &mut String, rows: &[Vec<Row>]) {
    let rows = || rows.iter().flatten();
    let mut columns: Vec<Column> = ALWAYS.into();
    if rows().any(|row| row.enumerated.is_some() || row.linearizer.is_some()) {
        columns.extend(OF_NETWORKS);
    }
    if rows().any(|row| row.simulated.is_some()) {
        columns.push(SIMULATED);
    }
    page.push('\n');
    let mut line = |cells: Vec<String>| writeln!(page, "| {} |", cells.join(" | ")).unwrap();
    line(columns.iter().map(|(head, _)| (*head).to_owned()).collect());
    line(columns.iter().map(|_| "---".to_owned()).collect());
    for row in rows() {
        line(columns.iter().map(|(_, say)| say(row)).collect());
    }
}

fn error(row: &Row) -> String {
    let error = row.error();
    // Rounding of a last bit is not an error.
    if error.abs() < 1e-9 * row.ours.abs() { "0".to_owned() } else { digits(error, 2) }
}

/// So many significant digits.
fn digits(value: f64, count: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() < 1e-4 {
        return format!("{value:.*e}", count.min(2) as usize - 1);
    }
    let exponent = value.abs().log10().floor() as i32;
    let decimals = (count - 1 - exponent).clamp(0, 12);
    let text = format!("{value:.*}", decimals as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
