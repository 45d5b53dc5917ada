//! "Everything hangs": a jam that is still there when the log ends, long holds for which nobody waits, waits without a holder.

use std::fmt::Write as _;
use std::path::Path;

use super::{PERSON, clock, command, json, workload};
use crate::cli::{scratch, write};

const LOCKS: &str = "--- db.rev\n---   locks read/write 1/0 rows get+pos+scan put+del 0+1+10 0+0\n";

/// What the command says where all is well.
fn told(folder: &Path, arguments: &[&str]) -> String {
    let ran = workload(folder, arguments);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

/// Ten questions that end, and an hour later an obliterate with others behind it that do not.
pub(super) fn jammed() -> String {
    let mut out = String::new();
    for i in 0..10 {
        let who = format!("dev{i}@dev{i}-ws 10.1.1.1 {PERSON}");
        command(&mut out, (100 + i, 3600 + i, 0.02), &who, "user-fstat //depot/a", Some(LOCKS));
    }
    let calls = ["user-sync //depot/...", "user-edit //depot/a", "user-fstat //depot/a"];
    for i in 0..8_usize {
        let second = 3660 + 60 * i as u32;
        let (user, call) = match i {
            0 => ("root", "user-obliterate -y //depot/secret/..."),
            _ => ("dev", calls[i % 3]),
        };
        let at = clock(second);
        writeln!(out, "Perforce server info:\n\t{at} pid {} {user}{i}@ws{i} 10.1.1.1 {PERSON} '{call}'\n", 500 + i)
            .unwrap();
    }
    out
}

#[test]
fn what_stands_still_comes_first_with_who_holds_it_up_and_what_to_do() {
    let folder = scratch("workload-jam");
    write(&folder, "log", jammed());
    let screen = told(&folder, &["log"]);
    let title = screen.find("What stands still now").expect("it comes");
    assert!(title < screen.find("How good the log is").unwrap(), "{screen}");
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "At 01:08:00: no command has ended since 01:00:09. 8 run, 7 of them for more than a minute, of 8 users in all.",
        "Probable holder: root0, pid 500, for 7 min 0 s (since 01:01:00)",
        "6 commands of 6 users stand still behind it",
        "`p4 monitor terminate` does not end it",
        "Never `kill -9`",
    ] {
        assert!(words.contains(said), "{said:?} in {words}");
    }
    let said = json(&folder, &["log"]);
    let jam = &said["standing"]["jam"];
    assert_eq!(jam["holders"][0]["command"]["pid"], 500);
    assert_eq!(jam["holders"][0]["evidence"], "kind");
    assert_eq!(jam["holders"][0]["can_be_terminated"], false);
    assert_eq!((&said["standing"]["running"], &jam["commands"]), (&8.into(), &6.into()));
    // Those who run count as at once, for as long as they run by then.
    assert!(said["activity"]["busiest"]["at_once"].as_f64().unwrap() > 6.0);
    let page = told(&folder, &["log", "--full"]);
    assert!(page.contains("What runs when the log ends"), "{page}");
    // Nothing of a name under pseudonyms.
    let hidden = told(&folder, &["log", "--anonymise"]);
    assert!(!hidden.contains("root0") && !hidden.contains("secret"), "{hidden}");
    let hidden = json(&folder, &["log", "--anonymise"]).to_string();
    assert!(!hidden.contains("root0") && !hidden.contains("ws3"), "{hidden}");
}

