//! `plimsoll workload LOG… --replay SITE.toml`: the model's error on this very server.

use std::ops::ControlFlow;
use std::path::PathBuf;

use super::failure::Failure;
use super::output::Outcome;
use super::session::Session;
use super::{Common, Format, SiteArguments, log_part, run, simulate};
use crate::advisor::today::system::system;
use crate::report::serverlog::{ReplayedLog, replay_page};
use crate::serverlog::arrivals::Arrivals;
use crate::sim::Run;
use crate::system::replay::replay;
use crate::workload::from_site;

/// Events after which a replay ends: a few minutes of processor time.
const EVENTS: u64 = 1_000_000_000;

/// What is replayed, and on what.
pub(super) struct Wanted<'a> {
    pub(super) logs: &'a [PathBuf],
    pub(super) part: &'a log_part::LogPart,
    pub(super) site: SiteArguments,
    pub(super) layout: Option<&'a str>,
    pub(super) common: Common,
}

/// Replays the logs on the site's system of today, or on another layout.
pub(super) fn run(wanted: &Wanted<'_>) -> Result<Outcome, Failure> {
    let mut session = Session::open(&wanted.common, &wanted.site)?;
    let deployment = if wanted.layout.is_some() || session.site.today.volumes.is_empty() {
        simulate::deployment(&mut session, wanted.layout)?
    } else {
        let Session { library, site } = &session;
        system(site, &library.catalog, &library.calibration).map_err(Failure::wrong)?.deployment
    };
    let Session { library, site } = &session;
    let range = wanted.part.range(wanted.logs)?;
    let mut arrivals = Arrivals::of(library.catalog.commands.keys().cloned());
    arrivals.from = range.and_then(|range| range.from);
    log_part::read(wanted.logs, range, &mut arrivals)?;
    let simulation = Run { seed: wanted.common.seed, events_max: EVENTS, ..Run::default() };
    run::listen();
    let mut watch = || {
        if run::is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let models = (&library.catalog, &library.calibration);
    let base = from_site::load(site);
    let found = replay(
        &deployment,
        (&base, &|command| from_site::call(site, command)),
        models,
        &arrivals,
        &simulation,
        &mut watch,
    )?;
    let answer = if wanted.common.format == Format::Json {
        let answer = ReplayedLog::of(&session.inputs(), &deployment, &arrivals, &found);
        Outcome::json(&answer, false)
    } else {
        Outcome::page(&replay_page(&deployment, &arrivals, &found), false)
    };
    Ok(answer.interrupted_if(run::is_stopped()))
}
