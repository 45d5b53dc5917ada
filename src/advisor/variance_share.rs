//! What a lead hangs on: the parts of its variance, by what is not known and by the published figures.
//!
//! The variance that free parameters bring is gᵀCg, with the slopes g of the lead and the fit's covariance
//! C. By parameter, pairs count in equal halves. By figure, C is a sum of squares of what each figure and
//! each prior pulls ([`crate::posterior::Gain`]): a figure's part is the square of g times its pull, which
//! is how far the lead would move were the figure one σ off; the rest is the priors'.

use std::collections::BTreeMap;
use std::fmt;

use crate::posterior::{NumberId, Posterior};

/// What is not known exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VarianceSource {
    /// A free parameter of the fit, by its id.
    Parameter(String),
    /// Another uncertain number of the model.
    Number(NumberId),
    /// An unanswered question, by its field.
    Question(String),
    /// A measured answer of which the log leaves a range, by its field.
    Measured(String),
    /// The model's own error.
    Model,
}

impl VarianceSource {
    /// A word for its kind.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Parameter(_) => "parameter",
            Self::Number(_) => "number",
            Self::Measured(_) => "measured",
            Self::Question(_) => "question",
            Self::Model => "model",
        }
    }
}

impl fmt::Display for VarianceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(id) | Self::Question(id) | Self::Measured(id) => f.write_str(id),
            Self::Number(number) => number.fmt(f),
            Self::Model => f.write_str("the model's own error"),
        }
    }
}

/// A part of the lead's variance.
#[derive(Debug, Clone, PartialEq)]
pub struct VarianceShare {
    /// What it comes from.
    pub source: VarianceSource,
    /// Share of the variance, in \[0, 1\].
    pub share: f64,
}

/// Parts of the variance that free parameters bring, those of pairs in equal halves; `slopes` of the lead,
/// none where a parameter touches nothing.
pub(super) fn of_parameters(posterior: &Posterior, slopes: &[Option<f64>]) -> Vec<VarianceShare> {
    let slope = |i: usize| slopes[i].unwrap_or(0.0);
    (0..slopes.len())
        .filter(|i| slopes[*i].is_some())
        .map(|i| {
            let with = (0..slopes.len()).map(|j| posterior.covariance[i][j] * slope(j));
            VarianceShare {
                source: VarianceSource::Parameter(posterior.free[i].id.clone()),
                // What two parameters make up for between them may fall below zero in one of them.
                share: (slope(i) * with.sum::<f64>()).max(0.0),
            }
        })
        .collect()
}

/// Parts of `variance` that errors of the published data bring through the fit, as shares of it, most first.
pub(super) fn of_data(posterior: &Posterior, slopes: &[Option<f64>], variance: f64) -> Vec<(String, f64)> {
    let mut parts: BTreeMap<&str, f64> = BTreeMap::new();
    for gain in &posterior.gains {
        let moves = gain.moves.iter().zip(slopes);
        let pull: f64 = moves.map(|(m, slope)| m * slope.unwrap_or(0.0)).sum();
        *parts.entry(&gain.datum).or_default() += pull * pull;
    }
    let parts = parts.into_iter().filter(|(_, part)| *part > 0.0);
    let mut shares: Vec<(String, f64)> = parts.map(|(datum, part)| (datum.to_owned(), part / variance)).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every covariance is what the figures pull and what the priors leave.
    #[test]
    fn figures_and_priors_together_are_the_covariance() {
        let posterior = Posterior::embedded();
        assert!(!posterior.gains.is_empty());
        for (i, row) in posterior.covariance.iter().enumerate() {
            let figures: f64 = posterior.gains.iter().map(|g| g.moves[i].powi(2)).sum();
            let priors = row.iter().zip(&posterior.free);
            let priors: f64 = priors.map(|(c, free)| (c / free.prior).powi(2)).sum();
            let share = (figures + priors) / row[i];
            assert!((share - 1.0).abs() < 0.02, "{}: {share}", posterior.free[i].id);
        }
    }

    /// What one datum alone holds, its error alone moves.
    #[test]
    fn a_parameter_of_one_datum_hangs_on_it() {
        let posterior = Posterior::embedded();
        let of = |id: &str| {
            let place = posterior.free.iter().position(|free| free.id == id);
            let place = place.unwrap_or_else(|| panic!("no {id}"));
            let mut slopes = vec![None; posterior.free.len()];
            slopes[place] = Some(1.0);
            of_data(&posterior, &slopes, posterior.covariance[place][place])
        };
        assert_eq!(of("cache_card")[0].0, "N08-pam-range");
        let row_write = of("row_write");
        assert!(row_write.len() > 3 && row_write[0].1 < 0.9, "{row_write:?}");
        let all: f64 = row_write.iter().map(|(_, share)| share).sum();
        assert!(all < 1.0 + 0.02, "the priors have a part: {all}");
    }
}
