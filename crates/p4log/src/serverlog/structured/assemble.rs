//! Rows of structured logs to commands: beginning, end, and what was tracked of one command become one record.
//!
//! A command is known by its process, its number on the connection, its identifier and its function: the phases of a
//! submit share the first three. Its rows come within seconds of one another; it is given out when the log's time has gone
//! on for [`WAIT_NS`] after its end. What has no beginning in the log (it was rotated, or only `track.csv` is there) begins
//! its lapse before its end.

use std::collections::{BTreeSet, HashMap};

use super::super::counters::Counted as _;
use super::super::live::{LONGEST_TEXT, MOST_TRIGGERS};
use super::super::record::{Command, Ending, Event, Moment, Place, Sink, What};
use super::super::scan::Calendar;
use super::super::track::MOST_TABLES;
use super::columns::Column;
use super::fields::Fields;

/// So long after its end rows of a command may come \[ns\].
const WAIT_NS: i128 = 10_000_000_000;
/// Commands that are held at a time.
const MOST: usize = 20_000;
/// Longest text kept of an error.
const LONGEST_ERROR: usize = 1 << 10;
/// From this severity on an event is an error, and not a warning.
const ERROR: u64 = 3;

/// What a command is known by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    pid: u64,
    number: u64,
    ident: Vec<u8>,
    function: Vec<u8>,
}

impl Key {
    fn of(fields: Fields<'_>) -> Self {
        const KEPT: usize = 128;
        let short = |column: Column| {
            let field = fields.raw(column);
            field[..field.len().min(KEPT)].to_vec()
        };
        Self {
            pid: fields.count(Column::Pid),
            number: fields.count(Column::Number),
            ident: short(Column::Ident),
            function: short(Column::Function),
        }
    }
}

/// A command of which rows may come.
#[derive(Debug)]
struct OpenCommand {
    command: Command,
    /// Times of its rows by the log's clock, in nanoseconds since 1970: of its beginning, its end, and the last.
    began: Option<i128>,
    ended: Option<i128>,
    last: i128,
    /// Lapse as a track row states it, in seconds.
    timer_s: Option<f64>,
    last_at: Moment,
}

impl OpenCommand {
    /// From when on it waits for nothing.
    fn due(&self) -> i128 {
        // Locks are tracked while a command runs: that it was tracked is no end, where it began in the log.
        let is_ended = self.ended.is_some() || (self.began.is_none() && self.command.tracked);
        if is_ended { self.last + WAIT_NS } else { i128::MAX }
    }

    /// Takes what a row says.
    fn take(&mut self, fields: Fields<'_>, at: Moment) {
        let time = fields.row.time;
        (self.last, self.last_at) = (time, at);
        let command = &mut self.command;
        let are_all_known = fields.columns.are_all_known;
        match fields.row.event.0 {
            0 => {
                self.began = Some(time);
                command.start = at;
            }
            1 => {
                let since = self.began.map(|began| between(began, time));
                command.compute_s = fields.seconds(Column::Lapse).or(since);
            }
            2 => {
                self.ended = Some(time);
                command.lapse_s = fields.seconds(Column::Lapse);
                if self.began.is_none() {
                    command.start = at;
                }
            }
            7 => {
                self.timer_s = fields.seconds(Column::Timer).or(self.timer_s);
                if are_all_known {
                    command.usage = Some(fields.usage());
                    command.tracked = true;
                }
            }
            8 if are_all_known => {
                command.rpc = Some(fields.rpc());
                command.tracked = true;
            }
            9 if are_all_known && command.tables.len() < MOST_TABLES => {
                command.tables.push(fields.table());
                command.tracked = true;
            }
            11 if are_all_known && command.triggers.len() < MOST_TRIGGERS => {
                command.triggers.push(fields.trigger());
            }
            14 if are_all_known => {
                let sum = command.estimate.get_or_insert_default();
                sum.add_counters(&fields.estimate());
            }
            _ => {}
        }
    }

    /// The record, as complete as it will be.
    fn record(mut self, ending: Ending) -> Command {
        let command = &mut self.command;
        command.lapse_s = match (command.lapse_s, self.began, self.ended) {
            (Some(stated), ..) => Some(stated),
            (None, Some(began), Some(ended)) => Some(between(began, ended)),
            _ => self.timer_s,
        };
        command.ending = match (self.ended, self.timer_s) {
            (Some(_), _) => Ending::Completed,
            (None, Some(_)) => Ending::Tracked,
            (None, None) => ending,
        };
        if self.began.is_none() {
            let lapse_s = command.lapse_s.unwrap_or(0.0);
            command.start = command.start.plus_seconds(-lapse_s);
        }
        if self.ended.is_some() || command.ending == Ending::Tracked {
            command.end = Some(match (self.ended, command.lapse_s) {
                (_, Some(lapse_s)) => command.start.plus_seconds(lapse_s),
                _ => self.last_at,
            });
        }
        self.command
    }
}

