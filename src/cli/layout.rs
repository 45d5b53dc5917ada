//! Layouts and scenarios by name: of the catalogue, or a file that is added to it.

use std::path::Path;

use super::failure::Failure;
use crate::advisor::{Instead, candidates};
use crate::catalog::{Catalog, EntryKind};
use crate::diag::{nearest_in_words, quoted};
use crate::site::Site;

/// The id of a layout of the catalogue, or of a file that is added to it.
pub(super) fn layout_id(catalog: &mut Catalog, site: &Site, name: &str) -> Result<String, Failure> {
    match id(catalog, EntryKind::Layout, name)? {
        Some(id) => Ok(id),
        None => Err(unknown(catalog, site, name, &catalog.ids(EntryKind::Layout)).into()),
    }
}

/// The id of a scenario of the catalogue, or of a file that is added to it.
pub(super) fn scenario_id(catalog: &mut Catalog, name: &str) -> Result<String, Failure> {
    let kind = EntryKind::Scenario;
    if let Some(id) = id(catalog, kind, name)? {
        return Ok(id);
    }
    let near = nearest_in_words(name, catalog.ids(kind));
    let known = catalog.ids(kind).join(", ");
    let name = quoted(name);
    Err(format!("no scenario {name}{near} (known: {known}; or a .toml file)").into())
}

/// The id of an entry, or of a file that is added; `None` where there is none.
fn id(catalog: &mut Catalog, kind: EntryKind, name: &str) -> Result<Option<String>, Failure> {
    if catalog.ids(kind).contains(&name) {
        return Ok(Some(name.to_owned()));
    }
    let path = Path::new(name);
    let is_file = path.extension().is_some_and(|e| e == "toml");
    Ok(if is_file { Some(catalog.add_file(kind, path)?) } else { None })
}

/// That no layout has this name, which of the words may be meant, and the layouts that the site can have.
pub(super) fn unknown(catalog: &Catalog, site: &Site, name: &str, words: &[&str]) -> String {
    let near = nearest_in_words(name, words.iter().copied());
    let meant = Instead::of(catalog, name).filter(|_| near.is_empty());
    let meant = meant.map_or(String::new(), |meant| {
        format!(
            "\n{}: `plimsoll advise SITE.toml --why-not {}` shows the best layout with it",
            meant.name(catalog),
            meant.word()
        )
    });
    format!(
        "no layout {}{near}{meant}\nLayouts of this site ({}):{}",
        quoted(name),
        "others: `plimsoll models layouts`, or a .toml file",
        of_site(catalog, site)
    )
}

/// The layouts that a site can have, a line for each.
pub(super) fn of_site(catalog: &Catalog, site: &Site) -> String {
    let (found, _) = candidates(site, catalog);
    let can_have = |id: &str| found.iter().any(|one| one.deployment.layout == id);
    let all = catalog.layouts.values().map(|layout| &layout.entry);
    all.filter(|entry| can_have(&entry.id))
        .map(|entry| format!("\n  {:26}{}", entry.id, entry.title))
        .collect::<Vec<_>>()
        .concat()
}
