//! A run: the folder is made, each test warmed up, measured in rounds and judged, and the folder removed.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::BenchError;
use super::blocks::{Blocks, Way};
use super::environment::{Environment, Host, Roots, busy};
use super::journal::Journal;
use super::locks::{Locks, MILLION, Pattern};
use super::matrix::{Kind, Mode, Test};
use super::names::Names;
use super::network::NetworkResult;
use super::place::Place;
use super::plan::{self, JOURNAL_BYTES, Plan};
use super::result::{KIND, Measured, OpenLoop, PartTimes, SCHEMA, Settings, Tested, Times};
use super::round::{self, Round, Work};
use super::scratch::Scratch;
use super::steady::{Verdict, judge};
use super::stopwatch::{Part, Seen, now};
use super::submit::Submit;
use crate::diag::quoted;
use crate::units::Seconds;

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What it does.
    pub doing: String,
    /// The share that is done.
    pub done: f64,
    /// Time left, about.
    pub left: Duration,
}

/// Share of the closed loop's rate at which operations are due in the open one: busy, and not full.
const OFFERED: f64 = 0.7;

/// A commit that is faster cannot have reached a device \[s\]: a command over PCI Express and back takes about
/// this long before the device has done anything. Persistent memory alone is faster.
const COMMIT_MIN: f64 = 5e-6;

/// A disk that turns cannot write sooner than this on the mean \[s\]: half a turn at 15,000 a minute.
const HALF_TURN: f64 = 2e-3;

/// Measures a place. Whatever happens, nothing of the run stays in it.
pub fn run(
    plan: &Plan,
    place: &Place,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Measured, BenchError> {
    place.has_room_for(plan.bytes())?;
    let environment = Environment::of(&place.path)
        .map_err(|error| failed("the machine cannot be looked at", &error))?;
    let when = timestamp();
    // Before anything of ours keeps the machine busy.
    let busy = busy::warnings(&environment, &Roots::default(), stop);
    let scratch = Scratch::create(&place.path).map_err(|error| {
        failed(
            &format!("nothing can be created in {}", shown(place)),
            &error,
        )
    })?;
    let mut session = Session {
        plan,
        scratch: &scratch,
        environment: &environment,
        stop,
        begun: now(),
        blocks: None,
        locks: None,
        journal: None,
        submit: None,
    };
    let tests = session.measure(progress);
    drop(session);
    let path = scratch.path().to_owned();
    let removed = scratch.remove().map_err(|error| {
        let left = quoted(&path.to_string_lossy()).clone();
        failed(&format!("{left} could not be removed"), &error)
    });
    // What went wrong while measuring says more than what went wrong after it.
    let (tests, uncached) = tests?;
    removed?;
    let mut warnings = place.warnings.clone();
    warnings.extend(environment.warnings());
    warnings.extend(busy);
    Ok(Measured {
        schema: SCHEMA,
        kind: KIND.to_owned(),
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        when,
        folder: place.path.to_string_lossy().into_owned(),
        settings: Settings {
            file_bytes: plan.file_bytes,
            round_s: plan.round.as_secs_f64(),
            rounds: plan.rounds,
            uncached,
        },
        warnings,
        environment,
        tests,
        network: None,
    })
}

impl Measured {
    /// A result that holds a network and no folder.
    pub fn of_network(network: NetworkResult) -> Self {
        Self {
            schema: SCHEMA,
            kind: KIND.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            when: timestamp(),
            folder: format!("the network to {}", network.peer),
            settings: Settings {
                file_bytes: 0,
                round_s: 0.0,
                rounds: usize::try_from(network.rounds).unwrap_or(usize::MAX),
                uncached: "not needed".to_owned(),
            },
            warnings: Vec::new(),
            environment: Environment {
                folder: String::new(),
                host: Host::of(&Roots::default()),
                mount: None,
                device: None,
            },
            tests: Vec::new(),
            network: Some(network),
        }
    }
}

fn shown(place: &Place) -> String {
    quoted(&place.path.to_string_lossy()).clone()
}

/// What went wrong, in the words of the person who has to mend it.
pub(super) fn failed(what: &str, error: &io::Error) -> BenchError {
    use io::ErrorKind::{
        Interrupted, NotFound, QuotaExceeded, ReadOnlyFilesystem, StaleNetworkFileHandle,
        StorageFull,
    };
    let hint = match error.kind() {
        Interrupted => return BenchError::Interrupted,
        StorageFull => "the volume is full",
        QuotaExceeded => "the quota is used up",
        ReadOnlyFilesystem => "the volume is read-only",
        NotFound | StaleNetworkFileHandle => "the folder went away while it was measured",
        // EIO has no kind of its own.
        _ if error.raw_os_error() == Some(5) => "the device reports an error",
        _ => "",
    };
    if hint.is_empty() {
        BenchError::Failed(format!("{what}: {error}"))
    } else {
        BenchError::Failed(format!("{what}: {hint} ({error})"))
    }
}

struct Session<'a> {
    plan: &'a Plan,
    scratch: &'a Scratch,
    environment: &'a Environment,
    stop: &'a AtomicBool,
    begun: Instant,
    blocks: Option<Blocks>,
    locks: Option<Locks>,
    journal: Option<Journal>,
    submit: Option<Submit>,
}

