//! Does the arithmetic behind every parameter again from the data, so that a parameter that is not
//! what its note says fails.

use std::cell::RefCell;
use std::collections::BTreeSet;

use plimsoll::calibration::{Calibration, Parameter};
use plimsoll::catalog::{Catalog, KINDS, Step};
use plimsoll::origin::Origin;

/// The benchmark's files.
const FILES: f64 = 70_000.0;
const ROWS_WRITTEN: f64 = 12.0;
const ROWS_READ: f64 = 16.0;
/// Files of a folder in the browse benchmark.
const LISTING: f64 = 10.0;
/// Requests that the NFS client of 2013 kept in flight.
const SLOTS: f64 = 16.0;
/// The benchmark's browses.
const BROWSES: f64 = 65_536.0;
/// What of a link is payload: 1,460 of 1,538 bytes on the wire.
const LINK_EFFICIENCY: f64 = 0.949;
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
        browse("dirs-peak-children") / rate - self.browse_mean(rows) * self.row_read("2012")
    }

    /// Mean over the commands of a browse: 11 dirs, 11 fstat and 1 filelog, each after the overhead.
    fn browse_mean(&self, measure: fn(&Step, f64) -> f64) -> f64 {
        let sum = |id: &str, files: f64| -> f64 {
            let steps = self.catalog.commands[id].steps.iter();
            steps.map(|step| measure(step, files)).sum()
        };
        let listings = 11.0;
        let own = listings * (sum("dirs", LISTING) + sum("fstat", LISTING)) + sum("filelog", 1.0);
        own / (2.0 * listings + 1.0) + sum("overhead", 0.0)
    }

    /// What `local_lock` saves, what `nocto` saves, and what neither does \[s\]: least squares over the
    /// four runs of the mount table.
    fn mount_table(&self) -> (f64, f64, f64) {
        let run = |id: &str| self.value(&format!("N13-mount-{id}"), "elapsed");
        let (default, local, nocto, both) =
            (run("default"), run("locallock"), run("nocto"), run("both"));
        let lock = f64::midpoint(default - local, nocto - both);
        let open = f64::midpoint(default - nocto, local - both);
        let all = mean(&[default, local, nocto, both]);
        (lock, open, all - lock / 2.0 - open / 2.0)
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
                _ => None,
            };
        }
        Some(match id {
            "sync_writes_per_file" => self.sync_writes_per_file(),
            "flush_bytes_per_file" => self.flush_bytes_per_file(),
            "browse.listings" => self.listings(),
            "p17.in_flight" => self.in_flight(),
            _ => return None,
        })
    }
}

/// Rows that a step reads; one scanned counts as an eighth of one read by key.
fn rows(step: &Step, files: f64) -> f64 {
    let Step::ReadRows { rows, scan } = step else {
        return 0.0;
    };
    let value =
        |part: &Option<plimsoll::origin::Sourced<f64>>| part.as_ref().map_or(0.0, |x| x.value);
    let count = value(&rows.per_command) + value(&rows.per_file) * files;
    if *scan { count / 8.0 } else { count }
}

/// File locks that a step takes and releases.
fn lock_cycles(step: &Step, _: f64) -> f64 {
    let Step::Lock { tables, .. } = step else {
        return 0.0;
    };
    tables
        .iter()
        .filter(|table| table.starts_with("db."))
        .count() as f64
}

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
        catalog: Catalog::embedded(),
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
        let is_derived = parameter.value.origin.kind() == "derived";
        assert_eq!(
            data.recompute(&parameter.id).is_some(),
            is_derived,
            "{}",
            parameter.id
        );
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
        for generation in plimsoll::catalog::host::GENERATIONS {
            let id = format!("{name}.{generation}");
            assert!(data.calibration.parameter(&id).is_some(), "{id} is missing");
        }
    }
}

/// The catalogue's own derived numbers that the reproduction rests on.
#[test]
fn nfs_costs_are_what_the_mount_table_and_the_commit_rates_give() {
    let data = data();
    let (lock, open, rest) = data.mount_table();
    let cycles = data.browse_mean(lock_cycles);
    let a_command = |seconds: f64| seconds * SLOTS / (BROWSES * 23.0);
    let request = a_command(lock) / (2.0 * cycles);
    let nfs = &data.catalog.protocols["nfsv3"];
    let own = nfs.command_overhead.value.get();
    let trip = data.catalog.networks["eth-1g"].round_trip.value.get();
    assert_near("round trip", own + trip, request);
    assert_near(
        "other",
        nfs.other_round_trips.value,
        a_command(rest) / (request * cycles),
    );
    let opens = data.catalog.commands["overhead"]
        .steps
        .iter()
        .find_map(|step| match step {
            Step::Open(count) => Some(count.value),
            _ => None,
        });
    assert_near("opens", opens.unwrap(), a_command(open) / request);
    // One synchronous write: what NFS adds to a committed file, less protocol and round trip.
    let ten = data.catalog.networks["eth-10g"].round_trip.value.get();
    let service = mean(&[427.3e-6 - own - trip, 337.06e-6 - own - ten]);
    for array in ["fas3070", "fas3270", "flashblade"] {
        let stated = data.catalog.arrays[array].sync_service.value.get();
        assert_near(array, stated, service);
    }
}

#[test]
fn every_origin_names_data_or_a_reference() {
    let data = data();
    let references = data.catalog.references.keys().cloned().collect();
    let facts: Vec<_> = KINDS
        .iter()
        .flat_map(|kind| {
            data.catalog
                .entries(kind)
                .into_iter()
                .map(move |entry| (kind, entry))
        })
        .flat_map(|(kind, entry)| {
            entry
                .facts
                .iter()
                .map(move |f| (format!("{kind}/{} {}", entry.id, f.path), &f.origin))
        })
        .collect();
    assert!(facts.len() > 500, "only {} facts", facts.len());
    let unknown = data
        .calibration
        .check_origins(&references, facts.into_iter());
    assert_eq!(unknown, Vec::<String>::new());
}
