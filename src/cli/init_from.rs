//! `plimsoll init --from FILE`: a questionnaire that begins with what pasted outputs say.

use std::path::Path;

use crate::collected::{self, Answers, Collected, Filled, Known, Open, Place};
use crate::diag::{Diagnostics, harmless_line};

/// What was read, and the site file with it.
pub(super) struct Gathered {
    collected: Collected,
    answers: Answers,
    filled: Filled,
}

/// Whether a text is a site file that can be read, or else why not.
type Check<'c> = &'c dyn Fn(&str) -> Result<(), String>;

impl Gathered {
    /// Reads files and puts what they say into the text of a site file; `check` says whether a text can be read.
    ///
    /// An answer that a site file cannot have becomes a question.
    pub(super) fn read(files: &[String], text: &str, check: Check<'_>) -> Result<Self, String> {
        let paths = files.iter().map(Path::new);
        let collected = collected::load(paths).map_err(|error| error.to_string())?;
        let answers = collected::answers(&collected);
        let (answers, filled) = accepted(text, &collected, answers, check)?;
        Ok(Self {
            collected,
            answers,
            filled,
        })
    }

    /// The text of the site file.
    pub(super) fn text(&self) -> &str {
        &self.filled.text
    }

    /// What was read and what is open, for a person.
    pub(super) fn said(&self) -> String {
        let mut out = String::new();
        let mut line = |text: &str| {
            out.push_str(text);
            out.push('\n');
        };
        let files: Vec<String> = self
            .collected
            .inputs
            .iter()
            .map(|input| harmless_line(&input.name))
            .collect();
        line(&format!("Read from {}", files.join(", ")));
        let is_new = |known: &&Known| self.filled.written.contains(&known.field);
        for known in self.answers.known.iter().filter(is_new) {
            line(&self.shown(&known.field, known));
        }
        let has_new = self
            .filled
            .written
            .iter()
            .any(|path| path.starts_with("today.volume."));
        for (i, volume) in self.answers.volumes.iter().enumerate().filter(|_| has_new) {
            line(&format!(
                "  today.volume.{i}: {} on {}",
                volume.roles.join(", "),
                harmless_line(&volume.target)
            ));
            for known in &volume.answers {
                line(&self.shown(&format!("  {}", known.field), known));
            }
        }
        if !self.filled.kept.is_empty() {
            line("Kept as the file has it, although the outputs say otherwise");
        }
        for kept in &self.filled.kept {
            line(&format!(
                "  {} = {}; `{}` says {}",
                kept.field, kept.stated, kept.from, kept.read
            ));
        }
        if !self.answers.seen.is_empty() {
            line("Seen besides");
        }
        for seen in &self.answers.seen {
            line(&format!("  {seen}"));
        }
        if !self.answers.open.is_empty() {
            line("Open");
        }
        for open in &self.answers.open {
            line(&format!("  {} ({})", open.question, open.field));
        }
        let count = self.collected.unread_count;
        if count > 0 {
            const SHOWN: usize = 5;
            let lines = if count == 1 { "line" } else { "lines" };
            line(&format!("Not understood and passed over: {count} {lines}"));
            for unread in self.collected.unread.iter().take(SHOWN) {
                line(&format!(
                    "  {}  {}",
                    self.collected.shown(unread.place),
                    unread.text
                ));
            }
            if count > SHOWN {
                line("  and more; --format json has them with their lines");
            }
        }
        out
    }

    /// "  server.release  "2023.2"  `p4 info`, pasted.txt:3".
    fn shown(&self, field: &str, known: &Known) -> String {
        let origin = known.origin_and_check(&self.collected);
        format!("  {field:<32} {:<20} {origin}", known.value)
    }

    /// How many answers are new in the file.
    pub(super) fn count(&self) -> usize {
        self.filled.written.len()
    }

    /// Whether the outputs say where the server's files lie today.
    pub(super) fn has_volumes(&self) -> bool {
        !self.answers.volumes.is_empty()
    }

