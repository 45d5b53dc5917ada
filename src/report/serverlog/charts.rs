//! Plots of a server log: commands over the hours, where the time goes, waits by table.

use crate::page::{Axis, Bar, BarsData, ChartData, Measure, Series};
use crate::serverlog::analysis::Findings;

/// Most points of a line.
const POINTS: usize = 2000;

/// Commands of each hour and how many run at once, by hours from the log's beginning; none of a single hour.
pub(super) fn over_time(findings: &Findings) -> Option<ChartData> {
    let hours = &findings.hours;
    let first = hours.first()?.at;
    let width_h = findings.hour_s as f64 / 3600.0;
    let end = hours.last()?.at.seconds_since(first) / 3600.0 + width_h;
    if hours.len() < 2 || hours.len() > POINTS {
        return None;
    }
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut last = f64::NEG_INFINITY;
    for hour in hours {
        let x = hour.at.seconds_since(first) / 3600.0;
        // Hours without a command are not in the list.
        if x > last + 1.5 * width_h && last.is_finite() {
            points.push((last + width_h, 0.0));
            points.push((x - width_h * 0.5, 0.0));
        }
        points.push((x + width_h * 0.5, hour.starts as f64));
        last = x;
    }
    let most = points.iter().map(|p| p.1).fold(1.0, f64::max);
    Some(ChartData {
        title: format!("Commands by hour, from {first}"),
        x: Axis {
            label: "hours from the beginning".to_owned(),
            measure: Measure::Years,
            log: false,
            range: (0.0, end),
        },
        y: Axis {
            label: "commands an hour".to_owned(),
            measure: Measure::Number,
            log: false,
            range: (0.0, most * 1.1),
        },
        series: vec![Series { name: "called by people and scripts".to_owned(), index: 0, points, band: Vec::new() }],
        marks: Vec::new(),
    })
}

/// Shares of the time of commands.
pub(super) fn time(findings: &Findings) -> Option<BarsData> {
    let parts = &findings.parts;
    if parts.lapse_s <= 0.0 {
        return None;
    }
    let mut named = parts.named().to_vec();
    named.sort_by(|a, b| b.2.total_cmp(&a.2));
    let bars = named.into_iter().filter(|(.., s)| *s > 0.0).map(|(id, title, s)| Bar {
        label: if id == "rest" { "storage and the rest (estimate)".to_owned() } else { title.to_owned() },
        value: s / parts.lapse_s,
        note: title.to_owned(),
        about: String::new(),
        emphasis: id == "lock_wait",
    });
    Some(BarsData {
        title: "Where the time of commands goes".to_owned(),
        measure: Measure::Share,
        full: 1.0,
        bars: bars.collect(),
    })
}

/// Waits by table.
pub(super) fn waits(findings: &Findings) -> Option<BarsData> {
    let waited = |sum: &crate::serverlog::analysis::TableSum| sum.read_wait_s.0 + sum.write_wait_s.0;
    let tables = findings.tables.rows.iter();
    let bars: Vec<Bar> = tables
        .filter(|(_, sum)| waited(sum) > 0.0)
        .take(12)
        .map(|(name, sum)| Bar {
            label: super::words::name(name),
            value: waited(sum),
            note: "waited for it".to_owned(),
            about: String::new(),
            emphasis: false,
        })
        .collect();
    let full = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    (!bars.is_empty()).then(|| BarsData {
        title: "Waits by table and lock file".to_owned(),
        measure: Measure::Time,
        full,
        bars,
    })
}
