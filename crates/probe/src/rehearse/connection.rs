//! A connection between a client and the server: a socket over the loopback interface, and what goes over it.
//!
//! The server sends frames: data, a wish for so many bytes, an echo, or the end of a command with what it spent where. The client
//! sends requests of one size, echoes, and bytes that were wished for.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::archives::CHUNK;
use super::course::Course;
use crate::bench::ground::{Data, now, stopped};

/// How long either side waits for the other before it gives up: longer than any command.
const PATIENCE: Duration = Duration::from_mins(10);

/// Which part of a command is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Portion {
    /// All of it.
    Whole,
    /// What is before the content that threads share.
    Head,
    /// One thread's part of that content.
    Content,
    /// What is after it.
    Tail,
}

/// A command for the server.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Request {
    pub(super) script: u32,
    pub(super) kind: u32,
    /// Its size over the mean one's.
    pub(super) factor: f64,
    pub(super) portion: Portion,
    /// Threads that share its content.
    pub(super) threads: u32,
}

/// Seconds of a command by cause.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Parts {
    pub(super) locks: f64,
    pub(super) storage: f64,
    pub(super) processor: f64,
    pub(super) network: f64,
}

impl Parts {
    pub(super) fn array(self) -> [f64; 4] {
        [self.locks, self.storage, self.processor, self.network]
    }

    pub(super) fn of([locks, storage, processor, network]: [f64; 4]) -> Self {
        Self { locks, storage, processor, network }
    }
}

const REQUEST: usize = 32;
const ECHO: u8 = 1;
const DATA: u8 = 2;
const WANT: u8 = 3;
const DONE: u8 = 4;
const HEAD: usize = 9;

/// Both ends of a fresh connection: client's and server's.
pub(super) fn pair() -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let client = TcpStream::connect(listener.local_addr()?)?;
    let ours = client.local_addr()?;
    // Another process may have been faster.
    let server = loop {
        let (server, theirs) = listener.accept()?;
        if theirs == ours {
            break server;
        }
    };
    for end in [&client, &server] {
        set_up(end)?;
    }
    Ok((client, server))
}

/// Small messages leave at once, and neither side waits for the other without end.
fn set_up(end: &TcpStream) -> io::Result<()> {
    end.set_nonblocking(false)?;
    end.set_nodelay(true)?;
    end.set_read_timeout(Some(PATIENCE))?;
    end.set_write_timeout(Some(PATIENCE))
}

/// The first eight bytes as a number.
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(word)
}

/// The server's end.
pub(super) struct ServerEnd {
    stream: Arc<TcpStream>,
    head: Vec<u8>,
}

impl ServerEnd {
    pub(super) fn new(stream: Arc<TcpStream>) -> Self {
        Self { stream, head: Vec::with_capacity(1024) }
    }

    /// Answers echoes until a request comes; none where the client has gone.
    pub(super) fn request(&mut self) -> io::Result<Option<Request>> {
        loop {
            let mut bytes = [0; REQUEST];
            match (&*self.stream).read_exact(&mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(None),
                read => read?,
            }
            if bytes[0] == ECHO {
                self.frame(ECHO, 0)?;
                continue;
            }
            let portion = match bytes[1] {
                0 => Portion::Whole,
                1 => Portion::Head,
                2 => Portion::Content,
                _ => Portion::Tail,
            };
            return Ok(Some(Request {
                script: word(&bytes[8..]) as u32,
                kind: (word(&bytes[8..]) >> 32) as u32,
                factor: f64::from_bits(word(&bytes[16..])),
                portion,
                threads: word(&bytes[24..]) as u32,
            }));
        }
    }

    /// Begins a frame.
    fn begin(&mut self, kind: u8, length: u64) {
        self.head.clear();
        self.head.push(kind);
        self.head.extend_from_slice(&length.to_le_bytes());
    }

    /// A frame without data of its own.
    fn frame(&mut self, kind: u8, length: u64) -> io::Result<()> {
        self.begin(kind, length);
        (&*self.stream).write_all(&self.head)
    }

    /// Sends bytes; the fewer, the sooner they are in one packet with their head.
    pub(super) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        const SMALL: usize = 16 << 10;
        if bytes.len() > SMALL {
            self.frame(DATA, bytes.len() as u64)?;
            return (&*self.stream).write_all(bytes);
        }
        self.begin(DATA, bytes.len() as u64);
        self.head.extend_from_slice(bytes);
        (&*self.stream).write_all(&self.head)
    }

    /// Asks the client for so many bytes, which [`Self::receive`] then gets.
    pub(super) fn want(&mut self, bytes: u64) -> io::Result<()> {
        self.frame(WANT, bytes)
    }

    pub(super) fn receive(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        (&*self.stream).read_exact(bytes)
    }

    /// The command is done.
    pub(super) fn done(&mut self, parts: Parts) -> io::Result<()> {
        self.begin(DONE, 32);
        for part in parts.array() {
            self.head.extend_from_slice(&part.to_bits().to_le_bytes());
        }
        (&*self.stream).write_all(&self.head)
    }
}

