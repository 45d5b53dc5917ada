//! `fitted.toml`: the outcome of a fit as text, the same bytes for the same data.

use std::fmt::Write as _;

use super::influence::Mover;
use super::solve::Fit;
use crate::posterior::Posterior;

/// The text of `fitted.toml`.
///
/// Six decimals of a logarithm are a millionth of the factor: below what the model settles to.
pub fn fitted_toml(fit: &Fit, movers: &[Vec<Mover>], discrepancy: f64) -> String {
    let mut posterior = fit.posterior.clone();
    posterior.discrepancy = discrepancy;
    posterior.moved_by = movers
        .iter()
        .map(|movers| movers.iter().map(|m| m.datum.clone()).collect())
        .collect();
    posterior_toml(&posterior)
}

/// The same of a posterior that knows what moved it.
pub fn posterior_toml(posterior: &Posterior) -> String {
    let mut out = String::from(
        "# What the data made of the free parameters of fit.toml: written by `plimsoll calibrate --write`, not by hand.\n\
         # `shift` is the logarithm of the factor, `covariance` that with each parameter up to this one; `factor` and\n\
         # `spread` say the same for people.\n\
         schema = 1\n",
    );
    let discrepancy = posterior.discrepancy * 100.0;
    let _infallible = writeln!(out, "discrepancy = \"{discrepancy:.2} %\"");
    for (i, free) in posterior.free.iter().enumerate() {
        let ids = posterior.moved_by[i].iter();
        let ids: Vec<String> = ids.map(|id| format!("\"{id}\"")).collect();
        let row: Vec<String> = posterior.covariance[i][..=i]
            .iter()
            .map(|c| format!("{:.6}", c + 0.0))
            .collect();
        let _infallible = write!(
            out,
            "\n[[fitted]]\nid = \"{}\"\nfactor = {:.4}\nspread = \"{:.1} %\"\nshift = {:.5}\nmoved_by = [{}]\ncovariance = [{}]\n",
            free.id,
            posterior.shift[i].exp(),
            posterior.covariance[i][i].max(0.0).sqrt() * 100.0,
            posterior.shift[i],
            ids.join(", "),
            row.join(", ").replace("-0.000000", "0.000000"),
        );
    }
    out
}
