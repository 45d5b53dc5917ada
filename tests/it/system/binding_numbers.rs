//! Each number of storage and networks binds somewhere: at a hundredth of it what it serves is slower or overloaded for its sake, and
//! nothing is faster.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use plimsoll::posterior::{EntryKind, NumberId};
use plimsoll::system::{Lens, Spot, predict_through};

/// Numbers that no command waits for, and what they decide instead.
const ELSEWHERE: [(&str, &str); 15] = [
    ("capacity", "how many drives are bought"),
    ("usable", "which arrays hold the data"),
    ("data_reduction", "which arrays hold the data"),
    ("disks", "drives of an array whose volume does not say how many"),
    ("controllers", "what is lost with one of them"),
    ("takeover", "how long a failure lasts"),
    ("read_variation", "percentiles alone: tests/it/system/percentiles.rs"),
    ("operations_included", "what is rented: tests/it/cloud.rs"),
    ("operations_most", "what is rented"),
    ("operations_per_gib", "what is rented"),
    ("bandwidth_included", "what is rented"),
    ("bandwidth_most", "what is rented"),
    ("bandwidth_per_tib", "what is rented"),
    ("burst_per_tib", "what is rented"),
    ("operation_most", "what is rented"),
];

/// A deployment, and the part of the load at which these of its numbers bind.
struct Place {
    layout: &'static str,
    /// Drives of the server.
    medium: &'static str,
    /// Array and protocol, of block and of file storage.
    array: (&'static str, &'static str),
    part: f64,
    binds: &'static [(EntryKind, &'static str)],
}

const PLACES: [Place; 4] = [
    Place {
        layout: "nfs-all",
        medium: "disk-15k",
        array: ("fas3270", "nfsv3"),
        part: 0.11,
        binds: &[
            (EntryKind::Array, "bandwidth"),
            (EntryKind::Array, "cache"),
            (EntryKind::Array, "front_end"),
            (EntryKind::Array, "read_hit"),
            (EntryKind::Array, "sync_service"),
            (EntryKind::Array, "write_ack"),
            (EntryKind::Array, "write_bandwidth"),
            (EntryKind::Medium, "parallelism"),
            (EntryKind::Medium, "random_read"),
            (EntryKind::Medium, "random_write"),
            (EntryKind::Network, "bandwidth"),
            (EntryKind::Network, "efficiency"),
            (EntryKind::Network, "round_trip"),
        ],
    },
    Place {
        layout: "nfs-all",
        medium: "disk-15k",
        array: ("flashblade", "nfsv3"),
        part: 0.7,
        binds: &[(EntryKind::Array, "operations")],
    },
    Place {
        layout: "flasharray-only",
        medium: "disk-15k",
        array: ("flasharray", "iscsi"),
        part: 1.1,
        binds: &[(EntryKind::Array, "forced_write")],
    },
    Place {
        layout: "single-volume",
        medium: "nvme-consumer",
        array: ("fas3270", "nfsv3"),
        part: 1.5,
        binds: &[(EntryKind::Medium, "flush"), (EntryKind::Medium, "forced_write"), (EntryKind::Medium, "stream")],
    },
];

impl Place {
    /// Its deployment under a load that reads more than memory holds. All commands are streams: who is slowed down does not leave the
    /// processor to others.
    fn made(&self) -> (Deployment, Load) {
        let site = Answers { medium: self.medium, ram: 8, ..ORDINARY };
        let site = site.site();
        let mut load = from_site::load(&site).scaled(self.part);
        (load.db_bytes, load.db_hot_bytes) = (2e12, 1e12);
        for group in &mut load.groups {
            if let Arrival::Closed { population, think_time } = group.arrival {
                let rate = population / think_time;
                group.arrival = Arrival::Open { rate };
            }
        }
        let array = Some((self.array.0.to_owned(), self.array.1.to_owned()));
        let choices = Choices { block: array.clone(), file: array, ..rich(&site) };
        (on(self.layout, &choices), load)
    }
}

/// The keys of all entries of a kind that have a value.
fn keys(kind: EntryKind) -> BTreeSet<String> {
    let folder = std::fs::read_dir(format!("models/{}", kind.folder())).unwrap();
    let files = folder.map(|file| plimsoll::document::read_text(&file.unwrap().path()).unwrap());
    let numbers = files.flat_map(|text| {
        let keys = text.lines().filter_map(|line| line.split_once(" = { value"));
        keys.map(|(key, _)| key.to_owned()).collect::<Vec<_>>()
    });
    numbers.collect()
}

