//! Lines that stand alone: each is tried as one of every output.

use super::Reader;
use crate::collected::amount::count;
use crate::collected::facts::TableFile;
use crate::collected::{host, p4};

impl Reader<'_> {
    /// A line that stands alone.
    pub(super) fn single(&mut self, line: &str) -> bool {
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
            return p4::is_more_of_pull(line) || p4::is_user_limit(line) || p4::is_secret(line);
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
            return host::is_meminfo(line)
                || host::is_mdstat(line)
                || host::is_missing(line)
                || self.number(line);
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
}
