//! The side that listens: serves one client after another.
//!
//! Knows requests and carries them out. Must not believe what a client says: every number has limits,
//! every wait an end, and streams come from the client's own address with the number made for the test.

use std::hash::{BuildHasher as _, RandomState};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use super::flow::{self, Schedule};
use super::wire::{self, Job, Lines, MAGIC, Request};
use super::{NetworkError, PATIENCE, now, socket};
use crate::units::{Bytes, Seconds};

/// How long a client may think between two tests.
const IDLE_MAX: Duration = Duration::from_secs(30);
/// How long one client is served at most.
const SESSION_MAX: Duration = Duration::from_hours(1);
/// How often a new connection is looked for.
const ACCEPT_EVERY: Duration = Duration::from_millis(10);
/// How long a new connection may take to name its test.
const NAMING_MAX: Duration = Duration::from_secs(1);

/// A socket that is listened on.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

/// Listens on an address and serves clients until `stop`, or the first one if `once`. Each sentence that `report` gets says what happens.
pub fn listen(
    address: SocketAddr,
    once: bool,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&str),
) -> Result<(), NetworkError> {
    Server::bind(address)?.serve(once, stop, report)
}

/// What a client had.
#[derive(Debug, Default)]
struct Served {
    tests: u64,
    received_bytes: u64,
    sent_bytes: u64,
}

