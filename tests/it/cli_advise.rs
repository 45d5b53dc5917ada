//! `plimsoll advise`: the JSON that programs rely on, and answers that change for a reason.

use std::path::Path;

use serde_json::Value;

use crate::cli::{Ran, SITES, example, is_text, plimsoll, plimsoll_in, scratch, write};
use crate::site::LEAST;
use crate::site_hostile::is_harmless;

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    let items = value[key].as_array();
    items.unwrap_or_else(|| panic!("{key} must be a list: {}", value[key]))
}

fn number(value: &Value) -> f64 {
    let x = value.as_f64();
    x.filter(|x| x.is_finite())
        .unwrap_or_else(|| panic!("a number, not {value}"))
}

fn text(value: &Value) -> &str {
    assert!(is_text(value), "a text, not {value}");
    value.as_str().unwrap_or_default()
}

fn fraction(value: &Value) {
    assert!((0.0..=1.0).contains(&number(value)), "{value}");
}

/// A value between the ends of its interval.
fn interval(value: &Value) {
    let [value, low, high] = ["value", "low", "high"].map(|key| number(&value[key]));
    assert!(
        0.0 < low && low <= value && value <= high,
        "{low} {value} {high}"
    );
}

/// What `design.md` promises to programs under "JSON, at the least".
fn keeps_the_promise(answer: &Value) {
    assert_eq!(answer["schema"], 1);
    assert_eq!(answer["tool"], env!("CARGO_PKG_VERSION"));
    text(&answer["input"]["site_hash"]);
    text(&answer["input"]["parameters_hash"]);
    recommendation(&answer["recommendation"]);
    prediction(answer);
    assert!(number(&answer["headroom"]["factor"]) > 0.0);
    text(&answer["headroom"]["limit"]);
    for store in list(&answer["headroom"], "capacity") {
        let [usable, needed] =
            ["usable_bytes", "needed_at_horizon_bytes"].map(|k| number(&store[k]));
        assert!(usable >= needed && needed > 0.0, "{store}");
    }
    for alternative in list(answer, "alternatives") {
        text(&alternative["layout"]);
        text(&alternative["why_not"]);
        if alternative.get("predictions").is_some() {
            prediction(alternative);
        }
    }
    for finding in list(answer, "findings") {
        for key in ["rule", "message", "action"] {
            text(&finding[key]);
        }
        let severity = text(&finding["severity"]);
        assert!(
            ["note", "warning", "critical"].contains(&severity),
            "{severity}"
        );
        assert!(!list(finding, "evidence").is_empty(), "{finding:#}");
        for evidence in list(finding, "evidence") {
            text(&evidence["id"]);
            text(&evidence["text"]);
        }
    }
    assert!(!list(answer, "assumptions").is_empty());
    for assumption in list(answer, "assumptions") {
        for key in ["field", "value", "origin"] {
            text(&assumption[key]);
        }
    }
}

fn recommendation(recommendation: &Value) {
    text(&recommendation["sentence"]);
    text(&recommendation["layout"]);
    let edges = recommendation["edges"].as_u64().expect("edges");
    let volumes = list(recommendation, "volumes");
    for volume in volumes {
        for key in [
            "role",
            "server",
            "protocol",
            "device",
            "raid",
            "filesystem",
            "mount_options",
        ] {
            text(&volume[key]);
        }
        let [now, then] = ["size_bytes", "size_at_horizon_bytes"].map(|key| number(&volume[key]));
        assert!(0.0 < now && now <= then, "{volume:#}");
        assert!(number(&volume["io_per_s"]) >= 0.0);
        assert!(number(&volume["transfer_bytes_per_s"]) >= 0.0);
    }
    let standby = u64::from(!recommendation["standby"].is_null());
    for role in ["db", "offline_db", "journal", "log", "depot", "checkpoint"] {
        let servers = volumes.iter().filter(|v| v["role"] == role).count() as u64;
        let servers = servers - standby;
        assert!(
            servers == 1 || servers == edges + 1,
            "{role} on {servers} servers"
        );
    }
}

