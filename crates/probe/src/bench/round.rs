//! One round: threads that do their work for a while, in a closed or an open loop.
//!
//! Closed: each thread begins the next operation when the last one ended, which gives the throughput. Open:
//! operations are due at random moments at a given rate whether the last one ended or not, and are timed from
//! when they were due, which gives the latency that users see (no coordinated omission). What a sleeping
//! thread wakes late is the timer's fault and not counted.

use std::io;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::data::Data;
use super::stopwatch::{Seen, Stopwatch, now};

/// One thread's operations.
pub(super) trait Work: Send {
    /// Does one and marks the ends of its parts; false when there is nothing left to do.
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool>;
}

/// What a round gave.
#[derive(Debug, Clone, Default)]
pub(super) struct Round {
    /// Operations a second, all threads together: the sum of theirs over their own time.
    pub(super) rate: f64,
    /// Times.
    pub(super) seen: Seen,
}

/// The error of a round that somebody stopped.
pub(crate) fn stopped() -> io::Error {
    io::ErrorKind::Interrupted.into()
}

/// Each thread works until `time` has passed, with a pause before each operation that is nobody's time.
pub(super) fn closed(
    works: Vec<Box<dyn Work>>,
    time: Duration,
    pause: Duration,
    stop: &AtomicBool,
) -> io::Result<Round> {
    together(works, &|work: &mut dyn Work, watch: &mut Stopwatch| {
        let begun = now();
        let end = begun + time;
        watch.begin(begun, begun);
        let (mut last, mut paused) = (begun, Duration::ZERO);
        while last < end {
            if stop.load(Ordering::Relaxed) {
                return Err(stopped());
            }
            if pause > Duration::ZERO {
                std::thread::sleep(pause);
                let start = now();
                paused += start - last;
                watch.begin(start, start);
            } else {
                watch.begin_at_last();
            }
            if !work.once(watch)? {
                break;
            }
            last = watch.end();
        }
        Ok((last - begun).saturating_sub(paused))
    })
}

/// Operations are due at random at `rate` a second, all threads together, until `time` has passed.
pub(super) fn open(
    works: Vec<Box<dyn Work>>,
    rate: f64,
    time: Duration,
    seed: u64,
    stop: &AtomicBool,
) -> io::Result<Round> {
    let each = works.len() as f64 / rate;
    let numbered = AtomicNumber::default();
    together(works, &|work: &mut dyn Work, watch: &mut Stopwatch| {
        let mut gaps = Data::new(seed ^ (numbered.next() << 40));
        let begun = now();
        let end = begun + time;
        let mut due = begun;
        let mut last = begun;
        loop {
            due += Duration::from_secs_f64((gaps.exponential() * each).min(3600.0));
            if due >= end {
                return Ok(end.max(last) - begun);
            }
            let start = wait_until(due, end, stop)?;
            // Behind: the operation waited from when it was due. In time: from when the thread woke.
            let from = if last > due { due } else { start };
            watch.begin(start, from);
            if !work.once(watch)? {
                return Ok(last - begun);
            }
            last = watch.end();
        }
    })
}

/// Waits until a moment, and gives when it really was.
fn wait_until(due: Instant, end: Instant, stop: &AtomicBool) -> io::Result<Instant> {
    /// A stop is seen within this time.
    const NAP: Duration = Duration::from_millis(50);
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        let now = now();
        if now >= due || now >= end {
            return Ok(now);
        }
        std::thread::sleep((due - now).min(NAP));
    }
}

#[derive(Debug, Default)]
struct AtomicNumber(std::sync::atomic::AtomicU64);

impl AtomicNumber {
    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

type Loop<'a> = &'a (dyn Fn(&mut dyn Work, &mut Stopwatch) -> io::Result<Duration> + Sync);

/// Runs the loop in a thread for each work, all from one start; the first error is the answer.
fn together(works: Vec<Box<dyn Work>>, run: Loop<'_>) -> io::Result<Round> {
    let start = Barrier::new(works.len());
    let start = &start;
    std::thread::scope(|scope| {
        let mut threads = Vec::with_capacity(works.len());
        for (number, mut work) in works.into_iter().enumerate() {
            let name = format!("bench {number}");
            let thread =
                std::thread::Builder::new().name(name).spawn_scoped(scope, move || -> io::Result<(Duration, Seen)> {
                    let mut watch = Stopwatch::new();
                    start.wait();
                    let time = run(work.as_mut(), &mut watch)?;
                    Ok((time, watch.seen))
                });
            threads.push(thread?);
        }
        let mut round = Round::default();
        let mut first_error = Ok(());
        for thread in threads {
            match thread.join() {
                Ok(Ok((time, seen))) => {
                    let seconds = time.as_secs_f64();
                    if seconds > 0.0 {
                        round.rate += seen.operations() as f64 / seconds;
                    }
                    round.seen.merge(&seen);
                }
                Ok(Err(error)) => first_error = first_error.and(Err(error)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        first_error.map(|()| round)
    })
}
