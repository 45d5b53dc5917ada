//! `plimsoll models [KIND]`: what the catalogue holds.

use clap::Args;
use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::output::Outcome;
use super::session::Library;
use super::{Common, Format};
use crate::catalog::{Entry, KINDS};
use crate::diag::nearest_in_words;
use crate::report::line;
use crate::report::table::Table;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// One of protocols, filesystems, media, raid, arrays, caches, servers, networks, commands, layouts, scenarios, settings
    kind: Option<String>,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let library = Library::load(&arguments.common)?;
    let asked = arguments.kind.as_deref();
    let kinds: Vec<&str> = KINDS
        .into_iter()
        .filter(|k| asked.is_none_or(|a| a == *k))
        .collect();
    if let Some(kind) = asked.filter(|_| kinds.is_empty()) {
        let near = nearest_in_words(kind, KINDS);
        let (kind, known) = (crate::diag::quoted(kind), KINDS.join(", "));
        return Err(format!("no kind {kind}{near} (known: {known})").into());
    }
    Ok(match arguments.common.format {
        Format::Text => {
            let mut out = String::new();
            for kind in kinds {
                let mut table = Table::new(&["id", "what it is"]);
                for entry in library.catalog.entries(kind) {
                    table.row(vec![entry.id.clone(), entry.title.clone()]);
                }
                line!(out, "{kind}\n{}", table.render());
            }
            out.push_str("`plimsoll explain ID` shows an entry with the origin of each number.\n");
            Outcome::done(out)
        }
        Format::Json => {
            let mut map = Map::new();
            map.insert("schema".to_owned(), crate::report::SCHEMA.into());
            map.insert("tool".to_owned(), env!("CARGO_PKG_VERSION").into());
            for kind in kinds {
                let entries: Vec<Value> = library
                    .catalog
                    .entries(kind)
                    .into_iter()
                    .map(entry_json)
                    .collect();
                map.insert(kind.to_owned(), entries.into());
            }
            Outcome::json(&Value::Object(map), false)
        }
    })
}

/// An entry with its facts.
pub(super) fn entry_json(entry: &Entry) -> Value {
    let facts: Vec<Value> = entry
        .facts
        .iter()
        .map(|f| {
            json!({
                "path": f.path,
                "value": f.value,
                "origin": f.origin.kind(),
                "from": f.origin.ids(),
                "why": f.origin.to_string(),
            })
        })
        .collect();
    json!({ "id": entry.id, "title": entry.title, "summary": entry.summary, "facts": facts })
}
