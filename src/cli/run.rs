//! Running simulations: replications on threads, progress on the terminal, ctrl-C with what there is.
//!
//! Replications are folded in their order and their number does not depend on the machine, so the
//! answer is the same on one thread or many.

use std::io::{IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError, mpsc};
use std::time::Duration;

use clap::Args;

use super::output::INTERRUPTED;
use crate::report::Wanted;
use crate::sim::{self, Means, Model, ModelError, Outcome, Progress, Replication, Run, Span, Stopped};
use crate::units::significant;

/// How to simulate.
#[derive(Debug, Clone, Args)]
pub(super) struct Options {
    /// Relative half-width of the 95 % intervals of mean response times at which a steady state ends; 2% by
    /// default. Rare kinds of work count only if it is given
    #[arg(long, value_parser = precision, value_name = "P%")]
    precision: Option<f64>,
    /// Independent replications; if not given, more until the precision is reached
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=REPLICATIONS_ASKED_MAX), value_name = "N")]
    replications: Option<u64>,
    /// Events of one replication after which a simulation ends: by default 1000 million for a scenario, 200 million
    /// for a steady state, but 30 million for that of a site without --precision; a dozen million take about a second
    #[arg(long, value_parser = clap::value_parser!(u64).range(1000..=1_000_000_000_000), value_name = "N")]
    events: Option<u64>,
    /// Threads, at most one for each processor; the answer does not depend on them
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1024), value_name = "N")]
    threads: Option<u64>,
}

/// Half-width of the intervals over the mean, where none is asked for.
const PRECISION: f64 = 0.02;

/// Kinds of work with a smaller share of all commands are rare in the steady state of a site.
const RARE: f64 = 0.001;

/// Events of a replication of a site's steady state, where neither they nor a precision are asked for:
/// four of them take less than 20 processor seconds on every example site.
const EVENTS_DEFAULT: u64 = 30_000_000;

/// Events of a replication of a steady state and of a scenario, where none are asked for.
const EVENTS_STEADY: u64 = 200_000_000;
const EVENTS_SCENARIO: u64 = 1_000_000_000;

/// Most replications that can be asked for: each of a site keeps some megabytes.
const REPLICATIONS_ASKED_MAX: u64 = 1000;

/// Replications that are run together.
const TOGETHER: u64 = 4;

/// Most of them until the precision is given up.
pub(super) const REPLICATIONS_MAX: u64 = 32;

/// "2%", "2 %" or "0.02".
fn precision(text: &str) -> Result<f64, String> {
    let help = "write a share such as 2% or 0.5%";
    let trimmed = text.trim();
    let (number, factor) = match trimmed.strip_suffix('%') {
        Some(number) => (number.trim_end(), 0.01),
        None => (trimmed, 1.0),
    };
    let value: f64 = number.parse().map_err(|_not_a_number| help.to_owned())?;
    let value = value * factor;
    if (1e-5..=0.5).contains(&value) {
        Ok(value)
    } else {
        Err(format!("a precision lies between 0.001% and 50%; {help}"))
    }
}

impl Options {
    /// A steady state to the precision that was asked for.
    pub(super) fn run(&self, seed: u64) -> Run {
        Run {
            seed,
            span: Span::Steady { precision: self.precision.unwrap_or(PRECISION) },
            events_max: self.events.unwrap_or(EVENTS_STEADY),
            ..Run::default()
        }
    }

    /// The steady state of a site. A precision that is asked for is waited for with rare kinds of work
    /// too; otherwise it ends after a number of events that takes seconds.
    pub(super) fn steady(&self, seed: u64) -> Run {
        let mut run = Run { means: Means::Activities, rare: RARE, ..self.run(seed) };
        if self.precision.is_some() {
            run.rare = 0.0;
        } else if self.events.is_none() {
            run.events_max = EVENTS_DEFAULT;
        }
        run
    }

    /// How well a steady state was to be known.
    pub(super) fn wanted(&self, run: &Run) -> Option<Wanted> {
        match run.span {
            Span::Steady { precision } => {
                Some(Wanted { precision, rare: run.rare, events_max: run.events_max, is_default: self.is_limited() })
            }
            _ => None,
        }
    }

    /// Whether a steady state ends after the default number of events.
    pub(super) fn is_limited(&self) -> bool {
        self.precision.is_none() && self.events.is_none()
    }

    /// Events of the replication that finds how long those of a comparison must be.
    pub(super) fn pilot_events(&self, run: &Run) -> u64 {
        if self.is_limited() { EVENTS_DEFAULT } else { run.events_max }
    }

