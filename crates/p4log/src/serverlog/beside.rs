//! Outputs that say who has which lock now: `p4 monitor show -aeL` and `lslocks`, given beside a log.
//!
//! # References
//!
//! - Perforce, "P4 Command-Line Reference", `p4 monitor`: the lines. `lslocks(8)` of util-linux: a star
//!   behind the mode is a lock that is waited for; the column BLOCKER is by whom.

use std::io::{self, BufRead, BufReader, Read};

use super::analysis::{Evidence, Lock, Running};
use super::record::{Moment, Place};

/// How a lock is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Beside others who read.
    Shared,
    /// Alone.
    Exclusive,
}

/// A line of `p4 monitor show`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The process.
    pub pid: u64,
    /// `R` running, `I` idle, `B` background, `P` paused, `T` to be terminated, `F` finishing.
    pub status: char,
    /// The user.
    pub user: String,
    /// Whole seconds since it began.
    pub seconds: u64,
    /// The command without its arguments.
    pub command: String,
    /// Its arguments, where they are shown.
    pub arguments: String,
}

/// A lock of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OfProcess {
    pid: u64,
    lock: String,
    mode: Mode,
    /// Whether it is waited for.
    waits: bool,
    /// By which process it is held.
    blocker: Option<u64>,
}

/// What stands in such outputs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside {
    shown: Vec<Shown>,
    locks: Vec<OfProcess>,
    /// Columns of `lslocks`, while it is read.
    columns: Vec<String>,
}

/// Lines that are kept of each output.
const KEPT: usize = 100_000;

/// Whether a text that begins with this line is such an output.
pub(super) fn begins(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else {
        return false;
    };
    columns(line).is_some() || shown(line).is_some()
}

/// The columns of `lslocks`.
fn columns(line: &str) -> Option<Vec<String>> {
    let columns: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let has = |name: &str| columns.iter().any(|column| column == name);
    (has("PID") && has("MODE") && has("PATH")).then_some(columns)
}

/// A line of `p4 monitor show` with any of its options.
pub fn shown(line: &str) -> Option<Shown> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let pid = words.first()?.parse().ok()?;
    let at = words.iter().take(8).position(|word| clock(word).is_some())?;
    let status = |word: &&str| match *word {
        "R" | "T" | "P" | "B" | "F" | "I" => word.chars().next(),
        _ => None,
    };
    let before = &words[1..at];
    let (place, status) = before.iter().enumerate().find_map(|(place, word)| Some((place, status(word)?)))?;
    Some(Shown {
        pid,
        status,
        user: (*before.get(place + 1)?).to_owned(),
        seconds: clock(words[at])?,
        command: (*words.get(at + 1).unwrap_or(&"")).to_owned(),
        arguments: words
            .get(at + 2..)
            .unwrap_or_default()
            .iter()
            .take_while(|word| !word.starts_with('['))
            .copied()
            .collect::<Vec<_>>()
            .join(" "),
    })
}

/// Seconds of "270:49:23".
pub fn clock(text: &str) -> Option<u64> {
    let parts: Vec<u64> =
        text.split(':').map(|part| part.parse().ok().filter(|_| part.len() < 8)).collect::<Option<_>>()?;
    match parts[..] {
        [hours, minutes, seconds] => Some(hours * 3600 + minutes * 60 + seconds),
        _ => None,
    }
}

/// A lock as the log calls it: `/p4/root/server.locks/clients/88,d/ws4` is "clients/ws4", `/p4/root/db.rev` "db.rev".
fn lock_name(path: &str) -> String {
    if let Some((_, lock)) = path.rsplit_once("server.locks/") {
        let parts: Vec<&str> = lock.split('/').filter(|part| !part.ends_with(",d")).collect();
        return parts.join("/");
    }
    let last = path.rsplit('/').next().unwrap_or(path);
    if ["db.", "rdb.", "pdb.", "tiny."].iter().any(|begin| last.starts_with(begin)) {
        return last.to_owned();
    }
    path.to_owned()
}

