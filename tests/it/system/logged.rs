//! Logs of simulated servers: what is written is what is read, and what is read is what went in.

use std::collections::BTreeMap;

use plimsoll::serverlog::Reader;
use plimsoll::serverlog::record::{
    Command, Damage, Ending, Event, FileTotals, LockTimes, Moment, Place, Section, Sink, TableUse, Usage,
};
use plimsoll::serverlog::write::{Levels, parts};
use plimsoll::system::logged::Logged;

use super::*;

const ALL: Levels = Levels { server: 3, track: true };

#[derive(Default)]
struct Kept {
    commands: Vec<Command>,
    damages: Vec<Damage>,
}

impl Sink for Kept {
    fn command(&mut self, command: &Command) {
        self.commands.push(command.clone());
    }
    fn event(&mut self, _event: &Event) {}
    fn damage(&mut self, damage: &Damage) {
        self.damages.push(damage.clone());
    }
}

fn read(text: &str) -> Kept {
    let mut kept = Kept::default();
    let mut reader = Reader::new();
    reader.read(0, &mut text.as_bytes(), &mut kept).expect("a text can be read");
    reader.finish(&mut kept);
    kept
}

fn table() -> impl Strategy<Value = TableUse> {
    let counts = (0..50_u64, 0..50_u64, 0..9000_u64, 0..90_000_u64, 0..500_u64);
    // Up to the minute by which a hold may be longer than the log.
    let times = (0..60_000_u64, 0..60_000_u64, 0..1000_u64, 0..1000_u64);
    let name = prop::sample::select(vec!["db.have", "db.rev", "db.revhx", "db.working"]);
    (name, counts, times).prop_map(|(name, counts, times)| TableUse {
        name: name.to_owned(),
        section: Section::Table,
        read_locks: counts.0,
        write_locks: counts.1,
        rows_get: counts.2,
        rows_scan: counts.3,
        rows_put: counts.4,
        total: LockTimes {
            read_wait_ms: times.0,
            read_held_ms: times.1,
            write_wait_ms: times.2,
            write_held_ms: times.3,
        },
        ..TableUse::default()
    })
}

fn command() -> impl Strategy<Value = Command> {
    let who = ("[a-z]{1,8}", "[a-z0-9_.-]{1,12}", "//[a-zA-Z0-9/. @#]{0,40}[a-z]");
    // A log has times to the second, and lapses of three digits.
    let when = (1_700_000_000_i64..1_800_000_000, 0..999_u64);
    let files = (0..9999_u64, 0..500_u64);
    (who, when, files, table()).prop_map(|(who, when, files, table)| {
        let start = Moment { micros: when.0 * 1_000_000 };
        let lapse = when.1 as f64 / 1e3;
        Command {
            pid: 17,
            start,
            end: Some(start.plus_seconds(lapse)),
            ending: Ending::Completed,
            client: format!("{}-ws", who.0),
            user: who.0,
            address: "10.1.2.3".to_owned(),
            program: who.1,
            function: "user-sync".to_owned(),
            arguments: who.2,
            lapse_s: Some(lapse),
            usage: Some(Usage { user_ms: when.1, resident_kib: 8192, ..Usage::default() }),
            files: Some(FileTotals { sent_files: files.0, sent_bytes: files.1 << 20, ..FileTotals::default() }),
            tables: vec![table],
            tracked: true,
            ..Command::default()
        }
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(command in command()) {
        let text: String = parts(&command, ALL).into_iter().map(|part| part.text).collect();
        let kept = read(&text);
        prop_assert_eq!(kept.damages.len(), 0);
        prop_assert_eq!(kept.commands.len(), 1, "{}", text);
        let mut found = kept.commands[0].clone();
        found.place = Place::default();
        found.end = command.end;
        // Lines that would say nothing but 0 are not written.
        found.tables[0].lines = command.tables[0].lines;
        prop_assert_eq!(found, command);
    }
}

/// Ten minutes of a middling site's peak: rates, sizes, rows and locks of the log are those of the load.
#[test]
fn a_simulated_log_says_what_went_in() {
    let site = ORDINARY.site();
    let deployment = on("san-four-volumes", &rich(&site));
    let load = from_site::load(&site);
    let models = (&*CATALOG, &*CALIBRATION);
    let logged = Logged::new(&deployment, &load, models, None, 0).expect("a steady state");
    let time = 600.0;
    let run = Run { span: Span::Until { time, piece: time }, ..Run::default() };
    let mut text = String::new();
    let origin = Moment { micros: 1_700_000_000_000_000 };
    let mut log = logged.log(ALL, (origin, 0.0), |part| text.push_str(part));
    let mut watch = |_| ControlFlow::Continue(());
    sim::simulate_traced(&logged.process.model, &run, 0, &mut watch, &mut |event| {
        log.see(event);
    })
    .expect("it can be simulated");
    let commands = log.finish();
    let kept = read(&text);
    assert_eq!(kept.damages, vec![]);
    assert!(kept.commands.len() as u64 >= commands, "a submit is three");
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for command in &kept.commands {
        *counts.entry(&command.function).or_default() += 1;
        assert!(command.lapse_s.is_some() && command.ending == Ending::Completed);
    }
    assert_eq!(counts["user-submit"], counts["dm-CommitSubmit"]);
    assert_eq!(counts["user-submit"], counts["dm-SubmitChange"]);
    // The open streams are Poisson: within four standard deviations.
    let polls: f64 = load
        .groups
        .iter()
        .filter_map(|group| match group.arrival {
            Arrival::Open { rate } => {
                let polls = group.calls.iter().filter(|c| c.command == "poll-ci");
                Some(rate * polls.map(|call| call.weight).sum::<f64>())
            }
            Arrival::Closed { .. } => None,
        })
        .sum();
    let wanted = polls * time;
    let found =
        kept.commands.iter().filter(|c| c.function == "user-changes" && c.arguments.starts_with("-m1 ")).count() as f64;
    assert!(wanted > 100.0, "{wanted}");
    assert!((found - wanted).abs() < 4.0 * wanted.sqrt(), "{found} {wanted}");
    // Every commit writes db.rev under its exclusive lock; nobody else does.
    for command in &kept.commands {
        let rev = command.tables.iter().find(|table| table.name == "db.rev");
        let writes = rev.is_some_and(|rev| rev.write_locks > 0);
        assert_eq!(writes, command.function == "dm-CommitSubmit", "{command:?}");
    }
}
