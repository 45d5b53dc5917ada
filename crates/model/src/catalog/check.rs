//! What one file names must exist in another.

use std::collections::BTreeMap;

use super::{Catalog, EntryKind};
use crate::diag::{Diagnostic, Diagnostics, Place, quoted};
use crate::document::{Kind, TEXT_MAX, Value};

/// Files as they were read, by kind and id.
pub(super) type Roots = BTreeMap<(EntryKind, String), Value>;

/// Fields that name other files: kind of the file, path of the field, kind that it names. `[]` stands behind lists.
const NAMES: [(EntryKind, &str, EntryKind); 28] = [
    (EntryKind::Array, "protocols[]", EntryKind::Protocol),
    (EntryKind::Array, "cache_options[]", EntryKind::Cache),
    (EntryKind::Array, "medium", EntryKind::Medium),
    (EntryKind::Filesystem, "log_device", EntryKind::Medium),
    (EntryKind::Array, "raid", EntryKind::Raid),
    (EntryKind::Server, "internal_medium", EntryKind::Medium),
    (EntryKind::Server, "processor", EntryKind::Processor),
    (EntryKind::Server, "provider", EntryKind::Provider),
    (EntryKind::Provider, "block", EntryKind::Array),
    (EntryKind::Provider, "services[]", EntryKind::Array),
    (EntryKind::Provider, "general", EntryKind::Medium),
    (EntryKind::Provider, "provisioned", EntryKind::Medium),
    (EntryKind::Provider, "throughput", EntryKind::Medium),
    (EntryKind::Server, "usual.media[]", EntryKind::Medium),
    (EntryKind::Scenario, "herd[].command", EntryKind::Command),
    (EntryKind::Layout, "cache", EntryKind::Cache),
    (EntryKind::Layout, "volume[].device", EntryKind::Array),
    (EntryKind::Layout, "volume[].protocol", EntryKind::Protocol),
    (EntryKind::Layout, "volume[].filesystem", EntryKind::Filesystem),
    (EntryKind::Layout, "volume[].raid", EntryKind::Raid),
    (EntryKind::Layout, "volume[].medium", EntryKind::Medium),
    (EntryKind::Change, "includes[]", EntryKind::Change),
    (EntryKind::Change, "action[].medium", EntryKind::Medium),
    (EntryKind::Change, "action[].raid", EntryKind::Raid),
    (EntryKind::Change, "action[].array", EntryKind::Array),
    (EntryKind::Change, "action[].network", EntryKind::Network),
    (EntryKind::Change, "action[].family", EntryKind::Processor),
    (EntryKind::Tool, "sends", EntryKind::Command),
];

/// Lists of conditions, of which some name other files: `protocol:nfsv3`.
const CONDITIONS: [&str; 2] = ["setting[].when[]", "setting[].unless[]"];

impl Catalog {
    /// Checks that what one file names exists in another: a file with faults is there, and was reported.
    ///
    /// Looks at the files as they were written, so that a field that could not be read hides no other.
    pub(super) fn check_ids(&self, roots: &Roots, diagnostics: &Diagnostics) {
        for ((own_kind, own), root) in roots {
            let own_kind = *own_kind;
            let fields = NAMES.into_iter().filter(|(of, ..)| *of == own_kind);
            for (_, path, kind) in fields {
                for (id, place) in texts_at(root, path) {
                    let check = Named { path, kind, id };
                    self.check_id((own_kind, own), &check, place, diagnostics);
                }
            }
            for path in CONDITIONS.iter().filter(|_| own_kind == EntryKind::Settings) {
                for (word, place) in texts_at(root, path) {
                    let (kind, id) = match word.split_once(':') {
                        Some(("protocol", id)) => (EntryKind::Protocol, id),
                        Some(("array", id)) => (EntryKind::Array, id),
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
        (own_kind, own): (EntryKind, &str),
        named: &Named<'_>,
        place: &Place,
        diagnostics: &Diagnostics,
    ) {
        let Named { path, kind, id } = *named;
        let of_kind = self.files.keys().filter(|(known, _)| *known == kind);
        let known = of_kind.map(|(_, id)| id.as_str());
        if known.clone().any(|known| known == id) {
            return;
        }
        let file = self.file(own_kind, own);
        let path = path.trim_end_matches("[]");
        let field = path.rsplit_once("[].").map_or(path, |(_, field)| field);
        let what = quoted(id);
        let message = format!("{file}: `{field}` names {what} of models/{}, which does not exist", kind.folder());
        let d =
            Diagnostic::error("MOD003", message).at(place.source, place.span.clone(), "names it").suggest(id, known);
        diagnostics.push(d);
    }

    /// Checks that a scenario is like one that states its own load.
    fn check_likes(&self, roots: &Roots, diagnostics: &Diagnostics) {
        let scenarios = roots.iter().filter(|((kind, _), _)| *kind == EntryKind::Scenario);
        for ((_, id), root) in scenarios {
            for (like, place) in texts_at(root, "like") {
                let key = (EntryKind::Scenario, like.to_owned());
                let states_own = match (self.scenarios.get(like), roots.get(&key)) {
                    (Some(other), _) => other.like.is_none(),
                    (None, Some(other)) => texts_at(other, "like").is_empty(),
                    // One whose own file could not be read was reported.
                    (None, None) => self.files.contains_key(&key),
                };
                if states_own {
                    continue;
                }
                let file = self.file(EntryKind::Scenario, id);
                let message =
                    format!("{file}: `like` names {}, which is no scenario with a load of its own", quoted(like));
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
    kind: EntryKind,
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