/// The client's end.
pub(super) struct ClientEnd {
    stream: Arc<TcpStream>,
    block: Vec<u8>,
    pace: Pace,
    /// Time by which content of this command came faster than the client takes it \[s\].
    ahead: f64,
    course: Arc<Course>,
}

/// How fast and how far away a client is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    /// What it takes and gives \[B/s\].
    pub(super) rate: f64,
    /// What is added to each round trip \[s\].
    pub(super) round_trip: f64,
}

impl ClientEnd {
    pub(super) fn new(stream: Arc<TcpStream>, pace: Pace, course: &Arc<Course>) -> Self {
        let mut block = vec![0; CHUNK / 4];
        Data::fresh().fill(&mut block);
        Self { stream, block, pace, ahead: 0.0, course: Arc::clone(course) }
    }

    fn sleep(&self, seconds: f64) -> io::Result<()> {
        let goes_on = self.course.sleep(Duration::from_secs_f64(seconds));
        if goes_on { Ok(()) } else { Err(stopped()) }
    }

    fn far(&self) -> io::Result<()> {
        if self.pace.round_trip > 0.0 {
            self.sleep(self.pace.round_trip)?;
        }
        Ok(())
    }

    /// A round trip: what p4 does twice before a command.
    pub(super) fn echo(&mut self) -> io::Result<()> {
        self.far()?;
        let mut request = [0; REQUEST];
        request[0] = ECHO;
        (&*self.stream).write_all(&request)?;
        let mut head = [0; HEAD];
        (&*self.stream).read_exact(&mut head)
    }

    /// Sends a request and serves the server until it is done; gives where the server spent its time.
    pub(super) fn command(&mut self, request: &Request) -> io::Result<Parts> {
        self.far()?;
        let mut bytes = [0; REQUEST];
        bytes[1] = match request.portion {
            Portion::Whole => 0,
            Portion::Head => 1,
            Portion::Content => 2,
            Portion::Tail => 3,
        };
        let ids = u64::from(request.script) | u64::from(request.kind) << 32;
        bytes[8..16].copy_from_slice(&ids.to_le_bytes());
        bytes[16..24].copy_from_slice(&request.factor.to_bits().to_le_bytes());
        bytes[24..32].copy_from_slice(&u64::from(request.threads).to_le_bytes());
        (&*self.stream).write_all(&bytes)?;
        loop {
            let mut head = [0; HEAD];
            (&*self.stream).read_exact(&mut head)?;
            let length = word(&head[1..]);
            match head[0] {
                DATA => self.take(length)?,
                WANT => self.give(length)?,
                DONE => {
                    let mut bytes = [0; 32];
                    (&*self.stream).read_exact(&mut bytes)?;
                    if self.ahead > 0.0 {
                        self.catch_up()?;
                    }
                    self.ahead = 0.0;
                    let part = |n: usize| f64::from_bits(word(&bytes[8 * n..]));
                    return Ok(Parts::of([part(0), part(1), part(2), part(3)]));
                }
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }

    /// A client takes what it is sent no faster than it can write it.
    fn take(&mut self, length: u64) -> io::Result<()> {
        let mut left = length;
        while left > 0 {
            let begun = now();
            let piece = left.min(self.block.len() as u64) as usize;
            (&*self.stream).read_exact(&mut self.block[..piece])?;
            left -= piece as u64;
            self.keep_pace(begun, piece)?;
        }
        Ok(())
    }

    fn give(&mut self, length: u64) -> io::Result<()> {
        let mut left = length;
        while left > 0 {
            let begun = now();
            let piece = left.min(self.block.len() as u64) as usize;
            (&*self.stream).write_all(&self.block[..piece])?;
            left -= piece as u64;
            self.keep_pace(begun, piece)?;
        }
        Ok(())
    }

    /// Content of many small files is paced together: the time for each of them is shorter than a sleep can be.
    fn keep_pace(&mut self, begun: Instant, bytes: usize) -> io::Result<()> {
        /// Shorter sleeps are mostly the timer's \[s\].
        const SLEEP_LEAST: f64 = 1e-3;
        let spent = begun.elapsed().as_secs_f64();
        self.ahead = (self.ahead + bytes as f64 / self.pace.rate - spent).max(0.0);
        if self.ahead > SLEEP_LEAST {
            self.catch_up()?;
            // The timer's excess counts for what comes next.
            self.ahead = self.ahead.max(-SLEEP_LEAST);
        }
        Ok(())
    }

    /// Sleeps for what is ahead, and no longer than the server waits.
    fn catch_up(&mut self) -> io::Result<()> {
        let begun = now();
        self.sleep(self.ahead.min(PATIENCE.as_secs_f64()))?;
        self.ahead -= begun.elapsed().as_secs_f64();
        Ok(())
    }
}