fn prediction(answer: &Value) {
    assert!(!list(answer, "predictions").is_empty());
    for class in list(answer, "predictions") {
        text(&class["class"]);
        interval(&class["response_time_s"]);
        interval(&class["response_time_p95_s"]);
        assert!(number(&class["throughput_per_s"]) > 0.0, "{class:#}");
    }
    assert!(!list(answer, "resources").is_empty());
    for resource in list(answer, "resources") {
        text(&resource["name"]);
        fraction(&resource["utilization"]);
    }
    text(&answer["bottleneck"]["name"]);
    fraction(&answer["bottleneck"]["utilization"]);
    let busiest = list(answer, "resources")
        .iter()
        .map(|r| number(&r["utilization"]))
        .fold(0.0, f64::max);
    assert!(number(&answer["bottleneck"]["utilization"]) >= busiest);
    fraction(&answer["memory"]["db_hit_fraction"]);
    fraction(&answer["memory"]["archive_hit_fraction"]);
}

fn advise(site: &str, overrides: &[&str], format: &str) -> Ran {
    let path = example(site);
    let mut arguments = vec!["advise", &path, "--full", "--format", format];
    for set in overrides {
        arguments.extend(["--set", set]);
    }
    plimsoll(&arguments)
}

fn answer(site: &str, overrides: &[&str]) -> Value {
    advise(site, overrides, "json").json()
}

/// The volumes of the commit server, by role.
fn volume<'a>(answer: &'a Value, role: &str) -> &'a Value {
    let volumes = list(&answer["recommendation"], "volumes");
    let found = volumes.iter().find(|v| v["role"] == role);
    found.unwrap_or_else(|| panic!("no volume for {role}"))
}

fn protocols<'a>(answer: &'a Value, roles: &[&str]) -> Vec<&'a str> {
    let roles = roles.iter();
    roles
        .map(|role| text(&volume(answer, role)["protocol"]))
        .collect()
}

fn mean(answer: &Value, class: &str) -> f64 {
    let found = list(answer, "predictions")
        .iter()
        .find(|p| p["class"] == class);
    number(&found.expect("the class")["response_time_s"]["value"])
}

const ROLES: [&str; 6] = ["db", "offline_db", "journal", "log", "depot", "checkpoint"];

fn is_block(protocol: &str) -> bool {
    ["fc", "iscsi"].contains(&protocol)
}

/// JSON and text of one example: the same twice, promise kept, and text that says the same.
fn check(site: &str) {
    let json = advise(site, &[], "json");
    assert_eq!(json, advise(site, &[], "json"), "the same bytes twice");
    let answer = json.json();
    keeps_the_promise(&answer);
    let missed = !list(&answer["recommendation"], "targets_missed").is_empty();
    assert_eq!(json.code, i32::from(missed));

    let ran = advise(site, &[], "text");
    assert_eq!((ran.code, ran.err.as_str()), (json.code, ""));
    assert!(is_harmless(&ran.out));
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    let words = words.join(" ");
    assert!(
        words.contains(text(&answer["recommendation"]["sentence"])),
        "{words}"
    );
    assert!(words.contains(text(&answer["bottleneck"]["name"])));
    for finding in list(&answer["answer"], "findings") {
        let found = format!(
            "{}: {}. [{}]",
            text(&finding["severity"]),
            text(&finding["message"]),
            text(&finding["rule"])
        );
        assert!(words.contains(&found), "{found}");
    }
    for assumption in list(&answer, "assumptions") {
        assert!(words.contains(text(&assumption["field"])), "{assumption}");
    }
    for alternative in list(&answer, "alternatives") {
        assert!(
            words.contains(text(&alternative["layout"])),
            "{alternative}"
        );
    }
    assert!(!words.contains("NaN") && !words.contains("inf "), "{words}");
}

#[test]
fn electronic_arts_2007_keeps_the_promise() {
    check(SITES[0]);
}

#[test]
fn a_game_studio_keeps_the_promise() {
    check(SITES[1]);
}

#[test]
fn netapp_2013_keeps_the_promise() {
    check(SITES[2]);
}

#[test]
fn pure_2017_keeps_the_promise() {
    check(SITES[3]);
}

#[test]
fn sun_2009_keeps_the_promise() {
    check(SITES[4]);
}

#[test]
fn the_working_folder_does_not_matter() {
    let folder = scratch("elsewhere");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join(example("netapp-lab-2013"));
    for format in ["text", "json"] {
        let arguments = ["advise", path.to_str().unwrap(), "--format", format];
        assert_eq!(plimsoll(&arguments), plimsoll_in(&folder, &arguments));
    }
}