    /// Events of all replications of a site's steady state together, after which no more are begun.
    pub(super) fn events_in_all(&self) -> u64 {
        if self.is_limited() { TOGETHER * EVENTS_DEFAULT } else { u64::MAX }
    }

    /// The same through a scenario of a given length.
    pub(super) fn through(&self, seed: u64, until: Span) -> Run {
        Run { span: until, events_max: self.events.unwrap_or(EVENTS_SCENARIO), ..self.run(seed) }
    }

    /// Replications that were asked for.
    pub(super) fn replications(&self) -> Option<u64> {
        self.replications
    }

    fn threads(&self) -> u64 {
        // More threads than processors only take more memory.
        let there = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
        self.threads.map_or(there, |asked| asked.min(there))
    }
}

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on ctrl-C ends simulations with what there is, and a second one ends the program.
pub(super) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let listening = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                #[expect(clippy::exit, reason = "the second ctrl-C means now")]
                std::process::exit(i32::from(INTERRUPTED));
            }
        });
        // Without a handler ctrl-C ends the program, as it does everywhere.
        drop(listening);
    });
}

/// Whether somebody pressed ctrl-C.
pub(super) fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Simulates until the precision of `run` is reached, or the replications asked for are done, or
/// more of them could pass `events_in_all`, or somebody interrupts.
pub(super) fn simulate(
    model: &Model,
    run: &Run,
    options: &Options,
    events_in_all: u64,
    quiet: bool,
) -> Result<Outcome, ModelError> {
    let together = options.replications.unwrap_or(TOGETHER);
    let mut each = run.clone();
    let mut goal = None;
    if let Span::Steady { precision } = &mut each.span {
        goal = Some(*precision);
        // n replications of a precision p·√n give p.
        *precision *= (together as f64).sqrt();
    }
    let mut replications: Vec<Replication> = Vec::new();
    loop {
        let first = replications.len() as u64;
        let mut more = replicate(&[model], &each, first, together, options, quiet)?;
        replications.extend(more.pop().unwrap_or_default());
        let mut outcome = sim::fold(model, run, &replications);
        let reached = goal.is_none_or(|goal| outcome.worst_precision(run) <= goal);
        if reached && outcome.stopped == Stopped::Events && goal.is_some() {
            // Together they are precise enough, though one alone was not.
            outcome.stopped = Stopped::Done;
        }
        let of_a_round = outcome.events / (first / together + 1);
        let done = options.replications.is_some()
            || reached
            || outcome.stopped != Stopped::Done
            || replications.len() as u64 >= REPLICATIONS_MAX
            || outcome.events.saturating_add(of_a_round) > events_in_all;
        if done {
            return Ok(outcome);
        }
    }
}

/// So many replications of each model, by model. The first of each model is there even if somebody
/// interrupts, and models take turns, so that those of an interrupted comparison belong together.
pub(super) fn replicate(
    models: &[&Model],
    run: &Run,
    first: u64,
    count: u64,
    options: &Options,
    quiet: bool,
) -> Result<Vec<Vec<Replication>>, ModelError> {
    listen();
    let jobs = models.len() as u64 * count;
    let batch =
        Batch { models, run, first, jobs, progress: Mutex::new(vec![None; jobs as usize]), next: AtomicU64::new(0) };
    let show = !quiet && std::io::stderr().is_terminal();
    let found = batch.run(options.threads().min(jobs), show)?;
    if found.iter().flatten().any(|r| r.stopped() == Stopped::Jobs) {
        return Err(ModelError::too_many_jobs());
    }
    Ok(found)
}

/// Replications that run at the same time.
struct Batch<'a> {
    models: &'a [&'a Model],
    run: &'a Run,
    /// Number of the first replication.
    first: u64,
    /// Replications of all models.
    jobs: u64,
    progress: Mutex<Vec<Option<Progress>>>,
    next: AtomicU64,
}

