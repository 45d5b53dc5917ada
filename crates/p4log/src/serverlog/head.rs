//! The lines that begin with a time and a process: a command begins, ends, computes; the server speaks about itself.

use memchr::{memchr, memmem, memrchr};

use super::record::{Moment, Usage};
use super::scan::{Calendar, Scan};

/// The line by which a command begins, and by which its track block names it again.
#[derive(Debug, Clone, Default)]
pub(super) struct Head {
    /// The line from its time on.
    pub(super) line: Vec<u8>,
    /// Its time.
    pub(super) at: Moment,
    /// The process.
    pub(super) pid: u64,
    /// Everything but the time, as a number: a track block that names the same has the same.
    pub(super) rest: u64,
    /// What stands where in the line.
    pub(super) fields: Fields,
}

/// Where the fields lie in a line: from and to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fields {
    pub(super) user: (usize, usize),
    pub(super) client: (usize, usize),
    pub(super) address: (usize, usize),
    pub(super) program: (usize, usize),
    pub(super) function: (usize, usize),
    pub(super) arguments: (usize, usize),
}

impl Head {
    /// One of its fields.
    pub(super) fn field(&self, (from, to): (usize, usize)) -> &[u8] {
        self.line.get(from..to).unwrap_or_default()
    }
}

/// What follows the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suffix<'a> {
    /// Nothing: the quotes are closed.
    Closed,
    /// The quotes are not closed: the arguments go on in the next line.
    Open,
    /// ` trigger NAME`.
    Trigger(&'a [u8]),
    /// ` exited unexpectedly, removed from monitor table.`
    Removed,
}

/// A line that begins with a time.
#[derive(Debug)]
pub(super) enum Timed<'a> {
    /// `TIME pid N user@client address [program] 'function arguments'`; the head was filled.
    Start(Suffix<'a>),
    /// `TIME pid N completed .031s …`.
    Completed(Ended),
    /// `TIME pid N compute end .031s …`.
    Computed(Ended),
    /// `TIME NANOSECONDS pid N: text`.
    Server(Moment, &'a [u8]),
    /// Begins like one of the first three, and the line ends too early.
    Partial,
    /// Nothing known.
    Unknown,
}

/// A time, a process and how long.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ended {
    pub(super) at: Moment,
    pub(super) pid: u64,
    pub(super) lapse_s: f64,
    pub(super) usage: Option<Usage>,
}

/// Reads a line without its indentation. The head is filled where a command begins.
pub(super) fn timed<'a>(line: &'a [u8], calendar: &mut Calendar, head: &mut Head) -> Timed<'a> {
    let mut scan = Scan::new(line);
    let Some(mut at) = calendar.moment(&mut scan) else {
        return Timed::Unknown;
    };
    if scan.tag(b" ").is_none() {
        return Timed::Unknown;
    }
    if let [b'0'..=b'9', ..] = scan.rest {
        // Nanoseconds: the server speaks about itself.
        if let Some(nanos) = scan.number() {
            at.micros += (nanos / 1000).min(999_999).cast_signed();
        }
        return match (scan.tag(b" pid "), scan.number(), scan.tag(b": ")) {
            (Some(()), Some(_), Some(())) => Timed::Server(at, scan.rest),
            _ => Timed::Unknown,
        };
    }
    let after_time = line.len() - scan.rest.len();
    if scan.tag(b"pid ").is_none() {
        return if b"pid ".starts_with(scan.rest) && !scan.rest.is_empty() { Timed::Partial } else { Timed::Unknown };
    }
    let Some(pid) = scan.number() else {
        return Timed::Unknown;
    };
    if let [b':', b' ', text @ ..] = scan.rest {
        return Timed::Server(at, text);
    }
    if scan.tag(b" ").is_none() {
        return if scan.rest.is_empty() { Timed::Partial } else { Timed::Unknown };
    }
    match scan.rest.first() {
        Some(b'c') => {
            if let Some(timed) = ended(&scan, at, pid) {
                return timed;
            }
        }
        None => return Timed::Partial,
        _ => {}
    }
    start(line, after_time, scan, at, pid, head)
}

