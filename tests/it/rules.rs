//! The advisor's rules: each documented, named after its file, and firing where it says it does.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use plimsoll::advisor::rules::{DOC_SECTIONS, Facts, Finding, RULES, Severity, check};
use plimsoll::advisor::{Headroom, Influence, Limit, advise};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::site::{self, Answer, Backup, Office, Release, Site, Vocabulary};
use plimsoll::system::capacity::{self, Memory, RoleSize};
use plimsoll::system::{
    Choices, Deployment, Effort, LockPrediction, Mount, Prediction, ResourceKind,
    ResourcePrediction, bind, predict,
};
use plimsoll::units::{Bytes, BytesPerSecond, Fraction, Seconds};
use plimsoll::workload::from_site;

use crate::site::LEAST;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
static CALIBRATION: LazyLock<Calibration> = LazyLock::new(Calibration::embedded);
static HEALTHY: LazyLock<World> = LazyLock::new(World::healthy);

fn read(text: &str, overrides: &[&str]) -> Site {
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    site::parse("site.toml", text, &overrides, &Vocabulary::of(&CATALOG))
        .unwrap_or_else(|d| panic!("{}", d.render()))
}

/// What the facts refer to, to be changed by a test.
#[derive(Clone)]
struct World {
    site: Site,
    deployment: Deployment,
    prediction: Prediction,
    sizes: Vec<RoleSize>,
    memory: Memory,
    headroom: Headroom,
    largest_commit: f64,
    influences: Vec<Influence>,
}

