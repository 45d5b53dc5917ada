//! Why: findings with evidence, how sure the choice is, which answers matter, scores, and the numbers behind.

use crate::advisor::rules::Severity;
use crate::advisor::{Advice, Contest, DoubtKind, Scores};
use crate::desktop::widgets::Tone;
use crate::report::share_shown;
use crate::site::Site;
use crate::system::Prediction;
use crate::units::significant;

/// Doubts below this share of the lead's variance are not told.
const SHARE_MIN: f64 = 0.01;
/// Answers that change a time by less do not matter.
const RATIO_MIN: f64 = 1.02;
/// Rows of doubts.
const ROWS: usize = 6;

/// What is risky.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: String,
    /// One word.
    pub severity: String,
    /// What it means.
    pub tone: Tone,
    /// What was found.
    pub message: String,
    /// What to do.
    pub action: String,
    /// What it rests on: id and text.
    pub evidence: Vec<(String, String)>,
}

/// How sure the choice is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sureness {
    /// In a sentence.
    pub verdict: String,
    /// Whether another cannot be told from it.
    pub is_tied: bool,
    /// The next layouts.
    pub rivals: Vec<Rival>,
    /// What the lead over the first of them hangs on.
    pub doubts: Vec<Doubt>,
}

/// A layout that might be better.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    /// Its layout.
    pub layout: String,
    /// By how much the chosen one leads.
    pub lead: String,
    /// Chance that it is better.
    pub chance: String,
    /// The chance, in \[0, 1\].
    pub share: f64,
    /// Whether it cannot be told apart.
    pub is_tied: bool,
}

/// What a lead hangs on.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// What it is.
    pub words: String,
    /// Its name, where its origin can be looked at.
    pub origin: Option<String>,
    /// Share of the lead's variance, in \[0, 1\].
    pub share: f64,
}

/// A question that nobody answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The field.
    pub field: String,
    /// What was taken.
    pub value: String,
    /// Between what it lies.
    pub range: String,
    /// How much it matters.
    pub matters: String,
    /// Whether an end of its range saturates the deployment.
    pub saturates: bool,
}

/// A criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion {
    /// Its name.
    pub name: String,
    /// Its weight.
    pub weight: String,
    /// Its score, in \[0, 1\].
    pub value: f64,
    /// The score in a word.
    pub word: String,
}

/// A number behind the prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// With its unit.
    pub value: String,
    /// What kind of origin it has.
    pub kind: String,
    /// One-sigma relative error.
    pub spread: String,
}

/// Findings, worst first.
pub(super) fn findings(advice: &Advice) -> Vec<Finding> {
    let findings = advice.findings.iter();
    findings
        .map(|f| Finding {
            rule: f.rule.to_owned(),
            severity: f.severity.word().to_owned(),
            tone: match f.severity {
                Severity::Critical => Tone::Bad,
                Severity::Warning => Tone::Warning,
                Severity::Note => Tone::Accent,
            },
            message: f.message.clone(),
            action: f.action.clone(),
            evidence: f
                .evidence
                .iter()
                .map(|e| (e.id.clone(), e.text.clone()))
                .collect(),
        })
        .collect()
}

/// How sure the choice is.
pub(super) fn sureness(contest: &Contest) -> Sureness {
    let tied: Vec<&str> = contest
        .rivals
        .iter()
        .filter(|r| r.is_tied())
        .map(|r| r.layout.as_str())
        .collect();
    let verdict = match (contest.rivals.first(), tied.as_slice()) {
        (None, _) => {
            "No other layout misses as few targets: none is compared with it by score.".to_owned()
        }
        (Some(likeliest), []) => format!(
            "Clear: the likeliest other, {}, is better with a chance of {}.",
            likeliest.layout,
            share(likeliest.chance)
        ),
        (Some(_), tied) => format!(
            "Cannot be told from {} by score: choose between them by what this tool does not know.",
            tied.join(", ")
        ),
    };
    Sureness {
        verdict,
        is_tied: !tied.is_empty(),
        rivals: contest
            .rivals
            .iter()
            .map(|r| Rival {
                layout: r.layout.clone(),
                lead: format!("{} ± {}", share(r.lead.exp_m1()), share(r.sigma.exp_m1())),
                chance: share(r.chance),
                share: r.chance,
                is_tied: r.is_tied(),
            })
            .collect(),
        doubts: contest
            .doubts
            .iter()
            .filter(|d| d.share >= SHARE_MIN)
            .take(ROWS)
            .map(|d| Doubt {
                words: match d.kind {
                    DoubtKind::Model => d.name.clone(),
                    kind => format!("{} {}", kind.word(), d.name),
                },
                origin: (d.kind != DoubtKind::Model).then(|| d.name.clone()),
                share: d.share,
            })
            .collect(),
    }
}

fn share(x: f64) -> String {
    if x.abs() < 1e-3 {
        "< 0.1 %".to_owned()
    } else {
        share_shown(x)
    }
}

/// Unanswered questions that matter, most first, and how many hardly do.
pub(super) fn questions(site: &Site, advice: &Advice) -> (Vec<Question>, usize) {
    let assumptions = site.assumptions();
    let questions: Vec<Question> = advice
        .influences
        .iter()
        .filter(|i| i.saturates || i.ratio >= RATIO_MIN)
        .filter_map(|i| {
            let assumption = assumptions.iter().find(|a| a.field == i.field)?;
            Some(Question {
                field: i.field.clone(),
                value: assumption.value.clone(),
                range: format!("{} – {}", assumption.low, assumption.high),
                matters: if i.saturates {
                    "an end of its range saturates the deployment".to_owned()
                } else {
                    format!("{} changes up to × {}", i.time, significant(i.ratio, 3))
                },
                saturates: i.saturates,
            })
        })
        .collect();
    let left = assumptions.len() - questions.len();
    (questions, left)
}

/// The scores by criterion.
pub(super) fn criteria(scores: &Scores) -> Vec<Criterion> {
    let scores = scores.by_criterion.iter();
    scores
        .map(|s| Criterion {
            name: s.criterion.replace('_', " "),
            weight: format!("{} %", significant(s.weight * 100.0, 2)),
            value: s.value,
            word: s.word().to_owned(),
        })
        .collect()
}

/// The numbers that went in, by name.
pub(super) fn numbers(prediction: &Prediction) -> Vec<Number> {
    let used = prediction.used.iter();
    used.map(|(name, used)| Number {
        name: name.clone(),
        value: used.shown.clone(),
        kind: used.origin.kind().to_owned(),
        spread: if used.spread > 0.0 {
            format!("± {}", share_shown(used.spread))
        } else {
            "–".to_owned()
        },
    })
    .collect()
}
