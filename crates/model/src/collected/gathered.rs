//! What pasted outputs say, put into a site file: answers that the file cannot have become questions.

use super::{Answers, Collected, Filled, Known, Open, answers, fill};
use crate::diag::harmless_line;

/// What was read, and the site file with it.
#[derive(Debug, Clone)]
pub struct Gathered {
    /// What was read.
    pub collected: Collected,
    /// The answers of it that a site file takes, and what is open.
    pub answers: Answers,
    /// The site file with them.
    pub filled: Filled,
}

/// Whether a text is a site file that can be read, or else why not.
type Check<'c> = &'c dyn Fn(&str) -> Result<(), String>;

impl Gathered {
    /// Puts what was read into the text of a site file; `check` says whether a text can be read.
    ///
    /// An answer that a site file cannot have becomes a question.
    ///
    /// # Errors
    ///
    /// A sentence, where the text cannot be changed.
    pub fn of(collected: Collected, text: &str, check: Check<'_>) -> Result<Self, String> {
        let found = answers(&collected);
        let (answers, filled) = accepted(text, &collected, found, check)?;
        Ok(Self { collected, answers, filled })
    }

    /// What was read and what is open, for a person.
    pub fn said(&self) -> String {
        let mut out = String::new();
        let mut line = |text: &str| {
            out.push_str(text);
            out.push('\n');
        };
        let files: Vec<String> = self.collected.inputs.iter().map(|input| harmless_line(&input.name)).collect();
        line(&format!("Read from {}", files.join(", ")));
        let is_new = |known: &&Known| self.is_new(known);
        for known in self.answers.known.iter().filter(is_new) {
            line(&self.shown(&known.field, known));
        }
        let has_new = self.filled.written.iter().any(|path| path.starts_with("today.volume."));
        for (i, volume) in self.answers.volumes.iter().enumerate().filter(|_| has_new) {
            line(&format!("  today.volume.{i}: {} on {}", volume.roles.join(", "), harmless_line(&volume.target)));
            for known in &volume.answers {
                line(&self.shown(&format!("  {}", known.field), known));
            }
        }
        if !self.filled.kept.is_empty() {
            line("Kept as the file has it, although the outputs say otherwise");
        }
        for kept in &self.filled.kept {
            line(&format!("  {} = {}; `{}` says {}", kept.field, kept.stated, kept.from, kept.read));
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
                line(&format!("  {}  {}", self.collected.shown(unread.place), unread.text));
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

    /// Whether an answer is new in the file.
    pub fn is_new(&self, known: &Known) -> bool {
        self.filled.written.contains(&known.field)
    }
}

/// The answers that a site file takes, and the file with them.
fn accepted(
    text: &str,
    collected: &Collected,
    answers: Answers,
    check: Check<'_>,
) -> Result<(Answers, Filled), String> {
    let fill = |answers: &Answers| fill(text, collected, answers).map_err(|error| error.to_string());
    let filled = fill(&answers)?;
    if check(&filled.text).is_ok() {
        return Ok((answers, filled));
    }
    // One of them cannot be: each is tried by itself.
    let mut good = Answers { open: answers.open.clone(), seen: answers.seen.clone(), ..Answers::default() };
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
