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
    /// The rule, for `plimsoll explain`.
    pub rule: &'static str,
}

impl FindingRow {
    /// The whole finding in sentences, its code last.
    pub fn whole(&self) -> String {
        format!("{}. {}. [{}]", self.message, self.action, self.rule)
    }

    /// The first clause of what is wrong, and what to do.
    pub fn short(&self) -> String {
        let first = self.message.split([';', ':']).next().unwrap_or_default();
        format!("{first}. {}. [{}]", self.action, self.rule)
    }
}

impl Told<'_> {
    /// Gravest first.
    pub(super) fn findings(&self) -> Vec<FindingRow> {
        let asked = self.advice.findings.iter().filter(|f| f.rule != QUESTIONS);
        let mut findings: Vec<&Finding> = asked.collect();
        findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
        let rows = findings.into_iter().map(|f| FindingRow {
            severity: f.severity,
            message: capital(&self.named(&f.message)),
            action: capital(&self.named(&f.action)),
            rule: f.rule,
        });
        rows.collect()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn word<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.word())
}
