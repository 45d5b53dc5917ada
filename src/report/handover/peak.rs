//! What the deployment does at the peak, and when the load rises.

use super::{Block, Section, Table, Told};
use crate::advisor::{Chosen, Views};
use crate::page::{Across, ChartData, Measure, short_share};
use crate::report::answer::Answer;
use crate::report::bars::busy_bars;
use crate::report::chart_lines::{ResponseChart, response_charts};
use crate::report::prediction_text::{LOCK_HEADS, busy_locks, few_wait_long, large_syncs};
use crate::report::prose::grouped;
use crate::report::response::{confirmation, long_holds, responses};
use crate::system::Interval;
use crate::units::Seconds;

/// Bars that say something.
const BARS: usize = 8;

pub(super) fn peak(told: &Told<'_>, chosen: &Chosen, answer: &Answer) -> Section {
    let site = told.inputs.site;
    let mut blocks = vec![
        Block::Table(times(told, chosen, answer)),
        Block::Note(format!(
            "A submit of {} files holds the commit section for {}: all other commits wait. {} of the database pages \
             and {} of the archive bytes are read from the server's memory.",
            grouped(site.workload.largest_submit_files.value),
            Seconds::new(chosen.largest_commit).estimated(),
            short_share(chosen.prediction.db_hit),
            short_share(chosen.prediction.depot_hit)
        )),
    ];
    blocks.extend(confirmation(&chosen.prediction).map(Block::Note));
    blocks.extend(long_holds(&chosen.prediction).into_iter().map(Block::Note));
    blocks.extend(few_wait_long(&chosen.prediction).map(Block::Note));
    blocks.extend(large_syncs(&chosen.prediction, site).map(Block::Note));
    if let Some(views) = told.views {
        let charts = response_charts(&views.curve);
        blocks.push(Block::Heading("When the load rises".to_owned()));
        let charts = charts.into_iter().map(|found| with_targets(views, found));
        blocks.extend(charts.map(Block::Chart));
    }
    blocks.push(Block::Text(rising(told, chosen, answer)));
    let mut bars = busy_bars(&chosen.prediction, BARS);
    for bar in &mut bars.bars {
        bar.label = told.names.said(&bar.label);
    }
    if !bars.bars.is_empty() {
        blocks.push(Block::Heading("How busy".to_owned()));
        blocks.push(Block::Bars(bars, true));
    }
    blocks.extend(locks(chosen).map(Block::Table));
    Section {
        anchor: "peak",
        title: "At the peak",
        appendix: false,
        blocks,
    }
}

/// Response times of all kinds of work; those of the answer by its names.
fn times(told: &Told<'_>, chosen: &Chosen, answer: &Answer) -> Table {
    let mut table = Table::new(&[
        "kind of work",
        ">mean",
        ">95 % within",
        ">80 % interval",
        ">simulated",
        ">target",
        "",
        ">per s",
        "where the time goes",
    ]);
    let shown = |s: f64| Seconds::new(s).estimated();
    let interval = |p: Interval| {
        if p.low < p.high {
            format!("{} to {}", shown(p.low), shown(p.high))
        } else {
            String::new()
        }
    };
    for row in responses(&chosen.prediction, Some(told.inputs.site)) {
        let Some(class) = chosen.prediction.class(&row.work) else {
            continue;
        };
        let known = answer.work.iter().find(|w| w.work == row.work);
        let (target, verdict) = row.target.map_or_else(Default::default, |target| {
            let verdict = target.verdict();
            (target.limit, verdict)
        });
        table.row(vec![
            known.map_or(row.name, |w| w.name.clone()),
            shown(class.mean.value),
            shown(class.p95.value),
            interval(class.p95),
            row.simulated,
            target,
            verdict,
            row.per_second,
            row.parts,
        ]);
    }
    table.filled()
}

/// Each line with its target in its name: labels across would cover each other.
pub(super) fn with_targets(views: &Views, found: ResponseChart) -> ChartData {
    let ResponseChart {
        lines, mut chart, ..
    } = found;
    for series in &mut chart.series {
        let work = lines.get(series.index).map(|(work, _)| work);
        let class = views.curve.classes.iter().find(|c| Some(&c.work) == work);
        let name = series.name.trim_end_matches(", p95");
        series.name = match class.and_then(|c| c.target.as_ref()) {
            Some(want) => {
                let assumed = if want.is_assumed { " (assumed)" } else { "" };
                format!("{name} ≤ {}{assumed}", Measure::Time.show(want.limit))
            }
            None => name.to_owned(),
        };
    }
    for mark in chart.marks.iter_mut().filter(|m| m.across == Across::Y) {
        mark.label.clear();
    }
    chart.title = format!("{} (95 % within), and targets", chart.title);
    chart
}

fn rising(told: &Told<'_>, chosen: &Chosen, answer: &Answer) -> String {
    let h = &chosen.headroom;
    let knee = told.views.map(|v| &v.curve.knee);
    let knee = knee.map_or(String::new(), |k| match k.factor {
        f if f <= 100.0 => format!(
            " {} saturates at {} today's peak load (knee).",
            told.names.said(&k.why),
            Measure::Times.show(f)
        ),
        _ => " Nothing saturates below 100 × today's peak load.".to_owned(),
    });
    let limit = told.names.said(&h.limit.to_string());
    let limit = match (&answer.load_line, h.carried()) {
        (Some(line), Some(factor)) => format!(
            "The limit is {} today's peak load, {}: then {limit}.",
            Measure::Times.show(factor),
            line.limit_label
        ),
        _ => format!("At any load, {limit}."),
    };
    format!("{limit}{knee} Whiskers and bands hold 80 %.")
}

/// The busiest locks; nothing where none is used.
fn locks(chosen: &Chosen) -> Option<Table> {
    let mut table = Table::new(&LOCK_HEADS);
    for row in busy_locks(&chosen.prediction) {
        table.row(row);
    }
    (!table.rows.is_empty()).then_some(table)
}
