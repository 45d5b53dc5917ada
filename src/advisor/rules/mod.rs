//! Rules look at a solved deployment and say what is risky, why, on what evidence, and what to do.
//!
//! One file a rule; ids are stable and never reused: `STO` storage, `NET` network, `CPU`, `MEM`,
//! `QUE` queueing and locks, `CAP` capacity, `PLC` placement, `CAL` quality of the evidence, `SIT`
//! is taken by the questionnaire.

use crate::advisor::growth::Headroom;
use crate::advisor::sensitivity::Influence;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::capacity::{Memory, RoleSize};
use crate::system::{Deployment, Prediction};

/// How bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Will hurt.
    Warning,
    /// Do not go on like this.
    Critical,
}

impl Severity {
    /// One word, as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

/// One rule: what it says about itself, and its check.
#[derive(Debug)]
pub struct Rule {
    /// Stable id: family letters and three digits.
    pub id: &'static str,
    /// The file's name with dashes: a noun phrase, the failing state.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// First version with it.
    pub since: &'static str,
    /// Markdown with the sections of [`DOC_SECTIONS`].
    pub docs: &'static str,
    /// Looks, and reports into the sink.
    pub check: fn(&Facts<'_>, &mut Vec<Finding>),
}

/// Every rule's docs have these headings, in this order.
pub const DOC_SECTIONS: [&str; 5] = [
    "### What it does",
    "### Why it matters",
    "### Evidence",
    "### What to do",
    "### Limits",
];

/// What rules may look at.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The questionnaire.
    pub site: &'a Site,
    /// What exists.
    pub catalog: &'a Catalog,
    /// What was measured.
    pub calibration: &'a Calibration,
    /// The deployment.
    pub deployment: &'a Deployment,
    /// What it does at the peak.
    pub prediction: &'a Prediction,
    /// Sizes by role.
    pub sizes: &'a [RoleSize],
    /// Memory there and memory worth having.
    pub memory: &'a Memory,
    /// How far to the limits.
    pub headroom: &'a Headroom,
    /// How long the largest submit holds the commit section \[s\].
    pub largest_commit: f64,
    /// Which assumptions matter, largest first.
    pub influences: &'a [Influence],
}

/// One number behind a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Id of a datum, a reference, a field of the site, or `model`.
    pub id: String,
    /// What it says, with the number.
    pub text: String,
}

impl Evidence {
    /// From an id and what it says.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            text: text.into(),
        }
    }
}

/// What a rule found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Which rule.
    pub rule: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What was found, with the numbers: a sentence without full stop.
    pub message: String,
    /// What to do.
    pub action: String,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
}

/// All rules, by id. `tests/it/rules.rs` checks the order, the docs and the files.
pub static RULES: &[&Rule] = &[];

/// Runs all rules; worst findings first, then by id.
pub fn check(facts: &Facts<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        (rule.check)(facts, &mut findings);
    }
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.rule.cmp(b.rule)));
    findings
}
