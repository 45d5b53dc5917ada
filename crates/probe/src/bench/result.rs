//! The result file: what was measured, where, and how far rounds lie from each other.
//!
//! TOML with one table a test; docs/benchmark.md describes every key. A file of a later version is refused,
//! not guessed at.

use std::path::Path;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::BenchError;
use super::environment::Environment;
use super::network::NetworkResult;
use super::steady::Verdict;
use crate::diag::quoted;
use crate::document::read_text;
use crate::stats::Histogram;

/// Version of the format.
pub const SCHEMA: u32 = 1;

/// Everything that a run found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Version of the format.
    pub schema: u32,
    /// What the file is.
    pub kind: String,
    /// Version of the tool that measured.
    pub tool: String,
    /// When the run began, UTC: `2026-11-22T05:40:00Z`.
    pub when: String,
    /// The folder that was measured.
    pub folder: String,
    /// How it was measured.
    pub settings: Settings,
    /// What was to know before the numbers are believed.
    pub warnings: Vec<String>,
    /// What lies under and around the folder.
    pub environment: Environment,
    /// The tests.
    pub tests: Vec<Tested>,
    /// The network to another host, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkResult>,
}

/// How it was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Size of the file that blocks were read from and written to \[B\].
    pub file_bytes: u64,
    /// Time of a round \[s\].
    pub round_s: f64,
    /// Rounds of a test, the warm-up not counted.
    pub rounds: usize,
    /// How the device was reached: `direct`, `dropped`, or why it was not.
    pub uncached: String,
}

/// What a test found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tested {
    /// Its id, as `--only` takes it.
    pub id: String,
    /// What it does.
    pub title: String,
    /// Size of a block \[B\], where it has blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<u64>,
    /// What is done with it: write, read …; for other tests their family.
    pub mode: String,
    /// Where the next block lies, where it has blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// Threads at once.
    pub threads: usize,
    /// What the rounds say about each other.
    pub verdict: Verdict,
    /// Why it was not measured, or what to know about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Operations a second: the median of the rounds; 0 where it was not measured.
    pub iops: f64,
    /// Operations a second of each round, in their order.
    pub rounds: Vec<f64>,
    /// Operations that were counted.
    pub operations: u64,
    /// Commits that the system acknowledged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<u64>,
    /// Time that forcing out what a round had left in memory took, the median \[s\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flush_s: Option<f64>,
    /// Operations a second with that time in it: what the device sustains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flushed_iops: Option<f64>,
    /// Time of an operation in the closed loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_s: Option<Times>,
    /// The same from when it was due, at 70 % of the closed loop's rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_loop: Option<OpenLoop>,
    /// Time of each part of an operation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartTimes>,
}

/// Percentiles of a time \[s\], within 0.4 %, and the longest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// Median \[s\].
    pub p50: f64,
    /// 90 % were not longer \[s\].
    pub p90: f64,
    /// 99 % \[s\].
    pub p99: f64,
    /// 99.9 % \[s\].
    pub p99_9: f64,
    /// The longest \[s\].
    pub max: f64,
}

impl Times {
    /// Of all times that a histogram has counted \[s\], and the longest of them.
    pub(super) fn of(histogram: &Histogram, longest: f64) -> Self {
        // A percentile is told from the middle of its bucket, which may lie above the longest.
        let at = |share| histogram.quantile(share).min(longest);
        Self { p50: at(0.5), p90: at(0.9), p99: at(0.99), p99_9: at(0.999), max: longest }
    }

    /// Coefficient of variation of what has these percentiles, by the form in which the model makes percentiles of it: the cube root is
    /// nearly normal (Wilson and Hilferty 1931), so that a percentile over the median is ((1 − s² + zs) / (1 − s²))³ with s a third of
    /// the coefficient. The mean of what the 90th and the 99th say; none where a time is the same each time.
    ///
    /// ```
    /// use plimsoll_probe::bench::Times;
    /// let exponential = Times { p50: 0.693, p90: 2.303, p99: 4.605, p99_9: 6.908, max: 9.0 };
    /// assert!((exponential.variation().unwrap() - 1.0).abs() < 0.03);
    /// ```
    pub fn variation(self) -> Option<f64> {
        /// These percentiles of the standard normal distribution.
        const NORMAL: [f64; 2] = [1.2816, 2.3263];

        let of = |time: f64, z: f64| {
            let root = (time / self.p50).cbrt() - 1.0;
            3.0 * (z.hypot(2.0 * root) - z) / (2.0 * root)
        };
        let [low, high] = [(self.p90, NORMAL[0]), (self.p99, NORMAL[1])].map(|(time, z)| of(time, z));
        let mean = f64::midpoint(low, high);
        (mean.is_finite() && mean > 0.0).then_some(mean)
    }
}