/// Seconds between two times in nanoseconds; 0 if the clock went back.
fn between(from: i128, to: i128) -> f64 {
    (to - from).max(0) as f64 / 1e9
}

/// Commands that are put together.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    open: HashMap<Key, OpenCommand>,
    /// When each is due; those that wait for their end are not among them.
    due: BTreeSet<(i128, Key)>,
    calendar: Calendar,
}

impl Assembly {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Takes a row.
    pub(super) fn row(&mut self, fields: Fields<'_>, place: Place, sink: &mut dyn Sink) {
        let time = fields.row.time;
        self.give_due(time, sink);
        let at = self.moment(fields.raw(Column::Date), time);
        let (event, _) = fields.row.event;
        if matches!(event, 4 | 5) {
            return self.error(fields, place, at, sink);
        }
        let key = Key::of(fields);
        if event == 0
            && let Some(before) = self.take(&key)
        {
            sink.command(&before.record(Ending::Replaced));
        }
        if self.open.len() >= MOST && !self.open.contains_key(&key) {
            self.give_oldest(sink);
        }
        let open = self.open.entry(key.clone()).or_insert_with(|| OpenCommand {
            command: fields.command(place, at),
            began: None,
            ended: None,
            last: time,
            timer_s: None,
            last_at: at,
        });
        let before = open.due();
        if before != i128::MAX {
            self.due.remove(&(before, key.clone()));
        }
        open.take(fields, at);
        let due = open.due();
        if due != i128::MAX {
            self.due.insert((due, key));
        }
    }

    /// Gives out what is left.
    pub(super) fn finish(mut self, sink: &mut dyn Sink) {
        let mut rest: Vec<(i128, Key)> = self.open.iter().map(|(key, open)| (open.last, key.clone())).collect();
        rest.sort();
        for (_, key) in rest {
            if let Some(open) = self.open.remove(&key) {
                sink.command(&open.record(Ending::Pending));
            }
        }
    }

    fn take(&mut self, key: &Key) -> Option<OpenCommand> {
        let open = self.open.remove(key)?;
        self.due.remove(&(open.due(), key.clone()));
        Some(open)
    }

    fn give_due(&mut self, now: i128, sink: &mut dyn Sink) {
        while let Some((due, key)) = self.due.first()
            && *due <= now
        {
            let key = key.clone();
            if let Some(open) = self.take(&key) {
                sink.command(&open.record(Ending::Pending));
            }
        }
    }

    /// Too many: one that has ended, else the one whose last row is the oldest.
    fn give_oldest(&mut self, sink: &mut dyn Sink) {
        let oldest = self.due.first().map(|(_, key)| key.clone()).or_else(|| {
            let all = self.open.iter().map(|(key, open)| (open.last, key));
            all.min().map(|(_, key)| key.clone())
        });
        if let Some(open) = oldest.and_then(|key| self.take(&key)) {
            sink.command(&open.record(Ending::Pending));
        }
    }

    /// A row's time by the server's clock, as its date says; by UTC where the date has no known form.
    fn moment(&mut self, date: &[u8], time: i128) -> Moment {
        let micros = i64::try_from(time / 1000).unwrap_or(i64::MAX);
        let local = self.calendar.written(date);
        local.map_or(Moment { micros }, |local| Moment { micros: local.micros + micros.rem_euclid(1_000_000) })
    }

    fn error(&mut self, fields: Fields<'_>, place: Place, at: Moment, sink: &mut dyn Sink) {
        if fields.count(Column::Severity) < ERROR {
            return;
        }
        let key = Key::of(fields);
        if let Some(open) = self.open.get_mut(&key) {
            open.command.failed = true;
        }
        let operation = fields.text(Column::Function, LONGEST_TEXT);
        sink.event(&Event {
            place,
            at: Some(at),
            what: What::Error {
                pid: Some(key.pid),
                operation: (!operation.is_empty()).then_some(operation),
                text: fields.text(Column::Text, LONGEST_ERROR),
            },
        });
    }
}
