//! The space that is searched: memory before servers, edges that are worth their place, drives that fit, findings that are heeded.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use plimsoll::advisor::rules::Severity;
use plimsoll::advisor::{Advice, Bottleneck, Chosen, EdgesEnd, Lead, Miss, Prepared, advise, today};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::{Catalog, LOCAL_DISKS};
use plimsoll::report::{Answer, Inputs, advice_json, advice_screen, advice_text, diagram};
use plimsoll::site::{self, Per, Site, Vocabulary};
use plimsoll::system::disk_set::sets;
use plimsoll::system::{Deployment, Mount, Proxy};

use crate::first_screen;

const GIB: f64 = 1_073_741_824.0;

struct World {
    catalog: Catalog,
    calibration: Calibration,
    vocabulary: Vocabulary,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let catalog = Catalog::embedded();
    World { vocabulary: Vocabulary::of(&catalog), calibration: Calibration::embedded(), catalog }
});

fn site(text: &str) -> Site {
    let text = format!("schema = 1\nname = \"Searched\"\n{text}");
    let parsed = site::parse("site.toml", &text, &[], &WORLD.vocabulary);
    parsed.unwrap_or_else(|d| panic!("{}", d.render()))
}

fn advice(site: &Site) -> Advice {
    advise(site, &WORLD.vocabulary, &WORLD.catalog, &WORLD.calibration)
}

fn chosen(text: &str) -> Chosen {
    advice(&site(text)).chosen.expect("a recommendation")
}

/// Drives in a server, each set once.
fn drives(volumes: &[Mount]) -> f64 {
    let local = volumes.iter().filter(|mount| mount.is_local());
    sets(local).iter().map(|mount| mount.disks).sum()
}

/// The volumes of each server that is described.
fn groups(d: &Deployment) -> Vec<&[Mount]> {
    let standby = d.standby.iter().map(|standby| standby.volumes.as_slice());
    [&d.volumes[..], &d.office_volumes[..], &d.edge_volumes[..]].into_iter().chain(standby).collect()
}

const SMALL: &str = "[people]\ndevelopers = 40\nconnections_at_peak = 2193\n[server]\nrelease = \"2025.2\"\n";

#[test]
fn memory_is_bought_before_any_edge() {
    let found = chosen(&format!("{SMALL}ram = \"4 GiB\"\ncores = 2\n"));
    assert_eq!(found.deployment.edges, 0);
    assert_eq!(found.deployment.memory, 16.0 * GIB);
    assert!(!found.falls_short);
    let mut bill = found.bill.lines.iter();
    let added = bill.find(|line| line.item.id == "ram").expect("a line of the bill");
    assert_eq!(added.quantity.first, 12.0);
    // What is there is enough: nothing is bought.
    let enough = chosen(&format!("{SMALL}ram = \"64 GiB\"\ncores = 2\n"));
    assert_eq!(enough.deployment.memory, 64.0 * GIB);
    assert!(enough.bill.lines.iter().all(|line| line.item.id != "ram"));
}

#[test]
fn an_instance_that_lacks_memory_is_the_next_of_its_family() {
    let text = "[people]\ndevelopers = 200\nconnections_at_peak = 9000\n[server]\nmodel = \"cloud-xl\"\nrelease = \"2024.2\"\n";
    let found = chosen(text);
    let next = &WORLD.catalog.servers["cloud-2xl"];
    assert_eq!(found.deployment.server, "cloud-2xl");
    assert_eq!(found.deployment.memory, next.memory.value.get());
    assert_eq!(found.deployment.edges, 0);
}

#[test]
fn a_32_bit_server_gets_no_memory_that_it_cannot_use() {
    let text = "[people]\ndevelopers = 40\nconnections_at_peak = 2193\n[server]\nrelease = \"2008.2\"\nram = \"2 GiB\"\nbits = 32\n";
    let found = advice(&site(text));
    let all = found.chosen.iter().map(|one| one.deployment.memory);
    for memory in all.chain(found.overload.iter().map(|o| o.deployment.memory)) {
        assert!(memory <= 4.0 * GIB, "{memory}");
    }
}

