//! What one file names must exist in another.

use std::collections::BTreeMap;

use super::Catalog;
use crate::diag::{Diagnostic, Diagnostics, Place, quoted};
use crate::document::{self, Kind, Value};

/// Files as they were read, by kind and id.
pub(super) type Roots = BTreeMap<(String, String), Value>;

impl Catalog {
    /// Checks that what one file names exists in another: an entry whose own file is faulty is there, and was reported.
    /// The places are those in `roots`.
    pub(super) fn check_ids(&self, roots: &Roots, diagnostics: &Diagnostics) {
        let check = |(own_kind, own): (&str, &str), field: &str, kind: &str, id: &str| {
            let known = || {
                let of_kind = self.files.keys().filter(|(k, _)| k == kind);
                of_kind.map(|(_, id)| id.as_str())
            };
            if known().any(|known| known == id) {
                return;
            }
            let file = self.file(own_kind, own);
            let what = quoted(id);
            let message =
                format!("{file}: `{field}` names {what} of models/{kind}, which is not there");
            let mut d = Diagnostic::error("MOD003", message).suggest(id, known());
            let root = roots.get(&(own_kind.to_owned(), own.to_owned()));
            if let Some(place) = root.and_then(|root| place_of(root, field, id)) {
                d = d.at(place.source, place.span.clone(), "names it");
            }
            diagnostics.push(d);
        };
        for (id, array) in &self.arrays {
            let file = ("arrays", id.as_str());
            array
                .protocols
                .iter()
                .for_each(|p| check(file, "protocols", "protocols", p));
            array
                .cache_options
                .iter()
                .for_each(|c| check(file, "cache_options", "caches", c));
            check(file, "medium", "media", &array.medium);
            check(file, "raid", "raid", &array.raid);
        }
        for (id, server) in &self.servers {
            let file = ("servers", id.as_str());
            check(file, "internal_medium", "media", &server.internal_medium);
            let storage = server.storage.iter();
            storage.for_each(|id| check(file, "storage", "arrays", id));
            let media = server.usual.iter().flat_map(|usual| &usual.media);
            media.for_each(|id| check(file, "usual.media", "media", id));
        }
        for (id, scenario) in &self.scenarios {
            let file = ("scenarios", id.as_str());
            for herd in &scenario.herds {
                check(file, "command", "commands", &herd.command);
            }
        }
        for (id, file) in &self.settings {
            let name = ("settings", id.as_str());
            for word in file
                .list
                .iter()
                .flat_map(|s| s.when.iter().chain(&s.unless))
            {
                match word.split_once(':') {
                    Some(("protocol", id)) => check(name, "when", "protocols", id),
                    Some(("array", id)) => check(name, "when", "arrays", id),
                    _ => {}
                }
            }
        }
        for (id, layout) in &self.layouts {
            let file = ("layouts", id.as_str());
            layout
                .cache
                .iter()
                .for_each(|c| check(file, "cache", "caches", c));
            for volume in &layout.volumes {
                for (field, kind, named) in [
                    ("device", "arrays", &volume.device),
                    ("protocol", "protocols", &volume.protocol),
                    ("filesystem", "filesystems", &volume.filesystem),
                    ("raid", "raid", &volume.raid),
                    ("medium", "media", &volume.medium),
                ] {
                    if let Some(id) = named {
                        check(file, field, kind, id);
                    }
                }
            }
        }
    }
}

/// Points at the place where a file names something in a field; at nothing where that cannot be found.
pub(super) fn named_at(
    diagnostic: Diagnostic,
    diagnostics: &Diagnostics,
    file: &str,
    field: &str,
    id: &str,
) -> Diagnostic {
    let Some(source) = diagnostics.source_named(file) else {
        return diagnostic;
    };
    // It was read before, so that there is nothing new to report.
    let root = document::parse(source, diagnostics);
    match root.as_ref().and_then(|root| place_of(root, field, id)) {
        Some(place) => diagnostic.at(place.source, place.span.clone(), "not there"),
        None => diagnostic,
    }
}

/// Where a file has the id under a key, as a text or in a list; in conditions behind a colon.
fn place_of<'v>(value: &'v Value, field: &str, id: &str) -> Option<&'v Place> {
    let named = |text: &str| text == id || text.rsplit_once(':').is_some_and(|(_, end)| end == id);
    match &value.kind {
        Kind::Table(entries) => entries.iter().find_map(|(key, (_, below))| {
            let is_it = |value: &&Value| matches!(&value.kind, Kind::Text(text) if named(text));
            let own = (key == field).then(|| match &below.kind {
                Kind::List(items) => items.iter().find(is_it),
                _ => Some(below).filter(is_it),
            });
            let own = own.flatten().map(|value| &value.place);
            own.or_else(|| place_of(below, field, id))
        }),
        Kind::List(items) => items.iter().find_map(|item| place_of(item, field, id)),
        _ => None,
    }
}
