//! Today's system and what to change first: the same as `plimsoll advise --from-today`.

use std::sync::Arc;

use super::super::engine::Engine;
use crate::advisor::today::towards;
use crate::advisor::{Prepared, advise};
use crate::report::TodayAnswer;
use crate::site::Site;

/// Today's system of a site.
#[derive(Debug)]
pub struct FromToday {
    /// The questionnaire.
    pub site: Arc<Site>,
    /// What it does, what is wrong with it, and what to change.
    pub answer: TodayAnswer,
    /// Whether it is not stated: then everything on one volume is assumed.
    pub is_assumed: bool,
}

impl FromToday {
    /// Works it out; a sentence where the system cannot be as it is stated.
    pub fn new(engine: &Engine, site: Arc<Site>) -> Result<Self, String> {
        let Prepared { site, catalog } = engine.prepared(site);
        let advice = advise(&site, &engine.vocabulary, &catalog, &engine.calibration);
        let found =
            towards(&site, &catalog, &engine.calibration, Some(&advice)).map_err(|reason| reason.to_string())?;
        let answer = TodayAnswer::of(&site, &catalog, &found);
        let is_assumed = found.system.is_assumed;
        Ok(Self { site, answer, is_assumed })
    }
}
