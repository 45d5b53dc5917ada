//! A site made ready for every question: what it describes itself is in the catalogue, and what its system shows is answered.

use std::borrow::Cow;
use std::sync::Arc;

use super::evidence::observed;
use super::next_server::on_next_server;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Site, Vocabulary};

/// What every command and panel begins with, so that all answer about the same case.
#[derive(Debug)]
pub struct Prepared<'c> {
    /// The site with what its system shows of unanswered questions, and on a present server where its own falls short.
    pub site: Arc<Site>,
    /// The catalogue with the equipment of the site.
    pub catalog: Cow<'c, Catalog>,
}

impl<'c> Prepared<'c> {
    /// Makes a site ready; one that is ready already stays as it is.
    pub fn of(site: Arc<Site>, vocabulary: &Vocabulary, catalog: &'c Catalog, calibration: &Calibration) -> Self {
        let catalog = site.equipped(catalog);
        let found = observed(&site, vocabulary, &catalog, calibration);
        let site = found.map_or(site, Arc::new);
        let moved = on_next_server(&site, vocabulary, &catalog, calibration);
        Self { site: moved.map_or(site, Arc::new), catalog }
    }
}
