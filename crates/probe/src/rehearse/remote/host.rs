//! The rehearsing host, with its clients on another one: asks for them, takes their connections, and gets what they saw.

use std::io::{self, Read as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Scope;
use std::time::Duration;

use super::super::answer::ClientsHost;
use super::super::clients::Played;
use super::super::connection::{set_up, word};
use super::super::course::Course;
use super::super::drive::{Driven, Stage, Watched};
use super::super::meter::Interfaces;
use super::samples;
use super::{
    Account, BROKEN_MAX, Heartbeat, Load, OPENING_MAX, SILENCE_MAX, VERSION, WORDS_BYTES_MAX,
    failed, is_hung_up, understood,
};
use crate::bench::BenchError;
use crate::bench::environment::Host;
use crate::bench::ground::{failure, now};
use crate::bench::network::{
    Lines, NetworkError, NetworkPlan, Session, accept, after, foreign, numbers_of, resolve, token,
};

/// The clients' host, greeted and its network measured.
#[derive(Debug)]
pub(in super::super) struct Away {
    session: Session,
    pub(in super::super) known: ClientsHost,
}

/// Samples that are taken: some commands end after the last count.
const SAMPLES_MAX: u64 = samples::MOST + samples::MOST / 10;
/// How long after its time the clients' host may say that it is done.
const LATE_MAX: Duration = Duration::from_mins(1);
/// How long a new connection may take to say whose it is.
const NAMING_MAX: Duration = Duration::from_secs(1);

/// Round trips, and one or eight connections with all that they can carry: five seconds.
fn network_plan() -> NetworkPlan {
    NetworkPlan {
        window_bytes: vec![None],
        streams: vec![1, 8],
        rounds: 3,
        warm_up: Duration::from_millis(100),
        measured: Duration::from_millis(200),
        ..NetworkPlan::quick()
    }
}

impl Away {
    /// Reaches the clients' host and measures the network to it.
    pub(in super::super) fn open(
        address: &str,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&str, f64),
    ) -> Result<Self, BenchError> {
        let addresses = resolve(address)?;
        let mut session =
            Session::open(&addresses, stop).map_err(|error| failed(address, &error))?;
        let mut done = 0.0;
        let plan = network_plan();
        let tests = plan.tests().len() as f64 * plan.rounds as f64;
        let known = (|| {
            let host = greet(&mut session.lines, stop)?;
            let network = session.measure(&plan, stop, &mut |_| {
                progress("probe: the network", done / tests);
                done += 1.0;
            })?;
            let doing = "asking for the clients of a rehearsal";
            let asked = format!("rehearsal {VERSION}");
            session.lines.write(doing, &asked, stop)?;
            let line = session.lines.read(doing, SILENCE_MAX, stop)?;
            if line != "waiting" {
                after(&line, "waiting", doing)?;
            }
            Ok(ClientsHost {
                address: session.peer.to_string(),
                host,
                busy_fraction: None,
                network,
            })
        })();
        let known = known.map_err(|error| failed(&session.peer.to_string(), &error))?;
        Ok(Self { session, known })
    }

    /// Runs a load with its clients there, and says good-bye.
    pub(in super::super) fn drive(
        &mut self,
        stage: Stage<'_>,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Duration),
    ) -> Result<Driven, BenchError> {
        let peer = self.session.peer.to_string();
        let course = &stage.field.course;
        let port = stage.plan.settings.clients.as_ref().map_or(0, |at| at.port);
        let mut end = self.session.local;
        end.set_port(port);
        let listener = TcpListener::bind(end).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        let listener = listener
            .map_err(|e| failure(&format!("the server's end cannot listen on {end}"), &e))?;
        let load = Load::of(stage.plan);
        let acceptor = Acceptor {
            listener,
            from: self.session.peer,
            token: token(load.seed),
            most: load.connections(),
        };
        let driven = std::thread::scope(|servers| {
            let taking = std::thread::Builder::new()
                .name("rehearsal acceptor".to_owned())
                .spawn_scoped(servers, || {
                    if let Err(error) = acceptor.serve(servers, stage) {
                        course.fail(error);
                    }
                });
            let watched = taking
                .map_err(|error| NetworkError::io("starting a thread")(error))
                .and_then(|_| self.watch(stage, (&load, &acceptor), stop, progress));
            course.end();
            course.hang_up();
            watched
        });
        // A connection that broke is what the end on the other side looks like from here; any other error is this side's own.
        let own = course.take_error().filter(|error| !is_hung_up(error));
        match (driven, own) {
            (Err(NetworkError::Interrupted), _) => Err(BenchError::Interrupted),
            (_, Some(own)) => Err(failure("the rehearsal", &own)),
            (Ok((watched, played)), None) => {
                let readings = watched.readings(stage);
                // At once: the listener is free for others while the prediction is made. That it may not hear it takes nothing from
                // what was measured.
                drop(self.session.close(stop));
                Ok(Driven { played, readings })
            }
            (Err(error), None) => Err(failed(&peer, &error)),
        }
    }

    /// Sends the load, and waits until it has been played.
    fn watch(
        &mut self,
        stage: Stage<'_>,
        (load, acceptor): (&Load, &Acceptor),
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Duration),
    ) -> Result<(Watched, Played), NetworkError> {
        let doing = "asking for the clients of a rehearsal";
        let lines = &mut self.session.lines;
        let io = NetworkError::io(doing);
        let text = serde_json::to_vec(load).map_err(|error| io(error.into()))?;
        let port = acceptor.listener.local_addr().map_err(&io)?.port();
        let line = format!("start {port} {} {}", acceptor.token, text.len());
        lines.write(doing, &line, stop)?;
        lines.write_bytes(doing, &text, stop)?;
        let doing = "waiting for its connections";
        let line = lines.read(doing, OPENING_MAX + SILENCE_MAX, stop)?;
        after(&line, "ready", doing)?;
        lines.write("beginning", "begin", stop)?;
        let begun = now();
        let mut watched = Watched::default();
        let (mut heartbeat, mut broken) = (Heartbeat::now(), None);
        let doing = "rehearsing";
        let all = load.time_s;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(NetworkError::Interrupted);
            }
            let past = begun.elapsed();
            watched.look(stage, past);
            progress(past);
            if let Some(line) = heartbeat.poll(lines, doing, stop)? {
                let played = done(lines, &line, (stage, load), stop)?;
                return Ok((watched, played));
            }
            // The other side says why, unless it is this one that failed.
            if stage.field.course.is_over() && broken.get_or_insert_with(now).elapsed() > BROKEN_MAX
            {
                return Err(NetworkError::Closed { doing });
            }
            let limit = Duration::from_secs_f64(all) + LATE_MAX;
            if past > limit {
                return Err(NetworkError::Late { doing, limit });
            }
        }
    }

    /// Over which interfaces it is reached.
    pub(in super::super) fn interfaces(&self) -> Interfaces {
        if self.session.peer.ip().to_canonical().is_loopback() {
            Interfaces::Loopback
        } else {
            Interfaces::Others
        }
    }
}

