//! Files that a command reads and files that it writes: no two of them are one.

use std::path::{Path, PathBuf};

use crate::diag::quoted;

/// Where a path leads, links followed; a file that is not there yet is known by its folder.
fn place(path: &Path) -> Option<PathBuf> {
    if let Ok(place) = path.canonicalize() {
        return Some(place);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

/// Whether everything that is written goes to a file of its own, and to none that is read. Asked before the work; no
/// option overrules it, for what is read would be lost.
pub(super) fn apart<'a>(
    read: impl IntoIterator<Item = &'a Path>,
    written: impl IntoIterator<Item = &'a Path>,
) -> Result<(), String> {
    let read: Vec<Option<PathBuf>> = read.into_iter().map(place).collect();
    let mut taken: Vec<Option<PathBuf>> = Vec::new();
    for path in written {
        let name = quoted(&path.to_string_lossy());
        let place = place(path);
        if place.is_some() && read.contains(&place) {
            return Err(format!("{name} is read by this command and cannot be written too; name another file"));
        }
        if taken.contains(&place) {
            return Err(format!("two outputs cannot be written to {name}; name another file"));
        }
        taken.extend(place.is_some().then_some(place));
    }
    Ok(())
}
