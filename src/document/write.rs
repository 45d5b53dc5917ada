//! Writes a text file whole or not at all.

use std::fs;
use std::io::{self, Write as _};
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
