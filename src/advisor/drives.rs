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
pub(super) fn bound(site: &Site, catalog: &Catalog, layout: &Layout, choices: Choices) -> Result<Candidate, BindError> {
    let first = match bind(catalog, layout, &choices) {
        Ok(deployment) => {
            return Ok(Candidate { deployment, choices });
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
    Err(BindError::TooFewDrives { needed: drives(&with_more.choices), there: drives(&choices) })
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
            return Some(Candidate { deployment, choices });
        }
    }
}

/// The same candidate with more drives of the server, twice as many each time up to those that fit; then with those of the medium at
/// the other end of its range, where the medium is unanswered too. Nothing where the drives are counted, or it has none.
pub(super) fn more(site: &Site, catalog: &Catalog, of: &Candidate) -> Vec<Candidate> {
    let layout = catalog.layouts.get(&of.deployment.layout);
    let server = catalog.servers.get(&of.choices.server);
    let local = of.choices.local.as_ref();
    let (Some(layout), Some(server), Some((medium, first))) = (layout, server, local) else {
        return Vec::new();
    };
    if !site.server.are_drives_open() || in_the_server(&of.deployment) == 0.0 {
        return Vec::new();
    }
    let bays = server.bays();
    let doubled = std::iter::successors(Some(*first), |drives| (*drives < bays).then_some((2.0 * drives).min(bays)));
    let counts: Vec<f64> = doubled.collect();
    let media = &site.server.local_medium;
    let other = (!media.is_stated() && media.high != *medium).then_some(&media.high);
    let same = counts.iter().skip(1).map(|drives| (medium, *drives));
    let others = counts.iter().filter_map(|drives| Some((other?, *drives)));
    let bound = same.chain(others).filter_map(|(medium, drives)| {
        let choices = Choices { local: Some((medium.clone(), drives)), ..of.choices.clone() };
        bound(site, catalog, layout, choices).ok()
    });
    bound.collect()
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
