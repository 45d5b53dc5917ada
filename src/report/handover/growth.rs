//! The years: how the load grows and how stores fill.

use super::{Block, Grid, Section, Told};
use crate::advisor::Chosen;
use crate::report::advice_text::size;
use crate::report::chart::{ChartData, Series};
use crate::report::chart_lines::{load_chart, stores_chart};
use crate::units::significant;

pub(super) fn growth(told: &Told<'_>, chosen: &Chosen) -> Section {
    let h = &chosen.headroom;
    let site = told.inputs.site;
    let factor = significant(h.factor, 3);
    let reached = h.reached_in.map_or_else(
        || {
            format!(
                "never reaches {factor} × today's peak, at which {}",
                h.limit
            )
        },
        |t| format!("reaches {factor} × today's peak in {t}; then {}", h.limit),
    );
    let mut blocks = vec![Block::Text(format!(
        "With {} for the load and the database and {} for the depots, the load {reached}. The equipment is bought \
         for {}.",
        site.data.db_growth.value,
        site.data.depot_growth.value,
        site.horizon.time.value.to_string().replace(".00 ", " "),
    ))];
    let outlook = told.views.map(|views| &views.outlook);
    if let Some(outlook) = outlook {
        let later = h.memory_later().and_then(|m| Some((m, m.reached_in?)));
        let drawn = later.filter(|(_, reached)| reached.in_years() <= outlook.years);
        blocks.extend(drawn.map(|(memory, reached)| {
            Block::Text(format!(
                "Memory lasts until {} × today's peak, reached in {reached}; then {}.",
                significant(memory.factor, 3),
                memory.why
            ))
        }));
        // A line that stays where it is tells nothing.
        let grows = |chart: &ChartData| {
            let rises = |s: &Series| s.points.first().map(|p| p.1) != s.points.last().map(|p| p.1);
            chart.series.iter().any(|s| rises(s) || !s.band.is_empty())
        };
        let charts = [load_chart(outlook), stores_chart(outlook)];
        blocks.extend(charts.into_iter().filter(grows).map(Block::Chart));
    }
    let mut table = Grid::new(&[
        "store",
        ">holds",
        ">needs at the horizon",
        ">full in",
        "counts on",
        "to be bought",
    ]);
    for limit in &h.capacity {
        let reduced = if limit.data_reduction > 1.0 {
            format!("{}:1 data reduction", limit.data_reduction)
        } else {
            String::new()
        };
        table.row(vec![
            limit.store.clone(),
            size(limit.usable),
            size(limit.needed),
            limit
                .full_in
                .map_or("> 100 years".to_owned(), |t| t.to_string()),
            reduced,
            limit.to_buy.clone().unwrap_or_default(),
        ]);
    }
    blocks.push(Block::Table(table.filled()));
    Section {
        anchor: "growth",
        title: "Over the years",
        blocks,
    }
}
