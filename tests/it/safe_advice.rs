//! What is recommended is safe: every store holds today's data, memory survives the peak, database and journal are apart.
//!
//! The bytes are added up here anew from sizes, disks and RAID levels, not taken from the advisor's own check.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll::advisor::criteria;
use plimsoll::advisor::rules::Severity;
use plimsoll::advisor::{Advice, advise};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::{Catalog, Place};
use plimsoll::report::Answer;
use plimsoll::site::{self, Site, Vocabulary};
use plimsoll::system::capacity::{self, RoleSize};
use plimsoll::system::{Choices, Deployment, SetId, bind};
use plimsoll::workload::from_site;
use proptest::prelude::*;
use serde_json::Value;

use crate::cli::{plimsoll, scratch, write};

const FULL: &str = include_str!("../site_full.toml");

/// A site on its own disks alone, every question answered.
#[derive(Debug, Clone)]
struct Local {
    people: u32,
    connections: u32,
    ram_gib: u32,
    edge_ram_gib: u32,
    disks: u32,
    edge_disks: u32,
    drive_gb: u32,
    share: u32,
    depot_gb: u32,
    edges: u32,
}

impl Local {
    fn site(&self, vocabulary: &Vocabulary) -> Site {
        let Self { people, connections, ram_gib, edge_ram_gib, disks, edge_disks, drive_gb, share, depot_gb, edges } =
            self;
        let sets = [
            format!("people.developers={people}"),
            "people.site.0.developers=12".to_owned(),
            "people.site.1.developers=8".to_owned(),
            format!("people.connections_at_peak={connections}"),
            "server.release=2024.2".to_owned(),
            "server.peeking=2".to_owned(),
            "server.model=\"present-16c\"".to_owned(),
            "server.cores=16".to_owned(),
            format!("server.ram={ram_gib} GiB"),
            format!("server.local_disks={disks}"),
            format!("edge.ram={edge_ram_gib} GiB"),
            format!("edge.local_disks={edge_disks}"),
            format!("edge.drive_size={drive_gb} GB"),
            format!("edge.depot_share={share} %"),
            format!("data.depot_size={depot_gb} GB"),
            format!("infrastructure.edges_max={edges}"),
            "infrastructure.storage=[\"local-raid\"]".to_owned(),
            "infrastructure.protocols=[\"local\"]".to_owned(),
            "infrastructure.filesystems=[\"xfs\"]".to_owned(),
            "infrastructure.caches=[\"host-page-cache\"]".to_owned(),
        ];
        site::parse("site.toml", FULL, &sets, vocabulary).unwrap_or_else(|d| panic!("{}", d.render()))
    }
}

fn any_local() -> impl Strategy<Value = Local> {
    let people = prop::sample::select(vec![30, 60, 400, 5000]);
    let connections = prop::sample::select(vec![20, 400, 3000]);
    let ram = prop::sample::select(vec![4, 16, 64, 512]);
    let edge_ram = prop::sample::select(vec![4, 8, 256]);
    let drive = prop::sample::select(vec![300, 900, 7_680]);
    let depot = prop::sample::select(vec![200, 2_000, 20_000]);
    (people, connections, ram, edge_ram, 2..13_u32, 1..13_u32, drive, 5..101_u32, depot, 0..3_u32).prop_map(
        |(people, connections, ram_gib, edge_ram_gib, disks, edge_disks, drive_gb, share, depot_gb, edges)| Local {
            people,
            connections,
            ram_gib,
            edge_ram_gib,
            disks,
            edge_disks,
            drive_gb,
            share,
            depot_gb,
            edges,
        },
    )
}

/// Bytes to provide today and bytes that the disks hold, by server and set.
fn stores(
    site: &Site,
    catalog: &Catalog,
    deployment: &Deployment,
    sizes: &[RoleSize],
) -> BTreeMap<(usize, SetId), (f64, f64)> {
    let mut stores = BTreeMap::new();
    for server in 0..deployment.servers() {
        for size in sizes {
            let mount = deployment.mount_on(size.role, server).expect("a volume");
            let office = size.role == "depot" && deployment.is_distant(server);
            let share = if office { site.edge.depot_share.value.get() } else { 1.0 };
            let raid = &catalog.raid[&mount.raid];
            let holds = (mount.disks - raid.parity_disks.value) / raid.copies.value * mount.disk_bytes;
            let (needed, _) = stores.entry((server, mount.set.id)).or_insert((0.0, holds));
            *needed += size.data.get() * share * capacity::provide(site, catalog, mount);
        }
    }
    stores
}