#[test]
fn people_in_one_room_get_no_edge_and_no_advice_of_a_proxy() {
    for people in [40, 300, 1000] {
        let text = format!(
            "[people]\ndevelopers = {people}\n[workload]\nautomation_share = \"60 %\"\n[server]\nrelease = \"2024.2\"\n"
        );
        let found = advice(&site(&text));
        let chosen = found.chosen.as_ref().expect("a recommendation");
        assert_eq!(chosen.deployment.edges, 0, "{people}");
        let rules: Vec<&str> = found.findings.iter().map(|f| f.rule).collect();
        assert!(!rules.contains(&"BLD001") && !rules.contains(&"EDG005"), "{people}: {rules:?}");
    }
}

fn office(name: &str, people: u32, trip: u32) -> String {
    format!(
        "[[people.site]]\nname = \"{name}\"\ndevelopers = {people}\nround_trip = \"{trip} ms\"\nbandwidth = \"1 Gb/s\"\n"
    )
}

fn with_offices(offices: &str, most: u32) -> String {
    format!(
        "[people]\ndevelopers = 2000\n{offices}[server]\nrelease = \"2024.2\"\n[infrastructure]\nstorage = [\"local-raid\"]\n\
         protocols = [\"local\"]\nedges_max = {most}\n"
    )
}

#[test]
fn edges_stand_where_they_save_waiting_and_the_answer_says_what_ended_them() {
    let all = [("Lyon", 600, 90), ("Oslo", 300, 120), ("Bern", 4, 25)].map(|(n, p, t)| office(n, p, t)).concat();
    let found = chosen(&with_offices(&all, 9));
    let mut offices = found.deployment.offices.clone();
    offices.sort_unstable();
    assert_eq!(offices, ["Lyon", "Oslo"]);
    let Some(EdgesEnd::NotWorth(next)) = &found.edges_end else {
        panic!("{:?}", found.edges_end);
    };
    assert_eq!(next.office.as_deref(), Some("Bern"));
    assert!(next.hours < 200.0, "{next:?}");
    // Where one is allowed, it stands where it saves most.
    let one = chosen(&with_offices(&all, 1));
    assert_eq!(one.deployment.offices, ["Lyon"]);
    let Some(EdgesEnd::Allowed(next)) = &one.edges_end else {
        panic!("{:?}", one.edges_end);
    };
    assert_eq!(next.office.as_deref(), Some("Oslo"));
    assert!(next.hours > 200.0, "{next:?}");
}

/// Who states how many edges there may be is told what another would bring, in one room too, and what would be busiest then.
#[test]
fn a_stated_number_of_edges_is_answered() {
    let room = |edges: &str| {
        let text = format!("[people]\ndevelopers = 500\n[server]\nrelease = \"2024.2\"\n{edges}");
        let found = chosen(&text);
        let why = found.edges_end.as_ref().and_then(EdgesEnd::why);
        (found.deployment.edges, why)
    };
    let (_, nobody) = room("");
    assert_eq!(nobody, None);
    let (edges, why) = room("[infrastructure]\nedges_max = 2\n");
    let why = why.expect("an answer");
    assert!(edges < 2, "{edges}");
    assert!(why.contains("beside the commit server") && why.contains("busiest then: "), "{why}");
}

#[test]
fn an_edge_that_was_weighed_and_left_out_is_nothing_to_do() {
    let without_edge = |found: &Advice| {
        let about = found.findings.iter().filter(|f| f.rule == "NET002");
        about.cloned().collect::<Vec<_>>()
    };
    let small: String = (0..8).map(|n| office(&format!("Office {n}"), 3, 25 + n)).collect();
    let found = advice(&site(&with_offices(&small, 9)));
    let chosen = found.chosen.as_ref().expect("a recommendation");
    assert!(chosen.missed.is_empty(), "{:?}", chosen.missed);
    assert_eq!(chosen.deployment.offices, [""; 0]);
    assert_eq!(without_edge(&found), []);
    // What another edge would bring is weighed where the site allows none, too; where it would pay, the reason stands beside the action.
    let none = advice(&site(&with_offices(&small, 0)));
    assert_eq!(without_edge(&none), []);
    let two = [office("Lyon", 600, 90), office("Oslo", 300, 120)].concat();
    let one = format!("{}proxies = false\n", with_offices(&two, 1));
    let one = advice(&site(&one));
    let left = without_edge(&one);
    assert!(!left.is_empty() && left.iter().all(|f| f.stays.is_some()), "{left:?}");
}

