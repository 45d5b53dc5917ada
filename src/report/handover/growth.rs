//! The years: how the load grows and how stores fill.

use super::{Block, Grid, Section, Told};
use crate::advisor::Chosen;
use crate::report::advice_text::size;
use crate::report::chart_lines::{load_chart, stores_chart};
use crate::units::significant;

pub(super) fn growth(told: &Told<'_>, chosen: &Chosen) -> Section {
    let h = &chosen.headroom;
    let site = told.inputs.site;
    let reached = h
        .reached_in
        .map_or("never at the stated growth".to_owned(), |t| {
            format!("in {t}")
        });
    let mut blocks = vec![Block::Text(format!(
        "With {} for the load and the database and {} for the depots, the load reaches {} × today's peak {reached}; then \
         {}. The equipment is bought for {}.",
        site.data.db_growth.value,
        site.data.depot_growth.value,
        significant(h.factor, 3),
        h.limit,
        site.horizon.time.value.to_string().replace(".00 ", " "),
    ))];
    if let Some(views) = told.views {
        blocks.push(Block::Chart(load_chart(&views.outlook)));
        blocks.push(Block::Chart(stores_chart(&views.outlook)));
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
