//! The site against another one, or against an answer of an earlier run: the same as `plimsoll advise --against`.

use std::path::Path;
use std::sync::Arc;

use super::super::engine::Engine;
use crate::advisor::what_if::Base;
use crate::advisor::{self, Advice, Prepared};
use crate::catalog::Catalog;
use crate::diag::harmless_line;
use crate::page::Section;
use crate::report::{self, Advised, Inputs};
use crate::site::{self, Site};

/// What changes from the site to the other.
#[derive(Debug)]
pub struct Against {
    /// The questionnaire.
    pub site: Arc<Site>,
    /// The other file.
    pub name: String,
    /// What differs.
    pub sections: Vec<Section>,
}

impl Against {
    /// Works it out; `text` is the other site file, or an answer in JSON. A sentence where it is neither.
    pub fn new(engine: &Engine, site: &Arc<Site>, path: &Path, text: &str) -> Result<Self, String> {
        let name = path.to_string_lossy().into_owned();
        let is_answer = report::is_earlier_answer(text);
        let other = if is_answer {
            None
        } else {
            let read = site::parse(&name, text, &[], &engine.vocabulary);
            Some(read.map_err(|wrong| {
                let reason = wrong.first_in_words().replace('\n', "; ");
                format!("{}: {reason}", harmless_line(&name))
            })?)
        };
        let Prepared { site: prepared, catalog } = engine.prepared(site.clone());
        let other = other.map(|other| {
            let (vocabulary, calibration) = (&engine.vocabulary, &engine.calibration);
            Prepared::of(Arc::new(other), vocabulary, &catalog, calibration)
        });
        let (advice, first) = advised(engine, &catalog, &prepared);
        let then = match &other {
            Some(other) => advised(engine, &other.catalog, &other.site).1,
            None => report::earlier_answer(text).map_err(|reason| format!("{}: {reason}", harmless_line(&name)))?,
        };
        let differences = other.as_ref().map(|other| {
            let Some(chosen) = &advice.chosen else {
                return advisor::untried(&prepared, &other.site);
            };
            let base = Base {
                site: &prepared,
                vocabulary: &engine.vocabulary,
                catalog: &catalog,
                calibration: &engine.calibration,
                layout: &chosen.deployment.layout,
                choices: &chosen.choices,
                confirmed: Some(&chosen.prediction),
            };
            advisor::differences(&base, &other.site)
        });
        let sides = [&first, &then];
        let answers = differences.as_deref();
        let why = report::deciding_sentences(&prepared, &catalog, &advice, sides, answers);
        Ok(Self { site: site.clone(), name, sections: report::against_sections(sides, answers, &why) })
    }
}

/// The advice for one of the sides, and the same as it is compared.
fn advised(engine: &Engine, catalog: &Catalog, site: &Site) -> (Advice, Advised) {
    let calibration = &engine.calibration;
    let advice = advisor::advise(site, &engine.vocabulary, catalog, calibration);
    let inputs = Inputs { site, catalog, calibration };
    let answer = Advised::of(&inputs, &advice);
    (advice, answer)
}
