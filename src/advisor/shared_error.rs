//! How much of the model's own error two layouts share.
//!
//! The model errs because something is missing in what it says of a processor, a protocol, an array. Let
//! the part of a time that is spent at each of these err by a share of its own, independent of the others
//! and as large for all: two times err together as far as they are spent at the same things, with the
//! cosine between their parts as the correlation, and their ratio errs by √(2(1 − cosine)) times what one
//! of them does. Layouts that spend all their time alike are compared as if the model had no error; those
//! that have nothing in common err apart, each for itself.
//!
//! Assumptions. A resource of an array (disks, transfer, ports) is the same thing on the same array, one
//! of the way there (network, requests) in the same protocol; a lock is held over work on the db, and is
//! the same thing where that lies on the same array over the same protocol. Where a layout has several
//! arrays or protocols, its parts fall to them evenly. Processor, clients, lines and plain round trips are
//! the same everywhere.

use std::collections::{BTreeMap, BTreeSet};

use super::score::is_judged;
use crate::system::{ClassPrediction, Deployment, Prediction, ResourceKind};

/// Seconds by what they are spent at.
type Parts = BTreeMap<(ResourceKind, String), f64>;

/// Error of the logarithm of the ratio of two layouts' performance, in units of the model's own; the kinds
/// of work err together, and their errors are averaged.
pub(super) fn apart(a: (&Deployment, &Prediction), b: (&Deployment, &Prediction)) -> f64 {
    let classes = a.1.classes.iter().filter(|class| is_judged(class));
    let errors: Vec<f64> = classes
        .filter_map(|class| {
            let other = b.1.class(&class.work)?;
            let cosine = cosine(&parts(a.0, class), &parts(b.0, other));
            Some((2.0 * (1.0 - cosine)).max(0.0).sqrt())
        })
        .collect();
    if errors.is_empty() {
        // Nothing to compare: as if they had nothing in common.
        return 2.0_f64.sqrt();
    }
    errors.iter().sum::<f64>() / errors.len() as f64
}

fn parts(deployment: &Deployment, class: &ClassPrediction) -> Parts {
    let mut parts = Parts::new();
    for (kind, seconds) in &class.parts {
        let things = things(deployment, *kind);
        for thing in &things {
            let part = parts.entry((*kind, thing.clone())).or_default();
            *part += seconds / things.len() as f64;
        }
    }
    parts
}

/// What a resource of that kind may be in this deployment.
fn things(deployment: &Deployment, kind: ResourceKind) -> BTreeSet<String> {
    let mounts = deployment.volumes.iter();
    match kind {
        ResourceKind::Disks | ResourceKind::Stream | ResourceKind::Ports => {
            mounts.map(|m| format!("{} {}", m.device, m.medium)).collect()
        }
        ResourceKind::StorageNetwork | ResourceKind::Slots | ResourceKind::Connections => {
            mounts.map(|m| m.protocol.clone()).collect()
        }
        ResourceKind::Lock => {
            let db = deployment.mount("db");
            BTreeSet::from([db.map_or_else(String::new, |m| format!("{} {}", m.protocol, m.device))])
        }
        ResourceKind::Processor
        | ResourceKind::ClientNetwork
        | ResourceKind::Client
        | ResourceKind::Wan
        | ResourceKind::Delay => BTreeSet::from([String::new()]),
    }
}

/// Cosine of the angle between two times' parts; 1 where one of them has none.
fn cosine(a: &Parts, b: &Parts) -> f64 {
    let norm = |parts: &Parts| parts.values().map(|s| s * s).sum::<f64>().sqrt();
    let length = norm(a) * norm(b);
    if length <= 0.0 {
        return 1.0;
    }
    let both = a.iter().filter_map(|(thing, s)| Some(s * b.get(thing)?));
    both.sum::<f64>() / length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parts: &[(ResourceKind, &str, f64)]) -> Parts {
        let parts = parts.iter();
        parts.map(|(kind, thing, s)| ((*kind, (*thing).to_owned()), *s)).collect()
    }

    #[test]
    fn what_is_spent_alike_errs_alike() {
        let processor = (ResourceKind::Processor, "", 1.0);
        let disks = |s| (ResourceKind::Disks, "filer", s);
        let slots = |s| (ResourceKind::Slots, "nfsv3", s);
        assert!((cosine(&of(&[processor, disks(2.0)]), &of(&[processor, disks(2.0)])) - 1.0).abs() < 1e-12);
        // Twice as slow in every part is as much alike.
        let twice = of(&[(ResourceKind::Processor, "", 2.0), disks(4.0)]);
        assert!((cosine(&of(&[processor, disks(2.0)]), &twice) - 1.0).abs() < 1e-12);
        assert_eq!(cosine(&of(&[disks(1.0)]), &of(&[slots(1.0)])), 0.0);
        let half = cosine(&of(&[processor, disks(1.0)]), &of(&[processor, slots(1.0)]));
        assert!((half - 0.5).abs() < 1e-12, "{half}");
    }
}
