//! Load by command class: who sends what, how often, and how much each command touches.
//!
//! Knows groups of clients ([`Group`]), their commands ([`Call`]) and the mix that a site's answers
//! imply ([`from_site`]). Must not know hardware: what a command costs is `system`'s business; nor the
//! published benchmarks, which are data ([`crate::experiment`]).

mod distance;
mod dump;
pub mod from_site;
pub mod log_answers;
pub mod memory;
pub mod mix;
mod work;

pub use distance::Distance;
pub use dump::Dump;
pub use work::{Clients, Task, Work};

pub use memory::Beside;

/// How a group's commands come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arrival {
    /// So many clients, each thinking between its commands.
    Closed {
        /// Clients.
        population: f64,
        /// Mean time between a response and the next command \[s\].
        think_time: f64,
    },
    /// A stream from outside; the rate is cycles a second.
    Open {
        /// Cycles a second.
        rate: f64,
    },
}

impl Arrival {
    /// So many times as many clients, or cycles a second.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        match self {
            Self::Closed { population, think_time } => Self::Closed { population: population * factor, think_time },
            Self::Open { rate } => Self::Open { rate: rate * factor },
        }
    }
}

/// A kind of client: developers of one office, the build farm, large syncs in flight.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Who they are.
    pub clients: Clients,
    /// How its cycles come.
    pub arrival: Arrival,
    /// What one cycle consists of.
    pub calls: Vec<Call>,
    /// Where it sits, if not beside the server.
    pub remote: Option<Remote>,
    /// Commands of one client that run at once (threads of a parallel sync).
    pub threads: f64,
    /// Whether its clients keep their connection: a command is one round trip then.
    pub connected: bool,
    /// Share of its content that build machines beside the server ask for.
    pub of_builds: f64,
}

impl Group {
    /// Whether its clients are in flight all the time, as in published tests.
    pub(crate) fn never_thinks(&self) -> bool {
        matches!(self.arrival, Arrival::Closed { think_time, .. } if think_time <= 0.0)
    }
}

/// The line to a distant office.
#[derive(Debug, Clone, PartialEq)]
pub struct Remote {
    /// Round trip to the server \[s\].
    pub round_trip: f64,
    /// Bandwidth to the server \[B/s\].
    pub bandwidth: f64,
}

/// A command within a cycle.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The command's id in `models/commands`.
    pub command: String,
    /// Times a cycle.
    pub weight: f64,
    /// Files that it touches.
    pub files: f64,
    /// Bytes of content that it moves.
    pub bytes: f64,
}

impl Call {
    /// A call, once a cycle.
    pub fn once(command: &str, files: f64, bytes: f64) -> Self {
        Self { command: command.to_owned(), weight: 1.0, files, bytes }
    }
}

/// Everything that a deployment is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Its groups.
    pub groups: Vec<Group>,
    /// What one client takes \[B/s\]; infinite where clients write nothing (P17-dataset).
    pub client_rate: f64,
    /// Bytes of metadata that are in use.
    pub db_bytes: f64,
    /// Bytes of it that commands come back to: what Perforce's rule wants in memory.
    pub db_hot_bytes: f64,
    /// Instances of p4d that share the load evenly, each with its own tables and locks.
    pub instances: f64,
    /// Revisions of a file, on average: what reads go over where they do without db.revhx (db.peeking 3).
    pub revisions_a_file: f64,
    /// What a checkpoint finds in the database.
    pub dump: Dump,
    /// Bytes of archives.
    pub depot_bytes: f64,
    /// Client connections at the peak.
    pub connections: f64,
    /// Memory that is in use beside them and the page cache.
    pub beside: Beside,
    /// Large syncs that run at once, where the site states how many.
    pub large_syncs_at_once: Option<f64>,
    /// Whether page caches are cold: benchmarks that unmount first.
    pub cold: bool,
    /// What transfers over a distance are held up by, and what edges in other towns are sent.
    pub distance: Distance,
}

impl Load {
    /// The same load, `factor` times as much of it.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let mut load = self.clone();
        load.connections *= factor;
        load.beside = load.beside.scaled(factor);
        load.large_syncs_at_once = load.large_syncs_at_once.map(|count| count * factor);
        // More people make no more checkpoints.
        let more = |group: &&mut Group| group.clients != Clients::LiveCheckpoints;
        for group in load.groups.iter_mut().filter(more) {
            group.arrival = group.arrival.scaled(factor);
        }
        load
    }

    /// The load some time later: commands and metadata have become `database` times as many, archives
    /// `archives` times as large.
    #[must_use]
    pub fn grown(&self, database: f64, archives: f64) -> Self {
        let mut load = self.scaled(database);
        load.beside = load.beside.grown(database);
        load.db_bytes *= database;
        load.db_hot_bytes *= database;
        load.depot_bytes *= archives;
        load
    }

    /// The same load with whole numbers of clients, at least one a group, who come as often together.
    #[must_use]
    pub fn in_whole_clients(&self) -> Self {
        let mut load = self.clone();
        for group in &mut load.groups {
            if let Arrival::Closed { population, think_time } = &mut group.arrival {
                let whole = population.round().max(1.0);
                *think_time *= whole / *population;
                *population = whole;
            }
        }
        load
    }
}
