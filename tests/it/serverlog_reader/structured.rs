//! Structured logs: rows of several files become the commands that they speak of, and no text can break that.

use std::fmt::Write as _;

use plimsoll::serverlog::open::open;
use plimsoll::serverlog::record::{Ending, Place};
use plimsoll::serverlog::structured::{Outcome, Structured};
use plimsoll::serverlog::{FileKind, LogText, Watch};

use super::packed::{Kept, gzip, zstd};
use super::{Taken, table};

/// Reads files together, as they are named.
fn read(name: &str, files: &[&[u8]]) -> (Taken, Outcome) {
    let mut taken = Taken::default();
    let mut structured = Structured::default();
    let files = files.iter().enumerate();
    let kept: Vec<Kept> = files.map(|(at, bytes)| Kept::new(&format!("{name}-{at}"), bytes)).collect();
    for (number, file) in kept.iter().enumerate() {
        let mut text = LogText::of(open(&file.0).unwrap()).unwrap();
        match text.kind {
            FileKind::Schema => structured.define(&mut text).unwrap(),
            kind => {
                assert_eq!(kind, FileKind::Structured, "file {number}");
                structured.add(number, file.0.clone(), text);
            }
        }
    }
    let read = structured.read(&mut taken, &mut Watch::new(&mut |_| true)).unwrap();
    taken.understood = read.understood;
    (taken, read)
}

/// A row of version 50: so many milliseconds after 2015/01/07 16:51:45 of a server an hour ahead of UTC.
fn row(event: &str, ms: u64, pid: u64, function: &str, rest: &str) -> String {
    let (seconds, nanoseconds) = (1_420_645_905 + ms / 1000, ms % 1000 * 1_000_000);
    let clock = 45 + ms / 1000;
    let (minute, second) = (51 + clock / 60, clock % 60);
    format!(
        "{event},{seconds},{nanoseconds},2015/01/07 16:{minute:02}:{second:02} {nanoseconds:09},{pid},ID-{pid},commit,1,ann,ann-ws,{function},10.1.1.1,P4V,2023.3/2495381,\"//depot/a b/...,\"\"x\"\"\"{rest}\n"
    )
}

const USAGE: &str = ",0,.500s,70,20,8,16,0,0,9000,1";
const NETWORK: &str = ",0,3,30,300,3000000,795800,318788,20,250,0,0,1,0";
const HAVE: &str = ",0,db.have,4,2,3,0,0,1,2,5,6,7,8,9,0,1,1,10,20,5,11,30,40,15,21,3,1,2,1,2";

/// A sync of half a second, and a submit with its phases, which share their identifier.
fn rows() -> (String, String) {
    let (mut commands, mut track) = (String::new(), String::new());
    for text in [
        row("0.50", 0, 7, "user-sync", ""),
        row("1.50", 200, 7, "user-sync", ""),
        row("2.50", 500, 7, "user-sync", ""),
        row("0.50", 2000, 8, "user-submit", ""),
        row("2.50", 2100, 8, "user-submit", ""),
        row("0.50", 2100, 8, "dm-CommitSubmit", ""),
        row("4.50", 2200, 8, "dm-CommitSubmit", ",3,6,12,\"Submit failed.\nLook.\""),
        row("2.50", 3100, 8, "dm-CommitSubmit", ""),
        row("0.50", 60_000, 9, "user-sync", ""),
    ] {
        commands.push_str(&text);
    }
    for text in [
        row("7.50", 500, 7, "user-sync", USAGE),
        row("8.50", 500, 7, "user-sync", NETWORK),
        row("9.50", 500, 7, "user-sync", HAVE),
        row("9.50", 510, 7, "user-sync", &HAVE.replace("db.have", "clients/ann-ws(W)")),
    ] {
        track.push_str(&text);
    }
    (commands, track)
}

