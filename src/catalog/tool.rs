//! Tools that ask the server again and again: which command, how often, from how many clients.

use super::bare;
use super::entry::Entry;
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::Seconds;

/// The commands of `models/commands` that polls are made of.
pub const POLLS: [&str; 2] = ["poll-ide", "poll-ci"];

/// A tool that polls.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Id, title, summary.
    pub entry: Entry,
    /// The command of the catalogue that stands for its polls: one of [`POLLS`].
    pub sends: &'static str,
    /// Whether a poll may read the history of a whole tree.
    pub scans: bool,
    /// Time between two polls of a client.
    pub every: Sourced<Seconds>,
    /// How long a day it polls.
    pub active: Sourced<Seconds>,
    /// Clients for each person at work.
    pub clients_per_person: Sourced<f64>,
    /// Clients whatever the people.
    pub clients: Sourced<f64>,
    /// Commands of a poll.
    pub commands: Sourced<f64>,
    /// What to set: a clause.
    pub remedy: Sourced<String>,
}

impl Tool {
    /// Commands that its polls are a day, where so many people are at work.
    pub fn commands_a_day(&self, people: f64) -> f64 {
        let clients = self.clients_per_person.value * people + self.clients.value;
        let polls = self.active.value.get() / self.every.value.get().max(f64::MIN_POSITIVE);
        clients * polls * self.commands.value
    }

    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&[
            "sends",
            "scans",
            "every",
            "active",
            "clients_per_person",
            "clients",
            "commands",
            "remedy",
        ]);
        whole!(
            r,
            Self {
                entry;
                sends: bare(r.word("sends", &POLLS)),
                scans: bare(r.boolean("scans")),
                every: r.sourced("every"),
                active: r.sourced("active"),
                clients_per_person: r.sourced_number("clients_per_person"),
                clients: r.sourced_number("clients"),
                commands: r.sourced_number("commands"),
                remedy: r.statement("remedy"),
            }
        )
    }
}
