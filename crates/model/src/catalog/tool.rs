//! Tools that ask the server again and again: which command, how often, from how many clients.

use super::entry::Entry;
use super::record::word;
use crate::origin::Sourced;
use crate::units::Seconds;

/// The commands of `models/commands` that polls are made of.
pub const POLLS: [&str; 2] = ["poll-ide", "poll-ci"];

record! {
    /// A tool that polls.
    struct Tool: Entry {
        /// The command of the catalogue that stands for its polls: one of [`POLLS`].
        sends: &'static str = word(&POLLS),
        /// Whether a poll may read the history of a whole tree.
        scans: bool,
        /// Time between two polls of a client.
        every: Sourced<Seconds>,
        /// How long a day it polls.
        active: Sourced<Seconds>,
        /// Clients for each person at work.
        clients_per_person: Sourced<f64>,
        /// Clients whatever the people.
        clients: Sourced<f64>,
        /// Commands of a poll.
        commands: Sourced<f64>,
        /// What to set: a clause.
        remedy: Sourced<String>,
    }
}

impl Tool {
    /// Commands that its polls are a day, where so many people are at work.
    pub fn commands_a_day(&self, people: f64) -> f64 {
        let clients = self.clients_per_person.value * people + self.clients.value;
        let polls = self.active.value.get() / self.every.value.get().max(f64::MIN_POSITIVE);
        clients * polls * self.commands.value
    }
}
