//! Writes a text file whole or not at all.

use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// Writes beside the place and moves over it, so that half a file is never taken for a whole one. A link
/// stays one: what it leads to is written. Permissions of a file that was there stay.
///
/// # Errors
///
/// Whatever the system says; nothing is left of the attempt then, and what was there is as it was.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_not_there| path.to_owned());
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.unfinished", std::process::id()));
    let beside = target.with_file_name(name);
    let mut file = fs::File::create_new(&beside)?;
    let written = match fs::metadata(&target) {
        Ok(old) => file.set_permissions(old.permissions()),
        Err(_) => Ok(()),
    };
    let moved = written
        .and_then(|()| file.write_all(text.as_bytes()))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &target));
    if moved.is_err() {
        // What is left of it is of no use; the error that is told is the first.
        drop(fs::remove_file(&beside));
    }
    moved
}

/// Whether a file may be written over: there is none, it is empty, or it says itself, near its beginning or
/// its end, that it is of our making.
///
/// # Errors
///
/// The end of a sentence that begins with the file's name.
pub fn may_replace(path: &Path, mark: &str) -> Result<(), String> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(format!("cannot be looked at: {error}")),
        Ok(what) if !what.is_file() => return Err("is no file".to_owned()),
        Ok(_) => {}
    }
    let ends = ends(path).map_err(|error| format!("cannot be read: {error}"))?;
    if ends.is_empty() || String::from_utf8_lossy(&ends).contains(mark) {
        return Ok(());
    }
    Err("is there and was not made by plimsoll".to_owned())
}

/// The beginning and the end of a file: one of them says what made it, in JSON mostly the end.
fn ends(path: &Path) -> io::Result<Vec<u8>> {
    const ENOUGH: u64 = 16 << 10;
    let mut file = fs::File::open(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(ENOUGH).read_to_end(&mut bytes)?;
    let rest = file.metadata()?.len().saturating_sub(ENOUGH);
    file.seek(SeekFrom::Start(rest.max(ENOUGH)))?;
    file.take(ENOUGH).read_to_end(&mut bytes)?;
    Ok(bytes)
}
