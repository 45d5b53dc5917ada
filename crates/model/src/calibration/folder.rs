//! Reads the calibration files of a folder that the user named.

use std::path::Path;

use super::unreadable;
use crate::diag::{Diagnostics, quoted};
use crate::document::{read_text, toml_files};

/// Path and text of every `.toml` in the folder, by name; reports what cannot be read.
pub(super) fn read(folder: &Path, diagnostics: &Diagnostics) -> Vec<(String, String)> {
    let name = quoted(&folder.to_string_lossy());
    let paths = match toml_files(folder) {
        Ok(paths) => paths,
        Err(error) => {
            unreadable(
                diagnostics,
                format!("cannot read the folder {name}: {error}"),
                "name a folder with <id>.toml files or a parameters.toml, as in calibration/",
            );
            return Vec::new();
        }
    };
    if paths.is_empty() && !folder.join("experiments").is_dir() {
        unreadable(
            diagnostics,
            format!("no .toml file in {name}"),
            "name a folder with <id>.toml files or a parameters.toml, as in calibration/",
        );
    }
    let mut files = Vec::new();
    for path in paths {
        match read_text(&path) {
            Ok(text) => files.push((path.to_string_lossy().into_owned(), text)),
            Err(error) => unreadable(diagnostics, error.to_string(), "make it readable, or move it out of the folder"),
        }
    }
    files
}