/// Locks in brackets: `[server.locks/clients/88,d/ws4(W),db.locks(R)]`, with times behind them from `monitor=10` on.
fn bracketed(line: &str) -> Vec<(String, Mode)> {
    let Some((_, rest)) = line.split_once('[') else {
        return Vec::new();
    };
    let inside = rest.rsplit_once(']').map_or(rest, |(inside, _)| inside);
    let mut found = Vec::new();
    let mut rest = inside;
    // A bucket's name has a comma in it, so that commas divide nothing.
    while let Some(open) = rest.find('(') {
        let name = rest[..open].trim_start_matches([',', ' ']);
        let mode = match rest[open..].chars().nth(1) {
            Some('W') => Some(Mode::Exclusive),
            Some('R') => Some(Mode::Shared),
            _ => None,
        };
        // Times behind the lock before: "db.rev(W) 120ms, db.have(R)".
        let name = name.rsplit([' ', '+']).next().unwrap_or(name);
        let name = match name.split_once(',') {
            Some((time, name)) if time.starts_with(|c: char| c.is_ascii_digit()) => name,
            _ => name,
        };
        if let Some(mode) = mode.filter(|_| !name.is_empty()) {
            found.push((lock_name(name), mode));
        }
        let close = rest[open..].find(')').map_or(rest.len(), |at| open + at + 1);
        rest = &rest[close..];
    }
    found
}

impl Beside {
    /// Reads an output beside earlier ones.
    ///
    /// # Errors
    ///
    /// What the file says when it is read.
    pub(super) fn read(&mut self, text: &mut dyn Read) -> io::Result<()> {
        let mut last: Option<u64> = None;
        for line in BufReader::new(text).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end();
            if let Some(columns) = columns(line) {
                self.columns = columns;
            } else if let Some(one) = shown(line) {
                last = Some(one.pid);
                self.of_monitor(one.pid, line);
                if self.shown.len() < KEPT {
                    self.shown.push(one);
                }
            } else if line.trim_start().starts_with('[')
                && let Some(pid) = last
            {
                self.of_monitor(pid, line);
            } else if let Some(one) = self.row(line)
                && self.locks.len() < KEPT
            {
                self.locks.push(one);
            }
        }
        Ok(())
    }

    fn of_monitor(&mut self, pid: u64, line: &str) {
        for (lock, mode) in bracketed(line) {
            if self.locks.len() < KEPT {
                self.locks.push(OfProcess { pid, lock, mode, waits: false, blocker: None });
            }
        }
    }

    /// A row of `lslocks`.
    fn row(&self, line: &str) -> Option<OfProcess> {
        let at = self.columns.iter().position(|column| column == "PID")?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let pid = words.get(at)?.parse().ok()?;
        // SIZE and BLOCKER are empty for some, so that what stands behind is known by its form.
        let (mode, waits) = words.iter().find_map(|word| {
            let mode = match word.trim_end_matches('*') {
                "READ" => Mode::Shared,
                "WRITE" => Mode::Exclusive,
                _ => return None,
            };
            Some((mode, word.ends_with('*')))
        })?;
        let path = words.iter().position(|word| word.starts_with('/'))?;
        let blocker = words.get(path + 1).and_then(|pid| pid.parse().ok());
        Some(OfProcess { pid, lock: lock_name(words[path]), mode, waits, blocker })
    }

    /// Puts what is known beside the log to the commands that run by it: those that `p4 monitor show` does not have any more
    /// go, those that only it has come. How many went; `None` without `p4 monitor show`.
    pub(super) fn settle(&self, running: &mut Vec<Running>, at: Moment) -> Option<u64> {
        let mut ended = None;
        if !self.shown.is_empty() {
            let before = running.len();
            running.retain(|one| {
                let function = one.function.strip_prefix("user-").unwrap_or(&one.function);
                self.shown.iter().any(|shown| shown.pid == one.pid && is_same(&shown.command, function))
            });
            ended = Some((before - running.len()) as u64);
            let of_log: Vec<u64> = running.iter().map(|one| one.pid).collect();
            let only = self.shown.iter().filter(|shown| {
                !of_log.contains(&shown.pid) && !matches!(shown.command.as_str(), "IDLE" | "monitor" | "")
            });
            running.extend(only.map(|shown| Running {
                place: Place::default(),
                pid: shown.pid,
                start: at.plus_seconds(-(shown.seconds as f64)),
                end: None,
                age_s: shown.seconds as f64,
                user: shown.user.clone(),
                client: String::new(),
                address: String::new(),
                program: String::new(),
                function: format!("user-{}", shown.command),
                arguments: shown.arguments.clone(),
                usual_s: None,
                is_overdue: false,
                has: Vec::new(),
                waits: None,
            }));
        }
        for one in running {
            for lock in self.locks.iter().filter(|lock| lock.pid == one.pid) {
                if lock.waits {
                    one.waits = Some((lock.lock.clone(), lock.blocker));
                } else {
                    one.has.push(Lock { name: lock.lock.clone(), mode: lock.mode, evidence: Evidence::Seen });
                }
            }
        }
        ended
    }
}

