//! Numbers and names of a log as prose has them.

use crate::diag::harmless_line;
use crate::page::short_share;
use crate::serverlog::analysis::{Party, Spread, Transfer, Transfers};
use crate::serverlog::quality::{Quality, ServerLevel, TrackLevel};
use crate::serverlog::record::Moment;
use crate::units::{Bytes, BytesPerSecond, Fraction, Seconds, grouped};

/// Characters of a name in a table or sentence.
const NAME: usize = 48;

/// "1.4 s".
pub(super) fn time(seconds: f64) -> String {
    Seconds::new(seconds).estimated()
}

/// "16 min 35 s": how long something has gone on, by the clock of the log.
pub(super) fn age(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, _) => format!("{minutes} min {seconds} s"),
        _ => format!("{hours} h {minutes} min"),
    }
}

/// "34 %", "< 0.1 %".
pub(super) fn share(part: f64, whole: f64) -> String {
    if whole <= 0.0 || part <= 0.0 {
        return "0 %".to_owned();
    }
    short_share(part / whole)
}

/// "4.7 TiB".
pub(super) fn size(bytes: f64) -> String {
    Bytes::new(bytes).estimated()
}

/// "60 MiB/s".
pub(super) fn rate(bytes: f64) -> String {
    BytesPerSecond::new(bytes).estimated()
}

/// "1,234".
pub(super) fn count(number: u64) -> String {
    grouped(number as f64)
}

pub(super) use crate::units::counted;

/// A name of the log on one line, cut.
pub fn name(text: &str) -> String {
    let clean = harmless_line(text);
    if clean.is_empty() {
        return "(none)".to_owned();
    }
    let mut short: String = clean.chars().take(NAME).collect();
    if clean.chars().nth(NAME).is_some() {
        short.push('…');
    }
    short
}

/// A function as people type it: `user-sync` is "sync".
pub(super) fn function(text: &str) -> String {
    name(text.strip_prefix("user-").unwrap_or(text))
}

/// Whether a table is one of the database, and no lock file: only these have peeks.
pub(super) fn is_of_database(table: &str) -> bool {
    !table.contains('/') && table.contains('.')
}

/// A function and its arguments.
pub(super) fn call(called: &str, arguments: &str) -> String {
    if arguments.is_empty() { function(called) } else { format!("{} {}", function(called), name(arguments)) }
}

/// "ann's submit (10:00:05)".
pub(super) fn party(party: &Party) -> String {
    format!("{}: {}", name(&party.user), call(&party.function, &party.arguments))
}

/// Files and bytes of a transfer.
pub(super) fn transfer(found: &Transfer) -> String {
    moved(found.files, found.bytes)
}

/// "12 files, 4.7 MiB", and of how many of all transfers the log counts that where it does not of all.
pub(super) fn moved_in_all(found: &Transfers) -> String {
    if found.counted == 0 {
        return moved(0, 0);
    }
    let text =
        if found.files == 0 && found.bytes == 0 { "no files".to_owned() } else { moved(found.files, found.bytes) };
    if found.counted == found.count { text } else { format!("{text} ({} of them counted)", count(found.counted)) }
}

/// "12", "200,000 or more" where the count ends.
pub(super) fn at_least(number: u64, ends_at: usize) -> String {
    let text = count(number);
    if number < ends_at as u64 { text } else { format!("{text} or more") }
}

/// "12 files, 4.7 MiB", as far as they are known.
pub(super) fn moved(files: u64, bytes: u64) -> String {
    let parts = [(files > 0).then(|| counted(files, "file")), (bytes > 0).then(|| size(bytes as f64))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "files and bytes not counted".to_owned() } else { parts.join(", ") }
}

/// "10:00:05".
pub(super) fn clock(at: Moment) -> String {
    at.to_string().chars().skip(11).collect()
}

/// "10:00", where the seconds are those of a whole minute, else "10:00:05".
pub fn axis_clock(at: Moment) -> String {
    let text = clock(at);
    text.strip_suffix(":00").map_or(text.clone(), str::to_owned)
}

/// "median 1 s, 95 % within 3 s, longest 9 s".
pub(super) fn spread(found: &Spread, shown: impl Fn(f64) -> String) -> String {
    if found.count == 1 {
        return format!("{} (one)", shown(found.max));
    }
    format!("median {}, 95 % up to {}, at most {}", shown(found.p50), shown(found.p95), shown(found.max))
}

