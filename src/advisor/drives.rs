//! Number of drives that a layout needs in a server where that question is unanswered.
//!
//! An assumed number must neither exclude a layout nor invent one: where the number of drives is unanswered, a
//! layout gets as many as its RAID sets and its data need, and the advice states how many these are.

use super::candidates::Candidate;
use super::sizing::Sizing;
use crate::catalog::{Catalog, Layout};
use crate::site::Site;
use crate::system::disk_set::sets;
use crate::system::{BindError, Choices, Deployment, bind};

/// Drives that fit in one server: 24 bays of 2.5 inches in two units (assumed).
pub(super) const BAYS: f64 = 24.0;

/// Binds a layout; where the number of drives is open, to the least number from the assumed one on that it needs.
pub(super) fn bound(
    site: &Site,
    catalog: &Catalog,
    layout: &Layout,
    choices: Choices,
) -> Result<Candidate, BindError> {
    let first = match bind(catalog, layout, &choices) {
        Ok(deployment) => {
            return Ok(Candidate {
                deployment,
                choices,
            });
        }
        Err(error) => error,
    };
    if !matches!(first, BindError::TooFewDisks { .. }) {
        return Err(first);
    }
    let Some(with_more) = fewest(catalog, layout, &choices) else {
        return Err(first);
    };
    if site.server.are_drives_open() {
        return Ok(with_more);
    }
    let drives = |choices: &Choices| choices.local.as_ref().map_or(0.0, |(_, n)| *n) as u64;
    Err(BindError::TooFewDrives {
        needed: drives(&with_more.choices),
        there: drives(&choices),
    })
}

/// The layout with the fewest drives that it can be bound to, from those of the choices on.
fn fewest(catalog: &Catalog, layout: &Layout, choices: &Choices) -> Option<Candidate> {
    let mut choices = choices.clone();
    loop {
        let (_, drives) = choices.local.as_mut()?;
        *drives += 1.0;
        if *drives > BAYS {
            return None;
        }
        if let Ok(deployment) = bind(catalog, layout, &choices) {
            return Some(Candidate {
                deployment,
                choices,
            });
        }
    }
}

/// Gives each store what its volumes need at the horizon; where the number of drives in the server is open, as
/// many as hold the data.
pub(super) fn provision(sizing: Sizing<'_>, candidate: &mut Candidate) {
    let Sizing { site, catalog, .. } = sizing;
    sizing.provision(&mut candidate.deployment);
    if !site.server.are_drives_open() {
        return;
    }
    let Some(layout) = catalog.layouts.get(&candidate.deployment.layout) else {
        return;
    };
    let mut larger = candidate.clone();
    while is_full(sizing, &larger.deployment) {
        let Some(mut more) = fewest(catalog, layout, &larger.choices) else {
            return;
        };
        sizing.provision(&mut more.deployment);
        larger = more;
    }
    *candidate = larger;
}

/// Whether the server's own drives do not hold what is kept on them at the horizon.
fn is_full(sizing: Sizing<'_>, deployment: &Deployment) -> bool {
    let needs = sizing.needs(deployment);
    needs.iter().any(|need| {
        let mut mounts = deployment.volumes.iter();
        let mount = mounts.find(|m| m.shares_disks(&need.mount) && m.is_local());
        mount.is_some_and(|mount| need.until(sizing.years()) > sizing.usable(mount, need))
    })
}

/// How many drives of the server a deployment needs, where their number is unanswered.
pub fn asked_for(site: &Site, deployment: &Deployment) -> Option<f64> {
    let drives = in_the_server(deployment);
    (site.server.are_drives_open() && drives > 0.0).then_some(drives)
}

/// How many drives of the server a deployment needs, and how many there are, where these are stated and too few.
pub fn beyond_stated(site: &Site, deployment: &Deployment) -> Option<(f64, f64)> {
    let there = &site.server.local_disks;
    let drives = in_the_server(deployment);
    (there.is_stated() && drives > there.value).then_some((drives, there.value))
}

/// Drives of the server's own, each set once.
fn in_the_server(deployment: &Deployment) -> f64 {
    let local = deployment.volumes.iter().filter(|m| m.is_local());
    sets(local).iter().map(|mount| mount.disks).sum()
}