impl World {
    /// A site of the sources' time on tested equipment, everything far below its limits.
    fn healthy() -> Self {
        let site = read(
            "schema = 1\nname = \"Healthy\"\n[people]\ndevelopers = 100\n\
             [data]\nworkspace_files = 20_000\ndb_size = \"10 GiB\"\n\
             [workload]\nautomation_share = \"10 %\"\nconcurrent_syncs = 1\n\
             [server]\nmodel = \"dl580-g7\"\nrelease = \"2016.2\"\nram = \"512 GiB\"\n\
             [infrastructure]\nstorage = [\"fas3270\"]\nstorage_network = \"fc-8g\"\n",
            &[],
        );
        let block = Some(("fas3270".to_owned(), "fc".to_owned()));
        let choices = Choices {
            dedicated: true,
            systems: vec!["linux".to_owned()],
            bits: 64.0,
            server: "dl580-g7".to_owned(),
            memory: site.server.ram.value.get(),
            cores: 24.0,
            edges: 0,
            local: None,
            block,
            file: None,
            filesystem: "xfs".to_owned(),
            networks: ("eth-10g".to_owned(), "fc-8g".to_owned()),
            client_network: "eth-10g".to_owned(),
            client_links: 1.0,
            offices: Vec::new(),
            office_disks: None,
            cache: None,
            release: Release::new(2024, 2),
            lockless: true,
            shared_access: false,
            tuned_mounts: true,
        };
        let mut deployment =
            bind(&CATALOG, &CATALOG.layouts["san-four-volumes"], &choices).expect("it binds");
        for mount in &mut deployment.volumes {
            mount.set = format!("set of {}", mount.roles[0]);
        }
        let load = from_site::load(&site);
        let prediction = predict(&deployment, &load, &CATALOG, &CALIBRATION, Effort::Shown)
            .expect("it is solved");
        Self {
            sizes: capacity::sizes(&site, &load, &CATALOG, &CALIBRATION),
            memory: capacity::memory(
                &site,
                &CALIBRATION,
                deployment.memory,
                80.0,
                prediction.db_hit,
            ),
            headroom: Headroom {
                factor: 4.0,
                limit: String::new(),
                knee: 8.0,
                reached_in: None,
                capacity: Vec::new(),
            },
            largest_commit: 1.5,
            influences: Vec::new(),
            site,
            deployment,
            prediction,
        }
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            site: &self.site,
            catalog: &CATALOG,
            calibration: &CALIBRATION,
            deployment: &self.deployment,
            prediction: &self.prediction,
            sizes: &self.sizes,
            memory: &self.memory,
            headroom: &self.headroom,
            largest_commit: self.largest_commit,
            influences: &self.influences,
        }
    }

    fn mount(&mut self, role: &str) -> &mut Mount {
        let mut volumes = self.deployment.volumes.iter_mut();
        volumes
            .find(|m| m.roles.contains(&role))
            .expect("a volume of the role")
    }

    fn export(&mut self, role: &str, protocol: &str, options: Option<usize>) {
        let mount = self.mount(role);
        protocol.clone_into(&mut mount.protocol);
        mount.mount_option = options;
        mount.filesystem = None;
        mount.network = Some("eth-25g".to_owned());
    }

    fn busy(&mut self, kind: ResourceKind, utilization: f64) {
        self.prediction.resources.push(ResourcePrediction {
            name: "it".to_owned(),
            kind,
            utilization,
        });
    }

    fn lock(&mut self, utilization: f64) {
        self.prediction.locks = vec![LockPrediction {
            name: "db.have on commit server".to_owned(),
            write_wait: 0.2,
            read_wait: 0.1,
            hold: 0.15,
            utilization,
        }];
    }

    fn office(&mut self, milliseconds: f64) {
        self.site.people.sites = vec![Office {
            name: "Lyon".to_owned(),
            developers: stated(20.0),
            round_trip: stated(Seconds::new(milliseconds / 1000.0)),
            bandwidth: stated(BytesPerSecond::new(1e8)),
        }];
    }

    fn full_in(&mut self, years: f64) {
        self.site.horizon.time = stated(Seconds::years(3.0));
        self.headroom.capacity = vec![Limit {
            store: "fas3270".to_owned(),
            usable: Bytes::new(1e12),
            needed: Bytes::new(9e11),
            data_reduction: 1.0,
            to_buy: None,
            full_in: Some(Seconds::years(years)),
            grows_by: "data.db_growth",
        }];
    }

    fn influence(&mut self, ratio: f64, saturates: bool) {
        let influence = |field: &str| Influence {
            field: field.to_owned(),
            ratio,
            time: "browse".to_owned(),
            saturates,
            moves: Vec::new(),
        };
        self.influences = vec![
            influence("data.files"),
            influence("people.site.0.round_trip"),
            influence("server.ram"),
            influence("server.cores"),
        ];
    }

    /// A 32-bit server on Windows.
    fn windows(&mut self, release: Release, connections: f64) {
        self.site.server.bits = stated(32.0);
        self.site.server.release = stated(release);
        self.site.infrastructure.operating_systems = stated(vec!["windows".to_owned()]);
        self.site.people.connections_at_peak = stated(connections);
    }
}

fn stated<T: Clone>(value: T) -> Answer<T> {
    Answer::stated(value, "site.toml:1")
}

/// What one rule finds in a changed world.
fn found(id: &str, change: impl FnOnce(&mut World)) -> Vec<Finding> {
    let mut world = HEALTHY.clone();
    change(&mut world);
    let rule = RULES.iter().find(|r| r.id == id).expect("a rule");
    let mut out = Vec::new();
    (rule.check)(&world.facts(), &mut out);
    out
}

/// The worst that one rule finds.
fn worst(id: &str, change: impl FnOnce(&mut World)) -> Option<Severity> {
    found(id, change).iter().map(|f| f.severity).max()
}

type Change = fn(&mut World);
const NOTE: Option<Severity> = Some(Severity::Note);
const WARNING: Option<Severity> = Some(Severity::Warning);
const CRITICAL: Option<Severity> = Some(Severity::Critical);
/// The least above a threshold.
const MORE: f64 = 1.000_000_1;

