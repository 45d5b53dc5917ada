//! `advise`, `predict` and `report` confirm by simulation what they show.

use std::fs::File;

use serde_json::Value;

use crate::cli::{example, plimsoll, scratch};

/// Enough events for what is frequent, and quick in a test.
const LITTLE: [&str; 2] = ["--confirm", "0.1s"];

fn answer(command: &[&str], options: &[&str]) -> Value {
    let words = [command, options, &["--format", "json"]].concat();
    plimsoll(&words).json()
}

fn simulated(answer: &Value) -> Vec<&Value> {
    let classes = answer["predictions"].as_array().unwrap().iter();
    let found = classes.map(|class| &class["simulated"]);
    found.filter(|found| !found.is_null()).collect()
}

#[test]
fn what_is_advised_is_simulated_with_the_same_bytes_each_time() {
    let site = example("game-studio");
    let first = answer(&["advise", &site], &LITTLE);
    let events = first["simulation"]["events"].as_u64().unwrap();
    assert!((100_000..=1_100_000).contains(&events), "{events}");
    assert_eq!(first["simulation"]["is_steady"], true);
    assert!(simulated(&first).len() > 3);
    assert_eq!(first, answer(&["advise", &site], &LITTLE));
    let other = answer(&["advise", &site], &["--confirm", "0.1s", "--seed", "2"]);
    assert_ne!(first["predictions"], other["predictions"]);
}

#[test]
fn people_and_automation_beside_them_are_told_the_same_time() {
    // Large syncs fill the disks, which the analytic model gets wrong by some 20 %.
    let busy = ["--set", "workload.concurrent_syncs=40", "--set", "workload.automation_share=40 %"];
    for site in ["game-studio", "netapp-lab-2013", "pure-lab-2017"] {
        let found = answer(&["advise", &example(site)], &[&busy[..], &["--confirm", "1s"]].concat());
        let all = found["predictions"].as_array().unwrap();
        for one in all {
            let name = format!("{} (automation)", one["class"].as_str().unwrap());
            let Some(other) = all.iter().find(|other| other["class"] == name.as_str()) else {
                continue;
            };
            let shown = |class: &Value| class["simulated"]["is_shown"].as_bool() == Some(true);
            let seen = |class: &Value| class["simulated"]["seen"].as_u64() >= Some(40);
            if seen(one) && seen(other) {
                assert_eq!(shown(one), shown(other), "{site}: {one:#} {other:#}");
            }
        }
    }
}

#[test]
fn nothing_is_simulated_where_nobody_wants_it() {
    let found = answer(&["advise", &example("game-studio")], &["--no-confirm"]);
    assert!(found["simulation"].is_null());
    assert!(simulated(&found).is_empty());
    let text = plimsoll(&["advise", &example("game-studio"), "--full", "--no-confirm"]);
    assert!(!text.done().contains("imulated"), "{}", text.out);
    let both = ["advise", &example("game-studio"), "--no-confirm", "--confirm", "1s"];
    assert_eq!(plimsoll(&both).code, 2);
}

#[test]
fn a_time_that_is_none_is_refused() {
    for wrong in ["soon", "-1s", "2 days"] {
        let ran = plimsoll(&["advise", &example("game-studio"), "--confirm", wrong]);
        assert_eq!(ran.code, 2, "{wrong}: {}", ran.err);
    }
}

#[test]
fn text_has_a_column_and_says_how_much_was_simulated() {
    let site = example("game-studio");
    let layout = ["predict", &site, "--layout", "local-nvme-nas-depot"];
    let text = plimsoll(&[&layout[..], &LITTLE].concat()).out;
    assert!(text.contains("simulated"), "{text}");
    assert!(text.contains("Simulated: ") && text.contains("million events"), "{text}");
}

#[test]
fn a_report_tells_the_same_as_the_command_line() {
    let folder = scratch("confirmed-report");
    let path = folder.join("report.json");
    let path = path.to_str().unwrap();
    let site = example("game-studio");
    let words = [&["report", &site, "-o", path], &LITTLE[..]].concat();
    plimsoll(&words).done();
    let report: Value = serde_json::from_reader(File::open(path).unwrap()).unwrap();
    let advised = answer(&["advise", &site], &LITTLE);
    assert_eq!(report["predictions"], advised["predictions"]);
    assert_eq!(report["simulation"], advised["simulation"]);
}

#[test]
fn a_saturated_layout_is_an_answer_with_exit_code_one() {
    let path = example("game-studio");
    let words =
        ["predict", &path, "--layout", "nfs-all", "--set", "workload.commands_per_day=900000000 /day", "--no-confirm"];
    let ran = plimsoll(&words);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("does not carry this load"), "{}", ran.out);
    let json = plimsoll(&[&words[..], &["--format", "json"]].concat());
    assert_eq!(json.code, 1);
    let told: Value = serde_json::from_str(&json.out).unwrap();
    assert!(told["saturated"]["utilization"].as_f64().unwrap() >= 1.0);
    // Where less is carried, it is said how much, and what the layout does then.
    let words = ["predict", &path, "--layout", "nfs-all", "--load", "5", "--no-confirm"];
    let ran = plimsoll(&words);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let (said, times) = ran.out.split_once("\nAt that load\n").unwrap();
    assert!(said.contains("keeps up with about"), "{said}");
    assert!(times.contains("edit (Montreal)"), "{times}");
    let json = plimsoll(&[&words[..], &["--format", "json"]].concat()).json();
    let factor = json["saturated"]["keeps_up_with"].as_f64().unwrap();
    assert!(factor > 0.0 && factor < 1.0, "{factor}");
    let compared = ["predict", &path, "--compare", "nfs-all,local-all", "--load", "5", "--no-confirm"];
    let ran = plimsoll(&compared);
    assert!(ran.out.contains("nfs-all, at ") && !ran.out.contains("–"), "{}", ran.out);
}
