//! The side that connects and measures.
//!
//! Knows a plan and asks the other side for its tests one by one. Must not believe what the other side
//! says: numbers that cannot be are an error.

use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::super::steady::{Verdict, judge};
use super::flow::{self, Schedule};
use super::plan::{Direction, NetworkPlan, Test};
use super::result::{Bandwidth, NetworkResult, RoundTrip, Rounds, Seen};
use super::wire::{self, Job, Lines, MAGIC, Request};
use super::{NetworkError, PATIENCE, socket};
use crate::units::{Bytes, Seconds};

/// What one test found, once.
enum Sample {
    RoundTrips(Seen),
    Bandwidth { bytes_per_s: f64, send_buffer_bytes: u64, receive_buffer_bytes: u64 },
}

/// Measures the network to the first of these addresses that answers. `progress` gets a sentence before
/// each test.
pub fn connect(
    addresses: &[SocketAddr],
    plan: &NetworkPlan,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&str),
) -> Result<NetworkResult, NetworkError> {
    // Before anybody is connected to.
    plan.check()?;
    let mut session = Session::open(addresses, stop)?;
    let result = session.measure(plan, stop, progress)?;
    session.close(stop)?;
    Ok(result)
}

/// A connection to a listener, which does what it is asked for.
#[derive(Debug)]
struct Session {
    lines: Lines,
    local: SocketAddr,
    peer: SocketAddr,
}

