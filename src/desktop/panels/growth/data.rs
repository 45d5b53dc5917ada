//! What the growth panel shows.

use super::charts::charts;
use super::limits::{LimitRow, limits, when};
use crate::advisor::Driver;
use crate::advisor::OverTime;
use crate::desktop::answer::Advised;
use crate::desktop::engine::Engine;
use crate::desktop::panels::waiting;
use crate::desktop::state::State;
use crate::page::between;
use crate::page::{ChartData, Measure};
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
    pub tiles: Vec<Tile>,
    /// Load, response times and stores over the years.
    pub charts: Vec<ChartData>,
    /// What gives way, the earliest first.
    pub limits: Vec<LimitRow>,
}

/// A figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    /// What it is.
    pub title: String,
    /// The figure.
    pub value: String,
    /// More about it.
    pub about: String,
    /// Whether something is wrong.
    pub is_bad: bool,
    /// Where it comes from.
    pub origin: Option<String>,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State, _engine: &Engine) -> Self {
        let mut data = Self {
            waiting: waiting(state),
            ..Self::default()
        };
        let Some(advised) = state
            .lanes
            .advice
            .answer()
            .filter(|_| data.waiting.is_none())
        else {
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
        data.limits = limits(over_time, data.horizon);
        data.tiles = tiles(advised, over_time, &data.limits, data.horizon);
        data.charts = charts(over_time).into();
        data
    }
}

/// "database 25 %/year (assumed: 10 to 40 %/year), depots 30 %/year".
fn growth(site: &Site) -> String {
    let answers = [
        ("database", &site.data.db_growth),
        ("depots", &site.data.depot_growth),
    ];
    let words = answers.map(|(what, answer)| {
        let value = answer.value;
        if answer.low == answer.high {
            format!("{what} {value}")
        } else {
            format!(
                "{what} {value} (assumed: {} to {})",
                answer.low, answer.high
            )
        }
    });
    words.join(", ")
}

fn tiles(advised: &Advised, over_time: &OverTime, limits: &[LimitRow], horizon: f64) -> Vec<Tile> {
    let mut tiles = Vec::new();
    let load_and_stores = &over_time.load_and_stores;
    let times = |factor: f64| Measure::Times.show(factor);
    let line = |of: fn(&crate::advisor::LoadPoint) -> f64| {
        let points: Vec<(f64, f64)> = load_and_stores
            .load
            .iter()
            .map(|p| (p.years, of(p)))
            .collect();
        between(&points, horizon)
    };
    if let (Some(value), Some(low), Some(high)) = (
        line(|p| p.factor.value),
        line(|p| p.factor.low),
        line(|p| p.factor.high),
    ) {
        let range = if high > low {
            format!("{} to {}; ", times(low), times(high))
        } else {
            String::new()
        };
        tiles.push(Tile {
            title: format!("Peak load {}", when(Some(horizon))),
            value: times(value),
            about: format!("{range}carries {}", times(load_and_stores.carries.0)),
            is_bad: value > load_and_stores.carries.0,
            origin: Some("data.db_growth".to_owned()),
        });
    }
    if let Some(first) = limits.first() {
        tiles.push(Tile {
            title: "First limit".to_owned(),
            value: first.when.clone(),
            about: first.what.clone(),
            is_bad: first.is_before,
            origin: Some(first.origin.to_owned()),
        });
    }
    tiles.extend(slowest(advised, over_time, horizon));
    tiles.extend(fullest(over_time, horizon));
    tiles
}

/// The kind of work that grows slowest to answer, as a multiple of today.
fn slowest(advised: &Advised, over_time: &OverTime, horizon: f64) -> Option<Tile> {
    let classes = over_time
        .classes
        .iter()
        .filter(|class| class.work.target().is_some());
    let grown = classes.filter_map(|class| {
        let points: Vec<(f64, f64)> = class
            .points
            .iter()
            .map(|p| (p.years, p.time.value))
            .collect();
        let today = points.first()?.1;
        Some((class, today, between(&points, horizon)))
    });
    // No answer at the horizon is the slowest of all.
    let ratio = |today: f64, then: Option<f64>| then.map_or(f64::INFINITY, |then| then / today);
    let (class, today, then) = grown.max_by(|a, b| ratio(a.1, a.2).total_cmp(&ratio(b.1, b.2)))?;
    let show = |time: f64| Measure::Time.show(time);
    let measure = if class.by_mean() { "mean" } else { "p95" };
    let advice = &advised.advice;
    let chosen = advice.chosen.as_ref();
    let driver = chosen.and_then(|chosen| Driver::of(advice, &chosen.prediction, &class.name));
    Some(Tile {
        title: format!("Slows down most: {}, {measure}", class.name),
        value: then.map_or_else(|| "saturated".to_owned(), show),
        about: match &class.target {
            Some(want) => {
                format!(
                    "today {}, {} {}",
                    show(today),
                    want.word(),
                    show(want.limit)
                )
            }
            None => format!("today {}", show(today)),
        },
        is_bad: match (then, &class.target) {
            (Some(then), Some(want)) => then > want.limit,
            (then, _) => then.is_none(),
        },
        origin: driver.map(|driver| driver.id),
    })
}

fn fullest(over_time: &OverTime, horizon: f64) -> Option<Tile> {
    let stores = over_time.load_and_stores.stores.iter();
    let used = stores.filter_map(|store| {
        let points: Vec<(f64, f64)> = store
            .points
            .iter()
            .map(|p| (p.years, p.used.value))
            .collect();
        Some((store, between(&points, horizon)?))
    });
    let (store, used) = used.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut limits = over_time.headroom.capacity.iter();
    let grows_by = limits.find(|limit| limit.store == store.store);
    Some(Tile {
        title: "Fullest store".to_owned(),
        value: crate::page::short_share(used),
        about: format!("{} of {} usable", store.store, store.usable),
        is_bad: used > 1.0,
        origin: grows_by.map(|limit| limit.grows_by.to_owned()),
    })
}
