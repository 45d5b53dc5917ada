//! Answers of server logs and journals into the text of a site file.
//!
//! Comments, order and spelling of the file stay. An answer that somebody stated stays too, unless it is to be replaced;
//! one that an earlier log gave is renewed.

use crate::diag::{harmless_line, quoted};
use crate::document::edit;
use crate::serverlog::answers::{Measured, is_of_log};
use crate::site::{Vocabulary, default_text, parse_unfinished, set_measured, spelling};

/// What a new site file begins with.
pub const HEAD: &str = "# Answers to docs/site-file.md. Those under [measured] come from a server log or from pasted outputs.\nschema = 1\nname = \"Site of a server log\"\n";

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Became {
    /// It was open, and is written.
    Written,
    /// It was measured before, and is renewed.
    Renewed,
    /// It was stated, and is replaced as the user said.
    Replaced,
    /// It is the same as before.
    Same,
    /// It is stated or assumed otherwise, and stays.
    Kept,
    /// The form does not take it.
    Refused,
}

impl Became {
    /// Its word in JSON.
    pub fn word(self) -> &'static str {
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

/// One answer of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The field that it answers.
    pub field: &'static str,
    /// As the file had it, in TOML's spelling; none where it was open.
    pub old: Option<String>,
    /// As the log has it, in TOML's spelling.
    pub new: String,
    /// Where it was measured: "log of 2024/06/19".
    pub from: String,
    /// Its lowest and highest in TOML's spelling, where the log leaves a range.
    pub range: Option<[String; 2]>,
    /// Whether it is the most that the log shows, which raises an answer and never lowers one.
    pub is_least: bool,
    /// What became of it.
    pub became: Became,
    /// Why the form does not take it; empty otherwise.
    pub why: String,
}

impl Row {
    /// Whether the file has it now, and had not before.
    pub fn is_written(&self) -> bool {
        matches!(self.became, Became::Written | Became::Renewed)
    }

    /// Whether the file has the log's answer now.
    pub fn is_taken(&self) -> bool {
        !matches!(self.became, Became::Kept | Became::Refused)
    }

    /// A sentence on an answer that is not simply written: kept, replaced or refused.
    pub fn remark(&self) -> Option<String> {
        let old = self.old.as_deref().unwrap_or_default();
        match self.became {
            Became::Kept if self.is_least => Some(match &self.old {
                Some(old) => format!(
                    "Kept {} = {old}, which the file has: the log shows {}, and there may be more than it shows.",
                    self.field, self.new
                ),
                None => format!(
                    "Left {} as it is assumed: the log shows {}, which is no more, and there may be more than it shows.",
                    self.field, self.new
                ),
            }),
            Became::Kept => {
                Some(format!("Kept {} = {old}, which the file has; the log says {}.", self.field, self.new))
            }
            Became::Replaced => Some(format!("Replaced {} = {old} by {} of the log.", self.field, self.new)),
            Became::Refused => {
                Some(format!("Not written: {} = {}: {}", self.field, self.new, harmless_line(&self.why)))
            }
            Became::Written | Became::Renewed | Became::Same => None,
        }
    }
}

/// A site file with the answers of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// Its text.
    pub text: String,
    /// The answers of the log, in the order of the form.
    pub rows: Vec<Row>,
    /// Whether the number of developers, without which no advice is given, is still open.
    pub is_open: bool,
}

/// Puts the answers of a log into the text of a site file; nothing, or white space alone, becomes a new one.
///
/// With `overwrite` answers that somebody stated are replaced.
///
/// # Errors
///
/// A sentence: the text is no site file, or cannot be read as one.
pub fn apply(
    file: &str,
    text: &str,
    answers: &[Measured],
    overwrite: bool,
    vocabulary: &Vocabulary,
) -> Result<Applied, String> {
    let is_site = value_of(text, "schema").is_some();
    if !is_site && !text.trim().is_empty() {
        let name = quoted(file);
        return Err(format!("{name} is not a site file: it has no `schema`"));
    }
    let mut text = if is_site { text } else { HEAD }.to_owned();
    parse_unfinished(file, &text, vocabulary).map_err(|wrong| {
        let (name, reason) = (quoted(file), wrong.first_in_words());
        format!("{name} cannot be read:\n   {}", reason.replace('\n', "\n   "))
    })?;
    let rows = fill(file, &mut text, answers, overwrite, vocabulary)?;
    let is_open = value_of(&text, "people.developers").is_none();
    Ok(Applied { text, rows, is_open })
}

