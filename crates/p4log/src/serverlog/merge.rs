//! Parts of what a command did, put together.

use super::counters::Counted as _;
use super::record::{ArchiveKind, ArchiveUse, Command, LockTimes, Rpc, TableUse};
use super::reuse::give_back;
use super::track::{MOST_TABLES, Track};

/// Adds the block's lines to a command and forgets them there.
pub(super) fn merge(command: &mut Command, track: &mut Track) {
    let from = &mut track.command;
    later(&mut command.lapse_s, &mut from.lapse_s);
    later(&mut command.paused_s, &mut from.paused_s);
    later(&mut command.usage, &mut from.usage);
    later(&mut command.memory_bytes, &mut from.memory_bytes);
    later(&mut command.process_bytes, &mut from.process_bytes);
    later(&mut command.rpc, &mut from.rpc);
    later(&mut command.upstream, &mut from.upstream);
    later(&mut command.files, &mut from.files);
    later(&mut command.client_files, &mut from.client_files);
    later(&mut command.proxy, &mut from.proxy);
    command.failed |= from.failed;
    command.failure = from.failure.or(command.failure);
    command.tracked = true;
    if command.tables.is_empty() {
        std::mem::swap(&mut command.tables, &mut from.tables);
    } else {
        for used in from.tables.drain(..) {
            let same = command.tables.iter_mut().find(|table| is_same(table, &used));
            if let Some(table) = same {
                add_table(table, &used);
                give_back(used, &mut track.spare);
            } else if command.tables.len() < MOST_TABLES {
                command.tables.push(used);
            } else {
                give_back(used, &mut track.spare);
            }
        }
    }
    for used in from.archives.drain(..) {
        let at = archive_of(&mut command.archives, used.kind);
        command.archives[at].add_counters(&used);
    }
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
    archives.push(ArchiveUse { kind, ..ArchiveUse::default() });
    archives.len() - 1
}

#[inline]
pub(super) fn add(to: &mut u64, more: u64) {
    *to = to.saturating_add(more);
}

/// The later of two, where there is a later one.
pub(super) fn later<T>(to: &mut Option<T>, from: &mut Option<T>) {
    if from.is_some() {
        *to = from.take();
    }
}

/// The longest of each.
pub(super) fn longest(one: LockTimes, other: LockTimes) -> LockTimes {
    LockTimes {
        read_wait_ms: one.read_wait_ms.max(other.read_wait_ms),
        read_held_ms: one.read_held_ms.max(other.read_held_ms),
        write_wait_ms: one.write_wait_ms.max(other.write_wait_ms),
        write_held_ms: one.write_held_ms.max(other.write_held_ms),
    }
}

/// Adds what was done to the same table once more.
pub(super) fn add_table(to: &mut TableUse, from: &TableUse) {
    to.lines.add(from.lines);
    to.add_counters(from);
    to.blocked |= from.blocked;
}

/// Adds the times of further locks.
pub(super) fn add_times(to: &mut LockTimes, from: LockTimes) {
    add(&mut to.read_wait_ms, from.read_wait_ms);
    add(&mut to.read_held_ms, from.read_held_ms);
    add(&mut to.write_wait_ms, from.write_wait_ms);
    add(&mut to.write_held_ms, from.write_held_ms);
}

/// Drops waits and holds that are longer than a time \[ms\]: no line of a server states them. Whether there were any.
pub(super) fn drop_longer(command: &mut Command, most_ms: u64) -> bool {
    let mut any = false;
    let mut check = |ms: &mut u64| {
        if *ms > most_ms {
            *ms = 0;
            any = true;
        }
    };
    for table in &mut command.tables {
        for times in [&mut table.total, &mut table.longest] {
            check(&mut times.read_wait_ms);
            check(&mut times.read_held_ms);
            check(&mut times.write_wait_ms);
            check(&mut times.write_held_ms);
        }
        check(&mut table.peek_wait_ms);
        check(&mut table.peek_held_ms);
        check(&mut table.peek_longest_wait_ms);
        check(&mut table.peek_longest_held_ms);
    }
    any
}

/// The messages of two connections.
pub(super) fn both(one: Rpc, other: Rpc) -> Rpc {
    let mut both = Rpc { send_s: one.send_s + other.send_s, receive_s: one.receive_s + other.receive_s, ..one };
    both.add_counters(&other);
    both
}