#[test]
fn outputs_of_monitor_and_lslocks_beside_the_log_settle_who_holds() {
    let folder = scratch("workload-beside");
    write(&folder, "log", jammed());
    let monitor = "  501 R dev1 00:06:10 edit //depot/a [db.rev(W),db.have(R)]\n  502 R dev2 00:05:10 fstat //depot/a\n  503 R dev3 00:04:10 sync //depot/...\n";
    write(&folder, "monitor", monitor);
    let said = json(&folder, &["log", "monitor"]);
    // The obliterate has gone, and the edit has the lock.
    let holder = &said["standing"]["jam"]["holders"][0];
    assert_eq!((&holder["command"]["pid"], &holder["evidence"]), (&501.into(), &"seen".into()));
    assert_eq!(holder["locks"], serde_json::json!(["db.rev", "db.have"]));
    let screen = told(&folder, &["log", "monitor"]);
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("5 commands without an end in the log have ended since"), "{words}");
    // One that is seen to have what another needs is enough.
    let two = "  501 R dev1 00:06:10 edit //depot/a [db.rev(W)]\n  502 R dev2 00:05:10 fstat //depot/a\n";
    write(&folder, "two", two);
    let holders = &json(&folder, &["log", "two"])["standing"]["jam"]["holders"];
    assert_eq!((&holders[0]["command"]["pid"], &holders[0]["behind"]), (&501.into(), &1.into()));
    // So is one that is seen to run, though its locks are not shown.
    let listed = "  500 R root0 00:07:00 obliterate -y //depot/secret/...\n  502 R dev2 00:05:10 fstat //depot/a\n";
    write(&folder, "listed", listed);
    let holders = &json(&folder, &["log", "listed"])["standing"]["jam"]["holders"];
    assert_eq!((&holders[0]["command"]["pid"], &holders[0]["evidence"]), (&500.into(), &"kind".into()));
    // Nothing is passed over in silence.
    write(&folder, "notes", "lunch at noon\n");
    let said = json(&folder, &["log", "notes"]);
    assert!(said["quality"].to_string().contains("Log 2 holds nothing"), "{}", said["quality"]);
    let locks = "COMMAND PID TYPE SIZE MODE M START END PATH BLOCKER\np4d 504 POSIX 16K WRITE 0 0 0 /p4/root/db.have\np4d 505 POSIX WRITE* 0 0 0 /p4/root/db.have 504\n";
    write(&folder, "locks", locks);
    let said = json(&folder, &["log", "locks"]);
    let jam = &said["standing"]["jam"];
    assert_eq!(jam["holders"][0]["command"]["pid"], 504);
    let waits = jam["chain"].as_array().unwrap().iter().find(|one| one["pid"] == 505);
    assert_eq!(waits.unwrap()["waits_for_pid"], 504, "{jam}");
    let why = told(&folder, &["log", "locks", "--why", "505"]);
    assert!(why.contains("behind dev4"), "{why}");
}

#[test]
fn why_walks_back_from_one_command() {
    let folder = scratch("workload-why");
    write(&folder, "jam", jammed());
    let why = told(&folder, &["jam", "--why", "505"]);
    assert!(why.contains("behind root0: obliterate"), "{why}");
    for time in ["01:05", "2024/03/05 01:05:00"] {
        let at = told(&folder, &["jam", "--why", time]);
        assert!(at.contains("behind root0: obliterate"), "{at}");
    }
    write(&folder, "log", super::CHAIN);
    let said = json(&folder, &["log"]);
    let victim = &said["locks"]["chains"][0]["victims"][0]["command"];
    let pid = victim["pid"].to_string();
    let why = told(&folder, &["log", "--why", &pid]);
    let root = said["locks"]["chains"][0]["root"]["user"].as_str().unwrap();
    assert!(why.contains(root), "{why}");
    // And the root, of what waited behind it; a process that is not there is told as such.
    let pid = said["locks"]["chains"][0]["root"]["pid"].to_string();
    let why = told(&folder, &["log", "--why", &pid]);
    assert!(why.contains("behind it, most of that for db."), "{why}");
    let none = told(&folder, &["log", "--why", "4000000"]);
    assert!(none.contains("no command of a process 4000000"), "{none}");
    // By its time of day too; and a time at which nobody waited says so.
    let start = victim["start"].as_str().unwrap();
    let at = told(&folder, &["log", "--why", start]);
    assert!(at.contains("It waited"), "{at}");
    let none = told(&folder, &["log", "--why", "1999/01/01 00:00"]);
    assert!(none.contains("that time is not in it"), "{none}");
    for wrong in ["25:00", "yesterday", "1999/77/01 00:00"] {
        let refused = workload(&folder, &["log", "--why", wrong]);
        assert_eq!(refused.code, 2, "{}", refused.err);
        assert!(refused.err.contains("2026/03/03"), "{}", refused.err);
    }
}

#[test]
fn a_hold_without_victims_and_a_wait_without_holder_are_told() {
    let folder = scratch("workload-holds");
    let mut out = String::new();
    let who = format!("rel@rel-ws 10.1.1.1 {PERSON}");
    let held = "--- label/REL%2D1(W)\n---   total lock wait+held read/write 0ms+0ms/0ms+158304ms\n";
    command(&mut out, (77, 3600, 159.0), &who, "user-tag -l REL-1 //depot/...", Some(held));
    let waited = "--- db.rev\n---   locks read/write 0/1 rows get+pos+scan put+del 0+1+10 0+0\n---   total lock wait+held read/write 0ms+0ms/453000ms+10ms\n";
    let who = format!("ann@ann-ws 10.1.1.1 {PERSON}");
    command(&mut out, (33, 7200, 454.0), &who, "user-submit -i", Some(waited));
    write(&folder, "log", out);
    let screen = told(&folder, &["log"]);
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("rel: `tag -l REL-1 //depot/...` held label/REL-1 for 2.6 min"), "{words}");
    assert!(words.contains("Holder not in this log: 1 command waited 7.6 min for db.rev"), "{words}");
    assert!(!words.contains("Nobody:") && !words.contains("Shorten the longest holds"), "{words}");
}

