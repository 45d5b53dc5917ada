//! What every answer is made with: catalogue, calibration and the words that answers may take.

use std::sync::Arc;

use crate::advisor::Prepared;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Site, Vocabulary};

/// The embedded data, loaded once.
#[derive(Debug)]
pub struct Engine {
    /// What exists.
    pub catalog: Catalog,
    /// What was measured.
    pub calibration: Calibration,
    /// The words that answers may take.
    pub vocabulary: Vocabulary,
}

impl Engine {
    /// What is embedded in the binary.
    pub fn embedded() -> Arc<Self> {
        let catalog = Catalog::embedded();
        let vocabulary = Vocabulary::of(&catalog);
        Arc::new(Self { catalog, calibration: Calibration::embedded(), vocabulary })
    }

    /// A site made ready for every question.
    pub fn prepared(&self, site: Arc<Site>) -> Prepared<'_> {
        Prepared::of(site, &self.vocabulary, &self.catalog, &self.calibration)
    }
}
