//! How long to simulate until response times are known.

use std::ops::ControlFlow;

use plimsoll::sim::{self, ActivityOutcome, Model, Outcome, Run, Span, Stopped};

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
/// A run that leaves something unknown is followed by one of so many times as many.
pub(super) const TIMES: u32 = 4;
/// So many times as many as enough where nothing is known.
pub(super) const TIMES_FOR_ANYTHING: f64 = 4.0;
/// Events at which a steady state is out of reach.
pub(super) const EVENTS_MAX: f64 = 3e9;

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

pub(super) fn is_known(found: &ActivityOutcome) -> bool {
    found.response.relative() <= KNOWN
}

/// Simulates a model for as long as it takes to know all kinds of work that it has, or for `enough` events.
pub(super) fn simulated_until_known(
    model: &Model,
    longest: Option<f64>,
    enough: f64,
) -> Result<Outcome, f64> {
    let mut run = run_length(model, longest)?;
    loop {
        let found = simulated(model, &run);
        let known = found.activities.iter().filter(|a| is_known(a)).count();
        let enough = if known == 0 {
            enough * TIMES_FOR_ANYTHING
        } else {
            enough
        };
        let long = found.events as f64 * f64::from(TIMES) > enough;
        if long || known == found.activities.len() {
            return Ok(found);
        }
        match longer(&run, TIMES, found.stopped) {
            Some(longer) => run = longer,
            None => return Ok(found),
        }
    }
}
