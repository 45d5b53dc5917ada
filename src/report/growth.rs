//! The years ahead in figures: what they are at a horizon, and which limits come when.

use super::peak::led;
use crate::advisor::{Advice, Driver, LoadPoint, OverTime};
use crate::page::{Cell, Measure, Table, Tone, between, short_share};
use crate::site::Site;
use crate::units::{Seconds, significant};

/// The answer by which load grows.
const LOAD_GROWS_BY: &str = "data.db_growth";

/// The figures at a horizon \[years\]: load, the first limit, what slows down most, the fullest store.
pub fn growth_figures(site: &Site, advice: &Advice, over_time: &OverTime, horizon: f64) -> Table {
    let figures = [
        load(over_time, horizon),
        first_limit(site, over_time, horizon),
        slowest(advice, over_time, horizon),
        fullest(site, over_time, horizon),
    ];
    let mut table = Table::new(&["", ""]);
    for (label, figure) in figures.into_iter().flatten() {
        table.linked(String::new(), vec![Cell::plain(label), figure]);
    }
    table
}

/// What it is, and the figure with what explains it.
type Figure = (String, Cell);

fn figure(text: String, below: String, is_bad: bool) -> Cell {
    let tone = if is_bad { Tone::Bad } else { Tone::Plain };
    Cell::plain(text).below(below).toned(tone)
}

/// The same that comes from an answer.
fn from_answer(figure: Cell, id: &str) -> Cell {
    figure.about(id, format!("Depends most on {id}."))
}

fn load(over_time: &OverTime, horizon: f64) -> Option<Figure> {
    let load_and_stores = &over_time.load_and_stores;
    let times = |factor: f64| Measure::Times.show(factor);
    let line = |of: fn(&LoadPoint) -> f64| {
        let points: Vec<(f64, f64)> = load_and_stores.load.iter().map(|p| (p.years, of(p))).collect();
        between(&points, horizon)
    };
    let (value, low, high) = (line(|p| p.factor.value)?, line(|p| p.factor.low)?, line(|p| p.factor.high)?);
    let range = if high > low { format!("{} to {}; ", times(low), times(high)) } else { String::new() };
    let carries = load_and_stores.carries.0;
    let shown = figure(times(value), format!("{range}carries {}", times(carries)), value > carries);
    Some((format!("Peak load in {}", Seconds::years(horizon)), from_answer(shown, LOAD_GROWS_BY)))
}

fn first_limit(site: &Site, over_time: &OverTime, horizon: f64) -> Option<Figure> {
    let first = all(site, over_time).into_iter().next()?;
    let shown = figure(when(site, first.at), first.what, first.at.is_some_and(|at| at < horizon));
    Some(("First limit".to_owned(), from_answer(shown, first.origin)))
}

/// The kind of work that grows slowest to answer, as a multiple of today.
fn slowest(advice: &Advice, over_time: &OverTime, horizon: f64) -> Option<Figure> {
    let classes = over_time.classes.iter().filter(|class| class.work.target().is_some());
    let grown = classes.filter_map(|class| {
        let points: Vec<(f64, f64)> = class.points.iter().map(|p| (p.years, p.time.value)).collect();
        Some((class, points.first()?.1, between(&points, horizon)))
    });
    // No answer at the horizon is the slowest of all.
    let ratio = |today: f64, then: Option<f64>| then.map_or(f64::INFINITY, |then| then / today);
    let (class, today, then) = grown.max_by(|a, b| ratio(a.1, a.2).total_cmp(&ratio(b.1, b.2)))?;
    let show = |time: f64| Measure::Time.show(time);
    let want = class.target.as_ref();
    let wanted = want.map_or(String::new(), |want| format!(", {} {}", want.word(), show(want.limit)));
    let is_bad = match (then, want) {
        (Some(then), Some(want)) => then > want.limit,
        (then, _) => then.is_none(),
    };
    let shown = then.map_or_else(|| "saturated".to_owned(), show);
    let shown = figure(shown, format!("today {}{wanted}", show(today)), is_bad);
    let driver = Driver::nearest(advice, None, &class.name);
    Some((format!("Slows down most: {}, p95", class.name), led(shown, "", driver)))
}

