//! What the model predicts of what was published, with the parameters as fitted.

use super::super::engine::Engine;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::experiment::Experiments;
use crate::fit::Problem;
use crate::report::Figure;

/// Published figures beside predicted ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// In the order of the data.
    pub figures: Vec<Figure>,
}

impl Accuracy {
    /// Works it out: every experiment at the fitted parameters, without fitting anew.
    pub fn new(engine: &Engine) -> Result<Self, String> {
        let calibration = Calibration::uncalibrated(None).map_err(|d| d.render())?;
        let catalog = Catalog::load(None, &calibration.posterior).map_err(|d| d.render())?;
        let experiments = Experiments::embedded(&catalog, &calibration);
        let problem = Problem::new(&catalog, &calibration, &experiments).map_err(|error| error.to_string())?;
        let predicted = problem.predict(&engine.calibration.posterior.shift);
        let rows = problem.rows.iter().zip(predicted);
        Ok(Self { figures: rows.map(|(row, predicted)| Figure { row: row.clone(), predicted }).collect() })
    }
}