/// Time of one part of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartTimes {
    /// Which: write, commit, read, lock …
    pub part: String,
    /// Median \[s\].
    pub p50: f64,
    /// 90 % were not longer \[s\].
    pub p90: f64,
    /// 99 % \[s\].
    pub p99: f64,
    /// 99.9 % \[s\].
    pub p99_9: f64,
    /// The longest \[s\].
    pub max: f64,
}

/// Times in the open loop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the unit is at the end of every key")]
pub struct OpenLoop {
    /// Operations a second that were due.
    pub offered_per_s: f64,
    /// Operations a second that were done.
    pub done_per_s: f64,
    /// From when they were due.
    pub latency_s: Times,
}

/// What `kind` says in every result file.
pub const KIND: &str = "plimsoll bench";

impl Measured {
    /// The file's text.
    pub fn to_toml(&self) -> Result<String, BenchError> {
        let body = toml::to_string(self)
            .map_err(|error| BenchError::Failed(format!("the result cannot be written: {error}")))?;
        Ok(format!("# Results of `plimsoll bench`; docs/benchmark.md describes the keys.\n{body}"))
    }

    /// Reads a result file; the message says where and what is wrong with it.
    pub fn load(path: &Path) -> Result<Self, BenchError> {
        let text = read_text(path).map_err(|error| BenchError::Input(error.to_string()))?;
        Self::parse(&text).map_err(|error| in_file(path, error))
    }

    /// Reads a result file's text.
    pub fn parse(text: &str) -> Result<Self, BenchError> {
        let table: toml::Table = toml::from_str(text).map_err(|error| not_toml(text, &error))?;
        let schema = table.get("schema").and_then(toml::Value::as_integer);
        if !is_result(&table) {
            let reason = format!("no result of a benchmark: those begin with kind = {KIND:?}");
            return Err(at_line(text, "kind", &reason));
        }
        if schema != Some(i64::from(SCHEMA)) {
            let found = schema.map_or_else(|| "none".to_owned(), |s| s.to_string());
            let reason = format!("schema {found}: this version reads schema {SCHEMA}");
            return Err(at_line(text, "schema", &reason));
        }
        let measured: Self = toml::from_str(text).map_err(|error| not_toml(text, &error))?;
        measured.checked(text)
    }

    /// A file may have been edited: numbers that no run can give are refused.
    fn checked(self, text: &str) -> Result<Self, BenchError> {
        for test in &self.tests {
            let rates = test.rounds.iter().chain([&test.iops]);
            let times = test.latency_s.iter().flat_map(|t| [t.p50, t.p90, t.p99, t.p99_9, t.max]);
            let sound = |value: f64| value.is_finite() && value >= 0.0;
            if !rates.copied().chain(times).all(sound) || test.threads == 0 {
                let id = quoted(&test.id);
                let reason = format!("{id}: a rate or time is negative, infinite or no number");
                return Err(at_line(text, &format!("id = {:?}", test.id), &reason));
            }
        }
        Ok(self)
    }

    /// The result of a test that was measured.
    pub fn test(&self, id: &str) -> Option<&Tested> {
        self.tests.iter().find(|t| t.id == id && t.iops > 0.0)
    }
}

/// "line 7: …", of the first line that begins so; without a line where none does.
fn at_line(text: &str, begin: &str, reason: &str) -> BenchError {
    let line = text.lines().position(|line| line.trim_start().starts_with(begin));
    BenchError::Input(match line {
        Some(idx) => format!("line {}: {reason}", idx + 1),
        None => reason.to_owned(),
    })
}

/// `FILE:7: …`, as all other messages have it, and as editors know it.
fn in_file(path: &Path, error: BenchError) -> BenchError {
    match error {
        BenchError::Input(reason) => BenchError::Input(match reason.strip_prefix("line ") {
            Some(rest) => format!("{}:{rest}", path.display()),
            None => format!("{}: {reason}", quoted(&path.to_string_lossy())),
        }),
        other => other,
    }
}

/// Reads a TOML file; the message says where and what is wrong with it.
pub(crate) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, BenchError> {
    let text = read_text(path).map_err(|error| BenchError::Input(error.to_string()))?;
    toml::from_str(&text).map_err(|error| in_file(path, not_toml(&text, &error)))
}

/// "line 7: missing field `when`".
fn not_toml(text: &str, error: &toml::de::Error) -> BenchError {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let before = String::from_utf8_lossy(&text.as_bytes()[..at]);
    let line = before.matches('\n').count() + 1;
    BenchError::Input(format!("line {line}: {}", error.message()))
}

/// Whether a parsed file is a result of a benchmark.
pub fn is_result(table: &toml::Table) -> bool {
    table.get("kind").and_then(toml::Value::as_str) == Some(KIND)
}

impl Tested {
    /// Times of a part.
    pub fn part(&self, name: &str) -> Option<&PartTimes> {
        self.parts.iter().find(|p| p.part == name)
    }
}