/// Rounds of a test, and what forcing out took after each \[s\].
struct Rounds {
    rates: Vec<f64>,
    flushed: Vec<(f64, f64)>,
    seen: Seen,
}

impl Session<'_> {
    /// Every test, and how the device was reached.
    fn measure(
        &mut self,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(Vec<Tested>, String), BenchError> {
        if self.plan.needs_blocks() {
            self.lay_out(progress)?;
        }
        let total: Duration = self.plan.tests.iter().map(|t| self.plan.test_time(t)).sum();
        let mut passed = Duration::ZERO;
        let mut tests = Vec::with_capacity(self.plan.tests.len());
        for test in &self.plan.tests {
            let time = self.plan.test_time(test);
            progress(&Progress {
                doing: test.title(),
                done: passed.as_secs_f64() / total.as_secs_f64().max(1e-9),
                left: total.saturating_sub(passed),
            });
            passed += time;
            if self.stop.load(Ordering::Relaxed) {
                return Err(BenchError::Interrupted);
            }
            let mut tested = empty(test);
            if self.begun.elapsed() + time > self.plan.time_max {
                tested
                    .notes
                    .push("not measured: the time was up".to_owned());
            } else {
                match self.test(test, &mut tested) {
                    Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                        tested.notes.push(format!("not measured: {error}"));
                    }
                    Err(error) => return Err(failed(&test.to_string(), &error)),
                    Ok(()) => {}
                }
            }
            tests.push(tested);
        }
        let uncached = match self.blocks.as_ref().map(Blocks::reached) {
            None => "not needed".to_owned(),
            Some(Way::Direct) => "direct".to_owned(),
            Some(Way::Dropped) => "dropped".to_owned(),
            Some(Way::Never(why)) => why.to_owned(),
        };
        Ok((tests, uncached))
    }

    fn lay_out(&mut self, progress: &mut dyn FnMut(&Progress)) -> Result<(), BenchError> {
        let left = self.plan.time();
        let mut told = |done: f64| {
            progress(&Progress {
                doing: format!("lay out the file, {:.0} % done", done * 100.0),
                done: 0.0,
                left,
            });
        };
        told(0.0);
        let made = Blocks::create(self.scratch, self.plan.file_bytes, self.stop, &mut told);
        self.blocks = Some(made.map_err(|error| failed("the file cannot be laid out", &error))?);
        Ok(())
    }

    /// Makes what a test needs and an earlier one did not make.
    fn prepare(&mut self, test: &Test) -> io::Result<()> {
        match test.kind {
            Kind::Locks { .. } if self.locks.is_none() => {
                self.locks = Some(Locks::create(self.scratch)?);
            }
            Kind::Journal if self.journal.is_none() => {
                self.journal = Some(Journal::create(self.scratch, 0, JOURNAL_BYTES)?);
            }
            Kind::Submit if self.submit.is_none() => {
                let journal = Journal::create(self.scratch, 1, JOURNAL_BYTES)?;
                self.submit = Some(Submit::create(self.scratch, journal)?);
            }
            _ => {}
        }
        Ok(())
    }

    /// The works of all threads for one round.
    fn works(&self, test: &Test, round: u64) -> io::Result<Vec<Box<dyn Work>>> {
        let missing = || io::Error::other("the test was not prepared");
        let names = match test.kind {
            Kind::Names => Some(Names::create(self.scratch, test.threads)?),
            _ => None,
        };
        (0..test.threads)
            .map(|thread| match test.kind {
                Kind::Blocks { block, mode, order } => {
                    let blocks = self.blocks.as_ref().ok_or_else(missing)?;
                    let budget = self.plan.cached_bytes_max() / test.threads as u64;
                    let what = (mode, order, block);
                    blocks.work(what, (thread, test.threads), round, budget)
                }
                Kind::Journal => Ok(self.journal.as_ref().ok_or_else(missing)?.work(thread)),
                Kind::Locks { api, pattern } => self
                    .locks
                    .as_ref()
                    .ok_or_else(missing)?
                    .work(api, pattern, thread),
                Kind::Names => Ok(names.as_ref().ok_or_else(missing)?.work(thread)),
                Kind::Submit => self.submit.as_ref().ok_or_else(missing)?.work(thread),
            })
            .collect()
    }

    fn test(&mut self, test: &Test, tested: &mut Tested) -> io::Result<()> {
        if let (Kind::Blocks { mode, .. }, Some(blocks)) = (test.kind, &self.blocks)
            && mode.is_uncached()
            && let Some(why) = unreachable(blocks.reached(), mode)
        {
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
        self.prepare(test)?;
        let rounds = self.rounds(test)?;
        self.fill(test, tested, &rounds);
        if plan::opens(test) && tested.iops > 0.0 {
            self.before(test)?;
            let offered = OFFERED * tested.iops;
            let works = self.works(test, u64::MAX >> 20)?;
            let (time, seed) = (self.plan.open_time(), self.plan.seed);
            let open = round::open(works, offered, time, seed, self.stop)?;
            tested.open_loop = times(&open.seen, Part::Whole).map(|latency_s| OpenLoop {
                offered_per_s: offered,
                done_per_s: open.rate,
                latency_s,
            });
        }
        Ok(())
    }

    /// What stands before a round and is not timed.
    fn before(&self, test: &Test) -> io::Result<()> {
        match (test.kind, &self.blocks, &self.journal) {
            (Kind::Blocks { mode, .. }, Some(blocks), _) => blocks.prepare(mode, self.stop),
            (Kind::Journal, _, Some(journal)) => journal.rotate(),
            _ => Ok(()),
        }
    }

    /// One round, and how long forcing out what it left took \[s\].
    fn round(&self, test: &Test, time: Duration, number: u64) -> io::Result<(Round, f64)> {
        self.before(test)?;
        let works = self.works(test, number)?;
        let round = round::closed(works, time, self.stop)?;
        let mut flush = 0.0;
        if let (Kind::Blocks { mode, .. }, Some(blocks)) = (test.kind, &self.blocks)
            && mode == Mode::Write
        {
            let begun = now();
            blocks.flush()?;
            flush = begun.elapsed().as_secs_f64();
        }
        Ok((round, flush))
    }

    fn rounds(&self, test: &Test) -> io::Result<Rounds> {
        let is_million = matches!(
            test.kind,
            Kind::Locks {
                pattern: Pattern::Million,
                ..
            }
        );
        let mut rounds = Rounds {
            rates: Vec::new(),
            flushed: Vec::new(),
            seen: Seen::default(),
        };
        // A million locks are a count and not a time; no round may take for ever.
        let time = if is_million {
            Duration::from_secs(20)
        } else {
            self.plan.round
        };
        if !is_million {
            self.round(test, self.plan.warm_up(), 0)?;
        }
        let count = if is_million {
            3.min(self.plan.rounds)
        } else {
            self.plan.rounds
        };
        for number in 0..count {
            let (round, flush) = self.round(test, time, 1 + number as u64)?;
            let operations = round.seen.operations() as f64;
            rounds.rates.push(round.rate);
            if round.rate > 0.0 {
                rounds.flushed.push((operations / round.rate, flush));
            }
            rounds.seen.merge(&round.seen);
        }
        Ok(rounds)
    }

    fn fill(&self, test: &Test, tested: &mut Tested, rounds: &Rounds) {
        tested.iops = median(&rounds.rates);
        tested.rounds.clone_from(&rounds.rates);
        tested.operations = rounds.seen.operations();
        tested.verdict = judge(&rounds.rates);
        tested.latency_s = times(&rounds.seen, Part::Whole);
        tested.parts = Part::ALL[1..]
            .iter()
            .filter_map(|part| part_times(&rounds.seen, *part))
            .collect();
        if let Some((commits, _)) = rounds.seen.part(Part::Commit) {
            tested.commits = Some(commits.count());
        }
        if let Kind::Blocks {
            mode: Mode::Write, ..
        } = test.kind
        {
            let flushes: Vec<f64> = rounds.flushed.iter().map(|(_, flush)| *flush).collect();
            let sustained: Vec<f64> = rounds
                .flushed
                .iter()
                .zip(&rounds.rates)
                .map(|((time, flush), rate)| rate * time / (time + flush))
                .collect();
            tested.flush_s = Some(median(&flushes));
            tested.flushed_iops = Some(median(&sustained));
        }
        if let Kind::Locks {
            pattern: Pattern::Million,
            ..
        } = test.kind
            && tested.iops > 0.0
        {
            let time = Seconds::new(MILLION as f64 / tested.iops);
            tested.notes.push(format!("a million locks take {time}"));
        }
        self.doubt_commits(tested);
    }

    /// A commit that is too fast to be true.
    fn doubt_commits(&self, tested: &mut Tested) {
        let Some(commit) = tested.part("commit").map(|times| times.p50) else {
            return;
        };
        let in_memory = matches!(
            self.blocks.as_ref().map(Blocks::reached),
            Some(Way::Never("this filesystem lives in memory"))
        ) || self.environment.is_in_memory();
        if in_memory || commit < COMMIT_MIN {
            tested.verdict = Verdict::NotDurable;
            tested.notes.push(format!(
                "a commit takes {}: it reached no device",
                Seconds::new(commit)
            ));
        } else if self.environment.is_rotational()
            && !self.environment.is_virtual()
            && commit < HALF_TURN
        {
            tested.notes.push(format!(
                "a commit takes {}, less than half a turn of a disk: a cache acknowledged it; is it protected \
                 against a power cut?",
                Seconds::new(commit)
            ));
        }
    }
}

