//! A part of a log by time: `--from`, `--to`, `--last`, for every output.

use super::jam::jammed;
use super::{Path, Value, json, workload};
use crate::cli::{scratch, write};
use plimsoll::document::read_text;

fn records(folder: &Path, part: &[&str]) -> Value {
    let answer = json(folder, &[&["log"], part].concat());
    answer["quality"]["records"].clone()
}

#[test]
fn a_part_of_a_log_has_what_reaches_into_it() {
    let folder = scratch("workload-part");
    // Ten commands from 01:00:00 on, one a second; eight from 01:01:00 on, one a minute, without an end.
    write(&folder, "log", jammed());
    for (part, expected) in [
        (&["--from", "01:00:00"][..], 18),
        (&["--from", "01:00:05", "--to", "01:00:07"], 3),
        (&["--last", "3m"], 8),
        (&["--last", "2 h"], 18),
        (&["--from", "2024/03/05 01:02:30", "--to", "01:04"], 4),
    ] {
        assert_eq!(records(&folder, part), expected, "{part:?}");
    }
    let answer = json(&folder, &["log", "--last", "3m"]);
    let part = &answer["quality"]["part"];
    assert_eq!(part["from"], "2024/03/05 01:05:00");
    assert_eq!(part["to"], Value::Null);
    assert_eq!(part["log_from"], "2024/03/05 01:00:00");
    assert_eq!(answer["quality"]["from"], part["from"]);
    // The holder began before the part: it is named all the same.
    let screen = workload(&folder, &["log", "--last", "3m"]).out;
    assert!(screen.starts_with("Part of a server log: "), "{screen}");
    assert!(screen.contains("root0, pid 500"), "{screen}");
    // What is exported is the part, too.
    let export = ["log", "--from", "01:00:05", "--to", "01:00:07", "--jsonl", "out"];
    assert_eq!(workload(&folder, &export).code, 0);
    let lines = read_text(&folder.join("out")).unwrap();
    assert_eq!(lines.lines().count(), 3, "{lines}");
}

#[test]
fn a_part_that_is_not_there_is_an_error_with_the_log_s_own_times() {
    let folder = scratch("workload-no-part");
    write(&folder, "log", jammed());
    for (part, expected) in [
        (
            &["--from", "12:00", "--to", "13:00"][..],
            "12:00:00 is not in the log, which goes from 2024/03/05 01:00:00 to",
        ),
        (&["--from", "2024/03/06 01:00"], "the log goes from 2024/03/05 01:00:00 to"),
        (&["--from", "2024/03/05 01:03", "--to", "2024/03/05 01:02"], "before it begins at 2024/03/05 01:03:00"),
        (&["--from", "25:00"], "a time is 02:05"),
        (&["--last", "30 parsecs"], "a time such as"),
        (&["--last", "30m", "--to", "01:00"], "cannot be used with"),
    ] {
        let ran = workload(&folder, &[&["log"], part].concat());
        assert!(ran.code == 2 || ran.code == 3, "{part:?}: {}", ran.code);
        assert!(ran.err.contains(expected), "{part:?}: {}", ran.err);
    }
    write(&folder, "empty", "");
    let ran = workload(&folder, &["empty", "--last", "30m"]);
    assert!(ran.code == 3 && ran.err.contains("no line states a time"), "{}", ran.err);
}
