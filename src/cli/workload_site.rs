//! Answers of a log into a site file: `plimsoll workload LOG --site SITE.toml`.

use std::path::Path;

use serde_json::{Value, json};

use super::out::Output;
use crate::catalog::Catalog;
use crate::diag::harmless_line;
use crate::document;
use crate::files::{Over, checksum};
use crate::serverlog::answers::Measured;
use crate::site::{Vocabulary, field};
use crate::workload::log_answers::{Applied, Row, apply};

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
    let output = Output {
        path,
        mark: None,
        over,
        option: "--force",
    };
    output.write(&applied.text)?;
    Ok(Written {
        path: path.display().to_string(),
        applied,
    })
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
    pub(super) fn json(&self) -> Value {
        let rows = self.applied.rows.iter().map(row_json);
        json!({ "written": self.path, "answers": rows.collect::<Vec<_>>() })
    }
}

/// One answer of a log for a program.
pub(super) fn row_json(row: &Row) -> Value {
    json!({
        "field": row.field, "unit": field(row.field).map(|f| f.unit), "old": row.old, "new": row.new,
        "low": row.range.as_ref().map(|[low, _]| low), "high": row.range.as_ref().map(|[_, high]| high), "from": row.from,
        "became": row.became.word(), "why": if row.why.is_empty() { Value::Null } else { row.why.as_str().into() },
    })
}
