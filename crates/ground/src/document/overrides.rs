//! Overrides from the command line, laid over a document.

use toml::de::DeTable;

use super::tree::{Kind, Value, parse};
use crate::diag::{Diagnostic, Diagnostics, Place};

/// Lays `key.sub=value` over a document. The value may be TOML (`3`, `["a"]`) or bare text (`34 GiB`);
/// an element of a list is addressed by its number from 0 (`site.1.developers=40`).
///
/// Reports an override that has no `=` or whose key is not one; unknown keys are found by the reader.
pub fn apply_override(root: &mut Value, text: &str, diagnostics: &mut Diagnostics) {
    apply_layer(root, "--set", text, diagnostics);
}

/// The same from another layer, whose name stands in origins and messages.
pub fn apply_layer(root: &mut Value, layer: &str, text: &str, diagnostics: &mut Diagnostics) {
    let parts = text.split_once('=');
    let Some((key, raw)) = parts.filter(|(key, _)| !key.trim().is_empty()) else {
        let source = diagnostics.add_source(layer, text);
        let missing = match parts {
            Some(_) => "no key before \"=\"",
            None => "no \"=\" here",
        };
        diagnostics.push(
            Diagnostic::error("DOC010", "an override needs a key and a value")
                .at(source, 0..text.len(), missing)
                .help("write --set key=value, such as --set people.developers=400"),
        );
        return;
    };
    let as_toml = format!("{} = {}", key.trim(), raw.trim());
    let as_text = format!("{} = {}", key.trim(), toml::Value::String(raw.trim().to_owned()));
    let line = if DeTable::parse(&as_toml).is_ok() { as_toml } else { as_text };
    let source = diagnostics.add_source(layer, line);
    if let Some(read) = parse(source, diagnostics) {
        merge(root, read, "", diagnostics);
    }
}

fn merge(base: &mut Value, layer: Value, path: &str, diagnostics: &Diagnostics) {
    let below = |key: &str| {
        if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
    };
    match (&mut base.kind, layer.kind) {
        (Kind::Table(entries), Kind::Table(over)) => {
            for (key, (place, value)) in over {
                match entries.get_mut(&key) {
                    Some((_, old)) => merge(old, value, &below(&key), diagnostics),
                    None => {
                        entries.insert(key, (place, value));
                    }
                }
            }
        }
        (Kind::List(items), Kind::Table(over)) => {
            let length = items.len();
            for (key, (place, value)) in over {
                match key.parse().ok().and_then(|i: usize| items.get_mut(i)) {
                    Some(item) => merge(item, value, &below(&key), diagnostics),
                    None => diagnostics.push(no_element(path, length, place)),
                }
            }
        }
        (kind, over) => {
            *kind = over;
            base.place = layer.place;
        }
    }
}

/// An override addresses an element that a list does not have.
fn no_element(path: &str, length: usize, place: Place) -> Diagnostic {
    let help = match length {
        0 => "the list is empty".to_owned(),
        1 => "the list has one element, number 0".to_owned(),
        n => format!("the list has {n} elements, numbered from 0 to {}", n - 1),
    };
    Diagnostic::error("DOC010", format!("no such element in the list {path:?}"))
        .at(place.source, place.span, "not the number of one")
        .help(help)
}
