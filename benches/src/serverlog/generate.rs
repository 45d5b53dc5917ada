//! A server log as p4d writes it at `server=3` and `track=1`: made up, the same for the same seed, of any length.
//!
//! Commands overlap: what each writes is put in order by time, so that track blocks stand between lines of others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;
use std::io::{self, Write};

/// A number after another (Vigna 2015, `splitmix64`).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}

const PROGRAMS: &[&str] = &[
    "p4/2023.2/LINUX26X86_64/2605454",
    "Helix P4V/NTX64/2024.1/2591061/v95",
    "UnrealGameSync/v84",
    "unnamed p4-python script [PY3.10.4/P4PY2024.2/API2024.2/2675662]/v97",
    "jenkins.p4-plugin/1.14.3/Linux (brokered)",
];

const TABLES: &[&str] = &[
    "db.counters",
    "db.user",
    "db.group",
    "db.domain",
    "db.view",
    "db.have",
    "db.rev",
    "db.revhx",
    "db.working",
    "db.resolve",
    "db.locks",
    "db.trigger",
    "db.protect",
    "db.monitor",
    "db.topology",
    "db.integed",
    "db.archmap",
    "db.storage",
    "db.change",
    "db.desc",
];

/// The log so far.
struct Log {
    dice: Dice,
    number: u64,
    now: u64,
    pid: u64,
    /// Text by its time in milliseconds, and in the order in which it was said.
    to_come: BinaryHeap<Reverse<(u64, u64, String)>>,
}

fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    // November has thirty days, which a gigabyte does not reach.
    let day = 1 + seconds / 86_400 % 30;
    format!("2024/11/{day:02} {:02}:{:02}:{:02}", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
}

/// As p4d prints a lapse: three digits.
fn lapse(ms: u64) -> String {
    match ms {
        0..1000 => format!(".{ms:03}"),
        1000..10_000 => format!("{}.{:02}", ms / 1000, ms % 1000 / 10),
        10_000..100_000 => format!("{}.{}", ms / 1000, ms % 1000 / 100),
        _ => format!("{}", ms / 1000),
    }
}

impl Log {
    fn say(&mut self, at: u64, text: String) {
        self.number += 1;
        self.to_come.push(Reverse((at, self.number, text)));
    }

    fn tables(&mut self, text: &mut String, count: u64) {
        let first = self.dice.below(TABLES.len() as u64);
        for at in 0..count {
            let name = TABLES[((first + at * 3) % TABLES.len() as u64) as usize];
            let bits = self.dice.below(16);
            let scanned = self.dice.below(2 << bits);
            let written = self.dice.below(4);
            let _ = write!(
                text,
                "--- {name}\n---   pages in+out+cached {}+{written}+{}\n\
                 ---   locks read/write {}/{written} rows get+pos+scan put+del {}+{}+{scanned} {written}+0\n",
                1 + scanned / 60,
                2 + self.dice.below(95),
                self.dice.below(2),
                self.dice.below(9),
                self.dice.below(4),
            );
            if self.dice.below(2) == 0 {
                let held = self.dice.below(30);
                let waited = self.dice.below(5);
                let _ = write!(
                    text,
                    "---   total lock wait+held read/write {waited}ms+{held}ms/0ms+{}ms\n\
                     ---   max lock wait+held read/write {waited}ms+{held}ms/0ms+{}ms\n",
                    held / 2,
                    held / 3
                );
            }
            if self.dice.below(4) == 0 {
                let held = self.dice.below(900);
                let _ = writeln!(
                    text,
                    "---   peek count {} wait+held total/max 0ms+{held}ms/0ms+{}ms",
                    1 + held / 50,
                    held / 2
                );
            }
        }
    }

