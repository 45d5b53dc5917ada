//! `workload --groups`: what groups cost, and for which a limit should be set.

use plimsoll::document::read_text;

use super::{PERSON, command, json, workload};
use crate::cli::{scratch, write};

const GROUPS: &str = "... Group devs\n... MaxScanRows 90000000\n... Users0 ann\n... Users1 bob\n... Users2 cid\n\
    ... Group art\n... MaxScanRows unset\n... Users0 cid\n... Group idle\n... Users0 zoe\n";

/// Six hundred ordinary reads of ann, three far larger ones of bob and cid, and dee who is in no group.
fn log() -> String {
    let mut out = String::new();
    let mut call = |number: u32, user: &str, rows: u64, lapse_s: f64| {
        let who = format!("{user}@{user}-ws 10.1.1.1 {PERSON}");
        let track = format!(
            "--- db.rev\n---   locks read/write 1/0 rows get+pos+scan put+del 0+1+{rows} 0+0\n---   total lock wait+held read/write 0ms+0ms/0ms+0ms\n"
        );
        let at = (100 + number, 3600 + 20 * number, lapse_s);
        command(&mut out, at, &who, "user-fstat //depot/a/...", Some(&track));
    };
    for i in 0..600 {
        call(i, "ann", 1000 + 100 * u64::from(i), 0.5);
    }
    for i in 0..30 {
        call(700 + i, "dee", 500, 1.0);
    }
    call(800, "bob", 8_000_000, 20.0);
    call(801, "cid", 9_000_000, 30.0);
    call(1100, "bob", 9_500_000, 40.0);
    out
}

#[test]
fn shares_add_up_and_the_limit_names_the_groups() {
    let folder = scratch("workload-teams");
    write(&folder, "log", log());
    write(&folder, "groups.txt", GROUPS);
    let said = json(&folder, &["log", "--groups", "groups.txt"]);
    let groups = said["groups"]["groups"].as_array().unwrap();
    let titles: Vec<&str> = groups.iter().map(|row| row["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["devs", "art", "(in no group)"]);
    for key in ["command_fraction", "lapse_fraction", "rows_scanned_fraction"] {
        let sum: f64 = groups.iter().map(|row| row[key].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{key} {sum}");
    }
    // Half of cid's 30 s.
    assert_eq!(groups[1]["lapse_s"], 15.0);
    let counts = ["groups_not_in_the_log", "users_in_several_groups", "users_in_no_group"];
    assert_eq!(counts.map(|key| said["groups"][key].as_u64()), [Some(1); 3]);
    let change = said["change"].to_string();
    let advice =
        "Set MaxScanRows to 700,000 in group devs (today 90,000,000): it would have cut 3 of 633 commands, of 2 users";
    assert!(change.contains(advice), "{change}");
    assert!(change.contains("The largest ordinary command is ann's `fstat"), "{change}");
    assert!(change.contains("the largest above it bob's `fstat"), "{change}");
    let bare = json(&folder, &["log"])["change"].to_string();
    assert!(bare.contains("in the groups of ordinary users"), "{bare}");
    let full = workload(&folder, &["log", "--groups", "groups.txt", "--full"]).out;
    assert!(full.contains("What groups cost") && full.contains("Their limits today"), "{full}");
}

#[test]
fn groups_and_their_users_have_pseudonyms() {
    let folder = scratch("workload-teams-names");
    write(&folder, "log", log());
    write(&folder, "groups.txt", GROUPS.replace("devs", "zork").replace("... Group art", "... Group zorkart"));
    let arguments = ["log", "--groups", "groups.txt", "--anonymise", "--html", "page.html"];
    let full = workload(&folder, &[&arguments[..], &["--full"]].concat()).out;
    let shown = json(&folder, &[&arguments[..], &["--force"]].concat()).to_string();
    let page = read_text(&folder.join("page.html")).unwrap();
    for text in [&full, &shown, &page] {
        assert!(text.contains("group-"), "{text}");
        for name in ["zork", "ann", "bob@", "dee"] {
            let word = |c: char| !c.is_ascii_alphanumeric();
            assert!(!text.split(word).any(|part| part == name), "{name} {text}");
        }
    }
}

#[test]
fn a_file_that_is_none_is_refused_with_its_line() {
    let folder = scratch("workload-teams-refused");
    write(&folder, "log", log());
    std::fs::create_dir_all(folder.join("folder")).unwrap();
    for (text, said) in
        [("ann,devs\nbob\n", "groups.csv:2"), ("usr,group\n", "did you mean \"user\"?"), ("", "no group has a member")]
    {
        write(&folder, "groups.csv", text);
        let ran = workload(&folder, &["log", "--groups", "groups.csv"]);
        assert_eq!((ran.code, ran.err.contains(said)), (3, true), "{text:?} {}", ran.err);
    }
    for missing in ["none.csv", "folder"] {
        let ran = workload(&folder, &["log", "--groups", missing]);
        assert!(ran.code == 3 && ran.err.contains(missing), "{}", ran.err);
    }
}
