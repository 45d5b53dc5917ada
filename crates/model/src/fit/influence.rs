//! Which data moved which parameter, and how far each figure pulls all of them.

use nalgebra::{DMatrix, DVector};

use super::problem::Problem;
use super::solve::Fit;
use crate::posterior::Gain;

/// A datum's part in a free parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Mover {
    /// The datum.
    pub datum: String,
    /// Share of what is known of the parameter, its prior included.
    pub share: f64,
}

/// Data that hold less than this share of what is known about a parameter are not named.
const SHARE_MIN: f64 = 0.05;

/// The data of these parts, each once, by their share of `all`, most first.
pub(super) fn shares<'a>(parts: impl Iterator<Item = (&'a str, f64)>, all: f64) -> Vec<Mover> {
    let mut movers: Vec<Mover> = Vec::new();
    for (datum, part) in parts {
        match movers.iter_mut().find(|m| m.datum == datum) {
            Some(mover) => mover.share += part,
            None => movers.push(Mover { datum: datum.to_owned(), share: part }),
        }
    }
    for mover in &mut movers {
        mover.share /= all;
    }
    movers.retain(|m| m.share >= SHARE_MIN);
    movers.sort_by(|a, b| b.share.total_cmp(&a.share));
    movers
}

/// For each free parameter the data that know something of it, most first.
///
/// A datum's share is its part of the diagonal of the curvature: what it would say of the parameter if
/// all others were known.
pub fn movers(problem: &Problem<'_>, fit: &Fit) -> Vec<Vec<Mover>> {
    let free = problem.prior.free.iter().enumerate();
    free.map(|(i, free)| {
        let rows = problem.rows.iter().enumerate();
        let known = rows.map(|(k, row)| (row.datum.as_str(), fit.whitened[(k, i)].powi(2)));
        let known: Vec<(&str, f64)> = known.collect();
        let all = known.iter().fold(free.prior.powi(-2), |all, (_, part)| all + part);
        shares(known.into_iter(), all)
    })
    .collect()
}

/// How far each figure pulls the parameters: C (W J)ᵀ, with the covariance C of the parameters and the derivatives W J of the
/// figures' logarithms in units of independent errors.
///
/// The maximum of a linear model is linear in the data, with C Jᵀ/σ² as the slope by a figure's logarithm
/// (Rodgers 2000, Inverse Methods for Atmospheric Sounding, section 2.3: the gain matrix); and C is the sum
/// of the squares of C (W J)ᵀ over the figures, and of the same of the priors. Bounds that hold pull nothing.
pub(super) fn pulls(problem: &Problem<'_>, covariance: &DMatrix<f64>, whitened: &DMatrix<f64>) -> Vec<Gain> {
    let rows = problem.rows.iter().enumerate();
    let pulling = rows.filter(|(k, _)| whitened.row(*k).iter().any(|slope| *slope != 0.0));
    pulling
        .map(|(k, row)| {
            let slope: DVector<f64> = whitened.row(k).transpose();
            let moves = covariance * slope;
            Gain { row: row.id.clone(), datum: row.datum.clone(), moves: moves.as_slice().to_vec() }
        })
        .collect()
}

/// The gains of a fit.
pub fn gains(problem: &Problem<'_>, fit: &Fit) -> Vec<Gain> {
    let covariance = super::blend::matrix(&fit.posterior.covariance);
    pulls(problem, &covariance, &fit.whitened)
}
