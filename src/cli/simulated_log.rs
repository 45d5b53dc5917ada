//! `plimsoll simulate SITE.toml --log FILE`: the run as a log that p4d would have written.

use std::cell::RefCell;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::out::{Output, over};
use super::output::Outcome;
use super::session::Session;
use super::{Common, Format, run};
use crate::diag::harmless_line;
use crate::files::Refusal;
use crate::page::paragraph;
use crate::report::json::object;
use crate::report::{Header, Inputs};
use crate::serverlog::record::Moment;
use crate::serverlog::write::Levels;
use crate::sim::{self, Run, Span};
use crate::system::Deployment;
use crate::system::logged::Logged;
use crate::units::{Bytes, Quantity, Seconds};
use crate::workload::from_site;

/// When a simulated log begins: Monday, 2026/01/05 09:00:00. Fixed, so that the same run has the same bytes.
const ORIGIN: Moment = Moment { micros: 1_767_603_600_000_000 };

/// Simulated before the log begins: all clients that are in flight at the peak start together in the simulation \[s\].
const WARM_UP: f64 = 900.0;

/// Longest time that can be asked for \[s\]: a month, which is hundreds of gigabytes at a large site.
const TIME_MOST: f64 = 31.0 * 86_400.0;

#[derive(Debug, Args)]
pub(super) struct LogOptions {
    /// Write the run as a server log, as p4d would, and nothing else; `plimsoll workload FILE` reads it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["trace", "trace_locks", "compare"])]
    log: Option<PathBuf>,
    /// How long the server is logged, at the peak; a scenario is logged as a whole
    #[arg(long, value_name = "TIME", default_value = "1 h", value_parser = <Seconds as Quantity>::parse, requires = "log")]
    log_time: Seconds,
    /// Level of the log, as `p4 configure set server=N`: 1 beginnings, 2 completions, 3 ends of compute phases
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=3), requires = "log")]
    log_level: u8,
    /// Tracking, as `p4 configure set track=N`: 0 none, 1 every command
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=1), requires = "log")]
    log_track: u8,
    /// The edge whose log it is, from 1; without it the commit server
    #[arg(long, value_name = "N", requires = "log")]
    log_edge: Option<usize>,
}

impl LogOptions {
    pub(super) fn is_wanted(&self) -> bool {
        self.log.is_some()
    }

    /// Simulates and writes; what was written.
    pub(super) fn write(
        &self,
        session: &Session,
        deployment: &Deployment,
        scenario: Option<&str>,
        common: &Common,
    ) -> Result<Outcome, Failure> {
        let Session { library, site } = session;
        let path = self.log.as_deref();
        let path = path.ok_or_else(|| Failure::wrong("no file to write the log to"))?;
        let server = self.server(deployment)?;
        if !(self.log_time.get() > 0.0 && self.log_time.get() <= TIME_MOST) {
            return Err(
                format!("--log-time {}: more than 0 s and at most {}", self.log_time, Seconds::new(TIME_MOST)).into()
            );
        }
        let output = Output { path, mark: None, over: over(false), option: "another file" };
        output.check()?;
        let scenario = scenario.map(|id| &library.catalog.scenarios[id]);
        let load = scenario.map_or_else(|| from_site::load(site), |scenario| from_site::with_herds(site, scenario));
        let models = (&library.catalog, &library.calibration);
        let logged = Logged::new(deployment, &load, models, scenario, server)?;
        // A day begins as its scenario says; the peak goes on already.
        let (time, warm_up) = scenario.map_or((self.log_time.get(), WARM_UP), |scenario| (scenario.length.get(), 0.0));
        let Some((commands, bytes)) = self.fill(&output, &logged, (time, warm_up), common.seed)? else {
            let reason = "interrupted: no log was written";
            return Err(Failure::Interrupted(reason.to_owned()));
        };
        let name = path.to_string_lossy();
        if common.format == Format::Json {
            let log = LogWritten::of(&name, &deployment.layout, (commands, bytes), time);
            return Ok(Outcome::json(&SimulatedLog::of(&session.inputs(), log), false));
        }
        let of = scenario
            .map_or_else(|| format!("{} at the peak", Seconds::new(time)), |scenario| scenario.entry.title.clone());
        let name = harmless_line(&name);
        Ok(Outcome::done(paragraph(
            &format!(
                "Wrote {} of log, {commands} commands of {} ({}), {of}. Names in it are made up. Read it with: plimsoll workload {name}",
                Bytes::new(bytes as f64),
                site.name,
                deployment.layout,
            ),
            0,
        )))
    }

    /// Commands and bytes of the log; none where somebody interrupted.
    fn fill(
        &self,
        output: &Output<'_>,
        logged: &Logged,
        (time, warm_up): (f64, f64),
        seed: u64,
    ) -> Result<Option<(u64, u64)>, String> {
        let simulation = Run {
            seed,
            span: Span::Until { time: warm_up + time, piece: time },
            events_max: u64::MAX,
            ..Run::default()
        };
        run::listen();
        let mut file = output.begin()?;
        let failed = RefCell::new(None);
        let mut bytes = 0_u64;
        let levels = Levels { server: self.log_level, track: self.log_track > 0 };
        let mut log = logged.log(levels, (ORIGIN, warm_up), |text| {
            bytes += text.len() as u64;
            let mut failed = failed.borrow_mut();
            if failed.is_none() {
                *failed = file.write_all(text.as_bytes()).err();
            }
        });
        let mut watch = |_| {
            if run::is_stopped() || failed.borrow().is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let model = &logged.process.model;
        sim::simulate_traced(model, &simulation, 0, &mut watch, &mut |event| {
            log.see(event);
        })
        .map_err(|error| error.to_string())?;
        let commands = log.finish();
        if run::is_stopped() {
            return Ok(None);
        }
        let finished = match failed.into_inner() {
            Some(error) => Err(Refusal::Io(error)),
            None => file.finish(),
        };
        finished.map_err(|refusal| output.said(&refusal))?;
        Ok(Some((commands, bytes)))
    }

    fn server(&self, deployment: &Deployment) -> Result<usize, String> {
        let edges = deployment.servers() - 1;
        match self.log_edge {
            None => Ok(0),
            Some(edge) if (1..=edges).contains(&edge) => Ok(edge),
            Some(edge) => Err(format!("--log-edge {edge}: the deployment has {edges} edges, counted from 1")),
        }
    }
}

object! {
    /// `simulate --log`.
    SimulatedLog of (inputs: &Inputs<'_>, log: LogWritten) {
        #[serde(flatten)] header: Header = inputs.header();
        log: LogWritten = log, "The log.";
    }

    /// A log that was written.
    LogWritten of (file: &str, layout: &str, (commands, bytes): (u64, u64), time: f64) {
        file: String = file.to_owned(), "The file as named.";
        layout: String = layout.to_owned(), "Id of the layout.";
        commands: u64 = commands, "Commands in it.";
        size_bytes: u64 = bytes, "Its size.";
        time_s: f64 = time, "The time that it covers.";
    }
}
