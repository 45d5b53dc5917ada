//! `plimsoll predict`: one layout, a layout file, and several side by side.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::cli::{Ran, example, plimsoll, scratch, write};
use crate::site_hostile::is_harmless;

const SPLIT: &str = include_str!("../../models/layouts/split.toml");

fn predict(site: &str, arguments: &[&str]) -> Ran {
    let path = example(site);
    plimsoll(&[&["predict", path.as_str()], arguments].concat())
}

fn json(site: &str, arguments: &[&str]) -> Value {
    let ran = predict(site, &[arguments, &["--format", "json"]].concat());
    assert!(ran.code <= 1, "done, perhaps with a target missed: {}", ran.err);
    let answer = ran.json();
    let missed = answer["targets_missed"].as_object().expect("an object");
    assert_eq!(ran.code == 1, !missed.is_empty());
    answer
}

/// Mean response times by class.
fn means(answer: &Value) -> BTreeMap<String, f64> {
    let classes = answer["predictions"].as_array().expect("predictions");
    let mean = |class: &Value| {
        let value = class["response_time_s"]["value"].as_f64().expect("a number");
        assert!(value > 0.0 && value.is_finite());
        (class["class"].as_str().expect("a name").to_owned(), value)
    };
    classes.iter().map(mean).collect()
}

#[test]
fn a_layout_of_the_catalogue_is_predicted() {
    for (layout, edges) in [("flasharray-only", 0), ("p17-fa-fb", 0), ("p17-fa-fb-3edge", 3)] {
        let answer = json("pure-lab-2017", &["--layout", layout]);
        assert_eq!((&answer["layout"], &answer["edges"]), (&layout.into(), &edges.into()));
        assert_eq!((&answer["schema"], &answer["tool"]), (&1.into(), &env!("CARGO_PKG_VERSION").into()));
        assert!(means(&answer).contains_key("large sync"));
        let resources = answer["resources"].as_array().unwrap();
        assert!(resources.iter().all(|r| r["utilization"].as_f64().is_some_and(|u| u <= 1.0)));
        assert!(answer["bottleneck"]["name"].is_string());
        let ran = predict("pure-lab-2017", &["--layout", layout]);
        assert!(ran.out.contains(&format!("({layout})")), "{}", ran.out);
        assert!(is_harmless(&ran.out));
    }
}

#[test]
fn the_current_layout_is_taken_when_none_is_named() {
    let answer = json("pure-lab-2017", &[]);
    assert_eq!(answer["layout"], "p17-fa-fb");
    let ran = predict("game-studio", &[]);
    assert!(ran.refused().contains("--layout or --compare"), "{}", ran.err);
}

#[test]
fn an_unknown_layout_is_corrected() {
    let ran = predict("pure-lab-2017", &["--layout", "p17-fa-fb-3edg"]);
    assert!(ran.refused().contains("did you mean \"p17-fa-fb-3edge\"?"), "{}", ran.err);
    let ran = predict("pure-lab-2017", &["--compare", "split,flasharray-onyl", "--format", "json"]);
    let answer = ran.refused_in_json();
    assert!(answer.to_string().contains("flasharray-only"), "{answer:#}");
    // A customer's word: what is meant, and what this site can have, by their titles.
    let ran = predict("game-studio", &["--layout", "iscsi-all"]);
    for expected in ["--why-not iscsi", "split  ", "Db, journal and log on block, depots on NAS"] {
        assert!(ran.refused().contains(expected), "{expected}: {}", ran.err);
    }
    assert!(!ran.err.contains("n13-fc"), "{}", ran.err);
}

#[test]
fn a_layout_that_the_site_cannot_have_is_refused_with_the_reason() {
    let ran = predict("ea-redwood-shores-2007", &["--layout", "block-edges"]);
    assert!(ran.refused().contains("release 2006.2"), "{}", ran.err);
}

