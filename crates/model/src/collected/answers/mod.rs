//! What outputs answer of the questionnaire, with where it was read, and what they leave open.

mod data;
mod load;
mod machine;
mod server;

use std::collections::BTreeSet;

use super::facts::{At, Collected, Found, Place};
use super::volumes::{Volume, laid};
use crate::diag::harmless_line;

/// An answer that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The field, as `--set` takes it; of a volume its key alone.
    pub field: String,
    /// Its value in TOML's spelling.
    pub value: String,
    /// The output: `p4 info`.
    pub from: String,
    /// Where it stands there.
    pub place: Place,
    /// Why somebody should look at it.
    pub check: Option<String>,
}

impl Known {
    /// Where it was read: "`p4 info`, collected.txt:14".
    pub(super) fn origin(&self, collected: &Collected) -> String {
        format!("`{}`, {}", self.from, collected.shown(self.place))
    }

    /// The same, and why somebody should look at it.
    pub fn origin_and_check(&self, collected: &Collected) -> String {
        let origin = self.origin(collected);
        match &self.check {
            Some(why) => format!("{origin}; check: {why}"),
            None => origin,
        }
    }
}

/// A question that the outputs raise, or leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// The field that it is about.
    pub field: String,
    /// The question in words, with what was seen.
    pub question: String,
}

/// What outputs say to the questionnaire.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    /// Answers outside of `[[today.volume]]`.
    pub known: Vec<Known>,
    /// Today's volumes.
    pub volumes: Vec<Volume>,
    /// What is open.
    pub open: Vec<Open>,
    /// What was seen and no question asks for, in words.
    pub seen: Vec<String>,
}

impl Answers {
    fn know(&mut self, field: &str, value: String, (from, place): At) {
        self.known.push(Known { field: field.to_owned(), value, from: from.to_owned(), place, check: None });
    }

    fn check(&mut self, why: &str) {
        if let Some(known) = self.known.last_mut() {
            known.check = Some(why.to_owned());
        }
    }

    fn ask(&mut self, field: &str, question: String) {
        self.open.push(Open { field: field.to_owned(), question });
    }

    /// The value of a field, as TOML spells it.
    pub fn value(&self, field: &str) -> Option<&str> {
        self.known.iter().find(|known| known.field == field).map(|known| known.value.as_str())
    }
}

/// What the outputs say to the questionnaire.
pub fn answers(collected: &Collected) -> Answers {
    let mut answers = Answers::default();
    server::server(collected, &mut answers);
    server::settings(collected, &mut answers);
    server::people(collected, &mut answers);
    machine::machine(collected, &mut answers);
    let laid = laid(collected);
    answers.open.extend(laid.open);
    answers.volumes = laid.volumes;
    data::data(collected, &mut answers);
    machine::own_drives(collected, &mut answers);
    machine::network(collected, &mut answers);
    load::load(collected, &mut answers);
    answers
}