#[test]
fn rows_of_two_files_become_one_command() {
    let (commands, track) = rows();
    let (taken, read_) = read("two", &[commands.as_bytes(), track.as_bytes()]);
    assert_eq!(taken.damage, []);
    assert_eq!(read_.notes, [] as [&str; 0]);
    assert_eq!(taken.commands.len(), 4, "{taken:#?}");
    let sync = &taken.commands[0];
    assert_eq!(sync.start.to_string(), "2015/01/07 16:51:45");
    assert_eq!((sync.lapse_s, sync.compute_s), (Some(0.5), Some(0.2)));
    assert_eq!(sync.ending, Ending::Completed);
    assert_eq!(sync.arguments, "//depot/a b/...,\"x\"");
    assert_eq!(sync.program, "P4V/2023.3/2495381");
    let usage = sync.usage.unwrap();
    assert_eq!((usage.user_ms, usage.blocks_out, usage.faults), (70, 16, 1));
    let rpc = sync.rpc.unwrap();
    assert_eq!((rpc.sent, rpc.sent_bytes, rpc.send_s), (30, 3_000_000, 0.25));
    let have = table(sync, "db.have");
    assert_eq!((have.pages_in, have.rows_get, have.rows_del), (4, 5, 9));
    assert_eq!((have.total.read_wait_ms, have.longest.write_held_ms), (10, 21));
    assert_eq!((have.peeks, have.peek_held_ms), (3, 2));
    assert_eq!(table(sync, "clients/ann-ws").mode, Some('W'));
    let commit = taken.one("dm-CommitSubmit");
    assert_eq!((commit.lapse_s, commit.failed), (Some(1.0), true));
    assert_eq!(taken.events.len(), 1);
    assert_eq!(taken.commands[3].ending, Ending::Pending);

    // The order in which they are named does not matter, nor does whether they are packed.
    let (packed, _) = read("packed", &[&gzip(track.as_bytes()), &zstd(commands.as_bytes())]);
    let said = |taken: &Taken| {
        let commands = taken.commands.iter().cloned();
        commands
            .map(|mut command| {
                command.place = Place::default();
                format!("{command:?}")
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(said(&packed), said(&taken));
    // Rotation cuts a command, and nothing is lost.
    let at = commands.find("\n2.50").unwrap() + 1;
    let (first, second) = commands.as_bytes().split_at(at);
    let (rotated, _) = read("rotated", &[first, second, track.as_bytes()]);
    assert_eq!(said(&rotated), said(&taken));
}

#[test]
fn track_rows_alone_are_commands() {
    let (_, track) = rows();
    let (taken, _) = read("track", &[track.as_bytes()]);
    let sync = taken.one("user-sync");
    assert_eq!((sync.ending, sync.lapse_s), (Ending::Tracked, Some(0.5)));
    assert_eq!(sync.start.to_string(), "2015/01/07 16:51:45");
    assert_eq!(sync.tables.len(), 2);
}

#[test]
fn columns_of_an_unknown_version_are_asked_for_and_not_guessed() {
    let text = row("9.59", 0, 7, "user-sync", HAVE);
    let (taken, read_) = read("unknown", &[text.as_bytes()]);
    assert_eq!(taken.commands, []);
    assert!(
        read_.notes[0].contains("1 of 9.59 (DatabasePerformance)") && read_.notes[0].contains("p4 logschema -A -a"),
        "{:?}",
        read_.notes
    );
    assert_eq!(taken.understood.unknown, 1);
    // Of a version whose common columns are known, the rest is left.
    let later = row("9.58", 0, 7, "user-sync", &format!(",group{HAVE}"));
    let (taken, read_) = read("later", &[later.as_bytes()]);
    assert_eq!(taken.understood.understood, 1);
    assert!(read_.notes[0].contains("only process, user and time"), "{:?}", read_.notes);

    let names = "eventtype timestamp timestamp2 date pid cmdident serverid cmdno user client func host prog version args trackType dbName pagesIn pagesOut pagesCached reorderIntl reorderLeaf readLocks writeLocks gets";
    let mut schema = String::new();
    for (at, name) in names.split(' ').enumerate() {
        write!(schema, "... f_recordType 9\n... f_recordVersion 59\n... f_recordName DatabasePerformance\n... f_field {at}\n... f_name f_{name}\n\n").unwrap();
    }
    let (taken, read_) = read("defined", &[text.as_bytes(), schema.as_bytes()]);
    assert_eq!(read_.notes, [] as [&str; 0]);
    assert_eq!(table(&taken.commands[0], "db.have").rows_get, 5);
}

#[test]
fn damaged_rows_are_passed_over_with_their_place() {
    let (commands, _) = rows();
    let lines: Vec<&str> = commands.lines().collect();
    let mut text = b"\xef\xbb\xbf".to_vec();
    for (at, line) in lines.iter().enumerate() {
        text.extend_from_slice(line.as_bytes());
        text.extend_from_slice(b"\r\n");
        match at {
            // The quotes of a row are not closed; bytes that are no text; a hole; a row with too few columns.
            0 => text.extend_from_slice(&line.as_bytes()[..line.len() - 3]),
            1 => text.extend_from_slice(b"\xff\xfe rest of a row"),
            2 => text.extend_from_slice(&[0; 5000]),
            3 => text.extend_from_slice(b"2.50,1420645905,0,2015/01/07 16:51:45"),
            _ => continue,
        }
        text.extend_from_slice(b"\n");
    }
    let (taken, _) = read("damaged", &[&text]);
    assert_eq!(taken.commands.len(), 4, "{taken:#?}");
    let found: Vec<&str> = taken.damage.iter().map(|damage| damage.found.as_str()).collect();
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[0].contains("quotes are not closed"), "{found:?}");
    assert!(found[1].contains("no row"), "{found:?}");
    assert!(found[2].contains("5001 NUL bytes"), "{found:?}");
    assert!(found[3].contains("4 of 15 columns"), "{found:?}");
    for damage in &taken.damage {
        let at = damage.place.offset as usize;
        assert_eq!(text[at - 1], b'\n', "{damage:?}");
    }
    assert_eq!(taken.understood.bytes + 3, text.len() as u64);
}

#[test]
fn cut_and_overwritten_rows_break_nothing() {
    let (commands, track) = rows();
    let text = [commands.as_bytes(), track.as_bytes()].concat();
    for cut in (1..text.len()).step_by(97) {
        let mut changed = text.clone();
        changed[cut] = b"\",\n\0\xff"[cut % 5];
        changed.truncate(text.len() - cut % 300);
        let mut taken = Taken::default();
        let mut structured = Structured::default();
        let file = Kept::new(&format!("cut-{cut}"), &changed);
        let known = LogText::of(open(&file.0).unwrap()).unwrap();
        structured.add(0, file.0.clone(), known);
        structured.read(&mut taken, &mut Watch::new(&mut |_| true)).unwrap();
        assert!(taken.commands.len() < 12, "{cut}");
    }
}
