//! `plimsoll models [KIND]`: what the catalogue holds.

use clap::Args;
use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::output::Outcome;
use super::session::Library;
use super::{Common, Format};
use crate::catalog::{Catalog, Entry, KINDS};
use crate::diag::nearest_in_words;
use crate::page::{Block, Page, Section, Table};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// One kind alone, such as arrays, media, layouts, commands; without it all are listed
    kind: Option<String>,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let library = Library::load(&arguments.common)?;
    let asked = arguments.kind.as_deref();
    let kinds: Vec<&'static str> = KINDS
        .into_iter()
        .filter(|k| asked.is_none_or(|a| a == *k))
        .collect();
    if let Some(kind) = asked.filter(|_| kinds.is_empty()) {
        let near = nearest_in_words(kind, KINDS);
        let (kind, known) = (crate::diag::quoted(kind), KINDS.join(", "));
        return Err(format!("no kind {kind}{near} (known: {known})").into());
    }
    let catalog = &library.catalog;
    Ok(match arguments.common.format {
        Format::Text => Outcome::page(&page(catalog, &kinds), false),
        Format::Json => {
            let mut told = Map::new();
            told.insert("schema".to_owned(), crate::report::SCHEMA.into());
            told.insert("tool".to_owned(), env!("CARGO_PKG_VERSION").into());
            told.extend(kinds.into_iter().map(|kind| {
                let entries = catalog.entries(kind).into_iter().map(entry_json);
                (kind.to_owned(), entries.collect())
            }));
            Outcome::json(&Value::Object(told), false)
        }
    })
}

/// A section a kind, with its entries.
fn page(catalog: &Catalog, kinds: &[&'static str]) -> Page {
    let sections = kinds.iter().map(|kind| {
        let entries = catalog.entries(kind).into_iter();
        let rows = entries.map(|entry| vec![entry.id.clone(), entry.title.clone()]);
        let table = Table::new(&["id", "what it is"]).with(rows);
        Section::new(kind, kind, [table.into()])
    });
    let next = Block::text("`plimsoll explain ID` shows an entry with the origin of each number.");
    let sections = sections.chain([Section::untitled([next])]);
    Page::new("What the catalogue holds", sections.collect())
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
