//! All clients of a rehearsal: a thread each, until the time is up.

use std::io;
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Instant;

use super::client::{Client, Due, Sample};
use super::connection::{ClientEnd, Pace};
use super::course::Course;
use super::plan::Population;
use super::turns::Turns;
use crate::bench::ground::{Data, now};
use crate::workload::Arrival;

/// Connections of a stream at most: a server that is overloaded is not given threads without end.
const SENDERS_MAX: usize = 400;

/// Makes a client's end of a connection, with a server's thread of this seed at the other.
pub(super) type Connect<'a> = dyn Fn(u64) -> io::Result<TcpStream> + Sync + 'a;

/// Who the clients are, and how they reach the server.
pub(super) struct Clients<'a> {
    pub(super) populations: &'a [Population],
    pub(super) seed: u64,
    pub(super) pace: Pace,
    pub(super) course: &'a Arc<Course>,
    pub(super) connect: &'a Connect<'a>,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Played {
    /// All commands that were done, the warm-up's too, by when they ended.
    pub(super) samples: Vec<Sample>,
    /// Commands of the streams that were made due, and of these how many were never sent.
    pub(super) due: u64,
    pub(super) left: u64,
}

/// What the threads of one run share.
#[derive(Clone, Copy)]
struct Run<'a> {
    clients: &'a Clients<'a>,
    begun: Instant,
    dues: &'a [Due],
    streamed: &'a Mutex<Vec<Sample>>,
}

/// Threads that end by themselves when it is over.
#[derive(Default)]
struct Threads<'scope> {
    clients: Vec<ScopedJoinHandle<'scope, Vec<Sample>>>,
    streams: Vec<ScopedJoinHandle<'scope, u64>>,
}

impl Clients<'_> {
    /// Runs them until `watch`, which gets the moment of the begin, returns.
    pub(super) fn run<T>(&self, watch: impl FnOnce(Instant) -> io::Result<T>) -> io::Result<(T, Played)> {
        let dues: Vec<Due> = self.populations.iter().map(|_| Due::default()).collect();
        let streamed = Mutex::new(Vec::new());
        let run = Run { clients: self, begun: now(), dues: &dues, streamed: &streamed };
        let mut played = Played::default();
        let watched = std::thread::scope(|scope| {
            let mut threads = Threads::default();
            let begun = run.begin(scope, &mut threads);
            let watched = begun.and_then(|()| watch(run.begun));
            // From here on everybody comes to an end, whatever happened.
            self.course.end();
            self.course.hang_up();
            dues.iter().for_each(Due::wake_all);
            for client in threads.clients {
                let samples = client.join();
                played.samples.extend(samples.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            for stream in threads.streams {
                let due = stream.join();
                played.due += due.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            watched
        });
        if let Some(error) = self.course.take_error() {
            return Err(error);
        }
        let watched = watched?;
        played.left = dues.iter().map(|due| due.waiting() as u64).sum();
        let streamed = streamed.into_inner();
        played.samples.extend(streamed.unwrap_or_else(PoisonError::into_inner));
        played.samples.sort_by(|a, b| a.at.total_cmp(&b.at));
        Ok((watched, played))
    }

    /// Seeds of a client: the same whatever the layout.
    fn seed(&self, group: usize, number: usize) -> u64 {
        self.seed << 40 ^ (group as u64) << 24 ^ number as u64
    }

    /// Seeds of the connections of a client that thinks.
    fn seeds(&self, (group, number): (usize, usize)) -> impl Iterator<Item = u64> {
        let seed = self.seed(group, number);
        let threads = self.populations[group].threads as u64;
        (0..threads).map(move |thread| seed ^ (thread + 1) << 52)
    }

    fn end(&self, seed: u64, threads: usize) -> io::Result<ClientEnd> {
        let stream = self.course.opened((self.connect)(seed)?);
        let pace = Pace { rate: self.pace.rate / threads as f64, ..self.pace };
        Ok(ClientEnd::new(stream, pace, self.course))
    }
}

impl<'a> Run<'a> {
    fn client(self, population: &'a Population, seed: u64) -> Client<'a> {
        Client {
            course: self.clients.course,
            population,
            data: Data::new(seed),
            begun: self.begun,
            turns: Turns::default(),
        }
    }

    /// Starts all clients.
    fn begin<'scope>(self, scope: &'scope Scope<'scope, 'a>, threads: &mut Threads<'scope>) -> io::Result<()> {
        for (group, population) in self.clients.populations.iter().enumerate() {
            match population.arrival {
                Arrival::Closed { population: count, think_time } => {
                    for number in 0..count as usize {
                        let seeds = self.clients.seeds((group, number));
                        let ends = seeds.map(|seed| self.clients.end(seed, population.threads));
                        let mut ends = ends.collect::<io::Result<Vec<_>>>()?;
                        let seed = self.clients.seed(group, number);
                        let mut client = self.client(population, seed);
                        let thread =
                            std::thread::Builder::new().name("rehearsal client".to_owned()).stack_size(512 << 10);
                        let work = move || client.closed(think_time, &mut ends);
                        threads.clients.push(thread.spawn_scoped(scope, work)?);
                    }
                }
                Arrival::Open { rate } => {
                    let seed = self.clients.seed(group, 0);
                    let mut client = self.client(population, seed);
                    let thread = std::thread::Builder::new().name("rehearsal stream".to_owned());
                    let work = move || {
                        let mut senders = 0;
                        let mut more = || {
                            if senders < SENDERS_MAX {
                                senders += 1;
                                let seed = seed ^ (senders as u64) << 32;
                                if let Err(error) = self.sender(scope, group, seed) {
                                    self.clients.course.fail(error);
                                }
                            }
                        };
                        client.schedule(rate, &self.dues[group], &mut more)
                    };
                    threads.streams.push(thread.spawn_scoped(scope, work)?);
                }
            }
        }
        Ok(())
    }

    /// One more connection of a stream.
    fn sender<'scope>(self, scope: &'scope Scope<'scope, 'a>, group: usize, seed: u64) -> io::Result<()> {
        let population = &self.clients.populations[group];
        let end = self.clients.end(seed, 1)?;
        let mut client = self.client(population, seed);
        std::thread::Builder::new().name("rehearsal automation".to_owned()).stack_size(512 << 10).spawn_scoped(
            scope,
            move || {
                let samples = client.open(&self.dues[group], end);
                let mut all = self.streamed.lock().unwrap_or_else(PoisonError::into_inner);
                all.extend(samples);
            },
        )?;
        Ok(())
    }
}
