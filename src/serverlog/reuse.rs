//! Records are used again: a log has millions of them, and a thousand at a time.

use super::record::{ArchiveKind, ArchiveUse, Command, LockTimes, Rpc, TableUse};

/// Used tables kept for their memory.
const MOST_SPARE: usize = 4096;

/// A text longer than this gives its memory back when the record is used again.
const LARGE: usize = 512;

/// Makes a record as new, but for the memory that it has.
pub(super) fn reset(command: &mut Command, spare: &mut Vec<TableUse>) {
    for used in command.tables.drain(..) {
        give_back(used, spare);
    }
    let mut new = Command {
        user: std::mem::take(&mut command.user),
        client: std::mem::take(&mut command.client),
        address: std::mem::take(&mut command.address),
        program: std::mem::take(&mut command.program),
        function: std::mem::take(&mut command.function),
        arguments: std::mem::take(&mut command.arguments),
        archives: std::mem::take(&mut command.archives),
        triggers: std::mem::take(&mut command.triggers),
        tables: std::mem::take(&mut command.tables),
        ..Command::default()
    };
    for text in [
        &mut new.user,
        &mut new.client,
        &mut new.address,
        &mut new.program,
        &mut new.function,
        &mut new.arguments,
    ] {
        empty(text);
    }
    new.archives.clear();
    new.triggers.clear();
    *command = new;
}

fn empty(text: &mut String) {
    if text.capacity() > LARGE {
        *text = String::new();
    } else {
        text.clear();
    }
}

/// Keeps the memory of a table for another one.
pub(super) fn give_back(mut used: TableUse, spare: &mut Vec<TableUse>) {
    if spare.len() < MOST_SPARE {
        let mut name = std::mem::take(&mut used.name);
        empty(&mut name);
        spare.push(TableUse {
            name,
            ..TableUse::default()
        });
    }
}

/// Appends a text of at most so many bytes, as far as it is UTF-8.
pub(super) fn push_text(text: &mut String, bytes: &[u8], most: usize) {
    let bytes = &bytes[..bytes.len().min(most)];
    match std::str::from_utf8(bytes) {
        // p4d of 2009 had NUL for a slash in the name of a program.
        Ok(valid) if memchr::memchr(0, bytes).is_none() => text.push_str(valid),
        _ => text.extend(
            String::from_utf8_lossy(bytes)
                .chars()
                .map(|letter| if letter == '\0' { '/' } else { letter }),
        ),
    }
}

/// Resolves `%2E` and the like; what is no code stays.
pub(super) fn percent_decoded(name: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut decoded = Vec::with_capacity(name.len());
    let mut rest = name;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%'
            && let [high, low, after @ ..] = rest
            && let (Some(high), Some(low)) = (digit(*high), digit(*low))
        {
            decoded.push((high * 16 + low) as u8);
            rest = after;
        } else {
            decoded.push(*first);
        }
    }
    decoded
}

/// Whether two sections tell of the same table or lock file.
#[inline]
pub(super) fn is_same(one: &TableUse, other: &TableUse) -> bool {
    one.name == other.name && one.mode == other.mode && one.section == other.section
}

/// Where the archives of a kind are; they are added where they are not.
pub(super) fn archive_of(archives: &mut Vec<ArchiveUse>, kind: ArchiveKind) -> usize {
    if let Some(at) = archives.iter().position(|archive| archive.kind == kind) {
        return at;
    }
    archives.push(ArchiveUse {
        kind,
        opens: 0,
        closes: 0,
        checkins: 0,
        exists: 0,
        reads: 0,
        read_bytes: 0,
        writes: 0,
        written_bytes: 0,
        digests: 0,
        copies: 0,
    });
    archives.len() - 1
}

#[inline]
pub(super) fn add(to: &mut u64, more: u64) {
    *to = to.saturating_add(more);
}

#[inline]
pub(super) fn add_signed(to: &mut i64, more: i64) {
    *to = to.saturating_add(more);
}

/// The later of two, where there is a later one.
pub(super) fn later<T>(to: &mut Option<T>, from: &mut Option<T>) {
    if from.is_some() {
        *to = from.take();
    }
}

/// The longest of each; a hold of -1 ms counts where there is no other.
pub(super) fn longest(one: LockTimes, other: LockTimes) -> LockTimes {
    let of = |one: i64, other: i64| match (one, other) {
        (0, only) | (only, 0) => only,
        (one, other) => one.max(other),
    };
    LockTimes {
        read_wait_ms: of(one.read_wait_ms, other.read_wait_ms),
        read_held_ms: of(one.read_held_ms, other.read_held_ms),
        write_wait_ms: of(one.write_wait_ms, other.write_wait_ms),
        write_held_ms: of(one.write_held_ms, other.write_held_ms),
    }
}

/// Adds what was done to the same table once more.
pub(super) fn add_table(to: &mut TableUse, from: &TableUse) {
    add(&mut to.pages_in, from.pages_in);
    add(&mut to.pages_out, from.pages_out);
    // Pages that lie there in the end, not a count of events.
    to.pages_cached = to.pages_cached.max(from.pages_cached);
    add(&mut to.pages_split, from.pages_split);
    add(&mut to.pages_reordered, from.pages_reordered);
    add(&mut to.read_locks, from.read_locks);
    add(&mut to.write_locks, from.write_locks);
    add(&mut to.rows_get, from.rows_get);
    add(&mut to.rows_pos, from.rows_pos);
    add(&mut to.rows_scan, from.rows_scan);
    add(&mut to.rows_put, from.rows_put);
    add(&mut to.rows_del, from.rows_del);
    add_times(&mut to.total, from.total);
    to.longest = longest(to.longest, from.longest);
    add(&mut to.peeks, from.peeks);
    add_signed(&mut to.peek_wait_ms, from.peek_wait_ms);
    add_signed(&mut to.peek_held_ms, from.peek_held_ms);
    to.blocked |= from.blocked;
}

/// Adds the times of further locks.
pub(super) fn add_times(to: &mut LockTimes, from: LockTimes) {
    add_signed(&mut to.read_wait_ms, from.read_wait_ms);
    add_signed(&mut to.read_held_ms, from.read_held_ms);
    add_signed(&mut to.write_wait_ms, from.write_wait_ms);
    add_signed(&mut to.write_held_ms, from.write_held_ms);
}

/// The messages of two connections.
pub(super) fn both(one: Rpc, other: Rpc) -> Rpc {
    Rpc {
        received: one.received.saturating_add(other.received),
        sent: one.sent.saturating_add(other.sent),
        received_bytes: one.received_bytes.saturating_add(other.received_bytes),
        sent_bytes: one.sent_bytes.saturating_add(other.sent_bytes),
        himark_forward: one.himark_forward.max(other.himark_forward),
        himark_reverse: one.himark_reverse.max(other.himark_reverse),
        send_s: one.send_s + other.send_s,
        receive_s: one.receive_s + other.receive_s,
    }
}
