//! How long to simulate until response times are known.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use plimsoll::sim::{self, ActivityOutcome, Model, Outcome, Run, Span, Stopped};
use serde::{Deserialize, Serialize};

/// A simulated mean that is known less well says nothing.
pub(super) const KNOWN: f64 = 0.10;
/// A large sync holds tables and fills links for minutes to hours, and other syncs share these with it for as long: a
/// steady state goes through so many of the longest one after the other. Large syncs all start at once; the warm-up
/// takes two or three.
pub(super) const LONGEST: f64 = 12.0;
/// Events of a run: at most where there are no large syncs, at least where there are some.
pub(super) const EVENTS: u64 = 3_000_000;
/// Events of a run after which what is not known yet is given up.
pub(super) const EVENTS_ENOUGH: f64 = 1e8;
/// How well means have to be known where one is outside: a wide interval is no excuse, and of many at 95 % some do not hold.
pub(super) const PRECISE: f64 = 0.03;
/// Events of a run after which that is given up.
pub(super) const EVENTS_PRECISE: f64 = 1.6e9;
/// A run that leaves something unknown is followed by one of so many times as many.
pub(super) const TIMES: u32 = 4;
/// So many times as many as enough where nothing is known.
pub(super) const TIMES_FOR_ANYTHING: f64 = 4.0;
/// Events at which a steady state is out of reach.
pub(super) const EVENTS_MAX: f64 = 3e9;

/// What came of a simulation.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Simulated {
    pub(super) end: End,
    /// How many were simulated, or would have to be.
    pub(super) events: f64,
    /// Kinds of work that are known: mean response time and half the width of its 95 % interval \[s\].
    pub(super) known: BTreeMap<String, (f64, f64)>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum End {
    Steady,
    /// Customers come faster than they leave.
    Unsteady,
    /// A steady state is out of reach.
    TooLong,
    /// It was not begun, since the analytic side says that the load is too much.
    NotBegun,
}

/// Rounded to four digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap()
}

impl Simulated {
    /// Nothing but how it ended.
    pub(super) fn nothing(end: End, events: f64) -> Self {
        Self {
            end,
            events,
            known: BTreeMap::new(),
        }
    }

    fn of(outcome: &Outcome) -> Self {
        let known = outcome
            .activities
            .iter()
            .filter(|found| found.response.relative() <= KNOWN);
        let known = known.map(|found| {
            let response = &found.response;
            let mean = rounded(response.value);
            (found.name.clone(), (mean, rounded(response.half_width)))
        });
        Self {
            end: if outcome.stopped == Stopped::Unsteady {
                End::Unsteady
            } else {
                End::Steady
            },
            events: outcome.events as f64,
            known: known.collect(),
        }
    }
}

/// How long to simulate so that large syncs come and go, or the events that it would take.
fn run_length(model: &Model, longest: Option<f64>) -> Result<Run, f64> {
    let Some(cycle) = longest else {
        return Ok(Run {
            span: Span::Steady { precision: 0.01 },
            events_max: EVENTS,
            ..Run::default()
        });
    };
    let time = LONGEST * cycle;
    let pilot = Run {
        span: Span::Until { time, piece: cycle },
        events_max: EVENTS / 10,
        ..Run::default()
    };
    let found = simulated(model, &pilot);
    let events = found.events as f64 * time / found.time;
    if events > EVENTS_MAX {
        return Err(events);
    }
    let time = time * (EVENTS as f64 / events).max(1.0);
    Ok(Run {
        span: Span::SteadyFor { time },
        // It ends by its time; this leaves room for runs that are longer.
        events_max: u64::MAX / 1024,
        ..Run::default()
    })
}

/// The same run, so many times as long, if it ended because it was not longer.
fn longer(run: &Run, times: u32, stopped: Stopped) -> Option<Run> {
    let span = match (&run.span, stopped) {
        (Span::SteadyFor { time }, Stopped::Done) => Span::SteadyFor {
            time: time * f64::from(times),
        },
        (Span::Steady { .. }, Stopped::Events) => run.span.clone(),
        _ => return None,
    };
    Some(Run {
        span,
        events_max: run.events_max * u64::from(times),
        ..run.clone()
    })
}

fn simulated(model: &Model, run: &Run) -> Outcome {
    let go_on = &mut |_| ControlFlow::Continue(());
    let replication = sim::simulate(model, run, 0, go_on).unwrap();
    sim::fold(model, run, &[replication])
}

/// What a simulation is to know: all kinds of work that well, unless it takes more than so many events.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    relative: f64,
    enough: f64,
    /// The same where it knows no kind of work.
    enough_for_anything: f64,
}

impl Wanted {
    /// As well as it takes to judge them.
    pub(super) fn known(enough: f64) -> Self {
        Self {
            relative: KNOWN,
            enough,
            enough_for_anything: enough * TIMES_FOR_ANYTHING,
        }
    }

    /// So well that neither what is outside nor what is within is so by chance.
    pub(super) fn precise() -> Self {
        Self {
            relative: PRECISE,
            enough: EVENTS_PRECISE,
            enough_for_anything: EVENTS_PRECISE,
        }
    }

    fn has(self, found: &ActivityOutcome) -> bool {
        found.response.relative() <= self.relative
    }
}

/// Simulates a model for as long as it takes to know what is wanted.
pub(super) fn simulated_until_known(
    model: &Model,
    longest: Option<f64>,
    wanted: Wanted,
) -> Simulated {
    let mut run = match run_length(model, longest) {
        Ok(run) => run,
        Err(events) => return Simulated::nothing(End::TooLong, events),
    };
    loop {
        let found = simulated(model, &run);
        let known = found.activities.iter().filter(|a| wanted.has(a)).count();
        let enough = if known == 0 {
            wanted.enough_for_anything
        } else {
            wanted.enough
        };
        let long = found.events as f64 * f64::from(TIMES) > enough;
        if long || known == found.activities.len() {
            return Simulated::of(&found);
        }
        match longer(&run, TIMES, found.stopped) {
            Some(longer) => run = longer,
            None => return Simulated::of(&found),
        }
    }
}
