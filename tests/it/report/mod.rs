//! The hand-over report: its charts, its pictures, its pages.

mod curves;
mod figures;
mod pages;
mod pictures;

use std::path::Path;
use std::sync::LazyLock;

use plimsoll::advisor::{self, Advice};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::site::{self, Site, Vocabulary};

/// What every report is made from, read once.
pub(crate) struct Library {
    pub(crate) catalog: Catalog,
    pub(crate) calibration: Calibration,
    pub(crate) vocabulary: Vocabulary,
}

pub(crate) static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let (catalog, calibration) = crate::frozen::library();
    let vocabulary = Vocabulary::of(&catalog);
    Library {
        catalog,
        calibration,
        vocabulary,
    }
});

/// One of the example sites.
pub(crate) fn example(name: &str) -> Site {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(crate::cli::example(name));
    site::load(&file, &[], &LIBRARY.vocabulary).unwrap()
}

pub(crate) fn advice(site: &Site) -> Advice {
    let Library {
        catalog,
        calibration,
        vocabulary,
    } = &*LIBRARY;
    advisor::advise(site, vocabulary, catalog, calibration)
}
