//! Journals: what is written, by table and hour, what a submit writes, and that no text can break it. Checkpoints: what is
//! there, and that none of it is taken for a change.

use std::fmt::Write as _;

use plimsoll::serverlog::journal::{Checkpoint, Journal, Journals};

use super::Taken;

/// Midnight of 2024/03/05 in UTC.
const MIDNIGHT: i64 = 1_709_596_800;

/// A commit of so many files of 1,000 B each.
fn commit(out: &mut String, change: u64, second: i64, files: u64) {
    let at = MIDNIGHT + second;
    for file in 0..files {
        writeln!(
            out,
            "@pv@ 9 @db.rev@ @//game/a@@b {file}.c@ 1 0 1 {change} {at} {at} 47D355EA47D55FAEC8C92A2ABDA980BC 1000 0 0 @//game/a.c@ @1.1@ 0 "
        )
        .unwrap();
    }
    writeln!(out, "@pv@ 2 @db.change@ {change} {change} @ann-ws@ @ann@ {at} 1 @two\nlines @@ 5@ @//...@ ").unwrap();
    writeln!(out, "@ex@ 77 {at}").unwrap();
}

/// A day: a commit every half hour of one file, one more of 100 at noon; users and their workspaces.
fn day() -> String {
    let mut out = format!("@nx@ 2 {MIDNIGHT} @31@ 1 0 0 0 0 @/p4/root@ @journal@ @@ @@ @@\n");
    for user in ["ann", "bob", "jenkins"] {
        writeln!(out, "@rv@ 7 @db.user@ @{user}@ @{user}@@example.com@ @@ 1 2 @{user}@ @@ 0 @@ 0").unwrap();
    }
    for half in 0..48_i64 {
        for file in 0..3 {
            writeln!(out, "@rv@ 3 @db.have@ @//ann-ws/{file}.c@ @//game/{file}.c@ 1 0 ").unwrap();
        }
        writeln!(out, "@dv@ 3 @db.have@ @//ann-ws/old.c@ @//game/old.c@ 1 0 ").unwrap();
        writeln!(out, "@mx@ 70 {}", MIDNIGHT + half * 1800).unwrap();
        commit(&mut out, 100 + half as u64, half * 1800 + 60, 1);
    }
    commit(&mut out, 200, 43_200, 100);
    // An edit of the description of a commit is none.
    writeln!(out, "@rv@ 2 @db.change@ 101 101 @ann-ws@ @ann@ {MIDNIGHT} 1 @new@ @//...@ ").unwrap();
    writeln!(out, "@ex@ 78 {}", MIDNIGHT + 86_399).unwrap();
    out
}

fn read<'t>(files: impl IntoIterator<Item = &'t [u8]>) -> (Option<Journal>, Taken) {
    let mut taken = Taken::default();
    let mut journals = Journals::default();
    for (file, mut text) in files.into_iter().enumerate() {
        journals.read(file, &mut text, &mut taken).unwrap();
    }
    taken.understood = journals.understood();
    (journals.found(), taken)
}

#[test]
fn records_are_counted_by_table_and_hour_and_commit() {
    let text = day();
    let (journal, taken) = read([text.as_bytes()]);
    let journal = journal.unwrap();
    assert_eq!(taken.damage, []);
    assert_eq!(taken.understood.unknown, 0);
    assert_eq!(journal.bytes, text.len() as u64);
    assert_eq!(journal.untimed_bytes, 0);
    let tables: u64 = journal.tables.iter().map(plimsoll::serverlog::journal::Table::records).sum();
    // Notes and marks: one, 48 and 49 ends and the last.
    assert_eq!(journal.records, tables + 1 + 48 + 49 + 1);
    let have = journal.table("db.have").unwrap();
    assert_eq!((have.put, have.replaced, have.deleted), (0, 144, 48));
    assert_eq!(journal.users, (3, 2));
    let commits = &journal.commits;
    assert_eq!(commits.count, 49);
    let files = commits.files.unwrap();
    assert_eq!((files.count, files.max), (49, 100.0));
    assert_eq!(commits.sized, (148, 148_000));
    assert_eq!(commits.days.len(), 1);
    assert_eq!(commits.tables[0].0, "db.rev");
    assert_eq!(commits.tables[0].1, 148);
    // What another process wrote in between is not of the commit.
    assert!(commits.tables.iter().all(|(table, ..)| table != "db.have"));
    assert_eq!(journal.hours.len(), 24);
    let of_hours: u64 = journal.hours.iter().map(|hour| hour.bytes).sum();
    assert_eq!(of_hours, journal.bytes);
    let busiest = journal.hours.iter().max_by_key(|hour| hour.bytes).unwrap();
    assert_eq!(busiest.at.to_string(), "2024/03/05 12:00:00");
    assert_eq!(busiest.commits, 3);
}

