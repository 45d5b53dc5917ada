//! `plimsoll simulate SITE.toml --compare A,B,…`: alternatives under the same arrivals and sizes.
//!
//! Replication i of every alternative draws from the same streams. Where there is a steady state, a
//! pilot of each finds its warm-up and how long it must be measured, and then all are measured over the
//! longest of these, after the longest warm-up, so that each replication sees the same stretch of the
//! same arrivals in all alternatives.

use super::Format;
use super::failure::Failure;
use super::output::Outcome;
use super::run::{REPLICATIONS_MAX, replicate};
use super::session::Session;
use super::simulate::{Arguments, Staged, deployment, stage};
use crate::diag::quoted;
use crate::page::{Block, Section};
use crate::report::{self, Rival};
use crate::sim::{self, Alternative, Difference, Model, ModelError, Replication, Run, Span, Stopped};
use crate::system::Deployment;
use crate::units::Fraction;

/// Replications to begin with: enough pairs for Student's t to be near its end (2.36 at 95 %).
const TOGETHER: u64 = 8;
/// Number of the replication that tells how long the others must be, apart from all of them.
const PILOT: u64 = u64::MAX;

/// One that is compared, as it was named.
struct Named {
    name: String,
    deployment: Deployment,
    staged: Staged,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    check(arguments)?;
    let mut session = Session::open(&arguments.common, &arguments.site)?;
    let all = named(&mut session, arguments)?;
    let steady = arguments.options.run(arguments.common.seed);
    let run = all[0].staged.run(arguments, steady);
    let models: Vec<&Model> = all.iter().map(|a| &a.staged.process.model).collect();
    let found = simulate(&models, &run, arguments).map_err(Failure::wrong)?;
    let options = &arguments.options;
    let is_known = match run.span {
        Span::Steady { precision } => is_known(&models, &found, &run, precision),
        _ => true,
    };
    let outcomes: Vec<sim::Outcome> =
        models.iter().zip(&found).map(|(model, replications)| sim::fold(model, &run, replications)).collect();
    let differences: Vec<_> = (0..all.len()).map(|idx| differences(&models, &found, idx, &run)).collect();
    let rivals: Vec<Rival> = all
        .into_iter()
        .zip(outcomes)
        .zip(differences)
        .map(|((named, outcome), differences)| Rival {
            name: named.name,
            deployment: named.deployment,
            simulation: named.staged.simulation(outcome, &run, None),
            differences,
        })
        .collect();
    let ended = |why| rivals.iter().any(|r| r.simulation.outcome.stopped == why);
    let is_short = |rival: &Rival| rival.simulation.short.is_some();
    let fails = ended(Stopped::Unsteady) || rivals.iter().any(is_short);
    let answer = if arguments.common.format == Format::Json {
        let json = report::SimulatedSideBySide::of(&session.inputs(), &rivals);
        Outcome::json(&json, fails)
    } else {
        let mut page = report::simulations_page(&session.site.name, &rivals);
        if let Span::Steady { precision } = run.span
            && options.is_limited()
            && !is_known
        {
            let share = Fraction::new(precision).to_string();
            let more = format!(
                "Not every difference has an interval within ± {share} of the first mean: `--precision {}` simulates longer.",
                share.replace(' ', "")
            );
            page.sections.push(Section::untitled([Block::text(more)]));
        }
        Outcome::page(&page, fails)
    };
    Ok(answer.interrupted_if(ended(Stopped::Interrupted)))
}

/// What is wrong with the command line whatever the site.
fn check(arguments: &Arguments) -> Result<(), String> {
    let names = &arguments.compare;
    if let [only] = names.as_slice() {
        let only = quoted(only);
        return Err(format!("--compare {only} is one alternative: name two or more"));
    }
    if arguments.options.replications() == Some(1) {
        return Err(
            "--compare needs two replications at least: one pair cannot tell a difference from chance".to_owned()
        );
    }
    if arguments.scenario.is_some() && names.iter().all(|name| name.contains('@')) {
        return Err("--scenario has no use here: each alternative names its own".to_owned());
    }
    if arguments.layout.is_some() && !names.iter().any(|name| name.starts_with('@')) {
        return Err("--layout has no use here: each alternative names its own".to_owned());
    }
    Ok(())
}

