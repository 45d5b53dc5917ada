//! What the deployment does at the peak, and when the load rises.

use super::{Block, Grid, Section, Told};
use crate::advisor::{Chosen, ClassCurve};
use crate::report::chart::{busy_bars, plain};
use crate::report::chart_lines::response_charts;
use crate::report::prediction_text::{LOCK_HEADS, busy_locks, few_wait_long, kind_word, percent};
use crate::system::{ClassPrediction, Interval};
use crate::units::{BytesPerSecond, Seconds, significant};

/// Bars that say something.
const BARS: usize = 8;

pub(super) fn peak(told: &Told<'_>, chosen: &Chosen) -> Section {
    let curves = told.views.map_or(&[][..], |v| &v.curve.classes);
    let classes = &chosen.prediction.classes;
    let shown = classes.iter().filter(|c| c.work.is_awaited());
    let mut table = Grid::new(&[
        "kind of work",
        ">mean",
        ">p95",
        ">80 % interval",
        ">target",
        "",
        ">per s",
        "where the time goes",
    ]);
    for class in shown {
        let curve = curves.iter().find(|c| c.work == class.work);
        table.row(row(class, curve));
    }
    let mut blocks = vec![
        Block::Table(table.filled()),
        Block::Note(format!(
            "A submit of {} files holds the commit section for {}: everybody waits. {} of db pages and {} of archive \
             bytes are found in the server's memory.",
            told.inputs.site.workload.largest_submit_files.value,
            Seconds::new(chosen.largest_commit),
            percent(chosen.prediction.db_hit),
            percent(chosen.prediction.depot_hit)
        )),
    ];
    blocks.extend(few_wait_long(&chosen.prediction).map(Block::Note));
    if let Some(views) = told.views {
        let charts = response_charts(&views.curve);
        blocks.push(Block::Heading("When the load rises".to_owned()));
        blocks.extend(charts.into_iter().map(|found| Block::Chart(found.chart)));
        blocks.push(Block::Text(rising(told, chosen)));
    }
    let bars = busy_bars(&chosen.prediction, BARS);
    if !bars.bars.is_empty() {
        blocks.push(Block::Heading("How busy".to_owned()));
        blocks.push(Block::Bars(bars, true));
    }
    blocks.extend(locks(chosen).map(Block::Table));
    Section {
        anchor: "peak",
        title: "At the peak",
        blocks,
    }
}

fn row(class: &ClassPrediction, curve: Option<&ClassCurve>) -> Vec<String> {
    let target = curve.and_then(|c| Some((c.target?, c.by_mean)));
    let (target, verdict) = match target {
        None => (String::new(), String::new()),
        Some((target, by_mean)) => {
            let time = if by_mean { class.mean } else { class.p95 };
            let met = if time.value <= target {
                "met"
            } else {
                "missed"
            };
            let of = if by_mean { " (mean)" } else { "" };
            (format!("{}{of}", Seconds::new(target)), met.to_owned())
        }
    };
    let spent: f64 = class.parts.iter().map(|(_, s)| s).sum();
    let parts: Vec<String> = class
        .parts
        .iter()
        .filter(|(_, s)| *s > 0.05 * spent)
        .take(3)
        .map(|(kind, s)| format!("{} {:.0} %", kind_word(*kind), s / spent * 100.0))
        .collect();
    let rate = class.rate.filter(|_| class.work.is_large_sync());
    let each = rate.map_or(String::new(), |r| {
        format!(", {} each", BytesPerSecond::new(r))
    });
    vec![
        format!("{}{each}", class.name),
        Seconds::new(class.mean.value).to_string(),
        Seconds::new(class.p95.value).to_string(),
        ends(class.p95),
        target,
        verdict,
        significant(class.throughput, 2),
        parts.join(", "),
    ]
}

/// "25.8 ms – 1.79 s".
fn ends(interval: Interval) -> String {
    if interval.low >= interval.high {
        return String::new();
    }
    let shown = |s: f64| Seconds::new(s).to_string();
    format!("{} – {}", shown(interval.low), shown(interval.high))
}

fn rising(told: &Told<'_>, chosen: &Chosen) -> String {
    let h = &chosen.headroom;
    let knee = told.views.map(|v| &v.curve.knee);
    let knee = knee.filter(|k| k.factor <= 100.0).map_or(String::new(), |k| {
        format!(
            " Large syncs apart, which take what there is, {} would be fully busy at {} × (the knee).",
            k.why,
            plain(k.factor, 3)
        )
    });
    format!(
        "It carries {} × today's peak; then {}.{knee} Where intervals are drawn, they hold 80 %.",
        plain(h.factor, 3),
        h.limit
    )
}

/// The busiest locks; nothing where none is used.
fn locks(chosen: &Chosen) -> Option<Grid> {
    let mut table = Grid::new(&LOCK_HEADS);
    for row in busy_locks(&chosen.prediction) {
        table.row(row);
    }
    (!table.rows.is_empty()).then_some(table)
}
