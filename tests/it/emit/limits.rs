//! What servers may do at a time, as emitted, against what their memory holds.

use std::collections::BTreeMap;

use plimsoll::advisor::candidates;
use plimsoll::site::{self, Vocabulary};
use plimsoll::system::capacity;
use plimsoll::workload::from_site;
use proptest::prelude::*;

use super::Advised;
use super::parsed::servers;

const LIMIT: &str = "server.maxcommands";

/// The limits of commands in the configuration, by server; "any" holds where a server has none of its own.
fn limits(advised: &Advised) -> BTreeMap<String, f64> {
    let release = advised.advice.chosen.as_ref().unwrap().deployment.release;
    let (installation, _) = servers(release, &advised.files());
    let set = installation.configurables.into_iter();
    set.filter(|((_, name), _)| name == LIMIT).map(|((server, _), value)| (server, value.parse().unwrap())).collect()
}

/// Holds the limits of a deployment's servers against what the finding on memory says that they carry.
fn no_more_than_memory_holds(advised: &Advised, what: &str) {
    let chosen = advised.advice.chosen.as_ref().unwrap();
    let limits = limits(advised);
    if chosen.deployment.release < plimsoll::catalog::Release::new(2013, 1) {
        assert!(limits.is_empty(), "{what}: {limits:?}");
        return;
    }
    for memory in &chosen.memory.servers {
        let own = match memory.server {
            0 => limits.get("any"),
            n => limits.get(&format!("edge{n}")),
        };
        let most = memory.processes_most();
        let what = format!("{what}: {memory:?}");
        let Some(limit) = own else {
            assert!(most < 1.0, "{what}: no limit");
            continue;
        };
        assert!((1.0..=most).contains(limit), "{what}: {limit}");
        let wanted = (2.0 * memory.connections).max(2500.0).ceil();
        assert_eq!(*limit, wanted.min(most), "{what}");
    }
}

fn sites() -> impl Strategy<Value = String> {
    let offices = prop_oneof![
        Just(String::new()),
        (1_u32..300).prop_map(|n| format!(
            "[[people.site]]\nname = \"Lyon\"\ndevelopers = {n}\nround_trip = \"90 ms\"\nbandwidth = \"1 Gb/s\"\n"
        )),
    ];
    let release = prop::sample::select(vec!["2012.2", "2013.1", "2013.2", "2019.1", "2025.2"]);
    let memory = prop::sample::select(vec![1, 2, 4, 8, 16, 64, 512]);
    let edge_memory = prop::sample::select(vec![1, 4, 8, 256]);
    let system = prop::sample::select(vec!["linux", "windows"]);
    (300_u32..2000, 0_u32..6000, offices, release, memory, edge_memory, system).prop_map(
        |(people, connections, offices, release, memory, edge_memory, system)| {
            format!(
                "schema = 1\nname = \"Generated\"\n[people]\ndevelopers = {people}\nconnections_at_peak = {connections}\n\
                 {offices}[server]\nrelease = \"{release}\"\nram = \"{memory} GiB\"\nlocal_disks = 8\n[edge]\nram = \
                 \"{edge_memory} GiB\"\n[infrastructure]\nstorage = [\"local-raid\", \"flasharray\"]\n\
                 operating_systems = [\"{system}\"]\n"
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Every deployment that such a site could get; which one is best does not matter here, so nothing is solved.
    #[test]
    fn no_server_may_run_more_commands_than_its_memory_holds(text in sites()) {
        let mut advised = Advised::example("game-studio", &[]);
        let vocabulary = Vocabulary::of(&advised.catalog);
        advised.site = site::parse("site.toml", &text, &[], &vocabulary)
            .unwrap_or_else(|d| panic!("{}", d.render()));
        let load = from_site::load(&advised.site);
        for candidate in candidates(&advised.site, &advised.catalog).0 {
            let deployment = candidate.deployment;
            let memory = capacity::memory(&advised.site, &advised.calibration, &deployment, &load, 1.0);
            let chosen = advised.advice.chosen.as_mut().unwrap();
            (chosen.deployment, chosen.memory) = (deployment, memory);
            no_more_than_memory_holds(&advised, &text);
        }
    }
}

/// The limit that the finding names is the one that is written.
#[test]
fn the_remedy_of_missing_memory_is_in_the_configuration() {
    let text = "schema = 1\nname = \"Storm\"\n[people]\ndevelopers = 20\nconnections_at_peak = 2193\n[data]\n\
        db_size = \"2 GiB\"\nfiles = 400_000\n[server]\nram = \"4 GiB\"\nbits = 32\n[infrastructure]\nedges_max = 0\n";
    let advised = Advised::of(text, &[]);
    let chosen = advised.advice.chosen.as_ref().unwrap();
    assert!(chosen.memory.servers[0].is_short());
    let most = chosen.memory.servers[0].processes_most();
    assert!(most < 2193.0);
    assert_eq!(limits(&advised)["any"], most);
    let findings = &advised.advice.findings;
    let memory = findings.iter().find(|f| f.rule == "MEM003").unwrap();
    let named = format!("server.maxcommands to {most:.0},");
    assert!(memory.action.to_string().contains(&named), "{}", memory.action);
}