    /// One command of a process; says when it has ended.
    fn command(&mut self, pid: u64, who: &str, what: &str, at: u64, early: &[String]) -> u64 {
        let short = self.dice.below(400);
        let ms = if self.dice.below(50) == 0 { short * 200 } else { short };
        let start = format!("\t{} pid {pid} {who} '{what}'", clock(at));
        self.say(at, format!("Perforce server info:\n{start}\n\n"));
        for lock in early {
            let held = self.dice.below(1 + ms);
            self.say(
                at + held,
                format!(
                    "Perforce server info:\n{start}\n--- {lock}\n\
                     ---   total lock wait+held read/write 0ms+0ms/0ms+{held}ms\n\n"
                ),
            );
        }
        let usage = format!(
            "{}+{}us {}+{}io 0+0net {}k 0pf",
            ms / 2,
            ms / 9,
            self.dice.below(900),
            self.dice.below(90),
            9000 + self.dice.below(90_000)
        );
        if what.starts_with("user-sync") {
            let compute = ms / 3;
            self.say(
                at + compute,
                format!(
                    "Perforce server info:\n\t{} pid {pid} compute end {}s {usage}\n\
                     Perforce server info:\n\tServer network estimates: files added/updated/deleted={}/{}/0, bytes added/updated={}/{}\n\n",
                    clock(at + compute),
                    lapse(compute),
                    ms / 7,
                    ms / 11,
                    ms * 4096,
                    ms * 777
                ),
            );
        }
        let end = at + ms;
        let late = if self.dice.below(20) == 0 { self.dice.below(3000) } else { 0 };
        let mut completed =
            format!("Perforce server info:\n\t{} pid {pid} completed {}s {usage}\n", clock(end), lapse(ms));
        if late > 0 {
            completed.push('\n');
        }
        self.say(end, completed);
        let track = self.track(&start, &usage, ms);
        self.say(end + late, track);
        end
    }

    /// The track block of a command that took so many milliseconds.
    fn track(&mut self, start: &str, usage: &str, ms: u64) -> String {
        let mut track = format!(
            "Perforce server info:\n{start}\n--- lapse {}s\n--- usage {usage}\n--- memory cmd/proc {}mb/{}mb\n\
             --- rpc msgs/size in+out {}+{}/0mb+{}mb himarks 795416/318788 snd/rcv {}s/.00{}s\n\
             --- filetotals (svr) send/recv files+bytes {}+{}mb/0+0mb\n",
            lapse(ms),
            5 + ms % 40,
            6 + ms % 90,
            2 + ms % 9,
            3 + ms * 5,
            ms / 100,
            lapse(ms / 4),
            ms % 10,
            ms / 7,
            ms / 100
        );
        let count = 7 + self.dice.below(9);
        self.tables(&mut track, count);
        if self.dice.below(3) == 0 {
            let _ = write!(
                track,
                "--- lbr Compress\n---   opens+closes+checkins+exists {0}+{0}+0+0\n\
                 ---   reads+readbytes+writes+writebytes {1}+{2}.{3}K+0+0\n",
                ms / 7,
                ms / 3,
                ms * 9,
                ms % 10
            );
        }
        track.push('\n');
        track
    }

    /// What comes seldom: JSON, replicas, errors, the server itself, noise.
    fn seldom(&mut self, chance: u64, pid: u64, who: &str, folder: u64, at: u64) {
        match chance {
            75..80 => {
                let what = format!(
                    "user-counter -u swarm-activity-{folder:x} {{\"type\":\"change\",\"link\":[\"change\",{{\"change\":{folder}}}],\"description\":\"it's done\"}}"
                );
                self.command(pid, who, &what, at, &[]);
            }
            80..85 => {
                let mut track = format!(
                    "Perforce server info:\n\t{} pid {} svc_edge@unknown background [p4d/2023.2/LINUX26X86_64/2605454] 'pull -i 1'\n",
                    clock(at),
                    400 + folder % 4
                );
                self.tables(&mut track, 3);
                track.push_str("--- replica/pull(W)\n---   total lock wait+held read/write 0ms+0ms/0ms+-1ms\n\n");
                self.say(at, track);
            }
            85..88 => {
                let end = self.command(pid, who, "user-diff -f -sa //depot/a#have (824) //depot/b#have", at, &[]);
                self.say(
                    end.saturating_sub(1).max(at),
                    format!(
                        "Perforce server error:\n\tDate {}:\n\tPid {pid}\n\tOperation: user-diff\n\t//depot/a#have - file(s) not on client.\n",
                        clock(at)
                    ),
                );
            }
            88..90 => {
                let count = 20 + self.dice.below(300);
                self.say(
                    at,
                    format!("{} 560465376 pid 1056102: Server is now using {count} active threads.\n", clock(at)),
                );
            }
            _ => self.say(at, "server to client 10.0.0.1:1666 vs 10.0.0.1:1666\n".to_owned()),
        }
    }

