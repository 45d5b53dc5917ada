//! What a search among deployments knows of the site.

use std::collections::BTreeMap;

use super::stated_times::{known, stated_times};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::posterior::NumberId;
use crate::site::Site;
use crate::system::capacity::RoleSize;
use crate::workload::Load;

/// What is known.
pub(super) struct Search<'a> {
    pub(super) site: &'a Site,
    pub(super) catalog: &'a Catalog,
    pub(super) calibration: &'a Calibration,
    pub(super) load: &'a Load,
    pub(super) sizes: &'a [RoleSize],
    pub(super) failures: Failures,
}

/// Whether deployments are judged by what the site states on failures.
pub(super) enum Failures {
    /// They are not: nothing is stated, or it is the system of today that is looked for.
    Ignored,
    /// They are, by the factors of the model's numbers that today's stated times say.
    Judged(BTreeMap<NumberId, f64>),
}

impl<'a> Search<'a> {
    /// Of what is to be built.
    pub(super) fn of(
        (site, catalog, calibration): (&'a Site, &'a Catalog, &'a Calibration),
        load: &'a Load,
        sizes: &'a [RoleSize],
    ) -> Self {
        let asked = &site.protection;
        let is_asked = asked.rto.is_stated() || asked.rpo.is_stated() || asked.availability.is_stated();
        let failures = if is_asked {
            let stated = stated_times(site, catalog, calibration);
            Failures::Judged(known(stated.as_ref(), calibration).times())
        } else {
            Failures::Ignored
        };
        Self { failures, ..Self::of_today((site, catalog, calibration), load, sizes) }
    }

    /// Of what is there.
    pub(super) fn of_today(
        (site, catalog, calibration): (&'a Site, &'a Catalog, &'a Calibration),
        load: &'a Load,
        sizes: &'a [RoleSize],
    ) -> Self {
        Self { site, catalog, calibration, load, sizes, failures: Failures::Ignored }
    }

    /// The site, the catalogue and what was measured.
    pub(super) fn known(&self) -> (&'a Site, &'a Catalog, &'a Calibration) {
        (self.site, self.catalog, self.calibration)
    }
}
