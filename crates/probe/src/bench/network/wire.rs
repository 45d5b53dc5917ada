//! What the two sides say to each other: short lines of plain ASCII, and limits on all of them.
//!
//! Knows lines and their meaning. Must not know what is measured with them.
//!
//! ```text
//! connecting side                          listening side
//! plimsoll-bench-network 1          ─►
//!                                   ◄─     plimsoll-bench-network 1
//! receive 4 65536 0 200 1000        ─►     (streams, window, bytes of a message, warm-up ms, measured ms)
//!                                   ◄─     ready 8d3c…
//! stream 8d3c… (on 4 new connections) ─►
//!                                   ◄─     go 131072 131072   (its buffers); then data
//!                                   ◄─     done 1180000000 1000000000   (bytes, nanoseconds)
//! bye                               ─►
//!                                   ◄─     bye
//! ```
//!
//! `receive`, `send` and `echo` say what the listening side does. Instead of its answer it may say `error` and a sentence.

use std::fmt;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::plan::{MEASURED_MS, MESSAGE_BYTES, STREAMS, WARM_UP_MS, WINDOW_BYTES};
use super::{NetworkError, PATIENCE, POLL, is_pause, now};

/// The first line of either side: what it speaks, and which version of it.
pub(super) const MAGIC: &str = "plimsoll-bench-network 1";

/// Longest line; a sentence of an error fits.
const LINE_BYTES_MAX: usize = 160;

/// A connection on which lines are said.
#[derive(Debug)]
pub(super) struct Lines {
    stream: TcpStream,
    /// Of a line whose end has not come yet.
    begun: Vec<u8>,
}

impl Lines {
    pub(super) fn new(stream: TcpStream) -> Result<Self, NetworkError> {
        impatient(&stream)?;
        let begun = Vec::new();
        Ok(Self { stream, begun })
    }

    /// The connection itself, once all lines are said.
    pub(super) fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// The next line.
    pub(super) fn read(
        &mut self,
        doing: &'static str,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<String, NetworkError> {
        let start = now();
        loop {
            if let Some(line) = self.poll(doing)? {
                return Ok(line);
            }
            if stop.load(Ordering::Relaxed) {
                return Err(NetworkError::Interrupted);
            }
            if start.elapsed() > patience {
                return Err(NetworkError::Silent { doing, patience });
            }
        }
    }

    /// The next line, if it is whole within [`POLL`]. A byte at a time, so that nothing after it is taken.
    pub(super) fn poll(&mut self, doing: &'static str) -> Result<Option<String>, NetworkError> {
        let start = now();
        while start.elapsed() < POLL {
            let mut byte = [0];
            match self.stream.read(&mut byte) {
                Ok(0) => return Err(NetworkError::Closed { doing }),
                Ok(_) if byte == *b"\n" => {
                    let line = std::mem::take(&mut self.begun);
                    return Ok(Some(line.into_iter().map(char::from).collect()));
                }
                Ok(_) => self.begun.push(byte[0]),
                Err(error) if is_pause(&error) => return Ok(None),
                // With lines of ours unread, hanging up looks like this.
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {
                    return Err(NetworkError::Closed { doing });
                }
                Err(reason) => return Err(NetworkError::Io { doing, reason }),
            }
            let is_plain = |byte: &u8| (b' '..=b'~').contains(byte);
            if self.begun.len() > LINE_BYTES_MAX || !self.begun.iter().all(is_plain) {
                let said = quoted(&self.begun);
                return Err(NetworkError::Foreign { doing, said });
            }
        }
        Ok(None)
    }

    pub(super) fn write(&mut self, doing: &'static str, line: &str, stop: &AtomicBool) -> Result<(), NetworkError> {
        let bytes = format!("{line}\n").into_bytes();
        let deadline = Deadline::from(now(), PATIENCE);
        write_all(&mut self.stream, &bytes, doing, deadline, stop)
    }

    /// Says why not, if the other side still listens.
    pub(super) fn refuse(&mut self, why: &str, stop: &AtomicBool) {
        let plain = |c: char| if (' '..='~').contains(&c) { c } else { '?' };
        let line: String = format!("error {why}").chars().map(plain).collect();
        let line = &line[..line.len().min(LINE_BYTES_MAX)];
        // The failure that is being told matters more than that of telling it.
        drop(self.write("refusing", line, stop));
    }
}

/// Fills the room; false if the other side hung up before the first byte.
pub(super) fn read_exact(
    stream: &mut TcpStream,
    room: &mut [u8],
    doing: &'static str,
    deadline: Deadline,
    stop: &AtomicBool,
) -> Result<bool, NetworkError> {
    let mut filled = 0;
    let mut paused = None;
    while filled < room.len() {
        deadline.is_ahead(doing)?;
        match stream.read(&mut room[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(NetworkError::Closed { doing }),
            Ok(n) => {
                filled += n;
                paused = None;
                continue;
            }
            Err(error) if is_pause(&error) => {}
            Err(reason) => return Err(NetworkError::Io { doing, reason }),
        }
        if stop.load(Ordering::Relaxed) {
            return Err(NetworkError::Interrupted);
        }
        if paused.get_or_insert_with(now).elapsed() > PATIENCE {
            let patience = PATIENCE;
            return Err(NetworkError::Silent { doing, patience });
        }
    }
    Ok(true)
}

/// When something must be done, however much the other side says meanwhile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    /// So long after `begun`.
    pub(super) fn from(begun: Instant, limit: Duration) -> Self {
        Self { at: begun + limit, limit }
    }

    /// An error once it is past.
    pub(super) fn is_ahead(self, doing: &'static str) -> Result<(), NetworkError> {
        let limit = self.limit;
        if now() < self.at { Ok(()) } else { Err(NetworkError::Late { doing, limit }) }
    }
}

