//! Why a subcommand has no answer. Whatever it was, what is printed of it is made here.

use std::fmt::Display;

use serde_json::Value;

use super::Format;
use super::output::{FAILED, INTERRUPTED, Outcome, WRONG};
use crate::bench::BenchError;
use crate::diag::{Diagnostics, Errors};
use crate::document::ReadError;
use crate::network::LoadError;
use crate::site::SiteError;

/// Why there is no answer.
pub(super) enum Failure {
    /// A command line that clap takes and that means nothing.
    Usage(clap::Error),
    /// One sentence about wrong input.
    Wrong(String),
    /// All that is wrong in a file, with places: for a person and for a program.
    Diagnosed { text: String, json: Value },
    /// A measurement failed; nothing of it is left.
    Failed(String),
    /// Somebody pressed ctrl-C; nothing is left.
    Interrupted(String),
}

impl Failure {
    /// An error that says in one sentence what is wrong with the input.
    pub(super) fn wrong(reason: impl Display) -> Self {
        Self::Wrong(reason.to_string())
    }

    /// What to print, in the format that was asked for, and the exit code.
    pub(super) fn outcome(self, format: Format) -> Outcome {
        let (code, reason) = match self {
            Self::Usage(error) => return Outcome::usage(&error, format),
            Self::Diagnosed { text, json } => return Outcome::failed(WRONG, text, &json, format),
            Self::Wrong(reason) => (WRONG, reason),
            Self::Failed(reason) => (FAILED, reason),
            Self::Interrupted(reason) => (INTERRUPTED, reason),
        };
        let json = Errors::one(reason.clone()).to_json();
        Outcome::failed(code, format!("error: {reason}\n"), &json, format)
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self::Wrong(reason)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::wrong(error)
    }
}

impl From<Box<Diagnostics>> for Failure {
    fn from(wrong: Box<Diagnostics>) -> Self {
        Self::Diagnosed { text: wrong.render(), json: wrong.to_json() }
    }
}

impl From<SiteError> for Failure {
    fn from(error: SiteError) -> Self {
        Self::Diagnosed { text: error.render(), json: error.to_json() }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Unreadable(error) => error.into(),
            LoadError::Wrong(wrong) => wrong.into(),
        }
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Refused(reason) | BenchError::Input(reason) => Self::Wrong(reason),
            BenchError::Failed(reason) => Self::Failed(reason),
            BenchError::Interrupted => Self::Interrupted(error.to_string()),
        }
    }
}