fn holds_today(site: &Site, catalog: &Catalog, deployment: &Deployment, sizes: &[RoleSize]) -> bool {
    let stores = stores(site, catalog, deployment, sizes);
    stores.values().all(|(needed, holds)| *needed <= holds * (1.0 + 1e-9))
}

/// Servers on which more people than a small site's would lose database and journal together.
fn shares(site: &Site, deployment: &Deployment) -> bool {
    let limit = criteria::EMBEDDED[&("shared_set".to_owned(), "people".to_owned())].value;
    let set = |role, server| deployment.mount_on(role, server).map(|m| m.set.id);
    (0..deployment.servers()).any(|server| {
        let office = deployment.offices.get(server.wrapping_sub(1));
        let people = office.map_or(site.people.developers.value, |name| {
            let mut offices = site.people.sites.iter();
            offices.find(|o| o.name == *name).expect("it").developers.value
        });
        people > limit && set("db", server) == set("journal", server)
    })
}

fn check(local: &Local) -> Result<(), TestCaseError> {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let vocabulary = Vocabulary::of(&catalog);
    let site = local.site(&vocabulary);
    let advice = advise(&site, &vocabulary, &catalog, &calibration);
    let load = from_site::load(&site);
    let sizes = capacity::sizes(&site, &load, &catalog, &calibration);
    let sentence = Answer::of(&site, &catalog, &advice).sentence();
    let Advice { chosen, alternatives, findings, .. } = advice;
    let others: Vec<&Deployment> = alternatives.iter().filter_map(|a| a.deployment.as_ref()).collect();
    let Some(chosen) = chosen else {
        // Nothing that holds today's data is kept back; what saturates was not judged.
        for other in alternatives.iter().filter(|a| a.prediction.is_some()) {
            let deployment = other.deployment.as_ref().expect("it was solved");
            prop_assert!(!holds_today(&site, &catalog, deployment, &sizes), "{}", other.layout);
        }
        return Ok(());
    };
    let deployment = &chosen.deployment;
    prop_assert!(holds_today(&site, &catalog, deployment, &sizes));
    // Processes alone, by the people's share of the connections.
    let process = calibration.parameter("process.memory").expect("it").value.value;
    let all: f64 = chosen.memory.servers.iter().map(|m| m.processes).sum();
    prop_assert!((all / (load.connections * process) - 1.0).abs() < 1e-9);
    let is_short = chosen.memory.servers.iter().any(|m| m.need() > deployment.memory_of(m.server));
    let critical = findings.iter().any(|f| f.rule == "MEM003" && f.severity == Severity::Critical);
    prop_assert_eq!(is_short, critical);
    prop_assert!(!is_short || (chosen.falls_short && chosen.headroom.factor <= 1.0), "{}", sentence);
    if shares(&site, deployment) {
        prop_assert!(sentence.contains("No layout of this site is safer"), "{}", sentence);
        let better = others.iter().any(|other| !shares(&site, other) && holds_today(&site, &catalog, other, &sizes));
        prop_assert!(!better || is_short, "{}", sentence);
    } else {
        prop_assert!(!sentence.contains("No layout of this site is safer"), "{}", sentence);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]
    #[test]
    fn what_is_recommended_holds_its_data_survives_its_peak_and_keeps_the_journal_apart(local in any_local()) {
        check(&local)?;
    }
}

/// Sets of a server's own disks never have more disks than there are, nor fewer than their RAID level needs.
#[test]
fn local_disks_make_sets_that_exist() {
    let catalog = Catalog::embedded();
    let vocabulary = Vocabulary::of(&catalog);
    let base = Local {
        people: 400,
        connections: 300,
        ram_gib: 64,
        edge_ram_gib: 64,
        disks: 6,
        edge_disks: 6,
        drive_gb: 900,
        share: 20,
        depot_gb: 500,
        edges: 1,
    };
    let choices = plimsoll::advisor::choices_for(&base.site(&vocabulary), &catalog);
    let local = |l: &&plimsoll::catalog::Layout| l.volumes.iter().all(|v| v.place == Place::Local);
    let mut built = BTreeSet::new();
    for layout in catalog.layouts.values().filter(local) {
        for disks in 0..25_u32 {
            let choices = Choices { local: Some(("disk-15k".to_owned(), f64::from(disks))), ..choices.clone() };
            let Ok(deployment) = bind(&catalog, layout, &choices) else {
                continue;
            };
            built.insert((layout.entry.id.as_str(), disks));
            let sets: BTreeMap<String, (&str, f64)> =
                deployment.volumes.iter().map(|m| (m.set_name(&catalog).id, (m.raid.as_str(), m.disks))).collect();
            let all: f64 = sets.values().map(|(_, disks)| disks).sum();
            assert!(all <= f64::from(disks), "{} {disks}: {sets:?}", layout.entry.id);
            for (set, (raid, disks)) in sets {
                assert!(set.contains(raid), "{set} is {raid}");
                let level = &catalog.raid[raid];
                assert!(disks >= level.min_disks.value && disks % level.copies.value == 0.0, "{set}: {disks}");
            }
        }
    }
    for least in [("single-volume", 2), ("local-pairs", 4), ("local-edges", 6), ("local-all", 6)] {
        assert!(built.contains(&least), "{least:?}");
    }
}

