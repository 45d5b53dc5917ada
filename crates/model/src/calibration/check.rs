//! Checks that all parts of a calibration file share: ids used once, texts that say something.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Place, quoted};
use crate::document::{Kind, Located, Reader};

/// Reports (code, message) at (place, what stands there), with what to do.
pub(super) fn report(
    reader: &Reader<'_>,
    (code, message): (&'static str, &str),
    (place, found): (&Place, &str),
    help: &str,
) {
    reader.diagnostics().push(Diagnostic::error(code, message).at(place.source, place.span.clone(), found).help(help));
}

/// A text that must be there and say something.
pub(super) fn mandatory(reader: &Reader<'_>, key: &'static str) -> Option<Located<String>> {
    reader.require(&[key]);
    let text = reader.text(key)?;
    if text.value.trim().is_empty() {
        report(
            reader,
            ("CAL014", &format!("{} is empty", quoted(&reader.full(key)))),
            (&text.place, "nothing here"),
            "say it in a few words",
        );
        return None;
    }
    Some(text)
}

/// Texts in groups: `[["fc", "iscsi"], ["nfs"]]`.
pub(super) fn groups(reader: &Reader<'_>, key: &'static str) -> Vec<Vec<Located<String>>> {
    let Some(value) = reader.raw(key) else {
        return Vec::new();
    };
    let Kind::List(items) = &value.kind else {
        reader.wrong(key, value, "a list of lists of texts");
        return Vec::new();
    };
    let mut groups = Vec::new();
    for item in items {
        let Kind::List(names) = &item.kind else {
            reader.wrong(key, item, "a list of lists of texts");
            continue;
        };
        let mut group = Vec::new();
        for name in names {
            if let Kind::Text(text) = &name.kind {
                group.push(Located { value: text.clone(), place: name.place.clone() });
            } else {
                reader.wrong(key, name, "a list of lists of texts");
            }
        }
        groups.push(group);
    }
    groups
}

/// Names that may be used once each, and where each was used first.
#[derive(Debug, Default)]
pub(super) struct Claims(BTreeMap<String, Place>);

impl Claims {
    /// Takes a name; reports it when it is taken.
    pub(super) fn claim(&mut self, reader: &Reader<'_>, name: &Located<String>, what: &str) {
        if let Some(first) = self.0.get(&name.value) {
            let (line, _) = reader.diagnostics().line_column(first);
            report(
                reader,
                ("CAL007", &format!("{what} {} occurs twice", quoted(&name.value))),
                (&name.place, &format!("first on line {line}")),
                "each needs a name of its own: rename or remove one",
            );
            return;
        }
        self.0.insert(name.value.clone(), name.place.clone());
    }

    /// The names taken.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }
}

/// Reports an id that does not begin with its source's.
pub(super) fn check_prefix(reader: &Reader<'_>, id: &Located<String>, source_id: &str) {
    let is_of_source =
        id.value.strip_prefix(source_id).and_then(|rest| rest.strip_prefix('-')).is_some_and(|rest| !rest.is_empty());
    if !is_of_source && !source_id.is_empty() {
        report(
            reader,
            ("CAL008", &format!("{} must begin with {source_id:?} and a dash", quoted(&id.value))),
            (&id.place, "the id of another source"),
            &format!("such as {source_id}-mount-both"),
        );
    }
}
