//! `plimsoll workload`: logs whose right figures are known, through the real binary.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use plimsoll::document::read_text;

use crate::cli::{Ran, plimsoll_in, scratch, write};

/// A culprit, Ann, for whom Bob waits while he keeps Cyd and Dee waiting.
const CHAIN: &str = include_str!("../../assets/examples/logs/blocked.log");

/// Seconds after 2024/03/05 00:00:00 as a log writes them.
fn clock(second: u32) -> String {
    let (day, second) = (5 + second / 86_400, second % 86_400);
    let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
    format!("2024/03/{day:02} {h:02}:{m:02}:{s:02}")
}

/// A command with its completion, and with track lines where it has some.
fn command(
    out: &mut String,
    (pid, second, lapse_s): (u32, u32, f64),
    who: &str,
    call: &str,
    track: Option<&str>,
) {
    let start = clock(second);
    let end = clock(second + lapse_s as u32);
    let first = format!("Perforce server info:\n\t{start} pid {pid} {who} '{call}'\n");
    writeln!(out, "{first}").unwrap();
    writeln!(
        out,
        "Perforce server info:\n\t{end} pid {pid} completed {lapse_s:.3}s 10+0us 0+0io 0+0net 9000k 0pf"
    )
    .unwrap();
    if let Some(track) = track {
        write!(
            out,
            "{first}--- lapse {lapse_s:.3}s\n--- usage 10+0us 0+0io 0+0net 9000k 0pf\n{track}"
        )
        .unwrap();
    }
    out.push('\n');
}

const PERSON: &str = "[P4V/NTX64/2023.3/2495381/v86]";
const RPC: &str =
    "--- rpc msgs/size in+out 1+5/0mb+0mb himarks 795800/318788 snd/rcv .000s/.000s\n";
const TRACK: &str = "--- rpc msgs/size in+out 1+5/0mb+0mb himarks 795800/318788 snd/rcv .000s/.000s\n--- db.rev\n---   pages in+out+cached 4+0+2\n---   locks read/write 0/0 rows get+pos+scan put+del 0+1+10 0+0\n---   peek count 1 wait+held total/max 0ms+1ms/0ms+1ms\n";

/// A day: a poller every 30 s from midnight to midnight, and four people from nine to five, each with a command a
/// minute, the busiest hour (ten o'clock) with two; every half hour a submit of 4 files and a sync of 100 files of 1 MiB.
pub(crate) fn day() -> String {
    let mut out = String::new();
    let mut commands: Vec<(u32, u32)> = Vec::new();
    commands.extend((0..86_400 / 30).map(|i| (i * 30, 0)));
    for hour in 9..17_u32 {
        for minute in 0..60 {
            for person in 1..=4 {
                commands.push((hour * 3600 + minute * 60 + person, person));
                if hour == 10 {
                    commands.push((hour * 3600 + minute * 60 + 30 + person, person));
                }
            }
        }
        for half in [1790, 3590] {
            commands.push((hour * 3600 + half, 5));
            commands.push((hour * 3600 + half + 1, 6));
        }
    }
    commands.sort_unstable();
    for (i, (second, what)) in commands.into_iter().enumerate() {
        let pid = 1000 + i as u32;
        match what {
            0 => command(
                &mut out,
                (pid, second, 0.5),
                "swarm@swarm-ws 10.9.9.9 [SWARM/2023.1/2400000]",
                "user-changes -m1 //game/main/...",
                Some(TRACK),
            ),
            5 => {
                let who = format!("ann@ann-ws 10.1.1.1 {PERSON}");
                command(
                    &mut out,
                    (pid, second, 0.1),
                    &who,
                    "user-submit -d x",
                    Some(RPC),
                );
                command(
                    &mut out,
                    (pid, second, 2.0),
                    &who,
                    "dm-SubmitChange",
                    Some(RPC),
                );
                let track = "--- db.rev\n---   pages in+out+cached 4+2+2\n---   locks read/write 0/1 rows get+pos+scan put+del 0+0+0 4+0\n---   total lock wait+held read/write 0ms+0ms/0ms+300ms\n";
                command(
                    &mut out,
                    (pid, second + 2, 0.4),
                    &who,
                    "dm-CommitSubmit",
                    Some(track),
                );
            }
            6 => command(
                &mut out,
                (pid, second, 4.0),
                &format!("bob@bob-ws 10.1.1.2 {PERSON}"),
                "user-sync //game/main/...",
                Some(
                    "--- rpc msgs/size in+out 1+300/0mb+100mb himarks 795800/318788 snd/rcv 3.00s/.000s\n--- filetotals (svr) send/recv files+bytes 100+100mb/0+0mb\n",
                ),
            ),
            person => {
                let name = ["ann", "bob", "cyd", "dee"][person as usize - 1];
                command(
                    &mut out,
                    (pid, second, 0.05),
                    &format!("{name}@{name}-ws 10.1.1.{person} {PERSON}"),
                    "user-fstat //game/main/a.c",
                    Some(TRACK),
                );
            }
        }
    }
    out
}

