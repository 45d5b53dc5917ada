//! What one file names must exist in another.

use std::collections::BTreeMap;

use super::Catalog;
use crate::diag::{Diagnostic, Diagnostics, Place, quoted};
use crate::document::{Kind, TEXT_MAX, Value};

/// Files as they were read, by kind and id.
pub(super) type Roots = BTreeMap<(String, String), Value>;

/// Fields that name other files: kind of the file, path of the field, kind that it names. `[]` stands behind lists.
const NAMES: [(&str, &str, &str); 27] = [
    ("arrays", "protocols[]", "protocols"),
    ("arrays", "cache_options[]", "caches"),
    ("arrays", "medium", "media"),
    ("arrays", "raid", "raid"),
    ("servers", "internal_medium", "media"),
    ("servers", "processor", "processors"),
    ("servers", "provider", "providers"),
    ("providers", "block", "arrays"),
    ("providers", "services[]", "arrays"),
    ("providers", "general", "media"),
    ("providers", "provisioned", "media"),
    ("providers", "throughput", "media"),
    ("servers", "usual.media[]", "media"),
    ("scenarios", "herd[].command", "commands"),
    ("layouts", "cache", "caches"),
    ("layouts", "volume[].device", "arrays"),
    ("layouts", "volume[].protocol", "protocols"),
    ("layouts", "volume[].filesystem", "filesystems"),
    ("layouts", "volume[].raid", "raid"),
    ("layouts", "volume[].medium", "media"),
    ("changes", "includes[]", "changes"),
    ("changes", "action[].medium", "media"),
    ("changes", "action[].raid", "raid"),
    ("changes", "action[].array", "arrays"),
    ("changes", "action[].network", "networks"),
    ("changes", "action[].family", "processors"),
    ("tools", "sends", "commands"),
];

/// Lists of conditions, of which some name other files: `protocol:nfsv3`.
const CONDITIONS: [&str; 2] = ["setting[].when[]", "setting[].unless[]"];

impl Catalog {
    /// Checks that what one file names exists in another: a file with faults is there, and was reported.
    ///
    /// Looks at the files as they were written, so that a field that could not be read hides no other.
    pub(super) fn check_ids(&self, roots: &Roots, diagnostics: &Diagnostics) {
        for ((own_kind, own), root) in roots {
            let fields = NAMES.iter().filter(|(of, ..)| of == own_kind);
            for (_, path, kind) in fields {
                for (id, place) in texts_at(root, path) {
                    let check = Named { path, kind, id };
                    self.check_id((own_kind, own), &check, place, diagnostics);
                }
            }
            for path in CONDITIONS.iter().filter(|_| own_kind == "settings") {
                for (word, place) in texts_at(root, path) {
                    let (kind, id) = match word.split_once(':') {
                        Some(("protocol", id)) => ("protocols", id),
                        Some(("array", id)) => ("arrays", id),
                        _ => continue,
                    };
                    // A condition without an id is no condition, which was reported.
                    if !id.is_empty() {
                        let check = Named { path, kind, id };
                        self.check_id((own_kind, own), &check, place, diagnostics);
                    }
                }
            }
        }
        self.check_likes(roots, diagnostics);
    }

    fn check_id(
        &self,
        (own_kind, own): (&str, &str),
        named: &Named<'_>,
        place: &Place,
        diagnostics: &Diagnostics,
    ) {
        let Named { path, kind, id } = *named;
        let of_kind = self.files.keys().filter(|(k, _)| k == kind);
        let known = of_kind.map(|(_, id)| id.as_str());
        if known.clone().any(|known| known == id) {
            return;
        }
        let file = self.file(own_kind, own);
        let path = path.trim_end_matches("[]");
        let field = path.rsplit_once("[].").map_or(path, |(_, field)| field);
        let what = quoted(id);
        let message =
            format!("{file}: `{field}` names {what} of models/{kind}, which does not exist");
        let d = Diagnostic::error("MOD003", message)
            .at(place.source, place.span.clone(), "names it")
            .suggest(id, known);
        diagnostics.push(d);
    }

    /// Checks that a scenario is like one that states its own load.
    fn check_likes(&self, roots: &Roots, diagnostics: &Diagnostics) {
        let scenarios = roots.iter().filter(|((kind, _), _)| kind == "scenarios");
        for ((_, id), root) in scenarios {
            for (like, place) in texts_at(root, "like") {
                let key = ("scenarios".to_owned(), like.to_owned());
                let states_own = match (self.scenarios.get(like), roots.get(&key)) {
                    (Some(other), _) => other.like.is_none(),
                    (None, Some(other)) => texts_at(other, "like").is_empty(),
                    // One whose own file could not be read was reported.
                    (None, None) => self.files.contains_key(&key),
                };
                if states_own {
                    continue;
                }
                let file = self.file("scenarios", id);
                let message = format!(
                    "{file}: `like` names {}, which is no scenario with a load of its own",
                    quoted(like)
                );
                let known = self.scenarios.values().filter(|s| s.like.is_none());
                let d = Diagnostic::error("MOD003", message)
                    .at(place.source, place.span.clone(), "not there")
                    .suggest(like, known.map(|s| s.entry.id.as_str()));
                diagnostics.push(d);
            }
        }
    }
}

/// An id that a field names.
struct Named<'a> {
    /// The field, as in [`NAMES`].
    path: &'a str,
    /// Kind of the file that it names.
    kind: &'a str,
    id: &'a str,
}

/// The texts at a path below a value, and where they stand. What is of another kind was reported.
fn texts_at<'v>(value: &'v Value, path: &str) -> Vec<(&'v str, &'v Place)> {
    let mut values = vec![value];
    for step in path.split('.') {
        let key = step.trim_end_matches("[]");
        let below = values.into_iter().filter_map(|value| match &value.kind {
            Kind::Table(entries) => entries.get(key).map(|(_, below)| below),
            _ => None,
        });
        values = if key == step {
            below.collect()
        } else {
            let items = below.filter_map(|value| match &value.kind {
                Kind::List(items) => Some(items),
                _ => None,
            });
            items.flatten().collect()
        };
    }
    let texts = values.into_iter().filter_map(|value| match &value.kind {
        Kind::Text(text) if text.chars().count() <= TEXT_MAX => Some((text.as_str(), &value.place)),
        _ => None,
    });
    texts.collect()
}