/// A stream whose reads and writes give up every [`POLL`], and whose small messages leave at once.
pub(super) fn impatient(stream: &TcpStream) -> Result<(), NetworkError> {
    let set = || {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(POLL))?;
        stream.set_write_timeout(Some(POLL))
    };
    set().map_err(NetworkError::io("setting up a connection"))
}

/// Writes all before the deadline, unless the other side takes nothing for [`PATIENCE`].
pub(super) fn write_all(
    stream: &mut TcpStream,
    mut bytes: &[u8],
    doing: &'static str,
    deadline: Deadline,
    stop: &AtomicBool,
) -> Result<(), NetworkError> {
    let mut last = None;
    while !bytes.is_empty() {
        deadline.is_ahead(doing)?;
        match stream.write(bytes) {
            Ok(0) => return Err(NetworkError::Closed { doing }),
            Ok(n) => {
                bytes = &bytes[n..];
                last = None;
                continue;
            }
            Err(error) if is_pause(&error) => {}
            Err(reason) => return Err(NetworkError::Io { doing, reason }),
        }
        if stop.load(Ordering::Relaxed) {
            return Err(NetworkError::Interrupted);
        }
        if last.get_or_insert_with(now).elapsed() > PATIENCE {
            let patience = PATIENCE;
            return Err(NetworkError::Silent { doing, patience });
        }
    }
    Ok(())
}

/// What the listening side shall do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Job {
    /// Answer each message with the same.
    Echo,
    /// Receive and count.
    Receive,
    /// Send as much as goes through.
    Send,
}

/// A test that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) job: Job,
    pub(super) streams: u64,
    /// None is the kernel's choice, on the wire 0.
    pub(super) window_bytes: Option<u64>,
    /// Of an echo's message; else 0.
    pub(super) message_bytes: u64,
    pub(super) warm_up: Duration,
    pub(super) measured: Duration,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let job = match self.job {
            Job::Echo => "echo",
            Job::Receive => "receive",
            Job::Send => "send",
        };
        let window = self.window_bytes.unwrap_or(0);
        let (streams, message) = (self.streams, self.message_bytes);
        let (warm_up, measured) = (self.warm_up.as_millis(), self.measured.as_millis());
        write!(f, "{job} {streams} {window} {message} {warm_up} {measured}")
    }
}

impl Request {
    /// Understands a line, or says what is wrong with it.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let (job, numbers) = line.split_once(' ').ok_or("a request has six words")?;
        let job = match job {
            "echo" => Job::Echo,
            "receive" => Job::Receive,
            "send" => Job::Send,
            _ => return Err("a request is echo, receive or send".to_owned()),
        };
        let numbers = numbers_of(numbers).ok_or("five whole numbers must follow")?;
        let [streams, window, message_bytes, warm_up, measured] = numbers;
        let within = |name: &str, range: &std::ops::RangeInclusive<u64>, value: u64| {
            if range.contains(&value) {
                Ok(())
            } else {
                Err(format!("{name} must be from {} to {}", range.start(), range.end()))
            }
        };
        within("streams", &STREAMS, streams)?;
        within("warm-up", &WARM_UP_MS, warm_up)?;
        within("measured time", &MEASURED_MS, measured)?;
        if window > 0 {
            within("window", &WINDOW_BYTES, window)?;
        }
        if job == Job::Echo {
            within("message", &MESSAGE_BYTES, message_bytes)?;
            within("streams of an echo", &(1..=1), streams)?;
        }
        Ok(Self {
            job,
            streams,
            window_bytes: (window > 0).then_some(window),
            message_bytes,
            warm_up: Duration::from_millis(warm_up),
            measured: Duration::from_millis(measured),
        })
    }
}

/// Exactly so many whole numbers with blanks between them.
pub(super) fn numbers_of<const N: usize>(text: &str) -> Option<[u64; N]> {
    let numbers: Option<Vec<u64>> = text.split(' ').map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// The numbers of a line `WORD N…`, or why they are not there.
pub(super) fn answer<const N: usize>(line: &str, word: &str, doing: &'static str) -> Result<[u64; N], NetworkError> {
    let rest = after(line, word, doing)?;
    numbers_of(rest).ok_or_else(|| foreign(line, doing))
}

/// What stands behind the first word of a line, or why it is not that word.
pub(super) fn after<'a>(line: &'a str, word: &str, doing: &'static str) -> Result<&'a str, NetworkError> {
    if let Some(why) = line.strip_prefix("error ") {
        return Err(NetworkError::Refused(why.to_owned()));
    }
    let rest = line.strip_prefix(word).and_then(|l| l.strip_prefix(' '));
    rest.ok_or_else(|| foreign(line, doing))
}

/// The other side said something else.
pub(super) fn foreign(line: &str, doing: &'static str) -> NetworkError {
    let said = quoted(line.as_bytes());
    NetworkError::Foreign { doing, said }
}

/// What a stranger said, fit to print: short, and no control characters.
fn quoted(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let shown = &bytes[..bytes.len().min(SHOWN)];
    let more = if bytes.len() > SHOWN { "…" } else { "" };
    format!("{}{more}", shown.escape_ascii())
}
