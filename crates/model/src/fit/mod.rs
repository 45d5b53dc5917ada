//! The fit: one set of physical parameters that explains the published measurements, with its error.
//!
//! Each free parameter is the logarithm of a factor on numbers of the model, with a normal prior
//! (`calibration/fit.toml`). Residuals are logarithms of predicted over published, in units of the
//! stated σ; an ordering or a bound has a residual only where it is violated. The maximum of the
//! posterior density comes from the Levenberg–Marquardt method (Levenberg 1944, Marquardt 1963; Moré
//! 1978 as implemented by the crate), its covariance from the curvature there: the inverse of `JᵀJ` with
//! the priors as further rows (Gelman et al., Bayesian Data Analysis, section 4.1).
//!
//! A measurement of one's own is blended into the outcome ([`blend()`]): the posterior is its prior.
//!
//! Knows experiments and what they predict. Must not know the site, the advice, nor any output
//! format; reads no file and starts no thread.

mod accuracy;
mod blend;
mod declared;
mod discrepancy;
mod fitted;
mod foreseen;
mod influence;
mod problem;
mod solve;

pub use accuracy::{
    Accuracy, Apart, LeftOut, RowAccuracy, Summary, accuracy, half_width, interval_score, leave_out, left_out_sets,
};
pub use blend::{Blend, BlendError, CHANCE, Compared, Explained, Move, Verdict, blend};
pub use declared::{Declared, accuracy_toml, declared, not_declared, stored, worse_than_declared};
pub use discrepancy::Discrepancy;
pub use fitted::{fitted_toml, posterior_toml};
pub use foreseen::refused;
pub use influence::{Mover, gains, movers};
pub use problem::{Problem, Slopes};
pub use solve::{Fit, FitError};
