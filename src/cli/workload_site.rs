//! Answers of a log into a site file: `plimsoll workload LOG --site SITE.toml`.

use std::path::Path;

use super::out::Output;
use crate::catalog::Catalog;
use crate::diag::harmless_line;
use crate::document;
use crate::files::{Over, checksum};
use crate::report::serverlog::SiteWritten;
use crate::serverlog::answers::Measured;
use crate::site::Vocabulary;
use crate::workload::log_answers::{Applied, apply};

/// What was written.
#[derive(Debug)]
pub(super) struct Written {
    path: String,
    applied: Applied,
}

/// Writes the answers into a site file, which is made where there is none.
pub(super) fn write(path: &Path, answers: &[Measured], overwrite: bool) -> Result<Written, String> {
    let vocabulary = Vocabulary::of(&Catalog::embedded());
    let exists = std::fs::symlink_metadata(path).is_ok();
    let (text, over) = if exists {
        let text = document::read_text(path).map_err(|error| error.to_string())?;
        let sum = checksum(text.bytes());
        (text, Over::Same(sum))
    } else {
        (String::new(), Over::Nothing)
    };
    let file = path.to_string_lossy();
    let applied = apply(&file, &text, answers, overwrite, &vocabulary)?;
    let output = Output { path, mark: None, over, option: "--force" };
    output.write(&applied.text)?;
    Ok(Written { path: path.display().to_string(), applied })
}

impl Written {
    /// Sentences for a person.
    pub(super) fn lines(&self) -> Vec<String> {
        let path = harmless_line(&self.path);
        let next = if self.applied.is_open {
            format!("Still open: people.developers. Next: plimsoll init {path}")
        } else {
            format!("Next: plimsoll advise {path}")
        };
        let mut lines = vec![format!("{path}: {}. {next}", self.applied.summary())];
        lines.extend(self.applied.details("--overwrite takes the log's."));
        lines
    }

    /// The same for a program.
    pub(super) fn json(&self) -> SiteWritten {
        SiteWritten::of(&self.path, &self.applied.rows)
    }
}
