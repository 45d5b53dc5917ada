//! What the growth panel shows.

use super::charts::charts;
use crate::desktop::engine::Engine;
use crate::desktop::panels::waiting;
use crate::desktop::state::State;
use crate::page::{ChartData, Table};
use crate::report::{growth_figures, limits_table};
use crate::site::Site;

/// The panel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Why there is nothing to show.
    pub waiting: Option<String>,
    /// Whether what-if changes are in what is shown.
    pub is_changed: bool,
    /// Years that are looked ahead.
    pub horizon: f64,
    /// Years that the site's equipment is bought for.
    pub bought_for: f64,
    /// How fast the site grows, and whether that was assumed.
    pub growth: String,
    /// The figures at the horizon.
    pub figures: Table,
    /// Load, response times and stores over the years.
    pub charts: Vec<ChartData>,
    /// What gives way, the earliest first.
    pub limits: Table,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State, _engine: &Engine) -> Self {
        let mut data = Self { waiting: waiting(state), ..Self::default() };
        let Some(advised) = state.lanes.advice.answer().filter(|_| data.waiting.is_none()) else {
            return data;
        };
        let site = &advised.site;
        data.bought_for = site.horizon.time.value.in_years();
        data.horizon = state.scenario.horizon_years.unwrap_or(data.bought_for);
        data.growth = growth(site);
        let Some(grown) = state.lanes.growth.answer() else {
            let words = state.lanes.growth.problem().unwrap_or("Computing growth…");
            data.waiting = Some(words.to_owned());
            return data;
        };
        let over_time = &grown.over_time;
        data.is_changed = !grown.change.is_none();
        data.limits = limits_table(site, over_time, data.horizon);
        data.figures = growth_figures(site, &advised.advice, over_time, data.horizon);
        data.charts = charts(over_time).into();
        data
    }
}

/// "database 25 %/year (assumed: 10 to 40 %/year), depots 30 %/year".
fn growth(site: &Site) -> String {
    let answers = [("database", &site.data.db_growth), ("depots", &site.data.depot_growth)];
    let words = answers.map(|(what, answer)| {
        let value = answer.value;
        if answer.low == answer.high {
            format!("{what} {value}")
        } else {
            format!("{what} {value} (assumed: {} to {})", answer.low, answer.high)
        }
    });
    words.join(", ")
}
