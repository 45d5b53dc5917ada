//! What a log says is in every output, and what it does not say in none.

use serde_json::Value;

use plimsoll::document::read_text;

use super::{json, workload};
use crate::cli::{scratch, write};

/// A server that starts, a command with a trigger whose table has sums alone, and one whose clock went back.
const LOG: &str = "2026/01/06 12:07:05 0 pid 3336: x\n\
Perforce server info:\n\tPerforce Server starting 2026/01/06 12:07:05 pid 3336 P4D/NTX64/2025.2/2852709.\n\n\
Perforce server info:\n\t2026/01/06 12:08:00 pid 1 ann@ws 10.0.0.1 [p4/2025.2/NTX64/1] 'user-submit -i'\n\n\
Perforce server info:\n\t2026/01/06 12:08:00 pid 1 ann@ws 10.0.0.1 [p4/2025.2/NTX64/1] 'user-submit -i' trigger swarm.changesave\nlapse .5s\n\n\
Perforce server info:\n\t2026/01/06 12:08:02 pid 1 completed 2.00s 300+20us 0+0io 0+0net 4000k 0pf\n\
Perforce server info:\n\t2026/01/06 12:08:00 pid 1 ann@ws 10.0.0.1 [p4/2025.2/NTX64/1] 'user-submit -i'\n--- lapse 2.00s\n--- usage 300+20us 0+0io 0+0net 4000k 0pf\n\
--- db.integed\n---   total lock wait+held read/write 0ms+0ms/3ms+17ms\n\n\
Perforce server info:\n\t2026/01/06 12:08:02 pid 1 ann@ws 10.0.0.1 [p4/2025.2/NTX64/1] 'dm-CommitSubmit'\n\n\
Perforce server info:\n\t2026/01/06 12:08:03 pid 1 completed 1.00s 100+10us 0+0io 0+0net 4000k 0pf\n\
Perforce server info:\n\t2026/01/06 12:08:02 pid 1 ann@ws 10.0.0.1 [p4/2025.2/NTX64/1] 'dm-CommitSubmit'\n--- lapse 1.00s\n\
--- db.rev\n---   locks read/write 0/2 rows get+pos+scan put+del 1+2+0 4+0\n---   total lock wait+held read/write 0ms+0ms/0ms+-25ms\n---   max lock wait+held read/write 0ms+0ms/0ms+-30ms\n\n";

#[test]
fn what_no_line_says_is_null_and_no_hold_is_negative() {
    let folder = scratch("workload-said");
    write(&folder, "log", LOG);
    workload(&folder, &["log", "--jsonl", "r.jsonl", "--sqlite", "r.db"]).done();
    let text = read_text(&folder.join("r.jsonl")).unwrap();
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let tables: Vec<Value> = records.filter_map(|record| record["tables"].as_array().cloned()).flatten().collect();
    let table = |name: &str| tables.iter().find(|table| table["name"] == name).unwrap();
    let integed = table("db.integed");
    for key in ["pages_in", "read_locks", "rows_scan", "longest", "peeks"] {
        assert!(integed[key].is_null(), "{key} {integed}");
    }
    assert_eq!(integed["total"]["write_held_s"], 0.017);
    assert_eq!(table("db.rev")["total"]["write_held_s"], 0.0);
    assert_eq!(table("db.rev")["rows_scan"], 0);
    let connection = rusqlite::Connection::open(folder.join("r.db")).unwrap();
    let found: [Option<i64>; 6] = connection
        .query_row(
            "SELECT maxWriteHeld, pagesIn, readLocks, scanRows, peekCount, totalWriteHeld FROM tableUse WHERE tableName = 'integed'",
            [],
            |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?]),
        )
        .unwrap();
    assert_eq!(found, [None, None, None, None, None, Some(17)]);
    let negative: i64 = connection
        .query_row("SELECT count(*) FROM tableUse WHERE totalWriteHeld < 0 OR maxWriteHeld < 0", [], |row| row.get(0))
        .unwrap();
    assert_eq!(negative, 0);
    let full = workload(&folder, &["log", "--full"]);
    let words: Vec<&str> = full.done().split_whitespace().collect();
    let words = words.join(" ");
    assert!(words.contains("a negative wait or hold of a lock, taken as 0"), "{words}");
    // The database says the same when it is read.
    let again = json(&folder, &["r.db"]);
    assert_eq!(again["locks"]["tables"], json(&folder, &["log"])["locks"]["tables"]);
}

#[test]
fn triggers_and_processor_time_are_in_every_output() {
    let folder = scratch("workload-triggers");
    write(&folder, "log", LOG);
    let full = workload(&folder, &["log", "--full", "--prometheus", "p.prom"]);
    assert!(full.done().contains("swarm.changesave"), "{}", full.out);
    let trigger = &json(&folder, &["log"])["triggers"][0];
    assert_eq!(
        (&trigger["name"], &trigger["calls"], &trigger["mean_s"]),
        (&"swarm.changesave".into(), &1.into(), &0.5.into())
    );
    let text = read_text(&folder.join("p.prom")).unwrap();
    for line in [
        "p4_total_trigger_lapse_seconds{trigger=\"swarm.changesave\"} 0.5",
        "p4_cmd_user_cpu_cumulative_seconds{cmd=\"user-submit\"} 0.3",
        "p4_cmd_system_cpu_cumulative_seconds{cmd=\"dm-CommitSubmit\"} 0.01",
        "p4_cmd_counter{cmd=\"dm-CommitSubmit\"} 1",
        "p4_cmd_program_counter{program=\"p4\"} 2",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
    }
    let hidden = workload(&folder, &["log", "--full", "--anonymise"]);
    assert!(!hidden.done().contains("changesave") && hidden.out.contains("trigger-"), "{}", hidden.out);
}

#[test]
fn a_start_of_the_server_answers_its_release_and_system() {
    let folder = scratch("workload-release");
    write(&folder, "log", LOG);
    let answers = json(&folder, &["log"])["answers"].clone();
    let answer = |field: &str| {
        let found = answers.as_array().unwrap().iter().find(|a| a["field"] == field);
        found.unwrap_or_else(|| panic!("{field} in {answers}"))["value"].clone()
    };
    assert_eq!(answer("server.release"), "2025.2");
    assert_eq!(answer("infrastructure.operating_systems"), "windows");
    let site = workload(&folder, &["log", "--site", "site.toml"]);
    assert!(site.done().contains("site.toml"), "{}", site.out);
    let text = read_text(&folder.join("site.toml")).unwrap();
    assert!(text.contains("operating_systems = [\"windows\"]"), "{text}");
}

/// Where a file is cut or of another kind, a sentence says so and what to do.
#[test]
fn other_files_are_named() {
    let folder = scratch("workload-others");
    write(&folder, "pasted", "User name: ann\nServer version: P4D/NTX64/2025.2/2852709 (2025/01/01)\n");
    assert!(workload(&folder, &["pasted"]).refused().contains("plimsoll init --from"));
    write(&folder, "log", LOG);
    let init = crate::cli::plimsoll_in(&folder, &["init", "--from", "log"]);
    assert!(init.done().contains("--log FILE"), "{}", init.out);
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, LOG.as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    write(&folder, "cut.gz", &packed[..12]);
    let ran = workload(&folder, &["cut.gz"]);
    assert!(ran.refused().contains("is cut: it ends"), "{}", ran.err);
}