/// What each rule says of a change of the healthy world: above, below and at its thresholds.
#[expect(
    clippy::assigning_clones,
    clippy::semicolon_if_nothing_returned,
    reason = "a table of changes, a line each"
)]
const CASES: &[(&str, Option<Severity>, Change)] = &[
    ("BLD001", NOTE, |w| {
        w.site.workload.automation_share = stated(Fraction::new(0.3 * MORE))
    }),
    ("BLD001", None, |w| {
        w.site.workload.automation_share = stated(Fraction::new(0.3))
    }),
    ("BLD001", NOTE, |w| {
        w.site.workload.concurrent_syncs = stated(3.0)
    }),
    ("BLD001", None, |w| {
        w.site.workload.concurrent_syncs = stated(2.0)
    }),
    ("BLD001", WARNING, |w| {
        w.site.workload.automation_share = stated(Fraction::new(0.5));
        w.site.workload.concurrent_syncs = stated(3.0);
    }),
    ("BLD001", None, |w| {
        w.site.workload.concurrent_syncs = stated(30.0);
        w.deployment.proxies = true;
    }),
    ("BLD001", None, |w| {
        w.site.workload.concurrent_syncs = stated(30.0);
        w.deployment.edges = 1;
    }),
    ("EVD001", NOTE, |w| {
        w.deployment.server = "present-16c".to_owned()
    }),
    ("EVD001", NOTE, |w| w.mount("db").medium = "nvme".to_owned()),
    ("EVD001", NOTE, |w| {
        w.mount("db").device = "cloud-block".to_owned()
    }),
    ("EVD001", None, |w| {
        w.deployment.server = "pure-host".to_owned()
    }),
    ("EVD002", WARNING, |w| w.influence(1.5 * MORE, false)),
    ("EVD002", None, |w| w.influence(1.5, false)),
    ("EVD002", WARNING, |w| w.influence(1.0, true)),
    ("CAP001", CRITICAL, |w| w.full_in(2.969)),
    ("CAP001", None, |w| w.full_in(2.97)),
    ("CAP001", None, |w| w.full_in(3.0)),
    ("CAP003", WARNING, |w| {
        w.headroom.reached_in = Some(Seconds::years(2.999))
    }),
    ("CAP003", None, |w| {
        w.headroom.reached_in = Some(Seconds::years(3.0))
    }),
    ("CAP003", None, |w| w.headroom.reached_in = None),
    ("CAP002", WARNING, |w| {
        w.site.protection.backup = stated(Backup::Snapshots);
        w.site.protection.snapshot_reserve = stated(Fraction::new(0.099));
    }),
    ("CAP002", None, |w| {
        w.site.protection.backup = stated(Backup::Snapshots);
        w.site.protection.snapshot_reserve = stated(Fraction::new(0.1));
    }),
    ("CAP002", None, |w| {
        w.site.protection.backup = stated(Backup::Tape);
        w.site.protection.snapshot_reserve = stated(Fraction::new(0.0));
    }),
    ("CPU001", WARNING, |w| {
        w.busy(ResourceKind::Processor, 0.7 * MORE)
    }),
    ("CPU001", None, |w| w.busy(ResourceKind::Processor, 0.7)),
    ("CPU001", None, |w| w.busy(ResourceKind::Disks, 0.9)),
    ("FLX001", NOTE, |w| {
        w.site.data.workspace_files = stated(100_001.0)
    }),
    ("FLX001", None, |w| {
        w.site.data.workspace_files = stated(100_000.0)
    }),
    ("FLX001", None, |w| {
        w.site.data.workspace_files = stated(500_000.0);
        for mount in &mut w.deployment.volumes {
            mount.device = "flasharray".to_owned();
        }
    }),
    ("MEM001", WARNING, |w| {
        w.memory.there = w.memory.rule - Bytes::new(1.0)
    }),
    ("MEM001", None, |w| w.memory.there = w.memory.rule),
    ("MEM002", WARNING, |w| w.memory.hit = 0.979_999),
    ("MEM002", None, |w| w.memory.hit = 0.98),
    ("NET001", WARNING, |w| {
        w.busy(ResourceKind::ClientNetwork, 0.8 * MORE)
    }),
    ("NET001", None, |w| w.busy(ResourceKind::ClientNetwork, 0.8)),
    ("NET002", NOTE, |w| w.office(20.0)),
    ("NET002", None, |w| w.office(19.999)),
    ("NET002", None, |w| {
        w.office(200.0);
        w.deployment.edges = 1;
    }),
    ("NET002", WARNING, |w| {
        w.office(200.0);
        w.site.targets.browse = Some(stated(Seconds::new(1e-6)));
        let mut class = w.prediction.class("browse").expect("people browse").clone();
        class.name = "browse (Lyon)".to_owned();
        w.prediction.classes.push(class);
    }),
    ("NET003", NOTE, |w| {
        w.export("depot", "nfsv3", None);
        w.mount("depot").network = Some("eth-10g".to_owned());
    }),
    ("NET003", None, |w| {
        w.export("depot", "nfsv3", None);
        w.mount("depot").network = Some("eth-10g".to_owned());
        w.deployment.client_links = 2.0;
    }),
    ("NET003", None, |w| w.export("depot", "nfsv3", None)),
    ("OSX001", WARNING, |w| w.site.server.bits = stated(32.0)),
    ("OSX001", WARNING, |w| {
        w.deployment.server = "dell-6650".to_owned()
    }),
    ("OSX001", CRITICAL, |w| {
        w.windows(Release::new(2004, 2), 131.0)
    }),
    ("OSX001", WARNING, |w| {
        w.windows(Release::new(2004, 2), 130.0)
    }),
    ("OSX001", WARNING, |w| {
        w.windows(Release::new(2006, 2), 131.0)
    }),
    ("PLC001", CRITICAL, |w| w.export("db", "nfsv3", None)),
    ("PLC001", WARNING, |w| w.export("db", "nfsv3", Some(0))),
    ("PLC001", CRITICAL, |w| w.export("db", "smb", None)),
    ("PLC001", None, |w| w.export("depot", "nfsv3", None)),
    ("PLC002", WARNING, |w| w.export("journal", "nfsv3", Some(0))),
    ("PLC002", None, |w| w.export("log", "nfsv3", None)),
    ("PLC003", WARNING, |w| w.export("depot", "nfsv3", Some(0))),
    ("PLC003", CRITICAL, |w| {
        w.export("depot", "nfsv3", Some(0));
        w.deployment.edges = 1;
        w.deployment.shared_depot = true;
    }),
    ("PLC003", None, |w| w.export("depot", "nfsv3", Some(4))),
    ("PLC004", NOTE, |w| {
        w.export("log", "nfsv3", None);
        w.site.server.log_level = stated(3.0);
    }),
    ("PLC004", None, |w| {
        w.export("log", "nfsv3", None);
        w.site.server.log_level = stated(2.0);
    }),
    ("PLC004", None, |w| w.site.server.log_level = stated(5.0)),
    ("PLC005", WARNING, |w| {
        w.mount("depot").set = "set of db".to_owned()
    }),
    ("PLC005", None, |w| {
        w.mount("depot").set = "set of db".to_owned();
        w.mount("db").medium = "nvme".to_owned();
    }),
    ("PLC005", None, |w| {
        w.mount("log").set = "set of db".to_owned()
    }),
    ("PLC006", WARNING, |w| w.export("journal", "nfsv4.1", None)),
    ("PLC006", None, |w| w.export("journal", "nfsv3", None)),
    ("PLC006", None, |w| w.export("depot", "nfsv4.1", None)),
    ("PLC007", NOTE, |w| {
        w.mount("journal").set = "set of db".to_owned()
    }),
    ("PLC008", NOTE, |w| {
        w.site.infrastructure.dedicated = stated(false)
    }),
    ("PLC008", None, |w| {
        w.site.infrastructure.dedicated = stated(false);
        for mount in &mut w.deployment.volumes {
            mount.device = "local-raid".to_owned();
        }
    }),
    ("QUE001", WARNING, |w| w.largest_commit = 10.0 * MORE),
    ("QUE001", None, |w| w.largest_commit = 10.0),
    ("QUE002", WARNING, |w| w.deployment.lockless = false),
    ("QUE003", WARNING, |w| w.lock(0.5 * MORE)),
    ("QUE003", None, |w| w.lock(0.5)),
    ("STO001", WARNING, |w| {
        w.busy(ResourceKind::Disks, 0.7 * MORE)
    }),
    ("STO001", WARNING, |w| {
        w.busy(ResourceKind::Stream, 0.7 * MORE)
    }),
    ("STO001", WARNING, |w| {
        w.busy(ResourceKind::Ports, 0.7 * MORE)
    }),
    ("STO001", None, |w| w.busy(ResourceKind::Disks, 0.7)),
    ("STO002", WARNING, |w| {
        w.busy(ResourceKind::Slots, 0.7 * MORE)
    }),
    ("STO002", None, |w| w.busy(ResourceKind::Slots, 0.7)),
    ("STO003", CRITICAL, |w| {
        w.mount("log").raid = "raid0".to_owned()
    }),
    ("STO003", None, |w| w.mount("log").raid = "raid1".to_owned()),
    ("STO003", None, |w| {
        w.mount("log").raid = "raid0".to_owned();
        w.mount("log").device = "cloud-block".to_owned();
    }),
    ("STO004", NOTE, |w| {
        w.mount("depot").filesystem = Some("ext3".to_owned())
    }),
    ("STO004", None, |w| {
        w.mount("depot").filesystem = Some("ext4".to_owned())
    }),
    ("STO004", None, |w| {
        w.mount("db").filesystem = Some("ext3".to_owned())
    }),
];

