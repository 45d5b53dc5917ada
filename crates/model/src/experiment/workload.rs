//! What a run is asked to do: groups of clients with their commands, and how much data there is.

use super::amount::{Amount, Known, unknown};
use crate::catalog::Catalog;
use crate::document::Reader;
use crate::units::{Bytes, BytesPerSecond, PerSecond, Seconds};
use crate::workload::{self, Arrival, Beside, Distance, Load, Remote};

/// A workload that several runs share.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// Its id.
    pub id: String,
    /// A noun phrase.
    pub title: String,
    /// What the source says of it, and what was assumed.
    pub why: String,
    /// Its groups.
    pub groups: Vec<Group>,
    /// Bytes of metadata.
    pub db: Amount,
    /// Bytes of them that commands come back to.
    pub db_hot: Amount,
    /// Bytes of archives.
    pub depot: Amount,
    /// Client connections.
    pub connections: Amount,
    /// What one client takes \[B/s\]; none where it writes nothing.
    pub client_rate: Option<Amount>,
    /// Whether page caches were dropped.
    pub cold: bool,
}

/// Clients who do the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Clients, or cycles a second.
    pub arrival: Coming,
    /// What a cycle consists of.
    pub calls: Vec<Call>,
    /// Commands of one client that run at once.
    pub threads: Amount,
    /// Whether clients keep their connection.
    pub connected: bool,
    /// Round trip \[s\] and bandwidth \[B/s\] of a distant office.
    pub distant: Option<(Amount, Amount)>,
}

/// How cycles come.
#[derive(Debug, Clone, PartialEq)]
pub enum Coming {
    /// Clients who think between cycles.
    Closed {
        /// How many.
        population: Amount,
        /// Between a cycle's end and the next one's beginning \[s\].
        think_time: Amount,
    },
    /// A stream of cycles a second.
    Open(Amount),
}

/// A command within a cycle.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Id in `models/commands`.
    pub command: String,
    /// Times a cycle.
    pub weight: Amount,
    /// Files that it touches.
    pub files: Amount,
    /// Bytes of content.
    pub bytes: Amount,
}

const ONE: Amount = Amount::Stated(1.0);
const NONE: Amount = Amount::Stated(0.0);

impl Workload {
    pub(super) fn read(r: &Reader<'_>, catalog: &Catalog, known: &Known<'_>) -> Option<Self> {
        r.require(&["id", "title", "why", "db", "group"]);
        let groups = r.tables("group");
        let (id, title, why) = (r.text("id"), r.text("title"), r.text("why"));
        let db = known.quantity::<Bytes>(r, "db");
        let workload = Self {
            groups: groups.iter().filter_map(|group| Group::read(group, catalog, known)).collect(),
            db_hot: known.quantity::<Bytes>(r, "db_hot").or_else(|| db.clone())?,
            db: db?,
            depot: known.quantity::<Bytes>(r, "depot").unwrap_or(NONE),
            connections: known.number(r, "connections").unwrap_or(NONE),
            client_rate: known.quantity::<BytesPerSecond>(r, "client_rate"),
            cold: r.boolean("cold").is_some_and(|cold| cold.value),
            id: id?.value,
            title: title?.value,
            why: why?.value,
        };
        r.finish();
        (workload.groups.len() == groups.len()).then_some(workload)
    }

    /// The load, where `parameter` gives the value of a parameter.
    pub(super) fn load(&self, parameter: &impl Fn(&str) -> f64) -> Load {
        let value = |amount: &Amount| amount.value(parameter);
        let groups: Vec<_> = self.groups.iter().map(|g| g.load(parameter)).collect();
        Load {
            groups,
            client_rate: self.client_rate.as_ref().map_or(f64::INFINITY, value),
            db_bytes: value(&self.db),
            db_hot_bytes: value(&self.db_hot),
            instances: 1.0,
            revisions_a_file: 1.0,
            dump: workload::Dump::default(),
            depot_bytes: value(&self.depot),
            connections: value(&self.connections),
            beside: Beside::default(),
            large_syncs_at_once: None,
            cold: self.cold,
            distance: Distance::default(),
        }
    }