/// From when to when a log reaches.
pub(super) fn span(quality: &Quality) -> String {
    let Some((from, to)) = quality.span else {
        return if quality.records > 0 { "no time is stated".to_owned() } else { "no command".to_owned() };
    };
    let day = |at: Moment| at.to_string().chars().take(10).collect::<String>();
    let lasts = Seconds::new(quality.span_s().max(0.0)).estimated();
    if day(from) == day(to) {
        format!("{}, {} to {} ({lasts})", day(from), clock(from), clock(to))
    } else {
        format!("{from} to {to} ({lasts})")
    }
}

/// The levels, a sentence each.
pub(super) fn levels(quality: &Quality) -> Vec<String> {
    let server = match quality.server {
        ServerLevel::Unknown => "The server level cannot be seen: too few commands are completed here.",
        ServerLevel::Starts => "server=1: commands begin and no line says that one is completed.",
        ServerLevel::CompletionsAtLeast => {
            "server=2 or more: commands have their completion; none here has a compute end."
        }
        ServerLevel::Completions => "server=2: commands have their completion, no compute end.",
        ServerLevel::Computes => "server=3: commands have their completion and compute ends.",
    };
    let track = match quality.track {
        TrackLevel::Unknown => {
            "Whether every command has track lines is judged from 20 completed commands on.".to_owned()
        }
        TrackLevel::Off => "track=0: no command has track lines.".to_owned(),
        TrackLevel::Every => "track=1: every command has track lines.".to_owned(),
        TrackLevel::Slow { from_s, fraction } => format!(
            "Censored: only commands from about {} on have track lines, {} of all (track is 2 or more, or unset).",
            time(from_s),
            Fraction::new(fraction).estimated()
        ),
        TrackLevel::Some { fraction } => format!(
            "{} of the commands have track lines, by no rule of their lapse: the level changed, or blocks are missing.",
            Fraction::new(fraction).estimated()
        ),
    };
    vec![server.to_owned(), track]
}

/// What is wrong with the text of the log, a sentence each; nothing where all is well.
pub(super) fn flaws(quality: &Quality) -> Vec<String> {
    let mut out = quality.log.notes.clone();
    let unknown = quality.log.understood.unknown;
    if unknown > 0 {
        out.push(format!(
            "{} of {} passed over: no known form.",
            count(unknown),
            counted(quality.log.understood.lines, "line")
        ));
    }
    for (i, file) in quality.log.files.iter().enumerate() {
        if let Some(broken) = &file.broken {
            out.push(format!("Log {}: {}.", i + 1, harmless_line(broken)));
        }
    }
    let (damages, first) = &quality.damages;
    if let Some(one) = first.first() {
        out.push(format!(
            "{} passed over, {} in all. The first: log {}, line {}, byte {}: {}.",
            counted(*damages, "damaged place"),
            size(quality.damaged_bytes as f64),
            one.place.file + 1,
            count(one.place.line),
            count(one.place.offset),
            name(&one.found)
        ));
    }
    if quality.backwards > 0 {
        out.push(format!(
            "{} more than half an hour before earlier lines: the clock went back, or the files are not in order.",
            if quality.backwards == 1 {
                "1 command ends".to_owned()
            } else {
                format!("{} commands end", count(quality.backwards))
            }
        ));
    }
    for (at, seconds) in &quality.gaps {
        out.push(format!(
            "No line for {} from {at}: nobody worked, the server was down, or a file is missing.",
            time(*seconds)
        ));
    }
    let endings = &quality.endings;
    let ends = [
        (endings.pending, "had not ended when the log ended", "had not ended when the log ended"),
        (
            endings.replaced,
            "ended unseen, as its process began another command",
            "ended unseen, as their processes began other commands",
        ),
        (endings.restart, "was ended by a start of the server", "were ended by a start of the server"),
        (
            endings.removed,
            "exited and left the monitor table without a completion",
            "exited and left the monitor table without a completion",
        ),
    ];
    for (number, one, several) in ends {
        let how = if number == 1 { one } else { several };
        if number > 0 {
            out.push(format!("{} {how}.", counted(number, "command")));
        }
    }
    out
}
