//! Reasons: how sure the choice is, and the numbers of the prediction.

use crate::advisor::{Contest, DoubtKind};
use crate::catalog::Catalog;
use crate::report::{Answer, share_shown};
use crate::system::Prediction;

/// Doubts below this share of the lead's variance are not shown.
const SHARE_MIN: f64 = 0.01;
/// Rows of doubts.
const ROWS: usize = 6;

/// How sure the choice is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sureness {
    /// In a sentence.
    pub verdict: String,
    /// Whether another is tied with it.
    pub is_tied: bool,
    /// The next layouts.
    pub rivals: Vec<Rival>,
    /// What the lead over the first of them depends on.
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
    /// Whether it is tied.
    pub is_tied: bool,
}

/// What a lead depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// What it is.
    pub words: String,
    /// Its name, where its origin can be looked at.
    pub origin: Option<String>,
    /// Share of the lead's variance, in \[0, 1\].
    pub share: f64,
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

/// How sure the choice is.
pub(super) fn sureness(contest: &Contest, answer: &Answer, catalog: &Catalog) -> Sureness {
    let title = |id: &str| {
        let layout = catalog.layouts.get(id);
        layout.map_or_else(|| id.to_owned(), |layout| layout.entry.title.clone())
    };
    Sureness {
        verdict: answer.sure.clone(),
        is_tied: contest.rivals.iter().any(crate::advisor::Rival::is_tied),
        rivals: contest
            .rivals
            .iter()
            .map(|r| Rival {
                layout: title(&r.layout),
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
