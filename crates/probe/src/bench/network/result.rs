//! What came out of a measurement between two hosts.
//!
//! Knows samples of each round and makes medians of them. Must not know sockets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::result::Times;
use super::plan::Direction;
use crate::stats::Histogram;
use crate::stats::median;

/// Everything measured between two hosts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NetworkResult {
    /// This host's address and port.
    pub local: String,
    /// The other host's.
    pub peer: String,
    /// Rounds in which all tests took turns.
    pub rounds: u64,
    /// Round trips, by size of message.
    pub round_trips: Vec<RoundTrip>,
    /// Bandwidths, by window, streams and direction.
    pub bandwidths: Vec<Bandwidth>,
    /// What a reader should know of them, as sentences.
    pub notes: Vec<String>,
}

/// Round trips of one size of message, one under way at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundTrip {
    /// Size of the message, in bytes.
    pub message_bytes: u64,
    /// How many were counted.
    pub count: u64,
    /// Their distribution over all rounds, in seconds.
    pub latency_s: Times,
    /// The median of each round, in seconds.
    pub p50_s: Rounds,
}

/// Bandwidth of one direction, window and number of streams.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bandwidth {
    /// Which way, seen from this host.
    pub direction: Direction,
    /// Socket buffers that were asked for on both sides, in bytes; none is the kernel's choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_bytes: Option<u64>,
    /// Parallel connections.
    pub streams: u64,
    /// What the receiver's program read, all streams together, in bytes a second.
    pub bytes_per_s: Rounds,
    /// The sender's buffer as its kernel says; Linux says twice what it grants, for its bookkeeping.
    pub send_buffer_bytes: u64,
    /// The receiver's, likewise; where the kernel chooses, this is what it begins with.
    pub receive_buffer_bytes: u64,
    /// Whether both kernels granted the window that was asked for.
    pub is_window_granted: bool,
}

/// One figure of each round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rounds {
    /// Their median.
    pub median: f64,
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// Each of them, in order of time.
    pub values: Vec<f64>,
}

/// Times that were seen, in seconds.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    times: Histogram,
    longest: f64,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self { times: Histogram::new(), longest: 0.0 }
    }

    #[inline]
    pub(super) fn record(&mut self, seconds: f64) {
        self.times.record(seconds);
        self.longest = self.longest.max(seconds);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.times.merge(&other.times);
        self.longest = self.longest.max(other.longest);
    }

    pub(super) fn latency_s(&self) -> Times {
        Times::of(&self.times, self.longest)
    }

    pub(super) fn count(&self) -> u64 {
        self.times.count()
    }
}

impl Rounds {
    /// Of at least one figure.
    pub fn of(values: Vec<f64>) -> Self {
        assert!(!values.is_empty(), "a median needs a value");
        Self {
            median: median(&values),
            low: values.iter().copied().fold(f64::INFINITY, f64::min),
            high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            values,
        }
    }
}
