//! Where the time of commands goes: processor, locks, the network and the client, and what is left.

use super::kinds;
use crate::serverlog::record::{Command, Section};

/// Seconds of commands by what they were spent on; they add up to the lapse.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    /// Commands.
    pub commands: u64,
    /// Of these, commands of which the log counts processor time.
    pub with_usage: u64,
    /// Their lapses.
    pub lapse_s: f64,
    /// Until the end of the compute phase, where the log says so; it lies across the parts below.
    pub compute_s: f64,
    /// Paused under resource pressure.
    pub paused_s: f64,
    /// Waiting for locks.
    pub lock_wait_s: f64,
    /// Blocked in sending: the network, or a client that takes its data slowly.
    pub sending_s: f64,
    /// Waiting for the client.
    pub client_s: f64,
    /// Processor time.
    pub processor_s: f64,
    /// Triggers.
    pub trigger_s: f64,
    /// The rest: storage, and what no line of the log counts. An upper limit of the time of storage.
    pub rest_s: f64,
}

impl Parts {
    /// The parts of one command that has track lines.
    ///
    /// Parts that p4d counts at the same time, such as the waits of several locks, may exceed the lapse; they are then
    /// shortened in proportion, and nothing is left.
    pub fn of(command: &Command) -> Option<Self> {
        let lapse_s = command.lapse_s?;
        if !command.tracked {
            return None;
        }
        let tables = command.tables.iter();
        let waits = tables.map(|table| {
            // A lock file's wait and those of tables follow each other; a peek waits like a lock.
            let peek = if table.section == Section::Table { table.peek_wait_ms } else { 0 };
            table.total.waited_ms().saturating_add(peek)
        });
        let lock_wait_s = waits.fold(0, u64::saturating_add) as f64 / 1e3;
        let rpc = command.rpc.unwrap_or_default();
        let processor_s = command.usage.map_or(0.0, |u| (u.user_ms + u.system_ms) as f64 / 1e3);
        let triggers = command.triggers.iter().filter_map(|t| t.lapse_s);
        // The sum of no floating-point numbers would be −0.
        let trigger_s = triggers.fold(0.0, |sum, lapse_s| sum + lapse_s);
        let mut parts = Self {
            commands: 1,
            with_usage: u64::from(command.usage.is_some()),
            lapse_s,
            compute_s: command.compute_s.unwrap_or(0.0),
            paused_s: command.paused_s.unwrap_or(0.0),
            lock_wait_s,
            sending_s: rpc.send_s.max(0.0),
            client_s: rpc.receive_s.max(0.0),
            processor_s,
            trigger_s,
            rest_s: 0.0,
        };
        let known = parts.known();
        if known > lapse_s {
            let scale = if known > 0.0 { lapse_s / known } else { 0.0 };
            for part in [
                &mut parts.paused_s,
                &mut parts.lock_wait_s,
                &mut parts.sending_s,
                &mut parts.client_s,
                &mut parts.processor_s,
                &mut parts.trigger_s,
            ] {
                *part *= scale;
            }
        } else {
            parts.rest_s = lapse_s - known;
        }
        Some(parts)
    }

    fn known(&self) -> f64 {
        self.paused_s + self.lock_wait_s + self.sending_s + self.client_s + self.processor_s + self.trigger_s
    }

    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.commands += other.commands;
        self.with_usage += other.with_usage;
        self.lapse_s += other.lapse_s;
        self.compute_s += other.compute_s;
        self.paused_s += other.paused_s;
        self.lock_wait_s += other.lock_wait_s;
        self.sending_s += other.sending_s;
        self.client_s += other.client_s;
        self.processor_s += other.processor_s;
        self.trigger_s += other.trigger_s;
        self.rest_s += other.rest_s;
    }

    /// The parts with their names, in the order of a command; they add up to the lapse.
    pub fn named(&self) -> [(&'static str, &'static str, f64); 7] {
        [
            ("paused", "paused by the server", self.paused_s),
            ("lock_wait", "waiting for locks", self.lock_wait_s),
            ("processor", "processor", self.processor_s),
            ("sending", "sending (network, or a slow client)", self.sending_s),
            ("client", "waiting for the client", self.client_s),
            ("trigger", "triggers", self.trigger_s),
            (
                "rest",
                if self.with_usage > 0 {
                    "storage and what the log does not count (estimate: the rest)"
                } else {
                    "processor, storage and what else the log does not count (the rest)"
                },
                self.rest_s,
            ),
        ]
    }
}

/// Sums by kind of work.
#[derive(Debug, Clone)]
pub(super) struct ByKind {
    kinds: Vec<Parts>,
}

impl Default for ByKind {
    fn default() -> Self {
        Self { kinds: vec![Parts::default(); kinds::count()] }
    }
}

impl ByKind {
    pub(super) fn add(&mut self, kind: usize, command: &Command) {
        if let (Some(parts), Some(sum)) = (Parts::of(command), self.kinds.get_mut(kind)) {
            sum.add(&parts);
        }
    }

    /// All kinds together but what runs in the background, and each by name.
    pub(super) fn found(&self) -> (Parts, Vec<(&'static str, &'static str, Parts)>) {
        let background = kinds::with_id("replication");
        let mut all = Parts::default();
        let mut each = Vec::new();
        for (kind, parts) in self.kinds.iter().enumerate() {
            if parts.commands == 0 {
                continue;
            }
            if kind != background {
                all.add(parts);
            }
            let (id, title) = kinds::names(kind);
            each.push((id, title, *parts));
        }
        (all, each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serverlog::record::{LockTimes, Rpc, TableUse, Usage};

    fn command(wait_ms: u64) -> Command {
        Command {
            lapse_s: Some(10.0),
            tracked: true,
            usage: Some(Usage { user_ms: 900, system_ms: 100, ..Usage::default() }),
            rpc: Some(Rpc { send_s: 2.0, receive_s: 0.5, ..Rpc::default() }),
            tables: vec![TableUse {
                total: LockTimes { write_wait_ms: wait_ms, ..LockTimes::default() },
                ..TableUse::default()
            }],
            ..Command::default()
        }
    }

    #[test]
    fn parts_add_up_to_the_lapse_even_where_waits_exceed_it() {
        for wait_ms in [0, 3000, 60_000] {
            let parts = Parts::of(&command(wait_ms)).unwrap_or_default();
            let sum: f64 = parts.named().iter().map(|(.., s)| s).sum();
            assert!((sum - 10.0).abs() < 1e-9, "{parts:?}");
        }
        let parts = Parts::of(&command(3000)).unwrap_or_default();
        assert!((parts.rest_s - 3.5).abs() < 1e-9, "{parts:?}");
        let untracked = Command { tracked: false, ..command(0) };
        assert!(Parts::of(&untracked).is_none());
    }
}
