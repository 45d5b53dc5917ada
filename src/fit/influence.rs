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
pub(super) const SHARE_MIN: f64 = 0.05;

/// For each free parameter the data that know something of it, most first.
///
/// A datum's share is its part of the diagonal of the curvature: what it would say of the parameter if
/// all others were known.
pub fn movers(problem: &Problem<'_>, fit: &Fit) -> Vec<Vec<Mover>> {
    let free = problem.prior.free.iter().enumerate();
    free.map(|(i, free)| {
        let mut total = free.prior.powi(-2);
        let mut movers: Vec<Mover> = Vec::new();
        for (k, row) in problem.rows.iter().enumerate() {
            if Problem::residual(row, fit.predicted[k]) == 0.0 || !row.is_fitted() {
                continue;
            }
            let known = (fit.derivatives[(k, i)] / Problem::sigma(row)).powi(2);
            total += known;
            match movers.iter_mut().find(|m| m.datum == row.datum) {
                Some(mover) => mover.share += known,
                None => movers.push(Mover {
                    datum: row.datum.clone(),
                    share: known,
                }),
            }
        }
        for mover in &mut movers {
            mover.share /= total;
        }
        movers.retain(|m| m.share >= SHARE_MIN);
        movers.sort_by(|a, b| b.share.total_cmp(&a.share));
        movers
    })
    .collect()
}
