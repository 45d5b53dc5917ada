//! What a run will do: its tests, its sizes, and how long it takes and how much it writes at most.

use std::time::Duration;

use super::BenchError;
use super::matrix::{self, Kind, Mode, Test};
use super::{names, submit};
use crate::diag::{nearest, quoted};

/// A run, before it starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// In the order in which they run.
    pub tests: Vec<Test>,
    /// Size of the file of blocks \[B\].
    pub file_bytes: u64,
    /// Time of a round.
    pub round: Duration,
    /// Rounds of a test, after one to warm up.
    pub rounds: usize,
    /// What runs after this time is left out.
    pub time_max: Duration,
    /// Time between the operations of one thread at a device, in which it and the processor rest as they do between people's
    /// commands; of the tests of several threads none.
    pub pause: Duration,
    /// Seed of the moments at which operations are due in the open loop.
    pub seed: u64,
}

/// Least and greatest size of the file \[B\]: a few thousand pages; what a run can lay out.
pub const FILE_BYTES: std::ops::RangeInclusive<u64> = (16 << 20)..=(1 << 42);
/// Least and greatest time of a round.
pub const ROUND: std::ops::RangeInclusive<Duration> = Duration::from_millis(10)..=Duration::from_mins(10);

/// The longest round of a test of the processor alone: both take less than ten seconds.
const ROUND_OF_PROCESSOR: Duration = Duration::from_millis(800);
/// The shortest round of a test with pauses: each is made a few times.
const ROUND_OF_IDLE: Duration = Duration::from_millis(600);

/// What the journal grows to \[B\].
pub(super) const JOURNAL_BYTES: u64 = 256 << 20;
/// Rate at which a file is taken to be laid out until it is \[B/s\]: a disk's.
const LAID_OUT: f64 = 150e6;

impl Plan {
    /// Under two minutes.
    pub fn quick() -> Self {
        Self {
            tests: matrix::quick(),
            file_bytes: 512 << 20,
            round: Duration::from_millis(300),
            rounds: 5,
            time_max: Duration::from_secs(110),
            pause: Duration::ZERO,
            seed: 1,
        }
    }

    /// Under twenty minutes.
    pub fn full() -> Self {
        Self {
            tests: matrix::full(),
            file_bytes: 8 << 30,
            round: Duration::from_millis(1200),
            rounds: 5,
            time_max: Duration::from_mins(19),
            ..Self::quick()
        }
    }

    /// Only the tests with these ids, or whose ids begin with them and a dot; of all that there are.
    pub fn only(mut self, ids: &[String]) -> Result<Self, BenchError> {
        if ids.is_empty() {
            return Ok(self);
        }
        let all = matrix::full();
        let fits =
            |id: &str, wanted: &str| id == wanted || id.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'));
        for wanted in ids {
            if !all.iter().any(|test| fits(&test.to_string(), wanted)) {
                let ids: Vec<String> = all.iter().map(ToString::to_string).collect();
                let near = nearest(wanted, ids.iter().flat_map(|id| families(id)));
                let help = near.map_or_else(
                    || "`plimsoll bench --dry-run` lists them".to_owned(),
                    |near| format!("did you mean {}?", quoted(near)),
                );
                return Err(BenchError::Refused(format!("there is no test {}; {help}", quoted(wanted))));
            }
        }
        self.tests = all.into_iter().filter(|test| ids.iter().any(|wanted| fits(&test.to_string(), wanted))).collect();
        Ok(self)
    }

    /// Whether any test needs the file of blocks.
    pub(super) fn needs_blocks(&self) -> bool {
        let is = |test: &Test| matches!(test.kind.action(), Kind::Blocks { .. });
        self.tests.iter().any(is)
    }

    fn needs(&self, kind: Kind) -> bool {
        self.tests.iter().any(|test| test.kind == kind)
    }

    /// Room that it takes at most \[B\].
    pub fn bytes(&self) -> u64 {
        let mut bytes = 1 << 20;
        if self.needs_blocks() {
            bytes += self.file_bytes;
        }
        if self.needs(Kind::Journal) || self.needs(Kind::Submit) {
            bytes += JOURNAL_BYTES;
        }
        if self.needs(Kind::Submit) {
            bytes += submit::BYTES;
        }
        if self.needs(Kind::Names) {
            bytes += names::BYTES_MAX;
        }
        bytes
    }

    /// Bytes that a round may leave in memory before they are forced out.
    pub(super) fn cached_bytes_max(&self) -> u64 {
        (self.file_bytes / 4).min(1 << 30)
    }

    /// Time that a test takes.
    pub(super) fn test_time(&self, test: &Test) -> Duration {
        let warm = self.warm_up(test);
        let open = if opens(test) { self.open_time() } else { Duration::ZERO };
        warm + self.round_of(test) * self.rounds as u32 + open
    }

    /// Time of a round of a test: those of the processor alone settle soon.
    pub(super) fn round_of(&self, test: &Test) -> Duration {
        match test.kind {
            Kind::Rows | Kind::Deflate | Kind::Inflate | Kind::Echo => self.round.min(ROUND_OF_PROCESSOR),
            Kind::Idle(_) => self.round.max(ROUND_OF_IDLE),
            _ => self.round,
        }
    }

    /// Time between two operations of a thread.
    pub(super) fn pause_of(&self, test: &Test) -> Duration {
        match test.kind {
            Kind::Blocks { .. } | Kind::Journal if test.threads == 1 => self.pause,
            _ => Duration::ZERO,
        }
    }

    /// Time before the first round that counts.
    pub(super) fn warm_up(&self, test: &Test) -> Duration {
        self.round_of(test) / 2
    }

    /// Time of the open loop.
    pub(super) fn open_time(&self) -> Duration {
        self.round * 2
    }

    /// Time that it takes, about.
    pub fn time(&self) -> Duration {
        let tests: Duration = self.tests.iter().map(|test| self.test_time(test)).sum();
        let laid_out = Duration::from_secs_f64(self.bytes() as f64 / LAID_OUT);
        (tests + laid_out).min(self.time_max)
    }
}

/// Whether the latency of a test under less than all load says something: where users wait for a device.
pub(super) fn opens(test: &Test) -> bool {
    match test.kind {
        Kind::Blocks { mode, .. } => matches!(mode, Mode::Read | Mode::WriteCommit),
        Kind::Journal | Kind::Submit => true,
        Kind::Locks { .. } | Kind::Names | Kind::Rows | Kind::Deflate | Kind::Inflate | Kind::Echo | Kind::Idle(_) => {
            false
        }
    }
}

/// What may be said for a test, from the widest family to itself: `read`, `read.8k`, …
fn families(id: &str) -> impl Iterator<Item = &str> {
    let ends = id.match_indices('.').map(|(at, _)| at);
    ends.chain([id.len()]).map(|end| &id[..end])
}
