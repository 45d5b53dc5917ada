//! Pages of the database read by processes, how many of them the page cache had, and memory of processes.

use crate::serverlog::merge::add;
use crate::serverlog::record::{Command, Moment, Section};
use crate::stats::Histogram;

/// A page of a db.* file \[B\].
const PAGE: f64 = 8192.0;
/// A block of the operating system's count \[B\].
const BLOCK: f64 = 512.0;

/// What was found about pages and memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cache {
    /// Pages that processes read from the files of the database.
    pub pages_in: u64,
    /// Pages that they wrote.
    pub pages_out: u64,
    /// Of the pages read by commands that touched no archive file and of which the system counted blocks: all, and the
    /// share that came from the page cache.
    pub judged_pages: u64,
    /// That share; `None` if there were no such pages.
    pub hit_fraction: Option<f64>,
    /// Commands with such a count, and those that read nothing from storage.
    pub counted: u64,
    /// Those that read nothing from storage.
    pub without_reads: u64,
    /// Memory of processes \[B\].
    pub memory_bytes: Option<Spread>,
    /// The command of the largest process.
    pub largest: Option<Largest>,
}

/// The distribution of something, within 0.4 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Values.
    pub count: u64,
    /// Their mean, exactly.
    pub mean: f64,
    /// Half of them are no larger.
    pub p50: f64,
    /// 95 % of them are no larger.
    pub p95: f64,
    /// The largest, exactly.
    pub max: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

/// The command with the largest process.
#[derive(Debug, Clone, PartialEq)]
pub struct Largest {
    /// Its memory \[B\].
    pub bytes: u64,
    /// Who ran it.
    pub user: String,
    /// The function.
    pub function: String,
    /// When.
    pub start: Moment,
}

/// Values of which the distribution is kept.
#[derive(Debug, Clone)]
pub(in crate::serverlog) struct Values {
    histogram: Histogram,
    sum: f64,
    squares: f64,
    min: f64,
    max: f64,
}

impl Default for Values {
    fn default() -> Self {
        Self { histogram: Histogram::new(), sum: 0.0, squares: 0.0, min: f64::INFINITY, max: 0.0 }
    }
}

impl Values {
    /// In a unit in which values are below 2³⁰, where the histogram ends.
    pub(in crate::serverlog) fn add(&mut self, value: f64) {
        self.histogram.record(value);
        self.sum += value;
        self.squares += value * value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    pub(in crate::serverlog) fn spread(&self) -> Option<Spread> {
        let count = self.histogram.count();
        (count > 0).then(|| Spread {
            count,
            mean: self.sum / count as f64,
            p50: self.quantile(0.5),
            p95: self.quantile(0.95),
            max: self.max,
            deviation: {
                let mean = self.sum / count as f64;
                (self.squares / count as f64 - mean * mean).max(0.0).sqrt()
            },
        })
    }
}

impl Values {
    /// A quantile: never beyond what was seen, so that a single value is itself.
    fn quantile(&self, at: f64) -> f64 {
        self.histogram.quantile(at).max(self.min).min(self.max)
    }
}

impl Spread {
    /// Where the mean lies of which these values are a sample: 80 % interval, by the standard error of the mean.
    pub fn mean_interval(&self) -> (f64, f64) {
        /// Of the standard normal distribution, at 90 %.
        const Z: f64 = 1.2816;
        let half = Z * self.deviation / (self.count.max(1) as f64).sqrt();
        ((self.mean - half).max(0.0), self.mean + half)
    }

    /// In another unit.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            count: self.count,
            mean: self.mean * factor,
            p50: self.p50 * factor,
            p95: self.p95 * factor,
            max: self.max * factor,
            deviation: self.deviation * factor,
        }
    }
}

/// Adds them up.
#[derive(Debug, Clone, Default)]
pub(super) struct Pages {
    found: Cache,
    judged_blocks: u64,
    /// MiB.
    memory: Values,
}

impl Pages {
    pub(super) fn add(&mut self, command: &Command) {
        let tables = || command.tables.iter().filter(|t| t.section == Section::Table);
        let pages = tables().fold(0, |sum: u64, t| sum.saturating_add(t.pages_in));
        add(&mut self.found.pages_in, pages);
        for table in tables() {
            add(&mut self.found.pages_out, table.pages_out);
        }
        let Some(usage) = command.usage else {
            return;
        };
        if command.tracked && command.archives.is_empty() && pages > 0 {
            add(&mut self.found.judged_pages, pages);
            add(&mut self.judged_blocks, usage.blocks_in);
            self.found.counted += 1;
            self.found.without_reads += u64::from(usage.blocks_in == 0);
        }
        let resident = usage.resident_kib.saturating_mul(1024);
        let bytes = command.process_bytes.unwrap_or(resident);
        if bytes == 0 {
            return;
        }
        self.memory.add(bytes as f64 / f64::from(1 << 20));
        let largest = self.found.largest.as_ref().map_or(0, |l| l.bytes);
        if bytes > largest {
            self.found.largest = Some(Largest {
                bytes,
                user: command.user.clone(),
                function: command.function.clone(),
                start: command.start,
            });
        }
    }

    pub(super) fn found(mut self) -> Cache {
        let pages = self.found.judged_pages as f64 * PAGE;
        self.found.hit_fraction =
            (pages > 0.0).then(|| (1.0 - self.judged_blocks as f64 * BLOCK / pages).clamp(0.0, 1.0));
        self.found.memory_bytes = self.memory.spread().map(|spread| spread.times(f64::from(1 << 20)));
        self.found
    }
}
