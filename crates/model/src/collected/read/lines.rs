//! Lines that stand alone: each is tried as one of every output.

use super::Reader;
use crate::collected::amount::count;
use crate::collected::facts::{Setting, TableFile};
use crate::collected::{host, p4};

impl Reader<'_> {
    /// A line that stands alone.
    pub(super) fn single(&mut self, line: &str) -> bool {
        self.of_p4(line) || self.of_host(line) || self.of_files(line)
    }

    fn of_p4(&mut self, line: &str) -> bool {
        let counter = p4::counter(line, self.shown.is_p4("counters"));
        self.keep("p4 diskspace", p4::location(line), |to| &mut to.locations)
            || self.keep("p4 info", p4::info(line), |to| &mut to.info)
            || self.sizes(line)
            || self.setting(line)
            || self.keep("p4 counters", counter, |to| &mut to.counters)
            || self.keep("p4 monitor show", p4::running(line), |to| &mut to.running)
            || self.keep("p4 pull -ls", p4::transfers(line), |to| &mut to.transfers)
            || self.keep("p4 pull -lj", p4::journal(line), |to| &mut to.journals)
            || self.keep("p4 depots", p4::depot(line), |to| &mut to.depots)
            || self.keep("p4 license -u", p4::user_count(line), |to| &mut to.users)
            || self.user_or_client(line)
            || p4::is_more_of_pull(line)
            || p4::is_user_limit(line)
            || p4::is_secret(line)
    }

    fn of_host(&mut self, line: &str) -> bool {
        self.keep("mount", host::mount(line), |to| &mut to.mounts)
            || self.keep("/proc/mounts", host::proc_mount(line), |to| &mut to.mounts)
            || self.keep("/proc/meminfo", host::mem_total(line), |to| &mut to.memory)
            || self.keep("/proc/mdstat", host::mdstat(line), |to| &mut to.arrays)
            || self.keep("/sys/class/net", host::port(line), |to| &mut to.ports)
            || self.ethtool(line)
            || self.keep("tcp_wmem", host::tcp_window(line), |to| &mut to.tcp_window)
            || self.keep("readlink", host::resolved(line), |to| &mut to.resolved)
            || self.process(line)
            || self.keep("lscpu", host::lscpu(line), |to| &mut to.processors)
            || host::is_meminfo(line)
            || host::is_mdstat(line)
            || host::is_missing(line)
            || self.number(line)
    }

    fn sizes(&mut self, line: &str) -> bool {
        let mut sizes = p4::sizes(line);
        if let Some(sizes) = &mut sizes {
            sizes.all = self.asked_for_all();
        }
        self.keep("p4 sizes", sizes, |to| &mut to.sizes)
    }

    fn setting(&mut self, line: &str) -> bool {
        let setting = p4::setting(line, self.shown.is_p4("configure show"));
        let is_bare = |one: &Setting| one.origin.is_empty() && one.scope.is_none();
        let of_environment =
            self.shown.begins("env") || self.shown.is_p4(" set") || setting.as_ref().is_some_and(is_bare);
        let from = if of_environment { "the environment" } else { "p4 configure show" };
        self.keep(from, setting, |to| &mut to.settings)
    }

    /// A line of `p4 users` or `p4 clients`, which are counted.
    fn user_or_client(&mut self, line: &str) -> bool {
        let counted = if p4::is_user(line) {
            &mut self.people.0
        } else if p4::is_client(line) {
            &mut self.people.1
        } else {
            return false;
        };
        *counted += 1;
        self.people_at = self.at;
        true
    }

    /// The speed of a port stands some lines below its name.
    fn ethtool(&mut self, line: &str) -> bool {
        if let Some(name) = line.strip_prefix("Settings for ") {
            self.ethtool = Some(name.trim_end_matches(':').to_owned());
            return true;
        }
        let speed = self.ethtool.clone().zip(host::ethtool_speed(line));
        self.keep("ethtool", speed, |to| &mut to.ports)
    }

    fn process(&mut self, line: &str) -> bool {
        let Some(settings) = host::process(line) else {
            return false;
        };
        for setting in settings {
            let root = (setting.name == "P4ROOT").then(|| setting.value.clone());
            self.keep("ps", root, |to| &mut to.roots);
            self.keep("ps", Some(setting), |to| &mut to.settings);
        }
        true
    }

    /// A number alone, which only the command before it explains.
    fn number(&mut self, line: &str) -> bool {
        let number = count(line.trim());
        let counts_lines = self.shown.text.contains("wc -l");
        if counts_lines && self.shown.is_p4("users") {
            self.keep("p4 users", number, |to| &mut to.users)
        } else if counts_lines && self.shown.is_p4("clients") {
            self.keep("p4 clients", number, |to| &mut to.clients)
        } else if self.shown.begins("nproc") {
            let line = number.map(|number| ("CPU(s)".to_owned(), format!("{number}")));
            self.keep("nproc", line, |to| &mut to.processors)
        } else {
            false
        }
    }

    fn of_files(&mut self, line: &str) -> bool {
        if let Some(listed) = host::listed(line) {
            if let Some(target) = listed.target {
                let link = (listed.path.to_owned(), target.to_owned());
                self.keep("ls -l", Some(link), |to| &mut to.resolved);
            } else if !line.trim_start().starts_with('d') {
                self.table_file("ls -l", listed.bytes, listed.path);
            }
            return true;
        }
        if let Some((bytes, path)) = host::used(line, self.shown.unit("du")) {
            return self.table_file("du", bytes, path)
                || self.keep("du", Some((path.to_owned(), bytes)), |to| &mut to.folders);
        }
        // "total 1234", and the sum of `du -c`.
        let shows_files = self.shown.begins("ls") || self.shown.begins("du");
        shows_files && line.split_whitespace().any(|word| word == "total")
    }

    /// Notes a file of the database; whether it is one.
    fn table_file(&mut self, from: &'static str, bytes: f64, path: &str) -> bool {
        let at = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let name = &path[at..];
        let is_table = name.starts_with("db.") && name[3..].chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
        if !is_table {
            return false;
        }
        let folder = match path[..at].trim_end_matches(['/', '\\']) {
            "" | "." => self.shown.paths().first().map_or("", |path| path.trim_end_matches('/')),
            folder => folder,
        };
        let file = TableFile { folder: folder.trim_end_matches("/db.*").to_owned(), name: name.to_owned(), bytes };
        self.keep(from, Some(file), |to| &mut to.tables)
    }
}
