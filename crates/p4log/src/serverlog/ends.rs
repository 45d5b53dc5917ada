//! When a log ends: for a part of it that is named from there.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::export::sqlite;
use super::kind::{FileKind, LogText};
use super::logs::{Unread, cannot_read, open_regular, read_logs};
use super::open::{self, Packing};
use super::record::{Command, Damage, Event, Moment, Sink};
use super::skim::Skim;
use crate::diag::quoted;

/// How much of a plain log's end is looked at first, and by how much more where no time stands in it.
const TAIL: u64 = 1 << 20;
const MORE: u64 = 8;

/// The latest time of the last log that states one.
///
/// # Errors
///
/// A file that cannot be read; standard input, whose end is not known before it is read; no time in any of them.
pub(super) fn end_of(logs: &[PathBuf]) -> Result<Moment, Unread> {
    if logs.iter().any(|path| path == Path::new("-")) {
        return Err(Unread::Failed(
            "Where standard input ends is not known before it is read: give a file, or a day with each time (--from \"2026/03/03 02:00\").".to_owned(),
        ));
    }
    for path in logs.iter().rev() {
        if let Some(at) = end_of_one(path)? {
            return Ok(at);
        }
    }
    let names: Vec<String> = logs.iter().map(|path| quoted(&path.to_string_lossy())).collect();
    Err(Unread::Failed(format!(
        "{}: no line states a time, so that nothing lies so long before the end",
        names.join(", ")
    )))
}

fn end_of_one(path: &Path) -> Result<Option<Moment>, Unread> {
    let failed = |error: io::Error| Unread::Failed(cannot_read(path, &error));
    let mut file = open_regular(path).map_err(Unread::Failed)?;
    let is_database = sqlite::is_database(&mut file).map_err(failed)?;
    if !is_database {
        let text = open::open(path).map_err(|error| Unread::Failed(error.to_string()))?;
        let is_plain = text.packing() == Packing::Plain;
        let mut text = LogText::of(text).map_err(failed)?;
        match text.kind {
            FileKind::Text if is_plain => return tail(&mut file).map_err(failed),
            FileKind::Text => {
                let mut skim = Skim::all();
                skim.pass(0, &mut text).map_err(failed)?;
                return Ok(skim.span.map(|(_, last)| last));
            }
            FileKind::Structured => {}
            FileKind::Schema | FileKind::Journal | FileKind::Locks => return Ok(None),
        }
    }
    let mut latest = Latest(None);
    read_logs(&[path.to_owned()], &mut latest, &mut |_| true)?;
    Ok(latest.0)
}

/// The latest time in the end of a plain log.
fn tail(file: &mut File) -> io::Result<Option<Moment>> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut bytes = TAIL;
    loop {
        let from = length.saturating_sub(bytes);
        file.seek(SeekFrom::Start(from))?;
        let mut skim = Skim::all();
        skim.pass(0, &mut file.by_ref().take(length - from))?;
        match skim.span {
            Some((_, last)) => return Ok(Some(last)),
            None if from == 0 => return Ok(None),
            None => bytes = bytes.saturating_mul(MORE),
        }
    }
}

/// The latest time of all records.
struct Latest(Option<Moment>);

impl Sink for Latest {
    fn command(&mut self, command: &Command) {
        self.0 = self.0.max(command.end.unwrap_or(command.start).known());
    }

    fn event(&mut self, event: &Event) {
        self.0 = self.0.max(event.at);
    }

    fn damage(&mut self, _: &Damage) {}
}