fn advised(name: &str, text: &str, sets: &[&str]) -> (i32, Value) {
    let path = write(&scratch(&format!("safe-{name}")), name, text);
    let mut arguments = vec!["advise", &path, "--format", "json"];
    for set in sets {
        arguments.extend(["--set", set]);
    }
    let ran = plimsoll(&arguments);
    (ran.code, ran.json())
}

fn sentence(answer: &Value) -> &str {
    answer["recommendation"]["sentence"].as_str().expect("a sentence")
}

const OFFICE: &str = "schema = 1\nname = \"Two towns\"\n[people]\ndevelopers = 300\n[[people.site]]\nname = \"Lyon\"\n\
    developers = 90\nround_trip = \"150 ms\"\nbandwidth = \"1 Gb/s\"\n[data]\ndepot_size = \"40 TB\"\n[server]\n\
    local_disks = 24\nlocal_medium = \"nvme\"\n[targets]\nbrowse = \"200 ms\"\n";

#[test]
fn an_office_far_from_local_disks_gets_an_edge_with_the_drives_that_it_needs() {
    let (code, answer) = advised("office.toml", OFFICE, &["edge.depot_share=100 %", "server.local_disks=24"]);
    assert_eq!((code, &answer["recommendation"]["edges"]), (0, &1.into()), "{}", sentence(&answer));
    // Stated drives that do not hold the share: no such edge, and the message says what would do.
    let small = ["edge.depot_share=100 %", "edge.local_disks=2", "edge.drive_size=4 TB"];
    let (_, answer) = advised("office.toml", OFFICE, &small);
    assert_eq!(answer["recommendation"]["edges"], 0, "{}", sentence(&answer));
    let alternatives = answer["alternatives"].as_array().expect("a list");
    let why = alternatives.iter().filter_map(|a| a["why_not"].as_str());
    let why: Vec<&str> = why.filter(|w| w.starts_with("the edge in Lyon holds")).collect();
    // 40 TB at 20 % headroom are 50 TB, and database and checkpoints beside it: 13 pairs of 4 TB hold it, 12 do not.
    assert!(why.iter().any(|w| w.contains("buy 24 more drives") || w.contains("buy 26 more drives")), "{why:?}");
    // Nobody said how many: as many as it needs, said first.
    let unsaid = ["edge.depot_share=100 %", "server.local_disks=6", "edge.drive_size=4 TB", "data.depot_size=12 TB"];
    let (_, answer) = advised("office.toml", OFFICE, &unsaid);
    assert!(sentence(&answer).contains("The edge in Lyon needs"), "{}", sentence(&answer));
}

/// Thousands of connections on a small server that uses no more memory than it has.
const STORM: &str = "schema = 1\nname = \"Storm\"\n[people]\ndevelopers = 20\nconnections_at_peak = 2193\n[data]\n\
    db_size = \"2 GiB\"\nfiles = 400_000\nrevisions = 500_000\n[server]\nram = \"4 GiB\"\nbits = 32\n[infrastructure]\nedges_max = 0\n\
    [targets]\nsubmit = \"1 h\"\nedit = \"1 h\"\nbrowse = \"1 h\"\nsync = \"1 h\"\n";

