//! Layouts and scenarios by name: of the catalogue, or a file that is added to it.

use std::path::Path;

use super::Format;
use super::output::Outcome;
use crate::catalog::Catalog;
use crate::diag::{nearest, quoted};

/// The id of a layout of the catalogue, or of a file that is added to it.
pub(super) fn layout_id(
    catalog: &mut Catalog,
    name: &str,
    format: Format,
) -> Result<String, Outcome> {
    id(catalog, "layouts", "layout", name, format)
}

/// The same for a scenario.
pub(super) fn scenario_id(
    catalog: &mut Catalog,
    name: &str,
    format: Format,
) -> Result<String, Outcome> {
    id(catalog, "scenarios", "scenario", name, format)
}

fn id(
    catalog: &mut Catalog,
    kind: &str,
    noun: &str,
    name: &str,
    format: Format,
) -> Result<String, Outcome> {
    if catalog.ids(kind).contains(&name) {
        return Ok(name.to_owned());
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|e| e == "toml") {
        return catalog
            .add_file(kind, path)
            .map_err(|d| Outcome::diagnostics(&d.render(), &d.to_json(), format));
    }
    let near = nearest(name, catalog.ids(kind))
        .map_or(String::new(), |near| format!("; did you mean {near:?}?"));
    let known = catalog.ids(kind).join(", ");
    let name = quoted(name);
    Err(Outcome::wrong_as(
        &format!("no {noun} {name}{near} (known: {known}; or a .toml file)"),
        format,
    ))
}
