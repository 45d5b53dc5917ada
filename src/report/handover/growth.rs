//! The years: how the load grows and how stores fill.

use super::{Block, Cell, ReportSource, Section};
use crate::page::{ChartData, Series};
use crate::report::answer::Answer;
use crate::report::chart_lines::{CHART_LINES, load_chart, stores_chart, with_horizon};

/// Whether a chart shows a change: a line that stays where it is says nothing.
pub(super) fn rises(chart: &ChartData) -> bool {
    let rises = |s: &Series| s.points.first().map(|p| p.1) != s.points.last().map(|p| p.1);
    chart.series.iter().any(|s| rises(s) || !s.band.is_empty())
}

pub(super) fn growth(source: &ReportSource<'_>, answer: &Answer) -> Section {
    let site = source.inputs.site;
    let stated = |is_stated: bool| if is_stated { "" } else { " (assumed)" };
    let (db, depot) = (&site.data.db_growth, &site.data.depot_growth);
    let mut blocks = vec![Block::Text(format!(
        "Growth of load and database: {}{}. Growth of the depots: {}{}. The equipment is bought for {}. Bands are \
         the ranges of assumed growth.",
        db.value,
        stated(db.is_stated()),
        depot.value,
        stated(depot.is_stated()),
        site.horizon.time.value
    ))];
    let limits = answer.limits.iter();
    let limits = limits.map(|limit| Cell::plain(super::limit(limit)));
    let there = answer.as_it_is.iter();
    let there = there.map(|there| Cell::plain(format!("As it is today: {}", there.text)));
    blocks.push(Block::Points(limits.chain(there).collect()));
    if let Some(curves) = source.curves {
        let years = &curves.load_and_stores;
        let charts = [load_chart(years), stores_chart(years, CHART_LINES)].map(|chart| with_horizon(chart, years));
        blocks.extend(charts.into_iter().filter(rises).map(Block::Chart));
    }
    if answer.limits.iter().any(|limit| limit.what == "space") {
        blocks.push(Block::Note("A store is full when its headroom and snapshot reserve are used up too.".to_owned()));
    }
    Section { anchor: "growth", title: "Over the years", appendix: false, blocks }
}
