//! What commands open: the catalogue and the calibration with what the command line lays over them, and a site.

use std::borrow::Cow;

use super::doing::Doing;
use super::failure::Failure;
use super::{Common, SiteArguments, confirm};
use crate::advisor::{self, Advice};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::posterior::Posterior;
use crate::report::Inputs;
use crate::site::{self, Site, Vocabulary};

/// The catalogue and the calibration, with what the command line lays over them.
pub(super) struct Library {
    pub(super) catalog: Catalog,
    pub(super) calibration: Calibration,
    pub(super) vocabulary: Vocabulary,
    /// What is being done with them.
    pub(super) doing: Doing,
}

impl Library {
    pub(super) fn load(common: &Common) -> Result<Self, Failure> {
        Self::of(Calibration::load(common.calibration.as_deref())?, common)
    }

    /// Before the fit: what is known of the model's numbers without any datum.
    pub(super) fn uncalibrated(common: &Common) -> Result<Self, Failure> {
        let over = common.calibration.as_deref();
        Self::of(Calibration::uncalibrated(over)?, common)
    }

    /// After a fit of one's own.
    pub(super) fn after(common: &Common, posterior: Posterior) -> Result<Self, Failure> {
        let over = common.calibration.as_deref();
        Self::of(Calibration::load_with(over, posterior)?, common)
    }

    fn of(calibration: Calibration, common: &Common) -> Result<Self, Failure> {
        let catalog = Catalog::load(common.models.as_deref(), &calibration.posterior)?;
        Ok(Self {
            vocabulary: Vocabulary::of(&catalog),
            catalog,
            calibration,
            doing: Doing::new(common.quiet),
        })
    }

    /// What an answer about a site was made from.
    pub(super) fn inputs<'a>(&'a self, site: &'a Site) -> Inputs<'a> {
        Inputs {
            site,
            catalog: &self.catalog,
            calibration: &self.calibration,
        }
    }

    /// Reads a site; the catalogue has from then on what the site describes itself.
    pub(super) fn site(&mut self, arguments: &SiteArguments) -> Result<Site, Failure> {
        let mut overrides = arguments.set.clone();
        let load = arguments.load.iter();
        overrides.extend(load.map(|times| format!("{}={times}", site::LOAD_KEY)));
        let site = site::load(&arguments.site, &overrides, &self.vocabulary)?;
        self.equip(&site);
        Ok(self.observed(site))
    }

    /// The same, with the site beside the library.
    pub(super) fn with_site(mut self, arguments: &SiteArguments) -> Result<Session, Failure> {
        let site = self.site(arguments)?;
        Ok(Session {
            library: self,
            site,
        })
    }

    /// The site with what its system shows of unanswered questions.
    pub(super) fn observed(&self, site: Site) -> Site {
        let (catalog, calibration) = (&self.catalog, &self.calibration);
        self.doing.say(&"the answers are read");
        advisor::observed(&site, &self.vocabulary, catalog, calibration).unwrap_or(site)
    }

    /// Adds what a site describes itself to the catalogue.
    pub(super) fn equip(&mut self, site: &Site) {
        if let Cow::Owned(more) = site.equipped(&self.catalog) {
            self.catalog = more;
        }
    }
}

/// A site, and the library that has what it describes itself.
pub(super) struct Session {
    pub(super) library: Library,
    pub(super) site: Site,
}

impl Session {
    /// Opens what most commands need.
    pub(super) fn open(common: &Common, site: &SiteArguments) -> Result<Self, Failure> {
        Library::load(common)?.with_site(site)
    }

    /// What an answer about the site was made from.
    pub(super) fn inputs(&self) -> Inputs<'_> {
        self.library.inputs(&self.site)
    }

    /// The advice, simulated as much as the command line says.
    pub(super) fn advice(&self, confirm: &confirm::Options, seed: u64) -> Advice {
        let library = &self.library;
        let doing = |stage: advisor::Stage| library.doing.say(&stage);
        advisor::advise_confirmed(
            &self.site,
            &library.vocabulary,
            &library.catalog,
            &library.calibration,
            &confirm.ask(seed, &doing),
        )
    }
}
