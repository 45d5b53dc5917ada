//! Probes of each volume, minutes before the load: the tests of `plimsoll bench` that the model's numbers come from.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::plan::Plan;
use super::units::PAUSE;
use crate::bench::ground::{Part, ROWS};
use crate::bench::{self, BenchError, Measured, Place};

/// Tests of every volume, and those that are done once.
const OF_VOLUME: [&str; 6] = [
    "read.8k.random.1",
    "read.8k.random.16",
    "read.64k.sequential.16",
    "write-commit.8k.random.1",
    "journal.1",
    "direct-write.64k.sequential.16",
];
const ONCE: [&str; 4] = ["rows.1", "echo.1", "idle.echo.1", "idle.rows.1"];
/// Size of the file, and time of a round.
const FILE: u64 = 128 << 20;
const ROUND: Duration = Duration::from_millis(200);
const ROUNDS: usize = 3;

/// What a volume does, in the model's terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Volume {
    /// A page read from the device, alone, and how many are served at once in that time.
    pub(super) read_s: f64,
    pub(super) parallel: f64,
    /// Bytes a second that readers of archives get together.
    pub(super) stream: f64,
    /// A page written and forced out, and bytes a second that are forced out.
    pub(super) flush_s: f64,
    pub(super) forced: f64,
    /// Forced writes that journal text takes which is appended and forced out.
    pub(super) append_writes: f64,
    /// Relative error of these: how far rounds lie apart, and what is left out.
    pub(super) spread: f64,
}

/// The probes of a volume; `first` of all has those of the processor with it.
pub(super) fn probe(
    place: &Place,
    plan: &Plan,
    is_first: bool,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&bench::Progress),
) -> Result<Measured, BenchError> {
    let once: &[&str] = if is_first { &ONCE } else { &[] };
    let ids: Vec<String> = OF_VOLUME.iter().chain(once).map(|id| (*id).to_owned()).collect();
    let mut probes = bench::Plan::quick().only(&ids)?;
    probes.file_bytes = FILE.min(plan.settings.bytes_max / 4).max(*bench::FILE_BYTES.start());
    probes.round = ROUND;
    probes.rounds = ROUNDS;
    probes.pause = PAUSE;
    probes.seed = plan.settings.seed;
    bench::run(&probes, place, stop, progress)
}

impl Volume {
    /// From a volume's probes. What a filesystem in memory cannot show takes the time of a copy.
    pub(super) fn of(measured: &Measured) -> Self {
        /// A page copied in memory \[s\], and bytes a second: what is left where nothing goes to a device.
        const COPY: f64 = 3e-6;
        const COPIED: f64 = 2e9;
        // The median where it is shorter: on a machine with other work the mean has waits for the processor in it.
        let mean = |id: &str| {
            let test = measured.test(id)?;
            let median = test.latency_s.map_or(f64::INFINITY, |times| times.p50);
            Some((test.threads as f64 / test.iops).min(median))
        };
        let bytes = |id: &str, block: f64| measured.test(id).map(|t| t.iops * block);
        let read_s = mean("read.8k.random.1").unwrap_or(COPY);
        let many = measured.test("read.8k.random.16").map(|t| t.iops);
        let parallel = many.map_or(64.0, |rate| (rate * read_s).max(1.0));
        let commit = mean("write-commit.8k.random.1").unwrap_or(COPY);
        let appended = mean("journal.1").unwrap_or(commit);
        let stream = bytes("read.64k.sequential.16", 65_536.0).unwrap_or(COPIED);
        let forced = bytes("direct-write.64k.sequential.16", 65_536.0).unwrap_or(COPIED);
        let rounds = ["read.8k.random.1", "write-commit.8k.random.1", "read.64k.sequential.16"];
        let spreads = rounds.iter().filter_map(|id| {
            let test = measured.test(id)?;
            let (low, high) = test.rounds.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), r| (l.min(*r), h.max(*r)));
            Some((high - low) / test.iops / 2.0)
        });
        let spread = spreads.fold(0.1, f64::max).min(1.0);
        Self {
            read_s,
            parallel,
            stream,
            // The page itself is told apart from what each flush takes.
            flush_s: (commit - 8192.0 / forced).max(commit / 10.0),
            forced,
            append_writes: (appended / commit).clamp(1.0, 20.0),
            spread,
        }
    }
}

/// Seconds that the processor test of the benchmark takes for a row, where it was measured.
pub(super) fn row_time(measured: &Measured) -> Option<f64> {
    let test = measured.test("rows.1")?;
    // What other programs take from the processor now and then is not its speed: the fastest round, or the median operation.
    let best = test.rounds.iter().copied().fold(test.iops, f64::max);
    let median = test.latency_s.map_or(f64::INFINITY, |times| times.p50);
    (best > 0.0).then(|| (1.0 / best).min(median) / ROWS as f64)
}

/// What a processor that was idle for long takes until it works as after the pause of the other probes, where that was measured \[s\].
pub(super) fn wake_time(measured: &Measured) -> Option<f64> {
    let later = |id: &str| {
        let test = measured.test(id)?;
        let after = |part: Part| test.part(part.name()).map(|times| times.p50);
        Some((after(Part::After100ms)? - after(Part::After3ms)?).max(0.0))
    };
    Some(later("idle.echo.1")? + later("idle.rows.1")?)
}
