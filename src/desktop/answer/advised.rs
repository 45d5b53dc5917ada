//! The recommendation for a site: the same as the command line's.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::super::engine::Engine;
use super::tried::Before;
use crate::advisor::what_if::Base;
use crate::advisor::{self, Advice, Ask, Prepared};
use crate::catalog::Catalog;
use crate::emit::{self, ConfigFile};
use crate::page::{Page, Table};
use crate::report::{self, Inputs};
use crate::site::Site;

/// A recommendation with the site that it is for.
#[derive(Debug)]
pub struct Advised {
    /// The questionnaire.
    pub site: Arc<Site>,
    /// What to do.
    pub advice: Advice,
    /// The same in short: what the first screen says.
    pub answer: report::Answer,
    /// Its key figures.
    pub figures: Table,
    /// The other layouts, in the order of the advice.
    pub layouts: Table,
    /// The report on it, without what is drawn over load and years.
    pub page: Arc<Page>,
    /// The configuration to paste.
    pub configuration: Vec<ConfigFile>,
    /// The catalogue with what the site describes itself; none where that is nothing.
    own: Option<Catalog>,
    /// All of it as text: made when it is first shown, and kept.
    text: OnceLock<String>,
    /// What changes are compared with: made with the first of them, and kept.
    before: OnceLock<Result<Arc<Before>, String>>,
}

impl Advised {
    /// Works it out, and confirms it as far as is asked.
    pub fn new(engine: &Engine, site: Arc<Site>, ask: &Ask<'_>) -> Self {
        let Engine { catalog, calibration, vocabulary } = engine;
        let Prepared { site, catalog: own } = engine.prepared(site);
        let own = match own {
            Cow::Owned(own) => Some(own),
            Cow::Borrowed(_) => None,
        };
        let catalog = own.as_ref().unwrap_or(catalog);
        let advice = advisor::advise_confirmed(&site, vocabulary, catalog, calibration, ask);
        let configuration = emit::configuration(&site, catalog, &advice);
        let inputs = Inputs { site: &site, catalog, calibration };
        let page = report::report(&report::Source {
            inputs,
            advice: &advice,
            curves: None,
            configuration: &configuration,
            further: &[],
        });
        let answer = report::Answer::of(&site, catalog, &advice);
        Self {
            page: Arc::new(page),
            layouts: report::layouts_table(catalog, advice.alternatives.iter()),
            figures: report::key_figures(&advice, &answer),
            answer,
            site,
            advice,
            configuration,
            own,
            text: OnceLock::new(),
            before: OnceLock::new(),
        }
    }

    /// All of it as the command line prints it.
    pub fn text(&self, engine: &Engine) -> &str {
        self.text.get_or_init(|| report::advice_text(self.inputs(engine), &self.advice))
    }

    /// What changes are compared with; a sentence where there is nothing.
    pub fn before(&self, engine: &Engine) -> Result<Arc<Before>, String> {
        let made = self.before.get_or_init(|| Before::new(engine, self).map(Arc::new));
        made.clone()
    }

    /// What exists, what the site describes itself among it.
    pub fn catalog<'a>(&'a self, engine: &'a Engine) -> &'a Catalog {
        self.own.as_ref().unwrap_or(&engine.catalog)
    }

    /// What a what-if starts from; nothing where nothing is recommended.
    pub fn base<'a>(&'a self, engine: &'a Engine) -> Option<Base<'a>> {
        let chosen = self.advice.chosen.as_ref()?;
        Some(Base {
            site: &self.site,
            vocabulary: &engine.vocabulary,
            catalog: self.catalog(engine),
            calibration: &engine.calibration,
            layout: &chosen.deployment.layout,
            choices: &chosen.choices,
            confirmed: Some(&chosen.prediction),
        })
    }

    /// What reports are made from.
    pub fn inputs<'a>(&'a self, engine: &'a Engine) -> Inputs<'a> {
        Inputs { site: &self.site, catalog: self.catalog(engine), calibration: &engine.calibration }
    }
}
