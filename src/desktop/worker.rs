//! Threads that answer questions: one a lane, and only the latest question of a lane counts.
//!
//! A question that waits while another is computed is replaced by the next; an answer to a question that
//! was replaced meanwhile is dropped by the state ([`super::lane`]). Nothing here changes what is answered.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::answer::{
    Accuracy, Advised, Against, Answer, Asked, Checked, Compared, Control, FromToday, Grown,
    Logged, Question, RehearsalAsked, RehearsalPlan, Rehearsing, Signal, Simulated, Tried,
};
use super::command::{Command, Failed, LaneName};
use super::engine::Engine;
use crate::advisor::what_if::Change;
use crate::advisor::{Ask, Budget};
use crate::bench::guard::Guard;

/// How long the pointer rests before what it asks is simulated.
const REST: Duration = Duration::from_millis(250);

/// What is called after each answer: to paint anew.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// The threads.
pub struct Workers {
    mailboxes: Vec<(LaneName, Arc<Mailbox>)>,
    control: Control,
    receiver: mpsc::Receiver<Command>,
    /// The one that must not be left alone: it removes what it wrote.
    rehearsal: Option<JoinHandle<()>>,
}

/// The latest question of a lane.
#[derive(Default)]
struct Mailbox {
    slot: Mutex<Slot>,
    filled: Condvar,
    /// Raised where the answer that is worked on is wanted no more, and lowered with the next question.
    stop: Arc<AtomicBool>,
}

#[derive(Default)]
struct Slot {
    question: Option<Question>,
    is_closed: bool,
    /// Whether the answer that is worked on is wanted no more.
    is_dropped: bool,
}

impl Mailbox {
    fn put(&self, question: Question) {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.question = Some(question);
        self.stop.store(true, Ordering::Relaxed);
        self.filled.notify_one();
    }

    /// The question that waits or is worked on is wanted no more.
    fn drop_question(&self) {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.question = None;
        slot.is_dropped = true;
        self.stop.store(true, Ordering::Relaxed);
    }

    fn close(&self) {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.is_closed = true;
        self.stop.store(true, Ordering::Relaxed);
        self.filled.notify_one();
    }

    /// Whether no other question has come, and the window is still open.
    fn is_calm(&self) -> bool {
        let slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.question.is_none() && !slot.is_closed && !slot.is_dropped
    }

    /// Waits until no other question has come for a while; whether that is so.
    fn rests(&self, time: Duration) -> bool {
        let slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        let (slot, _) = self
            .filled
            .wait_timeout_while(slot, time, |slot| {
                slot.question.is_none() && !slot.is_closed
            })
            .unwrap_or_else(PoisonError::into_inner);
        slot.question.is_none() && !slot.is_closed
    }

