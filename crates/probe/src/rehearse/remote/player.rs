//! The clients' host: plays the clients of a rehearsal for the host that asks, and gives what they saw.
//!
//! Must not believe what it is asked: every number has limits, every wait an end, and connections go to the asking host alone.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::super::clients::{Clients, Played};
use super::super::connection::{Pace, set_up};
use super::super::course::Course;
use super::super::meter::{Interfaces, MACHINE, Meter, Reading};
use super::samples;
use super::{
    Account, BROKEN_MAX, Heartbeat, Load, OPENING_MAX, PREPARATION_MAX, SILENCE_MAX, VERSION,
    WORDS_BYTES_MAX, is_hung_up, understood,
};
use crate::bench::environment::{Host, Roots};
use crate::bench::ground::now;
use crate::bench::network::{Lines, NetworkError, Visit, after, connect_to, foreign};
use crate::units::Seconds;

/// Connections that are opened at once.
const AT_ONCE: usize = 16;

/// Handles the requests of a rehearsing host; none where the line is none of these.
pub fn play_clients(
    line: &str,
    visit: &mut Visit<'_>,
    stop: &AtomicBool,
) -> Option<Result<(), NetworkError>> {
    if let Some(version) = line.strip_prefix("clients ") {
        return Some(greet(version, visit, stop));
    }
    if line == "alive" {
        // It was sent before the other side had read that all is done.
        return Some(Ok(()));
    }
    let version = line.strip_prefix("rehearsal ")?;
    let played = is_ours(version, visit, stop).and_then(|()| play(visit, stop));
    if let Err(error) = &played {
        // For the person at the rehearsing host.
        let why = match error {
            NetworkError::Interrupted => "it was stopped there".to_owned(),
            other => other.to_string(),
        };
        visit.lines.refuse(&why, &AtomicBool::new(false));
    }
    Some(played)
}

fn is_ours(version: &str, visit: &mut Visit<'_>, stop: &AtomicBool) -> Result<(), NetworkError> {
    if version == VERSION {
        return Ok(());
    }
    let why = format!("version {VERSION} here, {version} there: both hosts need the same plimsoll");
    visit.lines.refuse(&why, stop);
    Err(foreign(
        version,
        "being asked for the clients of a rehearsal",
    ))
}

fn greet(version: &str, visit: &mut Visit<'_>, stop: &AtomicBool) -> Result<(), NetworkError> {
    is_ours(version, visit, stop)?;
    let doing = "describing this host";
    let host = serde_json::to_vec(&Host::of(&Roots::default()))
        .map_err(|error| NetworkError::io(doing)(error.into()))?;
    let lines = &mut *visit.lines;
    lines.write(doing, &format!("clients {}", host.len()), stop)?;
    lines.write_bytes(doing, &host, stop)
}

/// What is to be played, and where the server is.
struct Asked {
    load: Load,
    server: SocketAddr,
    token: String,
}

fn play(visit: &mut Visit<'_>, stop: &AtomicBool) -> Result<(), NetworkError> {
    visit
        .lines
        .write("waiting for a rehearsal", "waiting", stop)?;
    let asked = asked(visit, stop)?;
    let (peer, time) = (visit.peer.ip(), Seconds::new(asked.load.time_s));
    let populations = asked.load.populations();
    let course = Arc::new(Course::default());
    let ready: Mutex<BTreeMap<u64, TcpStream>> = Mutex::default();
    let local = visit.local;
    let open = |seed: u64| open(&asked, local, seed);
    let connect = |seed: u64| {
        let known = ready
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&seed);
        known.map_or_else(
            || open(seed).map_err(|e| io::Error::other(e.to_string())),
            Ok,
        )
    };
    let clients = Clients {
        populations: &populations,
        seed: asked.load.seed,
        pace: Pace {
            rate: asked.load.client_rate_bytes_per_s,
            round_trip: asked.load.round_trip_s,
        },
        course: &course,
        is_beside: false,
        connect: &connect,
    };
    let seeds = clients.all_seeds();
    open_all(&seeds, &open, &ready, stop)?;
    let count = seeds.len();
    (visit.report)(&format!(
        "{peer}: clients of a rehearsal for {time}, {count} connections"
    ));
    let lines = &mut *visit.lines;
    lines.write("opening the connections", &format!("ready {count}"), stop)?;
    let doing = "waiting for the begin";
    let line = lines.read(doing, SILENCE_MAX, stop)?;
    if line != "begin" {
        return Err(foreign(&line, doing));
    }
    let mut watched = Err(NetworkError::Interrupted);
    let ran = clients.run(|begun| {
        watched = watch(lines, (&asked.load, &course), begun, stop);
        Ok(())
    });
    let busy_fraction = watched?;
    let ((), played) = ran.map_err(NetworkError::io("playing the clients"))?;
    account(lines, &played, &Account { busy_fraction }, stop)?;
    (visit.report)(&format!(
        "{peer}: {} commands were done",
        played.samples.len()
    ));
    Ok(())
}

