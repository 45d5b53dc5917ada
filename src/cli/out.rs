//! Writes documents below a folder that was new or empty, each whole or not at all.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::diag::quoted;

/// A document and where it goes below the folder: plain names with `/` between them.
pub(super) struct Document {
    /// Such as `config/commit-server/fstab`.
    pub(super) path: String,
    /// What it says.
    pub(super) text: String,
}

/// Whether documents may be written there: it is not there, or it is an empty folder.
pub(super) fn check(folder: &Path) -> Result<(), String> {
    let name = quoted(&folder.to_string_lossy());
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(format!(
                "{name} is not empty: nothing was written; name a new folder or an empty one"
            )),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("cannot write into {name}: {error}")),
    }
}

/// Writes the documents and gives their paths; makes the folder where there is something to write.
pub(super) fn write(folder: &Path, documents: &[Document]) -> Result<Vec<String>, String> {
    check(folder)?;
    let mut written = Vec::new();
    for document in documents {
        let path = folder.join(&document.path);
        write_one(&path, &document.text).map_err(|error| {
            format!("cannot write {}: {error}", quoted(&path.to_string_lossy()))
        })?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

/// Writes beside the place and moves into it, so that half a file is never taken for a whole one.
fn write_one(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let unfinished = path.with_added_extension("unfinished");
    let mut file = fs::File::create_new(&unfinished)?;
    let done = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all());
    let done = done.and_then(|()| fs::rename(&unfinished, path));
    if done.is_err() {
        // What is left of it is of no use; the error that is told is the first.
        let _gone = fs::remove_file(&unfinished);
    }
    done
}
