//! Answers of a log into a site file: `plimsoll workload LOG --site SITE.toml`.
//!
//! Comments, order and spelling of the file stay. An answer that somebody stated stays too, unless he says `--overwrite`;
//! one that an earlier log gave is renewed.

use std::path::Path;

use serde_json::{Value, json};

use super::out::Output;
use super::{init, init_from};
use crate::catalog::Catalog;
use crate::diag::{harmless_line, quoted};
use crate::document::{self, edit};
use crate::files::{Over, checksum};
use crate::serverlog::answers::{Measured, is_of_log};
use crate::site::{Vocabulary, field, set_measured, spelling};

/// What a new file begins with.
const HEAD: &str = "# Answers to docs/site-file.md. Those under [measured] come from a server log or from pasted outputs.\nschema = 1\nname = \"Site of a server log\"\n";

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Became {
    /// It was open, and is written.
    Written,
    /// It was measured before, and is renewed.
    Renewed,
    /// It was stated, and is replaced as the user said.
    Replaced,
    /// It is the same as before.
    Same,
    /// It is stated otherwise, and stays.
    Kept,
    /// The form does not take it.
    Refused,
}

impl Became {
    fn word(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Renewed => "renewed",
            Self::Replaced => "replaced",
            Self::Same => "same",
            Self::Kept => "kept",
            Self::Refused => "refused",
        }
    }
}

/// One answer.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) field: &'static str,
    old: Option<String>,
    /// The log's answer in TOML's spelling.
    pub(super) new: String,
    /// Where it was measured: "log of 2024/06/19".
    pub(super) from: String,
    /// Its lowest and highest, where the log leaves a range.
    pub(super) range: Option<[String; 2]>,
    became: Became,
    why: String,
}

impl Row {
    /// Whether the file has the log's answer now.
    pub(super) fn is_taken(&self) -> bool {
        !matches!(self.became, Became::Kept | Became::Refused)
    }

    /// A sentence on an answer that is not simply written.
    pub(super) fn remark(&self) -> Option<String> {
        let old = self.old.as_deref().unwrap_or_default();
        match self.became {
            Became::Kept => Some(format!(
                "Kept {} = {old}, which the file has; the log says {}.",
                self.field, self.new
            )),
            Became::Replaced => Some(format!(
                "Replaced {} = {old} by {} of the log.",
                self.field, self.new
            )),
            Became::Refused => Some(format!(
                "Not written: {} = {}: {}",
                self.field,
                self.new,
                harmless_line(&self.why)
            )),
            Became::Written | Became::Renewed | Became::Same => None,
        }
    }

    /// The same for a program.
    pub(super) fn json(&self) -> Value {
        json!({
            "field": self.field, "unit": field(self.field).map(|f| f.unit), "old": self.old, "new": self.new,
            "low": self.range.as_ref().map(|[low, _]| low), "high": self.range.as_ref().map(|[_, high]| high), "from": self.from,
            "became": self.became.word(), "why": if self.why.is_empty() { Value::Null } else { self.why.as_str().into() },
        })
    }
}

/// What was written.
#[derive(Debug)]
pub(super) struct Written {
    path: String,
    rows: Vec<Row>,
    /// Whether the number of developers, without which no advice is given, is still open.
    open: bool,
}

/// Writes the answers into a site file, which is made where there is none.
pub(super) fn write(path: &Path, answers: &[Measured], overwrite: bool) -> Result<Written, String> {
    let vocabulary = Vocabulary::of(&Catalog::embedded());
    let exists = std::fs::symlink_metadata(path).is_ok();
    let (mut text, over) = if exists {
        let text = document::read_text(path).map_err(|error| error.to_string())?;
        let sum = checksum(text.bytes());
        let is_site = edit::values(&text).iter().any(|(key, ..)| key == "schema");
        if !is_site && !text.trim().is_empty() {
            let name = quoted(&path.to_string_lossy());
            return Err(format!("{name} is not a site file: it has no `schema`"));
        }
        let text = if is_site { text } else { HEAD.to_owned() };
        (text, Over::Same(sum))
    } else {
        (HEAD.to_owned(), Over::Nothing)
    };
    init::parse(path, &text, &vocabulary).map_err(|wrong| {
        let name = quoted(&path.to_string_lossy());
        format!("{name} cannot be read:\n{}", init_from::reason(&wrong))
    })?;
    let rows = fill(path, &mut text, answers, overwrite, &vocabulary)?;
    let output = Output {
        path,
        mark: None,
        over,
        option: "--force",
    };
    output.write(&text)?;
    let open = value_of(&text, "people.developers").is_none();
    Ok(Written {
        path: path.display().to_string(),
        rows,
        open,
    })
}

