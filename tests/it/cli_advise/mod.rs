//! `plimsoll advise`: the JSON that programs rely on, and answers that change for a reason.

mod choice;
mod screen;

use std::path::Path;

use serde_json::Value;

use crate::cli::{Ran, SITES, example, is_text, plimsoll, plimsoll_in, scratch, write};
use crate::site::LEAST;
use crate::site_hostile::is_harmless;

/// A studio of 2013 with every question answered.
const FULL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/site_full.toml");

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    let items = value[key].as_array();
    items.unwrap_or_else(|| panic!("{key} must be a list: {}", value[key]))
}

fn number(value: &Value) -> f64 {
    let x = value.as_f64();
    x.filter(|x| x.is_finite()).unwrap_or_else(|| panic!("a number, not {value}"))
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
    assert!(0.0 < low && low <= value && value <= high, "{low} {value} {high}");
}

/// What `design.md` promises to programs under "JSON, at the least".
fn keeps_the_promise(answer: &Value) {
    assert_eq!(answer["schema"], 1);
    assert_eq!(answer["tool"], env!("CARGO_PKG_VERSION"));
    text(&answer["input"]["site_hash"]);
    text(&answer["input"]["parameters_hash"]);
    recommendation(&answer["recommendation"]);
    prediction(answer);
    // None where no load is small enough.
    let factor = &answer["headroom"]["factor"];
    assert!(factor.is_null() || number(factor) > 0.0);
    text(&answer["headroom"]["limit"]);
    for store in list(&answer["headroom"], "capacity") {
        let [usable, needed] = ["usable_bytes", "needed_at_horizon_bytes"].map(|k| number(&store[k]));
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
        assert!(["note", "warning", "critical"].contains(&severity), "{severity}");
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
        for key in ["role", "server", "protocol", "device", "raid", "filesystem", "mount_options"] {
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
        assert!(servers == 1 || servers == edges + 1, "{role} on {servers} servers");
    }
}

fn prediction(answer: &Value) {
    assert!(!list(answer, "predictions").is_empty());
    for class in list(answer, "predictions") {
        text(&class["class"]);
        interval(&class["response_time_s"]);
        interval(&class["response_time_p95_s"]);
        // How long many at once take is a time, and no more load than the usual peak.
        let is_at_once = text(&class["class"]).contains("at once");
        let is_load = number(&class["throughput_per_s"]) > 0.0;
        assert_eq!(is_load, !is_at_once, "{class:#}");
    }
    assert!(!list(answer, "resources").is_empty());
    for resource in list(answer, "resources") {
        text(&resource["name"]);
        fraction(&resource["utilization"]);
    }
    text(&answer["bottleneck"]["name"]);
    fraction(&answer["bottleneck"]["utilization"]);
    let busiest = list(answer, "resources").iter().map(|r| number(&r["utilization"])).fold(0.0, f64::max);
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
    roles.map(|role| text(&volume(answer, role)["protocol"])).collect()
}

fn mean(answer: &Value, class: &str) -> f64 {
    let found = list(answer, "predictions").iter().find(|p| p["class"] == class);
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
    let missed = list(&answer["answer"], "missed").iter().any(|miss| miss["is_target"] == true);
    assert_eq!(json.code, i32::from(missed));

    let ran = advise(site, &[], "text");
    assert_eq!((ran.code, ran.err.as_str()), (json.code, ""));
    assert!(is_harmless(&ran.out));
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    let words = words.join(" ");
    for said in list(&answer["answer"], "verdict") {
        assert!(words.contains(text(said)), "{said}: {words}");
    }
    for row in list(&answer["answer"], "busiest").iter().take(1) {
        assert!(words.contains(text(&row["name"])), "{row}: {words}");
    }
    for finding in list(&answer["answer"], "findings") {
        let found =
            format!("{}: {}. [{}]", text(&finding["severity"]), text(&finding["message"]), text(&finding["rule"]));
        assert!(words.contains(&found), "{found}");
    }
    for assumption in list(&answer, "assumptions") {
        assert!(words.contains(text(&assumption["field"])), "{assumption}");
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
    assert!(missed.contains("submit") && missed.contains("1 ms"), "{missed}");
    assert!(text(&answer["recommendation"]["sentence"]).contains(&missed));
    let ran = advise("netapp-lab-2013", &wanted, "text");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    // So is a stated RTO, and not one that is assumed.
    let wanted = ["protection.rto=\"1 s\"", "protection.backup=\"checkpoint\""];
    let codes = [0, 1].map(|from| advise("netapp-lab-2013", &wanted[1 - from..], "text").code);
    assert_eq!(codes, [0, 1]);
    // The answer is another input, and the output says so.
    let plain = self::answer("netapp-lab-2013", &[]);
    assert_ne!(answer["input"]["site_hash"], plain["input"]["site_hash"]);
}

#[test]
fn the_least_site_keeps_the_promise() {
    let path = write(&scratch("least-promise"), "site.toml", LEAST);
    let ran = plimsoll(&["advise", &path, "--format", "json"]);
    assert_eq!(ran.code, 0);
    keeps_the_promise(&ran.json());
}