#[test]
fn a_storm_of_connections_is_critical_and_ends_with_one() {
    let text = STORM;
    let (code, answer) = advised("storm.toml", text, &[]);
    assert_eq!(code, 1);
    assert!(answer["headroom"]["factor"].as_f64().is_some_and(|factor| factor < 1.0));
    let findings = answer["findings"].as_array().expect("a list");
    let found = findings.iter().find(|f| f["rule"] == "MEM003").expect("critical");
    assert_eq!(found["severity"], "critical");
    let action = found["action"].as_str().unwrap_or_default();
    for remedy in ["16 GiB of memory", "server.maxcommands to ", "MaxMemory", "swap"] {
        assert!(action.contains(remedy), "{action}");
    }
    let (code, answer) = advised("storm.toml", text, &["server.ram=16 GiB"]);
    assert_eq!(code, 0, "{}", sentence(&answer));
    let factor = answer["headroom"]["factor"].as_f64().expect("a number");
    let limit = answer["headroom"]["limit"].as_str().unwrap_or_default();
    assert!(factor < 2.0 && limit.contains("of memory at the peak"), "{factor}: {limit}");
    let (_, old) = advised("storm.toml", text, &["server.release=2012.1"]);
    let findings = old["findings"].as_array().expect("a list");
    let found = findings.iter().find(|f| f["rule"] == "MEM003").expect("critical");
    let action = found["action"].as_str().unwrap_or_default();
    assert!(!action.contains("maxcommands") && action.contains("MaxMemory needs release"), "{action}");
}

#[test]
fn four_disks_are_two_pairs_and_two_say_so_first() {
    let of = |disks: u32| {
        let disks = format!("server.local_disks={disks}");
        advised("pairs.toml", OFFICE, &[&disks, "data.depot_size=2 TB", "infrastructure.edges_max=0"]).1
    };
    let pairs = of(4);
    let raid = |answer: &Value, role: &str| {
        let volumes = answer["recommendation"]["volumes"].as_array().cloned().expect("a list");
        let volume = volumes.into_iter().find(|v| v["role"] == role).expect("it");
        (volume["mount_point"].clone(), volume["raid"].as_str().unwrap_or_default().to_owned())
    };
    let (db, journal) = (raid(&pairs, "db"), raid(&pairs, "journal"));
    assert!(db.0 != journal.0 && db.1.starts_with("raid1, 2") && journal.1.starts_with("raid1, 2"), "{db:?}");
    let one = of(2);
    assert!(sentence(&one).contains("No layout of this site is safer"), "{}", sentence(&one));
    assert!(sentence(&one).contains("2 more disks make two mirrored pairs"), "{}", sentence(&one));
}

/// A response time of a server that ends its processes is worth nothing: every face says so.
#[test]
fn a_layout_that_lacks_memory_says_so_wherever_it_is_predicted() {
    let path = write(&scratch("safe-short"), "storm.toml", STORM);
    let words = "the commit server needs ";
    for (layouts, sets, short) in [
        (["--layout", "local-all"], "server.ram=4 GiB", true),
        (["--layout", "local-all"], "server.ram=64 GiB", false),
        (["--compare", "local-all,local-pairs"], "server.ram=4 GiB", true),
        (["--compare", "local-all,local-pairs"], "server.ram=64 GiB", false),
    ] {
        let arguments = ["predict", &path, layouts[0], layouts[1], "--set", sets];
        let text = plimsoll(&arguments);
        assert_eq!(text.code, i32::from(short), "{}{}", text.out, text.err);
        let said = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
        for layout in layouts[1].split(',') {
            let sentence = format!("{layout} does not survive the peak: {words}");
            assert_eq!(said.contains(&sentence), short, "{said}");
        }
        let json = plimsoll(&[&arguments[..], &["--format", "json"]].concat());
        assert_eq!(json.code, text.code);
        let answer = json.json();
        let columns = answer["compare"].as_array().cloned();
        for column in columns.unwrap_or_else(|| vec![answer.clone()]) {
            let found = column["memory_short"].as_str();
            assert_eq!(found.is_some_and(|f| f.starts_with(words)), short, "{found:?}");
        }
    }
}

#[test]
fn a_simulation_says_that_memory_is_short() {
    let path = write(&scratch("safe-simulated"), "storm.toml", STORM);
    for (ram, short) in [("server.ram=4 GiB", true), ("server.ram=64 GiB", false)] {
        let once = ["--set", ram, "--events", "20000", "--replications", "1"];
        let one = [&["simulate", &path, "--layout", "local-all"], &once[..]].concat();
        let text = plimsoll(&one);
        assert_eq!(text.code, i32::from(short), "{}{}", text.out, text.err);
        let said = text.out.contains("It does not survive the peak: the commit server needs ");
        assert_eq!(said, short, "{}", text.out);
        let answer = plimsoll(&[&one[..], &["--format", "json"]].concat()).json();
        assert_eq!(answer["memory_short"].is_string(), short);
    }
}