/// Puts answers into the text of a site file that can be read, one after the other; what became of each.
pub(super) fn fill(
    path: &Path,
    text: &mut String,
    answers: &[Measured],
    overwrite: bool,
    vocabulary: &Vocabulary,
) -> Result<Vec<Row>, String> {
    let rows = answers.iter().map(|answer| {
        let row = one(path, text, answer, overwrite, vocabulary);
        row.map_err(|error| error.to_string())
    });
    rows.collect()
}

/// The spelling of a value in the text.
fn value_of(text: &str, path: &str) -> Option<String> {
    let mut values = edit::values(text).into_iter();
    values.find(|(key, ..)| key == path).map(|(_, v, _)| v)
}

fn one(
    path: &Path,
    text: &mut String,
    answer: &Measured,
    overwrite: bool,
    vocabulary: &Vocabulary,
) -> Result<Row, edit::EditError> {
    let new = spelling(answer.field, &answer.value);
    let (low, high) = &answer.range;
    let range = (low != high).then(|| [low, high].map(|end| spelling(answer.field, end)));
    let old = value_of(text, answer.field);
    let measured = measured_value(text, answer.field);
    // An answer that an entry names as it stands came from a log.
    let was_measured = old.is_some() && measured == old;
    let row = |became, why: String| Row {
        field: answer.field,
        old: old.clone(),
        new: new.clone(),
        from: answer.from.clone(),
        range: range.clone(),
        became,
        why,
    };
    let is_same = old.as_deref() == Some(new.as_str());
    if old.is_some() && !was_measured && !is_same && !overwrite {
        return Ok(row(Became::Kept, String::new()));
    }
    if is_same && !was_measured && !overwrite {
        return Ok(row(Became::Same, String::new()));
    }
    let ends = range
        .as_ref()
        .map(|[low, high]| (low.as_str(), high.as_str()));
    let changed = set_measured(text, answer.field, &new, &answer.from, ends)?;
    if let Err(wrong) = init::parse(path, &changed, vocabulary) {
        return Ok(row(
            Became::Refused,
            init_from::reason(&wrong).trim().to_owned(),
        ));
    }
    *text = changed;
    Ok(match &old {
        None => row(Became::Written, String::new()),
        Some(_) if is_same => row(Became::Same, String::new()),
        Some(_) if was_measured => row(Became::Renewed, String::new()),
        Some(_) => row(Became::Replaced, String::new()),
    })
}

/// The value that a field's entry of `[measured]` names, as it is spelt, if it comes from a log: what `init --from` read in
/// outputs is no more ours to replace than what somebody stated.
fn measured_value(text: &str, field: &str) -> Option<String> {
    let table: toml::Table = text.parse().ok()?;
    let mut at = table.get("measured")?;
    for part in field.split('.') {
        at = at.get(part)?;
    }
    if is_of_log(at.get("from")?.as_str()?) {
        Some(at.get("value")?.to_string())
    } else {
        None
    }
}

impl Written {
    /// Sentences for a person.
    pub(super) fn lines(&self) -> Vec<String> {
        let path = harmless_line(&self.path);
        let count = |became: &[Became]| {
            self.rows
                .iter()
                .filter(|row| became.contains(&row.became))
                .count()
        };
        let written = count(&[Became::Written, Became::Renewed, Became::Replaced]);
        let next = if self.open {
            format!("Still open: people.developers. Next: plimsoll init {path}")
        } else {
            format!("Next: plimsoll advise {path}")
        };
        let mut lines = vec![format!(
            "{path}: {written} answer{} written as measured, {} unchanged. {next}",
            if written == 1 { "" } else { "s" },
            count(&[Became::Same])
        )];
        lines.extend(self.rows.iter().filter_map(|row| {
            let kept = row.became == Became::Kept;
            let remark = row.remark()?;
            Some(if kept {
                format!("{remark} --overwrite takes the log's.")
            } else {
                remark
            })
        }));
        lines
    }

    /// The same for a program.
    pub(super) fn json(&self) -> Value {
        let rows = self.rows.iter().map(Row::json);
        json!({ "written": self.path, "answers": rows.collect::<Vec<_>>() })
    }
}
