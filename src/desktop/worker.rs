//! Threads that answer questions: one a lane, and only the latest question of a lane counts.
//!
//! A question that waits while another is computed is replaced by the next; an answer to a question that
//! was replaced meanwhile is dropped by the state ([`super::lane`]). Nothing here changes what is answered.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use super::answer::{
    Accuracy, Advised, Against, Answer, Asked, Checked, Compared, Control, FromToday, Grown, LaneName, Logged,
    Question, Signal, Simulated, Tried,
};
use super::command::Command;
use super::engine::Engine;
use super::lane::{Found, Same};
use crate::advisor::{Ask, Budget};

/// How long the pointer rests before what it asks is simulated.
const REST: Duration = Duration::from_millis(250);

/// What is called after each answer: to paint anew.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// The threads.
pub struct Workers {
    mailboxes: Vec<(LaneName, Arc<Mailbox>)>,
    control: Control,
    receiver: mpsc::Receiver<Command>,
}

/// The latest question of a lane.
#[derive(Default)]
struct Mailbox {
    slot: Mutex<Slot>,
    filled: Condvar,
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
        self.filled.notify_one();
    }

    /// The question that waits or is worked on is wanted no more.
    fn drop_question(&self) {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.question = None;
        slot.is_dropped = true;
    }

    fn close(&self) {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.is_closed = true;
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
            .wait_timeout_while(slot, time, |slot| slot.question.is_none() && !slot.is_closed)
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
                return Some(question);
            }
            slot = self.filled.wait(slot).unwrap_or_else(PoisonError::into_inner);
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
        let (sender, receiver) = mpsc::channel();
        let control = Control::default();
        let mut mailboxes = Vec::new();
        for &lane in LaneName::ALL {
            let name = lane.thread();
            let mailbox = Arc::new(Mailbox::default());
            let worker = Worker {
                lane,
                mailbox: mailbox.clone(),
                engine: engine.clone(),
                control: control.clone(),
                sender: sender.clone(),
                wake: wake.clone(),
            };
            thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || worker.run())
                .map_err(|error| format!("no thread for the {name}: {error}"))?;
            mailboxes.push((lane, mailbox));
        }
        Ok(Self { mailboxes, control, receiver })
    }

    /// Gives a question to its thread.
    pub fn ask(&self, question: Question) {
        if let Some(mailbox) = self.mailbox(question.asked.lane()) {
            mailbox.put(question);
        }
    }

    /// The answer of a lane is wanted no more: those that can end early do.
    pub fn drop_question(&self, lane: LaneName) {
        if let Some(mailbox) = self.mailbox(lane) {
            mailbox.drop_question();
        }
    }

    fn mailbox(&self, lane: LaneName) -> Option<&Mailbox> {
        let mut all = self.mailboxes.iter();
        let (_, mailbox) = all.find(|(name, _)| *name == lane)?;
        Some(mailbox)
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
                let reason = "this is a bug in plimsoll; please report it with the site file";
                self.lane.failed(reason.to_owned())
            });
            if !self.send(generation, answer, true) {
                return;
            }
        }
    }

    /// Whether the window still listens.
    fn send(&self, generation: u64, answer: Answer, is_last: bool) -> bool {
        let sent = self.sender.send(Command::Answered { generation, answer, is_last });
        (self.wake)();
        sent.is_ok()
    }

    fn answer(&self, generation: u64, asked: Asked) -> Answer {
        let engine = &*self.engine;
        let goes_on = || self.mailbox.is_calm();
        match asked {
            Asked::Advice(site) => self.work(generation, Answer::Advice, |tell| {
                tell(Advised::new(engine, site.clone(), &Ask::NOTHING));
                wanted(goes_on())?;
                let ask = Ask { budget: Budget::default(), goes_on: &goes_on, ..Ask::NOTHING };
                Ok(Advised::new(engine, site, &ask))
            }),
            Asked::WhatIf(Same(advised), change) => self.work(generation, Answer::WhatIf, |tell| {
                let tried = Tried::point(engine, &advised, change)?;
                if tried.curve.is_none() {
                    tell(tried.clone());
                    wanted(goes_on())?;
                }
                Ok(tried.bent(engine, &advised))
            }),
            // What the pointer rests on; the next question ends it.
            Asked::Check(Same(advised), change) => self.work(generation, Answer::Check, |tell| {
                wanted(self.mailbox.rests(REST))?;
                Checked::run(engine, &advised, &change, &goes_on, tell)
            }),
            Asked::Growth(Same(advised), change, years) => {
                self.work(generation, Answer::Growth, |_| Grown::new(engine, &advised, &change, years))
            }
            Asked::Comparison(Same(advised), pins) => {
                self.work(generation, Answer::Comparison, |_| Compared::new(engine, &advised, &pins))
            }
            Asked::Simulation(Same(advised), change, day) => self.work(generation, Answer::Simulation, |tell| {
                self.control.tell(Signal::Run);
                Simulated::run(engine, &advised, &change, &day, &self.control, tell)
            }),
            Asked::Accuracy => self.work(generation, Answer::Accuracy, |_| Accuracy::new(engine)),
            Asked::Today(site) => self.work(generation, Answer::Today, |_| FromToday::new(engine, site)),
            Asked::Against(site, path, text) => {
                self.work(generation, Answer::Against, |_| Against::new(engine, &site, &path, &text))
            }
            // The next question ends it, and so does closing the log.
            Asked::Log(files) => self.work(generation, Answer::Log, |tell| Logged::read(&files, &goes_on, tell)),
        }
    }

    /// Works out an answer; what there is of it on the way is told to the window.
    fn work<T>(
        &self,
        generation: u64,
        answer: fn(Found<T>) -> Answer,
        work: impl FnOnce(&mut dyn FnMut(T)) -> Result<T, String>,
    ) -> Answer {
        let mut tell = |found| {
            self.send(generation, answer(Ok(Same::new(found))), false);
        };
        answer(work(&mut tell).map(Same::new))
    }
}

/// Ends the work on an answer that is wanted no more.
fn wanted(is_wanted: bool) -> Result<(), String> {
    if is_wanted {
        return Ok(());
    }
    Err("another question came".to_owned())
}