fn fullest(site: &Site, over_time: &OverTime, horizon: f64) -> Option<Figure> {
    let used = over_time.load_and_stores.stores.iter().filter_map(|store| {
        let points: Vec<(f64, f64)> = store.points.iter().map(|p| (p.years, p.used.value)).collect();
        Some((store, between(&points, horizon)?))
    });
    let (store, used) = used.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let shown = figure(short_share(used), format!("{} of {} usable", store.store, site.size(store.usable)), used > 1.0);
    let mut limits = over_time.headroom.capacity.iter();
    let grows_by = limits.find(|limit| limit.store == store.store).map(|limit| limit.grows_by);
    Some(("Fullest store".to_owned(), grows_by.map_or(shown.clone(), |id| from_answer(shown, id))))
}

/// Something that gives way, or does not.
struct Limit {
    /// What.
    what: String,
    /// More about it.
    about: String,
    /// When \[years from today\]; none beyond a century.
    at: Option<f64>,
    /// The answer that brings it.
    origin: &'static str,
}

/// What gives way when, the earliest first; what comes before the horizon \[years\] stands out.
pub fn limits_table(site: &Site, over_time: &OverTime, horizon: f64) -> Table {
    let mut table = Table::new(&["when", "what gives way"]);
    for limit in all(site, over_time) {
        let is_before = limit.at.is_some_and(|at| at < horizon);
        let at = figure(when(site, limit.at), String::new(), is_before).strong();
        let what = figure(limit.what, limit.about, is_before);
        table.linked(String::new(), vec![from_answer(at, limit.origin), what]);
    }
    table
}

/// All limits, the earliest first.
fn all(site: &Site, over_time: &OverTime) -> Vec<Limit> {
    let headroom = &over_time.headroom;
    let peak = over_time.load_and_stores.peak.peak();
    let at_load = |factor: f64| format!("at {} {peak} load", Measure::Times.show(factor));
    let mut all = vec![Limit {
        what: headroom.limit.to_string(),
        about: at_load(headroom.factor),
        at: headroom.reached_in.map(Seconds::in_years),
        origin: LOAD_GROWS_BY,
    }];
    all.extend(headroom.memory_later().map(|memory| Limit {
        what: memory.short.to_string(),
        about: at_load(memory.factor),
        at: memory.reached_in.map(Seconds::in_years),
        origin: LOAD_GROWS_BY,
    }));
    all.extend(headroom.capacity.iter().map(|limit| {
        let reduction = limit.data_reduction;
        let counting =
            (reduction != 1.0).then(|| format!("counting on data reduction {} to 1", significant(reduction, 2)));
        let about =
            std::iter::once(format!("{} usable", site.size(limit.usable))).chain(counting).chain(limit.to_buy.clone());
        Limit {
            what: format!("{} is full", limit.store),
            about: about.collect::<Vec<_>>().join("; "),
            at: limit.full_in.map(Seconds::in_years),
            origin: limit.grows_by,
        }
    }));
    all.extend(over_time.saturated.as_ref().map(|(at, why)| Limit {
        what: why.clone(),
        about: "overloaded from then on".to_owned(),
        at: Some(*at),
        origin: LOAD_GROWS_BY,
    }));
    let years = |limit: &Limit| limit.at.unwrap_or(f64::INFINITY);
    all.sort_by(|a, b| years(a).total_cmp(&years(b)).then_with(|| a.what.cmp(&b.what)));
    all
}

/// "about 2030", as every other answer says it; "today", "in 4 months".
fn when(site: &Site, at: Option<f64>) -> String {
    match at {
        None => "not within a century".to_owned(),
        Some(at) if at <= 0.0 => "today".to_owned(),
        Some(at) => site.horizon.when(Seconds::years(at)),
    }
}