#[test]
fn a_poll_of_the_transfer_queue_gets_advice_of_its_own() {
    let folder = scratch("workload-pull");
    let mut out = String::new();
    let held = "--- rdb.lbr\n---   locks read/write 1/0 rows get+pos+scan put+del 0+0+8775518 0+0\n---   total lock wait+held read/write 0ms+199211ms/0ms+0ms\n";
    for i in 0..3 {
        let who = format!("monitor@monitor-ws 10.1.1.1 {PERSON}");
        command(&mut out, (900 + i, 3600 + 300 * i, 199.4), &who, "user-pull -l", Some(held));
    }
    write(&folder, "log", out);
    let screen = told(&folder, &["log"]);
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("held rdb.lbr for 3.3 min at most, 3 times, every 5 min"), "{words}");
    assert!(words.contains("`p4 pull -ls`") && !words.contains("narrower path"), "{words}");
}

/// So many jams, an hour apart: a command of an administrator holds db.rev for ten minutes, and 20 people's reads wait.
fn ended(jams: u32) -> String {
    let mut out = String::new();
    let held = "--- db.rev\n---   locks read/write 0/1 rows get+pos+scan put+del 0+1+9000000 0+800000\n---   total lock wait+held read/write 0ms+0ms/0ms+600000ms\n";
    for jam in 0..jams {
        let from = 3600 * (1 + jam);
        let who = format!("root@root-ws 10.1.1.1 {PERSON}");
        let call = "user-obliterate -y //depot/old/...";
        command(&mut out, (90 + jam, from, 600.0), &who, call, Some(held));
        for i in 0..20 {
            let waited = 599 - i;
            let who = format!("dev{i}@dev{i}-ws 10.1.1.1 {PERSON}");
            let reads = format!(
                "--- db.rev\n---   locks read/write 1/0 rows get+pos+scan put+del 0+1+10 0+0\n---   total lock wait+held read/write {waited}000ms+10ms/0ms+0ms\n"
            );
            let at = (1000 + 100 * jam + i, from + 1 + i, f64::from(waited));
            command(&mut out, at, &who, "user-fstat //depot/a", Some(&reads));
        }
    }
    out
}

#[test]
fn one_command_is_no_reason_for_a_setting() {
    let folder = scratch("workload-evidence");
    write(&folder, "log", ended(1));
    let said = json(&folder, &["log"]);
    let talk = said["talk"].as_array().unwrap();
    assert_eq!(talk.len(), 1, "{talk:?}");
    let first = talk[0].as_str().unwrap();
    assert!(first.starts_with("root: `obliterate"), "{first}");
    assert!(first.contains("Obliterate in small parts"), "{first}");
    let settings = ["db.peeking", "MaxLockTime", "MaxScanRows", "longest holds"];
    let change = said["change"].to_string();
    for setting in settings {
        assert!(!change.contains(setting), "{change}");
    }
    // The same on several days is: but for limits, which no administrator is in.
    write(&folder, "log", ended(3));
    let said = json(&folder, &["log"]);
    let change: Vec<&str> = said["change"].as_array().unwrap().iter().filter_map(|point| point.as_str()).collect();
    assert!(change[0].starts_with("Set db.peeking=2"), "{change:?}");
    assert!(!change.iter().any(|point| point.contains("MaxLockTime")), "{change:?}");
    let log_more = change.iter().position(|point| point.starts_with("Log more"));
    assert!(log_more.is_none_or(|at| at + 1 == change.len()), "{change:?}");
}

#[test]
fn who_stood_behind_a_holder_that_has_just_ended_is_accused_of_nothing() {
    let folder = scratch("workload-jam-ended");
    let mut text = jammed();
    // The obliterate of 01:01:00 ends in the minute in which the last command begins.
    writeln!(text, "Perforce server info:\n\t{} pid 500 completed 420s\n", clock(3660 + 420)).unwrap();
    write(&folder, "log", text);
    let screen = told(&folder, &["log"]);
    assert!(!screen.contains("Probable holder"), "{screen}");
    assert!(screen.contains("Look again in a minute."), "{screen}");
}