impl Batch<'_> {
    /// The replications by model in their order, on so many threads; fewer if interrupted.
    fn run(&self, threads: u64, show: bool) -> Result<Vec<Vec<Replication>>, ModelError> {
        let (sender, receiver) = mpsc::sync_channel(self.jobs as usize);
        let mut found: Vec<Option<Result<Replication, ModelError>>> = Vec::new();
        found.resize_with(self.jobs as usize, || None);
        std::thread::scope(|scope| {
            for n in 0..threads {
                let theirs = sender.clone();
                let worker = std::thread::Builder::new().name(format!("replications {n}"));
                if worker.spawn_scoped(scope, move || self.work(&theirs)).is_err() {
                    // The machine gives no thread: what is left is done here.
                    self.work(&sender);
                }
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(Duration::from_millis(250)) {
                    Ok((idx, replication)) => found[idx as usize] = Some(replication),
                    Err(mpsc::RecvTimeoutError::Timeout) if show => self.show(),
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        if show {
            clear();
        }
        let mut by_model = vec![Vec::new(); self.models.len()];
        for (idx, replication) in found.into_iter().enumerate() {
            if let Some(replication) = replication {
                by_model[idx % self.models.len()].push(replication?);
            }
        }
        Ok(by_model)
    }

    /// Takes one replication after the other.
    fn work(&self, sender: &mpsc::SyncSender<(u64, Result<Replication, ModelError>)>) {
        loop {
            let idx = self.next.fetch_add(1, Ordering::Relaxed);
            let n = self.models.len() as u64;
            let stopped = STOP.load(Ordering::Relaxed) && idx >= n;
            if idx >= self.jobs || stopped {
                return;
            }
            let (model, number) = (self.models[(idx % n) as usize], self.first + idx / n);
            let replication = sim::simulate(model, self.run, number, &mut |now| {
                let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
                progress[idx as usize] = Some(now);
                if STOP.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if sender.send((idx, replication)).is_err() {
                return;
            }
        }
    }

    fn show(&self) {
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let running: Vec<&Progress> = progress.iter().flatten().collect();
        let events: u64 = running.iter().map(|p| p.events).sum();
        let time: f64 = running.iter().map(|p| p.time).sum();
        let worst = running.iter().filter_map(|p| p.precision).reduce(f64::max);
        let precision = worst.map_or(String::new(), |p| format!(", intervals ± {} %", significant(p * 100.0, 2)));
        let line = format!(
            "simulating: {} million events, {} s{precision}",
            significant(events as f64 / 1e6, 3),
            significant(time, 3)
        );
        write_stderr(&format!("\r\u{1b}[K{line}"));
    }
}

fn clear() {
    write_stderr("\r\u{1b}[K");
}

/// Progress that cannot be shown is no reason to stop.
fn write_stderr(text: &str) {
    let mut err = std::io::stderr().lock();
    drop(err.write_all(text.as_bytes()).and_then(|()| err.flush()));
}

#[cfg(test)]
mod tests {
    use crate::sim::{Arrivals, Class, Discipline, Distribution, Model, Run, Source, Span, Station, Step};

    use super::{EVENTS_DEFAULT, EVENTS_STEADY, Options, RARE, TOGETHER, precision, simulate};

    #[test]
    fn precisions_are_shares() {
        assert_eq!(precision("2%"), Ok(0.02));
        assert_eq!(precision("2 %"), Ok(0.02));
        assert_eq!(precision("0.05"), Ok(0.05));
        for bad in ["", "x", "0", "100%", "-1%", "nan"] {
            assert!(precision(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn no_replications_are_begun_that_could_pass_the_events_of_all() {
        let exponential = |mean| Distribution::Exponential { mean };
        let model = Model {
            stations: vec![Station { name: "disk".into(), discipline: Discipline::Ps, servers: 1.0, speeds: vec![] }],
            classes: vec![Class {
                name: "reads".into(),
                source: Source::Open(Arrivals::Renewal(exponential(1.25))),
                program: vec![Step::Serve { station: 0, service: exponential(1.0) }],
                priority: 0,
                profile: None,
            }],
            ..Model::default()
        };
        let options = Options { precision: None, replications: None, events: None, threads: Some(1) };
        // Each of four replications may be precise enough for its part, and all together not.
        let replications = |seed: u64, events_in_all: u64| {
            let run = Run { seed, span: Span::Steady { precision: 0.05 }, ..Run::default() };
            let found = simulate(&model, &run, &options, events_in_all, true);
            found.unwrap().replications
        };
        let seed = (1..40).find(|seed| replications(*seed, u64::MAX) > 4);
        assert_eq!(replications(seed.unwrap(), 1), 4);
    }

    #[test]
    fn only_what_nobody_asked_to_be_longer_ends_by_default() {
        let options = |precision, events| Options { precision, replications: None, events, threads: None };
        let ends = |precision, events| {
            let options = options(precision, events);
            let run = options.steady(1);
            (run.events_max, run.rare, options.events_in_all())
        };
        assert_eq!(ends(None, None), (EVENTS_DEFAULT, RARE, TOGETHER * EVENTS_DEFAULT));
        assert_eq!(ends(None, Some(5000)), (5000, RARE, u64::MAX));
        assert_eq!(ends(Some(0.02), None), (EVENTS_STEADY, 0.0, u64::MAX));
        // A network of a file is simulated as before.
        let network = options(None, None).run(1);
        assert_eq!((network.events_max, network.rare), (EVENTS_STEADY, 0.01));
    }
}
