//! Kinds of work: what an office is called changes nothing in the answer but the name.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use plimsoll::advisor::{self, missed, tightest};
use plimsoll::catalog::Response;
use plimsoll::report::{self, Inputs};
use plimsoll::site::{self, Site};
use plimsoll::system::predict;
use plimsoll::workload::{Clients, Work, from_site};

use crate::shared::FROZEN;

/// Names that look like those of other kinds of work, of servers or of resources.
const NAMES: [&str; 18] = [
    "automation",
    "Lyon (automation)",
    "(automation)",
    "office automation",
    "large sync",
    "large syncs",
    "large",
    "developers",
    "none",
    "background",
    "browse",
    "submit (Montreal)",
    "edge 1",
    "commit server",
    "db.have on commit server",
    "the main office",
    "Montréal \"北\" \\ {0}, p95",
    "=1+1",
];

/// What two offices of the same sites are called otherwise.
const PLAIN: [&str; 2] = ["Qqqq", "Zzzz"];

/// A site with two distant offices.
#[derive(Debug, Clone)]
struct Answers {
    developers: [u32; 2],
    round_trips: [u32; 2],
    large_syncs: u32,
    automation: u32,
    edges: u32,
    /// How strict the targets are, from 1 on.
    targets: u32,
}

fn answers() -> impl Strategy<Value = Answers> {
    let offices = ([5_u32..150, 5..150], [3_u32..300, 3..300]);
    (offices, 0_u32..6, 0_u32..80, 0_u32..3, 1_u32..1000).prop_map(
        |((developers, round_trips), large_syncs, automation, edges, targets)| Answers {
            developers,
            round_trips,
            large_syncs,
            automation,
            edges,
            targets,
        },
    )
}

fn read(answers: &Answers, names: [&str; 2]) -> Site {
    let Answers { developers, round_trips, large_syncs, automation, edges, targets } = answers;
    let mut text = format!(
        "schema = 1\nname = \"Studio\"\n[people]\ndevelopers = 400\n[data]\ndb_size = \"34 GiB\"\n[workload]\n\
         automation_share = \"{automation} %\"\nconcurrent_syncs = {large_syncs}\n[server]\n\
         local_disks = 12\n[infrastructure]\nstorage = [\"flasharray\", \"flashblade\"]\nedges_max = {edges}\n[targets]\nbrowse = \"{targets} ms\"\nedit = \"{targets} ms\"\n\
         submit = \"{} ms\"\nsync = \"{} ms\"\nlarge_sync = \"{} s\"\n",
        4 * targets,
        9 * targets,
        9 * targets
    );
    for ((name, developers), trip) in names.iter().zip(developers).zip(round_trips) {
        let name = serde_json::to_string(name).unwrap();
        text.extend([format!(
            "[[people.site]]\nname = {name}\ndevelopers = {developers}\nround_trip = \"{trip} ms\"\n"
        )]);
    }
    site::parse("site.toml", &text, &[], &FROZEN.vocabulary)
        .unwrap_or_else(|error| panic!("{text}\n{}", error.render()))
}

/// What is predicted and judged of each kind of work under the recommendation for plain names, and what is said of it.
fn judged(site: &Site, answers: &Answers) -> Vec<String> {
    let (catalog, calibration) = (&FROZEN.catalog, &FROZEN.calibration);
    let layout = ["local-all", "flasharray-flashblade"][(answers.edges % 2) as usize];
    let deployment = advisor::best_of_layout(site, catalog, calibration, layout);
    let deployment = deployment.expect("the layout is possible");
    let load = from_site::load(site);
    let prediction = predict(&deployment, &load, catalog, calibration);
    let Ok(prediction) = prediction else {
        return vec![format!("{prediction:?}")];
    };
    let classes = prediction.classes.iter().map(|class| {
        let aim = class.work.target();
        let (name, found) = (&class.name, tightest(site, class));
        assert_eq!(*name, class.work.to_string());
        format!("{name} {aim:?} {found:?} {:?} {:?}", class.mean, class.parts)
    });
    let mut said: Vec<String> = classes.collect();
    said.extend(missed(site, &prediction));
    said.extend(prediction.resources.iter().map(|r| format!("{} {}", r.resource.name, r.utilization)));
    said
}

/// What is said with plain names, with the others in their place; quotes of the format are left alone.
fn renamed(said: &str, names: [&str; 2]) -> String {
    let mut said = said.to_owned();
    for (plain, name) in PLAIN.iter().zip(names) {
        if name == "automation" {
            // A kind of work by machines has that name already; an edge has not.
            let (work, edge) = (format!("({plain})"), format!("edge 1 ({plain})"));
            said = said.replace(&edge, "edge 1 (automation)");
            said = said.replace(&work, "(office automation)");
        }
        said = said.replace(plain, name);
    }
    said
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 16,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(35),
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_an_office_is_called_changes_only_its_name(
        answers in answers(),
        first in 0..NAMES.len(),
        apart in 1..NAMES.len(),
    ) {
        let names = [NAMES[first], NAMES[(first + apart) % NAMES.len()]];
        let plain = judged(&read(&answers, PLAIN), &answers);
        let plain: Vec<String> = plain.iter().map(|said| renamed(said, names)).collect();
        prop_assert_eq!(judged(&read(&answers, names), &answers), plain);
    }
}

/// The whole advice as JSON, without what stems from the file's text.
fn advice(site: &Site) -> String {
    let found = crate::report::advice(site);
    let inputs = Inputs { site, catalog: &FROZEN.catalog, calibration: &FROZEN.calibration };
    let mut json = report::advice_json(&inputs, &found);
    json["input"] = serde_json::Value::Null;
    serde_json::to_string_pretty(&json).unwrap()
}

#[test]
fn advice_is_the_same_whatever_offices_are_called() {
    let answers =
        Answers { developers: [90, 40], round_trips: [80, 9], large_syncs: 3, automation: 30, edges: 1, targets: 40 };
    let plain = advice(&read(&answers, PLAIN));
    let names = ["Lyon (automation)", "automation"];
    let (found, expected) = (advice(&read(&answers, names)), renamed(&plain, names));
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
}

#[test]
fn clients_of_an_office_are_no_others_of_its_name() {
    let office = Clients::Office("automation".to_owned());
    assert_ne!(office, Clients::Automation);
    assert_ne!(Clients::Office("large syncs".to_owned()), Clients::LargeSyncs);
}

#[test]
fn large_syncs_of_an_office_are_a_kind_of_work_of_their_own() {
    let sync = |clients: Clients| Work::new(&clients, Some(Response::Sync), "sync");
    let (near, far) = (sync(Clients::LargeSyncs), sync(Clients::LargeSyncsOf("Lyon".to_owned())));
    assert_ne!(near, far);
    for work in [&near, &far] {
        assert!(work.is_large_sync());
        assert_eq!(work.target(), Some(site::Target::LargeSync));
    }
    assert!(near.is_at_main_office() && !far.is_at_main_office());
    assert_eq!(near.to_string(), "large sync");
    assert_eq!(far.to_string(), "large sync (Lyon)");
    assert_eq!(far.clients.office(), Some("Lyon"));
    assert_eq!(far.clients.place(), "Lyon");
}