/// Why a mode cannot be measured, where the device cannot be reached as it needs.
fn unreachable(way: Way, mode: Mode) -> Option<&'static str> {
    match way {
        Way::Direct => None,
        Way::Dropped if mode == Mode::Read => None,
        Way::Dropped => Some("this filesystem has no O_DIRECT"),
        Way::Never(why) => Some(why),
    }
}

/// A test before it ran.
fn empty(test: &Test) -> Tested {
    let (block_bytes, mode, order) = match test.kind {
        Kind::Blocks { block, mode, order } => (
            Some(block as u64),
            mode.name(),
            Some(order.name().to_owned()),
        ),
        Kind::Journal => (None, "journal", None),
        Kind::Locks { .. } => (None, "lock", None),
        Kind::Names => (None, "names", None),
        Kind::Submit => (None, "submit", None),
    };
    Tested {
        id: test.to_string(),
        title: test.title(),
        block_bytes,
        mode: mode.to_owned(),
        order,
        threads: test.threads,
        verdict: Verdict::Unknown,
        notes: Vec::new(),
        iops: 0.0,
        rounds: Vec::new(),
        operations: 0,
        commits: None,
        flush_s: None,
        flushed_iops: None,
        latency_s: None,
        open_loop: None,
        parts: Vec::new(),
    }
}

fn times(seen: &Seen, part: Part) -> Option<Times> {
    let (histogram, max) = seen.part(part)?;
    Some(Times::of(histogram, *max))
}

fn part_times(seen: &Seen, part: Part) -> Option<PartTimes> {
    let times = times(seen, part)?;
    Some(PartTimes {
        part: part.name().to_owned(),
        p50: times.p50,
        p90: times.p90,
        p99: times.p99,
        p99_9: times.p99_9,
        max: times.max,
    })
}

/// The middle one; the mean of the two in the middle.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// Now, in UTC, as RFC 3339 writes it.
fn timestamp() -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "a measurement says when it was made"
    )]
    let now = std::time::SystemTime::now();
    humantime::format_rfc3339_seconds(now).to_string()
}
