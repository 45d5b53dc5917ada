//! `plimsoll simulate SITE.toml`: a deployment simulated, at the steady peak or through a scenario.

use std::path::PathBuf;

use clap::Args;

use super::layout::{layout_id, scenario_id};
use super::output::Outcome;
use super::{Common, Format, Library, SiteArguments, run, trace};
use crate::advisor;
use crate::report::table::paragraph;
use crate::report::{self, Simulation};
use crate::sim::{self, Run, Span, Stopped};
use crate::site::Site;
use crate::system::Deployment;
use crate::system::process::{Process, process};
use crate::workload::from_site;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// A layout of the catalogue, or a layout file; the site's current one, else the recommended one
    #[arg(long, value_name = "NAME|FILE")]
    layout: Option<String>,
    /// A scenario of the catalogue (`plimsoll models scenarios`) or a scenario file, such as `working-day`;
    /// without it the steady state at the peak
    #[arg(long, value_name = "NAME|FILE")]
    scenario: Option<String>,
    /// Write what each customer does to a file, one event a line: CSV, or JSON lines if it ends in .jsonl
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Write who held which lock from when to when to a file, in the same formats
    #[arg(long, value_name = "FILE")]
    trace_locks: Option<PathBuf>,
    /// Events after which a trace ends
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    trace_events: u64,
    #[command(flatten)]
    options: run::Options,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    attempt(arguments).unwrap_or_else(|outcome| outcome)
}

fn attempt(arguments: &Arguments) -> Result<Outcome, Outcome> {
    let format = arguments.common.format;
    let wrong = |reason: String| Outcome::wrong_as(&reason, format);
    let mut library = Library::load(&arguments.common)?;
    let site = library.site(&arguments.site, format)?;
    let deployment = deployment(&mut library, &site, arguments)?;
    let (process, scenario, span) = describe(&mut library, &site, &deployment, arguments)?;
    let run = Run {
        span,
        ..arguments.options.run(arguments.common.seed)
    };
    let refused = |error: sim::ModelError| wrong(error.to_string());
    trace::write(
        &process.model,
        &run,
        arguments.trace_events,
        arguments.trace.as_deref(),
        arguments.trace_locks.as_deref(),
    )
    .map_err(wrong)?;
    let outcome = run::simulate(
        &process.model,
        &run,
        &arguments.options,
        arguments.common.quiet,
    )
    .map_err(refused)?;
    let interrupted = outcome.stopped == Stopped::Interrupted;
    let simulation = Simulation {
        process,
        outcome,
        scenario,
        seed: run.seed,
        confidence: run.confidence,
    };
    let answer = if format == Format::Json {
        let json = report::simulation_json(&library.inputs(&site), &deployment, &simulation);
        Outcome::json(&json, false)
    } else {
        let head = format!(
            "{} ({}), {}, {}",
            deployment.title,
            deployment.layout,
            deployment.edges_in_words(),
            site.name
        );
        let head = paragraph(&head, 0);
        Outcome::done(format!("{head}\n{}", report::simulation_text(&simulation)))
    };
    Ok(if interrupted {
        answer.interrupted()
    } else {
        answer
    })
}

/// The layout that is asked for, or the site's own, or the one that is recommended.
fn deployment(
    library: &mut Library,
    site: &Site,
    arguments: &Arguments,
) -> Result<Deployment, Outcome> {
    let format = arguments.common.format;
    let current = site.infrastructure.current_layout.as_ref();
    let name = arguments
        .layout
        .clone()
        .or_else(|| current.map(|l| l.value.clone()));
    if let Some(name) = name {
        let id = layout_id(&mut library.catalog, &name, format)?;
        return advisor::best_of_layout(site, &library.catalog, &library.calibration, &id)
            .map_err(|reason| Outcome::wrong_as(&format!("{id}: {reason}"), format));
    }
    let advice = advisor::advise(
        site,
        &library.vocabulary,
        &library.catalog,
        &library.calibration,
    );
    advice
        .chosen
        .map(|chosen| chosen.deployment)
        .ok_or_else(|| Outcome::wrong_as(&advice.sentence, format))
}

/// The process model, the scenario's title, and how long it runs.
fn describe(
    library: &mut Library,
    site: &Site,
    deployment: &Deployment,
    arguments: &Arguments,
) -> Result<(Process, Option<String>, Span), Outcome> {
    let format = arguments.common.format;
    let id = arguments
        .scenario
        .as_ref()
        .map(|name| scenario_id(&mut library.catalog, name, format))
        .transpose()?;
    let scenario = id.as_ref().map(|id| &library.catalog.scenarios[id]);
    let load = match scenario {
        Some(scenario) => from_site::with_herds(site, scenario),
        None => from_site::load(site),
    };
    let process = process(
        deployment,
        &load,
        &library.catalog,
        &library.calibration,
        scenario,
    )
    .map_err(|reason| {
        let id = id.as_deref().unwrap_or_default();
        Outcome::wrong_as(&format!("{id}: {reason}"), format)
    })?;
    let span = match scenario {
        Some(scenario) => Span::Until {
            time: scenario.length.get(),
            piece: scenario.piece.get(),
        },
        None => arguments.options.run(0).span,
    };
    let title = scenario.map(|scenario| scenario.entry.title.clone());
    Ok((process, title, span))
}