/// Whether a command of `p4 monitor show` is the function of a log: `dm-CommitSubmit` shows as submit or as itself.
fn is_same(shown: &str, function: &str) -> bool {
    shown == function || (shown == "submit" && function.starts_with("dm-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Beside {
        let mut beside = Beside::default();
        assert!(beside.read(&mut text.as_bytes()).is_ok());
        beside
    }

    fn running(pid: u64, function: &str) -> Running {
        Running {
            place: Place::default(),
            pid,
            start: Moment { micros: 1 },
            end: None,
            age_s: 100.0,
            user: "ann".to_owned(),
            client: "ws".to_owned(),
            address: String::new(),
            program: String::new(),
            function: function.to_owned(),
            arguments: String::new(),
            usual_s: None,
            is_overdue: false,
            has: Vec::new(),
            waits: None,
        }
    }

    #[test]
    fn monitor_lines_have_locks_on_them_or_below_them() {
        let text = " 8764 R ann 00:10:00 edit //a/b [server.locks/clients/88,d/ws4(W),db.locks(R)]\n\
                    8766 p4v 10.0.0.7 R bob bob-ws 01:00:05 sync\n   [db.rev(W) 120ms+3ms,db.have(R)]\n\
                    8768 R perf 00:00:00 monitor\n";
        let beside = read(text);
        let shown: Vec<(u64, &str, u64, &str, &str)> = beside
            .shown
            .iter()
            .map(|s| (s.pid, s.user.as_str(), s.seconds, s.command.as_str(), s.arguments.as_str()))
            .collect();
        assert_eq!(
            shown,
            [(8764, "ann", 600, "edit", "//a/b"), (8766, "bob", 3605, "sync", ""), (8768, "perf", 0, "monitor", "")]
        );
        let locks: Vec<(u64, &str, Mode)> =
            beside.locks.iter().map(|lock| (lock.pid, lock.lock.as_str(), lock.mode)).collect();
        assert_eq!(
            locks,
            [
                (8764, "clients/ws4", Mode::Exclusive),
                (8764, "db.locks", Mode::Shared),
                (8766, "db.rev", Mode::Exclusive),
                (8766, "db.have", Mode::Shared)
            ]
        );
    }

    #[test]
    fn rows_of_lslocks_say_who_waits_and_for_whom_also_without_a_size() {
        let text = "COMMAND   PID  TYPE SIZE MODE  M START END PATH          BLOCKER\n\
                    p4d       500 POSIX  16K WRITE 0     0   0 /p4/root/db.rev\n\
                    p4d       501 POSIX      READ* 0     0   0 /p4/root/db.rev 500\n";
        let beside = read(text);
        let [holds, waits] = &beside.locks[..] else {
            panic!("{beside:?}");
        };
        assert_eq!((holds.pid, holds.lock.as_str(), holds.waits), (500, "db.rev", false));
        assert_eq!((waits.pid, waits.waits, waits.blocker), (501, true, Some(500)));
    }

    #[test]
    fn what_the_monitor_has_no_more_is_gone_and_what_only_it_has_comes() {
        let beside = read("1 R ann 00:05:00 sync //a\n3 R eve 00:20:00 obliterate //old/...\n");
        let at = Moment { micros: 2_000_000_000 };
        let mut all = vec![running(1, "user-sync"), running(2, "user-edit"), running(3, "user-sync")];
        beside.settle(&mut all, at);
        let left: Vec<(u64, &str)> = all.iter().map(|one| (one.pid, one.function.as_str())).collect();
        // Process 3 runs something else by now.
        assert_eq!(left, [(1, "user-sync"), (3, "user-obliterate")]);
        assert_eq!((all[1].user.as_str(), all[1].age_s), ("eve", 1200.0));
    }

    #[test]
    fn texts_of_other_kinds_are_not_taken_for_such_outputs() {
        for line in ["12 R ann", "hello", "8764 ann 00:10:00 edit", "Write: this is prose", "PID USER"] {
            assert!(!begins(line.as_bytes()), "{line}");
        }
        assert!(begins(b"1 R ann 00:05:00 sync"));
    }
}
