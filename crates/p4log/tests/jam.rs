//! A jam that is still there when the log ends: the log is cut at a random moment of it, and the whole log knows who held.
//!
//! The locks here are written down anew, from the manual and from track lines, so that the reader's own list is judged too.

#[path = "jam/follow.rs"]
mod follow;
#[path = "jam/part.rs"]
mod part;
mod random;

use plimsoll_p4log::serverlog::Reader;
use plimsoll_p4log::serverlog::analysis::{Analysis, Standing};
use plimsoll_p4log::serverlog::quality::Log;
use plimsoll_p4log::serverlog::record::{Command, LockTimes, Moment, Section, TableUse};
use plimsoll_p4log::serverlog::write::{Levels, parts};
use random::Random;

/// Midnight of a day, in seconds.
const DAY: f64 = 1_772_496_000.0;
/// A log of so many seconds.
const LOG_S: f64 = 1800.0;

/// A kind of command: its function and arguments, what it locks, for how long at most, and what it does after that.
#[derive(Clone, Copy)]
struct Kind {
    call: (&'static str, &'static str),
    exclusive: &'static [&'static str],
    shared: &'static [&'static str],
    /// Reads without locks, which only wait for those who write.
    peeked: &'static [&'static str],
    held_s: f64,
    after_s: f64,
}

const ORDINARY: [Kind; 6] = [
    Kind {
        call: ("user-sync", "//depot/main/..."),
        exclusive: &["db.have"],
        shared: &[],
        peeked: &["db.rev", "db.working"],
        held_s: 0.03,
        after_s: 3.0,
    },
    Kind {
        call: ("user-fstat", "//depot/main/src/..."),
        exclusive: &[],
        shared: &[],
        peeked: &["db.rev", "db.have", "db.working"],
        held_s: 0.0,
        after_s: 0.05,
    },
    Kind {
        call: ("user-edit", "//depot/main/src/a.c"),
        exclusive: &["db.locks", "db.working"],
        shared: &["db.rev", "db.have"],
        peeked: &[],
        held_s: 0.01,
        after_s: 0.02,
    },
    Kind {
        call: ("dm-CommitSubmit", ""),
        exclusive: &["meta/commit", "db.integed", "db.rev", "db.locks", "db.working", "db.change"],
        shared: &[],
        peeked: &[],
        held_s: 0.2,
        after_s: 0.1,
    },
    Kind {
        call: ("user-changes", "-m100 //depot/main/..."),
        exclusive: &[],
        shared: &[],
        peeked: &["db.rev", "db.change"],
        held_s: 0.0,
        after_s: 0.3,
    },
    Kind {
        call: ("user-opened", "-a"),
        exclusive: &[],
        shared: &["db.locks"],
        peeked: &["db.working"],
        held_s: 0.005,
        after_s: 0.02,
    },
];

/// Who holds all others up.
const CULPRITS: [Kind; 6] = [
    Kind {
        call: ("user-obliterate", "-y //depot/old/..."),
        exclusive: &["db.have", "db.integed", "db.rev", "db.working"],
        ..ORDINARY[0]
    },
    Kind {
        call: ("user-populate", "//depot/main/... //depot/rel/..."),
        exclusive: &["meta/commit", "db.integed", "db.rev", "db.locks", "db.change"],
        ..ORDINARY[0]
    },
    Kind {
        call: ("user-client", "-d -f old-build-ws"),
        exclusive: &["db.have", "db.working", "db.domain"],
        ..ORDINARY[0]
    },
    Kind { call: ("user-flush", "//depot/..."), exclusive: &["db.have"], ..ORDINARY[0] },
    Kind {
        call: ("user-admin", "checkpoint"),
        exclusive: &["db.have", "db.integed", "db.rev", "db.working", "db.locks", "db.change"],
        ..ORDINARY[0]
    },
    ORDINARY[3],
];

/// Those that take long and hold nobody up.
const INNOCENT: [Kind; 3] = [
    Kind {
        call: ("user-verify", "-q //..."),
        exclusive: &[],
        shared: &[],
        peeked: &["db.rev"],
        held_s: 0.0,
        after_s: 3000.0,
    },
    Kind {
        call: ("user-sync", "//depot/art/..."),
        exclusive: &["db.have"],
        shared: &[],
        peeked: &["db.rev"],
        held_s: 0.5,
        after_s: 900.0,
    },
    Kind {
        call: ("user-print", "//depot/main/big.bin"),
        exclusive: &[],
        shared: &[],
        peeked: &["db.rev"],
        held_s: 0.0,
        after_s: 400.0,
    },
];

