//! A log that is followed while this process writes and rotates it.

use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::jam::jammed;
use super::{Path, workload};
use crate::cli::{scratch, write};

/// The program, following a log.
fn follow(folder: &Path, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args([&["workload", "log", "--follow"], more].concat())
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// Interrupts it; its exit code and what it printed.
fn interrupted(mut child: Child) -> (Option<i32>, String) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let mut out = String::new();
    let read = child.stdout.take().map(|mut said| said.read_to_string(&mut out));
    assert!(read.is_some_and(|read| read.is_ok()));
    let ended = child.wait().expect("it ends");
    (ended.code(), out)
}

fn append(log: &Path, text: &str) {
    let file = OpenOptions::new().create(true).append(true).open(log);
    file.and_then(|mut file| file.write_all(text.as_bytes())).expect("it is written");
}

/// Waits until it has said something, at most ten seconds.
#[expect(clippy::disallowed_methods, reason = "it waits for another process")]
fn until(child: &mut Child, said: &mut String, what: &str) {
    let begun = Instant::now();
    let out = child.stdout.as_mut().expect("its output");
    let mut byte = [0];
    while !said.contains(what) {
        assert!(begun.elapsed() < Duration::from_secs(20), "no {what:?} in {said}");
        assert_eq!(out.read(&mut byte).expect("it speaks"), 1, "{said}");
        said.push(char::from(byte[0]));
    }
}

#[test]
fn the_last_screen_is_that_of_the_whole_log() {
    let folder = scratch("workload-followed");
    let log = folder.join("log");
    let text = jammed();
    let mut child = follow(&folder, &[]);
    let mut said = String::new();
    until(&mut child, &mut said, "The log is not there yet.\n");
    // Pieces that end within lines, and both ways to rotate.
    let mut rotated = Vec::new();
    let mut at = 0_usize;
    for (number, piece) in [700, 1500, 37, 1800, 411, 999, usize::MAX].into_iter().enumerate() {
        let end = at.saturating_add(piece).min(text.len());
        append(&log, &text[at..end]);
        at = end;
        // Rotated logs are hours old, and this one is looked at five times a second.
        sleep(Duration::from_millis(300));
        if number == 2 || number == 4 {
            let old = folder.join(format!("log.{number}"));
            if number == 2 {
                fs::rename(&log, &old).expect("it is renamed");
            } else {
                fs::copy(&log, &old).expect("it is copied");
                let truncated = OpenOptions::new().write(true).truncate(true).open(&log);
                assert!(truncated.is_ok());
            }
            rotated.push(format!("log.{number}"));
        }
    }
    until(&mut child, &mut said, "Probable holder: root0, pid 500");
    let (code, out) = interrupted(child);
    rotated.push("log".to_owned());
    let logs: Vec<&str> = rotated.iter().map(String::as_str).collect();
    let whole = workload(&folder, &logs).out;
    let screen = whole.split("\n  Next:").next().unwrap_or(&whole).trim_end();
    assert!(out.contains(screen), "{out}\ninstead of\n{screen}");
    assert_eq!(code, Some(0), "{out}");
}

#[test]
fn a_followed_log_may_be_a_part_and_is_one_answer_for_programs() {
    let folder = scratch("workload-followed-part");
    write(&folder, "log", jammed());
    let child = follow(&folder, &["--last", "3m", "--format", "json"]);
    sleep(Duration::from_millis(700));
    let (code, out) = interrupted(child);
    let answer: super::Value = serde_json::from_str(&out).expect("one answer");
    assert_eq!(answer["quality"]["records"], 8);
    assert_eq!(code, Some(0));
    let ran = workload(&folder, &["-", "--follow"]);
    assert!(ran.code == 3 && ran.err.contains("Standard input"), "{}", ran.err);
}