fn ended<'a>(scan: &Scan<'a>, at: Moment, pid: u64) -> Option<Timed<'a>> {
    let mut completed = *scan;
    let mut computed = *scan;
    let (scan, is_completed) = if completed.tag(b"completed").is_some() {
        (&mut completed, true)
    } else if computed.tag(b"compute end").is_some() {
        (&mut computed, false)
    } else {
        let text = scan.rest;
        return (b"completed".starts_with(text) || b"compute end".starts_with(text)).then_some(Timed::Partial);
    };
    // A user may be called `completed@…`.
    if !matches!(scan.rest, [b' ', ..] | []) {
        return None;
    }
    scan.spaces();
    let Some(lapse_s) = scan.seconds() else {
        return Some(if scan.rest.is_empty() { Timed::Partial } else { Timed::Unknown });
    };
    scan.spaces();
    let usage = scan.usage();
    let ended = Ended { at, pid, lapse_s, usage };
    Some(if is_completed { Timed::Completed(ended) } else { Timed::Computed(ended) })
}

/// `user@client address [program] 'function arguments'` and what follows.
fn start<'a>(line: &'a [u8], after_time: usize, scan: Scan<'a>, at: Moment, pid: u64, head: &mut Head) -> Timed<'a> {
    let user = line.len() - scan.rest.len();
    // The user has neither space nor @; the client has no space.
    let Some(blank) = memchr(b' ', scan.rest) else {
        return if memchr(b'@', scan.rest).is_some() { Timed::Partial } else { Timed::Unknown };
    };
    let Some(sign) = memchr(b'@', &scan.rest[..blank]) else {
        return Timed::Unknown;
    };
    let (sign, client_end) = (user + sign, user + blank);
    let address = client_end + 1;
    let Some(address_end) = memchr(b' ', &line[address..]).map(|at| address + at) else {
        return Timed::Partial;
    };
    let program = address_end + 2;
    if line.get(address_end + 1) != Some(&b'[') {
        return if line.len() <= address_end + 1 { Timed::Partial } else { Timed::Unknown };
    }
    // Programs have brackets in their names: the first one before a quote ends them.
    let Some(program_end) = closing_bracket(&line[program..]).map(|at| program + at) else {
        return Timed::Partial;
    };
    let function = program_end + 3;
    let rest = &line[function..];
    let function_end = function + rest.iter().position(|byte| matches!(byte, b' ' | b'\'')).unwrap_or(rest.len());
    if function_end == function {
        return if rest.is_empty() { Timed::Partial } else { Timed::Unknown };
    }
    let (end, suffix) = closing_quote(line, function_end);
    let arguments = (function_end + 1).min(end);
    head.line.clear();
    head.line.extend_from_slice(line);
    head.at = at;
    head.pid = pid;
    head.rest = hash(&line[after_time..end]);
    head.fields = Fields {
        user: (user, sign),
        client: (sign + 1, client_end),
        address: (address, address_end),
        program: (program, program_end),
        function: (function, function_end),
        arguments: (arguments, end),
    };
    Timed::Start(suffix)
}

