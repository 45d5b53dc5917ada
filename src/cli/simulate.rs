//! `plimsoll simulate SITE.toml`: a deployment simulated, at the steady peak or through a scenario.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::layout::{layout_id, scenario_id};
use super::output::Outcome;
use super::session::Session;
use super::{Common, Format, SiteArguments, compare, run, simulated_log, trace};
use crate::advisor::{self, Advice, Chosen};
use crate::page::{Block, Page, Section};
use crate::report::{self, Answer, Simulation, Wanted};
use crate::sim::{self, Run, Span, Stopped};
use crate::site::{Peak, Site};
use crate::system::process::{Process, process};
use crate::system::{Deployment, interval};
use crate::units::two_digits;
use crate::workload::{Work, from_site};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) site: SiteArguments,
    /// A layout of the catalogue, or a layout file; the site's current one, else the recommended one
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) layout: Option<String>,
    /// A scenario of the catalogue (`plimsoll models scenarios`) or a scenario file, such as `working-day`;
    /// without it the steady state at the peak
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) scenario: Option<String>,
    /// Several alternatives with the same arrivals and sizes, each with its difference to the first: layouts,
    /// LAYOUT@SCENARIO, or @SCENARIO for the same layout
    #[arg(
        long,
        value_name = "A,B,…",
        value_delimiter = ',',
        conflicts_with_all = ["trace", "trace_locks"]
    )]
    pub(super) compare: Vec<String>,
    /// Write the events of each customer to a file, one event a line: CSV, or JSON lines if it ends in .jsonl
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Write the holds of locks (customer, lock, begin, end) to a file, in the same formats
    #[arg(long, value_name = "FILE")]
    trace_locks: Option<PathBuf>,
    /// Most events in a trace, which begins with the run and its warm-up
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    trace_events: u64,
    /// With --trace and --trace-locks: overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    log: simulated_log::LogOptions,
    #[command(flatten)]
    pub(super) options: run::Options,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    if arguments.compare.is_empty() { one(arguments) } else { compare::run(arguments) }
}

fn one(arguments: &Arguments) -> Result<Outcome, Failure> {
    let common = &arguments.common;
    let traces = trace::Wanted {
        site: &arguments.site.site,
        events: arguments.trace.as_deref(),
        holds: arguments.trace_locks.as_deref(),
        force: arguments.force,
        events_max: arguments.trace_events,
    };
    traces.check()?;
    let mut session = Session::open(common, &arguments.site)?;
    let deployment = deployment(&mut session, arguments.layout.as_deref())?;
    let scenario = arguments.scenario.as_deref();
    if arguments.log.is_wanted() {
        let id = scenario.map(|name| scenario_id(&mut session.library.catalog, name)).transpose()?;
        let log = &arguments.log;
        return log.write(&session, &deployment, id.as_deref(), common);
    }
    let staged = stage(&mut session, &deployment, scenario)?;
    let steady = arguments.options.steady(common.seed);
    let mut run = staged.run(arguments, steady);
    let model = &staged.process.model;
    trace::write(model, &run, &traces)?;
    let (options, in_all) = (&arguments.options, arguments.options.events_in_all());
    let outcome = loop {
        let outcome = run::simulate(model, &run, options, in_all, common.quiet).map_err(Failure::wrong)?;
        let reached = outcome.time / outcome.replications.max(1) as f64;
        let lacks = staged.failure.is_some_and(|until| reached < until);
        if outcome.stopped != Stopped::Events || !lacks || run.events_max > u64::MAX / 2 {
            break outcome;
        }
        // A failure that does not come says nothing of it.
        run.events_max *= 2;
    };
    let stopped = outcome.stopped;
    let fails = stopped == Stopped::Unsteady || staged.short.is_some();
    let simulation = staged.simulation(outcome, &run, options.wanted(&run));
    let answer = if common.format == Format::Json {
        let json = report::SimulatedJson::of(&session.inputs(), &deployment, &simulation);
        Outcome::json(&json, fails)
    } else {
        let site = &session.site;
        let head =
            format!("{} ({}), {}, {}", deployment.title, deployment.layout, deployment.edges_in_words(), site.name);
        let which = Which::of(site, arguments.layout.as_deref()).in_words();
        let notes = site.notes.iter().cloned().chain(which).map(Block::Note);
        let blocks = notes.chain(report::simulation_blocks(&simulation));
        let page = Page::new(head, vec![Section::untitled(blocks)]);
        Outcome::page(&page, fails)
    };
    Ok(answer.interrupted_if(stopped == Stopped::Interrupted))
}

/// Which layout is simulated.
enum Which {
    /// That of the command line.
    Asked,
    /// That of `infrastructure.current_layout`.
    Current,
    /// The recommended one.
    Recommended,
}

impl Which {
    fn of(site: &Site, layout: Option<&str>) -> Self {
        match (layout, &site.infrastructure.current_layout) {
            (Some(_), _) => Self::Asked,
            (None, Some(_)) => Self::Current,
            (None, None) => Self::Recommended,
        }
    }

