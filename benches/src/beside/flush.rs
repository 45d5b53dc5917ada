//! `pg_test_fsync` of `PostgreSQL`: how long fdatasync takes after an 8 KiB write to the same place.
//!
//! It has many tests and no option to choose; it is stopped when the wanted line is there.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{Sample, Settings};

/// Where it is: on the path, or where Debian keeps it, the latest version.
pub(super) fn program() -> Result<PathBuf, String> {
    let on_path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&on_path).collect();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    folders.extend(versions.into_iter().rev());
    let programs = folders.into_iter().map(|folder| folder.join("pg_test_fsync"));
    let missing = "pg_test_fsync is not installed; Debian has it in the package postgresql-15";
    programs.into_iter().find(|program| program.is_file()).ok_or_else(|| missing.to_owned())
}

/// Runs it until it has said what fdatasync does with one 8 KiB write.
pub(super) fn run(program: &Path, folder: &Path, settings: &Settings) -> Result<Sample, String> {
    let mut child = Command::new(program)
        .args(["-s", &settings.time.as_secs().to_string()])
        .arg("-f")
        .arg(folder.join("pg"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let lines = child.stdout.take().map(BufReader::new).into_iter();
    let mut lines = lines.flat_map(BufReader::lines).map_while(Result::ok);
    let rate = lines.find_map(|line| rate(&line));
    // It removes its file when it is asked to end.
    let process = Pid::from_raw(i32::try_from(child.id()).map_err(|error| error.to_string())?);
    kill(process, Signal::SIGTERM).map_err(|error| error.to_string())?;
    child.wait().map_err(|error| error.to_string())?;
    let iops = rate.ok_or("pg_test_fsync did not say what fdatasync does")?;
    Ok(Sample {
        iops,
        // It says the mean only, which is 1 over the rate.
        p50: None,
        processor: None,
    })
}

/// Of a line such as `fdatasync      299.822 ops/sec    3335 usecs/op`.
fn rate(line: &str) -> Option<f64> {
    let mut words = line.split_whitespace();
    let is_it = words.next() == Some("fdatasync");
    let rate = words.next()?.parse().ok()?;
    (is_it && words.next() == Some("ops/sec")).then_some(rate)
}
