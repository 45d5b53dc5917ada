//! `plimsoll bench DIR` as its user runs it: what is measured, and that nothing of it stays.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use plimsoll::bench::{Plan, full, quick};
use plimsoll::document::read_text;
use serde_json::Value;

use crate::cli::{Ran, plimsoll, scratch, write};

/// A run that is over in a second or two.
pub(super) const SHORT: [&str; 8] = ["--size", "16 MiB", "--round", "20 ms", "--rounds", "3", "--keep-free", "0 B"];

pub(super) fn bench(folder: &Path, arguments: &[&str]) -> Ran {
    let folder = folder.to_str().expect("UTF-8");
    plimsoll(&[&["bench", folder], SHORT.as_slice(), arguments].concat())
}

pub(super) fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("a folder").next().is_none()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn ids_are_unique_and_the_quick_tests_are_some_of_all() {
    let ids = |tests: Vec<_>| tests.iter().map(ToString::to_string).collect::<Vec<_>>();
    let all = ids(full());
    let unique: BTreeSet<&String> = all.iter().collect();
    assert_eq!(unique.len(), all.len());
    assert!(ids(quick()).iter().all(|id| unique.contains(id)));
}

#[test]
fn a_quick_run_takes_under_two_minutes_and_a_full_one_under_twenty() {
    assert!(Plan::quick().time().as_secs() < 120);
    assert!(Plan::full().time().as_secs() < 20 * 60);
}

#[test]
fn every_quick_test_is_measured_or_says_why_not_and_nothing_stays() {
    let folder = scratch("bench-quick");
    let ran = bench(&folder, &["--quick", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(answer["kind"], "plimsoll bench");
    let tests = answer["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), quick().len());
    for test in tests {
        let id = &test["id"];
        if number(&test["iops"]) == 0.0 {
            let notes = test["notes"].as_array().expect("why not");
            assert!(!notes.is_empty(), "{id}");
            continue;
        }
        let times = &test["latency_s"];
        let all: Vec<f64> = ["p50", "p90", "p99", "p99_9", "max"].iter().map(|key| number(&times[key])).collect();
        assert!(all.is_sorted(), "{id}: {all:?}");
        assert!(all[0] > 0.0, "{id}");
        let rounds: Vec<f64> = test["rounds"].as_array().expect("rounds").iter().map(number).collect();
        let mut sorted = rounds.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(sorted[sorted.len() / 2], number(&test["iops"]), "{id}: the median");
    }
    assert!(is_empty(&folder));
}

/// Little's law: the mean time of an operation times their rate is the number of threads, and the median of such times is
/// not above their mean.
#[test]
fn threads_are_as_many_as_rate_times_time() {
    let folder = scratch("bench-little");
    let ran = bench(&folder, &["--only", "lock.ofd.alone", "--only", "journal.4", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    for test in answer["tests"].as_array().expect("tests") {
        let threads = number(&test["threads"]);
        let parts = test["parts"].as_array().expect("parts");
        let medians: f64 = parts.iter().map(|p| number(&p["p50"])).sum();
        let busy = medians * number(&test["iops"]);
        assert!(busy > 0.0 && busy <= threads * 1.1, "{}: {busy} of {threads}", test["id"]);
    }
}

#[test]
fn commits_are_counted_and_acknowledged() {
    let folder = scratch("bench-commits");
    let ran = bench(&folder, &["--only", "write-commit.8k.random.1", "--format", "json"]);
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    let test = &answer["tests"][0];
    assert_eq!(test["commits"], test["operations"]);
    let reads = bench(&folder, &["--only", "read-cached", "--format", "json"]);
    let answer: Value = serde_json::from_str(&reads.out).expect("JSON");
    assert!(answer["tests"][0]["commits"].is_null());
}

#[test]
fn a_dry_run_writes_nothing_and_says_bytes_and_time() {
    let folder = scratch("bench-dry");
    let ran = bench(&folder, &["--dry-run"]);
    let out = ran.done();
    assert!(out.contains("at most") && out.contains("about"), "{out}");
    assert!(out.contains("write-commit.8k.random.16"), "{out}");
    assert!(is_empty(&folder));
    let answer = bench(&folder, &["--dry-run", "--quick", "--format", "json"]).json();
    assert_eq!(answer["tests"].as_array().expect("tests").len(), quick().len());
    assert!(number(&answer["bytes_max_bytes"]) > 16.0 * 1024.0 * 1024.0);
}

#[test]
fn a_wrong_answer_to_an_option_says_what_is_right() {
    let folder = scratch("bench-wrong");
    for (arguments, says) in [
        (["--only", "jurnal"], "did you mean \"journal\"?"),
        (["--only", "reed.8k"], "did you mean \"read.8k\"?"),
        (["--size", "16"], "16"),
        (["--size", "1 B"], "from 16"),
        (["--round", "1 h"], "10 ms to 10 min"),
        (["--keep-free", "much"], "keep-free"),
    ] {
        let folder = folder.to_str().expect("UTF-8");
        let ran = plimsoll(&[&["bench", folder], arguments.as_slice()].concat());
        assert!(ran.refused().contains(says), "{}", ran.err);
    }
    assert!(is_empty(&folder));
}

#[test]
fn a_result_is_saved_and_nothing_else_is_written_over() {
    let folder = scratch("bench-save-again");
    let place = folder.join("volume");
    fs::create_dir(&place).expect("a folder");
    let mine = write(&folder, "notes.toml", "mine = true\n");
    let ran = bench(&place, &["--only", "lock.flock.alone", "--save", &mine]);
    assert!(ran.refused().contains("was not made by plimsoll"), "{}", ran.err);
    assert_eq!(read_text(Path::new(&mine)).expect("a file"), "mine = true\n");
    let file = folder.join("result.toml");
    let file = file.to_str().expect("UTF-8");
    for _again in 0..2 {
        let ran = bench(&place, &["--only", "lock.flock.alone", "--save", file]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let saved = plimsoll::bench::Measured::load(Path::new(file)).expect("a result");
    assert!(saved.test("lock.flock.alone.1").is_some());
    assert!(is_empty(&place));
}

#[test]
fn the_processor_is_measured_in_less_than_ten_seconds_and_without_the_volume() {
    let alone = Plan::full().only(&["rows".to_owned(), "echo".to_owned()]);
    let alone = alone.expect("they are there");
    assert!(alone.time().as_secs_f64() < 10.0, "{:?}", alone.time());
    let folder = scratch("bench-processor");
    let short = ["--only", "rows", "--only", "echo", "--format", "json"];
    let ran = bench(&folder, &short);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    let tests = answer["tests"].as_array().expect("tests");
    let ids: Vec<&str> = tests.iter().filter_map(|t| t["id"].as_str()).collect();
    assert_eq!(ids, ["rows.1", "echo.1"]);
    for test in tests {
        assert!(number(&test["iops"]) > 0.0, "{test}");
    }
    assert!(is_empty(&folder));
}