impl Server {
    /// Binds to this address and no other.
    pub fn bind(address: SocketAddr) -> Result<Self, NetworkError> {
        let failed = |reason| NetworkError::Bind { address, reason };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address })
    }

    /// Where it listens; the port is the system's choice if 0 was given.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves clients until `stop`, or the first one that speaks our language if `once`.
    pub fn serve(&self, once: bool, stop: &AtomicBool, report: &mut dyn FnMut(&str)) -> Result<(), NetworkError> {
        report(&format!("listening on {}", self.address));
        if self.address.ip().is_unspecified() {
            report("every network of this host can reach it, and any client there can load the link");
        }
        loop {
            let Some((stream, peer)) = self.accept(None, stop)? else {
                return Ok(());
            };
            report(&format!("serving {peer}"));
            let start = now();
            let mut served = Served::default();
            let mut is_ours = false;
            let outcome = self.session((stream, peer), (&mut served, &mut is_ours), stop);
            match &outcome {
                Ok(()) => report(&served.sentence(peer, start.elapsed())),
                Err(NetworkError::Interrupted) => return Ok(()),
                Err(error) => report(&format!("{peer}: {error}")),
            }
            if once && is_ours {
                return outcome;
            }
        }
    }

    /// The next connection; none once stopped or after `patience`.
    fn accept(
        &self,
        patience: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<Option<(TcpStream, SocketAddr)>, NetworkError> {
        let start = now();
        while !stop.load(Ordering::Relaxed) && patience.is_none_or(|p| start.elapsed() < p) {
            let accepted = socket::accept(&self.listener);
            match accepted.map_err(NetworkError::io("waiting for a client"))? {
                None => thread::sleep(ACCEPT_EVERY),
                some => return Ok(some),
            }
        }
        Ok(None)
    }

    fn session(
        &self,
        (stream, peer): (TcpStream, SocketAddr),
        (served, is_ours): (&mut Served, &mut bool),
        stop: &AtomicBool,
    ) -> Result<(), NetworkError> {
        let doing = "being greeted";
        let mut lines = Lines::new(stream)?;
        let greeting = lines.read(doing, PATIENCE, stop)?;
        if greeting != MAGIC {
            lines.refuse(&format!("this side speaks {MAGIC}"), stop);
            return Err(wire::foreign(&greeting, doing));
        }
        *is_ours = true;
        lines.write("greeting", MAGIC, stop)?;
        let start = now();
        loop {
            let doing = "saying what to measure";
            let line = lines.read(doing, IDLE_MAX, stop)?;
            if line == "bye" {
                return lines.write("saying good-bye", "bye", stop);
            }
            let request = Request::parse(&line);
            let request = request.and_then(|request| {
                let is_time_left = start.elapsed() < SESSION_MAX;
                let over = || "one client is served for an hour at most".to_owned();
                is_time_left.then_some(request).ok_or_else(over)
            });
            match request {
                Ok(request) => self.perform(request, peer, &mut lines, served, stop)?,
                Err(why) => {
                    lines.refuse(&why, stop);
                    return Err(wire::foreign(&line, doing));
                }
            }
        }
    }

    /// One test.
    fn perform(
        &self,
        request: Request,
        peer: SocketAddr,
        lines: &mut Lines,
        served: &mut Served,
        stop: &AtomicBool,
    ) -> Result<(), NetworkError> {
        let token = token(served.tests);
        lines.write("preparing a test", &format!("ready {token}"), stop)?;
        let streams = match self.streams(request, peer, &token, stop) {
            Ok(streams) => streams,
            Err(error) => {
                lines.refuse("the streams did not arrive", stop);
                return Err(error);
            }
        };
        let doing = "setting the window";
        let (send, receive) = socket::buffers(&streams[0]).map_err(NetworkError::io(doing))?;
        lines.write("starting a test", &format!("go {send} {receive}"), stop)?;
        let schedule = Schedule::new(request.warm_up, request.measured);
        let bytes = carry_out(request, streams, schedule, stop);
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                lines.refuse(&format!("the test failed there: {error}"), stop);
                return Err(error);
            }
        };
        match request.job {
            Job::Echo => {
                served.received_bytes += bytes;
                served.sent_bytes += bytes;
            }
            Job::Receive => served.received_bytes += bytes,
            Job::Send => served.sent_bytes += bytes,
        }
        served.tests += 1;
        let nanoseconds = schedule.measured().as_nanos();
        lines.write("ending a test", &format!("done {bytes} {nanoseconds}"), stop)
    }

    /// The connections of one test. Others that come meanwhile are sent away.
    fn streams(
        &self,
        request: Request,
        peer: SocketAddr,
        token: &str,
        stop: &AtomicBool,
    ) -> Result<Vec<TcpStream>, NetworkError> {
        let doing = "opening the streams of a test";
        let start = now();
        let mut streams = Vec::new();
        while (streams.len() as u64) < request.streams {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let Some((stream, from)) = self.accept(Some(left), stop)? else {
                if stop.load(Ordering::Relaxed) {
                    return Err(NetworkError::Interrupted);
                }
                let patience = PATIENCE;
                return Err(NetworkError::Silent { doing, patience });
            };
            let Ok(mut lines) = Lines::new(stream) else {
                continue;
            };
            let named =
                if from.ip() == peer.ip() { lines.read(doing, NAMING_MAX.min(left), stop) } else { Ok(String::new()) };
            if named.is_ok_and(|line| line.strip_prefix("stream ") == Some(token)) {
                let stream = lines.into_stream();
                socket::set_window(&SockRef::from(&stream), request.window_bytes).map_err(NetworkError::io(doing))?;
                streams.push(stream);
            } else {
                lines.refuse("another client is being served; try again later", stop);
            }
        }
        Ok(streams)
    }
}

/// A number of sixteen digits that nobody else can guess: the hash of a hasher that the system seeded.
fn token(number: u64) -> String {
    format!("{:016x}", RandomState::new().hash_one(number))
}

/// The data of a test.
fn carry_out(
    request: Request,
    streams: Vec<TcpStream>,
    schedule: Schedule,
    stop: &AtomicBool,
) -> Result<u64, NetworkError> {
    let never = AtomicBool::new(false);
    match request.job {
        Job::Receive => flow::receive(streams, schedule, stop),
        Job::Send => flow::send(streams, schedule, &never, stop),
        Job::Echo => {
            let bytes = usize::try_from(request.message_bytes).unwrap_or(usize::MAX);
            let mut total = 0;
            for stream in streams {
                total += flow::echo(stream, bytes, schedule, stop)?;
            }
            Ok(total)
        }
    }
}

impl Served {
    fn sentence(&self, peer: SocketAddr, time: Duration) -> String {
        let tests = self.tests;
        let received = Bytes::new(self.received_bytes as f64);
        let sent = Bytes::new(self.sent_bytes as f64);
        let time = Seconds::new(time.as_secs_f64());
        format!("{peer} is done: {tests} tests in {time}, {received} received, {sent} sent")
    }
}
