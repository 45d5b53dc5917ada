//! The data of a test: sending, receiving, echoing.
//!
//! Knows open connections and a clock. Must not know what was agreed on them.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::super::data::Data;
use super::result::Seen;
use super::wire::{Deadline, read_exact, write_all};
use super::{NetworkError, PATIENCE, is_pause, now};

/// Bytes of one write: as many as p4 sends at once when it transfers a file.
const WRITE_BYTES: usize = 64 << 10;
/// Room of one read.
const READ_BYTES: usize = 256 << 10;
/// How long a test may go on after the time that it knows of: the receiver ends it, not the sender.
const TAIL: Duration = Duration::from_secs(10);

/// When a test is counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Schedule {
    begun: Instant,
    from: Instant,
    to: Instant,
}

impl Schedule {
    /// From now on.
    pub(super) fn new(warm_up: Duration, measured: Duration) -> Self {
        let begun = now();
        let from = begun + warm_up;
        let to = from + measured;
        Self { begun, from, to }
    }

    /// When it is over, whatever has become of it.
    fn deadline(&self) -> Deadline {
        let limit = self.to - self.begun + TAIL;
        Deadline::from(self.begun, limit)
    }

    /// The time that is counted.
    pub(super) fn measured(&self) -> Duration {
        self.to - self.from
    }
}

/// Runs one thread a stream and gives what each found, in order.
fn on_threads<T: Send>(
    name: &str,
    streams: Vec<TcpStream>,
    work: impl Fn(TcpStream) -> T + Sync,
) -> io::Result<Vec<T>> {
    thread::scope(|scope| {
        let work = &work;
        let threads: io::Result<Vec<_>> = (0_u64..)
            .zip(streams)
            .map(|(idx, stream)| {
                let thread = thread::Builder::new().name(format!("{name}-{idx}"));
                thread.spawn_scoped(scope, move || work(stream))
            })
            .collect();
        let join = |thread: thread::ScopedJoinHandle<'_, T>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        Ok(threads?.into_iter().map(join).collect())
    })
}

/// Sends on all streams until the receiver hangs up or somebody says that it is `enough`; gives the bytes
/// that the kernel took. What a sender sees of the end is no error: the receiver knows.
pub(super) fn send(
    streams: Vec<TcpStream>,
    schedule: Schedule,
    enough: &AtomicBool,
    stop: &AtomicBool,
) -> Result<u64, NetworkError> {
    let sent = on_threads("bench-send", streams, |mut stream| {
        let mut data = Data::fresh();
        let mut room = vec![0; WRITE_BYTES];
        let mut sent: u64 = 0;
        while !enough.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) && now() < schedule.to + TAIL {
            data.fill(&mut room);
            let mut rest = &room[..];
            while !rest.is_empty() && now() < schedule.to + TAIL {
                match stream.write(rest) {
                    Ok(0) => return sent,
                    Ok(n) => {
                        sent += n as u64;
                        rest = &rest[n..];
                    }
                    Err(error) if is_pause(&error) => break,
                    Err(_) => return sent,
                }
            }
        }
        sent
    });
    let sent = sent.map_err(NetworkError::io("sending"))?;
    if stop.load(Ordering::Relaxed) {
        return Err(NetworkError::Interrupted);
    }
    Ok(sent.iter().sum())
}

/// Receives on all streams and counts the bytes of the measured time, then hangs up. They may be none: a
/// window below a segment can hold the data up for longer.
pub(super) fn receive(streams: Vec<TcpStream>, schedule: Schedule, stop: &AtomicBool) -> Result<u64, NetworkError> {
    let doing = "receiving";
    let received = on_threads("bench-receive", streams, |stream| receive_one(stream, schedule, stop));
    let mut total = 0;
    for bytes in received.map_err(NetworkError::io(doing))? {
        total += bytes?;
    }
    Ok(total)
}

fn receive_one(mut stream: TcpStream, schedule: Schedule, stop: &AtomicBool) -> Result<u64, NetworkError> {
    let doing = "receiving";
    let mut room = vec![0; READ_BYTES];
    let mut last = now();
    let mut bytes = 0;
    loop {
        let read = stream.read(&mut room);
        let at = now();
        match read {
            Ok(0) if at < schedule.to => return Err(NetworkError::Closed { doing }),
            Ok(n) => {
                last = at;
                if (schedule.from..schedule.to).contains(&at) {
                    bytes += n as u64;
                }
            }
            Err(error) if is_pause(&error) => {}
            Err(reason) => return Err(NetworkError::Io { doing, reason }),
        }
        if at >= schedule.to {
            return Ok(bytes);
        }
        if stop.load(Ordering::Relaxed) {
            return Err(NetworkError::Interrupted);
        }
        if at - last > PATIENCE {
            let patience = PATIENCE;
            return Err(NetworkError::Silent { doing, patience });
        }
    }
}

/// Sends messages, one at a time, and takes the time until each is back.
pub(super) fn round_trips(
    mut stream: TcpStream,
    message_bytes: usize,
    schedule: Schedule,
    stop: &AtomicBool,
) -> Result<Seen, NetworkError> {
    let doing = "taking round trips";
    let deadline = schedule.deadline();
    let mut seen = Seen::new();
    let mut data = Data::fresh();
    let (mut message, mut echo) = (vec![0; message_bytes], vec![0; message_bytes]);
    loop {
        data.fill(&mut message);
        let start = now();
        if start >= schedule.to && seen.count() > 0 {
            break;
        }
        write_all(&mut stream, &message, doing, deadline, stop)?;
        if !read_exact(&mut stream, &mut echo, doing, deadline, stop)? {
            return Err(NetworkError::Closed { doing });
        }
        let seconds = start.elapsed().as_secs_f64();
        if echo != message {
            let said = "another message than it was sent".to_owned();
            return Err(NetworkError::Foreign { doing, said });
        }
        if start >= schedule.from {
            seen.record(seconds);
        }
        if stop.load(Ordering::Relaxed) {
            return Err(NetworkError::Interrupted);
        }
    }
    // The other side ends its echo when there is nothing more to read; it may have ended already.
    drop(stream.shutdown(Shutdown::Both));
    Ok(seen)
}

/// Answers each message with the same until the other side hangs up; gives the bytes answered.
pub(super) fn echo(
    mut stream: TcpStream,
    message_bytes: usize,
    schedule: Schedule,
    stop: &AtomicBool,
) -> Result<u64, NetworkError> {
    let doing = "echoing";
    let deadline = schedule.deadline();
    let mut message = vec![0; message_bytes];
    let mut echoed = 0;
    loop {
        if !read_exact(&mut stream, &mut message, doing, deadline, stop)? {
            break;
        }
        write_all(&mut stream, &message, doing, deadline, stop)?;
        echoed += message_bytes as u64;
    }
    Ok(echoed)
}
