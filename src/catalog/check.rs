//! What one file names must exist in another.

use super::Catalog;
use crate::diag::{Diagnostic, Diagnostics, Place, quoted};
use crate::document::{self, Kind, Value};

impl Catalog {
    /// Checks that what one file names exists in another.
    pub(super) fn check_ids(&self, diagnostics: &Diagnostics) {
        let check = |file: &str, field: &str, kind: &str, id: &str| {
            if !self.ids(kind).contains(&id) {
                let message = format!(
                    "{file}: `{field}` names {} of models/{kind}, which is not there",
                    quoted(id)
                );
                let d = Diagnostic::error("MOD003", message);
                let d = named_at(d, diagnostics, (file, field), id);
                diagnostics.push(d.suggest(id, self.ids(kind)));
            }
        };
        for (id, array) in &self.arrays {
            let file = self.file("arrays", id);
            array
                .protocols
                .iter()
                .for_each(|p| check(&file, "protocols", "protocols", p));
            array
                .cache_options
                .iter()
                .for_each(|c| check(&file, "cache_options", "caches", c));
            check(&file, "medium", "media", &array.medium);
            check(&file, "raid", "raid", &array.raid);
        }
        for (id, server) in &self.servers {
            let file = self.file("servers", id);
            check(&file, "internal_medium", "media", &server.internal_medium);
            let storage = server.storage.iter();
            storage.for_each(|id| check(&file, "storage", "arrays", id));
            let media = server.usual.iter().flat_map(|usual| &usual.media);
            media.for_each(|id| check(&file, "usual.media", "media", id));
        }
        for (id, scenario) in &self.scenarios {
            let file = self.file("scenarios", id);
            for herd in &scenario.herds {
                check(&file, "command", "commands", &herd.command);
            }
        }
        for (id, file) in &self.settings {
            let name = self.file("settings", id);
            for word in file
                .list
                .iter()
                .flat_map(|s| s.when.iter().chain(&s.unless))
            {
                match word.split_once(':') {
                    Some(("protocol", id)) => check(&name, "when", "protocols", id),
                    Some(("array", id)) => check(&name, "when", "arrays", id),
                    _ => {}
                }
            }
        }
        for (id, layout) in &self.layouts {
            let file = self.file("layouts", id);
            layout
                .cache
                .iter()
                .for_each(|c| check(&file, "cache", "caches", c));
            for volume in &layout.volumes {
                for (field, kind, named) in [
                    ("device", "arrays", &volume.device),
                    ("protocol", "protocols", &volume.protocol),
                    ("filesystem", "filesystems", &volume.filesystem),
                    ("raid", "raid", &volume.raid),
                    ("medium", "media", &volume.medium),
                ] {
                    if let Some(id) = named {
                        check(&file, field, kind, id);
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
    (file, field): (&str, &str),
    id: &str,
) -> Diagnostic {
    let Some(source) = diagnostics.source_named(file) else {
        return diagnostic;
    };
    // It was read before, so that there is nothing new to report.
    let root = document::parse(source, diagnostics);
    match root.and_then(|root| place_of(&root, field, id, false)) {
        Some(place) => diagnostic.at(place.source, place.span, "not there"),
        None => diagnostic,
    }
}

/// The first text below a key that is an id, or `KIND:ID`.
fn place_of(value: &Value, field: &str, id: &str, below: bool) -> Option<Place> {
    match &value.kind {
        Kind::Text(text) if below => {
            let named = text.rsplit_once(':').map_or(text.as_str(), |(_, id)| id);
            (text == id || named == id).then(|| value.place.clone())
        }
        Kind::List(items) => items
            .iter()
            .find_map(|item| place_of(item, field, id, below)),
        Kind::Table(entries) => entries.iter().find_map(|(key, (_, item))| {
            place_of(
                item,
                field,
                id,
                below || key == field || key == "unless" && field == "when",
            )
        }),
        _ => None,
    }
}