    fn in_words(&self) -> Option<String> {
        let which = match self {
            Self::Asked => return None,
            Self::Current => "today's (infrastructure.current_layout)",
            Self::Recommended => "the recommended one",
        };
        Some(format!("The simulated layout is {which}; --layout ID simulates another (`plimsoll models layouts`)."))
    }
}

/// The layout that is asked for, or the site's own, or the one that is recommended.
pub(super) fn deployment(Session { library, site }: &mut Session, layout: Option<&str>) -> Result<Deployment, Failure> {
    let current = site.infrastructure.current_layout.as_ref();
    let asked = layout.or(current.map(|l| l.value.as_str()));
    let id = asked.map(|name| layout_id(&mut library.catalog, site, name));
    let id = id.transpose()?;
    let (catalog, calibration) = (&library.catalog, &library.calibration);
    let advise = || advisor::advise(site, &library.vocabulary, catalog, calibration);
    if let Some(id) = id {
        let found = advisor::best_of_layout(site, catalog, calibration, &id);
        return found.map_err(|reason| format!("{id}: {reason}. {}", instead(site, &advise())).into());
    }
    let advice = advise();
    let sentence = Answer::of(site, catalog, &advice).sentence();
    let hint = instead(site, &advice);
    let chosen = advice.chosen.map(|chosen| chosen.deployment);
    chosen.ok_or_else(|| format!("{sentence} {hint}").into())
}

/// Which layout can be simulated in place of one that cannot, and at which load.
fn instead(site: &Site, advice: &Advice) -> String {
    /// Part of the limit that is proposed: at the limit itself nothing comes to rest (assumed).
    const PART: f64 = 0.9;
    if let Some(Chosen { deployment, .. }) = &advice.chosen {
        let Deployment { title, layout, .. } = deployment;
        return format!("\"{title}\" is not overloaded: --layout {layout}.");
    }
    let Some(overload) = &advice.overload else {
        return String::new();
    };
    let Deployment { title, layout, .. } = &overload.deployment;
    let times = match site.peak {
        Peak::Today => 1.0,
        Peak::Times(times) => times,
    };
    let load = two_digits(PART * overload.factor * times);
    format!("No layout of this site carries it; with less load: --layout {layout} --load {load} (\"{title}\").")
}

/// A deployment, ready to be simulated.
pub(super) struct Staged {
    pub(super) process: Process,
    /// Title of the scenario.
    title: Option<String>,
    /// How long the scenario lasts; none for the steady state.
    pub(super) until: Option<Span>,
    /// When the last part that fails is whole again \[s\].
    failure: Option<f64>,
    /// The server that lacks memory at the peak, in words.
    pub(super) short: Option<String>,
    /// How well the model knows each kind of work at the peak.
    model_factors: BTreeMap<Work, f64>,
}

impl Staged {
    /// How it is simulated: as given where it is a steady state.
    pub(super) fn run(&self, arguments: &Arguments, steady: Run) -> Run {
        let (options, seed) = (&arguments.options, arguments.common.seed);
        match &self.until {
            Some(until) => options.through(seed, until.clone()),
            None => steady,
        }
    }

    /// What was found.
    pub(super) fn simulation(self, outcome: sim::Outcome, run: &Run, wanted: Option<Wanted>) -> Simulation {
        Simulation {
            process: self.process,
            outcome,
            scenario: self.title,
            short: self.short,
            seed: run.seed,
            confidence: run.confidence,
            wanted,
            model_factors: self.model_factors,
        }
    }
}

/// The process model of a deployment, at the steady peak or through a scenario.
pub(super) fn stage(
    Session { library, site }: &mut Session,
    deployment: &Deployment,
    scenario: Option<&str>,
) -> Result<Staged, Failure> {
    let id = scenario.map(|name| scenario_id(&mut library.catalog, name)).transpose()?;
    let scenario = id.as_ref().map(|id| &library.catalog.scenarios[id]);
    let load = match scenario {
        Some(scenario) => from_site::with_herds(site, scenario),
        None => from_site::load(site),
    };
    let process = process(deployment, &load, &library.catalog, &library.calibration, scenario)
        .map_err(|reason| format!("{}: {reason}", id.as_deref().unwrap_or_default()))?;
    let peak = from_site::load(site);
    Ok(Staged {
        short: advisor::memory_short(&library.calibration, deployment, &peak).map(|short| short.to_string()),
        model_factors: interval::p95_factors(deployment, &peak, &library.catalog, &library.calibration),
        process,
        failure: scenario.and_then(|scenario| {
            let ends = scenario.failures.iter().map(|failure| failure.until.get());
            ends.max_by(f64::total_cmp)
        }),
        title: scenario.map(|scenario| scenario.entry.title.clone()),
        until: scenario.map(|scenario| Span::Until { time: scenario.length.get(), piece: scenario.piece.get() }),
    })
}
