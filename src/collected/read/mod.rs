//! Goes through the lines of a file and finds out which output each belongs to.

mod lines;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::facts::{Collected, Device, Found, Input, Place, Unread};
use super::json::{self, Json};
use super::p4;
use super::p4_tagged::{Tagged, tagged};
use super::shown::Shown;
use super::tables::{self, Table};
use super::text::{clean, command, mark, sections};
use super::{LOG_TAIL, REMARK, UNREAD_MAX, host};
use crate::diag::harmless_line;

/// More lines of a file are not read: the script writes a tenth of it.
const LINES_MAX: usize = 2_000_000;
/// So many lines that begin as JSON are tried, each of which may look at thousands.
const OBJECTS_MAX: usize = 500;
/// More rows of one tree are not kept.
const TREE_MAX: usize = 10_000;

/// What a table of `df` counts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Counted {
    /// The unit of a number without one \[B\].
    Bytes {
        unit: f64,
    },
    Inodes,
}

/// Reads one file into what is known.
pub(super) fn read(out: &mut Collected, name: &str, text: String) {
    let file = out.inputs.len();
    let lines: Vec<Cow<'_, str>> = text.split('\n').take(LINES_MAX).map(clean).collect();
    let mut reader = Reader {
        out: &mut *out,
        file,
        lines: &lines,
        at: 0,
        shown: Shown::default(),
        table: None,
        tree: Vec::new(),
        record: BTreeMap::new(),
        pending: None,
        people: (0, 0),
        people_at: 0,
        ethtool: None,
        objects: OBJECTS_MAX,
    };
    reader.run();
    drop(lines);
    out.inputs.push(Input {
        name: name.to_owned(),
        sections: sections(&text),
        text,
    });
}

struct Reader<'a> {
    out: &'a mut Collected,
    file: usize,
    lines: &'a [Cow<'a, str>],
    at: usize,
    shown: Shown,
    table: Option<Table>,
    /// The tree of a plain `lsblk` so far, with the depth of each device.
    tree: Vec<(usize, Device)>,
    /// The record of tagged output so far.
    record: BTreeMap<String, String>,
    /// The first half of a row of `df` that was wrapped.
    pending: Option<String>,
    /// Lines of `p4 users` and of `p4 clients`.
    people: (usize, usize),
    people_at: usize,
    /// The port whose settings `ethtool` prints.
    ethtool: Option<String>,
    /// How many more beginnings of JSON are tried.
    objects: usize,
}