/// Whether a resource is one that a number of this kind is about, or waits for one.
fn is_about(kind: EntryKind, resource: ResourceKind) -> bool {
    use ResourceKind as R;
    matches!(resource, R::Lock | R::Delay | R::Slots | R::Connections)
        || match kind {
            EntryKind::Network => matches!(resource, R::StorageNetwork | R::ClientNetwork),
            _ => matches!(resource, R::Disks | R::Stream | R::Ports),
        }
}

/// What of a class's time grew most.
fn grown(was: &ClassPrediction, is: &ClassPrediction) -> ResourceKind {
    let part = |class: &ClassPrediction, kind: ResourceKind| {
        let parts = class.parts.iter().filter(|(k, _)| *k == kind);
        parts.map(|(_, seconds)| seconds).sum::<f64>()
    };
    let more = |kind: &ResourceKind| part(is, *kind) - part(was, *kind);
    let kinds = is.parts.iter().map(|(kind, _)| *kind);
    kinds.max_by(|a, b| more(a).total_cmp(&more(b))).unwrap()
}

/// Whether less of a number makes anything slower or overloads it; fails where it makes something faster, or the reason is
/// something else.
fn binds(number: &NumberId, kind: EntryKind, was: &Prediction, is: Result<Prediction, PredictError>) -> bool {
    let is = match is {
        Ok(is) => is,
        Err(error) => {
            let spot = &error.resource().expect("it is overloaded").spot;
            let other = matches!(spot, Spot::Processor | Spot::Client | Spot::Line(_));
            assert!(!other, "{number}: {error}");
            return true;
        }
    };
    let mut binds = false;
    for (was, is) in was.classes.iter().zip(&is.classes) {
        let (before, after) = (was.mean.value, is.mean.value);
        let faster = after < 0.999 * before;
        assert!(!faster, "{number}: {} {before} {after}", was.name);
        if after > 1.05 * before {
            binds = true;
            let reason = grown(was, is);
            assert!(is_about(kind, reason), "{number}: {reason:?}");
        }
    }
    binds
}

#[test]
fn each_number_of_storage_and_networks_binds_somewhere() {
    let mut told: BTreeSet<(EntryKind, &str)> = BTreeSet::new();
    for place in &PLACES {
        let (deployment, load) = place.made();
        let solved = |lens: Lens<'_>| predict_through(lens, &deployment, &load, &CATALOG, &CALIBRATION);
        let was = solved(Lens::default()).unwrap_or_else(|e| panic!("{}: {e}", place.layout));
        for (kind, key) in place.binds {
            let of_kind = was.used.iter().filter(
                |(number, _)| matches!(number, NumberId::Entry { kind: k, key: own, .. } if k == kind && own == key),
            );
            // At one of the entries, of those that are used.
            let mut some = false;
            for (number, used) in of_kind {
                let is_time = used.shown.ends_with('s') && !used.shown.ends_with("/s");
                let hundredth = if is_time { 100.0 } else { 0.01 };
                let factors = BTreeMap::from([(number.clone(), hundredth)]);
                some |= binds(number, *kind, &was, solved(Lens::scaling(&factors)));
            }
            assert!(some, "{} {key} binds nowhere", place.layout);
            told.insert((*kind, key));
        }
    }
    for kind in [EntryKind::Array, EntryKind::Medium, EntryKind::Network] {
        for key in keys(kind) {
            let elsewhere = ELSEWHERE.iter().any(|(known, _)| *known == key);
            let bound = told.contains(&(kind, key.as_str()));
            assert!(elsewhere != bound, "{kind:?} {key}");
        }
    }
}

/// Flash answers as fast as an array's memory: without that memory nothing is slower, and nothing is faster either.
#[test]
fn less_memory_in_an_array_makes_nothing_faster() {
    for place in &PLACES {
        let (deployment, load) = place.made();
        let solved = |lens| predict_through(lens, &deployment, &load, &CATALOG, &CALIBRATION);
        let was = solved(Lens::default()).unwrap_or_else(|e| panic!("{}: {e}", place.layout));
        let number = EntryKind::Array.number(place.array.0, "cache");
        let less = BTreeMap::from([(number.clone(), 0.01)]);
        binds(&number, EntryKind::Array, &was, solved(Lens::scaling(&less)));
    }
}