    /// Every amount in it.
    pub(super) fn amounts(&self) -> impl Iterator<Item = &Amount> {
        let own = [&self.db, &self.db_hot, &self.depot, &self.connections];
        let groups = self.groups.iter().flat_map(Group::amounts);
        own.into_iter().chain(&self.client_rate).chain(groups)
    }
}

impl Group {
    fn read(r: &Reader<'_>, catalog: &Catalog, known: &Known<'_>) -> Option<Self> {
        r.require(&["name", "call"]);
        let name = r.text("name");
        let rows = r.tables("call");
        let calls: Vec<Call> = rows.iter().filter_map(|call| Call::read(call, catalog, known)).collect();
        let population = known.number(r, "population");
        let think_time = known.quantity::<Seconds>(r, "think_time");
        let rate = known.quantity::<PerSecond>(r, "rate");
        let arrival = match (population, rate) {
            (Some(population), None) => Some(Coming::Closed { population, think_time: think_time.unwrap_or(NONE) }),
            (None, Some(rate)) if think_time.is_none() => Some(Coming::Open(rate)),
            _ => {
                let message = "a group needs `population` (with `think_time`), or `rate`";
                r.report("EXP002", message, r.place(), "in this group");
                None
            }
        };
        let distant =
            match (known.quantity::<Seconds>(r, "round_trip"), known.quantity::<BytesPerSecond>(r, "bandwidth")) {
                (Some(trip), Some(bandwidth)) => Some((trip, bandwidth)),
                (None, None) => None,
                _ => {
                    let message = "a distant group needs `round_trip` and `bandwidth`";
                    r.report("EXP002", message, r.place(), "only one of them");
                    return None;
                }
            };
        let threads = known.number(r, "threads").unwrap_or(ONE);
        let connected = r.boolean("connected").is_some_and(|c| c.value);
        r.finish();
        (calls.len() == rows.len()).then_some(())?;
        Some(Self { name: name?.value, arrival: arrival?, calls, threads, connected, distant })
    }

    fn load(&self, parameter: &impl Fn(&str) -> f64) -> workload::Group {
        let value = |amount: &Amount| amount.value(parameter);
        workload::Group {
            clients: workload::Clients::Benchmark(self.name.clone()),
            arrival: match &self.arrival {
                Coming::Closed { population, think_time } => {
                    Arrival::Closed { population: value(population), think_time: value(think_time) }
                }
                Coming::Open(rate) => Arrival::Open { rate: value(rate) },
            },
            calls: self
                .calls
                .iter()
                .map(|call| workload::Call {
                    command: call.command.clone(),
                    weight: value(&call.weight),
                    files: value(&call.files),
                    bytes: value(&call.bytes),
                })
                .collect(),
            remote: self
                .distant
                .as_ref()
                .map(|(trip, bandwidth)| Remote { round_trip: value(trip), bandwidth: value(bandwidth) }),
            threads: value(&self.threads),
            connected: self.connected,
            of_builds: 0.0,
        }
    }

    fn amounts(&self) -> impl Iterator<Item = &Amount> {
        let arrival = match &self.arrival {
            Coming::Closed { population, think_time } => vec![population, think_time],
            Coming::Open(rate) => vec![rate],
        };
        let distant = self.distant.iter().flat_map(|(a, b)| [a, b]);
        let calls = self.calls.iter();
        arrival
            .into_iter()
            .chain([&self.threads])
            .chain(distant)
            .chain(calls.flat_map(|c| [&c.weight, &c.files, &c.bytes]))
    }
}

impl Call {
    fn read(r: &Reader<'_>, catalog: &Catalog, known: &Known<'_>) -> Option<Self> {
        r.require(&["command"]);
        let command = r.text("command");
        let call = Self {
            weight: known.number(r, "weight").unwrap_or(ONE),
            files: known.number(r, "files").unwrap_or(NONE),
            bytes: known.quantity::<Bytes>(r, "bytes").unwrap_or(NONE),
            command: command.as_ref()?.value.clone(),
        };
        r.finish();
        if catalog.commands.contains_key(&call.command) {
            return Some(call);
        }
        let ids = catalog.commands.keys().map(String::as_str);
        unknown(r, "command", (&call.command, &command?.place), ids);
        None
    }
}
