//! What commands open: the catalogue and the calibration with what the command line lays over them, and a site.

use std::borrow::Cow;
use std::sync::Arc;

use super::doing::Doing;
use super::failure::Failure;
use super::{Common, SiteArguments, confirm};
use crate::advisor::{self, Advice, Prepared};
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
        Ok(Self { vocabulary: Vocabulary::of(&catalog), catalog, calibration, doing: Doing::new(common.quiet) })
    }

    /// What an answer about a site was made from.
    pub(super) fn inputs<'a>(&'a self, site: &'a Site) -> Inputs<'a> {
        Inputs { site, catalog: &self.catalog, calibration: &self.calibration }
    }

    /// Reads a site.
    pub(super) fn read(&self, arguments: &SiteArguments) -> Result<Site, Failure> {
        let mut overrides = arguments.set.clone();
        let load = arguments.load.iter();
        overrides.extend(load.map(|times| format!("{}={times}", site::LOAD_KEY)));
        Ok(site::load(&arguments.site, &overrides, &self.vocabulary)?)
    }

    /// The same, made ready, beside the library.
    pub(super) fn with_site(self, arguments: &SiteArguments) -> Result<Session, Failure> {
        let site = self.read(arguments)?;
        Ok(self.about(site))
    }

    /// A site that was read, beside the library.
    pub(super) fn about(mut self, site: Site) -> Session {
        let Prepared { site, catalog } = self.prepared(site);
        if let Cow::Owned(more) = catalog {
            self.catalog = more;
        }
        Session { library: self, site: Arc::unwrap_or_clone(site) }
    }

    /// A site that was read, made ready for every question.
    pub(super) fn prepared(&self, site: Site) -> Prepared<'_> {
        self.doing.say(&"the answers are read");
        let (catalog, calibration) = (&self.catalog, &self.calibration);
        Prepared::of(Arc::new(site), &self.vocabulary, catalog, calibration)
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
