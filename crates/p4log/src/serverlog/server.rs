//! What the server says about itself, and what it says in vain.

use memchr::memmem;

use super::record::{Estimate, What};
use super::reuse::push_text;
use super::scan::Scan;

/// A version is no longer.
const LONGEST_VERSION: usize = 100;

/// Whether the line heads a block, and whether that is an error's.
pub(super) fn header(line: &[u8]) -> Option<bool> {
    let who = line.strip_prefix(b"Perforce ")?.trim_ascii_end();
    let (who, error) = match who.strip_suffix(b" info:") {
        Some(who) => (who, false),
        None => (who.strip_suffix(b" error:")?, true),
    };
    // Server, proxy, broker.
    (!who.is_empty() && who.len() < 32 && who.iter().all(u8::is_ascii_alphabetic)).then_some(error)
}

/// Lines of other levels and threads that say nothing about commands.
pub(super) fn is_noise(line: &[u8]) -> bool {
    let beginnings: &[&[u8]] = match line.first() {
        Some(b'R') => &[b"Rpc himark:"],
        Some(b's') => &[b"server to "],
        Some(b'f') => &[b"forwarder to "],
        Some(b'F') => &[b"Forwarder set trusted client address"],
        Some(b'N') => &[b"NetSslTransport::SendOrReceive"],
        Some(b'P') => &[b"Pull command "],
        _ => return false,
    };
    beginnings.iter().any(|beginning| line.starts_with(beginning))
}

/// What a line of a thread of the server says, such as `Server is now using 55 active threads.`; `None` if that is nothing
/// that is kept.
pub(super) fn event_of(text: &[u8]) -> Option<What> {
    let number = |before: &[u8]| -> Option<u64> {
        let at = memmem::find(text, before)? + before.len();
        Scan::new(&text[at..]).number()
    };
    if text.ends_with(b" active threads.") {
        number(b"Server is now using ").map(What::Active)
    } else if text.ends_with(b" paused threads.") {
        number(b"Server now has ").map(What::Paused)
    } else if memmem::find(text, b"resource pressure").is_some() {
        let state = |value: u64| value.min(2) as u8;
        let rate = |value: u64| value.min(100) as u8;
        let rates = number(b"Pause rate CPU ").zip(number(b"mem "));
        match (number(b"CPU pressure "), number(b"mem pressure ")) {
            (Some(cpu), Some(memory)) => Some(What::Pressure {
                cpu: state(cpu),
                memory: state(memory),
                pause_rates: rates.map(|(cpu, memory)| [rate(cpu), rate(memory)]),
            }),
            _ if [&b"no longer"[..], b"not under"].iter().any(|end| memmem::find(text, end).is_some()) => {
                Some(What::Pressure { cpu: 0, memory: 0, pause_rates: None })
            }
            _ => None,
        }
    } else {
        None
    }
}

/// `Server network estimates: files added/updated/deleted=1/2/3, bytes added/updated=111325/813906`.
pub(super) fn estimate(text: &[u8]) -> Option<Estimate> {
    let mut scan = Scan::new(text);
    scan.tag(b"Server network estimates: files added/updated/deleted=")?;
    let added = scan.number()?;
    scan.tag(b"/")?;
    let updated = scan.number()?;
    scan.tag(b"/")?;
    let deleted = scan.number()?;
    scan.tag(b", bytes added/updated=")?;
    let added_bytes = scan.number()?;
    scan.tag(b"/")?;
    Some(Estimate { added, updated, deleted, added_bytes, updated_bytes: scan.number()? })
}

/// The version in what follows "starting".
pub(super) fn version(after: &[u8]) -> String {
    let words = after.split(u8::is_ascii_whitespace);
    let version = words.skip(4).find(|word| word.contains(&b'/'));
    let mut text = String::new();
    push_text(&mut text, version.unwrap_or_default(), LONGEST_VERSION);
    text.trim_end_matches('.').to_owned()
}

/// `Perforce Server starting 2026/01/06 12:07:05 pid 3336 P4D/…`: what follows "starting".
pub(super) fn starting(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b"Perforce ")?;
    let word = memchr::memchr(b' ', text)?;
    let after = text[word..].strip_prefix(b" starting")?;
    // Server, proxy, broker.
    (word > 0 && word < 32 && text[..word].iter().all(u8::is_ascii_alphabetic)).then(|| after.trim_ascii_start())
}
