//! Findings of rules: how bad, what is wrong, what to do, on what evidence, and how sure.

use std::fmt::Display;

use super::said::Said;
use crate::origin::Origin;
use crate::site::{Answer, Peak};

/// The field of what was seen on the server.
pub(super) const SIGNS: &str = "today.signs";

/// How bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Slows or endangers the work.
    Warning,
    /// Endangers data or stops the work.
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

/// One number behind a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Id of a datum, a reference, a field of the site, or `model`.
    pub id: String,
    /// What it shows, with the number.
    pub text: String,
    /// Whether it is an answer that nobody gave.
    pub is_assumed: bool,
}

impl Evidence {
    /// From an id and its text.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), text: text.into(), is_assumed: false }
    }

    /// An answer of the site, or the assumption in its place.
    pub(super) fn answer<T>(path: &str, answer: &Answer<T>, shown: impl Display) -> Self {
        let is_assumed = matches!(answer.origin, Origin::Assumed { .. } | Origin::Derived { .. });
        Self { is_assumed, ..Self::new(path, format!("{shown} ({})", answer.origin.kind())) }
    }
}

/// What a rule found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Which rule.
    pub rule: &'static str,
    /// In which part of the space that is searched its remedy lies; none where it lies elsewhere.
    pub remedy: Option<Remedy>,
    /// How bad.
    pub severity: Severity,
    /// What is wrong and what it does to users, with the numbers.
    pub message: Said,
    /// What to do.
    pub action: Said,
    /// The evidence.
    pub evidence: Vec<Evidence>,
    /// What it costs the site, roughly \[person-hours/year\]: findings of one severity are ranked by it.
    pub cost: f64,
    /// The resources, locks, volumes or kinds of work that it is about, by name; findings about the same are merged.
    pub about: Vec<String>,
    /// Rules that state the same fact and were merged into this finding.
    pub also: Vec<&'static str>,
    /// Whether it is of the system that is there, where another is recommended.
    pub is_of_today: bool,
    /// Why the deployment is recommended in spite of it, where its remedy is in the space that was searched.
    pub stays: Option<String>,
    /// Whether the answers do not decide it, so that somebody has to look: it ranks below what they show.
    pub is_suspicion: bool,
}

/// In which part of the space that is searched the remedy of a rule lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Another layout, protocol, filesystem, medium or number of edges.
    Layout,
    /// An edge in an office.
    Edge,
    /// More memory.
    Memory,
    /// A layout or standby that keeps what is stated on failures.
    Recovery,
}

impl Remedy {
    /// By its word in `models/rules`.
    pub(super) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "layout" => Self::Layout,
            "edge" => Self::Edge,
            "memory" => Self::Memory,
            "recovery" => Self::Recovery,
            _ => return None,
        })
    }

    /// Whether it is another candidate of the search. Rules with such a remedy read neither headroom nor recovery.
    pub(super) fn is_candidate(self) -> bool {
        matches!(self, Self::Layout | Self::Edge)
    }
}

impl Finding {
    /// Its rule, and those that were merged into it.
    pub(super) fn rules(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.rule).chain(self.also.iter().copied())
    }

    /// One of this severity; [`super::rules::Rule::findings`] writes the id of its rule.
    pub(super) fn new(
        severity: Severity,
        message: impl Into<Said>,
        action: impl Into<Said>,
        evidence: Vec<Evidence>,
    ) -> Self {
        Self {
            rule: "",
            remedy: None,
            severity,
            message: message.into(),
            action: action.into(),
            evidence,
            cost: 0.0,
            about: Vec::new(),
            also: Vec::new(),
            is_of_today: false,
            stays: None,
            is_suspicion: false,
        }
    }

    /// A note.
    pub(super) fn note(message: impl Into<Said>, action: impl Into<Said>, evidence: Vec<Evidence>) -> Self {
        Self::new(Severity::Note, message, action, evidence)
    }

    /// A warning.
    pub(super) fn warning(message: impl Into<Said>, action: impl Into<Said>, evidence: Vec<Evidence>) -> Self {
        Self::new(Severity::Warning, message, action, evidence)
    }

    /// A critical one.
    pub(super) fn critical(message: impl Into<Said>, action: impl Into<Said>, evidence: Vec<Evidence>) -> Self {
        Self::new(Severity::Critical, message, action, evidence)
    }

    /// The same with what it costs the site \[person-hours/year\].
    pub(super) fn costing(self, cost: f64) -> Self {
        Self { cost, ..self }
    }

    /// The same with the names of the resources, locks, volumes or kinds of work that it is about.
    pub(super) fn about<T: Into<String>>(self, names: impl IntoIterator<Item = T>) -> Self {
        let about = names.into_iter().map(Into::into).collect();
        Self { about, ..self }
    }

    /// The same as a suspicion.
    pub(super) fn suspected(self) -> Self {
        Self { is_suspicion: true, ..self }
    }

    /// The same where what it looks at is stated; else a suspicion that says what to state, and a note however grave.
    pub(super) fn unless(self, unstated: Option<String>) -> Self {
        let Some(what) = unstated else {
            return self;
        };
        Self {
            message: self.message.clone().after("perhaps"),
            action: self.action.clone().after("if so,").then(format!("state {what}")),
            severity: Severity::Note,
            ..self.suspected()
        }
    }

    /// The same as one of the system that is there, where another is recommended.
    pub(super) fn of_today(self, peak: Peak) -> Self {
        Self { is_of_today: true, message: self.message.clone().after(peak.in_todays_system()), ..self }
    }

    /// Place among findings of one severity: what the answers show and what the model finds, then what rests on an assumed answer,
    /// then what is only suspected.
    pub(super) fn sureness(&self) -> u8 {
        match self.basis() {
            Basis::Stated | Basis::Estimated => 0,
            Basis::Assumed(_) => 1,
            Basis::Suspected => 2,
        }
    }

    /// How sure it is, from the origins of its evidence.
    pub fn basis(&self) -> Basis<'_> {
        if self.is_suspicion {
            return Basis::Suspected;
        }
        // What somebody saw on the server is so, whatever the numbers beside it.
        if self.evidence.iter().any(|e| e.id == SIGNS && !e.is_assumed) {
            return Basis::Stated;
        }
        if let Some(assumed) = self.evidence.iter().find(|e| e.is_assumed) {
            return Basis::Assumed(&assumed.id);
        }
        if self.evidence.iter().any(|e| e.id == "model") { Basis::Estimated } else { Basis::Stated }
    }
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis<'a> {
    /// It follows from answers and published rules.
    Stated,
    /// A number in it is the model's.
    Estimated,
    /// A number in it rests on an answer that nobody gave: its field.
    Assumed(&'a str),
    /// The answers do not decide it.
    Suspected,
}

impl Basis<'_> {
    /// "from the answers", "estimate", "to be checked, the answers do not decide it", "rests on data.files, which is assumed".
    pub fn in_words(self) -> String {
        match self {
            Self::Stated => "from the answers".to_owned(),
            Self::Estimated => "estimate".to_owned(),
            Self::Suspected => "to be checked, the answers do not decide it".to_owned(),
            Self::Assumed(field) => format!("rests on {field}, which is assumed"),
        }
    }
}