#[test]
fn an_edge_whose_drives_do_not_hold_its_depots_gets_an_array_of_the_site() {
    let text = "[people]\ndevelopers = 1500\n[[people.site]]\nname = \"Pune\"\ndevelopers = 600\nround_trip = \"200 ms\"\n\
                bandwidth = \"1 Gb/s\"\n[data]\ndepot_size = \"900 TB\"\n[server]\nmodel = \"present-32c\"\nrelease = \"2024.2\"\n\
                [edge]\ndepot_share = \"100 %\"\n[infrastructure]\nstorage = [\"flasharray\", \"flashblade\"]\n\
                protocols = [\"local\", \"iscsi\", \"nfsv3\"]\n";
    let found = chosen(text);
    let d = &found.deployment;
    assert_eq!(d.offices, ["Pune"]);
    let depot = d.mount_on("depot", 1).expect("depots");
    assert_eq!(depot.device, "flashblade");
    assert!(!depot.is_private() && depot.is_own());
    let bays = WORLD.catalog.servers[&d.server].bays();
    assert!(groups(d).into_iter().all(|volumes| drives(volumes) <= bays));
    // Its ports are not those of the array at the main office.
    let ports = found.prediction.resources.iter().filter(|r| r.resource.name.contains("FlashBlade"));
    assert!(ports.filter(|r| r.resource.server == Some(1)).count() > 0);
    // One order: the bill has the space of both arrays, as large as they are laid out.
    let array = &WORLD.catalog.arrays["flashblade"];
    let laid_out: f64 = [d.mount("depot"), Some(depot)].into_iter().flatten().map(|m| m.disks).sum();
    let bytes = laid_out * array.usable.value.get() / array.disks.value;
    let line = found.bill.lines.iter().find(|line| line.item.id == "flashblade").expect("a line");
    assert!((line.quantity.first / (bytes / 1e12) - 1.0).abs() < 0.01, "{} of {}", line.quantity.first, bytes / 1e12);
}

#[test]
fn drives_that_make_two_sets_are_split_as_each_set_needs() {
    for stated in ["", "local_disks = 16\n"] {
        let text = format!(
            "[people]\ndevelopers = 30\n[data]\ndepot_size = \"75 TB\"\n[server]\nrelease = \"2024.2\"\n{stated}[infrastructure]\n\
             storage = [\"local-raid\"]\nprotocols = [\"local\"]\n"
        );
        let found = chosen(&text);
        let [db, depot] = ["db", "depot"].map(|role| found.deployment.mount(role).expect("a volume"));
        assert!(!db.shares_disks(found.deployment.mount("journal").expect("a journal")), "{stated}");
        assert!(!found.falls_short && depot.disks > db.disks, "{stated}: {} and {}", db.disks, depot.disks);
    }
}

#[test]
fn a_database_leaves_the_file_service_where_block_is_rented() {
    for criteria in ["cost = 8", "performance = 1", "manageability = 8"] {
        let text = format!(
            "[people]\ndevelopers = 5\n[data]\ndepot_size = \"200 GB\"\n[server]\nram = \"8 GiB\"\ncores = 2\nlocal_disks = 0\n\
             [infrastructure]\nstorage = [\"cloud-block\", \"cloud-nfs\"]\nedges_max = 0\n[criteria]\n{criteria}\n"
        );
        let found = chosen(&text);
        let db = found.deployment.mount("db").expect("a database");
        assert!(db.is_cloud(), "{criteria}: {}", db.device);
    }
}

/// Weights that nobody stated are no uncertainty that could overrule one that is stated.
#[test]
fn an_unstated_weight_overrules_no_stated_one() {
    let text = "[people]\ndevelopers = 5\n[data]\nfiles = 150_000\ndepot_size = \"200 GB\"\nworkspace_size = \"80 GB\"\n[server]\n\
                ram = \"8 GiB\"\ncores = 2\nlocal_disks = 0\n[infrastructure]\nstorage = [\"cloud-block\", \"cloud-nfs\"]\n\
                edges_max = 0\n[criteria]\ncost = 8\n";
    let found = advice(&site(text));
    let chosen = found.chosen.as_ref().expect("a recommendation");
    assert_eq!(chosen.deployment.layout, "cloud-general-cheap-depot");
    let mut doubts = found.contest.doubts.iter();
    assert!(!found.contest.doubts.is_empty());
    assert!(doubts.all(|doubt| !doubt.source.to_string().starts_with("criteria.")));
}

