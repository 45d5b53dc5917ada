//! Reads the catalogue files of a folder that the user named.

use std::collections::BTreeMap;
use std::path::Path;

use super::KINDS;
use crate::diag::{Diagnostic, Diagnostics, nearest, quoted};
use crate::document;

/// Lays `DIR/KIND/ID.toml` over the files by kind and id; reports what cannot be read.
pub(super) fn read(
    folder: &Path,
    files: &mut BTreeMap<(String, String), (String, String)>,
    diagnostics: &Diagnostics,
) {
    let name = quoted(&folder.to_string_lossy());
    let wrong = |reason: String| {
        diagnostics.push(
            Diagnostic::error(
                "DOC001",
                format!("cannot read the models in {name}: {reason}"),
            )
            .help(format!("it holds folders named {}", KINDS.join(", "))),
        );
    };
    let listing = match std::fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(error) => return wrong(error.to_string()),
    };
    let mut inside: Vec<String> = listing
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    inside.sort();
    if !inside.iter().any(|kind| KINDS.contains(&kind.as_str())) {
        let near = inside.iter().find_map(|found| nearest(found, KINDS));
        let near = near.map_or(String::new(), |near| format!("; did you mean {near:?}?"));
        return wrong(format!("none of its entries is a kind{near}"));
    }
    for kind in inside.iter().filter(|kind| KINDS.contains(&kind.as_str())) {
        let Ok(listing) = std::fs::read_dir(folder.join(kind)) else {
            wrong(format!("{} is not a folder", quoted(kind)));
            continue;
        };
        let mut paths: Vec<_> = listing.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths
            .iter()
            .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        {
            let id = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            match document::read_text(path) {
                Ok(text) => {
                    files.insert((kind.clone(), id), (path.display().to_string(), text));
                }
                Err(error) => diagnostics.push(Diagnostic::error("DOC001", error.to_string())),
            }
        }
    }
}
