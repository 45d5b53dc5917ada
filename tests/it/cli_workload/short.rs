//! What a log cannot say: because it is short, was cut, states no times or holds damaged numbers.

use plimsoll::document::read_text;
use serde_json::Value;

use super::{PERSON, RPC, TRACK, command, day, json, words, workload};
use crate::cli::{scratch, write};

/// Ten minutes: a question every three seconds, and twelve submits of three files.
fn ten_minutes() -> String {
    let mut out = String::new();
    let who = |name: &str| format!("{name}@{name}-ws 10.1.1.1 {PERSON}");
    for i in 0..200_u32 {
        let at = 3600 + 3 * i;
        let call = "user-fstat //game/main/a.c";
        command(&mut out, (1000 + i, at, 0.05), &who("bob"), call, Some(TRACK));
        if i % 16 == 0 {
            let commit = "--- db.rev\n---   locks read/write 0/1 rows get+pos+scan put+del 0+0+0 3+0\n";
            let phases = [("user-submit -d x", RPC), ("dm-SubmitChange", RPC), ("dm-CommitSubmit", commit)];
            for (call, track) in phases {
                command(&mut out, (9000 + i, at, 0.1), &who("ann"), call, Some(track));
            }
        }
    }
    out
}

fn answer<'a>(said: &'a Value, field: &str) -> Option<&'a Value> {
    let mut all = said["answers"].as_array().unwrap().iter();
    all.find(|answer| answer["field"] == field)
}

#[test]
fn the_largest_of_a_short_log_lowers_no_answer() {
    let folder = scratch("workload-least");
    write(&folder, "log", ten_minutes());
    let said = json(&folder, &["log"]);
    let largest = answer(&said, "workload.largest_submit_files").unwrap();
    assert_eq!((&largest["value"], &largest["at_least"]), (&"3".into(), &true.into()));
    // Left as it is assumed, where the file does not say.
    workload(&folder, &["log", "--site", "open.toml"]).done();
    let site = read_text(&folder.join("open.toml")).unwrap();
    assert!(!site.contains("largest_submit_files"), "{site}");
    assert!(site.contains("files_per_submit = 3"), "{site}");
    // Kept, where it says more, whatever the options.
    let stated = "schema = 1\nname = \"S\"\n[workload]\nlargest_submit_files = 120_000\n";
    write(&folder, "stated.toml", stated);
    let ran = workload(&folder, &["log", "--site", "stated.toml", "--overwrite"]);
    let said = words(ran.done());
    assert!(
        said.contains("Kept workload.largest_submit_files = 120_000, which the file has: the log shows 3"),
        "{said}"
    );
    // Raised, where it says less.
    write(&folder, "low.toml", stated.replace("120_000", "2"));
    workload(&folder, &["log", "--site", "low.toml", "--overwrite"]).done();
    let site = read_text(&folder.join("low.toml")).unwrap();
    assert!(site.contains("largest_submit_files = 3"), "{site}");
}

#[test]
fn a_short_log_does_not_say_what_polls() {
    let folder = scratch("workload-short-polls");
    write(&folder, "log", ten_minutes());
    let said = json(&folder, &["log"]);
    assert_eq!(answer(&said, "workload.polling_share"), None);
    let undecided = said["undecided"].to_string();
    assert!(undecided.contains("seen as regular after 80 minutes"), "{undecided}");
    // The day shows it.
    write(&folder, "day", day());
    let said = json(&folder, &["day"]);
    assert!(answer(&said, "workload.polling_share").is_some());
}

#[test]
fn any_24_hours_are_a_day() {
    let folder = scratch("workload-running-day");
    let two = format!("{}{}", day(), day().replace("2024/03/05", "2024/03/06"));
    // From nine to nine.
    let header = "Perforce server info:\n";
    let kept = two.split(header).filter(|block| {
        let at = block.trim_start().get(..19).unwrap_or_default();
        ("2024/03/05 09:00:00".."2024/03/06 09:00:00").contains(&at)
    });
    let log: String = kept.flat_map(|block| [header, block]).collect();
    write(&folder, "log", log);
    let said = json(&folder, &["log"]);
    for (field, value) in [
        ("workload.commands_per_day", "5070 /day"),
        ("workload.submits_per_day", "16 /day"),
        ("workload.peak_to_mean", "2.86"),
    ] {
        let found = answer(&said, field).unwrap_or_else(|| panic!("{field}: {said:#}"));
        assert_eq!(found["value"], value, "{field}");
        let how = found["how"].as_str().unwrap();
        assert!(how.contains("24 hours"), "{how}");
    }
}