/// A command as it went.
struct Ran {
    command: Command,
    /// When it got its locks, and let go.
    held: (f64, f64),
}

/// A log: what ran in it, and which of them is the culprit.
struct Whole {
    ran: Vec<Ran>,
    culprit: Option<usize>,
}

/// What asks for locks: when it does, when it began, what it is, for how long it holds and goes on.
struct Ask {
    at: f64,
    began: f64,
    kind: Kind,
    held: f64,
    after: f64,
}

/// What comes in `LOG_S` seconds, in the order in which it asks; and when the culprit began.
fn asks(random: &mut Random, with_culprit: bool) -> (Vec<Ask>, Option<f64>) {
    let mut asks = Vec::new();
    let mut began = 0.0;
    while began < LOG_S {
        began += random.exponential(1.6);
        let kind = random.of(&ORDINARY);
        let at = began + random.exponential(0.02);
        let (held, after) = (random.exponential(kind.held_s), random.exponential(kind.after_s));
        asks.push(Ask { at, began, kind, held, after });
    }
    for _ in 0..12 {
        let kind = random.of(&INNOCENT);
        let began = random.between(0.0, LOG_S);
        asks.push(Ask { at: began, began, kind, held: kind.held_s, after: random.exponential(kind.after_s) });
    }
    let culprit = with_culprit.then(|| {
        let kind = random.of(&CULPRITS);
        let began = random.between(300.0, 900.0);
        // It looks through tables before it locks them.
        let at = began + random.between(0.0, 30.0);
        asks.push(Ask { at, began, kind, held: random.between(240.0, 900.0), after: 0.5 });
        began
    });
    asks.sort_by(|a, b| a.at.total_cmp(&b.at));
    (asks, culprit)
}

/// When one gets its locks behind those that asked before.
fn got(ran: &[Ran], ask: &Ask) -> f64 {
    let kind = &ask.kind;
    let mut got = ask.at;
    for earlier in ran {
        let hits = |mine: &[&str], exclusive_alone: bool| {
            earlier.command.tables.iter().any(|table| {
                mine.contains(&table.name.as_str())
                    && (table.write_locks > 0 || (!exclusive_alone && table.read_locks > 0))
            })
        };
        // A read without a lock waits for one who has the table now, not for those who are queued.
        let has = earlier.held.0 <= got && got < earlier.held.1;
        if hits(kind.exclusive, false) || hits(kind.shared, true) || (has && hits(kind.peeked, true)) {
            got = got.max(earlier.held.1);
        }
    }
    got
}