#[test]
fn a_layout_file_is_predicted_as_if_it_were_in_the_catalogue() {
    let folder = scratch("layouts");
    let mine = SPLIT.replace("id = \"split\"", "id = \"mine\"");
    assert_ne!(mine, SPLIT);
    let path = write(&folder, "mine.toml", &mine);
    let answer = json("netapp-lab-2013", &["--layout", &path]);
    assert_eq!(answer["layout"], "mine");
    assert_eq!(means(&answer), means(&json("netapp-lab-2013", &["--layout", "split"])));
    let both = json("netapp-lab-2013", &["--compare", &format!("{path},split")]);
    assert_eq!(both["compare"][0]["predictions"], both["compare"][1]["predictions"]);

    for (name, text, reason) in [
        ("other.toml", mine.as_str(), "the id must be the file's name"),
        ("broken.toml", "volume = 3", "is missing"),
        ("torn.toml", "[[volume]", "not valid TOML"),
    ] {
        let path = write(&folder, name, text);
        let ran = predict("netapp-lab-2013", &["--layout", &path]);
        assert!(ran.refused().contains(reason), "{}", ran.err);
        assert!(ran.err.contains(name), "{}", ran.err);
        let ran = predict("netapp-lab-2013", &["--layout", &path, "--format", "json"]);
        ran.refused_in_json();
    }
    let ran = predict("netapp-lab-2013", &["--layout", "missing.toml"]);
    assert!(ran.refused().contains("there is no file"), "{}", ran.err);
}

#[test]
fn layouts_stand_side_by_side_in_the_order_asked_for() {
    let names = ["p17-fa-fb", "p17-fa-fb-1edge", "p17-fa-fb-3edge"];
    let list = names.join(",");
    let answer = json("pure-lab-2017", &["--compare", &list]);
    let columns = answer["compare"].as_array().unwrap();
    assert_eq!(columns.iter().map(|c| &c["layout"]).collect::<Vec<_>>(), names);
    let syncs: Vec<f64> = columns.iter().map(|c| means(c)["large sync"]).collect();
    assert!(syncs.is_sorted_by(|a, b| a > b), "each edge adds a link: {syncs:?}");
    for (name, column) in names.iter().zip(columns) {
        let alone = json("pure-lab-2017", &["--layout", name]);
        assert_eq!(alone["predictions"], column["predictions"], "{name}");
    }
    let ran = predict("pure-lab-2017", &["--compare", &list]);
    let places = names.map(|name| ran.out.find(&format!("  {name} ")).expect(name));
    assert!(places.is_sorted());
    assert_eq!(ran, predict("pure-lab-2017", &["--compare", &list]));
}

#[test]
fn a_layout_that_cannot_be_built_stands_beside_the_others_with_its_reason() {
    let answer = json("ea-redwood-shores-2007", &["--compare", "san-four-volumes,block-edges"]);
    assert!(answer["compare"][0]["predictions"].is_array());
    let error = answer["compare"][1]["error"].as_str().unwrap();
    assert!(error.contains("edge servers"), "{error}");
    let ran = predict("ea-redwood-shores-2007", &["--compare", "san-four-volumes,block-edges"]);
    assert!(ran.out.contains("edge servers"), "{}", ran.out);
}

#[test]
fn zfs_is_not_slower_than_ufs() {
    let answer = json("sun-partner-2009", &["--compare", "z09-ufs,z09-zfs"]);
    let [ufs, zfs] = [0, 1].map(|i| means(&answer["compare"][i]));
    for class in ["submit", "sync", "large sync"] {
        assert!(ufs[class] > zfs[class], "{class}: {} {}", ufs[class], zfs[class]);
    }
}

#[test]
fn a_missed_target_is_exit_code_1() {
    // 16 syncs over one link have 79 MB/s each, where 150 are wanted.
    let ran = predict("pure-lab-2017", &["--layout", "p17-fa-fb"]);
    assert_eq!(ran.code, 1);
}

#[test]
fn at_a_limit_nothing_that_waits_there_is_met() {
    for site in ["game-studio", "pure-lab-2017"] {
        let ran = predict(site, &["--layout", "nfs-all", "--load", "2", "--no-confirm"]);
        if !ran.out.contains("does not carry this load") {
            continue;
        }
        let (_, table) = ran.out.split_once("At that load\n").unwrap();
        let (times, rest) = table.split_once("\n\n").unwrap();
        let is_full = rest.lines().any(|line| line.trim_start().starts_with("lock ") && line.ends_with("100 %"));
        for line in times.lines().filter(|line| is_full && line.trim_start().starts_with("sync")) {
            assert!(!line.contains(" met"), "{line}");
        }
        let stated = "(2 times what is stated)";
        let said = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(stated), "{said}");
    }
}
