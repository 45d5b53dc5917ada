//! A log that is followed while somebody writes it in pieces and rotates it: at its end the findings are those of the whole.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;

use plimsoll_p4log::serverlog::analysis::{Analysis, Findings};
use plimsoll_p4log::serverlog::follow::Follow;
use plimsoll_p4log::serverlog::logs::{part_of, read_logs, read_part};
use plimsoll_p4log::serverlog::quality::Log;
use plimsoll_p4log::serverlog::range::Wanted;

use super::part::Folder;
use super::{LOG_S, Random, moment, served};

/// What a log says, whatever its files are called.
fn said(mut findings: Findings) -> Findings {
    findings.quality.log = Log {
        understood: findings.quality.log.understood,
        last: findings.quality.log.last,
        part: findings.quality.log.part,
        ..Log::default()
    };
    findings
}

/// Appends to a file, which is made where there is none.
fn append(path: &std::path::Path, text: &[u8]) {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text));
    assert!(written.is_ok(), "{written:?}");
}

#[test]
fn a_log_that_is_followed_says_in_the_end_what_the_whole_log_says() {
    for seed in 1..=4 {
        let folder = Folder::new("follow");
        let mut random = Random::new(seed);
        let text = served(seed, true).cut(random.between(0.5 * LOG_S, LOG_S));
        let text = text.as_bytes();
        let log = folder.0.join("log");
        // The part that is there before, or none.
        let mut written = if seed == 1 { 0 } else { text.len() / 5 };
        if written > 0 {
            append(&log, &text[..written]);
        }
        let logs = [log.clone()];
        let mut follow = Follow::begin(&logs, None).expect("it is followed");
        assert_eq!(follow.is_there(), written > 0);
        let mut rotated = Vec::new();
        while written < text.len() {
            let most = if random.unit() < 0.9 { 3000.0 } else { 60_000.0 };
            let to = (written + random.between(1.0, most) as usize).min(text.len());
            append(&log, &text[written..to]);
            written = to;
            if random.unit() < 0.7 {
                assert!(follow.poll().is_ok());
            }
            if random.unit() < 0.03 {
                // What was written last may not have been read yet.
                let old = folder.0.join(format!("log.{}", rotated.len()));
                if random.unit() < 0.5 {
                    assert!(fs::rename(&log, &old).is_ok());
                    if random.unit() < 0.5 {
                        assert!(follow.poll().is_ok(), "there is none for a moment");
                    }
                    assert!(File::create(&log).is_ok());
                } else {
                    assert!(fs::copy(&log, &old).is_ok());
                    let truncated = OpenOptions::new().write(true).truncate(true).open(&log);
                    assert!(truncated.is_ok());
                }
                rotated.push(old);
            }
        }
        assert!(follow.poll().is_ok());
        assert!(!follow.poll().expect("it is there"), "nothing has come");
        // A look on the way changes nothing, and time makes what runs older.
        let now = follow.look(0.0);
        let later = follow.look(600.0).standing;
        for (one, other) in later.runs.iter().zip(&now.standing.runs) {
            assert!((one.age_s - other.age_s - 600.0).abs() < 1e-6);
        }
        rotated.push(log);
        let mut analysis = Analysis::default();
        let whole = read_logs(&rotated, &mut analysis, &mut |_| true).expect("they are read");
        let whole = said(analysis.finish(whole));
        assert!(said(now) == whole, "seed {seed}, {} files", rotated.len());
        assert!(said(follow.end()) == whole, "seed {seed}, {} files", rotated.len());
    }
}

#[test]
fn a_part_of_a_log_is_followed_from_its_beginning_on() {
    let folder = Folder::new("follow-part");
    let text = served(3, true).cut(1200.0);
    let cut = text.len() * 3 / 4;
    let log = folder.write("log", &text[..cut]);
    let wanted = Wanted { last_s: Some(300), ..Wanted::default() };
    let logs = [log.clone()];
    let range = part_of(&logs, wanted).expect("the log has an end");
    let mut follow = Follow::begin(&logs, Some(wanted)).expect("it is followed");
    append(&log, &text.as_bytes()[cut..]);
    assert!(follow.poll().is_ok());
    let mut analysis = Analysis::of(range);
    let read = read_part(&logs, range, &mut analysis, &mut |_| true).expect("it is read");
    let (part, whole) = (said(follow.end()), said(analysis.finish(read)));
    assert!(part.quality == whole.quality, "{:?} {:?}", part.quality, whole.quality);
    assert!(part == whole);
    assert!(part.quality.span.is_some_and(|(from, _)| from > moment(0.0)));
}

#[test]
fn what_does_not_grow_is_not_followed() {
    let folder = Folder::new("follow-not");
    let packed = folder.0.join("log.gz");
    assert!(fs::write(&packed, b"\x1f\x8b\x08\0\0\0\0\0\0\0").is_ok());
    let journal = folder.write("journal", "@pv@ 3 @db.change@ 1 1 @c@ @u@ 0 1 @d@\n");
    for (path, what) in [(packed, "packed"), (journal, "another kind"), ("-".into(), "Standard input")] {
        let begun = Follow::begin(&[path], None);
        let why = begun.map(|_| ()).unwrap_err().to_string();
        assert!(why.contains(what), "{why}");
    }
}
