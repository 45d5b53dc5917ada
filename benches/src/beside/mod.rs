//! `plimsoll bench` beside fio and `pg_test_fsync`: the same folder, file size and kinds of access, in turns.
//!
//! Every tool works in a fresh folder below the one that is named, which is removed at the end. A round holds
//! each tool once for each kind of access, the first one in turn first; a ratio is the median of the ratios
//! within a round, so that what else the machine does meets both.

mod fio;
mod flush;
mod ours;
mod table;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use plimsoll::bench::Environment;

use table::Row;

/// What the command line asks for.
pub struct Settings {
    /// The folder whose volume is measured.
    folder: PathBuf,
    rounds: u64,
    /// Size of the file \[B\].
    file_bytes: u64,
    /// Measured time of one tool in one round.
    time: Duration,
    /// A part of the names of those tests that are wanted.
    only: Option<String>,
}

/// What one tool found for one kind of access in one round.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Operations a second.
    pub iops: f64,
    /// Median time of an operation, of its commit where it has one \[s\].
    pub p50: Option<f64>,
    /// Processor time of an operation \[s\].
    pub processor: Option<f64>,
}

/// How a block is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Past the page cache.
    Read,
    /// Past the page cache.
    Write,
    /// Through the page cache, each write with fdatasync.
    Commit,
}

/// One line of the table.
#[derive(Clone, Copy)]
struct Case {
    access: Access,
    block: u64,
    threads: u64,
}

impl Case {
    /// As `plimsoll bench --only` takes it.
    fn id(self) -> String {
        let mode = match self.access {
            Access::Read => "read",
            Access::Write => "direct-write",
            Access::Commit => "write-commit",
        };
        format!("{mode}.{}k.random.{}", self.block >> 10, self.threads)
    }

    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for access in [Access::Read, Access::Write, Access::Commit] {
            for block in [8 << 10, 64 << 10] {
                all.extend([1, 16].map(|threads| Self { access, block, threads }));
            }
        }
        all
    }
}

const USAGE: &str = "fio|pg_test_fsync DIR [ROUNDS] [--size MIB] [--seconds S] [--only PART]";

impl Settings {
    /// From `DIR [ROUNDS] [--size MIB] [--seconds S] [--only PART]`.
    ///
    /// # Errors
    /// If they are not that.
    pub fn of(arguments: &[String]) -> Result<Self, String> {
        let mut settings =
            Self { folder: PathBuf::new(), rounds: 5, file_bytes: 256 << 20, time: Duration::from_secs(3), only: None };
        let mut words = arguments.iter();
        let folder = words.next().ok_or(USAGE)?;
        settings.folder = fs::canonicalize(folder).map_err(|e| format!("{folder}: {e}"))?;
        while let Some(word) = words.next() {
            let mut number = || -> Result<u64, String> {
                let text = words.next().ok_or(USAGE)?;
                text.parse().map_err(|_| format!("{text}: {USAGE}"))
            };
            match word.as_str() {
                "--size" => settings.file_bytes = number()? << 20,
                "--seconds" => settings.time = Duration::from_secs(number()?.max(1)),
                "--only" => settings.only = Some(words.next().ok_or(USAGE)?.clone()),
                rounds => {
                    settings.rounds = rounds.parse().map_err(|_| format!("{rounds}: {USAGE}"))?;
                }
            }
        }
        if settings.rounds == 0 {
            return Err("at least one round is wanted".to_owned());
        }
        Ok(settings)
    }

    fn wants(&self, id: &str) -> bool {
        self.only.as_ref().is_none_or(|part| id.contains(part.as_str()))
    }
}

/// A fresh folder, removed at the end.
struct Fresh(PathBuf);

impl Fresh {
    fn below(folder: &Path) -> Result<Self, String> {
        let path = folder.join(format!("beside-{}", std::process::id()));
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("{} is left: {error}", self.0.display());
        }
    }
}

/// Prints the table beside fio.
///
/// # Errors
/// If a tool fails or is not there.
pub fn beside_fio(settings: &Settings) -> Result<(), String> {
    let fresh = Fresh::below(&settings.folder)?;
    let file = fio::File::below(&fresh.0);
    let cases: Vec<Case> = Case::all().into_iter().filter(|case| settings.wants(&case.id())).collect();
    let mut rows: Vec<Row> = cases.iter().map(|case| Row::new(&case.id())).collect();
    for round in 0..settings.rounds {
        for (case, row) in cases.iter().zip(&mut rows) {
            eprintln!("round {} of {}: {}", round + 1, settings.rounds, case.id());
            let theirs = || file.run(*case, settings);
            let own = || ours::run(&case.id(), settings);
            row.add(in_turn(round, theirs, own)?);
        }
    }
    heading(settings);
    table::print("fio", &rows);
    Ok(())
}

/// Prints the table beside `pg_test_fsync`.
///
/// # Errors
/// If a tool fails or is not there.
pub fn beside_pg_test_fsync(settings: &Settings) -> Result<(), String> {
    let fresh = Fresh::below(&settings.folder)?;
    let program = flush::program()?;
    // It overwrites one block and commits; so does the second. The first one appends.
    let ids = ["journal.1", "write-commit.8k.sequential.1"];
    let ids = ids.into_iter().filter(|id| settings.wants(id));
    let mut rows: Vec<Row> = ids.map(Row::new).collect();
    for round in 0..settings.rounds {
        for row in &mut rows {
            eprintln!("round {} of {}: {}", round + 1, settings.rounds, row.id);
            let theirs = || flush::run(&program, &fresh.0, settings);
            let own = || ours::run(&row.id, settings);
            let found = in_turn(round, theirs, own)?;
            row.add(found);
        }
    }
    heading(settings);
    table::print("pg_test_fsync", &rows);
    Ok(())
}

/// Theirs and ours; who comes first changes from round to round.
fn in_turn(
    round: u64,
    theirs: impl Fn() -> Result<Sample, String>,
    ours: impl Fn() -> Result<Sample, String>,
) -> Result<(Sample, Sample), String> {
    if round.is_multiple_of(2) {
        let first = theirs()?;
        Ok((first, ours()?))
    } else {
        let first = ours()?;
        Ok((theirs()?, first))
    }
}

/// Where and how it was measured.
fn heading(settings: &Settings) {
    let (rounds, seconds) = (settings.rounds, settings.time.as_secs());
    let mib = settings.file_bytes >> 20;
    println!("{rounds} rounds in turns, {seconds} s each, a file of {mib} MiB; median (lowest–highest)");
    match Environment::of(&settings.folder) {
        Err(error) => println!("the machine cannot be looked at: {error}"),
        Ok(environment) => {
            let known = environment.lines().into_iter();
            let known: Vec<String> = known.filter_map(|(name, value)| Some(format!("{name} {}", value?))).collect();
            println!("{}\n", known.join("; "));
        }
    }
}

/// Whether this process was started as `plimsoll`, by [`ours`].
pub fn is_plimsoll() -> bool {
    env::args().next().as_deref() == Some(ours::NAME)
}
