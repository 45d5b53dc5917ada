//! Names: what is called what, and what is near to a name that nothing has.

use super::order::Order;
use crate::diag::{Diagnostic, quoted};
use crate::document::Item;

/// The names of everything that classes can ask for, in the order of the file.
#[derive(Default)]
pub(super) struct Names {
    pub(super) stations: Vec<String>,
    /// Bytes a second that one stream gets at a link; none at other stations.
    pub(super) streams: Vec<Option<f64>>,
    pub(super) locks: Vec<String>,
    pub(super) pools: Vec<String>,
    pub(super) caches: Vec<String>,
    /// Filled by the paths.
    pub(super) activities: Vec<String>,
    /// Who is asked for while others are held.
    pub(super) order: Order,
}

impl Names {
    /// The index of an activity, which a path names at its first use.
    pub(super) fn activity(&mut self, name: &str) -> usize {
        if let Some(known) = self.activities.iter().position(|a| a == name) {
            return known;
        }
        self.activities.push(name.to_owned());
        self.activities.len() - 1
    }
}

/// The index of a name that stands in `item` as a text.
pub(super) fn find_text(known: &[String], what: &str, item: &Item<'_>) -> Option<usize> {
    let text = item.text()?;
    find(known, &text.value).or_else(|| {
        let unknown = item.problem("NET001", unknown(what, &text.value), "not in this file");
        item.diagnostics().push(near(unknown, known, &text.value));
        None
    })
}

/// The index of a name that is the key of `item`.
pub(super) fn find_key(known: &[String], what: &str, item: &Item<'_>) -> Option<usize> {
    find(known, &item.name).or_else(|| {
        let unknown = Diagnostic::error("NET001", unknown(what, &item.name)).at(
            item.key.source,
            item.key.span.clone(),
            "not in this file",
        );
        item.diagnostics().push(near(unknown, known, &item.name));
        None
    })
}

fn find(known: &[String], name: &str) -> Option<usize> {
    known.iter().position(|k| k == name)
}

fn unknown(what: &str, name: &str) -> String {
    format!("there is no {what} {}", quoted(name))
}

fn near(diagnostic: Diagnostic, known: &[String], name: &str) -> Diagnostic {
    let all = known.iter().map(|k| quoted(k)).collect::<Vec<_>>();
    let all = if all.is_empty() { "the file has none".to_owned() } else { format!("known: {}", all.join(", ")) };
    diagnostic.suggest(name, known.iter().map(String::as_str)).help(all)
}

/// Reports a name that does not fit into a table or a message.
pub(super) fn check_name(item: &Item<'_>) {
    const CHARACTERS_MAX: usize = 60;
    let length = item.name.chars().count();
    let found = if item.name.trim().is_empty() {
        "found no character".to_owned()
    } else if length > CHARACTERS_MAX {
        format!("found {length} characters")
    } else if let Some(bad) =
        item.name.chars().find(|c| crate::diag::harmless(&c.to_string()) != c.to_string() || *c == '\n')
    {
        format!("found the character U+{:04X}", u32::from(bad))
    } else {
        return;
    };
    item.diagnostics().push(
        Diagnostic::error("NET009", format!("a name must be 1 to {CHARACTERS_MAX} visible characters on one line")).at(
            item.key.source,
            item.key.span.clone(),
            found,
        ),
    );
}
