//! Makes the results of a change from the analytic answer, the simulated one, and the advice.

use super::outcome::{Chart, Outcome};
use crate::advisor::Curve;
use crate::desktop::answer::{Advised, Checked, REPLICATIONS, Tried};
use crate::page::{Series, Whisker};
use crate::report::{ResponseChart, Simulated, WhatIf, carried, estimate, response_charts};
use crate::sim::Stopped;
use crate::units::significant;

/// What an outcome is made from.
pub(super) struct Found<'a> {
    pub(super) advised: &'a Advised,
    pub(super) tried: &'a Tried,
    /// Its response times over the load; those of the change before until its own are computed.
    pub(super) curve: &'a Curve,
    /// Simulated, if it is of the same change.
    pub(super) checked: Option<&'a Checked>,
    /// Whether more of that is to come.
    pub(super) is_checking: bool,
    /// Why nothing could be simulated.
    pub(super) problem: Option<&'a str>,
}

impl Found<'_> {
    pub(super) fn outcome(&self) -> Outcome {
        let after = self.tried.after.prediction.as_ref();
        let less = self.tried.carries.as_deref();
        let told = WhatIf {
            advice: &self.advised.advice,
            before: &self.tried.before.prediction,
            after: after.ok().or(less.map(|less| &less.prediction)),
            at: less.map_or(1.0, |less| less.factor),
            is_changed: !self.tried.change.is_none(),
            curve: self.curve,
            checked: self.simulated(),
        };
        Outcome {
            saturated: after.err().map(ToString::to_string),
            short: self.tried.after.short.clone(),
            carries: self.carries(),
            times: told.times(),
            charts: self.charts(),
            busy: told.busy(),
            locks: told.locks(),
            simulation: self.simulation(),
        }
    }

    fn simulated(&self) -> Option<Simulated<'_>> {
        let checked = self.checked?;
        Some(Simulated {
            prediction: &checked.prediction,
            activities: &checked.activities,
            outcome: checked.outcome.as_ref(),
        })
    }

    fn carries(&self) -> String {
        let shown = |stop: Option<&crate::advisor::Stop>| match stop {
            Some(stop) => format!("{} times its peak load", significant(stop.factor, 2)),
            None => "more than 64 times its peak load".to_owned(),
        };
        let (before, after) = (&self.tried.before.curve, self.curve);
        if self.tried.after.prediction.is_err() {
            let less = self.tried.carries.as_ref();
            return less.map_or(String::new(), |less| {
                let carried = carried(&self.tried.after.site, less.factor, "keeps up with");
                format!("{carried} Figures below are at that load.")
            });
        }
        let now = shown(after.limit.as_ref());
        let why = after.limit.as_ref().map_or(String::new(), |stop| format!("; then {}", stop.why));
        if self.tried.change.is_none() {
            return format!("Carries {now}{why}.");
        }
        format!("Carries {now} (before: {}){why}.", shown(before.limit.as_ref()))
    }

    fn charts(&self) -> Vec<Chart> {
        let mut before =
            if self.tried.change.is_none() { Vec::new() } else { response_charts(&self.tried.before.curve) };
        let charts = response_charts(self.curve).into_iter();
        charts
            .map(|mut found| {
                let whiskers = self.whiskers(&found);
                let place = before.iter().position(|b| b.office == found.office);
                let before = place.map(|place| before.swap_remove(place).chart);
                let data = &mut found.chart;
                if let Some(before) = &before {
                    let (x, y) = (&mut data.x.range, &mut data.y.range);
                    // What was is shown too, unless that would press what is into a corner.
                    x.1 = x.1.max(before.x.range.1.min(x.1 * 1.5));
                    y.0 = y.0.min(before.y.range.0);
                    y.1 = y.1.max(before.y.range.1);
                }
                Chart { whiskers, before: before.map_or_else(Vec::new, |before| before.series), data: found.chart }
            })
            .collect()
    }

    fn whiskers(&self, of_office: &ResponseChart) -> Vec<Whisker> {
        let simulated = self.simulated();
        let of = |series: &Series| {
            let found = estimate(simulated?.of(of_office.lines.get(series.index)?)?)?;
            if found.relative() > VAGUE {
                return None;
            }
            let y = (found.low().max(0.0), found.value, found.high());
            y.2.is_finite().then_some(Whisker { index: series.index, x: 1.0, y })
        };
        of_office.chart.series.iter().filter_map(of).collect()
    }

    fn simulation(&self) -> String {
        if self.tried.after.prediction.is_err() {
            return "not simulated: overloaded".to_owned();
        }
        if let Some(problem) = self.problem {
            return format!("not simulated: {problem}");
        }
        let Some(outcome) = self.checked.and_then(|checked| checked.outcome.as_ref()) else {
            return if self.is_checking { "simulating…" } else { "" }.to_owned();
        };
        if outcome.stopped == Stopped::Unsteady {
            return match &outcome.pile {
                Some(pile) => format!("simulated: overloaded: {pile}"),
                None => "simulated: overloaded, no steady state was found".to_owned(),
            };
        }
        let events = significant(outcome.events as f64 / 1e6, 2);
        let more = if self.is_checking { ", more to come…" } else { "" };
        let done = self.checked.map_or(0, |checked| checked.replications);
        format!("simulated: {done} of {REPLICATIONS} runs, {events} million events{more}")
    }
}

/// Simulated times with a larger error are not drawn.
const VAGUE: f64 = 1.0;