impl Reader<'_> {
    fn run(&mut self) {
        while self.at < self.lines.len() {
            self.step();
        }
        self.end_of_output();
    }

    fn place(&self) -> Place {
        Place {
            file: self.file,
            line: self.at + 1,
        }
    }

    fn found<T>(&self, from: &'static str, value: T) -> Found<T> {
        Found {
            value,
            place: self.place(),
            from,
        }
    }

    /// What is known at the end of an output alone.
    fn end_of_output(&mut self) {
        self.end_of_record();
        self.end_of_tree();
        self.table = None;
        self.pending = None;
        let place = Place {
            file: self.file,
            line: self.people_at + 1,
        };
        let (users, clients) = std::mem::take(&mut self.people);
        let of = |value: usize, from| Found {
            value: value as f64,
            place,
            from,
        };
        if users > 0 {
            self.out.users.push(of(users, "p4 users"));
        }
        if clients > 0 {
            self.out.clients.push(of(clients, "p4 clients"));
        }
    }

    fn end_of_tree(&mut self) {
        if self.tree.is_empty() {
            return;
        }
        let mut devices: Vec<Device> = Vec::new();
        let mut above: Vec<(usize, usize)> = Vec::new();
        for (depth, mut device) in self.tree.drain(..) {
            above.retain(|(other, _)| *other < depth);
            device.parent = above.last().map(|(_, index)| *index);
            above.push((depth, devices.len()));
            devices.push(device);
        }
        let found = self.found("lsblk", devices);
        self.out.trees.push(found);
    }

    fn end_of_record(&mut self) {
        fn of<T>(place: Place, from: &'static str, value: T) -> Found<T> {
            Found { value, place, from }
        }
        let record = std::mem::take(&mut self.record);
        if record.is_empty() {
            return;
        }
        let out = &mut *self.out;
        let place = Place {
            file: self.file,
            line: self.at,
        };
        match tagged(&record) {
            Some(Tagged::Info(lines)) => out
                .info
                .extend(lines.into_iter().map(|l| of(place, "p4 info", l))),
            Some(Tagged::Location(location)) => {
                out.locations.push(of(place, "p4 diskspace", location));
            }
            Some(Tagged::Sizes(mut sizes)) => {
                sizes.all = self.shown.is_p4("sizes").then(|| self.shown.has_flag('a'));
                out.sizes.push(of(place, "p4 sizes", sizes));
            }
            Some(Tagged::Counter(name, value)) => {
                out.counters.push(of(place, "p4 counters", (name, value)));
            }
            Some(Tagged::Transfers(transfers, bytes)) => {
                out.transfers
                    .push(of(place, "p4 pull -ls", (transfers, bytes)));
            }
            Some(Tagged::Running(running)) => {
                out.running.push(of(place, "p4 monitor show", running));
            }
            Some(Tagged::Setting(setting)) => {
                out.settings.push(of(place, "p4 configure show", setting));
            }
            Some(Tagged::Depot(depot)) => out.depots.push(of(place, "p4 depots", depot)),
            Some(Tagged::Users(users, clients)) => {
                out.users.push(of(place, "p4 license -u", users));
                out.clients
                    .extend(clients.map(|n| of(place, "p4 license -u", n)));
            }
            None => {
                let (name, value) = record
                    .first_key_value()
                    .map_or(("", ""), |(k, v)| (k.as_str(), v.as_str()));
                let text = format!("... {name} {value}");
                self.note(place, &text);
            }
        }
    }

    fn note(&mut self, place: Place, text: &str) {
        const SHOWN: usize = 120;
        self.out.unread_count += 1;
        if self.out.unread.len() < UNREAD_MAX {
            let text = harmless_line(text.trim()).chars().take(SHOWN).collect();
            self.out.unread.push(Unread { place, text });
        }
    }

    fn step(&mut self) {
        let line = &self.lines[self.at];
        if let Some(name) = mark(line) {
            self.end_of_output();
            name.clone_into(&mut self.shown.text);
            self.at += 1;
            if name == LOG_TAIL {
                while self.at < self.lines.len() && mark(&self.lines[self.at]).is_none() {
                    self.out.log_lines += 1;
                    self.at += 1;
                }
            }
            return;
        }
        let tagged = line.trim_start().strip_prefix("... ");
        if tagged.is_none() {
            self.end_of_record();
        }
        if line.trim().is_empty() || line.starts_with(REMARK) {
            self.end_of_tree();
            self.table = None;
            self.at += 1;
            return;
        }
        if let Some(field) = tagged {
            self.tagged(field);
            self.at += 1;
            return;
        }
        let line = p4_prefix(line);
        if let Some(command) = command(line) {
            self.end_of_output();
            command.clone_into(&mut self.shown.text);
            self.at += 1;
            return;
        }
        if self.log() || self.json(line) {
            return;
        }
        let used = if self.row(line) || self.single(line) {
            1
        } else {
            self.joined()
        };
        if used == 0 {
            self.note(self.place(), line);
            self.at += 1;
        } else {
            self.at += used;
        }
    }

    fn tagged(&mut self, field: &str) {
        let (name, value) = field.split_once(' ').unwrap_or((field, ""));
        // Records of some commands follow each other without a blank line.
        if self.record.contains_key(name) {
            self.end_of_record();
        }
        self.record.insert(name.to_owned(), value.trim().to_owned());
    }

    /// Passes over a server's log that was pasted between the outputs.
    fn log(&mut self) -> bool {
        let is_head = |line: &str| {
            [
                "Perforce server info:",
                "Perforce server error:",
                "Perforce proxy info:",
            ]
            .contains(&line.trim())
        };
        if !is_head(&self.lines[self.at]) {
            return false;
        }
        while let Some(line) = self.lines.get(self.at) {
            let belongs = is_head(line)
                || line.is_empty()
                || line.starts_with('\t')
                || line.starts_with("---");
            if !belongs || mark(line).is_some() {
                break;
            }
            self.out.log_lines += 1;
            self.at += 1;
        }
        true
    }

    fn json(&mut self, line: &str) -> bool {
        if !line.trim_start().starts_with('{') || self.objects == 0 {
            return false;
        }
        self.objects -= 1;
        let Some((used, found)) = json::object(&self.lines[self.at..]) else {
            return false;
        };
        match found {
            Json::Devices(devices) => {
                let found = self.found("lsblk", devices);
                self.out.trees.push(found);
            }
            Json::Mounts(mounts) => {
                let found: Vec<_> = mounts
                    .into_iter()
                    .map(|m| self.found("findmnt", m))
                    .collect();
                self.out.mounts.extend(found);
            }
            Json::Processors(lines) => {
                let found: Vec<_> = lines.into_iter().map(|l| self.found("lscpu", l)).collect();
                self.out.processors.extend(found);
            }
        }
        self.at += used;
        true
    }

    /// A header, or a row of the table that it began.
    fn row(&mut self, line: &str) -> bool {
        if let Some(table) = tables::header(line) {
            self.end_of_tree();
            self.pending = None;
            self.table = Some(table);
            return true;
        }
        let Some(table) = self.table.clone() else {
            return false;
        };
        let is_row = match &table {
            Table::Df { unit, has_kind } => {
                self.df(line, Counted::Bytes { unit: *unit }, *has_kind)
            }
            Table::DfInodes { has_kind } => self.df(line, Counted::Inodes, *has_kind),
            Table::Lsblk(columns) => {
                let row = tables::lsblk_row(line, columns);
                let is_row = row.is_some();
                if self.tree.len() < TREE_MAX {
                    self.tree.extend(row);
                }
                is_row
            }
            Table::Findmnt => {
                let found = tables::findmnt_row(line).map(|mount| self.found("findmnt", mount));
                let is_row = found.is_some();
                self.out.mounts.extend(found);
                is_row
            }
            Table::Iostat(columns) => {
                let found =
                    tables::iostat_row(line, columns).map(|busy| self.found("iostat", busy));
                let is_row = found.is_some();
                self.out.busy.extend(found);
                is_row
            }
            Table::Free => self.free(line),
        };
        if !is_row {
            self.end_of_tree();
            self.table = None;
        }
        is_row
    }

    fn df(&mut self, line: &str, counted: Counted, has_kind: bool) -> bool {
        let unit = match counted {
            Counted::Bytes { unit } => unit,
            Counted::Inodes => 1.0,
        };
        let whole = match self.pending.take() {
            Some(begun) => format!("{begun} {}", line.trim_start()),
            None => line.to_owned(),
        };
        let Some(mut row) = tables::df_row(&whole, unit, has_kind) else {
            // A long name of a device stands on a line of its own.
            let is_name = whole == line
                && !line.trim().contains(char::is_whitespace)
                && line.contains(['/', ':']);
            if is_name {
                self.pending = Some(line.trim().to_owned());
            }
            return is_name;
        };
        if counted == Counted::Inodes {
            let found = self.found("df -i", (row.space.target, row.fraction));
            self.out.inodes.push(found);
            return true;
        }
        let paths = self.shown.paths();
        let begins = self.shown.begins("df");
        row.space.asked = (begins && paths.len() == 1).then(|| paths[0].to_owned());
        let found = self.found("df", row.space);
        self.out.spaces.push(found);
        true
    }

    fn free(&mut self, line: &str) -> bool {
        match tables::free_row(line, self.shown.unit("free")) {
            Some(Ok(bytes)) => {
                let found = self.found("free", bytes);
                self.out.memory.push(found);
                true
            }
            Some(Err(number)) => {
                let found = self.found("free", number);
                self.out.memory_without_unit.push(found);
                true
            }
            None => tables::is_free(line),
        }
    }

    /// A line that a terminal or a mailer has wrapped, together with what follows; how many lines it is, or 0.
    fn joined(&mut self) -> usize {
        const PARTS_MAX: usize = 4;
        let first = p4_prefix(&self.lines[self.at]);
        let begins =
            host::is_mount_begun(first) || first.contains(" (type ") || first.starts_with("//");
        if !begins {
            return 0;
        }
        for parts in 2..=PARTS_MAX {
            let Some(rest) = self.lines.get(self.at + 1..self.at + parts) else {
                return 0;
            };
            // What is a line of its own is no rest of another.
            let is_own = |line: &Cow<'_, str>| {
                line.is_empty()
                    || mark(line).is_some()
                    || command(line).is_some()
                    || host::mount(line).is_some()
            };
            if rest.iter().any(is_own) {
                return 0;
            }
            for between in ["", " "] {
                let mut whole = first.to_owned();
                for part in rest {
                    whole.push_str(between);
                    whole.push_str(part.trim_start());
                }
                let is_right = host::mount(&whole).is_some()
                    || p4::location(&whole).is_some()
                    || p4::sizes(&whole).is_some();
                if is_right && self.single(&whole) {
                    return parts;
                }
            }
        }
        0
    }
}

/// Without the prefixes of `p4 -s`.
fn p4_prefix(line: &str) -> &str {
    let rest = ["info: ", "info1: ", "text: "]
        .iter()
        .find_map(|prefix| line.strip_prefix(prefix));
    rest.unwrap_or(line)
}
