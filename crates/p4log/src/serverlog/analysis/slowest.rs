//! The slowest commands.

use super::{ARGUMENTS, Parts};
use crate::serverlog::record::{Command, Moment, Place};

/// A slow command.
#[derive(Debug, Clone, PartialEq)]
pub struct Slow {
    /// Where its first line is.
    pub place: Place,
    /// When it began.
    pub start: Moment,
    /// How long it took \[s\].
    pub lapse_s: f64,
    /// The user.
    pub user: String,
    /// The client workspace.
    pub client: String,
    /// The program.
    pub program: String,
    /// The function.
    pub function: String,
    /// Its arguments, cut.
    pub arguments: String,
    /// Where the time went; none without track lines.
    pub parts: Option<Parts>,
}

/// The slowest so far, the slowest first.
#[derive(Debug, Clone)]
pub(super) struct Slowest {
    most: usize,
    found: Vec<Slow>,
}

impl Slowest {
    pub(super) fn new(most: usize) -> Self {
        let found = Vec::new();
        Self { most, found }
    }

    pub(super) fn add(&mut self, command: &Command) {
        let Some(lapse_s) = command.lapse_s else {
            return;
        };
        let last = self.found.last().map_or(0.0, |slow| slow.lapse_s);
        if self.found.len() >= self.most && lapse_s <= last {
            return;
        }
        let at = self.found.partition_point(|slow| slow.lapse_s >= lapse_s);
        let slow = Slow {
            place: command.place,
            start: command.start,
            lapse_s,
            user: command.user.clone(),
            client: command.client.clone(),
            program: command.program.clone(),
            function: command.function.clone(),
            arguments: command.arguments.chars().take(ARGUMENTS).collect(),
            parts: Parts::of(command),
        };
        self.found.insert(at, slow);
        self.found.truncate(self.most);
    }

    pub(super) fn found(self) -> Vec<Slow> {
        self.found
    }
}