/// Puts answers into the text of a site file that can be read, one after the other; what became of each.
///
/// # Errors
///
/// A sentence, where the text cannot be changed.
pub fn fill(
    file: &str,
    text: &mut String,
    answers: &[Measured],
    overwrite: bool,
    vocabulary: &Vocabulary,
) -> Result<Vec<Row>, String> {
    let rows = answers.iter().map(|answer| {
        let row = one(file, text, answer, overwrite, vocabulary);
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
    file: &str,
    text: &mut String,
    answer: &Measured,
    overwrite: bool,
    vocabulary: &Vocabulary,
) -> Result<Row, edit::EditError> {
    let new = spelling(answer.field, &answer.value);
    let (low, high) = &answer.range;
    let mut range = (low != high).then(|| [low, high].map(|end| spelling(answer.field, end)));
    let old = value_of(text, answer.field);
    let measured = measured_value(text, answer.field);
    // An answer that an entry names as it stands came from a log.
    let was_measured = old.is_some() && measured == old;
    let mut is_lower = false;
    if answer.is_least
        && let Some(seen) = number(&new)
    {
        let assumed = assumed(file, text, answer.field, vocabulary);
        let stands = old.as_deref().and_then(number).or(assumed.map(|(value, _)| value));
        is_lower = stands.is_some_and(|stands| seen <= stands);
        range = assumed
            .filter(|(_, high)| *high > seen)
            .map(|(_, high)| [new.clone(), spelling(answer.field, &format!("{high:.0}"))]);
    }
    let row = |became, why: String| Row {
        field: answer.field,
        old: old.clone(),
        new: new.clone(),
        from: answer.from.clone(),
        range: range.clone(),
        is_least: answer.is_least,
        became,
        why,
    };
    let is_same = old.as_deref() == Some(new.as_str());
    if is_lower && !is_same {
        return Ok(row(Became::Kept, String::new()));
    }
    if old.is_some() && !was_measured && !is_same && !overwrite {
        return Ok(row(Became::Kept, String::new()));
    }
    if is_same && !was_measured && !overwrite {
        return Ok(row(Became::Same, String::new()));
    }
    let ends = range.as_ref().map(|[low, high]| (low.as_str(), high.as_str()));
    let changed = set_measured(text, answer.field, &new, &answer.from, ends)?;
    if let Err(wrong) = parse_unfinished(file, &changed, vocabulary) {
        return Ok(row(Became::Refused, wrong.first_in_words()));
    }
    *text = changed;
    Ok(match &old {
        None => row(Became::Written, String::new()),
        Some(_) if is_same => row(Became::Same, String::new()),
        Some(_) if was_measured => row(Became::Renewed, String::new()),
        Some(_) => row(Became::Replaced, String::new()),
    })
}

/// The number in a count as it is spelt or shown: `120_000`, `"70,000"`.
fn number(spelt: &str) -> Option<f64> {
    let plain = spelt.trim_matches('"').replace(['_', ','], "");
    plain.split_whitespace().next()?.parse().ok()
}

/// The value that is assumed of a field which the text leaves open, and its high end; none where it follows from answers
/// that are open, too.
fn assumed(file: &str, text: &str, field: &'static str, vocabulary: &Vocabulary) -> Option<(f64, f64)> {
    let is_derived = default_text(field)?.contains('×');
    if is_derived && value_of(text, "people.developers").is_none() {
        return None;
    }
    let site = parse_unfinished(file, text, vocabulary).ok()?;
    let mut all = site.assumptions().into_iter();
    let found = all.find(|a| a.field == field)?;
    Some((number(&found.value)?, number(&found.high_override)?))
}

/// The value that a field's entry of `[measured]` names, as it is spelt, if it comes from a log: what `init --from` read in
/// outputs is no more ours to replace than what somebody stated.
fn measured_value(text: &str, field: &str) -> Option<String> {
    let table: toml::Table = text.parse().ok()?;
    let mut at = table.get("measured")?;
    for part in field.split('.') {
        at = at.get(part)?;
    }
    if is_of_log(at.get("from")?.as_str()?) { Some(at.get("value")?.to_string()) } else { None }
}

impl Applied {
    /// "5 answers written as measured, 3 unchanged".
    pub fn summary(&self) -> String {
        let count = |became: &[Became]| {
            let rows = self.rows.iter();
            rows.filter(|row| became.contains(&row.became)).count()
        };
        let written = count(&[Became::Written, Became::Renewed, Became::Replaced]);
        let s = if written == 1 { "" } else { "s" };
        let same = count(&[Became::Same]);
        format!("{written} answer{s} written as measured, {same} unchanged")
    }

    /// A sentence for each answer that was not simply written: kept, replaced or refused. `instead` says how the log's
    /// answers are taken in place of those that are kept; it may be empty.
    pub fn details(&self, instead: &str) -> Vec<String> {
        let remarks = self.rows.iter().filter_map(|row| {
            let remark = row.remark()?;
            Some(if row.became == Became::Kept && !row.is_least {
                format!("{remark} {instead}").trim_end().to_owned()
            } else {
                remark
            })
        });
        remarks.collect()
    }

    /// Where the answers were measured: "log of 2024/06/19", with a journal "log of 2024/06/19 and journal of 2024/06/19".
    pub fn sources(&self) -> String {
        let mut sources: Vec<&str> = self.rows.iter().map(|row| row.from.as_str()).collect();
        sources.dedup();
        sources.join(" and ")
    }
}