#[test]
fn line_ends_and_rotation_change_nothing() {
    let text = day();
    let (whole, _) = read([text.as_bytes()]);
    let whole = whole.unwrap();
    let windows = text.replace('\n', "\r\n");
    let (found, taken) = read([windows.as_bytes()]);
    assert_eq!(taken.damage, []);
    assert_eq!(found.unwrap().commits.count, whole.commits.count);
    let at = text.find("@mx@").unwrap();
    let (first, second) = text.as_bytes().split_at(at);
    assert_eq!(read([first, second]).0.unwrap(), whole);
}

#[test]
fn damage_is_passed_over_with_its_place() {
    let text = day();
    let lines: Vec<&str> = text.lines().collect();
    let mut damaged = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match at {
            // A record that is cut, bytes that are no text, a hole, a record without a table, a text of two megabytes.
            2 => damaged.extend_from_slice(b"@pv@ 9 @db.rev@ @//game/cu\n"),
            4 => damaged.extend_from_slice(b"\xff\xfe\n"),
            6 => damaged.extend_from_slice(&[0; 3000]),
            8 => damaged.extend_from_slice(b"@pv@ 9 1 2\n"),
            10 => {
                damaged.extend_from_slice(b"@pv@ 0 @db.desc@ 1 @");
                damaged.resize(damaged.len() + (2 << 20), b'x');
                damaged.extend_from_slice(b"\n@ \n");
            }
            _ => {}
        }
        damaged.extend_from_slice(line.as_bytes());
        damaged.push(b'\n');
    }
    let (journal, taken) = read([&damaged[..]]);
    let journal = journal.unwrap();
    assert_eq!(journal.commits.count, 49);
    let found: Vec<&str> = taken.damage.iter().map(|damage| damage.found.as_str()).collect();
    assert!(found.contains(&"a record of a journal that was cut"), "{found:?}");
    assert!(found.contains(&"a line that is of no record"), "{found:?}");
    assert!(found.contains(&"3000 NUL bytes"), "{found:?}");
    assert!(found.contains(&"a record of a journal without its table"), "{found:?}");
    assert_eq!(taken.understood.bytes, damaged.len() as u64);
}

#[test]
fn cut_and_overwritten_journals_break_nothing() {
    let text = day();
    for at in (0..text.len()).step_by(211) {
        let mut changed = text.clone().into_bytes();
        changed[at] = b"@ \n\0\xff"[at % 5];
        changed.truncate(text.len() - at % 500);
        let (journal, _) = read([&changed[..]]);
        assert!(journal.is_some_and(|found| found.commits.count <= 50), "{at}");
    }
    for text in ["", "@", "@pv@ ", "@ex@ ", "@pv@ 1 @", "@nx@ 1 99999999999999999999\n"] {
        read([text.as_bytes()]);
    }
}

/// A checkpoint without its notes: tables in their order. Files are of 1,000 B, one of them a lazy copy.
fn tables() -> String {
    let mut out = String::new();
    for counter in ["change", "journal"] {
        writeln!(out, "@pv@ 1 @db.counters@ @{counter}@ @12@ ").unwrap();
    }
    // Two months ago, and the day before.
    let (long_ago, yesterday) = (MIDNIGHT - 60 * 86_400, MIDNIGHT - 86_400);
    for (user, used) in [("ann", yesterday), ("bob", long_ago), ("jenkins", yesterday)] {
        writeln!(out, "@pv@ 7 @db.user@ @{user}@ @{user}@@example.com@ @@ {long_ago} {used} @{user}@ @@ 0 @@ 0")
            .unwrap();
    }
    let last_year = MIDNIGHT - 300 * 86_400;
    for (name, kind, used) in [("ann-ws", 99, yesterday), ("depot", 100, last_year), ("old-ws", 99, last_year)] {
        writeln!(out, "@pv@ 6 @db.domain@ @{name}@ {kind} @@ @/w@ @@ @@ @ann@ {last_year} {used} 0 @one\ntwo@ ")
            .unwrap();
    }
    for (workspace, files) in [("ann-ws", 40), ("old-ws", 7)] {
        for file in 0..files {
            writeln!(out, "@pv@ 3 @db.have@ @//{workspace}/{file}.c@ @//game/{file}.c@ 1 0 ").unwrap();
        }
    }
    for (table, revisions) in [("db.rev", 2), ("db.revhx", 1)] {
        for file in 0..20 {
            for rev in (1..=revisions).rev() {
                let lazy = u8::from(file == 0);
                writeln!(
                    out,
                    "@pv@ 9 @{table}@ @//game/{file}.c@ {rev} 0 1 {rev} {yesterday} {yesterday} 47D355EA47D55FAEC8C92A2ABDA980BC 1000 0 {lazy} @//game/{file}.c@ @1.{rev}@ 0 "
                )
                .unwrap();
            }
        }
    }
    for change in 1..=12 {
        writeln!(out, "@pv@ 2 @db.change@ {change} {change} @ann-ws@ @ann@ {yesterday} 1 @text@ @//...@ ").unwrap();
    }
    out
}

/// The first or the last note of a file, by its kind.
fn note(kind: u32, second: i64) -> String {
    let at = MIDNIGHT + second;
    format!("@nx@ {kind} {at} @31@ 2 0 0 0 0 @/p4/root@ @journal@ @@ @@ @@\n")
}

