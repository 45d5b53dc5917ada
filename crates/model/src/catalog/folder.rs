//! Reads the catalogue files of a folder that the user named.

use std::collections::BTreeMap;
use std::path::Path;

use super::{EntryKind, KINDS};
use crate::diag::{Diagnostic, Diagnostics, nearest, quoted};
use crate::document;

/// What each file is called and says, by kind and id.
pub(super) type Files = BTreeMap<(EntryKind, String), (String, String)>;

/// Lays `DIR/KIND/ID.toml` over the files by kind and id; reports what cannot be read.
pub(super) fn read(folder: &Path, files: &mut Files, diagnostics: &Diagnostics) {
    let name = quoted(&folder.to_string_lossy());
    let wrong = |reason: String| {
        diagnostics.push(
            Diagnostic::error("DOC001", format!("cannot read the models in {name}: {reason}"))
                .help(format!("it holds folders named {}", KINDS.join(", "))),
        );
    };
    let listing = match std::fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(error) => return wrong(error.to_string()),
    };
    let mut inside: Vec<String> = listing.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    inside.sort();
    let kinds = inside.iter().filter_map(|found| EntryKind::of_folder(found));
    let kinds: Vec<EntryKind> = kinds.collect();
    if kinds.is_empty() {
        let near = inside.iter().find_map(|found| nearest(found, KINDS));
        let near = near.map_or(String::new(), |near| format!("; did you mean {near:?}?"));
        return wrong(format!("none of its entries is a kind{near}"));
    }
    for kind in kinds {
        let Ok(paths) = document::toml_files(&folder.join(kind.folder())) else {
            wrong(format!("{} is not a folder", quoted(kind.folder())));
            continue;
        };
        for path in paths {
            match document::read_text(&path) {
                Ok(text) => {
                    let key = (kind, id_of(&path));
                    files.insert(key, (path.display().to_string(), text));
                }
                Err(error) => diagnostics.push(Diagnostic::error("DOC001", error.to_string())),
            }
        }
    }
}

/// The id that a file's name says.
pub(super) fn id_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
