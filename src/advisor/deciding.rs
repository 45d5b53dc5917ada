//! What decides between the recommended layout and another, and what would change the order.

use super::advice::{Advice, Alternative};
use super::criteria::Criterion;
use super::score::Scores;
use super::variance_share::VarianceSource;
use crate::site::Site;

/// What decides.
#[derive(Debug, Clone)]
pub enum Deciding<'a> {
    /// The other was not solved, or something that comes before every score: what it needs, space, safety, targets.
    Before(&'a Alternative),
    /// Their scores cannot be told apart, and the recommended one is simpler.
    Simpler(&'a Alternative),
    /// It scores higher with the assumed answers, and falls further behind over the sampled cases.
    Regret {
        /// The other.
        other: &'a Alternative,
        /// Share of the best score that is lost on average, by the recommended one and by the other.
        lost: [f64; 2],
        /// The unanswered question that the lead depends on most, if one matters.
        question: Option<String>,
    },
    /// Its own findings, which count against it.
    Findings {
        /// The other.
        other: &'a Alternative,
        /// Their rules, the gravest first.
        rules: &'a [&'static str],
        /// Their factor of the score, of the recommended one and of the other.
        factors: [f64; 2],
        /// Total scores of both.
        totals: [f64; 2],
    },
    /// The criterion in which it loses most, with both scores in \[0, 1\].
    Criterion {
        /// The other.
        other: &'a Alternative,
        /// Which criterion.
        criterion: Criterion,
        /// Scores of the recommended one and of the other.
        scores: [f64; 2],
        /// Total scores of both.
        totals: [f64; 2],
        /// What would change the order.
        turns: Turns,
    },
}

impl Deciding<'_> {
    /// The layout that is not recommended.
    pub fn other(&self) -> &Alternative {
        match self {
            Self::Before(other)
            | Self::Simpler(other)
            | Self::Regret { other, .. }
            | Self::Findings { other, .. }
            | Self::Criterion { other, .. } => other,
        }
    }
}

/// What would change the order of two layouts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Turns {
    /// A weight of the criterion, 0 to 10, below this one in place of the site's.
    Weight {
        /// The weight at which both are alike.
        below: f64,
        /// The site's.
        now: f64,
    },
    /// No weight of that criterion.
    Never,
}

/// What decides against a layout; none where it is the recommended one, or no such layout was compared.
pub fn deciding<'a>(site: &Site, advice: &'a Advice, layout: &str) -> Option<Deciding<'a>> {
    let chosen = advice.chosen.as_ref()?;
    let mut all = advice.alternatives.iter();
    let other = all.find(|other| other.layout == layout)?;
    let Some(scores) = &other.scores else {
        return Some(Deciding::Before(other));
    };
    let (best, total) = (&chosen.scores, scores.total);
    if other.comes_before_scores {
        return Some(Deciding::Before(other));
    }
    if total > best.total {
        let contest = &advice.contest;
        let of = |layout: &str| {
            let mut all = contest.worlds.standings.iter();
            Some(-(-all.find(|one| one.layout == layout)?.regret).exp_m1())
        };
        let question = contest.most(|of| matches!(of, VarianceSource::Question(_)));
        let lost = of(&chosen.deployment.layout).zip(of(layout));
        return Some(match lost {
            Some((own, of_other)) => Deciding::Regret {
                other,
                lost: [own, of_other],
                question: question.map(|doubt| doubt.source.to_string()),
            },
            // Closer scores are tied: what is simpler decides.
            None => Deciding::Simpler(other),
        });
    }
    let losses = best.by_criterion.iter().zip(&scores.by_criterion);
    let losses = losses.map(|(best, own)| (best.weight * (best.value / own.value).ln(), best, own));
    let (loss, of_best, of_other) = losses.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let totals = [best.total, total];
    if (best.findings / scores.findings).ln() > loss {
        return Some(Deciding::Findings {
            other,
            rules: &scores.heeded,
            factors: [best.findings, scores.findings],
            totals,
        });
    }
    Some(Deciding::Criterion {
        other,
        criterion: of_best.criterion,
        scores: [of_best.value, of_other.value],
        totals,
        turns: turns(site, of_best.criterion, best, scores),
    })
}

/// What would change the order: the lead is Σ wᵢ ln(aᵢ/bᵢ) / Σ wᵢ + ln(f/g), of scores a and b, weights w and the factors f and g of
/// the findings; it is zero at one weight of the criterion.
fn turns(site: &Site, criterion: Criterion, best: &Scores, other: &Scores) -> Turns {
    let findings = (best.findings / other.findings).ln();
    let (mut rest, mut weights, mut own) = (0.0, 0.0, (0.0, 0.0));
    for (a, b) in best.by_criterion.iter().zip(&other.by_criterion) {
        let log = (a.value / b.value).ln();
        if a.criterion == criterion {
            own = (a.weight, log);
        } else {
            rest += a.weight * log;
            weights += a.weight;
        }
    }
    let even = -(rest + findings * weights) / (own.1 + findings);
    let now = criterion.weight(site);
    match even / own.0 {
        share if (0.0..1.0).contains(&share) => Turns::Weight { below: share * now, now },
        _ => Turns::Never,
    }
}
