//! Does the arithmetic behind every parameter again from the data, so that a parameter that is not
//! what its note says fails.

use std::cell::RefCell;
use std::collections::BTreeSet;

use plimsoll::calibration::{Calibration, Parameter};
use plimsoll::origin::Origin;

/// The benchmark's files.
const FILES: f64 = 70_000.0;
const ROWS_WRITTEN: f64 = 12.0;
const ROWS_READ: f64 = 16.0;
/// Rows read by a listing of the browse benchmark: 30 of overhead, 60 of its own.
const ROWS_LISTED: f64 = 90.0;
/// What of a link is payload: 1,460 of 1,538 bytes on the wire.
const LINK_EFFICIENCY: f64 = 0.949;
const TOLERANCE: f64 = 0.005;

/// The data, and which of them were looked at.
struct Data {
    calibration: Calibration,
    seen: RefCell<BTreeSet<String>>,
}

impl Data {
    fn value(&self, id: &str, name: &str) -> f64 {
        self.seen.borrow_mut().insert(id.to_owned());
        self.calibration
            .value(id, name)
            .unwrap_or_else(|| panic!("{id} gives {name}"))
    }

    fn row_write(&self, generation: &str) -> f64 {
        let a_file = |id, name| 1.0 / self.value(id, name);
        match generation {
            "2005" => self.row_write("2008") * 4.0 / 3.0,
            "2008" => {
                let fcp = a_file("N08-submit-fcp", "commit-rate");
                let iscsi = a_file("N08-submit-iscsi", "commit-rate");
                mean(&[fcp, iscsi]) / ROWS_WRITTEN
            }
            "2009" => a_file("Z09-commit", "commit-rate-peak") / ROWS_WRITTEN,
            "2012" => self.value("N13-branchsubmit-sample", "commit") / (FILES * ROWS_WRITTEN),
            "2017" => {
                let ssd = self.value("P17-branchsubmit-ssd", "commit");
                let array = self.value("P17-branchsubmit-fa", "commit");
                mean(&[ssd, array]) / (FILES * ROWS_WRITTEN)
            }
            "2026" => self.row_write("2017") * 2.0 / 3.0,
            _ => panic!("no generation {generation}"),
        }
    }

    fn row_read(&self, generation: &str) -> f64 {
        match generation {
            "2012" => self.value("N13-branchsubmit-sample", "compute") / (FILES * ROWS_READ),
            "2017" => {
                let runs = ["ssd", "fa", "fb"];
                let compute =
                    runs.map(|run| self.value(&format!("P17-branchsubmit-{run}"), "compute"));
                mean(&compute) / (FILES * ROWS_READ)
            }
            "2026" => self.row_read("2017") * 2.0 / 3.0,
            _ => self.row_write(generation) * self.row_read("2012") / self.row_write("2012"),
        }
    }

    fn command(&self, generation: &str) -> f64 {
        if generation != "2012" {
            return self.command("2012") * self.row_write(generation) / self.row_write("2012");
        }
        let browse = |name| self.value("N13-browse-sample", name);
        let rate = browse("dirs-peak") + browse("fstat-peak") + browse("filelog-peak");
        browse("dirs-peak-children") / rate - ROWS_LISTED * self.row_read("2012")
    }

    /// Time that NFS adds to the commit of a file, over the round trip of the day's NFS write.
    fn sync_writes_per_file(&self) -> f64 {
        let a_file = |id| 1.0 / self.value(id, "commit-rate");
        let block = mean(&[a_file("N08-submit-fcp"), a_file("N08-submit-iscsi")]);
        let old = a_file("N08-submit-nfs") - block;
        let a_file = |id| self.value(id, "commit") / FILES;
        let block = mean(&[
            a_file("P17-branchsubmit-ssd"),
            a_file("P17-branchsubmit-fa"),
        ]);
        let new = a_file("P17-branchsubmit-fb") - block;
        assert_near("2008", old, 427e-6);
        assert_near("2017", new, 337e-6);
        mean(&[old / 410e-6, new / 350e-6]).round()
    }

    fn flush_bytes_per_file(&self) -> f64 {
        let submit = |name| self.value("N08-submit-iscsi", name);
        let link = 1e9 / 8.0 * LINK_EFFICIENCY;
        (submit("elapsed") - FILES / submit("commit-rate")) * link / FILES
    }

    fn listings(&self) -> f64 {
        let browse = |name| self.value("N13-browse-sample", name);
        (mean(&[browse("dirs-peak"), browse("fstat-peak")]) / browse("filelog-peak")).round()
    }

