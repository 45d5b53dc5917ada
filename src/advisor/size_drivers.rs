//! Which answer the size of each role's data comes from: the one that moves it most.
//!
//! Answers that sizes are made of are raised one after another by a tenth, and sizes worked out anew. Nothing
//! is predicted for it: sizes need the load, but no times. Knows sizes today; how they grow, [`super::stores`] knows.

use std::collections::BTreeMap;
use std::ops::Mul;

use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Answer, Site};
use crate::system::capacity::{RoleSize, sizes};
use crate::workload::from_site;

/// What an answer is raised to for a look at what it does.
const RAISED: f64 = 1.1;
/// An answer that moves a size by less, of the tenth, is not what it comes from.
const LEAST: f64 = 0.02;
/// Answers whose moves differ by less move it alike.
const ALIKE: f64 = 1e-6;

/// An answer that can be raised: its field, and how.
type Lever = (&'static str, fn(&mut Site));

/// Answers that data or the records of commands are made of.
const LEVERS: [Lever; 15] = [
    ("data.db_size", |s| raise(&mut s.data.db_size)),
    ("data.file_size", |s| raise(&mut s.data.file_size)),
    ("data.depot_size", |s| raise(&mut s.data.depot_size)),
    ("protection.checkpoints_kept", |s| {
        raise(&mut s.protection.checkpoints_kept);
    }),
    ("protection.journals_kept", |s| {
        raise(&mut s.protection.journals_kept);
    }),
    ("workload.commands_per_day", |s| {
        raise(&mut s.workload.commands_per_day);
    }),
    ("workload.submits_per_day", |s| {
        raise(&mut s.workload.submits_per_day);
    }),
    ("workload.files_per_submit", |s| {
        raise(&mut s.workload.files_per_submit);
    }),
    ("workload.files_per_edit", |s| {
        raise(&mut s.workload.files_per_edit);
    }),
    ("workload.syncs_per_day", |s| {
        raise(&mut s.workload.syncs_per_day);
    }),
    ("workload.files_per_sync", |s| {
        raise(&mut s.workload.files_per_sync);
    }),
    ("workload.large_syncs_per_day", |s| {
        raise(&mut s.workload.large_syncs_per_day);
    }),
    ("workload.client_rate", |s| {
        raise(&mut s.workload.client_rate);
    }),
    ("workload.peak_to_mean", |s| {
        raise(&mut s.workload.peak_to_mean);
    }),
    ("infrastructure.client_links", |s| {
        raise(&mut s.infrastructure.client_links);
    }),
];

fn raise<T: Copy + Mul<f64, Output = T>>(answer: &mut Answer<T>) {
    answer.value = answer.value * RAISED;
}

/// By role, the field of the answer that moves its size most; of several that move it alike the first
/// that is asked. Roles that no answer moves have none.
pub fn size_drivers(site: &Site, catalog: &Catalog, calibration: &Calibration) -> BTreeMap<&'static str, &'static str> {
    let sized = |site: &Site| sizes(site, &from_site::load(site), catalog, calibration);
    let usual = sized(site);
    let mut found: BTreeMap<&'static str, (f64, &'static str)> = BTreeMap::new();
    for (field, raise) in LEVERS {
        let mut other = site.clone();
        raise(&mut other);
        for (is, was) in sized(&other).iter().zip(&usual) {
            let change = moved(is, was);
            let most = found.get(is.role).map_or(LEAST, |(most, _)| most + ALIKE);
            if change > most {
                found.insert(is.role, (change, field));
            }
        }
    }
    let found = found.into_iter();
    found.map(|(role, (_, field))| (role, field)).collect()
}

/// By how much a size moved, as a logarithm.
fn moved(is: &RoleSize, was: &RoleSize) -> f64 {
    let (is, was) = (is.data.get(), was.data.get());
    if was > 0.0 { (is / was).ln().abs() } else { is.abs() }
}
