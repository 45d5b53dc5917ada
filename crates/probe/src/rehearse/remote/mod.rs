//! Clients on another host: what the rehearsing host and the clients' host say to each other, and limits on all of it.
//!
//! The clients' host runs `plimsoll bench --listen`. The rehearsing host greets it as the network test does, and goes on:
//!
//! ```text
//! rehearsing host                          clients' host
//! clients 1/0.1.0                     ─►
//!                                     ◄─   clients 512             (bytes of a description of its host, which follow)
//! (tests of the network)              ◄►
//! rehearsal 1/0.1.0                   ─►
//!                                     ◄─   waiting
//! start 40123 8d3c… 2048              ─►   (port of the server, token, bytes of the load, which follow)
//!                                     ◄─   TOKEN, seed             (on a connection to that port for each client)
//!                                     ◄─   ready 50
//! begin                               ─►
//! alive                               ◄►   (each second, both)
//!                                     ◄─   done 300 51000 12 0     (bytes, commands, due, never sent; then those bytes and the samples)
//! bye                                 ─►
//!                                     ◄─   bye
//! ```
//!
//! The clients' host connects to no other address than the one that it was reached from. No moment of one host is compared with one of
//! the other: times are differences on one of them.

mod host;
mod player;
mod samples;

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::clients::SENDERS_MAX;
use super::load::CONNECTIONS_MAX;
use super::plan::{Plan, Population, Sent};
use crate::bench::BenchError;
use crate::bench::ground::now;
use crate::bench::network::{Lines, NetworkError, foreign};
use crate::workload::Arrival;

pub(super) use host::Away;
pub use player::play_clients;

/// What both hosts must speak: the version of these words, and of the program, since its clients are a part of the measurement.
const VERSION: &str = concat!("1/", env!("CARGO_PKG_VERSION"));
/// How often either side says that it is still there, and how long it may say nothing.
const ALIVE_EVERY: Duration = Duration::from_secs(1);
const SILENCE_MAX: Duration = Duration::from_secs(20);
/// How long the other side may take to say why connections broke.
const BROKEN_MAX: Duration = Duration::from_secs(5);
/// How long the clients' host waits for a rehearsal whose probes and data are being made.
const PREPARATION_MAX: Duration = Duration::from_mins(30);
/// How long all connections may take to be opened.
const OPENING_MAX: Duration = Duration::from_mins(2);
/// Bytes of a load or a description in words.
const WORDS_BYTES_MAX: u64 = 1 << 20;
/// Longest time that clients of another host are driven for.
const TIME_MAX: f64 = 3600.0;

/// Each side says now and then that it is alive, and gives up the other one where it hears nothing.
struct Heartbeat {
    heard: Instant,
    said: Instant,
}

impl Heartbeat {
    fn now() -> Self {
        Self {
            heard: now(),
            said: now(),
        }
    }

    /// The next line but `alive`, if one comes within a moment.
    fn poll(
        &mut self,
        lines: &mut Lines,
        doing: &'static str,
        stop: &AtomicBool,
    ) -> Result<Option<String>, NetworkError> {
        // Read first: a side that has gone may have said why.
        match lines.poll(doing)? {
            Some(line) if line == "alive" => self.heard = now(),
            Some(line) => return Ok(Some(line)),
            None => {}
        }
        if self.heard.elapsed() > SILENCE_MAX {
            let patience = SILENCE_MAX;
            return Err(NetworkError::Silent { doing, patience });
        }
        if self.said.elapsed() > ALIVE_EVERY {
            lines.write(doing, "alive", stop)?;
            self.said = now();
        }
        Ok(None)
    }
}

/// Whether an error is what a connection gives whose other end has gone.
fn is_hung_up(error: &io::Error) -> bool {
    use std::io::ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof,
    };
    matches!(
        error.kind(),
        BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof
    )
}

/// The load as it goes to the clients' host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    seed: u64,
    warm_up_s: f64,
    time_s: f64,
    client_rate_bytes_per_s: f64,
    round_trip_s: f64,
    populations: Vec<Group>,
}

/// Clients that do the same: either so many that think, or a stream of commands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    clients: u64,
    think_time_s: f64,
    rate_per_s: f64,
    threads: u64,
    sent: Vec<Sent>,
}

/// What the clients' host says at the end beside the samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Account {
    /// Share of its processors that was busy while it counted; none where its kernel does not say.
    busy_fraction: Option<f64>,
}

impl Group {
    fn of(population: &Population) -> Self {
        let (clients, think_time_s, rate_per_s) = match population.arrival {
            Arrival::Closed {
                population,
                think_time,
            } => (population as u64, think_time, 0.0),
            Arrival::Open { rate } => (0, 0.0, rate),
        };
        Self {
            clients,
            think_time_s,
            rate_per_s,
            threads: population.threads as u64,
            sent: population.sent.clone(),
        }
    }

    fn population(&self) -> Population {
        let arrival = if self.clients > 0 {
            Arrival::Closed {
                population: self.clients as f64,
                think_time: self.think_time_s,
            }
        } else {
            Arrival::Open {
                rate: self.rate_per_s,
            }
        };
        Population {
            arrival,
            threads: self.threads as usize,
            sent: self.sent.clone(),
        }
    }

    /// Most connections that it opens.
    fn connections(&self) -> u64 {
        if self.clients > 0 {
            self.clients.saturating_mul(self.threads)
        } else if self.rate_per_s > 0.0 {
            SENDERS_MAX as u64
        } else {
            0
        }
    }
}

