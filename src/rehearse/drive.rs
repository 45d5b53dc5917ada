//! Drives a load: a thread a client and one for its server, until the time is up.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use super::client::{Client, Due, Sample};
use super::connection::{ClientEnd, pair};
use super::field::Field;
use super::meter::{Meter, Reading};
use super::plan::{Plan, Population};
use super::processor::Burner;
use super::server::Server;
use super::turns::Turns;
use crate::bench::ground::{Data, now, stopped};
use crate::workload::Arrival;

/// What came of it.
pub(super) struct Driven {
    /// All commands that were done, the warm-up's too, by when they ended.
    pub(super) samples: Vec<Sample>,
    /// Warm-up that was asked for, and the end \[s\].
    pub(super) warm_up: f64,
    pub(super) end: f64,
    /// Commands of the stream that were made due, and of these how many were never sent.
    pub(super) due: u64,
    pub(super) left: u64,
    /// Counters of the system when the measurement began and when it ended.
    pub(super) readings: Option<(Reading, Reading)>,
}

/// Connections of a stream at most: a server that is overloaded is not given threads without end.
const SENDERS_MAX: usize = 400;
/// A stop is seen within this time.
const NAP: Duration = Duration::from_millis(50);

/// What all threads are started with.
#[derive(Clone, Copy)]
struct Start<'a> {
    field: &'a Arc<Field>,
    plan: &'a Plan,
    burner: &'a Burner,
    begun: Instant,
}

impl<'a> Start<'a> {
    /// A client's end, with a server's thread at the other.
    fn connect<'scope>(
        self,
        scope: &'scope Scope<'scope, 'a>,
        (seed, threads): (u64, usize),
    ) -> io::Result<ClientEnd> {
        let (client, stream) = pair()?;
        let server = Server::new(self.field, stream, self.burner, seed);
        std::thread::Builder::new()
            .name("rehearsal server".to_owned())
            .stack_size(512 << 10)
            .spawn_scoped(scope, move || server.serve())?;
        let rate = self.plan.load.client_rate / threads as f64;
        Ok(ClientEnd::new(client, rate, self.plan.settings.round_trip))
    }

    fn client(self, population: &'a Population, seed: u64) -> Client<'a> {
        Client {
            field: self.field,
            population,
            data: Data::new(seed),
            begun: self.begun,
            turns: Turns::of_this_thread(),
        }
    }
}

/// Seeds of a client: the same whatever the layout.
fn seed(plan: &Plan, group: usize, number: usize) -> u64 {
    plan.settings.seed << 40 ^ (group as u64) << 24 ^ number as u64
}