/// Asks whether clients can be had there; gives what that host is.
fn greet(lines: &mut Lines, stop: &AtomicBool) -> Result<Host, NetworkError> {
    let doing = "asking for the clients of a rehearsal";
    lines.write(doing, &format!("clients {VERSION}"), stop)?;
    let line = lines.read(doing, SILENCE_MAX, stop)?;
    if line.starts_with("error a request is") {
        // What a listener says that knows the tests of the network alone.
        return Err(NetworkError::Refused(
            "it is an older plimsoll, which plays no clients: both hosts need the same one"
                .to_owned(),
        ));
    }
    let numbers = numbers_of::<1>(after(&line, "clients", doing)?);
    let Some([bytes @ 0..=WORDS_BYTES_MAX]) = numbers else {
        return Err(foreign(&line, doing));
    };
    let text = lines.read_bytes(doing, bytes as usize, stop)?;
    understood(&text, doing)
}

/// Reads what the clients saw.
fn done(
    lines: &mut Lines,
    line: &str,
    (stage, load): (Stage<'_>, &Load),
    stop: &AtomicBool,
) -> Result<Played, NetworkError> {
    let doing = "reading what the clients saw";
    let numbers = numbers_of::<4>(after(line, "done", doing)?);
    let Some(
        [
            bytes @ 0..=WORDS_BYTES_MAX,
            count @ 0..=SAMPLES_MAX,
            due,
            left,
        ],
    ) = numbers
    else {
        return Err(foreign(line, doing));
    };
    // Nobody needs the connections any more.
    stage.field.course.end();
    let text = lines.read_bytes(doing, bytes as usize, stop)?;
    let account: Account = understood(&text, doing)?;
    let bytes = lines.read_bytes(doing, count as usize * samples::BYTES, stop)?;
    let samples = samples::read(&bytes, stage.plan.kinds.len(), load.time_s);
    Ok(Played {
        samples: samples.ok_or_else(|| foreign("commands that cannot be", doing))?,
        due,
        left,
        busy_there: account
            .busy_fraction
            .filter(|busy| (0.0..=1.0).contains(busy)),
    })
}

/// Where the clients' connections come in.
struct Acceptor {
    listener: TcpListener,
    from: SocketAddr,
    token: String,
    most: u64,
}

impl Acceptor {
    /// Serves connections of the clients' host that know the token, until it is over. Others are closed.
    fn serve<'scope>(
        &self,
        servers: &'scope Scope<'scope, '_>,
        stage: Stage<'_>,
    ) -> io::Result<()> {
        /// How often a new one is looked for.
        const EVERY: Duration = Duration::from_millis(2);
        let course: &Arc<Course> = &stage.field.course;
        let mut count = 0;
        while !course.is_over() {
            let Some((stream, from)) = accept(&self.listener)? else {
                std::thread::sleep(EVERY);
                continue;
            };
            let is_theirs = from.ip().to_canonical() == self.from.ip().to_canonical();
            if !is_theirs || count >= self.most {
                continue;
            }
            // One that says nothing, or something else, is closed.
            let Ok(Some(seed)) = self.named(&stream) else {
                continue;
            };
            count += 1;
            stage.serve(servers, course.opened(stream), seed)?;
        }
        Ok(())
    }

    /// The seed of a connection that knows the token.
    fn named(&self, mut stream: &TcpStream) -> io::Result<Option<u64>> {
        set_up(stream)?;
        stream.set_read_timeout(Some(NAMING_MAX))?;
        let mut hello = [0; 24];
        stream.read_exact(&mut hello)?;
        set_up(stream)?;
        let is_named = hello[..16] == *self.token.as_bytes();
        Ok(is_named.then(|| word(&hello[16..])))
    }
}