impl Load {
    fn of(plan: &Plan) -> Self {
        let settings = &plan.settings;
        Self {
            seed: settings.seed,
            warm_up_s: settings.warm_up.as_secs_f64(),
            time_s: (settings.warm_up + settings.measure).as_secs_f64(),
            client_rate_bytes_per_s: plan.load.client_rate.min(1e15),
            round_trip_s: settings.round_trip,
            populations: plan.populations.iter().map(Group::of).collect(),
        }
    }

    /// Whether a host may be asked to play it: a sentence where not.
    fn check(&self) -> Result<(), String> {
        /// More groups and commands than any site has.
        const MANY: usize = 1000;
        let within = |name: &str, value: f64, range: std::ops::RangeInclusive<f64>| {
            if range.contains(&value) {
                return Ok(());
            }
            let (least, most) = (range.start(), range.end());
            Err(format!(
                "{name} must be from {least} to {most}, not {value}"
            ))
        };
        within("seconds of a rehearsal", self.time_s, 0.1..=TIME_MAX)?;
        within("seconds of warm-up", self.warm_up_s, 0.0..=self.time_s)?;
        within(
            "bytes a second of a client",
            self.client_rate_bytes_per_s,
            1.0..=1e15,
        )?;
        within("seconds of a round trip", self.round_trip_s, 0.0..=60.0)?;
        within(
            "groups of clients",
            self.populations.len() as f64,
            1.0..=MANY as f64,
        )?;
        for group in &self.populations {
            within("seconds of thinking", group.think_time_s, 0.0..=1e9)?;
            within("commands a second", group.rate_per_s, 0.0..=1e6)?;
            within(
                "threads of a client",
                group.threads as f64,
                1.0..=CONNECTIONS_MAX,
            )?;
            within(
                "commands of a group",
                group.sent.len() as f64,
                1.0..=MANY as f64,
            )?;
            for command in &group.sent {
                within("a command's share", command.share, 0.0..=1.0 + 1e-9)?;
                within(
                    "phases of a command's size",
                    f64::from(command.phases),
                    1.0..=1e3,
                )?;
            }
        }
        // A site has one stream.
        let most = CONNECTIONS_MAX + SENDERS_MAX as f64;
        within("connections", self.connections() as f64, 0.0..=most)
    }

    fn populations(&self) -> Vec<Population> {
        self.populations.iter().map(Group::population).collect()
    }

    /// Most connections that the server's end takes.
    fn connections(&self) -> u64 {
        let each = self.populations.iter().map(Group::connections);
        each.fold(0, u64::saturating_add)
    }
}

/// Whether the clients' host would play a plan: a sentence where not.
pub(super) fn check(plan: &Plan) -> Result<(), String> {
    let checked = Load::of(plan).check();
    checked.map_err(|why| format!("clients on another host cannot play this: {why}"))
}

/// What the other side wrote as JSON.
fn understood<T: DeserializeOwned>(bytes: &[u8], doing: &'static str) -> Result<T, NetworkError> {
    serde_json::from_slice(bytes)
        .map_err(|_not_ours| foreign(&String::from_utf8_lossy(bytes), doing))
}

/// A network error in the words of the person at the rehearsing host.
fn failed(peer: &str, error: &NetworkError) -> BenchError {
    match error {
        NetworkError::Interrupted => BenchError::Interrupted,
        NetworkError::Refused(why) => {
            BenchError::Failed(format!("the clients' host {peer} says: {why}"))
        }
        NetworkError::Connect { .. } => BenchError::Failed(error.to_string()),
        other => BenchError::Failed(format!("clients on {peer}: {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load() -> Load {
        Load {
            seed: 1,
            warm_up_s: 0.5,
            time_s: 2.0,
            client_rate_bytes_per_s: 1e8,
            round_trip_s: 0.0,
            populations: vec![
                Group {
                    clients: 3,
                    think_time_s: 0.1,
                    rate_per_s: 0.0,
                    threads: 2,
                    sent: vec![Sent {
                        share: 1.0,
                        script: 0,
                        kind: 0,
                        phases: 1,
                    }],
                },
                Group {
                    clients: 0,
                    think_time_s: 0.0,
                    rate_per_s: 2.5,
                    threads: 1,
                    sent: vec![Sent {
                        share: 1.0,
                        script: 1,
                        kind: 1,
                        phases: 4,
                    }],
                },
            ],
        }
    }

    #[test]
    fn a_load_comes_over_whole() {
        let load = load();
        let text = serde_json::to_string(&load).expect("JSON");
        let back: Load = serde_json::from_str(&text).expect("the same");
        assert_eq!(back, load);
        load.check().expect("allowed");
        assert_eq!(load.connections(), 6 + SENDERS_MAX as u64);
        let groups: Vec<Group> = load.populations().iter().map(Group::of).collect();
        assert_eq!(groups, load.populations);
    }

    #[test]
    fn what_no_rehearsal_asks_for_is_refused() {
        type Change = fn(&mut Load);
        let changes: [(Change, &str); 9] = [
            (|l| l.time_s = 1e9, "seconds of a rehearsal"),
            (|l| l.time_s = f64::NAN, "seconds of a rehearsal"),
            (|l| l.client_rate_bytes_per_s = 0.0, "bytes a second"),
            (|l| l.round_trip_s = -1.0, "round trip"),
            (|l| l.populations.clear(), "groups"),
            (|l| l.populations[0].clients = u64::MAX, "connections"),
            (
                |l| l.populations = vec![l.populations[1].clone(); 7],
                "connections",
            ),
            (|l| l.populations[0].sent.clear(), "commands of a group"),
            (|l| l.populations[1].sent[0].phases = u32::MAX, "phases"),
        ];
        for (change, said) in changes {
            let mut load = load();
            change(&mut load);
            let why = load.check().expect_err(said);
            assert!(why.contains(said), "{why}");
        }
    }
}