/// What the log has of a table or lock file: locked or peeked, waited for and held.
fn table(name: &str, mode: Mode, waited: f64, held: f64) -> TableUse {
    let ms = |seconds: f64| (seconds * 1000.0) as u64;
    let mut total = LockTimes::default();
    if mode == Mode::Exclusive {
        (total.write_wait_ms, total.write_held_ms) = (ms(waited), ms(held));
    } else {
        (total.read_wait_ms, total.read_held_ms) = (ms(waited), ms(held));
    }
    let is_file = name.contains('/');
    TableUse {
        name: name.to_owned(),
        section: if is_file { Section::LockFile } else { Section::Table },
        mode: is_file.then_some('W'),
        read_locks: u64::from(mode == Mode::Shared),
        write_locks: u64::from(mode == Mode::Exclusive),
        peeks: u64::from(mode == Mode::Peeked),
        rows_scan: 100,
        total,
        ..TableUse::default()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Exclusive,
    Shared,
    Peeked,
}

fn moment(seconds: f64) -> Moment {
    Moment { micros: ((DAY + seconds) * 1e6) as i64 }
}

/// Serves commands first come, first served, for `LOG_S` seconds.
fn served(seed: u64, with_culprit: bool) -> Whole {
    let (asks, culprit) = asks(&mut Random::new(seed), with_culprit);
    let mut ran: Vec<Ran> = Vec::new();
    for (number, ask) in asks.into_iter().enumerate() {
        let (got, kind) = (got(&ran, &ask), ask.kind);
        let locks = [(kind.exclusive, Mode::Exclusive), (kind.shared, Mode::Shared), (kind.peeked, Mode::Peeked)];
        let names = locks.iter().flat_map(|(names, mode)| names.iter().map(move |name| (*name, *mode)));
        // The whole wait is at the first of them.
        let tables = names.enumerate().map(|(i, (name, mode))| {
            let waited = if i == 0 { got - ask.at } else { 0.0 };
            table(name, mode, waited, ask.held)
        });
        let end = got + ask.held + ask.after;
        let user = (number * 7) % 40;
        ran.push(Ran {
            command: Command {
                pid: 1000 + number as u64,
                start: Moment { micros: moment(ask.began).micros / 1_000_000 * 1_000_000 },
                end: Some(moment(end)),
                user: format!("dev{user}"),
                client: format!("dev{user}-ws{number}"),
                address: "192.0.2.7".to_owned(),
                program: "p4/2024.1/LINUX26X86_64/2596294".to_owned(),
                function: kind.call.0.to_owned(),
                arguments: kind.call.1.to_owned(),
                lapse_s: Some(end - ask.began),
                tables: tables.collect(),
                ..Command::default()
            },
            held: (got, got + ask.held),
        });
    }
    let culprit = culprit.and_then(|at| {
        ran.iter().position(|ran| {
            (ran.held.1 - ran.held.0) >= 240.0 && (ran.command.start.micros as f64 / 1e6 - DAY - at).abs() <= 1.0
        })
    });
    Whole { ran, culprit }
}

impl Whole {
    /// The log as it stands at a moment.
    fn cut(&self, at: f64) -> String {
        let until = moment(at);
        let levels = Levels { server: 3, track: true };
        let all = self.ran.iter();
        let mut parts: Vec<_> =
            all.flat_map(|ran| parts(&ran.command, levels)).filter(|part| part.at <= until).collect();
        parts.sort_by_key(|part| part.at);
        parts.into_iter().map(|part| part.text).collect()
    }

    /// Seconds at which the culprit has the locks and three wait for more than a minute.
    fn jammed(&self) -> Option<(f64, f64)> {
        let culprit = &self.ran[self.culprit?];
        let mut waiting: Vec<f64> = self
            .ran
            .iter()
            .filter(|ran| ran.held.0 >= culprit.held.1 && ran.command.pid != culprit.command.pid)
            .map(|ran| ran.command.start.micros as f64 / 1e6 - DAY)
            .filter(|began| *began >= culprit.held.0)
            .collect();
        waiting.sort_by(f64::total_cmp);
        // The clock of the log has whole seconds.
        let from = waiting.get(3)? + 62.0;
        (from < culprit.held.1.min(LOG_S)).then_some((from, culprit.held.1.min(LOG_S)))
    }
}

/// What the reader says of a text.
fn standing(text: &str) -> Standing {
    let mut analysis = Analysis::default();
    let mut reader = Reader::new();
    let read = reader.read(0, &mut text.as_bytes(), &mut analysis);
    assert!(read.is_ok(), "{read:?}");
    reader.finish(&mut analysis);
    let log = Log { last: reader.last(), understood: reader.understood(), ..Log::default() };
    analysis.finish(log).standing
}

#[test]
fn the_holder_of_a_jam_that_is_still_there_is_named_first() {
    let (mut right, mut tried, mut wrong) = (0, 0, Vec::new());
    for seed in 0.. {
        if tried == 20 {
            break;
        }
        let whole = served(seed, true);
        let Some((from, to)) = whole.jammed() else {
            continue;
        };
        tried += 1;
        let at = Random::new(seed + 1000).between(from, to);
        let culprit = &whole.ran[whole.culprit.unwrap_or(0)].command;
        let standing = standing(&whole.cut(at));
        let first = standing.jam.as_ref().and_then(|jam| jam.holders.first());
        if first.is_some_and(|holder| holder.running.pid == culprit.pid) {
            right += 1;
        } else {
            wrong.push(format!(
                "seed {seed} at {at:.0} ({from:.0} to {to:.0}): {} of pid {}; {:?}",
                culprit.function,
                culprit.pid,
                standing.jam.map(|jam| {
                    let holders = jam.holders.iter();
                    let holders = holders.map(|h| (h.running.pid, h.running.function.clone(), h.behind));
                    (jam.stuck, holders.collect::<Vec<_>>())
                })
            ));
        }
    }
    assert!(right >= 18, "{right} of {tried}:\n{}", wrong.join("\n"));
}

#[test]
fn a_log_without_a_jam_raises_no_alarm_wherever_it_is_cut() {
    for seed in 100..120 {
        let whole = served(seed, false);
        let at = Random::new(seed).between(120.0, LOG_S);
        let standing = standing(&whole.cut(at));
        assert!(standing.jam.is_none(), "seed {seed} at {at:.0}: {:?}", standing.jam);
    }
}
