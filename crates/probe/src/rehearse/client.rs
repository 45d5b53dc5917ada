//! The clients: people who think between their commands, large syncs with their threads, and a stream of automation.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::connection::{ClientEnd, Parts, Portion, Request};
use super::course::Course;
use super::plan::{Population, Sent};
use super::turns::Turns;
use crate::bench::ground::{Data, now};

/// A command that was done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub(super) kind: usize,
    /// When it ended, from the begin of the rehearsal \[s\].
    pub(super) at: f64,
    /// From when it was due until it ended \[s\].
    pub(super) response: f64,
    pub(super) parts: Parts,
}

/// A client's own random numbers, and when the rehearsal began.
pub(super) struct Client<'a> {
    pub(super) course: &'a Course,
    pub(super) population: &'a Population,
    pub(super) data: Data,
    pub(super) begun: Instant,
    pub(super) turns: Turns,
}

/// Draws a command and its size.
fn draw<'p>(population: &'p Population, data: &mut Data) -> Option<(&'p Sent, f64)> {
    let mut place = data.below(1 << 53) as f64 / (1_u64 << 53) as f64;
    let found = population.sent.iter().find(|sent| {
        place -= sent.share;
        place < 0.0
    });
    let sent = found.or(population.sent.last())?;
    let sum: f64 = (0..sent.phases).map(|_| data.exponential()).sum();
    Some((sent, sum / f64::from(sent.phases)))
}

impl Client<'_> {
    fn request(&self, sent: &Sent, factor: f64, portion: Portion) -> Request {
        Request {
            script: sent.script as u32,
            kind: sent.kind as u32,
            factor,
            portion,
            threads: self.population.threads as u32,
        }
    }

    fn sample(&mut self, kind: usize, due: Instant, mut parts: Parts) -> Sample {
        let end = now();
        parts.processor += self.turns.waited();
        let response = (end - due).as_secs_f64();
        Sample { kind, at: (end - self.begun).as_secs_f64(), response, parts }
    }

    /// Commands with thinking between them until it is over. Of several connections each has its part of the content.
    pub(super) fn closed(&mut self, think_time: f64, ends: &mut [ClientEnd]) -> Vec<Sample> {
        let mut samples = Vec::new();
        self.turns = Turns::of_this_thread();
        loop {
            let think = Duration::from_secs_f64((self.data.exponential() * think_time).min(1e6));
            if !self.course.sleep(think) {
                return samples;
            }
            let Some((sent, factor)) = draw(self.population, &mut self.data) else {
                return samples;
            };
            let (sent, due) = (sent.clone(), now());
            self.turns.waited();
            match self.command(&sent, factor, ends) {
                Ok(parts) => samples.push(self.sample(sent.kind, due, parts)),
                Err(error) => {
                    self.course.fail(error);
                    return samples;
                }
            }
        }
    }

    fn command(&self, sent: &Sent, factor: f64, ends: &mut [ClientEnd]) -> io::Result<Parts> {
        let Some((first, others)) = ends.split_first_mut() else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        first.echo()?;
        first.echo()?;
        if others.is_empty() {
            return first.command(&self.request(sent, factor, Portion::Whole));
        }
        let head = first.command(&self.request(sent, factor, Portion::Head))?;
        let content = self.request(sent, factor, Portion::Content);
        let shared = std::thread::scope(|scope| -> io::Result<[f64; 4]> {
            let mut threads = Vec::with_capacity(others.len());
            for end in others.iter_mut() {
                let thread = std::thread::Builder::new().name("rehearsal transfer".to_owned());
                threads.push(thread.spawn_scoped(scope, || end.command(&content))?);
            }
            let mut sum = first.command(&content)?.array();
            let count = threads.len() as f64 + 1.0;
            for thread in threads {
                let parts = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
                for (sum, part) in sum.iter_mut().zip(parts.array()) {
                    *sum += part;
                }
            }
            // Side by side: what one of them spent on the mean.
            Ok(sum.map(|sum| sum / count))
        })?;
        let tail = first.command(&self.request(sent, factor, Portion::Tail))?;
        let mut all = head.array();
        for (all, (shared, tail)) in all.iter_mut().zip(shared.into_iter().zip(tail.array())) {
            *all += shared + tail;
        }
        Ok(Parts::of(all))
    }
}

/// Commands that are due and not sent: when, which and how large.
#[derive(Debug, Default)]
struct Queue {
    commands: VecDeque<(Instant, Sent, f64)>,
    /// Connections that wait for one.
    idle: usize,
}

/// The queue of a stream's commands.
#[derive(Debug, Default)]
pub(super) struct Due {
    state: Mutex<Queue>,
    more: Condvar,
}

impl Due {
    /// Appends a command; says whether all connections are busy.
    fn push(&self, due: Instant, sent: Sent, factor: f64) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.commands.push_back((due, sent, factor));
        let is_short = state.commands.len() > state.idle;
        drop(state);
        self.more.notify_one();
        is_short
    }

    /// The next command, and from when on it waited: one that a connection waited for begins when that woke, since the client's own
    /// waking is not the server's time; any other when it was due.
    fn next(&self, course: &Course) -> Option<(Instant, Sent, f64)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut waited = false;
        loop {
            if course.is_over() {
                return None;
            }
            if let Some((due, sent, factor)) = state.commands.pop_front() {
                let from = if waited && state.commands.is_empty() { now() } else { due };
                return Some((from, sent, factor));
            }
            waited = true;
            state.idle += 1;
            let woken = self.more.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }

    /// Wakes all connections that wait for a command, once it is over.
    pub(super) fn wake_all(&self) {
        // A connection that looked whether it is over and does not wait yet holds the lock.
        drop(self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.more.notify_all();
    }

    /// Commands that are due and not sent.
    pub(super) fn waiting(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).commands.len()
    }
}

impl Client<'_> {
    /// Makes commands due at random moments at `rate` a second, whether or not a connection is idle; `more` starts another
    /// connection. Gives how many were due.
    pub(super) fn schedule(&mut self, rate: f64, due: &Due, more: &mut dyn FnMut()) -> u64 {
        let mut at = 0.0;
        let mut count = 0;
        if rate <= 0.0 {
            return 0;
        }
        loop {
            at += self.data.exponential() / rate;
            let moment = self.begun + Duration::from_secs_f64(at.min(1e9));
            let wait = moment.saturating_duration_since(now());
            if !self.course.sleep(wait) {
                return count;
            }
            let Some((sent, factor)) = draw(self.population, &mut self.data) else {
                return count;
            };
            count += 1;
            if due.push(moment, sent.clone(), factor) {
                more();
            }
        }
    }

    /// Sends what is due.
    pub(super) fn open(&mut self, due: &Due, mut end: ClientEnd) -> Vec<Sample> {
        let mut samples = Vec::new();
        self.turns = Turns::of_this_thread();
        while let Some((moment, sent, factor)) = due.next(self.course) {
            let request = self.request(&sent, factor, Portion::Whole);
            self.turns.waited();
            let done = end.echo().and_then(|()| end.echo()).and_then(|()| end.command(&request));
            match done {
                Ok(parts) => samples.push(self.sample(sent.kind, moment, parts)),
                Err(error) => {
                    self.course.fail(error);
                    break;
                }
            }
        }
        samples
    }
}