impl Session {
    /// Measures the network.
    fn measure(
        &mut self,
        plan: &NetworkPlan,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&str),
    ) -> Result<NetworkResult, NetworkError> {
        let tests = plan.tests();
        let mut samples: Vec<Vec<Sample>> = tests.iter().map(|_| Vec::new()).collect();
        let mut left = plan.duration();
        for round in 1..=plan.rounds {
            for (test, samples) in tests.iter().zip(&mut samples) {
                let rounds = plan.rounds;
                let time = Seconds::new(left.as_secs_f64().ceil());
                progress(&format!("round {round} of {rounds}: {test}; {time} left"));
                let sample = self.perform(*test, plan, stop);
                // A stop closes the streams, and the other side may report that before this side sees its own stop.
                samples.push(
                    sample.map_err(
                        |error| {
                            if stop.load(Ordering::Relaxed) { NetworkError::Interrupted } else { error }
                        },
                    )?,
                );
                left = left.saturating_sub(plan.warm_up + plan.measured);
            }
        }
        Ok(result(self, plan, &tests, samples))
    }

    /// Connects and greets. An address that nobody answers on is passed over if there is another.
    fn open(addresses: &[SocketAddr], stop: &AtomicBool) -> Result<Self, NetworkError> {
        let mut failed = NetworkError::Plan("it has no address to connect to".to_owned());
        for &peer in addresses {
            match socket::connect(peer, None, stop) {
                Ok(stream) => return Self::greet(stream, peer, stop),
                Err(NetworkError::Interrupted) => return Err(NetworkError::Interrupted),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    fn greet(stream: TcpStream, peer: SocketAddr, stop: &AtomicBool) -> Result<Self, NetworkError> {
        let doing = "greeting";
        let local = stream.local_addr().map_err(NetworkError::io(doing))?;
        let mut lines = Lines::new(stream)?;
        lines.write(doing, MAGIC, stop)?;
        let greeting = lines.read(doing, PATIENCE, stop)?;
        if let Some(why) = greeting.strip_prefix("error ") {
            return Err(NetworkError::Refused(why.to_owned()));
        }
        if greeting != MAGIC {
            return Err(wire::foreign(&greeting, doing));
        }
        Ok(Self { lines, local, peer })
    }

    fn close(&mut self, stop: &AtomicBool) -> Result<(), NetworkError> {
        let doing = "saying good-bye";
        self.lines.write(doing, "bye", stop)?;
        let answer = self.lines.read(doing, PATIENCE, stop)?;
        if answer == "bye" { Ok(()) } else { Err(wire::foreign(&answer, doing)) }
    }

    /// One test: asks for it, opens its streams, measures.
    fn perform(&mut self, test: Test, plan: &NetworkPlan, stop: &AtomicBool) -> Result<Sample, NetworkError> {
        let request = request(test, plan);
        let doing = "preparing a test";
        self.lines.write(doing, &request.to_string(), stop)?;
        let ready = self.lines.read(doing, PATIENCE, stop)?;
        let token = wire::after(&ready, "ready", doing)?.to_owned();
        let mut streams = Vec::new();
        for _ in 0..request.streams {
            let stream = socket::connect(self.peer, request.window_bytes, stop)?;
            let mut lines = Lines::new(stream)?;
            lines.write(doing, &format!("stream {token}"), stop)?;
            streams.push(lines.into_stream());
        }
        let (send, receive) = socket::buffers(&streams[0]).map_err(NetworkError::io(doing))?;
        let doing = "starting a test";
        // The other side may wait for the last stream as long as it has patience.
        let go = self.lines.read(doing, PATIENCE * 2, stop)?;
        let [send_there, receive_there] = wire::answer(&go, "go", doing)?;
        let schedule = Schedule::new(plan.warm_up, plan.measured);
        let measured_s = plan.measured.as_secs_f64();
        match request.job {
            Job::Echo => {
                let bytes = usize::try_from(request.message_bytes).unwrap_or(usize::MAX);
                let stream = streams.remove(0);
                let seen = flow::round_trips(stream, bytes, schedule, stop)?;
                self.done(PATIENCE, stop)?;
                Ok(Sample::RoundTrips(seen))
            }
            Job::Receive => {
                let bytes = self.upload(streams, plan, schedule, stop)?;
                Ok(Sample::Bandwidth {
                    bytes_per_s: bytes as f64 / measured_s,
                    send_buffer_bytes: send,
                    receive_buffer_bytes: receive_there,
                })
            }
            Job::Send => {
                let bytes = flow::receive(streams, schedule, stop)?;
                self.done(PATIENCE, stop)?;
                Ok(Sample::Bandwidth {
                    bytes_per_s: bytes as f64 / measured_s,
                    send_buffer_bytes: send_there,
                    receive_buffer_bytes: receive,
                })
            }
        }
    }

    /// Sends until the other side has counted enough; gives its count.
    fn upload(
        &mut self,
        streams: Vec<TcpStream>,
        plan: &NetworkPlan,
        schedule: Schedule,
        stop: &AtomicBool,
    ) -> Result<u64, NetworkError> {
        let doing = "sending";
        let enough = AtomicBool::new(false);
        let (counted, sent) = thread::scope(|scope| {
            let sender = thread::Builder::new().name("bench-send".to_owned());
            let sender = sender.spawn_scoped(scope, || flow::send(streams, schedule, &enough, stop));
            let counted = self.done(plan.warm_up + plan.measured + PATIENCE, stop);
            enough.store(true, Ordering::Relaxed);
            let sender = sender.map_err(NetworkError::io(doing))?;
            let sent = sender.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok::<_, NetworkError>((counted?, sent?))
        })?;
        let [bytes, nanoseconds] = counted;
        let is_possible = bytes <= sent && u128::from(nanoseconds) == plan.measured.as_nanos();
        if !is_possible {
            let line = format!("done {bytes} {nanoseconds}");
            return Err(wire::foreign(&line, doing));
        }
        Ok(bytes)
    }

    /// Waits for the other side's account of a test: bytes and nanoseconds.
    fn done(&mut self, patience: Duration, stop: &AtomicBool) -> Result<[u64; 2], NetworkError> {
        let doing = "ending a test";
        let line = self.lines.read(doing, patience, stop)?;
        wire::answer(&line, "done", doing)
    }
}

/// A test as the other side is asked for it.
fn request(test: Test, plan: &NetworkPlan) -> Request {
    let (job, streams, window_bytes, message_bytes) = match test {
        Test::RoundTrip { message_bytes } => (Job::Echo, 1, None, message_bytes),
        Test::Bandwidth { direction, window_bytes, streams } => {
            let job = match direction {
                Direction::Upload => Job::Receive,
                Direction::Download => Job::Send,
            };
            (job, streams, window_bytes, 0)
        }
    };
    Request { job, streams, window_bytes, message_bytes, warm_up: plan.warm_up, measured: plan.measured }
}

/// Medians of the rounds.
fn result(session: &Session, plan: &NetworkPlan, tests: &[Test], samples: Vec<Vec<Sample>>) -> NetworkResult {
    let mut result = NetworkResult {
        local: session.local.to_string(),
        peer: session.peer.to_string(),
        rounds: plan.rounds,
        round_trips: Vec::new(),
        bandwidths: Vec::new(),
        notes: Vec::new(),
    };
    for (test, samples) in tests.iter().zip(samples) {
        match *test {
            Test::RoundTrip { message_bytes } => {
                result.round_trips.push(round_trip(message_bytes, &samples));
            }
            Test::Bandwidth { direction, window_bytes, streams } => {
                let found = bandwidth(direction, window_bytes, streams, &samples);
                if !found.is_window_granted {
                    result.notes.push(not_granted(test, &found));
                }
                let verdict = judge(&found.bytes_per_s.values);
                if found.bytes_per_s.low == 0.0 {
                    result.notes.push(format!("{test}: in a round nothing arrived"));
                } else if !matches!(verdict, Verdict::Steady | Verdict::Unknown) {
                    let verdict = verdict.title();
                    result.notes.push(format!("{test}: the rounds are {verdict}"));
                }
                result.bandwidths.push(found);
            }
        }
    }
    result
}

fn round_trip(message_bytes: u64, samples: &[Sample]) -> RoundTrip {
    let mut p50_s = Vec::new();
    let mut all = Seen::new();
    for sample in samples {
        if let Sample::RoundTrips(seen) = sample {
            p50_s.push(seen.latency_s().p50);
            all.merge(seen);
        }
    }
    RoundTrip { message_bytes, count: all.count(), latency_s: all.latency_s(), p50_s: Rounds::of(p50_s) }
}

fn bandwidth(direction: Direction, window_bytes: Option<u64>, streams: u64, samples: &[Sample]) -> Bandwidth {
    let mut rates = Vec::new();
    let (mut send_least, mut receive_least) = (u64::MAX, u64::MAX);
    for sample in samples {
        if let Sample::Bandwidth { bytes_per_s, send_buffer_bytes, receive_buffer_bytes } = *sample {
            rates.push(bytes_per_s);
            send_least = send_least.min(send_buffer_bytes);
            receive_least = receive_least.min(receive_buffer_bytes);
        }
    }
    Bandwidth {
        direction,
        window_bytes,
        streams,
        bytes_per_s: Rounds::of(rates),
        send_buffer_bytes: send_least,
        receive_buffer_bytes: receive_least,
        is_window_granted: window_bytes.is_none_or(|b| b <= send_least.min(receive_least)),
    }
}

/// Linux cuts a window at its limits without an error.
fn not_granted(test: &Test, found: &Bandwidth) -> String {
    let sender = Bytes::new(found.send_buffer_bytes as f64);
    let receiver = Bytes::new(found.receive_buffer_bytes as f64);
    format!(
        "{test}: the sender's kernel gave {sender}, the receiver's {receiver}; on Linux net.core.wmem_max and \
         net.core.rmem_max are the limits"
    )
}