/// A studio in a cloud with what a failure may cost.
fn in_a_cloud(storage: &str) -> Site {
    site(&format!(
        "[people]\ndevelopers = 40\n[data]\ndb_size = \"9 GiB\"\ndepot_size = \"1.4 TiB\"\n[server]\nmodel = \"cloud-2xl\"\n\
         release = \"2024.2\"\n{storage}[protection]\nbackup = \"snapshots\"\nrpo = \"4 h\"\nrto = \"8 h\"\n"
    ))
}

/// Whether RTO and RPO are kept.
fn keeps(chosen: &Chosen, site: &Site) -> bool {
    let mut missed = chosen.misses(site).into_iter();
    !missed.any(|miss| matches!(miss, Miss::Rto { .. } | Miss::Rpo { .. }))
}

#[test]
fn a_layout_that_keeps_what_is_stated_on_failures_comes_first_and_a_standby_where_none_does() {
    let free = in_a_cloud("");
    let found = advice(&free);
    let chosen = found.chosen.as_ref().expect("a recommendation");
    assert!(keeps(chosen, &free));
    assert!(chosen.deployment.standby.is_none());
    let filer = found.alternatives.iter().filter(|other| other.layout == "cloud-block-file-depot");
    let mut why = filer.map(|other| other.why_not.as_str());
    assert!(why.all(|why| why.contains("RTO of 8 h")), "{:?}", found.alternatives);
    // On the file service alone nothing but a standby keeps it.
    let bound = in_a_cloud("[infrastructure]\nstorage = [\"cloud-nfs\"]\n");
    let found = advice(&bound);
    let chosen = found.chosen.as_ref().expect("a recommendation");
    assert!(keeps(chosen, &bound));
    let standby = chosen.deployment.standby.as_ref().expect("a standby");
    assert_eq!(standby.place(), "another zone");
    // In a room of one's own it stands in another building.
    let room = site(
        "[people]\ndevelopers = 200\n[server]\nrelease = \"2024.2\"\n[protection]\nbackup = \"snapshots\"\nrpo = \"1 h\"\nrto = \"2 h\"\n",
    );
    let found = advice(&room).chosen.expect("a recommendation");
    assert!(keeps(&found, &room));
    let standby = found.deployment.standby.as_ref().expect("a standby");
    assert_eq!(standby.place(), "another building");
    assert!(found.bill.lines[0].quantity.first >= 2.0);
}

#[test]
fn what_no_layout_keeps_is_told_with_its_reason() {
    let none = site(
        "[people]\ndevelopers = 200\n[server]\nrelease = \"2012.1\"\n[protection]\nbackup = \"snapshots\"\nrpo = \"1 min\"\nrto = \"1 min\"\n",
    );
    let found = advice(&none);
    let slow = found.findings.iter().find(|finding| finding.rule == "RCV001" && !finding.is_of_today);
    assert!(slow.expect("RCV001").stays.is_some());
}

#[test]
fn free_drives_of_the_server_are_used_beside_a_san() {
    for (storage, protocols) in [
        ("\"generic-flash-block\"", ""),
        ("\"generic-flash-block\"", "protocols = [\"local\", \"iscsi\"]\n"),
        ("\"local-raid\", \"generic-hybrid\"", ""),
        ("\"generic-disk\"", "protocols = [\"local\", \"fc\"]\n"),
    ] {
        for people in [80, 500, 1500] {
            let text = format!(
                "[people]\ndevelopers = {people}\n[server]\nrelease = \"2024.2\"\nlocal_disks = 4\nlocal_medium = \"nvme\"\n\
                 [infrastructure]\nstorage = [{storage}]\n{protocols}"
            );
            let found = chosen(&text);
            let [db, journal] = ["db", "journal"].map(|role| found.deployment.mount(role).expect("a volume"));
            assert!(db.is_local() && !db.shares_disks(journal), "{text}: {}", found.deployment.layout);
        }
    }
}

#[test]
fn general_purpose_block_and_cheap_depots_are_taken_where_cost_decides() {
    let text = "[people]\ndevelopers = 5\n[server]\nram = \"8 GiB\"\ncores = 2\nlocal_disks = 0\n[infrastructure]\n\
                storage = [\"cloud-block\", \"cloud-nfs\"]\nedges_max = 0\n[criteria]\ncost = 8\n";
    let site = site(text);
    let found = advice(&site);
    let layout = &found.chosen.as_ref().expect("a recommendation").deployment.layout;
    assert_eq!(layout, "cloud-general-cheap-depot");
    // An instance that is the smallest for stated answers alone says so.
    let words = Answer::of(&site, &WORLD.catalog, &found).instance;
    assert!(words.contains("with 2 cores and 8 GiB of memory, as stated, that carries"), "{words}");
}