#[test]
fn a_paste_without_times_states_none() {
    let folder = scratch("workload-no-time");
    let paste = "--- lapse 9.00s\n--- usage 1+1us 0+0io 0+0net 900k 0pf\n--- db.rev\n---   locks read/write 1/0 rows get+pos+scan put+del 0+1+5 0+0\n---   total lock wait+held read/write 8000ms+1ms/0ms+0ms\n";
    write(&folder, "paste", paste);
    let arguments = ["paste", "--sqlite", "paste.db", "--jsonl", "paste.jsonl"];
    let said = json(&folder, &arguments);
    assert!(!said.to_string().contains("1970"), "{said:#}");
    assert_eq!(said["quality"]["from"], Value::Null);
    assert_eq!(said["activity"]["peak_hour"], Value::Null);
    assert_eq!(said["slowest"][0]["start"], Value::Null);
    assert_eq!(said["locks"]["waited_s"], 8.0);
    let text = workload(&folder, &["paste", "--full"]).done().to_owned();
    assert!(text.contains("no time") && !text.contains("1970"), "{text}");
    assert!(!read_text(&folder.join("paste.jsonl")).unwrap().contains("1970"));
    let again = json(&folder, &["paste.db"]);
    assert_eq!(again["slowest"], said["slowest"]);
}

#[test]
fn commands_that_were_cut_off_say_nothing_of_the_track_level() {
    let folder = scratch("workload-cut");
    let mut log = String::new();
    let who = format!("ann@ann-ws 10.1.1.1 {PERSON}");
    for i in 0..30_u32 {
        let track = (i < 28).then_some(TRACK);
        command(&mut log, (100 + i, 3600 + i, 0.1), &who, "user-have", track);
    }
    log.push_str("Perforce server info:\n\tPerforce Server starting 2024/03/05 01:00:50 pid 7 P4D/LINUX26X86_64/2023.2/2605454.\n\n");
    write(&folder, "log", &log);
    let said = json(&folder, &["log"]);
    assert_eq!(said["quality"]["track"]["is"], "every", "{:#}", said["quality"]);
    assert_eq!(said["quality"]["mend"].to_string(), "[]");
}

#[test]
fn a_command_that_was_removed_was_called_and_its_line_is_the_last() {
    let folder = scratch("workload-removed");
    let line = "2024/03/05 10:00:05 pid 4 dan@dan-ws 10.1.1.7 [p4/2023.2/L/1] 'user-print //x'";
    let removed = line.replace("10:00:05", "10:00:09");
    let log = format!(
        "Perforce server info:\n\t{line}\n\nPerforce server info:\n\t{removed} exited unexpectedly, removed from monitor table.\n\n"
    );
    write(&folder, "log", log);
    let said = json(&folder, &["log"]);
    assert_eq!(said["activity"]["called"], 1);
    assert_eq!(said["quality"]["to"], "2024/03/05 10:00:09");
    let flaws = said["quality"]["flaws"].to_string();
    assert!(flaws.contains("1 command exited and left the monitor table"), "{flaws}");
}

#[test]
fn lock_times_longer_than_the_log_are_damaged() {
    let folder = scratch("workload-ages");
    let mut log = String::new();
    let who = format!("ann@ann-ws 10.1.1.1 {PERSON}");
    let track = "--- db.rev\n---   locks read/write 1/1 rows get+pos+scan put+del 1+2+3 4+5\n---   total lock wait+held read/write 9223372036854775807ms+20ms/0ms+99999999999999999999999ms\n";
    command(&mut log, (7, 3600, 1.0), &who, "user-files //a/...", Some(track));
    write(&folder, "log", log);
    let said = json(&folder, &["log"]);
    assert_eq!(said["locks"]["waited_s"], 0.0);
    assert_eq!(said["locks"]["tables"][0]["read_held"]["total_s"], 0.02);
    let flaws = said["quality"]["flaws"].to_string();
    assert!(flaws.contains("lock times longer than the log"), "{flaws}");
}

#[test]
fn a_branch_that_is_committed_at_once_is_a_branch_and_no_submit() {
    let folder = scratch("workload-populate");
    let mut log = String::new();
    let who = format!("ann@ann-ws 10.1.1.1 {PERSON}");
    let track = "--- db.rev\n---   locks read/write 0/1 rows get+pos+scan put+del 0+0+0 40+0\n";
    let call = "user-populate //a/... //b/...";
    command(&mut log, (7, 3600, 1.0), &who, call, Some(track));
    write(&folder, "log", log);
    let said = json(&folder, &["log"]);
    assert_eq!(said["activity"]["kinds"][0]["kind"], "merge");
    assert_eq!((&said["submits"]["count"], &said["activity"]["days"][0]["submits"]), (&0.into(), &0.into()));
    assert_eq!(answer(&said, "workload.branch_files").unwrap()["value"], "40");
}
