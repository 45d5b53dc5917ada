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
    out.inputs.push(Input { name: name.to_owned(), sections: sections(&text), text });
}

/// The list to which a fact of this kind is added.
type List<T> = fn(&mut Collected) -> &mut Vec<Found<T>>;

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
        Place { file: self.file, line: self.at + 1 }
    }

    /// Keeps what this line says, if it says something; whether it does.
    fn keep<T>(&mut self, from: &'static str, said: Option<T>, list: List<T>) -> bool {
        let Some(value) = said else {
            return false;
        };
        self.add(self.place(), from, value, list);
        true
    }

    /// Keeps what stands at a place.
    fn add<T>(&mut self, place: Place, from: &'static str, value: T, list: List<T>) {
        self.out.understood += 1;
        list(self.out).push(Found { value, place, from });
    }

    /// Whether the sizes that follow are of all revisions, where the command shows it.
    fn asked_for_all(&self) -> Option<bool> {
        let is_shown = self.shown.is_p4("sizes");
        is_shown.then(|| self.shown.has_flag('a'))
    }

    /// What is known at the end of an output alone.
    fn end_of_output(&mut self) {
        self.end_of_record();
        self.end_of_tree();
        self.table = None;
        self.pending = None;
        let place = Place { file: self.file, line: self.people_at + 1 };
        let (users, clients) = std::mem::take(&mut self.people);
        if users > 0 {
            self.add(place, "p4 users", users as f64, |to| &mut to.users);
        }
        if clients > 0 {
            self.add(place, "p4 clients", clients as f64, |to| &mut to.clients);
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
        self.keep("lsblk", Some(devices), |to| &mut to.trees);
    }

    fn end_of_record(&mut self) {
        let record = std::mem::take(&mut self.record);
        if record.is_empty() {
            return;
        }
        let place = Place { file: self.file, line: self.at };
        match tagged(&record) {
            Some(Tagged::Info(lines)) => {
                for line in lines {
                    self.add(place, "p4 info", line, |to| &mut to.info);
                }
            }
            Some(Tagged::Location(location)) => {
                self.add(place, "p4 diskspace", location, |to| &mut to.locations);
            }
            Some(Tagged::Sizes(mut sizes)) => {
                sizes.all = self.asked_for_all();
                self.add(place, "p4 sizes", sizes, |to| &mut to.sizes);
            }
            Some(Tagged::Counter(name, value)) => {
                self.add(place, "p4 counters", (name, value), |to| &mut to.counters);
            }
            Some(Tagged::Transfers(transfers, bytes)) => {
                let found = (transfers, bytes);
                self.add(place, "p4 pull -ls", found, |to| &mut to.transfers);
            }
            Some(Tagged::Running(running)) => {
                self.add(place, "p4 monitor show", running, |to| &mut to.running);
            }
            Some(Tagged::Setting(setting)) => {
                self.add(place, "p4 configure show", setting, |to| &mut to.settings);
            }
            Some(Tagged::Depot(depot)) => {
                self.add(place, "p4 depots", depot, |to| &mut to.depots);
            }
            Some(Tagged::Users(users, clients)) => {
                self.add(place, "p4 license -u", users, |to| &mut to.users);
                if let Some(clients) = clients {
                    self.add(place, "p4 license -u", clients, |to| &mut to.clients);
                }
            }
            None => {
                let (name, value) = record.first_key_value().map_or(("", ""), |(k, v)| (k.as_str(), v.as_str()));
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
        let used = if self.row(line) || self.single(line) { 1 } else { self.joined() };
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
            ["Perforce server info:", "Perforce server error:", "Perforce proxy info:"].contains(&line.trim())
        };
        if !is_head(&self.lines[self.at]) {
            return false;
        }
        while let Some(line) = self.lines.get(self.at) {
            let belongs = is_head(line) || line.is_empty() || line.starts_with('\t') || line.starts_with("---");
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
                self.keep("lsblk", Some(devices), |to| &mut to.trees);
            }
            Json::Mounts(mounts) => {
                for mount in mounts {
                    self.keep("findmnt", Some(mount), |to| &mut to.mounts);
                }
            }
            Json::Processors(lines) => {
                for line in lines {
                    self.keep("lscpu", Some(line), |to| &mut to.processors);
                }
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
            Table::Df { unit, has_kind } => self.df(line, Counted::Bytes { unit: *unit }, *has_kind),
            Table::DfInodes { has_kind } => self.df(line, Counted::Inodes, *has_kind),
            Table::Lsblk(columns) => {
                let row = tables::lsblk_row(line, columns);
                let is_row = row.is_some();
                if self.tree.len() < TREE_MAX {
                    self.tree.extend(row);
                }
                is_row
            }
            Table::Findmnt => self.keep("findmnt", tables::findmnt_row(line), |to| &mut to.mounts),
            Table::Iostat(columns) => {
                let row = tables::iostat_row(line, columns);
                self.keep("iostat", row, |to| &mut to.busy)
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
            let is_name = whole == line && !line.trim().contains(char::is_whitespace) && line.contains(['/', ':']);
            if is_name {
                self.pending = Some(line.trim().to_owned());
            }
            return is_name;
        };
        if counted == Counted::Inodes {
            let found = (row.space.target, row.fraction);
            return self.keep("df -i", Some(found), |to| &mut to.inodes);
        }
        let paths = self.shown.paths();
        let begins = self.shown.begins("df");
        row.space.asked = (begins && paths.len() == 1).then(|| paths[0].to_owned());
        self.keep("df", Some(row.space), |to| &mut to.spaces)
    }

    fn free(&mut self, line: &str) -> bool {
        match tables::free_row(line, self.shown.unit("free")) {
            Some(Ok(bytes)) => self.keep("free", Some(bytes), |to| &mut to.memory),
            Some(Err(number)) => self.keep("free", Some(number), |to| &mut to.memory_without_unit),
            None => tables::is_free(line),
        }
    }

    /// A line that a terminal or a mailer has wrapped, together with what follows; how many lines it is, or 0.
    fn joined(&mut self) -> usize {
        const PARTS_MAX: usize = 4;
        let first = p4_prefix(&self.lines[self.at]);
        let begins = host::is_mount_begun(first) || first.contains(" (type ") || first.starts_with("//");
        if !begins {
            return 0;
        }
        for parts in 2..=PARTS_MAX {
            let Some(rest) = self.lines.get(self.at + 1..self.at + parts) else {
                return 0;
            };
            // What is a line of its own is no rest of another.
            let is_own = |line: &Cow<'_, str>| {
                line.is_empty() || mark(line).is_some() || command(line).is_some() || host::mount(line).is_some()
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
                let is_right =
                    host::mount(&whole).is_some() || p4::location(&whole).is_some() || p4::sizes(&whole).is_some();
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
    let rest = ["info: ", "info1: ", "text: "].iter().find_map(|prefix| line.strip_prefix(prefix));
    rest.unwrap_or(line)
}
