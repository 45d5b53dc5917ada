//! What the deployment does at the peak, and when the load rises.

use super::{Block, Grid, Section, Told};
use crate::advisor::Chosen;
use crate::report::chart::{busy_bars, plain};
use crate::report::chart_lines::response_charts;
use crate::report::prediction_text::{LOCK_HEADS, busy_locks, few_wait_long, percent};
use crate::report::response::{confirmation, long_holds, responses};
use crate::units::Seconds;

/// Bars that say something.
const BARS: usize = 8;

pub(super) fn peak(told: &Told<'_>, chosen: &Chosen) -> Section {
    let mut table = Grid::new(&[
        "kind of work",
        ">mean",
        ">p95",
        ">80 % interval",
        ">p95 simulated",
        ">target",
        "",
        ">per s",
        "where the time goes",
    ]);
    for row in responses(&chosen.prediction, Some(told.inputs.site)) {
        let (target, verdict) = row.target.map_or_else(Default::default, |target| {
            let verdict = target.verdict();
            (target.limit, verdict)
        });
        table.row(vec![
            row.name,
            row.mean,
            row.p95,
            row.interval,
            row.simulated,
            target,
            verdict,
            row.per_second,
            row.parts,
        ]);
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
    blocks.extend(confirmation(&chosen.prediction).map(Block::Note));
    blocks.extend(long_holds(&chosen.prediction).into_iter().map(Block::Note));
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