#[test]
fn quiet_prints_the_recommendation_alone() {
    let path = example("netapp-lab-2013");
    let ran = plimsoll(&["advise", &path, "--quiet"]);
    let sentence = answer("netapp-lab-2013", &[])["recommendation"]["sentence"].clone();
    assert_eq!(ran.done(), format!("{}\n", text(&sentence)));
}

#[test]
fn a_missed_target_is_exit_code_1_and_told() {
    let wanted = ["targets.submit=\"1 ms\""];
    let ran = advise("netapp-lab-2013", &wanted, "json");
    assert_eq!(ran.code, 1);
    let answer = ran.json();
    let missed = text(&list(&answer["recommendation"], "targets_missed")[0]).to_owned();
    assert!(
        missed.contains("submit") && missed.contains("1 ms"),
        "{missed}"
    );
    assert!(text(&answer["recommendation"]["sentence"]).contains(&missed));
    let ran = advise("netapp-lab-2013", &wanted, "text");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    // The answer is another input, and the output says so.
    let plain = self::answer("netapp-lab-2013", &[]);
    assert_ne!(answer["input"]["site_hash"], plain["input"]["site_hash"]);
}

#[test]
fn syncs_at_once_decide_on_edges() {
    let many = answer("pure-lab-2017", &[]);
    let one = answer("pure-lab-2017", &["workload.concurrent_syncs=1"]);
    assert_eq!(one["recommendation"]["edges"], 0);
    assert!(number(&many["recommendation"]["edges"]) >= 1.0);
    assert!(text(&many["recommendation"]["sentence"]).contains("edge"));
    assert!(!text(&one["recommendation"]["sentence"]).contains("edge"));
    // Why edges: without them the link to the clients is full, and the sync takes too long.
    let without = list(&many, "alternatives")
        .iter()
        .find(|a| a["edges"] == 0)
        .expect("a layout without edges");
    assert!(text(&without["bottleneck"]["name"]).starts_with("client network"));
    assert!(
        number(&without["bottleneck"]["utilization"]) > number(&many["bottleneck"]["utilization"])
    );
    assert!(text(&without["why_not"]).contains("sync"));
    // Why none: they cost money and work.
    let with = list(&one, "alternatives")
        .iter()
        .find(|a| a["edges"].as_u64().is_some_and(|n| n > 0))
        .expect("a layout with edges");
    let why_not = text(&with["why_not"]);
    assert!(
        why_not.contains("cost") || why_not.contains("manageability"),
        "{why_not}"
    );
}

#[test]
fn what_matters_decides_on_the_protocol() {
    let speed = answer(
        "netapp-lab-2013",
        &[
            "criteria.direct_file_access=0",
            "criteria.manageability=0",
            "criteria.cost=0",
            "criteria.backup=0",
        ],
    );
    let found = protocols(&speed, &ROLES);
    assert!(found.iter().all(|p| is_block(p)), "{found:?}");
    let weights = &speed["recommendation"]["scores"]["criteria"];
    assert_eq!(number(&weights["performance"]["weight_fraction"]), 1.0);
    let alternatives = list(&speed, "alternatives");
    assert!(
        alternatives
            .iter()
            .any(|a| text(&a["why_not"]).contains("slower"))
    );

    let alike = answer("netapp-lab-2013", &[]);
    let found = protocols(&alike, &["db", "journal"]);
    assert!(found.iter().all(|p| is_block(p)), "{found:?}");
    assert_eq!(protocols(&alike, &["depot"]), ["nfsv3"]);
    let why_not = |of: &dyn Fn(&str) -> bool| {
        let all = |a: &&Value| {
            let volumes = a["volumes"].as_array();
            volumes.is_some_and(|v| v.iter().all(|v| of(text(&v["protocol"]))))
        };
        let found = list(&alike, "alternatives")
            .iter()
            .find(all)
            .expect("one such layout");
        text(&found["why_not"]).to_owned()
    };
    assert!(why_not(&|p| p == "nfsv3").contains("slower"));
    assert!(why_not(&is_block).contains("direct file access"));

    let cheap = answer(
        "netapp-lab-2013",
        &[
            "criteria.performance=0",
            "criteria.direct_file_access=0",
            "criteria.backup=0",
        ],
    );
    let found = protocols(&cheap, &ROLES);
    assert!(found.iter().all(|p| *p == "nfsv3"), "{found:?}");
    let why_not = text(&list(&cheap, "alternatives")[0]["why_not"]);
    assert!(
        why_not.contains("manageability") || why_not.contains("cost"),
        "{why_not}"
    );
}