/// The alternatives, all different and all of the same length.
fn named(session: &mut Session, arguments: &Arguments) -> Result<Vec<Named>, Failure> {
    let mut all: Vec<Named> = Vec::new();
    let mut ids = Vec::new();
    for name in &arguments.compare {
        let (layout, scenario) = match name.split_once('@') {
            Some((layout, scenario)) => (layout, Some(scenario)),
            None => (name.as_str(), arguments.scenario.as_deref()),
        };
        let layout =
            if layout.is_empty() && name.starts_with('@') { arguments.layout.as_deref() } else { Some(layout) };
        let deployment = deployment(session, layout)?;
        let staged = stage(session, &deployment, scenario)?;
        let id = (deployment.layout.clone(), scenario);
        let refuse = |reason: &str| Err(format!("--compare: {} {reason}", quoted(name)).into());
        if ids.contains(&id) {
            return refuse("occurs twice: alternatives must differ");
        }
        if all.first().is_some_and(|first| !of_one_length(&first.staged, &staged)) {
            return refuse("does not last as long as the first: alternatives must have the same arrivals");
        }
        ids.push(id);
        all.push(Named { name: name.clone(), deployment, staged });
    }
    Ok(all)
}

fn of_one_length(a: &Staged, b: &Staged) -> bool {
    let time = |staged: &Staged| match staged.until {
        Some(Span::Until { time, .. }) => Some(time),
        _ => None,
    };
    time(a) == time(b)
}

/// The replications of each alternative. Those without a steady state are left as their pilot was.
fn simulate(models: &[&Model], run: &Run, arguments: &Arguments) -> Result<Vec<Vec<Replication>>, ModelError> {
    let (options, quiet) = (&arguments.options, arguments.common.quiet);
    let together = options.replications().unwrap_or(TOGETHER);
    let Span::Steady { precision } = run.span else {
        return replicate(models, run, 0, together, options, quiet);
    };
    let pilot = Run {
        span: Span::Steady {
            // n replications of a precision p·√n give p.
            precision: precision * (together as f64).sqrt(),
        },
        events_max: options.pilot_events(run),
        ..run.clone()
    };
    let pilots = replicate(models, &pilot, PILOT, 1, options, quiet)?;
    let steady: Vec<usize> =
        (0..models.len()).filter(|idx| pilots[*idx].iter().all(|p| p.stopped() != Stopped::Unsteady)).collect();
    let all = || steady.iter().flat_map(|idx| &pilots[*idx]);
    if all().any(|p| p.stopped() == Stopped::Interrupted) || steady.is_empty() {
        return Ok(pilots);
    }
    let from = all().map(Replication::warm_up).fold(0.0, f64::max);
    let length = all().map(Replication::time).fold(0.0, f64::max);
    let window = Run { span: Span::Window { from, until: from + length }, ..run.clone() };
    let measured: Vec<&Model> = steady.iter().map(|idx| models[*idx]).collect();
    let mut found = pilots;
    for idx in &steady {
        found[*idx].clear();
    }
    let mut done = 0;
    loop {
        let more = replicate(&measured, &window, done, together, options, quiet)?;
        let interrupted = more.iter().any(|one| (one.len() as u64) < together)
            || more.iter().flatten().any(|r| r.stopped() != Stopped::Done);
        for (idx, replications) in steady.iter().zip(more) {
            found[*idx].extend(replications);
        }
        done += together;
        let events: u64 = found.iter().flatten().map(Replication::events).sum();
        let next = events / (done / together);
        let in_all = options.events_in_all().saturating_mul(measured.len() as u64);
        if options.replications().is_some()
            || interrupted
            || done >= REPLICATIONS_MAX
            || events.saturating_add(next) > in_all
            || is_known(models, &found, run, precision)
        {
            return Ok(found);
        }
    }
}

/// Whether all differences to the first are known to a share `precision` of the first's response.
fn is_known(models: &[&Model], found: &[Vec<Replication>], run: &Run, precision: f64) -> bool {
    let first = sim::fold(models[0], run, &found[0]);
    (1..models.len()).all(|idx| {
        let names = &models[idx].activities;
        differences(models, found, idx, run).iter().zip(names).all(|(difference, name)| {
            let there = first.activities.iter().find(|a| a.name == *name);
            match (difference, there) {
                (Some(difference), Some(there)) => {
                    first.is_rare(there.completions, run.rare)
                        || difference.response.half_width <= precision * there.response.value
                }
                _ => true,
            }
        })
    })
}

/// The differences of one alternative to the first; none for the first itself, and where one of both
/// has no steady state.
fn differences(models: &[&Model], found: &[Vec<Replication>], idx: usize, run: &Run) -> Vec<Option<Difference>> {
    let unsteady = |n: usize| found[n].iter().any(|r| r.stopped() == Stopped::Unsteady);
    if idx == 0 || unsteady(0) || unsteady(idx) {
        return vec![None; models[idx].activities.len()];
    }
    let of = |n: usize| Alternative { model: models[n], replications: &found[n] };
    sim::differences(of(0), of(idx), run.confidence)
}