/// Of 400 commands those from 1 s on alone have track lines.
fn censored() -> String {
    let mut out = String::new();
    for (i, power) in (0..400_u32).zip((0..200_i32).cycle()) {
        let lapse_s = 0.01 * 1.03_f64.powi(power);
        let track = (lapse_s >= 1.0).then_some(TRACK);
        command(
            &mut out,
            (100 + i, 3600 + 60 * i, lapse_s),
            &format!("ann@ann-ws 10.1.1.1 {PERSON}"),
            "user-sync //game/...",
            track,
        );
    }
    out
}

fn workload(folder: &Path, arguments: &[&str]) -> Ran {
    plimsoll_in(folder, &[&["workload"], arguments].concat())
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    workload(folder, &[arguments, &["--format", "json"]].concat()).json()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

fn close(value: &Value, wanted: f64, error: f64) {
    let found = number(value);
    assert!((found - wanted).abs() <= error, "{found}, not {wanted}");
}

#[test]
fn a_chain_leads_to_its_root() {
    let folder = scratch("workload-chain");
    write(&folder, "log", CHAIN);
    let answer = json(&folder, &["log"]);
    let locks = &answer["locks"];
    close(&locks["waited_s"], 73.0, 1e-6);
    close(&locks["explained_s"], 73.0, 1e-6);
    let chains = locks["chains"].as_array().unwrap();
    assert_eq!(chains.len(), 1, "{locks:#}");
    let chain = &chains[0];
    assert_eq!(chain["root"]["user"], "ann");
    assert_eq!(chain["lock"], "db.integed");
    close(&chain["held_s"], 30.0, 1e-6);
    assert_eq!(
        (&chain["commands"], &chain["users"]),
        (&3.into(), &3.into())
    );
    assert_eq!(chain["between"][0]["command"]["user"], "bob");
    close(&chain["between"][0]["waited_s"], 45.0, 1e-6);
    // Cyd waits 26 s of his 27.
    let slow = answer["slowest"].as_array().unwrap();
    let cyd = slow.iter().find(|s| s["user"] == "cyd").unwrap();
    close(&cyd["time"]["lock_wait_s"], 26.0, 1e-6);
    close(&cyd["time"]["sending_s"], 0.1, 1e-6);
    close(&cyd["time"]["rest_s"], 27.0 - 26.0 - 0.1 - 0.012, 1e-6);
    // One command scanned more than 50,000 rows, and three held a lock for more than a second.
    let limit = |name: &str| {
        let mut all = answer["limits"].as_array().unwrap().iter();
        all.find(|l| l["name"] == name).unwrap()
    };
    assert_eq!(limit("MaxScanRows")["cuts"][0]["commands"], 1);
    assert_eq!(limit("MaxScanRows")["largest"]["user"], "cyd");
    assert_eq!(limit("MaxLockTime")["cuts"][0]["commands"], 1);

    let ran = workload(&folder, &["log"]);
    let text = ran.done();
    assert!(
        text.contains("ann: `dm-CommitSubmit` held db.integed for 30 s at 10:00:00"),
        "{text}"
    );
    assert!(text.contains("behind bob, who held db.rev"), "{text}");
    assert!(text.lines().count() <= 45, "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
}

#[test]
fn a_poller_is_named_with_what_it_costs_a_day() {
    let folder = scratch("workload-poller");
    write(&folder, "log", day());
    let answer = json(&folder, &["log"]);
    let pollers = answer["pollers"].as_array().unwrap();
    let swarm = pollers.iter().find(|p| p["user"] == "swarm").unwrap();
    close(&swarm["calls_per_day"], 2880.0, 30.0);
    close(&swarm["interval_s"], 30.0, 0.1);
    close(&swarm["lapse_per_day_s"], 1440.0, 15.0);
    assert_eq!(swarm["pattern"], "-m# //game/…");
    // 2,880 of the poller, 4 people × 60 × 9 minutes, 16 submits and 16 syncs.
    let called = 2880 + 2160 + 32;
    assert_eq!(answer["activity"]["called"], called);
    assert_eq!(answer["submits"]["count"], 16);
    close(&answer["submits"]["visible"]["mean_s"], 2.5, 1e-9);
    assert_eq!(answer["submits"]["files"], 64);
    assert_eq!(answer["syncs"]["files"], 1600);
    close(&answer["syncs"]["moved_bytes"], 1600.0 * 1_048_576.0, 1.0);
    close(
        &answer["syncs"]["rate"]["mean_bytes_per_s"],
        25.0 * 1_048_576.0,
        1.0,
    );
    // Three phases of 16 submits are charged to Ann, as 16 commands.
    let users = answer["activity"]["users"]["rows"].as_array().unwrap();
    let ann = users.iter().find(|u| u["name"] == "ann").unwrap();
    assert_eq!(ann["commands"], 540 + 16);
    close(&ann["lapse_s"], 540.0 * 0.05 + 16.0 * 2.5, 1e-6);
    // Reads without a lock.
    assert_eq!(answer["server"]["peeks"], 2880 + 2160);
}

#[test]
fn a_censored_log_is_called_so_and_what_would_mend_it() {
    let folder = scratch("workload-censored");
    write(&folder, "log", censored());
    let answer = json(&folder, &["log"]);
    let quality = &answer["quality"];
    assert_eq!(quality["track"]["is"], "censored");
    close(&quality["track"]["from_s"], 1.0, 0.05);
    assert_eq!(quality["server"]["level"], 2);
    assert_eq!(
        quality["mend"],
        serde_json::json!(["p4 configure set server=3", "p4 configure set track=1"])
    );
    let ran = workload(&folder, &["log"]);
    let said = words(ran.done());
    assert!(
        said.contains("Censored: only commands from about 1 s on have track lines"),
        "{}",
        ran.out
    );
}

/// Text as one line.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn answers_are_measured_and_a_stated_one_is_kept() {
    let folder = scratch("workload-site");
    write(&folder, "log", day());
    let ran = workload(&folder, &["log", "--site", "site.toml"]);
    ran.done();
    let site = read_text(&folder.join("site.toml")).unwrap();
    for line in [
        "developers = 4",
        "commands_per_day = \"5070 /day\"",
        "submits_per_day = \"16 /day\"",
        "syncs_per_day = \"16 /day\"",
        "files_per_submit = 4",
        "peak_to_mean = 2.86",
        "file_size = \"1.05 MB\"",
        "[measured.workload]",
        "from = \"log of 2024/03/05\"",
    ] {
        assert!(site.contains(line), "{line} is not in\n{site}");
    }
    // The form takes it, and says where it comes from.
    let vocabulary = plimsoll::site::Vocabulary::default();
    let read = plimsoll::site::parse("site.toml", &site, &[], &vocabulary).unwrap();
    let origin = read.people.developers.origin.to_string();
    assert_eq!(origin, "measured: log of 2024/03/05");

    // What somebody stated stays, with its comment; both are shown.
    let edited = site.replace(
        "submits_per_day = \"16 /day\"",
        "submits_per_day = \"99 /day\" # ours",
    );
    write(&folder, "site.toml", edited);
    let ran = workload(&folder, &["log", "--site", "site.toml"]);
    assert!(
        ran.done()
            .contains("Kept workload.submits_per_day = \"99 /day\""),
        "{}",
        ran.out
    );
    let site = read_text(&folder.join("site.toml")).unwrap();
    assert!(
        site.contains("submits_per_day = \"99 /day\" # ours"),
        "{site}"
    );
    let ran = workload(&folder, &["log", "--site", "site.toml", "--overwrite"]);
    let said = words(ran.done());
    assert!(
        said.contains("Replaced workload.submits_per_day = \"99 /day\" by \"16 /day\""),
        "{said}"
    );
    let site = read_text(&folder.join("site.toml")).unwrap();
    assert!(
        site.contains("submits_per_day = \"16 /day\" # ours"),
        "{site}"
    );

    write(&folder, "other.toml", "a = 1\n");
    let ran = workload(&folder, &["log", "--site", "other.toml"]);
    assert!(ran.refused().contains("is not a site file"), "{}", ran.err);
}

#[test]
fn a_measured_answer_that_somebody_changed_is_stated() {
    let text = "schema = 1\nname = \"S\"\n[people]\ndevelopers = 40\n[workload]\nsubmits_per_day = \"8 /day\"\nsyncs_per_day = \"9 /day\"\n[measured.workload]\nsubmits_per_day = { value = \"8 /day\", from = \"log of 2024/03/05\" }\nsyncs_per_day = { value = \"8 /day\", from = \"log of 2024/03/05\" }\n";
    let vocabulary = plimsoll::site::Vocabulary::default();
    let site = plimsoll::site::parse("site.toml", text, &[], &vocabulary).unwrap();
    let workload = &site.workload;
    assert_eq!(
        workload.submits_per_day.origin.to_string(),
        "measured: log of 2024/03/05"
    );
    assert_eq!(
        workload.syncs_per_day.origin.to_string(),
        "stated: site.toml:7"
    );
    assert!(workload.submits_per_day.is_stated());
    let wrong = text.replace("submits_per_day = {", "submit_per_day = {");
    let error = plimsoll::site::parse("site.toml", &wrong, &[], &vocabulary).unwrap_err();
    assert!(
        error.render().contains("submit_per_day"),
        "{}",
        error.render()
    );
}

/// What must not leave the building.
const PERSONAL: [&str; 6] = ["ann", "bob", "cyd", "10.1.1", "-ws", "//game"];

fn is_anonymous(text: &str) {
    let words = text.split(|c: char| !c.is_alphanumeric() && !"/.-".contains(c));
    for word in words {
        let personal = PERSONAL
            .iter()
            .find(|p| word == **p || (p.contains(['.', '-', '/']) && word.contains(**p)));
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
    let all = [
        "log",
        "--anonymise",
        "--full",
        "--jsonl",
        "r.jsonl",
        "--prometheus",
        "p.prom",
    ];
    is_anonymous(workload(&folder, &all).done());
    is_anonymous(&read_text(&folder.join("r.jsonl")).unwrap());
    is_anonymous(&read_text(&folder.join("p.prom")).unwrap());
    is_anonymous(workload(&folder, &["log", "--anonymise", "--format", "json"]).done());
    // With names only when asked for; our own page may be written over.
    workload(&folder, &["log", "--html", "page.html", "--names"]).done();
    assert!(
        read_text(&folder.join("page.html"))
            .unwrap()
            .contains("ann")
    );
    // The same key gives the same pseudonyms for another log.
    let user = |log: &str| {
        let ran = workload(
            &folder,
            &[log, "--anonymise", "--key", "k", "--format", "json"],
        );
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
    assert!(
        ran.refused()
            .contains("exists already; --force overwrites it"),
        "{}",
        ran.err
    );
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
    let found: (String, i64) = connection
        .query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    assert_eq!(found, ("cyd".to_owned(), 26_000));
    write(
        &folder,
        "other.db",
        b"SQLite format 3\0 and then nothing".as_slice(),
    );
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
    let records: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(records.len(), 4);
    let bob = records.iter().find(|r| r["user"] == "bob").unwrap();
    close(&bob["tables"][0]["total"]["write_wait_s"], 28.0, 1e-9);
}

#[test]
fn what_is_no_log_is_refused_in_a_sentence() {
    let folder = scratch("workload-refused");
    write(&folder, "text", "a shopping list\n");
    assert!(
        workload(&folder, &["text"])
            .refused()
            .contains("holds nothing")
    );
    assert!(
        workload(&folder, &["missing"])
            .refused()
            .contains("missing")
    );
    assert!(workload(&folder, &["."]).refused().contains("directory"));
    let answer = workload(&folder, &["text", "--format", "json"]);
    answer.refused_in_json();
}

#[test]
fn names_that_a_terminal_would_obey_are_harmless() {
    let folder = scratch("workload-hostile");
    let bad = CHAIN
        .replace("ann@", "a\u{1b}[31m\u{202e}nn@")
        .replace("cyd", "<script>");
    write(&folder, "log", bad);
    let ran = workload(
        &folder,
        &["log", "--full", "--html", "page.html", "--names"],
    );
    assert!(crate::site_hostile::is_harmless(ran.done()), "{}", ran.out);
    let page = read_text(&folder.join("page.html")).unwrap();
    assert!(!page.contains("<script>"));
}

#[test]
fn the_example_of_the_page_shows_what_the_page_shows() {
    let command = "workload assets/examples/logs/blocked.log";
    let arguments: Vec<&str> = command.split(' ').collect();
    let ran = crate::cli::plimsoll(&arguments);
    let shown = format!("```text\n{}\n```\n", ran.done().trim_end());
    crate::kept::section("docs/server-log.md", "example", &shown);
}

#[test]
fn a_journal_answers_what_it_can_and_says_what_it_cannot() {
    let folder = scratch("workload-journal");
    let mut journal = String::new();
    for second in (0..86_400).step_by(1800) {
        let (change, at) = (100 + second / 1800, 1_709_596_800 + second);
        write!(
            journal,
            "@pv@ 9 @db.rev@ @//game/a.c@ 1 0 1 {change} {at} {at} 47D355EA47D55FAEC8C92A2ABDA980BC 5000 0 0 @//game/a.c@ @1.1@ 0 \n@rv@ 7 @db.user@ @ann@ @a@ @@ 1 2 @ann@ @@ 0 @@ 0 \n@pv@ 2 @db.change@ {change} {change} @ws@ @ann@ {at} 1 @text@ \n@ex@ 7 {at}\n"
        )
        .unwrap();
    }
    write(&folder, "any.name", &journal);
    let answer = json(&folder, &["any.name"]);
    assert_eq!(answer["journal"]["commits"]["count"], 48);
    assert_eq!(answer["quality"]["files"][0]["kind"], "journal");
    let field = |name: &str| {
        let mut all = answer["answers"].as_array().unwrap().iter();
        all.find(|a| a["field"] == name)
            .unwrap_or_else(|| panic!("{name} in {answer:#}"))
    };
    assert_eq!(field("workload.submits_per_day")["value"], "48 /day");
    assert_eq!(
        field("workload.submits_per_day")["from"],
        "journal of 2024/03/05"
    );
    assert_eq!(field("data.file_size")["value"], "5 kB");
    assert_eq!(field("people.developers")["value"], "1");
    assert!(
        answer["undecided"][0]
            .as_str()
            .unwrap()
            .contains("Give the server log")
    );
    let shown = workload(&folder, &["any.name"]);
    assert!(
        shown.done().contains("Journal: 2024/03/05"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("What it cannot say"), "{}", shown.out);
    let full = workload(&folder, &["any.name", "--full"]);
    assert!(full.done().contains("Written by commits"), "{}", full.out);

    // Beside a log, the log decides what both do.
    write(&folder, "log", day());
    let both = json(&folder, &["log", "any.name"]);
    let mut all = both["answers"].as_array().unwrap().iter();
    let submits = all
        .find(|a| a["field"] == "workload.submits_per_day")
        .unwrap();
    assert_eq!(submits["value"], "16 /day");
    assert_eq!(submits["from"], "log of 2024/03/05");
    assert_eq!(both["journal"]["commits"]["count"], 48);
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
    assert!(
        flaw.contains("9.77 (DatabasePerformance)") && flaw.contains("p4 logschema"),
        "{flaw}"
    );
    // Nothing but rows that cannot be read is no log.
    let ran = workload(&folder, &["b"]);
    assert!(ran.refused().contains("p4 logschema"), "{}", ran.err);
    // A log of the same server beside them would count twice.
    write(&folder, "log", CHAIN);
    let answer = json(&folder, &["a", "log"]);
    assert!(
        answer["quality"]["notes"][0]
            .as_str()
            .unwrap()
            .contains("counts twice")
    );
}