#[test]
fn electronic_arts_keeps_db_and_archives_apart() {
    let answer = answer("ea-redwood-shores-2007", &[]);
    let [db, journal, depot] = ["db", "journal", "depot"].map(|role| volume(&answer, role));
    assert_eq!(
        [&db["protocol"], &journal["protocol"], &depot["protocol"]],
        ["local", "local", "fc"]
    );
    assert_eq!(depot["device"], "ea-san");
    assert!(text(&db["raid"]).starts_with("raid10,"), "{db:#}");
    assert!(text(&journal["raid"]).starts_with("raid1,"), "{journal:#}");
    assert!(text(&depot["raid"]).starts_with("raid5,"), "{depot:#}");
    assert!(
        ROLES
            .iter()
            .all(|role| volume(&answer, role)["filesystem"] == "xfs")
    );
    assert_eq!(answer["recommendation"]["proxies"], true);
    assert!(text(&answer["recommendation"]["sentence"]).contains("proxies"));
}

#[test]
fn sun_chooses_zfs_over_ufs() {
    let free = answer("sun-partner-2009", &[]);
    assert!(
        ROLES
            .iter()
            .all(|role| volume(&free, role)["filesystem"] == "zfs")
    );
    let named = list(&free, "alternatives").iter().any(|a| {
        let volumes = a["volumes"].as_array();
        volumes.is_some_and(|v| v.iter().any(|v| v["filesystem"] == "ufs"))
    });
    assert!(named, "UFS is among the alternatives");
    let ufs = answer(
        "sun-partner-2009",
        &["infrastructure.filesystems=[\"ufs\"]"],
    );
    assert!(
        ROLES
            .iter()
            .all(|role| volume(&ufs, role)["filesystem"] == "ufs")
    );
    for class in ["submit", "sync", "large sync"] {
        assert!(mean(&ufs, class) > mean(&free, class), "{class}");
    }
}

/// Levels of the catalogue need a least number of disks.
#[test]
fn a_set_has_the_disks_that_its_level_needs() {
    let levels = plimsoll(&["models", "raid", "--format", "json"]).json();
    let least = |level: &str| -> u32 {
        let entry = list(&levels, "raid").iter().find(|r| r["id"] == level);
        let facts = list(entry.expect("a level"), "facts");
        let fact = facts.iter().find(|f| f["path"] == "min_disks");
        text(&fact.expect("min_disks")["value"]).parse().unwrap()
    };
    let path = write(&scratch("least"), "site.toml", LEAST);
    let answer = plimsoll(&["advise", &path, "--format", "json"]).json();
    for volume in list(&answer["recommendation"], "volumes") {
        let raid = text(&volume["raid"]);
        let (level, disks) = raid.split_once(", ").unwrap();
        let disks: u32 = disks.split_whitespace().next().unwrap().parse().unwrap();
        assert!(disks >= least(level), "{}: {raid}", volume["role"]);
    }
}

#[test]
fn the_least_site_keeps_the_promise() {
    let path = write(&scratch("least-promise"), "site.toml", LEAST);
    let ran = plimsoll(&["advise", &path, "--format", "json"]);
    assert_eq!(ran.code, 0);
    keeps_the_promise(&ran.json());
}

#[test]
fn a_reason_against_a_layout_is_true() {
    // Eight local disks are stated; "local" is not among the protocols.
    let answer = answer("netapp-lab-2013", &[]);
    for alternative in list(&answer, "alternatives") {
        let why_not = text(&alternative["why_not"]);
        assert!(
            !why_not.contains("this site has none"),
            "{}: {why_not}",
            alternative["layout"]
        );
    }
}

#[test]
fn a_recommendation_does_not_condemn_its_own_sizes() {
    let answer = answer("ea-redwood-shores-2007", &[]);
    for finding in list(&answer, "findings") {
        let condemned = finding["rule"] == "CAP001" && finding["severity"] == "critical";
        assert!(!condemned, "{finding:#}");
    }
}

