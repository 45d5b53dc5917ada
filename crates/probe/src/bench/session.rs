//! The tests of a run, one after the other: what each needs is made, it is warmed up and done in rounds.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::BenchError;
use super::account::{Rounds, empty, times};
use super::blocks::{Blocks, Way};
use super::echo;
use super::environment::Environment;
use super::idle;
use super::journal::Journal;
use super::locks::{Locks, Pattern};
use super::matrix::{Kind, Mode, Test};
use super::names::Names;
use super::packing::Text;
use super::plan::{self, JOURNAL_BYTES, Plan};
use super::result::{OpenLoop, Tested};
use super::round::{self, Round, Work};
use super::rows::Rows;
use super::run::{Progress, failed};
use super::scratch::Scratch;
use super::shown::NOT_MEASURED;
use super::stopwatch::{Part, now};
use super::submit::Submit;

/// Share of the closed loop's rate at which operations are due in the open one: busy, and not full.
const OFFERED: f64 = 0.7;

/// What the tests of a run share.
pub(super) struct Session<'a> {
    plan: &'a Plan,
    scratch: &'a Scratch,
    environment: &'a Environment,
    stop: &'a AtomicBool,
    begun: Instant,
    blocks: Option<Blocks>,
    locks: Option<Locks>,
    journal: Option<Journal>,
    submit: Option<Submit>,
    rows: Option<Arc<Rows>>,
    text: Option<Arc<Text>>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        scratch: &'a Scratch,
        environment: &'a Environment,
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            plan,
            scratch,
            environment,
            stop,
            begun: now(),
            blocks: None,
            locks: None,
            journal: None,
            submit: None,
            rows: None,
            text: None,
        }
    }
}

impl Session<'_> {
    /// Every test, and how the device was reached.
    pub(super) fn measure(&mut self, progress: &mut dyn FnMut(&Progress)) -> Result<(Vec<Tested>, String), BenchError> {
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
                tested.notes.push(format!("{NOT_MEASURED}the time was up"));
            } else {
                match self.test(test, &mut tested) {
                    Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                        tested.notes.push(format!("{NOT_MEASURED}{error}"));
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
            progress(&Progress { doing: format!("lay out the file, {:.0} % done", done * 100.0), done: 0.0, left });
        };
        told(0.0);
        let made = Blocks::create(self.scratch, self.plan.file_bytes, self.stop, &mut told);
        self.blocks = Some(made.map_err(|error| failed("the file cannot be laid out", &error))?);
        Ok(())
    }

    /// Makes what a test needs and an earlier one did not make.
    fn prepare(&mut self, test: &Test) -> io::Result<()> {
        self.scratch.is_in_place()?;
        match test.kind.action() {
            Kind::Locks { .. } if self.locks.is_none() => {
                self.locks = Some(Locks::create(self.scratch)?);
            }
            Kind::Journal if self.journal.is_none() => {
                self.journal = Some(Journal::create(self.scratch, 0, JOURNAL_BYTES)?);
            }
            Kind::Submit if self.submit.is_none() => {
                let journal = Journal::create(self.scratch, 1, JOURNAL_BYTES)?;
                self.submit = Some(Submit::create(self.scratch, journal, self.stop)?);
            }
            Kind::Deflate | Kind::Inflate if self.text.is_none() => {
                self.text = Some(Arc::new(Text::create()?));
            }
            Kind::Rows if self.rows.is_none() => {
                self.rows = Some(Arc::new(Rows::create()));
            }
            _ => {}
        }
        Ok(())
    }

    /// The works of all threads for one round.
    fn works(&self, test: &Test) -> io::Result<Vec<Box<dyn Work>>> {
        let missing = || io::Error::other("the test was not prepared");
        let names = match test.kind {
            Kind::Names => Some(Names::create(self.scratch, test.threads, self.stop)?),
            _ => None,
        };
        let work = |thread: usize| -> io::Result<Box<dyn Work>> {
            match test.kind.action() {
                Kind::Blocks { block, mode, order } => {
                    let blocks = self.blocks.as_ref().ok_or_else(missing)?;
                    let budget = self.plan.cached_bytes_max() / test.threads as u64;
                    let what = (mode, order, block);
                    blocks.work(what, (thread, test.threads), budget)
                }
                Kind::Journal => Ok(self.journal.as_ref().ok_or_else(missing)?.work()),
                Kind::Locks { api, pattern } => self.locks.as_ref().ok_or_else(missing)?.work(api, pattern, thread),
                Kind::Names => Ok(names.as_ref().ok_or_else(missing)?.work(thread)),
                Kind::Submit => self.submit.as_ref().ok_or_else(missing)?.work(),
                Kind::Rows => Ok(Rows::work(self.rows.as_ref().ok_or_else(missing)?)),
                Kind::Deflate | Kind::Inflate => {
                    let text = self.text.as_ref().ok_or_else(missing)?;
                    Ok(Text::work(text, test.kind == Kind::Deflate))
                }
                Kind::Echo => echo::work(),
                // An action is none with pauses.
                Kind::Idle(_) => Err(missing()),
            }
        };
        let with_pauses = matches!(test.kind, Kind::Idle(_));
        (0..test.threads)
            .map(|thread| {
                let work = work(thread)?;
                Ok(if with_pauses { idle::work(work) } else { work })
            })
            .collect()
    }

    fn test(&mut self, test: &Test, tested: &mut Tested) -> io::Result<()> {
        if let (Kind::Blocks { mode, .. }, Some(blocks)) = (test.kind.action(), &self.blocks)
            && mode.is_uncached()
            && let Some(why) = unreachable(blocks.reached(), mode)
        {
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
        self.prepare(test)?;
        let rounds = self.rounds(test)?;
        rounds.fill(test, self.environment, tested);
        if plan::opens(test) && tested.iops > 0.0 {
            self.before(test)?;
            let offered = OFFERED * tested.iops;
            let works = self.works(test)?;
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
        match (test.kind.action(), &self.blocks, &self.journal) {
            (Kind::Blocks { mode, .. }, Some(blocks), _) => blocks.prepare(mode, self.stop),
            (Kind::Journal, _, Some(journal)) => journal.rotate(),
            _ => Ok(()),
        }
    }

    /// One round, and how long forcing out what it left took \[s\].
    fn round(&self, test: &Test, time: Duration) -> io::Result<(Round, f64)> {
        self.before(test)?;
        let works = self.works(test)?;
        let round = round::closed(works, time, self.plan.pause_of(test), self.stop)?;
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
        let is_million = matches!(test.kind, Kind::Locks { pattern: Pattern::Million, .. });
        // A million locks are a count and not a time; no round may take for ever.
        let (time, count) = if is_million {
            (Duration::from_secs(20), self.plan.rounds.min(3))
        } else {
            self.round(test, self.plan.warm_up(test))?;
            (self.plan.round_of(test), self.plan.rounds)
        };
        let mut rounds = Rounds::default();
        for _ in 0..count {
            let (round, flush) = self.round(test, time)?;
            rounds.push(&round, flush);
        }
        Ok(rounds)
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
