//! Which data moved which parameter.

use super::problem::Problem;
use super::solve::Fit;

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
            None => movers.push(Mover {
                datum: datum.to_owned(),
                share: part,
            }),
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
        let known: Vec<(&str, f64)> = rows
            .filter(|(k, row)| row.is_fitted() && Problem::residual(row, fit.predicted[*k]) != 0.0)
            .map(|(k, row)| {
                let known = (fit.derivatives[(k, i)] / Problem::sigma(row)).powi(2);
                (row.datum.as_str(), known)
            })
            .collect();
        let all = known
            .iter()
            .fold(free.prior.powi(-2), |all, (_, part)| all + part);
        shares(known.into_iter(), all)
    })
    .collect()
}
