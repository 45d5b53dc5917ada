//! Records are used again: a log has millions of them, and a thousand at a time.

use super::record::{Command, Ending, Moment, Place, TableUse};

/// Used tables kept for their memory.
const MOST_SPARE: usize = 4096;

/// A text longer than this gives its memory back when the record is used again.
const LARGE: usize = 160;

/// A list with room for more triggers gives it back.
const FEW: usize = 4;

/// Makes a record as new, but for the memory that it has.
pub(super) fn reset(command: &mut Command, spare: &mut Vec<TableUse>) {
    for used in command.tables.drain(..) {
        give_back(used, spare);
    }
    let Command {
        place,
        pid,
        start,
        end,
        ending,
        failed,
        failure,
        user,
        client,
        address,
        program,
        function,
        arguments,
        lapse_s,
        compute_s,
        paused_s,
        usage,
        memory_bytes,
        process_bytes,
        rpc,
        upstream,
        files,
        client_files,
        estimate,
        proxy,
        archives,
        triggers,
        tables: _,
        tracked,
        parent,
    } = command;
    (*place, *pid, *start, *end) = (Place::default(), 0, Moment::default(), None);
    (*ending, *failed, *failure) = (Ending::default(), false, None);
    (*tracked, *parent) = (false, None);
    for text in [user, client, address, program, function, arguments] {
        empty(text);
    }
    (*lapse_s, *compute_s, *paused_s, *usage) = (None, None, None, None);
    (*memory_bytes, *process_bytes) = (None, None);
    (*rpc, *upstream, *files, *client_files) = (None, None, None, None);
    (*estimate, *proxy) = (None, None);
    archives.clear();
    triggers.clear();
    if triggers.capacity() > FEW {
        *triggers = Vec::new();
    }
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
        spare.push(TableUse { name, ..TableUse::default() });
    }
}

/// Appends a text of at most so many bytes, as far as it is UTF-8.
pub(super) fn push_text(text: &mut String, bytes: &[u8], most: usize) {
    let bytes = &bytes[..bytes.len().min(most)];
    match std::str::from_utf8(bytes) {
        Ok(valid) if memchr::memchr(0, bytes).is_none() => text.push_str(valid),
        _ => {
            // p4d of 2009 had NULs for the slash in the name of a program, or before it.
            let lossy = String::from_utf8_lossy(bytes);
            let mut parts = lossy.split('\0').filter(|part| !part.is_empty());
            text.push_str(parts.next().unwrap_or_default());
            for part in parts {
                if !text.ends_with('/') && !part.starts_with('/') {
                    text.push('/');
                }
                text.push_str(part);
            }
        }
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
