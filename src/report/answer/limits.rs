//! What ends the use of the deployment as it is: load, memory, space.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::prose::Sentences;
use super::AnswerSource;
use crate::advisor::Limit;
use crate::units::{Seconds, two_digits};

/// One limit.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LimitRow {
    /// "load", "memory" or "space".
    pub what: &'static str,
    /// "about 2032", "in about 6 years", "not at this growth".
    pub when: String,
    /// When, in years; nothing where growth does not get there within a century.
    pub in_years: Option<f64>,
    /// What happens then, and what to buy.
    pub text: Sentences,
}

impl AnswerSource<'_> {
    /// Soonest first.
    pub(super) fn limits(&self) -> Vec<LimitRow> {
        let Some(chosen) = &self.advice.chosen else {
            return Vec::new();
        };
        let h = &chosen.headroom;
        let mut rows = vec![self.row("load", h.reached_in, [h.limit.to_string()])];
        if let Some(memory) = h.memory_later() {
            let text = format!("{} has no memory left, at {}", memory.short.server, self.site.peak.load(memory.factor));
            rows.push(self.row("memory", memory.reached_in, [text]));
        }
        // What is enlarged while it is in use ends nothing.
        let fixed = h.capacity.iter().filter(|limit| !limit.is_elastic);
        rows.extend(fixed.map(|limit| self.space(limit)));
        let never = f64::INFINITY;
        rows.sort_by(|a, b| a.in_years.unwrap_or(never).total_cmp(&b.in_years.unwrap_or(never)));
        rows
    }

    fn row(&self, what: &'static str, time: Option<Seconds>, text: impl IntoIterator<Item = String>) -> LimitRow {
        LimitRow {
            what,
            when: time.map_or("not at this growth".to_owned(), |time| self.site.horizon.when(time)),
            in_years: time.map(Seconds::in_years),
            text: text.into_iter().collect(),
        }
    }

    fn space(&self, limit: &Limit) -> LimitRow {
        let [holds, needs] = [limit.usable, limit.needed].map(|b| self.size(b.get()));
        let horizon = self.site.horizon.time.value;
        let store = &limit.store;
        let room = if limit.is_full_at(&self.site.horizon) {
            format!("{store} full: {holds} usable, bought for the {needs} needed in {horizon}")
        } else {
            format!("{store} full: {holds} usable, {needs} needed in {horizon}")
        };
        let reduced = if limit.data_reduction > 1.01 {
            format!(", counting on a data reduction of {} : 1", two_digits(limit.data_reduction))
        } else {
            String::new()
        };
        let buy = match (limit.to_buy_until(&self.site.horizon), limit.more_at_horizon) {
            _ if limit.is_fixed => None,
            (Some(buy), _) => Some(format!("Buy {buy}")),
            (None, _) if limit.is_beyond_drives() => None,
            (None, more) if more > 0.0 => Some(format!("Buy {} more", drives(more))),
            _ => None,
        };
        let ends = if buy.is_some() { "." } else { "" };
        let full = format!("{room}{reduced}{ends}");
        self.row("space", limit.full_in, [full].into_iter().chain(buy))
    }
}

fn drives(count: f64) -> String {
    let plural = if count == 1.0 { "" } else { "s" };
    format!("{count:.0} drive{plural}")
}