#[test]
fn every_rule_is_documented_and_named_after_its_file() {
    let ids: Vec<&str> = RULES.iter().map(|r| r.id).collect();
    assert!(
        ids.is_sorted_by(|a, b| a < b),
        "keep RULES sorted by id, each once"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/advisor/rules");
    for rule in RULES {
        let mut rest = rule.docs;
        for section in DOC_SECTIONS {
            let (_, after) = rest
                .split_once(section)
                .unwrap_or_else(|| panic!("{}: no section {section:?} in its place", rule.id));
            let body = after.split("\n### ").next().unwrap().trim();
            assert!(!body.is_empty(), "{}: {section:?} is empty", rule.id);
            rest = after;
        }
        assert_eq!(
            rule.docs.matches("###").count(),
            DOC_SECTIONS.len(),
            "{}",
            rule.id
        );
        let file = folder.join(format!("{}.rs", rule.name.replace('-', "_")));
        assert!(file.is_file(), "{}: no {}", rule.id, file.display());
        let id = rule.id.as_bytes();
        let family = id.len() == 6 && id[..3].iter().all(u8::is_ascii_uppercase);
        assert!(
            family && id[3..].iter().all(u8::is_ascii_digit),
            "{}",
            rule.id
        );
        assert!(!rule.summary.ends_with('.'), "{}", rule.id);
    }
    let files = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(files, RULES.len() + 1, "a rule's file is not registered");
}

#[test]
fn nothing_is_found_where_everything_is_well() {
    assert_eq!(check(&HEALTHY.facts()), []);
}

#[test]
fn each_rule_fires_beyond_its_threshold_and_is_quiet_at_it() {
    for (i, (id, expected, change)) in CASES.iter().enumerate() {
        assert_eq!(worst(id, change), *expected, "{id}, case {i}");
    }
    for rule in RULES {
        let of_it = CASES.iter().filter(|(id, _, _)| *id == rule.id);
        assert!(
            of_it.clone().any(|(_, s, _)| s.is_some()),
            "{} never fires",
            rule.id
        );
    }
}

#[test]
fn what_is_found_names_numbers_and_rests_on_something_real() {
    for (id, _, change) in CASES {
        found(id, change).iter().for_each(check_form);
    }
}

/// Lower case, no full stop, a number; evidence that exists.
fn check_form(finding: &Finding) {
    let id = finding.rule;
    for text in [&finding.message, &finding.action] {
        let first = text.chars().next().expect("words");
        assert!(
            !first.is_uppercase() || text.starts_with("RAID"),
            "{id}: {text}"
        );
        assert!(!text.ends_with('.'), "{id}: {text}");
        assert!(
            !text.contains("NaN") && !text.contains("inf "),
            "{id}: {text}"
        );
    }
    assert!(
        finding.message.contains(|c: char| c.is_ascii_digit()),
        "{id}: no number: {finding:?}"
    );
    assert!(!finding.evidence.is_empty(), "{id}: no evidence");
    for evidence in &finding.evidence {
        let known = evidence.id == "model"
            || CALIBRATION.datum(&evidence.id).is_some()
            || CATALOG.references.contains_key(&evidence.id)
            || site::field(&evidence.id).is_some();
        assert!(known, "{id}: nothing is called {:?}", evidence.id);
        assert!(evidence.text.len() > 2, "{id}: {evidence:?}");
        // A datum that has no such figure leaves a blank at the end.
        assert!(!evidence.text.ends_with(' '), "{id}: {evidence:?}");
    }
}

#[test]
fn the_ids_that_docs_cite_exist() {
    let sources: BTreeSet<&str> = CALIBRATION.sources.keys().map(String::as_str).collect();
    for rule in RULES {
        let words = rule
            .docs
            .split(|c: char| !(c.is_alphanumeric() || c == '-'));
        for word in words.filter(|w| w.contains('-')) {
            let source = word.split('-').next().unwrap();
            if sources.contains(source) {
                assert!(CALIBRATION.datum(word).is_some(), "{}: {word}", rule.id);
            }
        }
    }
}

#[test]
fn three_fields_at_most_are_asked_for() {
    let found = found("EVD002", |w| w.influence(2.0, false));
    assert_eq!(
        found[0].action,
        "ask for data.files, people.site.0.round_trip, server.ram"
    );
    assert_eq!(found[0].evidence.len(), 3);
}

#[test]
fn edges_are_not_advised_to_releases_without() {
    let old = found("NET002", |w| {
        w.office(50.0);
        w.site.server.release = stated(Release::new(2012, 1));
    });
    assert!(old[0].action.starts_with("a proxy"), "{}", old[0].action);
    let new = found("NET002", |w| w.office(50.0));
    assert!(new[0].action.starts_with("an edge"), "{}", new[0].action);
}

#[test]
fn findings_come_worst_first_then_by_id() {
    let mut world = HEALTHY.clone();
    for (_, _, change) in CASES {
        change(&mut world);
    }
    let found = check(&world.facts());
    assert!(found.len() > 10, "{found:?}");
    let order: Vec<_> = found
        .iter()
        .map(|f| (std::cmp::Reverse(f.severity), f.rule))
        .collect();
    assert!(order.is_sorted(), "{order:?}");
}

/// A studio of 2013 with every question answered, on exports alone.
const FULL: &str = include_str!("../site_full.toml");

/// Sites as different as the questionnaire allows, each with what is set besides.
const SITES: [(&str, &[&str]); 4] = [
    (
        FULL,
        &[
            "infrastructure.protocols=[\"nfsv3\"]",
            "data.depot_size=500 GB",
        ],
    ),
    (
        LEAST,
        &[
            "people.developers=1",
            "data.files=1",
            "data.revisions=1",
            "workload.largest_submit_files=1",
        ],
    ),
    (
        LEAST,
        &[
            "people.developers=40",
            "data.depot_size=50 GB",
            "data.db_size=2 GB",
            "server.model=\"dell-6650\"",
            "server.release=2004.2",
            "server.bits=32",
            "server.local_medium=\"disk-10k\"",
            "infrastructure.operating_systems=[\"windows\"]",
        ],
    ),
    (
        LEAST,
        &[
            "people.developers=50",
            "infrastructure.storage=[\"cloud-block\", \"cloud-nfs\"]",
            "infrastructure.dedicated=false",
        ],
    ),
];

#[test]
fn no_rule_panics_whatever_the_site() {
    for (text, overrides) in SITES {
        let tables = overrides.join(" ");
        let site = read(text, overrides);
        let advice = advise(&site, &Vocabulary::of(&CATALOG), &CATALOG, &CALIBRATION);
        assert!(advice.chosen.is_some(), "{tables}: {}", advice.sentence);
        assert!(!advice.findings.is_empty(), "{tables}");
        for finding in &advice.findings {
            check_form(finding);
        }
        // Neither where the deployment is another than was made for the site.
        let mut world = HEALTHY.clone();
        world.site = site;
        check(&world.facts()).iter().for_each(check_form);
    }
}
