//! Limits in the order in which they come.

use crate::advisor::OverTime;
use crate::units::Seconds;

/// Something that gives way, or does not.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitRow {
    /// What.
    pub what: String,
    /// "in 2.3 years".
    pub when: String,
    /// More about it.
    pub about: String,
    /// Whether it comes before the horizon that is looked at.
    pub is_before: bool,
    /// The answer that brings it.
    pub origin: &'static str,
    /// When \[years from today\]; infinite beyond a century.
    pub(super) years: f64,
}

/// The answer by which load grows.
const LOAD_GROWS_BY: &str = "data.db_growth";

/// All, the earliest first.
pub(super) fn limits(over_time: &OverTime, horizon: f64) -> Vec<LimitRow> {
    let row = |what: String, at: Option<f64>, about: String, origin| LimitRow {
        what,
        origin,
        when: when(at),
        about,
        is_before: at.is_some_and(|at| at < horizon),
        years: at.unwrap_or(f64::INFINITY),
    };
    let headroom = &over_time.headroom;
    let factor = crate::page::Measure::Times.show(headroom.factor);
    let mut all = vec![row(
        headroom.limit.to_string(),
        headroom.reached_in.map(Seconds::in_years),
        format!("at {factor} today's peak load"),
        LOAD_GROWS_BY,
    )];
    all.extend(headroom.memory_later().map(|memory| {
        let factor = crate::page::Measure::Times.show(memory.factor);
        row(
            memory.short.to_string(),
            memory.reached_in.map(Seconds::in_years),
            format!("at {factor} today's peak load"),
            LOAD_GROWS_BY,
        )
    }));
    for limit in &headroom.capacity {
        let mut about = vec![format!("{} usable", limit.usable)];
        if limit.data_reduction != 1.0 {
            let reduction = crate::units::significant(limit.data_reduction, 2);
            about.push(format!("counting on data reduction {reduction} to 1"));
        }
        about.extend(limit.to_buy.clone());
        all.push(row(
            format!("{} is full", limit.store),
            limit.full_in.map(Seconds::in_years),
            about.join("; "),
            limit.grows_by,
        ));
    }
    if let Some((at, why)) = &over_time.saturated {
        all.push(row(
            why.clone(),
            Some(*at),
            "overloaded from then on".to_owned(),
            LOAD_GROWS_BY,
        ));
    }
    all.sort_by(|a, b| {
        a.years
            .total_cmp(&b.years)
            .then_with(|| a.what.cmp(&b.what))
    });
    all
}

fn trimmed(years: f64) -> String {
    let shown = crate::units::significant(years, 2);
    shown.strip_suffix(".0").unwrap_or(&shown).to_owned()
}

/// "in 2.3 years".
pub(super) fn when(at: Option<f64>) -> String {
    match at {
        None => "not within a century".to_owned(),
        Some(at) if at <= 0.0 => "today".to_owned(),
        Some(at) if at < 1.0 => format!("in {:.0} months", (at * 12.0).ceil()),
        Some(at) => format!("in {} years", trimmed(at)),
    }
}
