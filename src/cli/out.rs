//! Writes documents below a folder that was new or empty, each whole or not at all.

use std::fs;
use std::path::Path;

use crate::diag::quoted;
use crate::document;

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

/// Writes one document to a place where there may be an older one.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), String> {
    write_one(path, text)
        .map_err(|error| format!("cannot write {}: {error}", quoted(&path.to_string_lossy())))
}

fn write_one(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    document::write_whole(path, text)
}