/// What is easier is carried no worse: as much is met, and where fewer people are carried, since another layout scores higher, the
/// answer says which carries more.
#[test]
fn an_easier_site_gets_no_worse_recommendation() {
    const FOUND: f64 = 0.97;
    let filer = |syncs: u32, ram: &str| {
        format!(
            "[people]\ndevelopers = 200\n[data]\ndepot_size = \"12 TiB\"\nworkspace_size = \"545 GB\"\nbinary_share = \"90 %\"\n\
             [workload]\nautomation_share = \"80 %\"\nconcurrent_syncs = {syncs}\nconcurrent_sync_size = \"20 GB\"\n[server]\n\
             ram = \"{ram}\"\ncores = 12\nrelease = \"2012.2\"\nlocal_disks = 0\n[infrastructure]\nstorage = [\"fas3270\"]\n\
             protocols = [\"fc\", \"iscsi\", \"nfsv3\"]\n"
        )
    };
    let distant = |line: &str| {
        format!(
            "[people]\ndevelopers = 400\n[[people.site]]\nname = \"Lyon\"\ndevelopers = 100\nround_trip = \"60 ms\"\n\
             bandwidth = \"{line}\"\n[server]\nrelease = \"2024.2\"\n[infrastructure]\nstorage = [\"local-raid\"]\nprotocols = [\"local\"]\n"
        )
    };
    let ways = [
        [40, 20, 10, 5].map(|syncs| filer(syncs, "64 GiB")).to_vec(),
        ["32 GiB", "64 GiB", "128 GiB"].map(|ram| filer(10, ram)).to_vec(),
        ["100 Mb/s", "1 Gb/s", "10 Gb/s"].map(distant).to_vec(),
    ];
    for way in ways {
        let mut before: Option<Chosen> = None;
        for text in way {
            let found = chosen(&text);
            if let Some(before) = &before {
                let [was, is] = [before, &found].map(|one| one.missed.len());
                assert!(is <= was, "{text}{:?} {:?}", before.missed, found.missed);
                let [was, is] = [before, &found].map(|one| one.headroom.factor);
                let says = found.cautions.iter().any(|said| said.contains("carries more"));
                assert!(is >= FOUND * was || says, "{text}{is} after {was}");
            }
            before = Some(found);
        }
    }
}

/// What a window in flight limits is not laid at the door of a network that has room.
#[test]
fn a_small_window_is_latency_and_no_busy_network() {
    let text = "[people]\ndevelopers = 150\n[[people.site]]\nname = \"Far\"\ndevelopers = 50\nround_trip = \"130 ms\"\n\
                bandwidth = \"100 Mb/s\"\n[server]\nrelease = \"2013.2\"\n[infrastructure]\nproxies = false\nedges_max = 0\n";
    let site = site(text);
    let found = advice(&site);
    let chosen = found.chosen.as_ref().expect("a recommendation");
    assert!(!chosen.missed.is_empty());
    let bottleneck = Bottleneck::of(&site, &chosen.prediction, &chosen.headroom.limit);
    assert!(matches!(bottleneck, Bottleneck::Latency { .. }), "{bottleneck:?}");
    let screen = advice_screen(&site, &WORLD.catalog, &found).text;
    assert!(!screen.contains("Busiest today: "), "{screen}");
}

#[test]
fn a_stated_replica_is_in_layout_words_and_bill() {
    let one_room = "[people]\ndevelopers = 200\n[server]\nrelease = \"2024.2\"\n[protection]\nbackup = \"replica\"\n";
    let lyon = office("Lyon", 40, 30);
    let two_towns = one_room.replace("[server]", &format!("{lyon}[server]"));
    for (text, place) in [(one_room, "another building"), (two_towns.as_str(), "Lyon")] {
        let site = site(text);
        let found = advice(&site);
        let chosen = found.chosen.as_ref().expect("a recommendation");
        let standby = chosen.deployment.standby.as_ref().expect("a standby");
        assert_eq!(standby.place(), place);
        let answer = Answer::of(&site, &WORLD.catalog, &found);
        let words = &answer.layout.as_ref().expect("a layout").servers;
        assert!(words.contains(&format!("a standby in {place}")), "{words}");
        let servers = &chosen.bill.lines[0];
        assert_eq!(servers.quantity.first, chosen.deployment.servers() as f64 + 1.0);
    }
}

