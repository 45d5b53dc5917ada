//! Drives a load: its clients, and a server's thread for each of their connections, until the time is up.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::clients::{Clients, Played};
use super::connection::{Pace, pair};
use super::field::Field;
use super::meter::{Meter, Reading};
use super::plan::Plan;
use super::processor::Burner;
use super::server::Server;
use crate::bench::ground::stopped;

/// What came of it.
pub(super) struct Driven {
    pub(super) played: Played,
    /// Counters of the system when the measurement began and when it ended.
    pub(super) readings: (Reading, Reading),
}

/// A stop is seen within this time.
const NAP: Duration = Duration::from_millis(50);

/// The server's side of a load.
#[derive(Clone, Copy)]
pub(super) struct Stage<'a> {
    pub(super) plan: &'a Plan,
    pub(super) field: &'a Arc<Field>,
    pub(super) burner: &'a Burner,
    pub(super) meter: &'a Meter,
}

impl Stage<'_> {
    /// How fast and how far away the clients are.
    pub(super) fn pace(self) -> Pace {
        Pace { rate: self.plan.load.client_rate, round_trip: self.plan.settings.round_trip }
    }

    /// A server's thread at the end of a connection.
    pub(super) fn serve<'scope>(
        self,
        scope: &'scope Scope<'scope, '_>,
        stream: Arc<TcpStream>,
        seed: u64,
    ) -> io::Result<()> {
        let server = Server::new(self.field, stream, self.burner, seed);
        std::thread::Builder::new()
            .name("rehearsal server".to_owned())
            .stack_size(512 << 10)
            .spawn_scoped(scope, move || server.serve())?;
        Ok(())
    }
}

/// Runs it with clients on this host; `progress` gets the time since the begin.
pub(super) fn drive(stage: Stage<'_>, stop: &AtomicBool, progress: &mut dyn FnMut(Duration)) -> io::Result<Driven> {
    let (readings, played) = std::thread::scope(|servers| {
        let connect = |seed| {
            let (client, stream) = pair()?;
            stage.serve(servers, Arc::new(stream), seed)?;
            Ok(client)
        };
        let clients = Clients {
            populations: &stage.plan.populations,
            seed: stage.plan.settings.seed,
            pace: stage.pace(),
            course: &stage.field.course,
            connect: &connect,
        };
        clients.run(|begun| watch(stage, begun, stop, progress))
    })?;
    Ok(Driven { played, readings })
}

/// Waits until the time is up.
fn watch(
    stage: Stage<'_>,
    begun: Instant,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(Duration),
) -> io::Result<(Reading, Reading)> {
    let settings = &stage.plan.settings;
    let all = settings.warm_up + settings.measure;
    let mut first = None;
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        if stage.field.course.is_over() {
            return Err(io::Error::other("a thread of the rehearsal ended"));
        }
        let past = begun.elapsed();
        if past >= settings.warm_up && first.is_none() {
            stage.field.locks.forget();
            first = Some(stage.meter.read());
        }
        if past >= all {
            let last = stage.meter.read();
            return Ok((first.unwrap_or_else(|| last.clone()), last));
        }
        progress(past);
        std::thread::sleep(NAP.min(all.saturating_sub(past)));
    }
}
