//! One source: who wrote it, the setups it describes, what it found.
//!
//! Knows the shape of `<id>.toml`, and of `[[configuration]]`, the rows of E07's table of servers.

use std::collections::BTreeSet;

use super::check::{Claims, check_prefix, mandatory, report};
use super::configuration::{self, Configuration};
use super::datum::{self, Context, Datum};
use crate::diag::quoted;
use crate::document::{Located, Reader};

/// A host, storage, network, release and data set that data refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Begins with the source's id.
    pub id: String,
    /// A noun phrase.
    pub title: String,
    /// Where in the source.
    pub section: String,
    /// The description.
    pub text: String,
}

/// A publication and what was taken from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// A letter and the year's two digits; the file's name.
    pub id: String,
    /// As published.
    pub title: String,
    /// As published.
    pub authors: Vec<String>,
    /// Year or year-month.
    pub published: String,
    /// Number, publisher, occasion.
    pub document: String,
    /// What it pins down and what it cannot.
    pub summary: String,
    /// In the order of the file.
    pub setups: Vec<Setup>,
    /// In the order of the file.
    pub data: Vec<Datum>,
    /// The rows of a table of servers, where the source has one.
    pub configurations: Vec<Configuration>,
}

impl Source {
    /// The setup of that id.
    pub fn setup(&self, id: &str) -> Option<&Setup> {
        self.setups.iter().find(|setup| setup.id == id)
    }
}

/// Reads a source; `stem` is its file's name without `.toml`.
pub(super) fn read(reader: &Reader<'_>, stem: &str) -> Source {
    check_schema(reader);
    let id = mandatory(reader, "id");
    if let Some(id) = &id {
        check_id(reader, id, stem);
    }
    let text = |key| mandatory(reader, key).map(|t| t.value).unwrap_or_default();
    let mut setup_ids = Claims::default();
    let setups: Vec<Setup> = reader.tables("setup").iter().map(|r| read_setup(r, stem, &mut setup_ids)).collect();
    let known: BTreeSet<String> = setup_ids.names().cloned().collect();
    let context = Context { source_id: stem, setups: &known };
    let mut ids = Claims::default();
    let data = reader.tables("datum");
    let data = data.iter().filter_map(|r| datum::read(r, &context, &mut ids));
    let mut numbers = Claims::default();
    let rows = reader.tables("configuration");
    reader.require(&["authors"]);
    let authors = reader.texts("authors").unwrap_or_default();
    let source = Source {
        id: stem.to_owned(),
        title: text("title"),
        authors: authors.into_iter().map(|author| author.value).collect(),
        published: read_published(reader),
        document: text("document"),
        summary: text("summary"),
        setups,
        data: data.collect(),
        configurations: rows.iter().filter_map(|r| configuration::read(r, &mut numbers)).collect(),
    };
    reader.finish();
    source
}

/// The only version of the schema that there is.
pub(super) fn check_schema(reader: &Reader<'_>) {
    reader.require(&["schema"]);
    let Some(schema) = reader.number("schema") else {
        return;
    };
    if schema.value != 1.0 {
        report(
            reader,
            ("CAL012", "unknown schema"),
            (&schema.place, "not 1"),
            "this program reads schema = 1; a newer file needs a newer program",
        );
    }
}

fn check_id(reader: &Reader<'_>, id: &Located<String>, stem: &str) {
    if id.value != stem {
        report(
            reader,
            ("CAL008", &format!("id {} is not the file's name", quoted(&id.value))),
            (&id.place, &format!("the file is {stem}.toml")),
            "name the file after the id, so that an id leads to its file",
        );
        return;
    }
    let bytes = id.value.as_bytes();
    let is_regular = bytes.len() == 3 && bytes[0].is_ascii_uppercase() && bytes[1..].iter().all(u8::is_ascii_digit);
    if !is_regular {
        report(
            reader,
            ("CAL008", "the id of a source is a letter and two digits"),
            (&id.place, "not of that form"),
            "a capital letter and the year's last two digits, such as P17",
        );
    }
}

fn read_published(reader: &Reader<'_>) -> String {
    let Some(published) = mandatory(reader, "published") else {
        return String::new();
    };
    let is_number = |text: &str, digits: usize| text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    let is_date = match published.value.split_once('-') {
        None => is_number(&published.value, 4),
        Some((year, month)) => is_number(year, 4) && is_number(month, 2),
    };
    if !is_date {
        report(
            reader,
            ("CAL014", "`published` must be a year or a year and month"),
            (&published.place, "neither"),
            "write \"2017\" or \"2017-08\"",
        );
    }
    published.value
}

fn read_setup(reader: &Reader<'_>, source_id: &str, ids: &mut Claims) -> Setup {
    let id = mandatory(reader, "id");
    if let Some(id) = &id {
        ids.claim(reader, id, "setup");
        check_prefix(reader, id, source_id);
    }
    let text = |key| mandatory(reader, key).map(|t| t.value).unwrap_or_default();
    let setup = Setup {
        id: id.map(|t| t.value).unwrap_or_default(),
        title: text("title"),
        section: text("section"),
        text: text("text"),
    };
    reader.finish();
    setup
}
