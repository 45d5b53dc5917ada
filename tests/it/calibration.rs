//! The calibration files: complete, embedded, typed.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use plimsoll::calibration::{Bound, Calibration, DatumKind, Dimension};

/// Every datum that the first five sources must give, with its kind. A source that is added later needs no line here.
const DATA: &[(DatumKind, &[&str])] = &[
    (
        DatumKind::Value,
        &[
            "N13-mount-default",
            "N13-mount-locallock",
            "N13-mount-nocto",
            "N13-mount-both",
            "N13-browse-sample",
            "N13-branchsubmit-sample",
            "N13-sync-sample",
            "N13-db-sizes",
            "N13-dedupe",
            "N13-flexclone",
            "P17-branchsubmit-ssd",
            "P17-branchsubmit-fa",
            "P17-branchsubmit-fb",
            "P17-sync-fa-fa",
            "P17-sync-fa-fb",
            "P17-sync-1edge",
            "P17-sync-3edge",
            "P17-devices",
            "N08-submit-fcp",
            "N08-submit-iscsi",
            "N08-submit-nfs",
            "N08-mix",
            "Z09-read",
            "Z09-write",
            "Z09-commit",
            "Z09-tiers",
            "E07-sync-one",
            "E07-sync-busy",
            "E07-scale",
            "E07-site",
        ],
    ),
    (
        DatumKind::Ratio,
        &[
            "N08-pam-range",
            "N08-write-order",
            "Z09-l2arc",
            "E07-lock",
            "E07-8k-write",
            "E07-64k-rw",
            "E07-sync-load",
            "E07-linux-sync",
            "E07-edit",
            "E07-prod",
        ],
    ),
    (
        DatumKind::Ordering,
        &[
            "N13-order-browse",
            "N13-order-sync",
            "N13-order-branchsubmit",
            "N13-order-edit",
            "N13-order-deltas",
            "N13-table6",
            "P17-network-bound",
            "P17-journal-nfs",
            "N08-read-order",
            "N08-even",
            "Z09-segmap",
            "E07-8k-commit",
            "E07-8k-rw",
            "E07-8k-rw-commit",
            "E07-8k-read",
            "E07-64k-write",
            "E07-64k-read",
            "E07-rpm",
            "E07-proxy",
        ],
    ),
    (
        DatumKind::Limit,
        &[
            "N13-confound",
            "N13-nfs-safety",
            "N13-table5",
            "N13-cluster",
            "N13-best",
            "N13-snapmirror",
            "P17-lockless",
            "E07-win32",
        ],
    ),
    (
        DatumKind::Configuration,
        &[
            "N13-questions",
            "N13-hardware",
            "N13-commands",
            "P17-dataset",
            "P17-layouts",
            "P17-configurables",
            "P17-replication",
            "N08-pam-modes",
            "N08-hardware",
            "N08-tests",
            "N08-mount",
            "Z09-case",
            "E07-configs",
            "E07-standard",
        ],
    ),
    (DatumKind::Trap, &["P17-units"]),
];

#[test]
fn every_datum_of_the_first_sources_is_there() {
    let calibration = Calibration::embedded();
    for (kind, ids) in DATA {
        for id in *ids {
            let datum = calibration.datum(id);
            assert_eq!(datum.map(|d| d.kind), Some(*kind), "{id}");
        }
    }
}

/// The page of the measurements lists each source.
#[test]
fn the_page_lists_every_source() {
    let calibration = Calibration::embedded();
    let mut page = String::from("\n| file | source | data |\n|---|---|---|\n");
    for (id, source) in &calibration.sources {
        let (title, published, data) = (&source.title, &source.published, source.data.len());
        writeln!(page, "| `{id}.toml` | {title}, {published} | {data} |").unwrap();
    }
    crate::kept::section("calibration/README.md", "sources", &format!("{page}\n"));
}

