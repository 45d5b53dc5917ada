//! What is measured between two hosts, how often and how long.
//!
//! Knows kinds of test and their limits. Must not know sockets.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NetworkError;

/// Which way the data go, seen from the host that connects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// To the host that listens.
    Upload,
    /// From the host that listens.
    Download,
}

/// One kind of test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Test {
    /// A message there and back, one at a time.
    RoundTrip {
        /// Size of the message, in bytes.
        message_bytes: u64,
    },
    /// As much as goes through.
    Bandwidth {
        /// Which way.
        direction: Direction,
        /// Socket buffers on both sides, in bytes; none leaves them to the kernel.
        window_bytes: Option<u64>,
        /// Parallel connections.
        streams: u64,
    },
}

/// What to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkPlan {
    /// Sizes of the messages of round trips, in bytes.
    pub message_bytes: Vec<u64>,
    /// Windows, in bytes; none is the kernel's choice.
    pub window_bytes: Vec<Option<u64>>,
    /// Numbers of parallel streams.
    pub streams: Vec<u64>,
    /// Rounds; each holds every test once.
    pub rounds: u64,
    /// Part of each test that is not counted.
    pub warm_up: Duration,
    /// Part of each test that is.
    pub measured: Duration,
}

/// Messages from a stamp up to the largest write of p4d's own buffers and some more.
pub const MESSAGE_BYTES: std::ops::RangeInclusive<u64> = 8..=1 << 20;
/// Windows; what the kernel grants is a matter of its own limits.
pub const WINDOW_BYTES: std::ops::RangeInclusive<u64> = 4096..=64 << 20;
/// Parallel streams; each has a thread on either side.
pub const STREAMS: std::ops::RangeInclusive<u64> = 1..=64;
/// Warm-up of one test, in milliseconds.
pub const WARM_UP_MS: std::ops::RangeInclusive<u64> = 0..=10_000;
/// Measured time of one test, in milliseconds.
pub const MEASURED_MS: std::ops::RangeInclusive<u64> = 10..=60_000;
/// Rounds.
pub const ROUNDS: std::ops::RangeInclusive<u64> = 1..=1000;

impl NetworkPlan {
    /// Five rounds of 26 tests: about two and a half minutes.
    pub fn full() -> Self {
        Self {
            message_bytes: vec![64, 8192],
            window_bytes: vec![None, Some(64 << 10), Some(512 << 10), Some(1 << 20)],
            streams: vec![1, 4, 8],
            rounds: 5,
            warm_up: Duration::from_millis(200),
            measured: Duration::from_secs(1),
        }
    }

    /// Three rounds of the tests that tell most: about 15 seconds.
    pub fn quick() -> Self {
        Self {
            window_bytes: vec![None, Some(64 << 10)],
            streams: vec![1, 8],
            rounds: 3,
            warm_up: Duration::from_millis(100),
            measured: Duration::from_millis(400),
            ..Self::full()
        }
    }

    /// The tests of one round, in order.
    pub fn tests(&self) -> Vec<Test> {
        let round_trips = self.message_bytes.iter();
        let mut tests: Vec<Test> = round_trips.map(|&message_bytes| Test::RoundTrip { message_bytes }).collect();
        for &window_bytes in &self.window_bytes {
            for &streams in &self.streams {
                let of = |direction| Test::Bandwidth { direction, window_bytes, streams };
                tests.extend([Direction::Upload, Direction::Download].map(of));
            }
        }
        tests
    }

    /// How long all of it takes, without the time to connect.
    pub fn duration(&self) -> Duration {
        let tests = self.tests().len() as u64 * self.rounds;
        (self.warm_up + self.measured).saturating_mul(u32::try_from(tests).unwrap_or(u32::MAX))
    }

    /// Whether it is within the limits that the other side has too.
    pub fn check(&self) -> Result<(), NetworkError> {
        let within = |name: &str, range: &std::ops::RangeInclusive<u64>, value: u64| {
            if range.contains(&value) {
                return Ok(());
            }
            let (low, high) = (range.start(), range.end());
            Err(NetworkError::Plan(format!("{name} must be from {low} to {high}, not {value}")))
        };
        within("rounds", &ROUNDS, self.rounds)?;
        for &bytes in &self.message_bytes {
            within("bytes of a message", &MESSAGE_BYTES, bytes)?;
        }
        for &bytes in self.window_bytes.iter().flatten() {
            within("bytes of a window", &WINDOW_BYTES, bytes)?;
        }
        for &streams in &self.streams {
            within("parallel streams", &STREAMS, streams)?;
        }
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        within("milliseconds of warm-up", &WARM_UP_MS, ms(self.warm_up))?;
        within("measured milliseconds", &MEASURED_MS, ms(self.measured))?;
        if self.tests().is_empty() {
            return Err(NetworkError::Plan("it has no test".to_owned()));
        }
        Ok(())
    }
}

/// A size that somebody chose, in the largest unit that divides it.
fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} B"),
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::RoundTrip { message_bytes } => {
                write!(f, "round trips of {}", size(message_bytes))
            }
            Self::Bandwidth { direction, window_bytes, streams } => {
                let way = match direction {
                    Direction::Upload => "upload",
                    Direction::Download => "download",
                };
                let plural = if streams == 1 { "" } else { "s" };
                write!(f, "{way}, {streams} stream{plural}, ")?;
                match window_bytes {
                    None => write!(f, "the kernel's window"),
                    Some(bytes) => write!(f, "window {}", size(bytes)),
                }
            }
        }
    }
}
