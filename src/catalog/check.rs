//! What one file names must exist in another.

use super::Catalog;
use crate::diag::{Diagnostic, Diagnostics, quoted};

impl Catalog {
    /// Checks that what one file names exists in another.
    pub(super) fn check_ids(&self, diagnostics: &Diagnostics) {
        let check = |file: &str, field: &str, kind: &str, id: &str| {
            if !self.ids(kind).contains(&id) {
                diagnostics.push(
                    Diagnostic::error(
                        "MOD003",
                        format!(
                            "{file}: `{field}` names {} of models/{kind}, which is not there",
                            quoted(id)
                        ),
                    )
                    .suggest(id, self.ids(kind)),
                );
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
