//! Journals and structured logs, alone and beside a server log.

use std::fmt::Write as _;
use std::ops::Range;

use super::{CHAIN, close, day, json, workload};
use crate::cli::{scratch, write};

/// A commit of one file at each of these half hours of 2024/03/05.
pub(crate) fn journal(half_hours: Range<u32>) -> String {
    let mut journal = String::new();
    for half in half_hours {
        let (change, at) = (100 + half, 1_709_596_800 + 1800 * half);
        write!(
            journal,
            "@pv@ 9 @db.rev@ @//game/a.c@ 1 0 1 {change} {at} {at} 47D355EA47D55FAEC8C92A2ABDA980BC 5000 0 0 @//game/a.c@ @1.1@ 0 \n@rv@ 7 @db.user@ @ann@ @a@ @@ 1 2 @ann@ @@ 0 @@ 0 \n@pv@ 2 @db.change@ {change} {change} @ws@ @ann@ {at} 1 @text@ \n@ex@ 7 {at}\n"
        )
        .unwrap();
    }
    journal
}

#[test]
fn journals_are_read_in_the_order_of_their_times() {
    let folder = scratch("workload-journals");
    write(&folder, "journal.2", journal(0..24));
    write(&folder, "journal.10", journal(24..48));
    let by_name = json(&folder, &["journal.10", "journal.2"]);
    assert_eq!(by_name["journal"]["commits"]["count"], 48);
    let by_time = json(&folder, &["journal.2", "journal.10"]);
    assert_eq!(by_name["journal"], by_time["journal"]);
}

#[test]
fn a_journal_answers_what_it_can_and_says_what_it_cannot() {
    let folder = scratch("workload-journal");
    write(&folder, "any.name", journal(0..48));
    let answer = json(&folder, &["any.name"]);
    assert_eq!(answer["journal"]["commits"]["count"], 48);
    assert_eq!(answer["quality"]["files"][0]["kind"], "journal");
    let field = |name: &str| {
        let mut all = answer["answers"].as_array().unwrap().iter();
        all.find(|a| a["field"] == name).unwrap_or_else(|| panic!("{name} in {answer:#}"))
    };
    assert_eq!(field("workload.submits_per_day")["value"], "48 /day");
    assert_eq!(field("workload.submits_per_day")["from"], "journal of 2024/03/05");
    assert_eq!(field("data.file_size")["value"], "5 kB");
    assert_eq!(field("people.developers")["value"], "1");
    assert!(answer["undecided"][0].as_str().unwrap().contains("Give the server log"));
    let shown = workload(&folder, &["any.name"]);
    assert!(shown.done().contains("Journal: 2024/03/05"), "{}", shown.out);
    assert!(shown.out.contains("What it cannot say"), "{}", shown.out);
    let full = workload(&folder, &["any.name", "--full"]);
    assert!(full.done().contains("Written by commits"), "{}", full.out);

    // Beside a log, the log decides what both do.
    write(&folder, "log", day());
    let both = json(&folder, &["log", "any.name"]);
    let mut all = both["answers"].as_array().unwrap().iter();
    let submits = all.find(|a| a["field"] == "workload.submits_per_day").unwrap();
    assert_eq!(submits["value"], "16 /day");
    assert_eq!(submits["from"], "log of 2024/03/05");
    assert_eq!(both["journal"]["commits"]["count"], 48);
}

/// A checkpoint of 2024/03/05: files of 5,000 B, one a workspace of 30 has synced.
pub(crate) fn checkpoint() -> String {
    let at = 1_709_596_800;
    let mut text = format!("@nx@ 0 {at} @31@ 2 0 0 0 0 @/p4/root@ @journal@ @@ @@ @@\n");
    for file in 0..30 {
        writeln!(text, "@pv@ 3 @db.have@ @//ws/{file}.c@ @//game/{file}.c@ 1 0 ").unwrap();
    }
    writeln!(text, "@pv@ 7 @db.user@ @ann@ @a@ @@ {at} {at} @ann@ @@ 0 @@ 0 ").unwrap();
    for (table, files) in [("db.rev", 90), ("db.revhx", 40)] {
        for file in 0..files {
            writeln!(
                text,
                "@pv@ 9 @{table}@ @//game/{file}.c@ 1 0 1 7 {at} {at} 47D355EA47D55FAEC8C92A2ABDA980BC 5000 0 0 @//game/{file}.c@ @1.1@ 0 "
            )
            .unwrap();
        }
    }
    text
}

