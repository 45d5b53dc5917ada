//! Does the arithmetic behind every parameter again from the data, so that a parameter that is not
//! what its note says fails.

use std::cell::RefCell;
use std::collections::BTreeSet;

use plimsoll::calibration::{Calibration, Parameter};
use plimsoll::catalog::{Catalog, EntryKind, host};
use plimsoll::origin::Origin;
use plimsoll::posterior::Posterior;

/// The benchmark's files.
const FILES: f64 = 70_000.0;
const TOLERANCE: f64 = 0.005;

/// The data, and which of them were looked at.
struct Data {
    calibration: Calibration,
    catalog: Catalog,
    seen: RefCell<BTreeSet<String>>,
}

impl Data {
    fn value(&self, id: &str, name: &str) -> f64 {
        self.seen.borrow_mut().insert(id.to_owned());
        self.calibration.value(id, name).unwrap_or_else(|| panic!("{id} gives {name}"))
    }

    /// Time that NFS adds to the commit of a file, over the round trip of the day's NFS write.
    fn sync_writes_per_file(&self) -> f64 {
        let a_file = |id| 1.0 / self.value(id, "commit-rate");
        let block = mean(&[a_file("N08-submit-fcp"), a_file("N08-submit-iscsi")]);
        let old = a_file("N08-submit-nfs") - block;
        let a_file = |id| self.value(id, "commit") / FILES;
        let block = mean(&[a_file("P17-branchsubmit-ssd"), a_file("P17-branchsubmit-fa")]);
        let new = a_file("P17-branchsubmit-fb") - block;
        assert_near("2008", old, 427e-6);
        assert_near("2017", new, 337e-6);
        mean(&[old / 410e-6, new / 350e-6]).round()
    }

    fn listings(&self) -> f64 {
        let browse = |name| self.value("N13-browse-sample", name);
        (mean(&[browse("dirs-peak"), browse("fstat-peak")]) / browse("filelog-peak")).round()
    }

    /// The arithmetic behind a parameter; none for a parameter that nobody knows how to work out.
    fn recompute(&self, id: &str) -> Option<f64> {
        Some(match id {
            "sync_writes_per_file" => self.sync_writes_per_file(),
            "browse.listings" => self.listings(),
            _ => return None,
        })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn assert_near(what: &str, found: f64, expected: f64) {
    let error = found / expected - 1.0;
    assert!(error.abs() <= TOLERANCE, "{what}: {found:e} where {expected:e} follows");
}

fn data() -> Data {
    Data {
        calibration: Calibration::uncalibrated(None).unwrap(),
        catalog: Catalog::load(None, &Posterior::default()).unwrap(),
        seen: RefCell::default(),
    }
}

fn parameters(data: &Data) -> impl Iterator<Item = &Parameter> {
    data.calibration.parameters.values()
}

#[test]
fn every_derived_parameter_is_what_its_arithmetic_gives() {
    let data = data();
    for parameter in parameters(&data).filter(|p| p.value.origin.kind() == "derived") {
        let expected =
            data.recompute(&parameter.id).unwrap_or_else(|| panic!("no arithmetic here for {}", parameter.id));
        assert_near(&parameter.id, parameter.value.value, expected);
    }
}

#[test]
fn every_derived_parameter_names_exactly_the_data_that_its_arithmetic_reads() {
    let data = data();
    for parameter in parameters(&data) {
        data.seen.take();
        let is_derived = parameter.value.origin.kind() == "derived";
        assert_eq!(data.recompute(&parameter.id).is_some(), is_derived, "{}", parameter.id);
        let read = data.seen.take();
        let named: BTreeSet<String> = match &parameter.value.origin {
            Origin::Derived { ids, .. } => ids.iter().cloned().collect(),
            _ => BTreeSet::new(),
        };
        assert_eq!(named, read, "{}", parameter.id);
    }
}

#[test]
fn every_generation_has_every_cost_of_a_host() {
    let data = data();
    for name in ["row_write", "row_read", "command", "byte"] {
        // Those of today follow from the processor.
        let measured = host::GENERATIONS.iter().filter(|g| **g != host::TODAY);
        for generation in measured {
            let id = format!("{name}.{generation}");
            assert!(data.calibration.parameter(&id).is_some(), "{id} is missing");
        }
    }
}

#[test]
fn every_origin_names_data_or_a_reference() {
    let data = data();
    let references = data.catalog.references.keys().cloned().collect();
    let facts: Vec<_> = EntryKind::ALL
        .into_iter()
        .flat_map(|kind| data.catalog.entries(kind).into_iter().map(move |entry| (kind, entry)))
        .flat_map(|(kind, entry)| {
            entry.facts.iter().map(move |f| (format!("{}/{} {}", kind.folder(), entry.id, f.path), &f.origin))
        })
        .collect();
    assert!(facts.len() > 500, "only {} facts", facts.len());
    let unknown = data.calibration.check_origins(&references, facts.into_iter());
    assert_eq!(unknown, Vec::<String>::new());
}