/// Runs it.
pub(super) fn drive(
    (plan, field, burner): (&Plan, &Arc<Field>, &Burner),
    meter: &Meter,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(f64),
) -> io::Result<Driven> {
    let start = Start {
        field,
        plan,
        burner,
        begun: now(),
    };
    let dues: Vec<Due> = plan.populations.iter().map(|_| Due::default()).collect();
    let streamed = Mutex::new(Vec::new());
    let (mut samples, mut due, mut readings) = (Vec::new(), 0, None);
    let ran = std::thread::scope(|scope| -> io::Result<()> {
        let mut clients = Vec::new();
        let mut streams = Vec::new();
        let begun = begin(
            scope,
            start,
            (&dues, &streamed),
            (&mut clients, &mut streams),
        );
        let watched = begun.and_then(|()| watch(start, meter, stop, progress));
        // From here on everybody comes to an end, whatever happened.
        field.end();
        for client in clients {
            samples.extend(
                client
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
        for stream in streams {
            due += stream
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        readings = Some(watched?);
        Ok(())
    });
    if let Some(error) = field.error() {
        return Err(error);
    }
    ran?;
    samples.extend(
        streamed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner),
    );
    samples.sort_by(|a: &Sample, b| a.at.total_cmp(&b.at));
    let settings = &plan.settings;
    Ok(Driven {
        samples,
        warm_up: settings.warm_up.as_secs_f64(),
        end: (settings.warm_up + settings.measure).as_secs_f64(),
        due,
        left: dues.iter().map(|due| due.waiting() as u64).sum(),
        readings,
    })
}

type Clients<'scope> = Vec<ScopedJoinHandle<'scope, Vec<Sample>>>;
type Streams<'scope> = Vec<ScopedJoinHandle<'scope, u64>>;

/// Starts all clients.
fn begin<'scope, 'a>(
    scope: &'scope Scope<'scope, 'a>,
    start: Start<'a>,
    (dues, streamed): (&'a [Due], &'a Mutex<Vec<Sample>>),
    (clients, streams): (&mut Clients<'scope>, &mut Streams<'scope>),
) -> io::Result<()> {
    for (group, population) in start.plan.populations.iter().enumerate() {
        match population.arrival {
            Arrival::Closed {
                population: count,
                think_time,
            } => {
                for number in 0..count as usize {
                    let seed = seed(start.plan, group, number);
                    let ends = (0..population.threads).map(|thread| {
                        let own = seed ^ (thread as u64 + 1) << 52;
                        start.connect(scope, (own, population.threads))
                    });
                    let mut ends = ends.collect::<io::Result<Vec<_>>>()?;
                    let mut client = start.client(population, seed);
                    let thread = std::thread::Builder::new()
                        .name("rehearsal client".to_owned())
                        .stack_size(512 << 10);
                    let work = move || client.closed(think_time, &mut ends);
                    clients.push(thread.spawn_scoped(scope, work)?);
                }
            }
            Arrival::Open { rate } => {
                let seed = seed(start.plan, group, 0);
                let mut client = start.client(population, seed);
                let due = &dues[group];
                let thread = std::thread::Builder::new().name("rehearsal stream".to_owned());
                let work = move || {
                    let mut senders = 0;
                    let mut more = || {
                        if senders < SENDERS_MAX {
                            senders += 1;
                            let seed = seed ^ (senders as u64) << 32;
                            if let Err(error) =
                                sender(scope, start, (population, seed), (due, streamed))
                            {
                                start.field.fail(error);
                            }
                        }
                    };
                    client.schedule(rate, due, &mut more)
                };
                streams.push(thread.spawn_scoped(scope, work)?);
            }
        }
    }
    Ok(())
}

/// One more connection of a stream.
fn sender<'scope, 'a>(
    scope: &'scope Scope<'scope, 'a>,
    start: Start<'a>,
    (population, seed): (&'a Population, u64),
    (due, streamed): (&'a Due, &'a Mutex<Vec<Sample>>),
) -> io::Result<()> {
    let end = start.connect(scope, (seed, 1))?;
    let mut client = start.client(population, seed);
    std::thread::Builder::new()
        .name("rehearsal automation".to_owned())
        .stack_size(512 << 10)
        .spawn_scoped(scope, move || {
            let samples = client.open(due, end);
            let mut all = streamed.lock().unwrap_or_else(PoisonError::into_inner);
            all.extend(samples);
        })?;
    Ok(())
}

/// Waits until the time is up, with the counters read at the begin and the end of what counts.
fn watch(
    start: Start<'_>,
    meter: &Meter,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(f64),
) -> io::Result<(Reading, Reading)> {
    let settings = &start.plan.settings;
    let all = settings.warm_up + settings.measure;
    let mut first = None;
    loop {
        let past = start.begun.elapsed();
        if stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        if start.field.is_over() {
            return Err(io::Error::other("a thread of the rehearsal ended"));
        }
        if past >= settings.warm_up && first.is_none() {
            start.field.locks.forget();
            first = Some(meter.read());
        }
        if past >= all {
            let last = meter.read();
            return Ok((first.unwrap_or_else(|| last.clone()), last));
        }
        progress(past.as_secs_f64() / all.as_secs_f64());
        std::thread::sleep(NAP.min(all.saturating_sub(past)));
    }
}