    /// The next question; none when there will be no more.
    fn take(&self) -> Option<Question> {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if slot.is_closed {
                return None;
            }
            if let Some(question) = slot.question.take() {
                slot.is_dropped = false;
                self.stop.store(false, Ordering::Relaxed);
                return Some(question);
            }
            slot = self
                .filled
                .wait(slot)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Workers {
    /// Starts the threads.
    ///
    /// # Errors
    ///
    /// A sentence, where the machine gives no thread.
    pub fn new(engine: &Arc<Engine>, wake: &Wake) -> Result<Self, String> {
        const LANES: [(LaneName, &str); 12] = [
            (LaneName::Advice, "advice"),
            (LaneName::WhatIf, "what if"),
            (LaneName::Check, "check"),
            (LaneName::Growth, "growth"),
            (LaneName::Comparison, "comparison"),
            (LaneName::Simulation, "simulation"),
            (LaneName::Accuracy, "accuracy"),
            (LaneName::Today, "today"),
            (LaneName::Against, "against"),
            (LaneName::Log, "server log"),
            (LaneName::RehearsalPlan, "rehearsal plan"),
            (LaneName::Rehearsal, "rehearsal"),
        ];
        let (sender, receiver) = mpsc::channel();
        let control = Control::default();
        let (mut mailboxes, mut rehearsal) = (Vec::new(), None);
        for (lane, name) in LANES {
            let mailbox = Arc::new(Mailbox::default());
            let worker = Worker {
                lane,
                mailbox: mailbox.clone(),
                engine: engine.clone(),
                control: control.clone(),
                sender: sender.clone(),
                wake: wake.clone(),
            };
            let thread = thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || worker.run())
                .map_err(|error| format!("no thread for the {name}: {error}"))?;
            if lane == LaneName::Rehearsal {
                rehearsal = Some(thread);
            }
            mailboxes.push((lane, mailbox));
        }
        Ok(Self {
            mailboxes,
            control,
            receiver,
            rehearsal,
        })
    }

    /// Gives a question to its thread.
    pub fn ask(&self, question: Question) {
        let lane = lane_of(&question.asked);
        for (name, mailbox) in &self.mailboxes {
            if *name == lane {
                mailbox.put(question);
                return;
            }
        }
    }

    /// The answer of a lane is wanted no more: those that can end early do.
    pub fn drop_question(&self, lane: LaneName) {
        let mut all = self.mailboxes.iter();
        if let Some((_, mailbox)) = all.find(|(name, _)| *name == lane) {
            mailbox.drop_question();
        }
    }

    /// Tells the simulation.
    pub fn tell(&self, signal: Signal) {
        self.control.tell(signal);
    }

    /// What has come since the last time.
    pub fn answers(&self) -> Vec<Command> {
        self.receiver.try_iter().collect()
    }

    /// Waits for the next answer; for tests and for programs without a window.
    pub fn wait(&self, longest: Duration) -> Option<Command> {
        self.receiver.recv_timeout(longest).ok()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.control.tell(Signal::Stop);
        for (_, mailbox) in &self.mailboxes {
            mailbox.close();
        }
        if let Some(rehearsal) = self.rehearsal.take() {
            // Its files are removed before the window is gone.
            drop(rehearsal.join());
        }
    }
}

fn lane_of(asked: &Asked) -> LaneName {
    match asked {
        Asked::Advice(_) => LaneName::Advice,
        Asked::WhatIf(..) => LaneName::WhatIf,
        Asked::Check(..) => LaneName::Check,
        Asked::Growth(..) => LaneName::Growth,
        Asked::Comparison(..) => LaneName::Comparison,
        Asked::Simulation(..) => LaneName::Simulation,
        Asked::Accuracy => LaneName::Accuracy,
        Asked::Today(_) => LaneName::Today,
        Asked::Against(..) => LaneName::Against,
        Asked::Log(_) => LaneName::Log,
        Asked::RehearsalPlan(..) => LaneName::RehearsalPlan,
        Asked::Rehearsal(_) => LaneName::Rehearsal,
    }
}

struct Worker {
    lane: LaneName,
    mailbox: Arc<Mailbox>,
    engine: Arc<Engine>,
    control: Control,
    sender: mpsc::Sender<Command>,
    wake: Wake,
}

impl Worker {
    fn run(&self) {
        while let Some(Question { generation, asked }) = self.mailbox.take() {
            // A bug in an answer must not leave the window waiting for it.
            let answer = catch_unwind(AssertUnwindSafe(|| self.answer(generation, asked)));
            let answer = answer.unwrap_or_else(|_| {
                Err("this is a bug in plimsoll; please report it with the site file".to_owned())
            });
            if !self.send(generation, answer) {
                return;
            }
        }
    }

    /// Whether the window still listens.
    fn send(&self, generation: u64, answer: Result<Answer, String>) -> bool {
        let lane = self.lane;
        let answer = answer.map_err(|reason| Failed { lane, reason });
        let sent = self.sender.send(Command::Answered { generation, answer });
        (self.wake)();
        sent.is_ok()
    }

