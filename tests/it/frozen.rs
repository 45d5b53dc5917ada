//! The numbers that words and shapes are tested with: a fit of some day, kept in `tests/frozen`.
//!
//! A new measurement moves the fit by a few per cent and with it every printed number. What a sentence says and how a page
//! looks does not hang on that: those tests use these numbers. What the fit of today is worth is tested in
//! `reproduction`, `agreement`, `promises` and `readme`.

use std::path::Path;

use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;

/// For the command line: `--calibration` and this folder.
pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/frozen");

/// Catalogue and calibration after that fit.
pub(crate) fn library() -> (Catalog, Calibration) {
    let calibration = Calibration::load(Some(Path::new(FOLDER))).unwrap_or_else(|d| panic!("{}", d.render()));
    let catalog = Catalog::load(None, &calibration.posterior).unwrap_or_else(|d| panic!("{}", d.render()));
    (catalog, calibration)
}
