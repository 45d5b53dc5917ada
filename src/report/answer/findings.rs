//! Risks and what to do about them.

use serde::{Serialize, Serializer};

use super::super::prose::capital;
use super::Told;
use crate::advisor::rules::{Finding, Severity};
use crate::page::{Block, Card, Tone};

/// The rule that says which questions matter: the answer asks them itself.
const QUESTIONS: &str = "EVD002";

/// A risk and what to do about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindingRow {
    /// How bad.
    #[serde(serialize_with = "word")]
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub action: String,
    /// How sure it is: "estimate", "from the answers", "rests on data.files, which is assumed".
    pub sure: String,
    /// Whether it is of today's system, where another is recommended.
    pub is_of_today: bool,
    /// The rule, for `plimsoll explain`.
    pub rule: &'static str,
    /// Ids and words of what it rests on; `advise` has them in JSON beside the answer.
    #[serde(skip)]
    pub evidence: Vec<(String, String)>,
}

impl FindingRow {
    /// What is wrong, what it does to users, what to do and how sure, in sentences; its code last.
    pub fn whole(&self) -> String {
        self.sentences(&self.message)
    }

    /// The whole, then shorter ones. Each says what is wrong and what to do; details behind a semicolon, a colon or in
    /// parentheses give way first, then how sure it is.
    pub fn forms(&self) -> Vec<String> {
        let [wrong, wrong_short, wrong_least] = clauses(&self.message);
        let [to_do, to_do_short, to_do_least] = clauses(&self.action);
        let Self { sure, rule, .. } = self;
        let said = |wrong: &str, to_do: &str, is_sure: bool| {
            let sure = if is_sure {
                format!(" How sure: {sure}.")
            } else {
                String::new()
            };
            format!("{wrong}. {to_do}.{sure} [{rule}]")
        };
        vec![
            self.whole(),
            said(wrong_short, to_do, true),
            said(wrong_least, to_do, true),
            said(wrong_short, to_do_short, true),
            said(wrong, to_do_short, false),
            said(wrong_short, to_do_short, false),
            said(wrong_least, to_do_short, false),
            said(wrong_short, to_do_least, false),
            said(wrong_least, to_do_least, false),
        ]
    }

    /// The same as a card of a page.
    pub fn card(&self) -> Block {
        Block::Card(Card {
            badge: self.severity.word(),
            tone: match self.severity {
                Severity::Critical => Tone::Bad,
                Severity::Warning => Tone::Warning,
                Severity::Note => Tone::Plain,
            },
            id: self.rule.to_owned(),
            message: self.message.clone(),
            action: self.action.clone(),
            sure: self.sure.clone(),
            evidence: self.evidence.clone(),
        })
    }

    fn sentences(&self, message: &str) -> String {
        let Self {
            action, sure, rule, ..
        } = self;
        format!("{message}. {action}. How sure: {sure}. [{rule}]")
    }

    /// Of a finding.
    pub(in super::super) fn of(finding: &Finding) -> Self {
        Self {
            severity: finding.severity,
            message: capital(&finding.message),
            action: capital(&finding.action),
            sure: finding.basis().in_words(),
            is_of_today: finding.is_of_today,
            rule: finding.rule,
            evidence: finding
                .evidence
                .iter()
                .map(|e| (e.id.clone(), e.text.clone()))
                .collect(),
        }
    }
}

/// A text, the same up to its first semicolon, and up to its first semicolon or colon, none of them in parentheses; a colon
/// before a number belongs to a setting.
fn clauses(text: &str) -> [&str; 3] {
    let end = |colons: bool| {
        let mut depth = 0;
        let place = text.char_indices().find(|(at, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            let mut next = text[at + c.len_utf8()..].chars();
            let is_colon = colons
                && *c == ':'
                && next.next() == Some(' ')
                && !next.next().is_some_and(|c| c.is_ascii_digit());
            depth == 0 && (*c == ';' || is_colon)
        });
        place.map_or(text, |(at, _)| text[..at].trim_end())
    };
    [text, end(false), end(true)]
}

impl Told<'_> {
    /// Gravest first.
    pub(super) fn findings(&self) -> Vec<FindingRow> {
        let asked = self.advice.findings.iter().filter(|f| f.rule != QUESTIONS);
        let mut findings: Vec<&Finding> = asked.collect();
        findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
        findings.into_iter().map(FindingRow::of).collect()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn word<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.word())
}