#[test]
fn a_checkpoint_says_what_the_database_holds_and_gives_no_rate() {
    let folder = scratch("workload-checkpoint");
    write(&folder, "any.name", checkpoint());
    let answer = json(&folder, &["any.name"]);
    assert_eq!(answer["quality"]["files"][0]["kind"], "checkpoint");
    assert!(answer["journal"].is_null(), "{answer:#}");
    assert_eq!(answer["checkpoint"]["rows"], 161);
    assert_eq!(answer["checkpoint"]["tables"][0]["table"], "db.rev");
    assert_eq!(answer["checkpoint"]["tables"][0]["rows"], 90);
    let all = answer["answers"].as_array().unwrap();
    let found: Vec<(&str, &str)> =
        all.iter().map(|a| (a["field"].as_str().unwrap(), a["value"].as_str().unwrap())).collect();
    assert_eq!(
        found,
        [
            ("people.developers", "1"),
            ("data.files", "40"),
            ("data.revisions", "90"),
            ("data.workspace_files", "30"),
            ("data.file_size", "5 kB"),
        ]
    );
    assert_eq!(all[0]["from"], "checkpoint of 2024/03/05");
    let shown = workload(&folder, &["any.name"]);
    let shown = shown.done();
    for said in [
        "Checkpoint: 2024/03/05 00:00:00 UTC",
        "What the checkpoint holds",
        "40 files (db.revhx), 90 revisions (db.rev)",
        "What it cannot say",
        "Give the server log",
    ] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(!shown.contains("grows by"), "{shown}");
    let full = workload(&folder, &["any.name", "--full"]);
    assert!(full.done().contains("Rows by table"), "{}", full.out);
    // The site file takes the answers, and a log of another day renews them.
    let site = workload(&folder, &["any.name", "--site", "site.toml"]);
    site.done();
    let written = plimsoll::document::read_text(&folder.join("site.toml")).unwrap();
    assert!(written.contains("revisions = 90"), "{written}");
    assert!(written.contains("checkpoint of 2024/03/05"), "{written}");

    // Beside a journal its rows change nothing of that.
    write(&folder, "journal", journal(0..48));
    let journal = json(&folder, &["journal"]);
    let both = json(&folder, &["any.name", "journal"]);
    assert_eq!(both["journal"], journal["journal"]);
    assert_eq!(both["checkpoint"], answer["checkpoint"]);
    // Twice the same checkpoint.
    write(&folder, "same.name", checkpoint());
    let once = json(&folder, &["any.name", "same.name"]);
    assert_eq!(once["checkpoint"]["rows"], answer["checkpoint"]["rows"]);
    let notes = once["quality"]["notes"].to_string();
    assert!(notes.contains("Log 2 begins with the same text as log 1: it is not read."), "{notes}");
    // And one that was made an hour later.
    let later = checkpoint().replace("1709596800", "1709600400");
    write(&folder, "other.name", later);
    let twice = json(&folder, &["any.name", "other.name"]);
    assert!(twice["quality"]["notes"][0].as_str().unwrap().contains("Give the files of one checkpoint"));
}

#[test]
fn structured_logs_are_read_by_what_stands_in_them() {
    let folder = scratch("workload-structured");
    let row = |event: &str, second: u32, rest: &str| {
        format!(
            "{event},{},5,2024/03/05 10:00:{second:02},7,id,commit,1,ann,ws,user-sync,10.1.1.1,P4V,v86,-n{rest}\n",
            1_709_632_800 + second
        )
    };
    let commands = [row("0.50", 1, ""), row("2.50", 3, "")].concat();
    write(&folder, "a", &commands);
    write(&folder, "b", row("9.77", 3, ",0,db.have"));
    let answer = json(&folder, &["a", "b"]);
    assert_eq!(answer["activity"]["called"], 1);
    close(&answer["slowest"][0]["lapse_s"], 2.0, 1e-9);
    assert_eq!(answer["quality"]["files"][1]["kind"], "structured log");
    let flaw = answer["quality"]["flaws"][0].as_str().unwrap();
    assert!(flaw.contains("9.77 (DatabasePerformance)") && flaw.contains("p4 logschema"), "{flaw}");
    // Nothing but rows that cannot be read is no log.
    let ran = workload(&folder, &["b"]);
    assert!(ran.refused().contains("p4 logschema"), "{}", ran.err);
    // A log of the same server beside them would count twice.
    write(&folder, "log", CHAIN);
    let answer = json(&folder, &["a", "log"]);
    assert!(answer["quality"]["notes"][0].as_str().unwrap().contains("counts twice"));
}