#[test]
fn every_datum_says_where_it_stands_and_what_it_holds_for() {
    let calibration = Calibration::embedded();
    for datum in calibration.data() {
        let id = &datum.id;
        assert!(!datum.section.is_empty(), "{id} has no section");
        assert!(!datum.statement.is_empty(), "{id} has no statement");
        let source = &calibration.sources[&datum.source_id];
        let setup = source.setup(&datum.setup);
        assert!(setup.is_some_and(|s| !s.section.is_empty()), "{id} has no setup");
        assert_eq!(calibration.datum(id), Some(datum));
    }
}

#[test]
fn each_setup_is_used() {
    let calibration = Calibration::embedded();
    let used: BTreeSet<&str> = calibration.data().map(|d| d.setup.as_str()).collect();
    for setup in calibration.sources.values().flat_map(|s| &s.setups) {
        assert!(used.contains(setup.id.as_str()), "nothing holds for {}", setup.id);
    }
}

#[test]
fn figures_come_in_base_units_and_as_written() {
    let calibration = Calibration::embedded();
    assert_eq!(calibration.value("P17-sync-fa-fa", "elapsed-average"), Some(250.0));
    assert_eq!(calibration.value("N13-confound", "fc-link"), Some(0.5e9));
    assert_eq!(calibration.value("N13-mount-both", "nothing"), None);
    assert_eq!(calibration.value("N99-mount-both", "elapsed"), None);
    let datum = calibration.datum("N13-hardware").unwrap();
    let clock = datum.value("server-clock").unwrap();
    assert_eq!((clock.shown.as_str(), clock.dimension), ("2.67 GHz", Dimension::Frequency));
    let cores = datum.value("server-cores").unwrap();
    assert_eq!((cores.shown.as_str(), cores.unit.as_str()), ("24 cores", "cores"));
    let rate = calibration.datum("Z09-commit").unwrap().value("commit-rate-peak").unwrap();
    assert_eq!((rate.of.as_deref(), rate.spread), (Some("files"), Some(0.05)));
}

#[test]
fn ranges_and_bounds_are_told_from_figures() {
    let calibration = Calibration::embedded();
    let bound = |id: &str, name: &str| calibration.datum(id).unwrap().value(name).unwrap().bound();
    assert_eq!(bound("N13-flexclone", "sync"), Bound::Exactly(2700.0));
    assert_eq!(bound("N13-flexclone", "build"), Bound::Between(3600.0, 7200.0));
    assert_eq!(bound("E07-prod", "commit"), Bound::AtLeast(10.0));
    assert_eq!(bound("N13-flexclone", "clones-per-volume"), Bound::AtMost(32767.0));
    let build = calibration.datum("N13-flexclone").unwrap().value("build").unwrap();
    assert_eq!((build.shown.as_str(), build.value), ("1 h to 2 h", None));
}

#[test]
fn the_servers_of_e07_are_typed() {
    let calibration = Calibration::embedded();
    let rows = &calibration.sources["E07"].configurations;
    assert_eq!(calibration.value("E07-configs", "configurations"), Some(rows.len() as f64));
    let numbers: Vec<u32> = rows.iter().map(|row| row.number).collect();
    assert_eq!(numbers, (1..=21).collect::<Vec<_>>());
    let row = &rows[9];
    assert_eq!((row.bits, row.db.filesystem), (64, Some("NTFS")));
    let raid = row.db.raid.as_ref().unwrap();
    assert_eq!((raid.level.as_str(), raid.disks, raid.is_shared), ("RAID 10", Some(4), false));
    assert!(row.archive.raid.as_ref().unwrap().is_san);
    assert_eq!(rows[3].archive.raid, None);
}

#[test]
fn the_matrix_of_criteria_is_complete() {
    let calibration = Calibration::embedded();
    let cells = &calibration.datum("N13-table6").unwrap().cells;
    let places: BTreeSet<_> = cells.iter().map(|c| (c.protocol, c.criterion)).collect();
    assert_eq!((cells.len(), places.len()), (20, 20));
    let questions = &calibration.datum("N13-questions").unwrap().questions;
    assert_eq!(questions.len(), 7);
}
