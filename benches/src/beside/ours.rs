//! `plimsoll bench` as its users run it: a process of its own, with JSON on its standard output.
//!
//! The process is this program under another name (`argv[0]`), so that nothing else need be built. What it
//! takes to lay out the file and to warm up is not an operation's: each round runs it twice, once with few and
//! once with many rounds, and the difference in processor time over the difference in operations is the cost
//! of one.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use serde_json::Value;

use super::{Sample, Settings};

/// The name under which this program is `plimsoll`.
pub(super) const NAME: &str = "plimsoll";

/// Rounds inside one run; their sum takes as long as the other tool's run.
const MANY: u32 = 6;
/// The fewest that give a median.
const FEW: u32 = 1;

/// What one run says.
struct Run {
    sample: Sample,
    operations: f64,
    /// Of the whole process \[s\].
    processor: f64,
}

/// Measures one test once.
pub(super) fn run(id: &str, settings: &Settings) -> Result<Sample, String> {
    let many = measure(id, settings, MANY)?;
    let few = measure(id, settings, FEW)?;
    let operations = many.operations - few.operations;
    let processor = (many.processor - few.processor) / operations;
    Ok(Sample { processor: (operations > 0.0 && processor > 0.0).then_some(processor), ..many.sample })
}

fn measure(id: &str, settings: &Settings, rounds: u32) -> Result<Run, String> {
    let round = settings.time / MANY;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let before = processor_of_children()?;
    let output = Command::new(program)
        .arg0(NAME)
        .arg("bench")
        .arg(&settings.folder)
        .args(["--only", id, "--format", "json", "--quiet"])
        .args(["--round", &format!("{} ms", round.as_millis())])
        .args(["--rounds", &rounds.to_string()])
        .args(["--size", &format!("{} MiB", settings.file_bytes >> 20)])
        .output()
        .map_err(|error| format!("plimsoll: {error}"))?;
    let processor = processor_of_children()? - before;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("plimsoll: {}: {said}", output.status));
    }
    let answer: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("plimsoll: {error}"))?;
    let test = &answer["tests"][0];
    understood(test, processor)
        .filter(|run| run.operations > 0.0)
        .ok_or_else(|| format!("plimsoll measured nothing: {test}"))
}

/// Times are those of the whole operation, for commits those of the commit.
fn understood(test: &Value, processor: f64) -> Option<Run> {
    let parts = test["parts"].as_array();
    let commit = parts.and_then(|parts| parts.iter().find(|part| part["part"] == "commit"));
    let times = commit.unwrap_or(&test["latency_s"]);
    let sample = Sample { iops: test["iops"].as_f64()?, p50: times["p50"].as_f64(), processor: None };
    Some(Run { sample, operations: test["operations"].as_f64()?, processor })
}

/// Of all processes that were waited for, user and system \[s\].
fn processor_of_children() -> Result<f64, String> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}
