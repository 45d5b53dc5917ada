//! Number of drives that a layout needs in a server where that question is unanswered.
//!
//! An assumed number must neither exclude a layout nor invent one: where the number of drives is unanswered, a
//! layout gets as many as its RAID sets and its data need, and the advice states how many these are.

use super::candidates::Candidate;
use crate::catalog::{Catalog, Layout};
use crate::site::Site;
use crate::system::disk_set::sets;
use crate::system::{BindError, Choices, Deployment, bind};

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
    let bays = catalog.servers.get(&choices.server)?.bays();
    let mut choices = choices.clone();
    loop {
        let (_, drives) = choices.local.as_mut()?;
        *drives += 1.0;
        if *drives > bays {
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