/// Sites of every kind: people, offices, memory, drives, storage.
fn sites() -> Vec<String> {
    let people = [8, 60, 400, 2500];
    let storage = [
        "storage = [\"local-raid\"]\nprotocols = [\"local\"]\n",
        "storage = [\"local-raid\", \"generic-hybrid\"]\nprotocols = [\"local\", \"fc\", \"nfsv3\"]\n",
        "storage = [\"generic-flash-block\", \"generic-flash-file\"]\nprotocols = [\"local\", \"iscsi\", \"nfsv3\"]\n",
        "storage = [\"cloud-block\", \"cloud-nfs\"]\n",
        "storage = [\"generic-disk\"]\nprotocols = [\"nfsv3\"]\n",
        "storage = [\"generic-flash-block\"]\n",
        "storage = [\"azure-disks\", \"azure-netapp-files\"]\n[criteria]\ncost = 8\n",
    ];
    let protection = [
        "",
        "[protection]\nbackup = \"snapshots\"\nrto = \"8 h\"\nrpo = \"4 h\"\n",
        "[protection]\nbackup = \"checkpoint\"\nrto = \"2 h\"\n",
    ];
    let server = ["", "ram = \"8 GiB\"\n", "local_disks = 4\nlocal_medium = \"nvme\"\n"];
    let mut sites = Vec::new();
    for (i, people) in people.into_iter().enumerate() {
        for (j, storage) in storage.into_iter().enumerate() {
            let server = server[(i + j) % server.len()];
            let offices = match (i + j) % 2 {
                0 => String::new(),
                _ => office("Lyon", people / 4, 60) + &office("Oslo", (people / 20).max(1), 25),
            };
            let protection = protection[(i + 2 * j) % protection.len()];
            sites.push(format!(
                "[people]\ndevelopers = {people}\n{offices}[server]\nrelease = \"2024.2\"\n{server}[infrastructure]\n{storage}\
                 {protection}"
            ));
        }
    }
    sites
}

/// The JSON answer, the text, the diagram and the bill have the servers, drives and systems of the layout.
fn all_faces_are_of_one_layout(site: &Site, found: &Advice, chosen: &Chosen) {
    let World { catalog, calibration, .. } = &*WORLD;
    let d = &chosen.deployment;
    let own = d.servers_and_standby().flat_map(|server| d.volumes_on(server));
    let own: BTreeSet<&str> = own.map(|mount| mount.device.as_str()).collect();
    let called = own.iter().map(|id| match *id {
        LOCAL_DISKS => "local disks",
        id => id,
    });
    let called: BTreeSet<&str> = called.collect();
    let inputs = Inputs { site, catalog, calibration };
    let json = advice_json(&inputs, found);
    let volumes = json["recommendation"]["volumes"].as_array().expect("a list");
    let devices = volumes.iter().filter_map(|volume| volume["device"].as_str());
    assert_eq!(devices.collect::<BTreeSet<_>>(), called);
    // In words.
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let full = flat(&advice_text(inputs, found));
    let standby = d.standby.iter();
    let standby = standby.map(|standby| format!("a standby in {} with everything", standby.place()));
    let standby: Vec<String> = standby.collect();
    assert_eq!(full.contains(" with everything on "), !standby.is_empty(), "{full}");
    assert!(standby.iter().all(|words| full.contains(words)), "{full}");
    assert!(d.offices.iter().take(2).all(|office| full.contains(office.as_str())));
    // Drawn.
    let drawn = diagram(site, catalog, d, &chosen.prediction);
    let titles = drawn.nodes.iter().map(|node| format!("{} {}", node.title, node.lines.join(" ")));
    let titles = titles.collect::<Vec<_>>().join("\n");
    assert_eq!(titles.contains("Standby"), d.standby.is_some(), "{titles}");
    for device in own.iter().filter(|device| **device != LOCAL_DISKS) {
        let name = &catalog.arrays[*device].entry.name;
        assert!(full.contains(name.as_str()), "{name}: {full}");
        let is_volume = d.volumes.iter().any(|mount| mount.device == **device && mount.is_cloud());
        assert!(is_volume || titles.contains(name.as_str()), "{name}: {titles}");
    }
    on_the_bill(chosen);
    // Volumes, limits and dates on the first screen are those of the JSON; what is missed stands first.
    let screen = flat(&advice_screen(site, catalog, found).text);
    for place in json["answer"]["layout"]["places"].as_array().expect("a list") {
        let place = place["place"].as_str().expect("words");
        assert!(screen.contains(place), "{place}: {screen}");
    }
    let first = &json["answer"]["limits"][0];
    let when = first["when"].as_str().expect("words");
    assert!(screen.contains(when), "{when}: {screen}");
    first_screen::what_is_missed_stands_first(site, found);
}