/// A value that all outputs agree on; where they do not, a question and nothing.
fn agreed<'c, T>(
    answers: &mut Answers,
    field: &str,
    what: &str,
    all: impl Iterator<Item = &'c Found<T>>,
    shown: impl Fn(&T) -> String,
) -> Option<&'c Found<T>> {
    let mut values: BTreeSet<String> = BTreeSet::new();
    let mut first = None;
    for found in all {
        values.insert(shown(&found.value));
        first = first.or(Some(found));
    }
    if values.len() > 1 {
        let values: Vec<String> = values.iter().map(|value| harmless_line(value)).collect();
        answers.ask(field, format!("The outputs disagree on {what}: {}. Which holds?", values.join(", ")));
        return None;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collected::of_texts;
    use plimsoll_p4log::version::version;

    fn of(text: &str) -> Answers {
        answers(&of_texts([("a.txt", text)]))
    }

    fn asks(answers: &Answers, field: &str, words: &str) -> bool {
        answers.open.iter().any(|open| open.field == field && open.question.contains(words))
    }

    #[test]
    fn versions_name_release_and_platform() {
        assert_eq!(
            version("P4D/LINUX26X86_64/2023.1/2468153 (2023/07/24)"),
            Some(("2023.1".to_owned(), "LINUX26X86_64".to_owned()))
        );
        assert_eq!(version("P4D/NTX64/2021.1.PREP-TEST_ONLY/1 (x)").map(|v| v.0), Some("2021.1".to_owned()));
        assert_eq!(version("P4D/LINUX22X86/99.2/1").map(|v| v.0), Some("1999.2".to_owned()));
        assert_eq!(version("P4D/x"), None);
    }

    #[test]
    fn what_p4_alone_shows_is_asked_about_by_its_mount_point() {
        let found = of("P4ROOT (type ext4 mounted on /hxmetadata) : 100G free, 400G used, 500G total (80% full)\n\
             journalPrefix (type nfs4 mounted on /hxdepots) : 5T free, 15T used, 20T total (75% full)\n\
             P4LOG=/p4/1/logs/log (-L)\n  812 R alice 00:00:07 sync //alice-ws/...\n");
        let medium = "under /hxmetadata, and how many?";
        assert!(asks(&found, "today.volume.medium", medium));
        assert!(asks(&found, "today.volume.array", "exports /hxdepots?"));
        let open = found.open.iter().map(|open| open.question.as_str());
        assert!(open.clone().all(|q| !q.contains("do the log") && !q.contains("do the journal")));
        let seen = &found.seen[0];
        assert!(seen.starts_with("1 process of p4d"), "{seen}");
    }

    #[test]
    fn two_servers_are_not_mixed() {
        let both =
            of("Server version: P4D/LINUX26X86_64/2023.1/1 (x)\nServer version: P4D/LINUX26X86_64/2024.2/2 (x)\n");
        assert_eq!(both.value("server.release"), None);
        assert!(asks(&both, "server.release", "disagree"));
    }

    #[test]
    fn files_and_revisions_are_told_by_their_command_or_their_numbers() {
        let shown = of(
            "$ p4 sizes -s //...\n//... 1000 files 2048000 bytes\n$ p4 sizes -a -s //...\n//... 3000 files 9 bytes\n",
        );
        assert_eq!((shown.value("data.files"), shown.value("data.revisions")), (Some("1000"), Some("3000")));
        assert_eq!(shown.value("data.file_size"), Some("\"2 KiB\""));
        let bare = of("//... 3000 files 9 bytes\n//... 1000 files 2048000 bytes\n");
        assert_eq!((bare.value("data.files"), bare.value("data.revisions")), (Some("1000"), Some("3000")));
        let one = of("//... 3000 files 9 bytes\n");
        assert!(one.value("data.files").is_none() && asks(&one, "data.files", "-a"));
    }

    #[test]
    fn settings_of_several_servers_are_asked_about() {
        let one = of("any: db.peeking = 2\nany: net.parallel.max = 10\nany: net.parallel.threads = 4\n");
        assert_eq!((one.value("server.peeking"), one.value("today.parallel_threads")), (Some("2"), Some("4")));
        let two = of("any: db.peeking = 2\nedge1: db.peeking = 3\n");
        assert!(two.value("server.peeking").is_none() && asks(&two, "server.peeking", "2 and 3"));
        assert_eq!(
            of("net.parallel.max=0 (default)\nnet.parallel.threads=4 (configure)\n").value("today.parallel_threads"),
            Some("0")
        );
        assert!(asks(&of("net.parallel.max=10 (configure)\n"), "today.parallel_threads", "allows 10"));
    }

    #[test]
    fn cores_count_no_threads() {
        let cores = |text: &str| of(text).value("server.cores").map(str::to_owned);
        assert_eq!(
            cores("CPU(s): 64\nThread(s) per core: 2\nCore(s) per socket: 16\nSocket(s): 2\n").as_deref(),
            Some("32")
        );
        assert_eq!(cores("CPU(s): 64\nThread(s) per core: 2\n").as_deref(), Some("32"));
        assert!(asks(&of("$ nproc\n64\n"), "server.cores", "64 logical"));
    }

    #[test]
    fn the_database_is_that_of_the_root() {
        let tables = |folder: &str, bytes: u32| -> String {
            let lines: Vec<String> =
                (0..12).map(|i| format!("-rw------- 1 0 0 {bytes} Jan  1 12:00 {folder}/db.t{i}\n")).collect();
            lines.concat()
        };
        let both = format!("{}{}", tables("/p4/root", 1024), tables("/p4/offline_db", 10));
        assert!(of(&both).value("data.db_size").is_none());
        let text = format!("Server root: /p4/root\n{both}");
        assert_eq!(of(&text).value("data.db_size"), Some("\"12 KiB\""));
    }
}
