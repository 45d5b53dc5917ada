//! A log without some of its commands: `--without`, `--limit`.

use super::{PERSON, command, json, number, workload};
use crate::cli::{scratch, write};

/// An obliterate that holds a table for 28 minutes, and nine syncs that wait for it.
fn ended() -> String {
    let mut out = String::new();
    let lock = |waits: u32, held: u32| {
        format!(
            "--- db.rev\n---   locks read/write 0/1 rows get+pos+scan put+del 0+1+10 0+0\n---   total lock wait+held read/write 0ms+0ms/{waits}ms+{held}ms\n"
        )
    };
    let root = format!("root0@ws0 10.1.1.1 {PERSON}");
    let call = "user-obliterate -y //depot/old/...";
    command(&mut out, (500, 3600, 1680.0), &root, call, Some(&lock(0, 1_680_000)));
    for i in 1..10 {
        let who = format!("dev{i}@dev{i}-ws 10.1.1.1 {PERSON}");
        let waits = 1680 - 60 * i;
        let track = lock(1000 * waits, 10);
        let lapse = f64::from(waits) + 0.1;
        command(&mut out, (500 + i, 3600 + 60 * i, lapse), &who, "user-sync //depot/...", Some(&track));
    }
    out
}

#[test]
fn the_first_sentence_is_what_others_would_have_waited_less() {
    let folder = scratch("workload-without");
    write(&folder, "log", ended());
    let found = json(&folder, &["log", "--without", "cmd=obliterate"]);
    assert_eq!((found["trust"].as_str(), &found["commands"]), (Some("holds"), &1.into()));
    let [saved, logged] = ["saved_s", "logged_wait_s"].map(|key| number(&found[key]));
    assert!(saved > 0.9 * logged, "{found}");
    let said = workload(&folder, &["log", "--without", "user=root0", "--without", "cmd=obliterate"]).out;
    assert!(said.starts_with("Others would have waited "), "{said}");
    assert!(said.contains(" without user=root0 and cmd=obliterate, of "), "{said}");
    let cut = workload(&folder, &["log", "--limit", "MaxLockTime=1000"]).out;
    // An obliterate is no command of ordinary users: no limit of theirs ends it.
    assert!(!cut.contains("root0"), "{cut}");
    let hidden = workload(&folder, &["log", "--without", "user=root0", "--anonymise"]).out;
    assert!(!hidden.contains("root0") && hidden.contains("user=user-"), "{hidden}");
}

#[test]
fn who_is_not_in_the_log_is_an_error_with_the_nearest_name() {
    let folder = scratch("workload-without-none");
    write(&folder, "log", ended());
    let said = |without: &str| {
        let ran = workload(&folder, &["log", "--without", without]);
        assert_ne!(ran.code, 0, "{}", ran.out);
        ran.err
    };
    assert!(said("user=root").contains("did you mean \"root0\"?"));
    assert!(said("usr=root0").contains("did you mean \"user\"?"));
    assert!(said("cmd=").contains("names nobody"));
}

#[test]
fn a_group_is_left_out_by_its_users() {
    let folder = scratch("workload-without-group");
    write(&folder, "log", ended());
    write(&folder, "groups.csv", "root0,operators\ndev1,qa\ndev2,qa\n");
    let with = |more: &[&str]| {
        let all = ["log", "--groups", "groups.csv", "--without"];
        workload(&folder, &[&all, more].concat())
    };
    let of_group = with(&["group=operators", "--format", "json"]).json();
    let of_user = json(&folder, &["log", "--without", "user=root0"]);
    assert_eq!(of_group["saved_s"], of_user["saved_s"]);
    assert!(with(&["group=qa"]).out.contains(" without group=qa"));
    let unknown = with(&["group=operator"]).err;
    assert!(unknown.contains("did you mean \"operators\"?"), "{unknown}");
    let none = workload(&folder, &["log", "--without", "group=qa"]).err;
    assert!(none.contains("--groups"), "{none}");
}
