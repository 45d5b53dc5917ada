//! Risks and what to do about them.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::super::prose::capital;
use super::AnswerSource;
use crate::advisor::Said;
use crate::advisor::rules::{Finding, Severity};
use crate::page::{Block, Card, Tone};

/// The rule that says which questions matter: the answer asks them itself.
const QUESTIONS: &str = "EVD002";

/// A risk and what to do about it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FindingRow {
    /// How bad.
    #[serde(serialize_with = "word")]
    #[schemars(with = "String")]
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub action: String,
    /// The same two in parts.
    #[serde(skip)]
    said: [Said; 2],
    /// Why it is recommended nevertheless, where another layout, edge or memory would remedy it.
    pub stays: Option<String>,
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
        let Self { message, action, sure, rule, .. } = self;
        let stays = self.why_it_stays();
        format!("{message}. {action}.{stays} How sure: {sure}. [{rule}]")
    }

    /// The whole, then shorter ones. Each says what is wrong and what to do; what follows and
    /// details give way first, then how sure it is, and of one that stays last what was weighed.
    pub fn forms(&self) -> Vec<String> {
        let forms = |said: &Said| [said.to_string(), said.short(), said.least().to_owned()];
        let [wrong, to_do] = &self.said;
        let [wrong, wrong_short, wrong_least] = &forms(wrong);
        let [to_do, to_do_short, to_do_least] = &forms(to_do);
        let Self { sure, rule, .. } = self;
        let stays = self.why_it_stays();
        let surely = format!("{stays} How sure: {sure}.");
        let said = |wrong: &str, to_do: &str, then: &str| format!("{wrong}. {to_do}.{then} [{rule}]");
        let mut forms = vec![
            self.whole(),
            said(wrong_short, to_do, &surely),
            said(wrong_least, to_do, &surely),
            said(wrong_short, to_do_short, &surely),
        ];
        // A remedy that was weighed and left is nowhere without the reason.
        if !stays.is_empty() {
            forms.extend([
                said(wrong_short, to_do_short, &stays),
                said(wrong_least, to_do_least, &stays),
                format!("{wrong_least}.{stays} [{rule}]"),
            ]);
            return forms;
        }
        forms.extend([
            said(wrong, to_do_short, ""),
            said(wrong_short, to_do_short, ""),
            said(wrong_least, to_do_short, ""),
            said(wrong_short, to_do_least, ""),
            said(wrong_least, to_do_least, ""),
        ]);
        forms
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
            action: match &self.stays {
                None => self.action.clone(),
                Some(stays) => format!("{}. {}", self.action, capital(stays)),
            },
            sure: self.sure.clone(),
            evidence: self.evidence.clone(),
        })
    }

    /// " The best layout without this problem, …, is not recommended: ….": empty where nothing was compared.
    fn why_it_stays(&self) -> String {
        let stays = self.stays.as_ref();
        stays.map_or_else(String::new, |stays| format!(" {}.", capital(stays)))
    }

    /// Of a finding.
    pub fn of(finding: &Finding) -> Self {
        // What was weighed and left is no advice.
        let to_do = match finding.stays {
            Some(_) => &finding.action.clone().after("not part of the recommendation:"),
            None => &finding.action,
        };
        let said = [&finding.message, to_do].map(|said| said.clone().with_first(capital));
        let [message, action] = said.each_ref().map(Said::to_string);
        Self {
            severity: finding.severity,
            message,
            action,
            said,
            stays: finding.stays.clone(),
            sure: finding.basis().in_words(),
            is_of_today: finding.is_of_today,
            rule: finding.rule,
            evidence: finding.evidence.iter().map(|e| (e.id.clone(), e.text.clone())).collect(),
        }
    }
}

impl AnswerSource<'_> {
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
