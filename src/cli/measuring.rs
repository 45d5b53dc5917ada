//! What the commands that measure on this host share: options, errors, progress, and the removal of what killed runs left.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Format;
use super::out::Output;
use super::output::Outcome;
pub(super) use crate::bench::options::{bytes, time, wrong};
use crate::bench::{self, BenchError, Leftover, signals};
use crate::diag::{harmless, harmless_line, quoted};
use crate::files::{Mark, Style};
use crate::report::json::{list, object};
use crate::units::Bytes;

/// Bytes that stay free on a volume, where `--keep-free` states them.
pub(super) fn keep_free(text: Option<&str>) -> Result<Option<u64>, BenchError> {
    text.map(|text| bytes("--keep-free", text)).transpose()
}

/// Where `--save` writes a result of this kind.
pub(super) fn output<'a>(path: Option<&'a Path>, force: bool, kind: &'static str) -> Option<Output<'a>> {
    let mark = Mark { style: Style::Hash, kind };
    Some(Output::new(path?, Some(mark), force))
}

/// A flag that signals raise.
pub(super) fn stop_asked() -> Result<Arc<AtomicBool>, BenchError> {
    signals::asked().map_err(|error| BenchError::Failed(format!("signals cannot be caught: {error}")))
}

/// A path for a line on the terminal, whole.
pub(super) fn on_one_line(path: &Path) -> String {
    harmless_line(&path.to_string_lossy())
}

/// Removes what killed runs left in these folders.
pub(super) fn clean(folders: &[PathBuf], schema: u32, format: Format) -> Result<Outcome, BenchError> {
    let (mut removed, mut left) = (Vec::new(), Vec::new());
    for folder in folders {
        let cleaned = bench::clean(folder).map_err(|error| {
            let name = quoted(&folder.to_string_lossy());
            BenchError::Failed(format!("{name} cannot be cleaned: {error}"))
        })?;
        removed.extend(cleaned.removed);
        let failed = cleaned.failed.iter();
        left.extend(failed.map(|(leftover, error)| {
            let reason = harmless_line(&error.to_string());
            (on_one_line(&leftover.path), reason)
        }));
    }
    let outcome = match format {
        Format::Json => Outcome::json(&Cleaned::of(schema, &removed, &left), false),
        Format::Text if removed.is_empty() && left.is_empty() => Outcome::done("nothing to remove\n".to_owned()),
        Format::Text => {
            let mut text = String::new();
            for Leftover { path, bytes } in &removed {
                let size = Bytes::new(*bytes as f64);
                let _infallible = writeln!(text, "removed {} ({size})", on_one_line(path));
            }
            Outcome::done(text)
        }
    };
    let lines = left.iter().map(|(path, reason)| format!("{path} was not removed, or not whole: {reason}"));
    Ok(outcome.with_failures(lines))
}

object! {
    /// `bench --clean`, `rehearse --clean`.
    Cleaned of (schema: u32, removed: &[Leftover], left: &[(String, String)]) {
        schema: u32 = schema, "Version of the form of answers.";
        removed: Vec<String> = list(removed, |one| one.path.to_string_lossy().into_owned()), "Folders that were removed.";
        left: Vec<Uncleaned> = list(left, |(path, reason)| Uncleaned::of(path, reason)), "What could not be removed, or not whole.";
    }

    /// A folder that could not be removed.
    Uncleaned of (path: &str, reason: &str) {
        path: String = path.to_owned(), "The folder.";
        reason: String = reason.to_owned(), "Why.";
    }
}

/// Progress on stderr: one line that is written over where it is a terminal, else nothing.
pub(super) struct Shown {
    quiet: bool,
    is_terminal: bool,
    width: usize,
}

impl Shown {
    pub(super) fn new(quiet: bool) -> Self {
        Self { quiet, is_terminal: std::io::stderr().is_terminal(), width: 0 }
    }

    /// A line of its own.
    pub(super) fn say(&self, line: &str) {
        if !self.quiet {
            // Where stderr is gone nobody reads it.
            let _gone = writeln!(std::io::stderr(), "{}", harmless(line));
        }
    }

    /// What killed runs left in a folder.
    pub(super) fn note_leftovers(&self, leftovers: &[Leftover]) {
        for Leftover { path, bytes } in leftovers {
            let (path, size) = (on_one_line(path), Bytes::new(*bytes as f64));
            self.say(&format!("note: a killed run left {path} ({size}); --clean removes it"));
        }
    }

    /// The line of the progress.
    pub(super) fn progress(&mut self, line: &dyn Fn() -> String) {
        if self.quiet || !self.is_terminal {
            return;
        }
        let line = line();
        let width = line.chars().count();
        let _gone = write!(std::io::stderr(), "\r{line:<0$}", self.width.max(width));
        self.width = width;
    }

    /// Removes the line of the progress.
    pub(super) fn end(&mut self) {
        if self.width > 0 {
            let _gone = write!(std::io::stderr(), "\r{:1$}\r", "", self.width);
            self.width = 0;
        }
    }
}