/// The bill has the servers and drives of the layout.
fn on_the_bill(chosen: &Chosen) {
    let d = &chosen.deployment;
    let servers = d.servers_and_standby().len();
    let lines = &chosen.bill.lines;
    assert_eq!(lines[0].quantity.first, servers as f64);
    let on_bill = lines.iter().filter(|line| line.unit == Per::Drive);
    let ordered: f64 = on_bill.map(|line| line.quantity.first).sum();
    let there = d.servers_and_standby().flat_map(|server| d.private_sets(server));
    let there = there.filter(|mount| mount.is_local());
    let bought = |proxy: &&Proxy| WORLD.catalog.media[&proxy.medium].rented.is_none();
    let caches = d.proxies.iter().filter(bought);
    let caches: f64 = caches.map(|proxy| proxy.disks * proxy.machines).sum();
    assert_eq!(ordered, there.map(|mount| mount.disks).sum::<f64>() + caches);
}

#[test]
fn no_finding_of_weight_stands_unanswered_drives_fit_and_edges_are_worth_their_place() {
    for text in sites() {
        let site = site(&text);
        let found = advice(&site);
        let Some(chosen) = &found.chosen else {
            continue;
        };
        let d = &chosen.deployment;
        all_faces_are_of_one_layout(&site, &found, chosen);
        let answer = Answer::of(&site, &WORLD.catalog, &found);
        let mut rivals = found.contest.rivals.iter();
        if rivals.any(|rival| rival.standing() == Lead::Behind) {
            assert!(answer.sure.to_string().contains("is not recommended"), "{text}\n{}", answer.sure);
        }
        for finding in &found.findings {
            let weighs = finding.severity > Severity::Note && !finding.is_of_today;
            let is_open = weighs && finding.remedy.is_some() && finding.stays.is_none();
            assert!(!is_open, "{text}\n{}: {}", finding.rule, finding.message);
        }
        let bays = WORLD.catalog.servers[&d.server].bays();
        let stated = site.server.local_disks.value;
        for volumes in groups(d) {
            assert!(drives(volumes) <= bays.max(stated), "{text}\n{} drives", drives(volumes));
        }
        if d.edges > 0 {
            assert!(chosen.edges_end.is_some() || d.offices.is_empty(), "{text}");
        }
        // Each edge is there for something, which the answer says.
        let placed = chosen.edges_worth.iter().map(|worth| &worth.office);
        assert!(placed.eq(&d.offices), "{text}{:?}", chosen.edges_worth);
        let words = &answer.layout.as_ref().expect("a layout").servers;
        for worth in &chosen.edges_worth {
            let helps = worth.relieves_line || !worth.meets.is_empty() || worth.hours > 0.0;
            assert!(helps, "{text}{worth:?}");
            assert!(d.offices.len() > 2 || words.contains(&worth.in_words()), "{words}");
        }
    }
}

/// Drives that nobody counted are as many as the load needs, of the kind that does: what is recommended carries no less than the
/// system that the same answers assume today, or all growth to the horizon.
#[test]
fn what_is_recommended_carries_no_less_than_what_is_assumed_today() {
    const PLANNED: f64 = 1.25 * 1.25 * 1.25;
    for (release, people, commands) in
        [("2011.1", 500, 150_000), ("2013.1", 5000, 3_500_000), ("2019.1", 3000, 2_000_000)]
    {
        let text = format!(
            "[people]\ndevelopers = {people}\n[workload]\ncommands_per_day = \"{commands} /day\"\n[server]\nrelease = \"{release}\"\n"
        );
        let site = site(&text);
        let found = advice(&site);
        let chosen = found.chosen.unwrap_or_else(|| panic!("{text}: nothing"));
        let today = today::today(&site, &WORLD.catalog, &WORLD.calibration).unwrap();
        let [new, old] = [chosen.headroom.factor, today.today.factor];
        assert!(new >= (0.98 * old).min(PLANNED), "{text}: {new} of {old}");
        assert!(drives(&chosen.deployment.volumes) <= 24.0, "{text}");
    }
}

