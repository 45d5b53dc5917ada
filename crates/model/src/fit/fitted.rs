//! `fitted.toml`: the outcome of a fit as text, the same bytes for the same data.

use std::fmt::Write as _;

use super::influence::{Mover, gains};
use super::problem::Problem;
use super::solve::Fit;
use crate::posterior::Posterior;

/// The text of `fitted.toml`.
///
/// Six decimals of a logarithm are a millionth of the factor: below what the model settles to.
pub fn fitted_toml(problem: &Problem<'_>, fit: &Fit, movers: &[Vec<Mover>], discrepancy: f64) -> String {
    let mut posterior = fit.posterior.clone();
    posterior.gains = gains(problem, fit);
    posterior.discrepancy = discrepancy;
    posterior.moved_by = movers.iter().map(|movers| movers.iter().map(|m| m.datum.clone()).collect()).collect();
    posterior_toml(&posterior)
}

/// The same of a posterior that knows what moved it.
pub fn posterior_toml(posterior: &Posterior) -> String {
    let mut out = String::from(
        "# What the data made of the free parameters of fit.toml: written by `plimsoll calibrate --write`, not by hand.\n\
         # `shift` is the logarithm of the factor, `covariance` that with each parameter up to this one; `factor` and\n\
         # `spread` say the same for people. `gain`: by how much each logarithm would be larger if a figure were larger by\n\
         # one sigma of its error.\n\
         schema = 1\n",
    );
    let discrepancy = posterior.discrepancy * 100.0;
    let _infallible = writeln!(out, "discrepancy = \"{discrepancy:.2} %\"");
    for (i, free) in posterior.free.iter().enumerate() {
        let ids = posterior.moved_by[i].iter();
        let ids: Vec<String> = ids.map(|id| format!("\"{id}\"")).collect();
        let row: Vec<String> = posterior.covariance[i][..=i].iter().map(|c| format!("{:.6}", c + 0.0)).collect();
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
    for gain in &posterior.gains {
        let moves = posterior.free.iter().zip(&gain.moves);
        let moves: Vec<String> = moves
            .map(|(free, moved)| (&free.id, format!("{:.4}", moved + 0.0)))
            .filter(|(_, moved)| moved.trim_start_matches('-') != "0.0000")
            .map(|(id, moved)| format!("{} = {moved}", text(id)))
            .collect();
        let _infallible = write!(
            out,
            "\n[[gain]]\nrow = {}\ndatum = {}\nmoves = {{ {} }}\n",
            text(&gain.row),
            text(&gain.datum),
            moves.join(", ")
        );
    }
    out
}

fn text(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