#[test]
fn an_edge_at_an_office_does_not_use_the_arrays_of_another() {
    let answer = answer("game-studio", &[]);
    // Montreal is 38 ms away; who answers sooner stands there.
    let there = mean(&answer, "browse (Montreal)") < 0.038;
    let volumes = list(&answer["recommendation"], "volumes");
    let mut own = volumes
        .iter()
        .filter(|v| text(&v["server"]).contains("(Montreal)"));
    assert!(!there || own.all(|v| v["device"] == "local disks"));
}

/// A studio of 2013 with every question answered.
const FULL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/site_full.toml");

/// An array of the user's own that speaks Fibre Channel and nothing else.
fn fabric_array(folder: &Path) -> String {
    const ARRAY: &str = include_str!("../../models/arrays/flasharray.toml");
    let array = ARRAY
        .replace("id = \"flasharray\"", "id = \"ours\"")
        .replace("[\"fc\", \"iscsi\"]", "[\"fc\"]");
    write(folder, "models/arrays/ours.toml", array);
    folder.join("models").to_str().unwrap().to_owned()
}

#[test]
fn an_array_added_by_a_file_is_reached_over_what_it_speaks() {
    let folder = scratch("own-fc-array");
    let models = fabric_array(&folder);
    let site = format!("{LEAST}[infrastructure]\nstorage = [\"ours\"]\n");
    let path = write(&folder, "site.toml", site);
    let layout = ["predict", &path, "--layout", "san-four-volumes"];
    let rest = ["--models", &models, "--format", "json"];
    let answer = plimsoll(&[&layout[..], &rest[..]].concat()).json();
    let names: Vec<&str> = list(&answer, "resources")
        .iter()
        .map(|r| text(&r["name"]))
        .collect();
    for name in ["ports of ours", "storage link fc-8g of commit server"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

#[test]
fn an_array_that_no_layout_can_use_says_why() {
    let folder = scratch("own-unused-array");
    let models = fabric_array(&folder);
    let said = |storage: &str| {
        let storage = format!("infrastructure.storage={storage}");
        let protocols = "infrastructure.protocols=[\"nfsv3\"]";
        let site = ["advise", FULL, "--full", "--models", &models];
        let small = "data.depot_size=500 GB";
        let changes = ["--set", &storage, "--set", protocols, "--set", small];
        let ran = plimsoll(&[&site[..], &changes[..]].concat());
        ran.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let wanted = "No layout can use Pure Storage FlashArray: it supports fc, but infrastructure.protocols allows only NFS version 3";
    let beside_another = said("[\"ours\", \"fas3270\"]");
    assert!(beside_another.contains(wanted), "{beside_another}");
    // Where nothing is left to recommend, the reason names the array too.
    let alone = said("[\"ours\"]");
    assert!(
        alone.contains("this site has Pure Storage FlashArray (fc), and allows NFS version 3"),
        "{alone}"
    );
}

#[test]
fn syncs_and_large_syncs_have_targets_of_their_own() {
    let folder = scratch("sync-targets");
    let large = "[server]\nlocal_disks = 12\n[workload]\nconcurrent_syncs = 4\nconcurrent_sync_size = \"50 GB\"\n";
    let missed = |name: &str, targets: &str| {
        let site = format!("{LEAST}{large}[targets]\n{targets}\n");
        let path = write(&folder, name, site);
        let ran = plimsoll(&[
            "predict",
            &path,
            "--layout",
            "local-all",
            "--format",
            "json",
        ]);
        let answer = ran.json();
        let classes = list(&answer, "predictions").iter();
        let judged: Vec<(String, String)> = classes
            .map(|c| (text(&c["class"]).to_owned(), text(&c["target"]).to_owned()))
            .collect();
        let target = |class: &str| judged.iter().find(|(c, _)| c == class).unwrap().1.clone();
        assert_eq!(target("sync"), "sync");
        assert_eq!(target("large sync"), "large_sync");
        answer["targets_missed"].to_string()
    };
    let strict = missed("sync.toml", "sync = \"1 ms\"");
    assert!(
        strict.contains("sync takes") && !strict.contains("large sync"),
        "{strict}"
    );
    let strict = missed("large.toml", "large_sync = \"1 s\"");
    assert!(
        strict.contains("large sync takes") && !strict.contains("\"sync takes"),
        "{strict}"
    );
    let both = missed(
        "both.toml",
        "sync = \"1 ms\"\nlarge_sync = \"1 s\"\nsync_rate = \"40 GB/s\"",
    );
    assert!(
        both.contains("\"sync takes") && both.contains("on average"),
        "{both}"
    );

    // One who states the ordinary target alone is told that the large ones have none.
    let alone = format!("{LEAST}{large}[targets]\nsync = \"30 min\"\n");
    let path = write(&folder, "alone.toml", alone);
    let ran = plimsoll(&["predict", &path, "--layout", "local-all"]);
    let all = format!("{}{}", ran.out, ran.err);
    assert!(
        all.contains("SIT106") && all.contains("targets.large_sync"),
        "{all}"
    );
}

/// The screen of a site, at most so many lines and columns.
fn screen(arguments: &[&str]) -> String {
    let ran = plimsoll(&[&["advise"], arguments].concat());
    assert!(
        matches!(ran.code, 0 | 1) && ran.err.is_empty(),
        "{}",
        ran.err
    );
    assert!(ran.out.lines().count() <= 45, "{}", ran.out);
    let longest = ran.out.lines().max_by_key(|line| line.chars().count());
    assert!(longest.unwrap().chars().count() <= 100, "{longest:?}");
    ran.out
}

#[test]
fn the_advice_is_one_screen_that_begins_with_the_verdict() {
    for site in SITES {
        let path = example(site);
        let text = screen(&[&path]);
        let verdict = text.lines().nth(2).unwrap();
        assert!(verdict.starts_with("Carries today's"), "{text}");
        for part in [
            "Layout: ",
            "At the peak hour",
            "Limits",
            "What to do first",
            "Ask first",
            "How sure",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Names for people, no ids; what is machine's own is in the full text.
        for id in ["raid10", "eth-", "nfsv3", "flasharray ", "disk-15k"] {
            assert!(!text.contains(id), "{id}: {text}");
        }
    }
    let full = plimsoll(&["advise", &example("netapp-lab-2013"), "--full"]).out;
    assert!(full.contains("What the prediction rests on"), "{full}");
}

#[test]
fn the_screen_says_what_is_missed_what_may_be_and_why_nothing_fits() {
    let missed = screen(&[FULL]);
    assert!(
        missed.contains("400 people and misses targets: submit (上海)"),
        "{missed}"
    );
    assert!(missed.contains("200 ms: missed"), "{missed}");
    assert!(missed.contains("What to do first"), "{missed}");
    let full = plimsoll(&["advise", FULL, "--full"]).out;
    assert!(
        full.contains("may miss (") && full.contains(" met"),
        "{full}"
    );
    let path = example("game-studio");
    let nothing = screen(&[
        &path,
        "--set",
        "data.depot_size=100 PiB",
        "--set",
        "data.depot_growth=0 %/year",
    ]);
    assert!(
        nothing.contains("Nothing that this site has can hold its"),
        "{nothing}"
    );
    assert!(nothing.contains("Why not"), "{nothing}");
    // A long name and many offices do not break it.
    let folder = scratch("screen");
    let office = "[[people.site]]\ndevelopers = 1\nname = \"Office with a rather long name";
    let offices: String = ('a'..'m')
        .flat_map(|i| {
            [office, " "]
                .map(str::to_owned)
                .into_iter()
                .chain([format!("{i}\"\n")])
        })
        .collect();
    let name = "A very long name of a site ".repeat(10);
    let long = format!("schema = 1\nname = \"{name}\"\n[people]\ndevelopers = 40\n{offices}");
    screen(&[&write(&folder, "site.toml", long)]);
}

#[test]
fn colours_are_printed_where_they_are_wanted() {
    let path = example("game-studio");
    let plain = screen(&[&path]);
    let always = plimsoll(&["advise", &path, "--color", "always"]).out;
    assert!(always.contains("\x1b[1mLimits\x1b[0m"), "{always}");
    let bare = ["\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[33m"];
    let bare = bare
        .iter()
        .fold(always, |text, code| text.replace(code, ""));
    assert_eq!(bare, plain);
    assert!(
        !plimsoll(&["advise", &path, "--color", "never"])
            .out
            .contains('\x1b')
    );
}