    /// What was read, for a program: members of one object.
    pub(super) fn json(&self) -> serde_json::Value {
        let inputs = &self.collected.inputs;
        let file = |place: Place| inputs.get(place.file).map(|input| input.name.as_str());
        let answer = |known: &Known| {
            serde_json::json!({
                "field": known.field,
                "value": known.value,
                "from": known.from,
                "file": file(known.place),
                "line": known.place.line,
                "check": known.check,
            })
        };
        let is_new = |known: &&Known| self.filled.written.contains(&known.field);
        let volumes = self.answers.volumes.iter().map(|volume| {
            serde_json::json!({
                "roles": volume.roles,
                "mounted_on": volume.target,
                "used_bytes": volume.used_bytes,
                "answers": volume.answers.iter().map(answer).collect::<Vec<_>>(),
            })
        });
        let kept = self.filled.kept.iter().map(|kept| {
            serde_json::json!({ "field": kept.field, "stated": kept.stated, "read": kept.read, "from": kept.from })
        });
        let questions = self
            .answers
            .open
            .iter()
            .map(|open| serde_json::json!({ "field": open.field, "question": open.question }));
        let unread = self.collected.unread.iter().map(|unread| {
            serde_json::json!({ "file": file(unread.place), "line": unread.place.line, "text": unread.text })
        });
        serde_json::json!({
            "answers": self.answers.known.iter().filter(is_new).map(answer).collect::<Vec<_>>(),
            "volumes": volumes.collect::<Vec<_>>(),
            "kept": kept.collect::<Vec<_>>(),
            "seen": self.answers.seen,
            "questions": questions.collect::<Vec<_>>(),
            "not_understood": unread.collect::<Vec<_>>(),
            "not_understood_count": self.collected.unread_count,
        })
    }
}

/// The answers that a site file takes, and the file with them.
fn accepted(
    text: &str,
    collected: &Collected,
    answers: Answers,
    check: Check<'_>,
) -> Result<(Answers, Filled), String> {
    let fill = |answers: &Answers| {
        collected::fill(text, collected, answers).map_err(|error| error.to_string())
    };
    let filled = fill(&answers)?;
    if check(&filled.text).is_ok() {
        return Ok((answers, filled));
    }
    // One of them cannot be: each is tried by itself.
    let mut good = Answers {
        open: answers.open.clone(),
        seen: answers.seen.clone(),
        ..Answers::default()
    };
    let mut refused: Vec<Open> = Vec::new();
    for known in answers.known {
        good.known.push(known);
        if let Err(reason) = check(&fill(&good)?.text)
            && let Some(known) = good.known.pop()
        {
            refused.push(question(&known.field, &known, &reason));
        }
    }
    for volume in answers.volumes {
        let mut bare = volume.clone();
        bare.answers.clear();
        good.volumes.push(bare);
        if let Err(reason) = check(&fill(&good)?.text) {
            good.volumes.pop();
            refused.push(Open {
                field: "today.volume".to_owned(),
                question: format!(
                    "The volume {} is not taken: {}. What holds?",
                    harmless_line(&volume.target),
                    first_line(&reason)
                ),
            });
            continue;
        }
        for known in volume.answers {
            let field = format!("today.volume.{}", known.field);
            if let Some(last) = good.volumes.last_mut() {
                last.answers.push(known);
            }
            if let Err(reason) = check(&fill(&good)?.text)
                && let Some(known) = good.volumes.last_mut().and_then(|last| last.answers.pop())
            {
                refused.push(question(&field, &known, &reason));
            }
        }
    }
    good.open.extend(refused);
    let filled = fill(&good)?;
    Ok((good, filled))
}

fn first_line(reason: &str) -> &str {
    reason.lines().next().unwrap_or("").trim()
}

fn question(field: &str, known: &Known, reason: &str) -> Open {
    let reason = first_line(reason);
    Open {
        field: field.to_owned(),
        question: format!(
            "`{}` says {}, which is not taken: {reason}. What holds?",
            known.from,
            harmless_line(&known.value)
        ),
    }
}

/// The first thing that is wrong, and what would be right.
pub(super) fn reason(wrong: &Diagnostics) -> String {
    let json = wrong.to_json();
    let error = &json["errors"][0];
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let mut said = format!("   {}", text(&error["message"]));
    for help in error["help"].as_array().into_iter().flatten() {
        said = format!("{said}\n   {}", text(help));
    }
    said
}
