//! Layouts and scenarios by name: of the catalogue, or a file that is added to it.

use std::path::Path;

use super::failure::Failure;
use crate::catalog::{Catalog, EntryKind};
use crate::diag::{nearest_in_words, quoted};

/// The id of a layout of the catalogue, or of a file that is added to it.
pub(super) fn layout_id(catalog: &mut Catalog, name: &str) -> Result<String, Failure> {
    id(catalog, EntryKind::Layout, "layout", name)
}

/// The same for a scenario.
pub(super) fn scenario_id(catalog: &mut Catalog, name: &str) -> Result<String, Failure> {
    id(catalog, EntryKind::Scenario, "scenario", name)
}

fn id(catalog: &mut Catalog, kind: EntryKind, noun: &str, name: &str) -> Result<String, Failure> {
    if catalog.ids(kind).contains(&name) {
        return Ok(name.to_owned());
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|e| e == "toml") {
        return Ok(catalog.add_file(kind, path)?);
    }
    let near = nearest_in_words(name, catalog.ids(kind));
    let known = catalog.ids(kind).join(", ");
    let name = quoted(name);
    Err(format!("no {noun} {name}{near} (known: {known}; or a .toml file)").into())
}
