//! What a file is that was dropped on the window: a site, a server log, a saved rehearsal, or outputs that were pasted or collected.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::collected;
use crate::document::edit;
use crate::rehearse;
use crate::serverlog::export::sqlite;
use crate::serverlog::{logs, open};

/// Bytes of a file by which it is known.
const BEGINNING: u64 = 1 << 18;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A site file, or something that is taken for one: its errors are shown then.
    Site,
    /// A log of a Perforce server, plain or structured, a journal, a checkpoint, or a database of log2sql.
    Log,
    /// Outputs of `p4` and of the system, as the script of `plimsoll collect` gathers them.
    Outputs,
    /// A saved result of `plimsoll rehearse`.
    Rehearsal,
}

/// What files are; logs are put in the order of their first lines, whatever they are called.
pub fn known(paths: Vec<PathBuf>) -> Vec<(PathBuf, FileKind)> {
    let looked = paths.into_iter().map(|path| {
        let (kind, begins) = look(&path);
        (begins, path, kind)
    });
    let mut all: Vec<(String, PathBuf, FileKind)> = looked.collect();
    all.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    all.into_iter().map(|(_, path, kind)| (path, kind)).collect()
}

/// What a file is, by its beginning, and the first time that a log states.
fn look(path: &Path) -> (FileKind, String) {
    let is_database = logs::open_regular(path).ok().and_then(|mut file| sqlite::is_database(&mut file).ok());
    if is_database == Some(true) {
        return (FileKind::Log, String::new());
    }
    let mut bytes = Vec::new();
    let opened = open::open(path).ok();
    let read = opened.map(|text| text.take(BEGINNING).read_to_end(&mut bytes));
    match read {
        Some(Ok(_)) => {
            let text = collected::decode(&bytes);
            (of_text(&text), first_time(&text))
        }
        // The reader of site files says what is wrong.
        _ => (FileKind::Site, String::new()),
    }
}

/// The first time that a line of a log begins with, as it is written: later ones sort behind it.
fn first_time(text: &str) -> String {
    const FORM: &str = "0000/00/00 00:00:00";
    let is_time = |text: &str| {
        let shape = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c });
        shape.eq(FORM.chars())
    };
    let mut times = text.lines().filter_map(|line| line.trim_start().get(..FORM.len()));
    times.find(|time| is_time(time)).unwrap_or_default().to_owned()
}

/// What a text is. A collected file may hold the end of a log, and so comes first.
fn of_text(text: &str) -> FileKind {
    let values = edit::values(text);
    let is_ours = |(key, spelling, _): &(String, String, _)| {
        key == "kind" && spelling.trim_matches(['"', '\'']) == rehearse::KIND
    };
    if values.iter().any(is_ours) {
        FileKind::Rehearsal
    } else if values.iter().any(|(key, ..)| key == "schema") {
        FileKind::Site
    } else if !collected::sections(text).is_empty() {
        FileKind::Outputs
    } else if logs::is_log(text) {
        FileKind::Log
    } else if edit::check(text).is_err() && is_outputs(text) {
        FileKind::Outputs
    } else {
        FileKind::Site
    }
}

/// Whether anything of pasted outputs is understood.
fn is_outputs(text: &str) -> bool {
    let found = collected::of_texts([("pasted", text)]);
    let answers = collected::answers(&found);
    !answers.known.is_empty() || !answers.volumes.is_empty()
}

/// Files by their kinds: the sites, the logs, the outputs, the rehearsals, each in the order in which they were given.
pub fn sorted(files: Vec<(PathBuf, FileKind)>) -> [Vec<PathBuf>; 4] {
    let mut all = [const { Vec::new() }; 4];
    for (path, kind) in files {
        let place = match kind {
            FileKind::Site => 0,
            FileKind::Log => 1,
            FileKind::Outputs => 2,
            FileKind::Rehearsal => 3,
        };
        all[place].push(path);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_by_its_beginning() {
        let log = "Perforce server info:\n\t2024/06/19 12:25:31 pid 1 ann@ws 10.0.0.1 [p4/v1] 'user-info'\n";
        assert_eq!(of_text(log), FileKind::Log);
        assert_eq!(first_time(log), "2024/06/19 12:25:31");
        assert_eq!(first_time("äöü 2024/06/19\n"), "");
        let collected = format!("=== plimsoll collect: log tail ===\n{log}");
        assert_eq!(of_text(&collected), FileKind::Outputs);
        let pasted =
            "$ p4 info\nServer version: P4D/LINUX26X86_64/2023.2/2563409 (2024/02/27)\nServer root: /p4/1/root\n";
        assert_eq!(of_text(pasted), FileKind::Outputs);
        let journal = "@pv@ 3 @db.change@ 1 1 @c@ @u@ 0 1 @d@\n";
        assert_eq!(of_text(journal), FileKind::Log);
        let structured = "0.50,1420649505,12,2015/01/07 16:51:45,1,a,s,1,u,c,f,h,p,v,\n";
        assert_eq!(of_text(structured), FileKind::Log);
        assert_eq!(of_text("schema = 1\nname = \"A\"\n"), FileKind::Site);
        assert_eq!(of_text("name = \"no version\"\n"), FileKind::Site);
        assert_eq!(of_text("something else\n"), FileKind::Site);
        let rehearsal = "schema = 1\nkind = \"plimsoll rehearse\"\nsite = \"A\"\n";
        assert_eq!(of_text(rehearsal), FileKind::Rehearsal);
        assert_eq!(of_text(""), FileKind::Site);
    }
}
