//! `plimsoll models [KIND]`: what the catalogue holds.

use std::collections::BTreeMap;

use clap::Args;

use super::failure::Failure;
use super::output::Outcome;
use super::session::Library;
use super::{Common, Format};
use crate::catalog::{Catalog, Entry, EntryKind, Fact, KINDS};
use crate::diag::nearest_in_words;
use crate::page::{Block, Page, Section, Table};
use crate::report::SCHEMA;
use crate::report::json::{Tool, list, object};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// One kind alone, such as arrays, media, layouts, commands; without it all are listed
    kind: Option<String>,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let library = Library::load(&arguments.common)?;
    let kinds = match arguments.kind.as_deref() {
        None => EntryKind::ALL.to_vec(),
        Some(kind) => vec![EntryKind::of_folder(kind).ok_or_else(|| {
            let near = nearest_in_words(kind, KINDS);
            let (kind, known) = (crate::diag::quoted(kind), KINDS.join(", "));
            format!("no kind {kind}{near} (known: {known})")
        })?],
    };
    let catalog = &library.catalog;
    Ok(match arguments.common.format {
        Format::Text => Outcome::page(&page(catalog, &kinds), false),
        Format::Json => Outcome::json(&Catalogued::of(catalog, &kinds), false),
    })
}

/// A section a kind, with its entries.
fn page(catalog: &Catalog, kinds: &[EntryKind]) -> Page {
    let sections = kinds.iter().map(|kind| {
        let entries = catalog.entries(*kind).into_iter();
        let rows = entries.map(|entry| vec![entry.id.clone(), entry.title.clone()]);
        let table = Table::new(&["id", "what it is"]).with(rows);
        Section::new(kind.folder(), kind.folder(), [table.into()])
    });
    let next = Block::text("`plimsoll explain ID` shows an entry with the origin of each number.");
    let sections = sections.chain([Section::untitled([next])]);
    Page::new("What the catalogue holds", sections.collect())
}

object! {
    /// `models`.
    Catalogued of (catalog: &Catalog, kinds: &[EntryKind]) [
        let entries = |kind: &EntryKind| (kind.folder().to_owned(), list(catalog.entries(*kind), EntryJson::of));
    ] {
        #[serde(flatten)] tool: Tool = Tool::of(SCHEMA);
        #[serde(flatten)] kinds: BTreeMap<String, Vec<EntryJson>> = kinds.iter().map(entries).collect(), "A list for each kind, such as `arrays`.";
    }

    /// An entry of the catalogue.
    #[schemars(rename = "Entry")]
    EntryJson of (entry: &Entry) {
        id: String = entry.id.clone();
        title: String = entry.title.clone();
        summary: String = entry.summary.clone(), "What it is.";
        facts: Vec<FactJson> = list(&entry.facts, FactJson::of), "What is known of it.";
    }

    /// A fact about an entry.
    #[schemars(rename = "Fact")]
    FactJson of (fact: &Fact) {
        path: String = fact.path.clone(), "Its key.";
        value: String = fact.value.clone(), "With its unit.";
        origin: &'static str = fact.origin.kind(), "The kind of origin.";
        from: Vec<String> = fact.origin.ids().to_vec(), "Ids of what it was taken from.";
        why: String = fact.origin.to_string(), "The origin in words.";
    }
}
