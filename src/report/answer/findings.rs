//! Risks and what to do about them.

use serde::{Serialize, Serializer};

use super::super::prose::capital;
use super::Told;
use crate::advisor::rules::{Finding, Severity};

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
}

impl FindingRow {
    /// What is wrong, what it does to users, what to do and how sure, in sentences; its code last.
    pub fn whole(&self) -> String {
        self.sentences(&self.message)
    }

    /// The whole, then shorter ones: what is wrong up to a semicolon, and up to a colon, behind which are the details.
    pub fn forms(&self) -> [String; 3] {
        let up_to = |ends: &[char]| {
            let clause = self.message.split(ends).next().unwrap_or_default();
            self.sentences(clause)
        };
        [self.whole(), up_to(&[';']), up_to(&[';', ':'])]
    }

    fn sentences(&self, message: &str) -> String {
        let Self {
            action, sure, rule, ..
        } = self;
        format!("{message}. {action}. How sure: {sure}. [{rule}]")
    }

    /// Of a finding, with names in place of ids.
    pub(in super::super) fn of(finding: &Finding, named: impl Fn(&str) -> String) -> Self {
        Self {
            severity: finding.severity,
            message: capital(&named(&finding.message)),
            action: capital(&named(&finding.action)),
            sure: finding.basis().in_words(),
            is_of_today: finding.is_of_today,
            rule: finding.rule,
        }
    }
}

impl Told<'_> {
    /// Gravest first.
    pub(super) fn findings(&self) -> Vec<FindingRow> {
        let asked = self.advice.findings.iter().filter(|f| f.rule != QUESTIONS);
        let mut findings: Vec<&Finding> = asked.collect();
        findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
        let rows = findings.into_iter();
        rows.map(|f| FindingRow::of(f, |text| self.named(text)))
            .collect()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn word<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.word())
}
