//! Commands that were not served, by cause, user and program.

use plimsoll_p4log::serverlog::Reader;
use plimsoll_p4log::serverlog::analysis::{Analysis, Unserved};
use plimsoll_p4log::serverlog::quality::Log;

fn unserved(log: &str) -> Vec<Unserved> {
    let mut analysis = Analysis::default();
    let mut reader = Reader::new();
    reader.read(0, &mut log.as_bytes(), &mut analysis).expect("a slice is read without errors");
    reader.finish(&mut analysis);
    analysis.finish(Log::default()).unserved
}

/// A command of a user, with an error of these lines and perhaps a line of its track block.
fn command(pid: u64, user: &str, call: &str, error: &[&str], track: &str) -> String {
    let start = format!(
        "Perforce server info:\n\t2026/03/03 02:00:00 pid {pid} {user}@ws 192.0.2.4 [P4V/NTX64/2024.1/1] '{call}'\n"
    );
    let error = if error.is_empty() {
        String::new()
    } else {
        let operation = call.split(' ').next().unwrap_or(call);
        let lines: String = error.iter().flat_map(|line| ["\t", line, "\n"]).collect();
        format!("Perforce server error:\n\tDate 2026/03/03 02:00:01:\n\tPid {pid}\n\tOperation: {operation}\n{lines}\n")
    };
    let completed =
        format!("Perforce server info:\n\t2026/03/03 02:00:01 pid {pid} completed .9s 1+1us 0+0io 0+0net 4088k 0pf\n");
    format!("{start}\n{error}{completed}{start}--- lapse .9s\n{track}\n")
}

#[test]
fn each_command_counts_once_by_the_cause_that_tells_most() {
    let scan = "Too many rows scanned (over 250000); see 'p4 help maxscanrows'.";
    let mut log = String::new();
    for pid in 1..=3 {
        log += &command(pid, "ann", "user-files //...", &["Operation 'user-files' failed.", scan], "");
    }
    // The block of an error and the line of the track block are one failure.
    log += &command(
        4,
        "bob",
        "user-fstat -Ob //...",
        &["Too many commands paused;  terminated."],
        "--- exited on fatal server error\n",
    );
    log += &command(
        5,
        "cat",
        "user-sync",
        &["Your session has expired, please login again."],
        "--- failed authentication check\n",
    );
    log += &command(6, "dan", "user-login", &[], "--- failed authentication check\n");
    log += &command(7, "eve", "user-print //depot/x", &["//depot/x - no such file(s)."], "");
    log += &command(8, "fay", "user-info", &[], "");
    log += "Perforce server info:\n\t2026/03/03 02:00:02 pid 9 gil@ws 192.0.2.4 [p4/2024.1/L/1] 'user-changes'\n\n";
    log += "Perforce server info:\n\t2026/03/03 02:00:05 pid 9 gil@ws 192.0.2.4 [p4/2024.1/L/1] 'user-changes' exited unexpectedly, removed from monitor table.\n\n";
    // Of a command whose start is in the log before.
    log += "Perforce server error:\n\tDate 2026/03/03 02:00:07:\n\tPid 99\n\tOperation: user-verify\n\tCommand terminated by 'p4 monitor terminate'.\n\n";
    let found = unserved(&log);
    let told: Vec<(&str, &str, u64, Vec<&str>)> = found
        .iter()
        .map(|one| {
            let users = one.users.rows.iter().map(|(name, _)| name.as_str());
            (one.cause.outcome.name(), one.cause.id.as_str(), one.commands, users.collect())
        })
        .collect();
    assert_eq!(
        told,
        [
            ("killed", "max-scan-rows", 3, vec!["ann"]),
            ("killed", "terminated", 1, vec![]),
            ("killed", "too-many-paused", 1, vec!["bob"]),
            ("login failed", "password", 1, vec!["dan"]),
            ("login failed", "session", 1, vec!["cat"]),
            ("removed", "removed", 1, vec!["gil"]),
            ("failed", "error", 1, vec!["eve"]),
        ]
    );
    assert_eq!(found[0].programs.rows[0].0, "P4V");
    assert_eq!(found[1].functions.rows[0].0, "user-verify");
}
