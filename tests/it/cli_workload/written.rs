//! Files that `plimsoll workload` writes, and names in them.

use serde_json::Value;

use plimsoll::document::read_text;

use super::{CHAIN, close, day, json, workload};
use crate::cli::{scratch, write};

/// What must not leave the building.
const PERSONAL: [&str; 6] = ["ann", "bob", "cyd", "10.1.1", "-ws", "//game"];

fn is_anonymous(text: &str) {
    let words = text.split(|c: char| !c.is_alphanumeric() && !"/.-".contains(c));
    for word in words {
        let personal = PERSONAL.iter().find(|p| word == **p || (p.contains(['.', '-', '/']) && word.contains(**p)));
        assert!(personal.is_none(), "{personal:?} in {word:?}");
    }
}

#[test]
fn nothing_personal_leaves_the_building() {
    let folder = scratch("workload-anonymous");
    write(&folder, "log", CHAIN);
    workload(&folder, &["log", "--html", "page.html"]).done();
    let page = read_text(&folder.join("page.html")).unwrap();
    is_anonymous(page.split("<body>").nth(1).unwrap());
    assert!(page.contains("user-"), "{page}");
    roxmltree::Document::parse(page.trim_start_matches("<!DOCTYPE html>\n")).unwrap();
    let all = ["log", "--anonymise", "--full", "--jsonl", "r.jsonl", "--prometheus", "p.prom"];
    is_anonymous(workload(&folder, &all).done());
    is_anonymous(&read_text(&folder.join("r.jsonl")).unwrap());
    is_anonymous(&read_text(&folder.join("p.prom")).unwrap());
    is_anonymous(workload(&folder, &["log", "--anonymise", "--format", "json"]).done());
    // With names only when asked for; our own page may be written over.
    workload(&folder, &["log", "--html", "page.html", "--names"]).done();
    assert!(read_text(&folder.join("page.html")).unwrap().contains("ann"));
    // The same key gives the same pseudonyms for another log.
    let user = |log: &str| {
        let ran = workload(&folder, &[log, "--anonymise", "--key", "k", "--format", "json"]);
        ran.json()["locks"]["chains"][0]["root"]["user"].clone()
    };
    write(&folder, "later", CHAIN.replace("2024/03/05", "2024/03/06"));
    assert_eq!(user("log"), user("later"));
}

#[test]
fn a_database_gives_the_same_answer_as_the_log() {
    let folder = scratch("workload-sqlite");
    write(&folder, "log", format!("{CHAIN}{}", day()));
    workload(&folder, &["log", "--sqlite", "log.db"]).done();
    let ran = workload(&folder, &["log", "--sqlite", "log.db"]);
    assert!(ran.refused().contains("exists already; --force overwrites it"), "{}", ran.err);
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
    let (mut log, mut database) = (json(&folder, &["log"]), json(&folder, &["log.db"]));
    for answer in [&mut log, &mut database] {
        for key in ["input", "quality", "written"] {
            answer.as_object_mut().unwrap().remove(key);
        }
        strip_places(answer);
    }
    for (key, value) in log.as_object().unwrap() {
        assert_eq!(value, &database[key], "{key}");
    }
    // A query of log2sql's users.
    let connection = rusqlite::Connection::open(folder.join("log.db")).unwrap();
    let query = "SELECT p.user, t.totalReadWait FROM tableUse t JOIN process p USING (processkey) WHERE t.tableName = 'rev' ORDER BY t.totalReadWait DESC LIMIT 1";
    let found: (String, i64) = connection.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!(found, ("cyd".to_owned(), 26_000));
    write(&folder, "other.db", b"SQLite format 3\0 and then nothing".as_slice());
    workload(&folder, &["other.db"]).refused();
}

/// A database keeps lines, not offsets.
fn strip_places(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("offset_bytes");
            map.values_mut().for_each(strip_places);
        }
        Value::Array(list) => list.iter_mut().for_each(strip_places),
        _ => {}
    }
}

#[test]
fn what_is_read_is_not_written_and_outputs_are_different_files() {
    let folder = scratch("workload-places");
    write(&folder, "log", CHAIN);
    std::fs::create_dir(folder.join("sub")).unwrap();
    for output in ["--jsonl", "--sqlite", "--html", "--prometheus", "--site"] {
        let ran = workload(&folder, &["log", output, "sub/../log", "--force"]);
        assert!(ran.refused().contains("is read by this command"), "{}", ran.err);
    }
    let ran = workload(&folder, &["log", "--jsonl", "out", "--sqlite", "./out"]);
    assert!(ran.refused().contains("two outputs"), "{}", ran.err);
    let ran = workload(&folder, &["log", "--html", "-"]);
    assert!(ran.refused().contains("goes to a file"), "{}", ran.err);
    let ran = workload(&folder, &["log", "--key", "k"]);
    assert!(ran.refused().contains("--anonymise"), "{}", ran.err);
    let ran = crate::cli::plimsoll_in(&folder, &["init", "log", "--log", "log", "--force"]);
    assert!(ran.refused().contains("is read by this command"), "{}", ran.err);
    assert_eq!(read_text(&folder.join("log")).unwrap(), CHAIN);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn figures_for_prometheus_have_their_names() {
    let folder = scratch("workload-prometheus");
    write(&folder, "log", CHAIN);
    workload(&folder, &["log", "--prometheus", "p.prom"]).done();
    let text = read_text(&folder.join("p.prom")).unwrap();
    for line in [
        "p4_cmd_counter{cmd=\"user-files\"} 2",
        "p4_cmd_cumulative_seconds{cmd=\"user-files\"} 47",
        "p4_total_read_wait_seconds{table=\"rev\"} 45",
        "p4_total_write_held_seconds{table=\"integed\"} 30.4",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
    }
    // A timer may renew it; nobody else's file is touched.
    workload(&folder, &["log", "--prometheus", "p.prom"]).done();
    write(&folder, "mine.prom", "mine\n");
    workload(&folder, &["log", "--prometheus", "mine.prom"]).refused();
}

#[test]
fn records_are_one_line_each() {
    let folder = scratch("workload-jsonl");
    write(&folder, "log", CHAIN);
    workload(&folder, &["log", "--jsonl", "r.jsonl"]).done();
    let text = read_text(&folder.join("r.jsonl")).unwrap();
    let records: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(records.len(), 4);
    let bob = records.iter().find(|r| r["user"] == "bob").unwrap();
    close(&bob["tables"][0]["total"]["write_wait_s"], 28.0, 1e-9);
}

#[test]
fn names_that_a_terminal_would_obey_are_harmless() {
    let folder = scratch("workload-hostile");
    let bad = CHAIN.replace("ann@", "a\u{1b}[31m\u{202e}nn@").replace("cyd", "<script>");
    write(&folder, "log", bad);
    let ran = workload(&folder, &["log", "--full", "--html", "page.html", "--names"]);
    assert!(crate::site_hostile::is_harmless(ran.done()), "{}", ran.out);
    let page = read_text(&folder.join("page.html")).unwrap();
    assert!(!page.contains("<script>"));
}
