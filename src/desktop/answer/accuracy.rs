//! What the model predicts of what was published, with the parameters as fitted.

use super::super::engine::Engine;
use crate::calibration::{Calibration, Dimension};
use crate::catalog::Catalog;
use crate::experiment::{Claim, Experiments};
use crate::fit::Problem;

/// Published figures beside predicted ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// In the order of the data.
    pub figures: Vec<Figure>,
}

/// One published figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its id, and the name of the value.
    pub id: String,
    /// The datum.
    pub datum: String,
    /// What it claims.
    pub claim: Claim,
    /// What it is counted in.
    pub dimension: Dimension,
    /// What the model says; NaN where it has no answer.
    pub predicted: f64,
    /// Whether the fit saw it.
    pub is_fitted: bool,
}

impl Accuracy {
    /// Works it out: every experiment at the fitted parameters, without fitting anew.
    pub fn new(engine: &Engine) -> Result<Self, String> {
        let calibration = Calibration::uncalibrated(None).map_err(|d| d.render())?;
        let catalog = Catalog::load(None, &calibration.posterior).map_err(|d| d.render())?;
        let experiments = Experiments::embedded(&catalog, &calibration);
        let problem = Problem::new(&catalog, &calibration, &experiments)
            .map_err(|error| error.to_string())?;
        let predicted = problem.predict(&engine.calibration.posterior.shift);
        let rows = problem.rows.iter().zip(predicted);
        Ok(Self {
            figures: rows
                .map(|(row, predicted)| Figure {
                    id: row.id.clone(),
                    datum: row.datum.clone(),
                    claim: row.claim,
                    dimension: row.dimension,
                    predicted,
                    is_fitted: row.is_fitted(),
                })
                .collect(),
        })
    }
}
