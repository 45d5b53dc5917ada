//! What a fit makes of the model's numbers: a factor for each that it moved.
//!
//! A number is named as a prediction names it: `parameter row_write.2017`, `arrays/fas3270.sync_service`.

use std::collections::BTreeMap;

/// What a fit makes of one number.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// Times the number as it stands in its file.
    pub factor: f64,
    /// One-sigma relative error of the product.
    pub spread: f64,
    /// The data that moved it.
    pub ids: Vec<String>,
}

/// Factors by the name of the number; a number without one stands as in its file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Factors(pub BTreeMap<String, Factor>);

impl Factors {
    /// What a fit makes of a number.
    pub fn of(&self, name: &str) -> Option<&Factor> {
        self.0.get(name)
    }

    /// The factor of a number, 1 where no fit moved it.
    pub fn factor(&self, name: &str) -> f64 {
        self.of(name).map_or(1.0, |f| f.factor)
    }
}
