//! `plimsoll workload`: logs whose right figures are known, through the real binary.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::cli::{Ran, plimsoll_in, scratch, write};

mod followed;
mod jam;
pub(crate) mod journals;
mod part;
mod replayed;
mod said;
mod secrets;
mod short;
mod site;
mod teams;
mod without;
mod written;

/// A culprit, Ann, for whom Bob waits while he keeps Cyd and Dee waiting.
const CHAIN: &str = include_str!("../../assets/examples/logs/blocked.log");

/// Seconds after 2024/03/05 00:00:00 as a log writes them.
fn clock(second: u32) -> String {
    let (day, second) = (5 + second / 86_400, second % 86_400);
    let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
    format!("2024/03/{day:02} {h:02}:{m:02}:{s:02}")
}

/// A command with its completion, and with track lines where it has some.
fn command(out: &mut String, (pid, second, lapse_s): (u32, u32, f64), who: &str, call: &str, track: Option<&str>) {
    let start = clock(second);
    let end = clock(second + lapse_s as u32);
    let first = format!("Perforce server info:\n\t{start} pid {pid} {who} '{call}'\n");
    writeln!(out, "{first}").unwrap();
    writeln!(out, "Perforce server info:\n\t{end} pid {pid} completed {lapse_s:.3}s 10+0us 0+0io 0+0net 9000k 0pf")
        .unwrap();
    if let Some(track) = track {
        write!(out, "{first}--- lapse {lapse_s:.3}s\n--- usage 10+0us 0+0io 0+0net 9000k 0pf\n{track}").unwrap();
    }
    out.push('\n');
}

const PERSON: &str = "[P4V/NTX64/2023.3/2495381/v86]";
const RPC: &str = "--- rpc msgs/size in+out 1+5/0mb+0mb himarks 795800/318788 snd/rcv .000s/.000s\n";
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
                command(&mut out, (pid, second, 0.1), &who, "user-submit -d x", Some(RPC));
                command(&mut out, (pid, second, 2.0), &who, "dm-SubmitChange", Some(RPC));
                let track = "--- db.rev\n---   pages in+out+cached 4+2+2\n---   locks read/write 0/1 rows get+pos+scan put+del 0+0+0 4+0\n---   total lock wait+held read/write 0ms+0ms/0ms+300ms\n";
                command(&mut out, (pid, second + 2, 0.4), &who, "dm-CommitSubmit", Some(track));
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
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
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
    assert_eq!((&chain["commands"], &chain["users"]), (&3.into(), &3.into()));
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
    // Its commit has track lines, but none of a table with a row for each file.
    let undecided = answer["undecided"].to_string();
    assert!(undecided.contains("Files of a submit: no line counts them"), "{undecided}");

    let ran = workload(&folder, &["log"]);
    let text = ran.done();
    assert!(text.contains("ann: `dm-CommitSubmit` held db.integed for 30 s at 10:00:00"), "{text}");
    assert!(text.contains("behind bob, who held db.rev"), "{text}");
    assert!(text.lines().count() <= 45, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
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
    close(&answer["syncs"]["rate"]["mean_bytes_per_s"], 25.0 * 1_048_576.0, 1.0);
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
    assert_eq!(quality["mend"], serde_json::json!(["p4 configure set server=3", "p4 configure set track=1"]));
    let ran = workload(&folder, &["log"]);
    let said = words(ran.done());
    assert!(said.contains("Censored: only commands from about 1 s on have track lines"), "{}", ran.out);
}

/// Text as one line.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_no_log_is_refused_in_a_sentence() {
    let folder = scratch("workload-refused");
    write(&folder, "text", "a shopping list\n");
    assert!(workload(&folder, &["text"]).refused().contains("holds nothing"));
    assert!(workload(&folder, &["missing"]).refused().contains("missing"));
    assert!(workload(&folder, &["."]).refused().contains("directory"));
    let answer = workload(&folder, &["text", "--format", "json"]);
    answer.refused_in_json();
}

#[test]
fn the_example_of_the_page_shows_what_the_page_shows() {
    let command = "workload assets/examples/logs/blocked.log";
    let arguments: Vec<&str> = command.split(' ').collect();
    let ran = crate::cli::plimsoll(&arguments);
    let shown = format!("```text\n{}\n```\n", ran.done().trim_end());
    crate::kept::section("docs/server-log.md", "example", &shown);
}