/// A standby without drives lies on arrays like those of the commit server.
#[test]
fn a_standby_stands_where_storage_is_arrays_alone() {
    let found = chosen(
        "[people]\ndevelopers = 100\n[protection]\nbackup = \"replica\"\n[edge]\nlocal_disks = 0\n[server]\nlocal_disks = 0\n\
         [infrastructure]\nstorage = [\"fas3270\"]\nprotocols = [\"iscsi\", \"nfsv3\"]\n",
    );
    let standby = found.deployment.standby.as_ref().expect("a standby");
    assert!(!standby.volumes.is_empty());
    assert!(standby.volumes.iter().all(|m| m.device == "fas3270" && m.is_own()));
    let mut stores = found.headroom.capacity.iter();
    assert!(stores.any(|store| store.server_idx == found.deployment.servers()));
}

/// Whether the newest release runs on an operating system is told, or that it is not known.
#[test]
fn an_upgrade_is_not_promised_on_a_system_that_it_is_not_known_to_run_on() {
    for (system, known) in [("linux", true), ("windows", true), ("solaris", false)] {
        let found = advice(&site(&format!(
            "[people]\ndevelopers = 100\n[server]\nrelease = \"2009.1\"\n[infrastructure]\noperating_systems = [\"{system}\"]\n"
        )));
        let mut all = found.findings.iter();
        let finding = all.find(|f| f.rule == "REL001").expect("an old release");
        let action = finding.action.to_string();
        assert_eq!(action.contains("is not known"), !known, "{system}: {action}");
    }
}

/// A finding asks for what the site allows.
#[test]
fn a_database_on_exports_goes_where_the_site_allows_it() {
    for (protocols, wanted) in [
        ("\"nfsv3\"", "protocols allows file protocols alone"),
        ("\"nfsv3\", \"local\"", "disks of the server"),
        ("\"nfsv3\", \"iscsi\"", "LUNs"),
    ] {
        let site = site(&format!(
            "[people]\ndevelopers = 100\n[infrastructure]\ncurrent_layout = \"nfs-all\"\nstorage = [\"fas3270\"]\nprotocols = [{protocols}]\n"
        ));
        let there = today::system(&site, &WORLD.catalog, &WORLD.calibration).unwrap();
        let found = today::findings(&site, &WORLD.catalog, &WORLD.calibration, &there);
        let finding = found.iter().find(|f| f.rule == "PLC001").expect("on exports");
        let action = finding.action.to_string();
        assert!(action.contains(wanted), "{protocols}: {action}");
    }
}

/// A layout carries the same number of people whether it is recommended or stands there today.
#[test]
fn one_layout_carries_the_same_wherever_it_is_told() {
    let text = |layout: &str| {
        format!(
            "[people]\ndevelopers = 200\n[data]\ndepot_size = \"12 TiB\"\n[workload]\nconcurrent_syncs = 10\nconcurrent_sync_size = \"20 GB\"\n\
             [server]\nram = \"64 GiB\"\ncores = 12\nrelease = \"2012.2\"\nlocal_disks = 0\n\
             [infrastructure]\nproxies = false\nstorage = [\"fas3270\"]\nprotocols = [\"iscsi\", \"nfsv3\"]\n{layout}"
        )
    };
    let read = |text: &str| {
        let site = Arc::new(site(text));
        Prepared::of(site, &WORLD.vocabulary, &WORLD.catalog, &WORLD.calibration).site
    };
    let found = advice(&read(&text(""))).chosen.expect("a recommendation");
    let there = text(&format!("current_layout = \"{}\"\n", found.deployment.layout));
    let there = today::today(&read(&there), &WORLD.catalog, &WORLD.calibration).unwrap();
    let [new, old] = [found.headroom.factor, there.today.factor];
    assert!((new / old - 1.0).abs() < 0.05, "{new} {old}");
}