    fn answer(&self, generation: u64, asked: Asked) -> Result<Answer, String> {
        let engine = &*self.engine;
        match asked {
            Asked::Advice(site) => {
                let found = Arc::new(Advised::new(engine, site.clone(), &Ask::NOTHING));
                let is_last = false;
                self.send(generation, Ok(Answer::Advice { found, is_last }));
                let goes_on = || self.mailbox.is_calm();
                let ask = Ask {
                    budget: Budget::default(),
                    goes_on: &goes_on,
                    ..Ask::NOTHING
                };
                if !goes_on() {
                    return Err("another question came".to_owned());
                }
                let found = Arc::new(Advised::new(engine, site, &ask));
                let is_last = true;
                Ok(Answer::Advice { found, is_last })
            }
            Asked::WhatIf(advised, change) => {
                let tried = Tried::point(engine, &advised, change)?;
                if tried.curve.is_none() {
                    let found = Arc::new(tried.clone());
                    let is_last = false;
                    self.send(generation, Ok(Answer::WhatIf { found, is_last }));
                    if !self.mailbox.is_calm() {
                        return Err("another question came".to_owned());
                    }
                }
                let found = Arc::new(tried.bent(engine, &advised));
                let is_last = true;
                Ok(Answer::WhatIf { found, is_last })
            }
            Asked::Check(advised, change) => self.check(generation, &advised, &change),
            Asked::Growth(advised, change, years) => {
                let grown = Grown::new(engine, &advised, &change, years)?;
                Ok(Answer::Growth(Arc::new(grown)))
            }
            Asked::Comparison(advised, pins) => {
                let compared = Compared::new(engine, &advised, &pins)?;
                Ok(Answer::Comparison(Arc::new(compared)))
            }
            Asked::Simulation(advised, change, day) => {
                self.control.tell(Signal::Run);
                let mut emit = |found: Simulated| {
                    let found = Arc::new(found);
                    self.send(
                        generation,
                        Ok(Answer::Simulation {
                            found,
                            is_last: false,
                        }),
                    );
                };
                let found =
                    Simulated::run(engine, &advised, &change, &day, &self.control, &mut emit)?;
                Ok(Answer::Simulation {
                    found: Arc::new(found),
                    is_last: true,
                })
            }
            Asked::Accuracy => Ok(Answer::Accuracy(Arc::new(Accuracy::new(engine)?))),
            Asked::Today(site) => {
                let found = FromToday::new(engine, site)?;
                Ok(Answer::Today(Arc::new(found)))
            }
            Asked::Against(site, path, text) => {
                let found = Against::new(engine, &site, &path, &text)?;
                Ok(Answer::Against(Arc::new(found)))
            }
            Asked::Log(files) => self.log(generation, &files),
            Asked::RehearsalPlan(asked, cleans) => {
                let plan = self.rehearsal_plan(&asked, cleans)?;
                Ok(Answer::RehearsalPlan(Arc::new(plan)))
            }
            Asked::Rehearsal(asked) => self.rehearse(generation, &asked),
        }
    }

    /// Plans a rehearsal once nothing more is typed; removes what killed runs left first, or not.
    fn rehearsal_plan(
        &self,
        asked: &RehearsalAsked,
        cleans: bool,
    ) -> Result<RehearsalPlan, String> {
        if cleans {
            return Ok(RehearsalPlan::cleaned(&self.engine, asked));
        }
        if !self.mailbox.rests(REST) {
            return Err("another question came".to_owned());
        }
        Ok(RehearsalPlan::new(&self.engine, asked))
    }

    /// Rehearses until it is done, is to stop, or a signal would end the program: then it ends when everything is removed.
    fn rehearse(&self, generation: u64, asked: &RehearsalAsked) -> Result<Answer, String> {
        let stop = &self.mailbox.stop;
        let _guard =
            Guard::new(stop).map_err(|error| format!("signals cannot be caught: {error}"))?;
        let mut emit = |found: Rehearsing| {
            let found = Arc::new(found);
            let is_last = false;
            self.send(generation, Ok(Answer::Rehearsal { found, is_last }));
        };
        let found = Arc::new(Rehearsing::run(&self.engine, asked, stop, &mut emit)?);
        let is_last = true;
        Ok(Answer::Rehearsal { found, is_last })
    }

    /// Reads a log; the next question ends it, and so does closing the log.
    fn log(&self, generation: u64, files: &[PathBuf]) -> Result<Answer, String> {
        let goes_on = || self.mailbox.is_calm();
        let mut emit = |found: Logged| {
            let found = Arc::new(found);
            let is_last = false;
            self.send(generation, Ok(Answer::Log { found, is_last }));
        };
        let found = Arc::new(Logged::read(files, &goes_on, &mut emit)?);
        let is_last = true;
        Ok(Answer::Log { found, is_last })
    }

    /// Simulates what the pointer rests on; the next question ends it.
    fn check(
        &self,
        generation: u64,
        advised: &Arc<Advised>,
        change: &Arc<Change>,
    ) -> Result<Answer, String> {
        if !self.mailbox.rests(REST) {
            return Err("another question came".to_owned());
        }
        let mut emit = |found: Checked| {
            let found = Arc::new(found);
            let is_last = false;
            self.send(generation, Ok(Answer::Check { found, is_last }));
        };
        let goes_on = || self.mailbox.is_calm();
        let found = Checked::run(&self.engine, advised, change, &goes_on, &mut emit)?;
        Ok(Answer::Check {
            found: Arc::new(found),
            is_last: true,
        })
    }
}