/// Reads what is asked for.
fn asked(visit: &mut Visit<'_>, stop: &AtomicBool) -> Result<Asked, NetworkError> {
    let doing = "waiting for a rehearsal";
    let line = visit.lines.read(doing, PREPARATION_MAX, stop)?;
    let words: Vec<&str> = after(&line, "start", doing)?.split(' ').collect();
    let [port, token, bytes] = words[..] else {
        return Err(foreign(&line, doing));
    };
    let is_token = token.len() == 16 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (Ok(port @ 1..), Ok(bytes @ 0..=WORDS_BYTES_MAX), true) =
        (port.parse::<u16>(), bytes.parse::<u64>(), is_token)
    else {
        return Err(foreign(&line, doing));
    };
    let doing = "reading the load";
    let text = visit.lines.read_bytes(doing, bytes as usize, stop)?;
    let load: Load = understood(&text, doing)?;
    load.check().map_err(NetworkError::Plan)?;
    // The asking host and nobody else.
    let mut server = visit.peer;
    server.set_port(port);
    let token = token.to_owned();
    Ok(Asked {
        load,
        server,
        token,
    })
}

/// A connection to the server, which says at once whose it is.
fn open(asked: &Asked, local: SocketAddr, seed: u64) -> Result<TcpStream, NetworkError> {
    let never = AtomicBool::new(false);
    let stream = connect_to(asked.server, Some(local), None, &never);
    let mut stream = stream.map_err(|error| match error {
        NetworkError::Connect { address, reason } => NetworkError::Back { address, reason },
        other => other,
    })?;
    let mut hello = asked.token.clone().into_bytes();
    hello.extend_from_slice(&seed.to_le_bytes());
    set_up(&stream)
        .and_then(|()| stream.write_all(&hello))
        .map_err(NetworkError::io("opening the connections"))?;
    Ok(stream)
}

/// Opens all connections that are there from the begin, several at once.
fn open_all(
    seeds: &[u64],
    open: &(dyn Fn(u64) -> Result<TcpStream, NetworkError> + Sync),
    ready: &Mutex<BTreeMap<u64, TcpStream>>,
    stop: &AtomicBool,
) -> Result<(), NetworkError> {
    let doing = "opening the connections";
    let (begun, failed) = (now(), AtomicBool::new(false));
    let some = |seeds: &[u64]| -> Result<(), NetworkError> {
        for seed in seeds {
            if stop.load(Ordering::Relaxed) {
                return Err(NetworkError::Interrupted);
            }
            if failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            if begun.elapsed() > OPENING_MAX {
                let limit = OPENING_MAX;
                return Err(NetworkError::Late { doing, limit });
            }
            let stream = open(*seed).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
            let mut ready = ready.lock().unwrap_or_else(PoisonError::into_inner);
            ready.insert(*seed, stream);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for seeds in seeds.chunks(seeds.len().div_ceil(AT_ONCE).max(1)) {
            let thread = std::thread::Builder::new().name("rehearsal opening".to_owned());
            let thread = thread.spawn_scoped(scope, || some(seeds));
            threads.push(thread.map_err(NetworkError::io(doing))?);
        }
        let each = threads.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        each.fold(Ok(()), Result::and)
    })
}

/// Waits until the time is up; gives the share of this host's processors that was busy while it counted.
fn watch(
    lines: &mut Lines,
    (load, course): (&Load, &Course),
    begun: Instant,
    stop: &AtomicBool,
) -> Result<Option<f64>, NetworkError> {
    let doing = "playing the clients";
    let mut heartbeat = Heartbeat::now();
    let mut broken: Option<(Instant, io::Error)> = None;
    let meter = Meter::of(&[], Interfaces::Others);
    let mut first: Option<Reading> = None;
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(NetworkError::Interrupted);
        }
        if let Some(error) = course.take_error() {
            broken = Some((now(), error));
        }
        // Connections that broke are what the end on the other side looks like from here: it says why, or hangs up.
        if let Some((_, error)) =
            broken.take_if(|(since, error)| !is_hung_up(error) || since.elapsed() > BROKEN_MAX)
        {
            return Err(NetworkError::io(doing)(error));
        }
        if course.done() > samples::MOST {
            let most = samples::MOST;
            return Err(NetworkError::Plan(format!(
                "more than {most} commands were done"
            )));
        }
        let past = begun.elapsed().as_secs_f64();
        if past >= load.warm_up_s && first.is_none() {
            first = Some(meter.read());
        }
        if past >= load.time_s && broken.is_none() {
            let cores = std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64);
            let busy = first.map(|first| meter.between(&first, &meter.read(), cores));
            let busy = busy.unwrap_or_default().into_iter();
            let mut busy = busy.filter(|busy| busy.name == MACHINE);
            return Ok(busy.next().map(|busy| busy.share));
        }
        if let Some(line) = heartbeat.poll(lines, doing, stop)? {
            return Err(foreign(&line, doing));
        }
    }
}

/// Says what came of it.
fn account(
    lines: &mut Lines,
    played: &Played,
    account: &Account,
    stop: &AtomicBool,
) -> Result<(), NetworkError> {
    let doing = "giving the samples";
    let text = serde_json::to_vec(account).map_err(|e| NetworkError::io(doing)(e.into()))?;
    let (count, due, left) = (played.samples.len(), played.due, played.left);
    let line = format!("done {} {count} {due} {left}", text.len());
    lines.write(doing, &line, stop)?;
    lines.write_bytes(doing, &text, stop)?;
    lines.write_bytes(doing, &samples::written(&played.samples), stop)
}