fn checkpoint<'t>(files: impl IntoIterator<Item = &'t str>) -> (Vec<bool>, Option<Checkpoint>) {
    let mut taken = Taken::default();
    let mut journals = Journals::default();
    let files = files.into_iter().enumerate();
    let are = files.map(|(file, text)| journals.read(file, &mut text.as_bytes(), &mut taken));
    let are = are.collect::<Result<_, _>>().unwrap();
    assert_eq!(taken.damage, []);
    (are, journals.checkpoint())
}

#[test]
fn a_checkpoint_is_what_is_there_and_no_change() {
    let bare = tables();
    let noted = note(0, 0) + &bare + &note(1, 60);
    let verified = "@vv@ 1 @db.counters@ @journal@ @12@ \n".to_owned() + &bare;
    for (text, notes) in [(&bare, 0), (&noted, 2), (&verified, 0)] {
        let (is, found) = checkpoint([text.as_str()]);
        let found = found.unwrap();
        assert_eq!(is, [true]);
        assert_eq!(found.files, 1);
        assert_eq!(found.rows, bare.matches("@pv@").count() as u64);
        assert_eq!(found.tables.iter().map(|table| table.rows).sum::<u64>(), found.rows);
        let of_notes = note(0, 0).len() as u64;
        assert_eq!(found.bytes, bare.len() as u64 + notes * of_notes);
        assert_eq!(found.rows_of("db.have"), 47);
        assert_eq!(found.rows_of("db.rev"), 40);
        assert_eq!(found.workspaces.largest_files, 40);
        assert_eq!((found.workspaces.all, found.workspaces.unused), (2, Some(1)));
        let users = found.users;
        assert_eq!((users.all, users.people, users.active), (3, 2, Some(1)));
        assert_eq!((found.heads.sized, found.heads.lazy), (20, 1));
        assert_eq!(found.revisions.bytes, 40_000);
        assert_eq!(found.span.is_some(), notes > 0);
        assert_eq!(found.twice, None);
        // No journal comes of it.
        assert_eq!(read([text.as_bytes()]).0, None);
    }
    // Those of a release that writes a mark behind its rows.
    let marked = note(0, 0) + &bare + &format!("@ex@ 7 {MIDNIGHT}\n");
    assert_eq!(checkpoint([marked.as_str()]).0, [true]);
    assert_eq!(read([marked.as_bytes()]).0, None);
}

#[test]
fn a_journal_is_no_checkpoint() {
    let bare = tables();
    let row = "@pv@ 3 @db.have@ @//ann-ws/x.c@ @//game/x.c@ 1 0 \n";
    for text in [
        day(),
        // What the journal's first note, a mark, a change and tables that come again say.
        note(2, 0) + &bare,
        bare.clone() + &format!("@ex@ 7 {MIDNIGHT}\n"),
        bare.clone() + &row.replace("@pv@", "@rv@"),
        bare.clone() + &row.replace("@pv@", "@dv@"),
        bare.clone() + row,
    ] {
        let (is, found) = checkpoint([text.as_str()]);
        assert_eq!((is, found), (vec![false], None));
        let (journal, _) = read([text.as_bytes()]);
        assert_eq!(journal.unwrap().bytes, text.len() as u64);
    }
}

#[test]
fn journals_beside_a_checkpoint_are_counted_as_if_it_were_not_there() {
    let (checkpoint_text, journal_text) = (note(0, 0) + &tables() + &note(1, 60), day());
    let (alone, _) = read([journal_text.as_bytes()]);
    let (found, _) = read([checkpoint_text.as_bytes(), journal_text.as_bytes()]);
    assert_eq!(found, alone);
    let (found, _) = read([tables().as_bytes(), journal_text.as_bytes()]);
    assert_eq!(found, alone);
    // Even in one file.
    let one = checkpoint_text.clone() + &journal_text;
    assert_eq!(read([one.as_bytes()]).0, alone);
    let (is, found) = checkpoint([one.as_str()]);
    assert_eq!(is, [true]);
    assert_eq!(found, checkpoint([checkpoint_text.as_str()]).1);
}

#[test]
fn parts_of_a_checkpoint_add_up_and_two_checkpoints_are_seen() {
    let text = tables();
    let (whole, lines) = (checkpoint([text.as_str()]).1.unwrap(), text.lines());
    let (first, second): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.contains("db.rev"));
    // A table in two parts.
    let (a, b) = first.split_at(11);
    let part = |lines: &[&str]| note(0, 0) + &lines.join("\n") + "\n" + &note(1, 9);
    let parts = [part(a), part(b), part(&second)];
    let (are, found) = checkpoint(parts.iter().map(String::as_str));
    let found = found.unwrap();
    assert_eq!(are, [true; 3]);
    assert_eq!((found.files, found.rows), (3, whole.rows));
    assert_eq!((found.users, found.heads), (whole.users, whole.heads));
    assert_eq!(found.twice, None);
    let (_, found) = checkpoint([text.as_str(), text.as_str()]);
    assert!(found.unwrap().twice.is_some());
}