    /// N from R = S (N + k - 1) / k for each run, where k servers send a sync's data in S.
    fn in_flight(&self) -> f64 {
        let runs = ["fa-fa", "fa-fb", "1edge", "3edge"];
        let each = runs.map(|run| {
            let value = |name| self.value(&format!("P17-sync-{run}"), name);
            let alone = value("sent-average") / (10e9 / 8.0 * LINK_EFFICIENCY);
            let servers = value("servers");
            value("elapsed-average") * servers / alone - servers + 1.0
        });
        for (found, noted) in each.iter().zip([13.4, 15.0, 15.9, 16.9]) {
            assert_near("in flight", *found, noted);
        }
        mean(&each).round()
    }

    /// The arithmetic behind a parameter; none for a parameter that nobody knows how to work out.
    fn recompute(&self, id: &str) -> Option<f64> {
        if let Some((name, generation)) =
            id.split_once('.').filter(|(_, g)| g.parse::<u32>().is_ok())
        {
            return match name {
                "row_write" => Some(self.row_write(generation)),
                "row_read" => Some(self.row_read(generation)),
                "command" => Some(self.command(generation)),
                // Assumed: nanoseconds.
                "byte" => GENERATIONS
                    .iter()
                    .find(|(g, _)| *g == generation)
                    .map(|(_, ns)| ns * 1e-9),
                _ => None,
            };
        }
        Some(match id {
            // Assumed: 8 KiB half full of rows of 200 B.
            "rows_per_page" => (8192.0 * 0.5 / 200.0_f64).round(),
            // The default of dbjournal.bufsize.
            "journal_buffer" => 16.0 * 1024.0,
            "sync_writes_per_file" => self.sync_writes_per_file(),
            "flush_bytes_per_file" => self.flush_bytes_per_file(),
            "browse.listings" => self.listings(),
            "p17.in_flight" => self.in_flight(),
            _ => return None,
        })
    }
}

/// Generations of hosts, with the nanoseconds that a byte is assumed to take.
const GENERATIONS: [(&str, f64); 6] = [
    ("2005", 4.0),
    ("2008", 3.0),
    ("2009", 3.0),
    ("2012", 2.0),
    ("2017", 1.0),
    ("2026", 0.6),
];

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn assert_near(what: &str, found: f64, expected: f64) {
    let error = found / expected - 1.0;
    assert!(
        error.abs() <= TOLERANCE,
        "{what}: {found:e} where {expected:e} follows"
    );
}

fn data() -> Data {
    Data {
        calibration: Calibration::embedded(),
        seen: RefCell::default(),
    }
}

fn parameters(data: &Data) -> impl Iterator<Item = &Parameter> {
    data.calibration.parameters.values()
}

#[test]
fn every_parameter_is_what_its_arithmetic_gives() {
    let data = data();
    for parameter in parameters(&data) {
        let expected = data
            .recompute(&parameter.id)
            .unwrap_or_else(|| panic!("no arithmetic here for {}", parameter.id));
        assert_near(&parameter.id, parameter.value.value, expected);
    }
}

#[test]
fn every_derived_parameter_names_exactly_the_data_that_its_arithmetic_reads() {
    let data = data();
    for parameter in parameters(&data) {
        data.seen.take();
        assert!(data.recompute(&parameter.id).is_some(), "{}", parameter.id);
        let read = data.seen.take();
        let named: BTreeSet<String> = match &parameter.value.origin {
            Origin::Derived { ids, .. } => ids.iter().cloned().collect(),
            _ => BTreeSet::new(),
        };
        assert_eq!(named, read, "{}", parameter.id);
        let is_derived = parameter.value.origin.kind() == "derived";
        assert_eq!(is_derived, !named.is_empty(), "{}", parameter.id);
    }
}

#[test]
fn every_generation_has_every_cost_of_a_host() {
    let data = data();
    for name in ["row_write", "row_read", "command", "byte"] {
        for (generation, _) in GENERATIONS {
            let id = format!("{name}.{generation}");
            assert!(data.calibration.parameter(&id).is_some(), "{id} is missing");
        }
    }
    assert_eq!(data.calibration.parameters.len(), 30);
}

#[test]
fn parameters_rest_on_data_and_known_references() {
    let references = BTreeSet::from(["P4HELP".to_owned()]);
    let unknown = data()
        .calibration
        .check_origins(&references, std::iter::empty());
    assert_eq!(unknown, Vec::<String>::new());
    let without = data()
        .calibration
        .check_origins(&BTreeSet::new(), std::iter::empty());
    assert_eq!(
        without,
        ["parameter journal_buffer: no datum or reference \"P4HELP\""]
    );
}
