//! Goes through the lines of a file and finds out which output each belongs to.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::amount::count;
use super::facts::{Collected, Device, Found, Input, Place, TableFile, Unread};
use super::json::{self, Json};
use super::p4::{self, Tagged};
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

/// Reads one file into what is known.
pub(super) fn read(out: &mut Collected, name: &str, text: String) {
    let file = out.inputs.len();
    let lines: Vec<Cow<'_, str>> = text.split('\n').take(LINES_MAX).map(clean).collect();
    let marks = sections(&text);
    out.inputs.push(Input {
        name: name.to_owned(),
        sections: marks,
        text: String::new(),
    });
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
    if let Some(input) = out.inputs.last_mut() {
        input.text = text;
    }
}

/// The command whose output follows, as far as a prompt or a mark shows it.
#[derive(Debug, Default, Clone)]
struct Shown {
    text: String,
}

impl Shown {
    fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split_whitespace()
    }

    /// Whether it is this command of p4: "configure show".
    fn is_p4(&self, words: &str) -> bool {
        let is_p4 = self
            .words()
            .any(|w| w == "p4" || w.ends_with("/p4") || w.ends_with("p4.exe"));
        is_p4 && self.text.contains(words)
    }

    fn begins(&self, name: &str) -> bool {
        let mut words = self.words().filter(|w| !matches!(*w, "sudo" | "time"));
        words
            .next()
            .is_some_and(|first| first.rsplit('/').next() == Some(name))
    }

    /// Whether a one-letter option is among the others: `-a` in `-sa`.
    fn has_flag(&self, letter: char) -> bool {
        self.words().any(|w| {
            w.starts_with('-') && !w.starts_with("--") && w.len() < 6 && w[1..].contains(letter)
        })
    }

    /// The words that are paths.
    fn paths(&self) -> Vec<&str> {
        self.words()
            .skip(1)
            .filter(|w| w.starts_with('/'))
            .collect()
    }

    /// Bytes of the unit of `free` or `du`, where the command shows it.
    fn unit(&self, program: &str) -> Option<f64> {
        if !self.begins(program) {
            return None;
        }
        let of = |letter: char, bytes: f64| self.has_flag(letter).then_some(bytes);
        of('b', 1.0)
            .or_else(|| of('m', 1_048_576.0))
            .or_else(|| of('g', 1_073_741_824.0))
            .or(Some(1024.0))
    }
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
        let record = std::mem::take(&mut self.record);
        if record.is_empty() {
            return;
        }
        let out = &mut *self.out;
        let place = Place {
            file: self.file,
            line: self.at,
        };
        fn of<T>(place: Place, from: &'static str, value: T) -> Found<T> {
            Found { value, place, from }
        }
        match p4::tagged(&record) {
            Some(Tagged::Info(lines)) => out
                .info
                .extend(lines.into_iter().map(|l| of(place, "p4 info", l))),
            Some(Tagged::Location(location)) => {
                out.locations.push(of(place, "p4 diskspace", location))
            }
            Some(Tagged::Sizes(mut sizes)) => {
                sizes.all = self.shown.is_p4("sizes").then(|| self.shown.has_flag('a'));
                out.sizes.push(of(place, "p4 sizes", sizes));
            }
            Some(Tagged::Counter(name, value)) => {
                out.counters.push(of(place, "p4 counters", (name, value)))
            }
            Some(Tagged::Transfers(transfers, bytes)) => {
                out.transfers
                    .push(of(place, "p4 pull -ls", (transfers, bytes)));
            }
            Some(Tagged::Running(running)) => {
                out.running.push(of(place, "p4 monitor show", running))
            }
            Some(Tagged::Setting(setting)) => {
                out.settings.push(of(place, "p4 configure show", setting))
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
            Table::Df { unit, has_kind } => self.df(line, *unit, *has_kind, false),
            Table::DfInodes { has_kind } => self.df(line, 1.0, *has_kind, true),
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

    fn df(&mut self, line: &str, unit: f64, has_kind: bool, inodes: bool) -> bool {
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
        if inodes {
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

    /// A line that stands alone.
    fn single(&mut self, line: &str) -> bool {
        self.of_p4(line) || self.of_host(line) || self.of_files(line)
    }

    fn of_p4(&mut self, line: &str) -> bool {
        if let Some(found) = p4::location(line) {
            let found = self.found("p4 diskspace", found);
            self.out.locations.push(found);
        } else if let Some(found) = p4::info(line) {
            let found = self.found("p4 info", found);
            self.out.info.push(found);
        } else if let Some(mut sizes) = p4::sizes(line) {
            sizes.all = self.shown.is_p4("sizes").then(|| self.shown.has_flag('a'));
            let found = self.found("p4 sizes", sizes);
            self.out.sizes.push(found);
        } else if let Some(setting) = p4::setting(line, self.shown.is_p4("configure show")) {
            let from = if self.shown.begins("env")
                || self.shown.is_p4(" set")
                || (setting.origin.is_empty() && setting.scope.is_none())
            {
                "the environment"
            } else {
                "p4 configure show"
            };
            let found = self.found(from, setting);
            self.out.settings.push(found);
        } else if let Some(counter) = p4::counter(line, self.shown.is_p4("counters")) {
            let found = self.found("p4 counters", counter);
            self.out.counters.push(found);
        } else if let Some(running) = p4::running(line) {
            let found = self.found("p4 monitor show", running);
            self.out.running.push(found);
        } else if let Some(transfers) = p4::transfers(line) {
            let found = self.found("p4 pull -ls", transfers);
            self.out.transfers.push(found);
        } else if let Some(journal) = p4::journal(line) {
            let found = self.found("p4 pull -lj", journal);
            self.out.journals.push(found);
        } else if let Some(depot) = p4::depot(line) {
            let found = self.found("p4 depots", depot);
            self.out.depots.push(found);
        } else if let Some(users) = p4::user_count(line) {
            let found = self.found("p4 license -u", users);
            self.out.users.push(found);
        } else if p4::is_user(line) {
            self.people.0 += 1;
            self.people_at = self.at;
        } else if p4::is_client(line) {
            self.people.1 += 1;
            self.people_at = self.at;
        } else {
            return p4::is_more_of_pull(line);
        }
        true
    }

    fn of_host(&mut self, line: &str) -> bool {
        if let Some(mount) = host::mount(line) {
            let found = self.found("mount", mount);
            self.out.mounts.push(found);
        } else if let Some(mount) = host::proc_mount(line) {
            let found = self.found("/proc/mounts", mount);
            self.out.mounts.push(found);
        } else if let Some(bytes) = host::mem_total(line) {
            let found = self.found("/proc/meminfo", bytes);
            self.out.memory.push(found);
        } else if let Some(array) = host::mdstat(line) {
            let found = self.found("/proc/mdstat", array);
            self.out.arrays.push(found);
        } else if let Some(port) = host::port(line) {
            let found = self.found("/sys/class/net", port);
            self.out.ports.push(found);
        } else if let Some(name) = line.strip_prefix("Settings for ") {
            self.ethtool = Some(name.trim_end_matches(':').to_owned());
        } else if let (Some(name), Some(speed)) = (&self.ethtool, host::ethtool_speed(line)) {
            let found = self.found("ethtool", (name.clone(), speed));
            self.out.ports.push(found);
        } else if let Some(bytes) = host::tcp_window(line) {
            let found = self.found("tcp_wmem", bytes);
            self.out.tcp_window.push(found);
        } else if let Some(resolved) = host::resolved(line) {
            let found = self.found("readlink", resolved);
            self.out.resolved.push(found);
        } else if let Some(settings) = host::process(line) {
            for setting in settings {
                if setting.name == "P4ROOT" {
                    let found = self.found("ps", setting.value.clone());
                    self.out.roots.push(found);
                }
                let found = self.found("ps", setting);
                self.out.settings.push(found);
            }
        } else if let Some(pair) = host::lscpu(line) {
            let found = self.found("lscpu", pair);
            self.out.processors.push(found);
        } else {
            return host::is_meminfo(line) || host::is_mdstat(line) || self.number(line);
        }
        true
    }

    /// A number alone, which only the command before it explains.
    fn number(&mut self, line: &str) -> bool {
        let Some(number) = count(line.trim()) else {
            return false;
        };
        let counts_lines = self.shown.text.contains("wc -l");
        if counts_lines && self.shown.is_p4("users") {
            let found = self.found("p4 users", number);
            self.out.users.push(found);
        } else if counts_lines && self.shown.is_p4("clients") {
            let found = self.found("p4 clients", number);
            self.out.clients.push(found);
        } else if self.shown.begins("nproc") {
            let found = self.found("nproc", ("CPU(s)".to_owned(), format!("{number}")));
            self.out.processors.push(found);
        } else {
            return false;
        }
        true
    }

    fn of_files(&mut self, line: &str) -> bool {
        let shows_files = self.shown.begins("ls") || self.shown.begins("du");
        if let Some(listed) = host::listed(line) {
            if let Some(target) = listed.target {
                let found = self.found("ls -l", (listed.path.to_owned(), target.to_owned()));
                self.out.resolved.push(found);
            } else if !line.trim_start().starts_with('d') {
                self.table_file("ls -l", listed.bytes, listed.path);
            }
            return true;
        }
        let unit = self.shown.unit("du");
        if let Some((bytes, path)) = host::used(line, unit) {
            if !self.table_file("du", bytes, path) {
                let found = self.found("du", (path.to_owned(), bytes));
                self.out.folders.push(found);
            }
            return true;
        }
        // "total 1234", and the sum of `du -c`.
        shows_files && line.split_whitespace().any(|word| word == "total")
    }

    /// Notes a file of the database; whether it is one.
    fn table_file(&mut self, from: &'static str, bytes: f64, path: &str) -> bool {
        let at = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let name = &path[at..];
        let is_table = name.starts_with("db.")
            && name[3..]
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '.');
        if !is_table {
            return false;
        }
        let folder = match path[..at].trim_end_matches(['/', '\\']) {
            "" | "." => self
                .shown
                .paths()
                .first()
                .map_or("", |path| path.trim_end_matches('/')),
            folder => folder,
        };
        let file = TableFile {
            folder: folder.trim_end_matches("/db.*").to_owned(),
            name: name.to_owned(),
            bytes,
        };
        let found = self.found(from, file);
        self.out.tables.push(found);
        true
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