/// Where `] '` stands.
fn closing_bracket(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = memchr(b']', &text[from..]) {
        if text[from + at..].starts_with(b"] '") {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

/// Where the arguments end, and what follows them. Arguments have quotes in them: the last one of the line ends them, if
/// nothing but what p4d adds stands behind it.
fn closing_quote(line: &[u8], from: usize) -> (usize, Suffix<'_>) {
    let text = line.trim_ascii_end();
    if text.last() == Some(&b'\'') && text.len() > from {
        return (text.len() - 1, Suffix::Closed);
    }
    if let Some(quote) = memrchr(b'\'', &text[from..]).map(|at| from + at) {
        let after = &text[quote + 1..];
        if let Some(name) = after.strip_prefix(b" trigger ") {
            return (quote, Suffix::Trigger(name.trim_ascii()));
        }
        if after.starts_with(b" exited unexpectedly") {
            return (quote, Suffix::Removed);
        }
    }
    // A trigger's name may have a quote.
    if let Some(at) = memmem::find(&text[from..], b"' trigger ") {
        let name = &text[from + at + 10..];
        if memchr(b' ', name).is_none() {
            return (from + at, Suffix::Trigger(name));
        }
    }
    (text.len(), Suffix::Open)
}

/// A number that differs where the text does.
fn hash(text: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut value = text.len() as u64;
    let mut chunks = text.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk.try_into().map_or(0, u64::from_le_bytes);
        value = (value ^ word).wrapping_mul(FACTOR);
        value ^= value >> 29;
    }
    let mut last = [0; 8];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    value = (value ^ u64::from_le_bytes(last)).wrapping_mul(FACTOR);
    value ^ (value >> 32)
}

#[cfg(test)]
mod tests {
    use super::{Calendar, Head, Suffix, Timed, timed};

    /// User, client, address, program, function and arguments, by a bar.
    fn fields(line: &str) -> (String, String) {
        let mut head = Head::default();
        let suffix = match timed(line.as_bytes(), &mut Calendar::default(), &mut head) {
            Timed::Start(suffix) => format!("{suffix:?}"),
            other => return (format!("{other:?}"), String::new()),
        };
        let suffix = suffix.split('(').next().unwrap_or_default().to_owned();
        let of = head.fields;
        let texts: Vec<_> = [of.user, of.client, of.address, of.program, of.function, of.arguments]
            .iter()
            .map(|field| String::from_utf8_lossy(head.field(*field)).into_owned())
            .collect();
        (suffix, texts.join("|"))
    }

    #[test]
    fn fields_are_found_whatever_stands_in_them() {
        for (rest, suffix, found) in [
            ("ann@ws 10.0.0.1 [p4/2020.1] 'user-sync //...'", "Closed", "ann|ws|10.0.0.1|p4/2020.1|user-sync|//..."),
            (
                "ann@${WS} 10.0.0.1/10.0.0.2 [a script [PY3/x]/v97 (brokered)] 'user-info'",
                "Closed",
                "ann|${WS}|10.0.0.1/10.0.0.2|a script [PY3/x]/v97 (brokered)|user-info|",
            ),
            (
                "ann@ws unknown [S] 'user-key k {\"a\":\"it's ['x']\"}'",
                "Closed",
                "ann|ws|unknown|S|user-key|k {\"a\":\"it's ['x']\"}",
            ),
            (
                "ann@ws 10.0.0.1 [p4] 'user-submit -d it's the first line",
                "Open",
                "ann|ws|10.0.0.1|p4|user-submit|-d it's the first line",
            ),
            (
                "ann@ws 10.0.0.1 [p4] 'user-change -i' trigger check.form",
                "Trigger",
                "ann|ws|10.0.0.1|p4|user-change|-i",
            ),
            (
                "u@c 10.0.0.1 [p4] 'IDLE' exited unexpectedly, removed from monitor table.",
                "Removed",
                "u|c|10.0.0.1|p4|IDLE|",
            ),
            (
                "completed@ws 10.0.0.1 [p4] 'user-sync a (195) b'",
                "Closed",
                "completed|ws|10.0.0.1|p4|user-sync|a (195) b",
            ),
        ] {
            let line = format!("2024/01/02 03:04:05 pid 7 {rest}");
            assert_eq!(fields(&line), (suffix.to_owned(), found.to_owned()), "{rest}");
        }
    }

    #[test]
    fn a_line_that_ends_too_early_says_so() {
        let whole = "2024/01/02 03:04:05 pid 7 ann@ws 10.0.0.1 [p4/2020.1] 'user-sync //...'";
        for end in 20..whole.len() {
            let mut head = Head::default();
            match timed(&whole.as_bytes()[..end], &mut Calendar::default(), &mut head) {
                Timed::Partial | Timed::Unknown => {}
                Timed::Start(suffix) => assert_eq!(suffix, Suffix::Open, "{end}"),
                other => panic!("{end}: {other:?}"),
            }
        }
    }
}
