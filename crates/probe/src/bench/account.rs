//! What the rounds of a test come to: rates, percentiles, a verdict, and what to doubt.

use super::environment::Environment;
use super::locks::{MILLION, Pattern};
use super::matrix::{Kind, Mode, Test};
use super::result::{PartTimes, Tested, Times};
use super::round::Round;
use super::steady::{Verdict, judge};
use super::stopwatch::{Part, Seen};
use crate::stats::median;
use crate::units::Seconds;

/// A commit that is faster cannot have reached a device \[s\]: a command over PCI Express and back takes about
/// this long before the device has done anything. Persistent memory alone is faster.
const COMMIT_MIN: f64 = 5e-6;

/// A disk that turns cannot write sooner than this on the mean \[s\]: half a turn at 15,000 a minute.
const HALF_TURN: f64 = 2e-3;

/// Rounds of a test, and what forcing out took after each \[s\].
#[derive(Debug, Default)]
pub(super) struct Rounds {
    rates: Vec<f64>,
    flushed: Vec<(f64, f64)>,
    seen: Seen,
}

impl Rounds {
    /// Adds a round.
    pub(super) fn push(&mut self, round: &Round, flush: f64) {
        self.rates.push(round.rate);
        if round.rate > 0.0 {
            let operations = round.seen.operations() as f64;
            self.flushed.push((operations / round.rate, flush));
        }
        self.seen.merge(&round.seen);
    }

    /// What they come to, in a test's result.
    pub(super) fn fill(&self, test: &Test, environment: &Environment, tested: &mut Tested) {
        tested.iops = median(&self.rates);
        tested.rounds.clone_from(&self.rates);
        tested.operations = self.seen.operations();
        tested.verdict = judge(&self.rates);
        tested.latency_s = times(&self.seen, Part::Whole);
        tested.parts = Part::ALL[1..].iter().filter_map(|part| part_times(&self.seen, *part)).collect();
        if let Some((commits, _)) = self.seen.part(Part::Commit) {
            tested.commits = Some(commits.count());
        }
        if let Kind::Blocks { mode: Mode::Write, .. } = test.kind {
            let flushes: Vec<f64> = self.flushed.iter().map(|(_, flush)| *flush).collect();
            let sustained: Vec<f64> = self
                .flushed
                .iter()
                .zip(&self.rates)
                .map(|((time, flush), rate)| rate * time / (time + flush))
                .collect();
            tested.flush_s = Some(median(&flushes));
            tested.flushed_iops = Some(median(&sustained));
        }
        if let Kind::Locks { pattern: Pattern::Million, .. } = test.kind
            && tested.iops > 0.0
        {
            let time = Seconds::new(MILLION as f64 / tested.iops);
            tested.notes.push(format!("a million locks take {time}"));
        }
        doubt_commits(environment, tested);
    }
}

/// A commit that is too fast to be true.
fn doubt_commits(environment: &Environment, tested: &mut Tested) {
    let Some(commit) = tested.part("commit").map(|times| times.p50) else {
        return;
    };
    if environment.is_in_memory() || commit < COMMIT_MIN {
        tested.verdict = Verdict::NotDurable;
        tested.notes.push(format!("a commit takes {}: it reached no device", Seconds::new(commit)));
    } else if environment.is_rotational() && !environment.is_virtual() && commit < HALF_TURN {
        tested.notes.push(format!(
            "a commit takes {}, less than half a turn of a disk: a cache acknowledged it; is it protected \
                 against a power cut?",
            Seconds::new(commit)
        ));
    }
}

/// A test before it ran.
pub(super) fn empty(test: &Test) -> Tested {
    let (block_bytes, mode, order) = match test.kind {
        Kind::Blocks { block, mode, order } => (Some(block as u64), mode.name(), Some(order.name().to_owned())),
        Kind::Journal => (None, "journal", None),
        Kind::Locks { .. } => (None, "lock", None),
        Kind::Names => (None, "names", None),
        Kind::Submit => (None, "submit", None),
        Kind::Rows => (None, "rows", None),
        Kind::Deflate => (None, "deflate", None),
        Kind::Inflate => (None, "inflate", None),
        Kind::Echo => (None, "echo", None),
        Kind::Idle(_) => (None, "idle", None),
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

pub(super) fn times(seen: &Seen, part: Part) -> Option<Times> {
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