    fn next_command(&mut self) {
        let at = self.now;
        self.pid += 1 + self.dice.below(3);
        let pid = self.pid;
        let user = self.dice.below(400);
        let client = format!("ws_{user:03}-{}", self.dice.below(9));
        let who = format!(
            "user{user:03}@{client} 10.{}.{}.{} [{}]",
            user % 7,
            user % 250,
            self.dice.below(250),
            self.dice.of(PROGRAMS)
        );
        let folder = self.dice.below(5000);
        let entity = [format!("clientEntity/{client}(W)"), "storageup/storageup(R)".to_owned()];
        let chance = self.dice.below(100);
        match chance {
            0..35 => {
                let what = format!("user-fstat -Ob //depot/main/part{folder}/source/file{}.cpp", folder * 7);
                self.command(pid, &who, &what, at, &[]);
            }
            35..60 => {
                let what = format!("user-sync --parallel=threads=0 //depot/main/part{folder}/...");
                let end = self.command(pid, &who, &what, at, &entity[..1]);
                let rest = who.split_once(' ').map_or("", |(_, rest)| rest);
                self.say(
                    end + 3001,
                    format!(
                        "Perforce server info:\n\t{} pid {pid} unknown@unknown {rest} 'client-Stats'\n\
                         --- filetotals (client) send/recv files+bytes 0+0mb/{folder}+{}mb\n\n",
                        clock(end + 3001),
                        folder / 9
                    ),
                );
            }
            60..70 => {
                let what = format!("user-edit -c {folder} //depot/main/part{folder}/art/scene.uasset");
                self.command(pid, &who, &what, at, &entity);
            }
            70..75 => {
                let end = self.command(pid, &who, "user-submit -i", at, &[]);
                let end = self.command(pid, &who, "dm-SubmitChange", end + 1, &[]);
                let locks = ["meta/commit(W)".to_owned(), format!("clients/{client}(W)")];
                self.command(pid, &who, "dm-CommitSubmit", end + 1, &locks);
            }
            75..91 => self.seldom(chance, pid, &who, folder, at),
            _ => {
                let what = format!("user-changes -m1 -ssubmitted //{client}/...@<={folder}");
                self.command(pid, &who, &what, at, &[]);
            }
        }
        self.now += self.dice.below(12);
    }
}

/// Writes at least so many bytes of a log; how many.
pub fn write(seed: u64, bytes: u64, to: &mut dyn Write) -> io::Result<u64> {
    let mut log = Log { dice: Dice(seed), number: 0, now: 8 * 3600 * 1000, pid: 1000, to_come: BinaryHeap::new() };
    let mut written = 0;
    while written < bytes {
        log.next_command();
        while let Some(Reverse((at, ..))) = log.to_come.peek() {
            if *at > log.now {
                break;
            }
            if let Some(Reverse((.., text))) = log.to_come.pop() {
                to.write_all(text.as_bytes())?;
                written += text.len() as u64;
            }
        }
    }
    while let Some(Reverse((.., text))) = log.to_come.pop() {
        to.write_all(text.as_bytes())?;
        written += text.len() as u64;
    }
    Ok(written)
}
