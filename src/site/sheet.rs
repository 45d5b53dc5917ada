//! A site file on its way to a [`Site`]: read, overridden, checked.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use crate::diag::{Diagnostic, Diagnostics, Place, SourceId};
use crate::document::{self, Kind as Toml, ReadError, Reader, Value};

use super::section::{Ledger, Section};
use super::vocabulary::Vocabulary;
use super::{Site, checks, read, resolve};

/// The version of the form that is read.
const SCHEMA: f64 = 1.0;

/// The tables that are there whether written or not.
const TABLES: [&str; 9] = [
    "criteria",
    "people",
    "data",
    "workload",
    "server",
    "infrastructure",
    "targets",
    "protection",
    "horizon",
];

/// A site file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Answers are wrong or missing.
    #[error("the site file is not usable")]
    Invalid(Box<Diagnostics>),
}

impl SiteError {
    /// Everything that is wrong, for a person.
    pub fn render(&self) -> String {
        match self {
            Self::Read(error) => format!("error[DOC001]: {error}\n"),
            Self::Invalid(diagnostics) => diagnostics.render(),
        }
    }

    /// Everything that is wrong, for a program; the form of [`Diagnostics::to_json`].
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Read(error) => json!({ "schema": 1, "errors": [{
                "code": "DOC001", "severity": "error", "message": error.to_string(),
                "file": null, "line": null, "column": null, "found": null, "help": [],
            }] }),
            Self::Invalid(diagnostics) => diagnostics.to_json(),
        }
    }
}

/// A parsed site file with its overrides, not yet checked for meaning.
#[derive(Debug)]
pub struct Sheet {
    file: String,
    text: String,
    overrides: Vec<String>,
    source: SourceId,
    /// `None` where the text is not TOML.
    root: Option<Value>,
    diagnostics: Diagnostics,
}

impl Sheet {
    /// Parses a text; what is wrong with it is kept until [`Sheet::resolve`].
    pub fn new(file: &str, text: &str) -> Self {
        let file: String = file
            .chars()
            .map(|c| if c.is_control() { '\u{fffd}' } else { c })
            .collect();
        let mut diagnostics = Diagnostics::default();
        let source = diagnostics.add_source(file.as_str(), text);
        let root = document::parse(source, &diagnostics);
        Self {
            file,
            text: text.to_owned(),
            overrides: Vec::new(),
            source,
            root,
            diagnostics,
        }
    }

    /// Lays one override over it, `data.db_size=34 GiB`.
    pub fn set(&mut self, text: &str) {
        self.overrides.push(text.to_owned());
        if let Some(root) = &mut self.root {
            document::apply_override(root, text, &mut self.diagnostics);
        }
    }

    /// Checks every answer and supplies the missing ones.
    pub fn resolve(mut self, vocabulary: &Vocabulary) -> Result<Site, Box<Diagnostics>> {
        let Some(root) = self.root.take() else {
            return Err(Box::new(self.diagnostics));
        };
        let root = with_tables(root, self.source);
        let site = self.read(&root, vocabulary);
        if self.diagnostics.has_errors() {
            return Err(Box::new(self.diagnostics));
        }
        Ok(Site {
            warnings: self.diagnostics.render_each(),
            ..site
        })
    }

    fn read(&self, root: &Value, vocabulary: &Vocabulary) -> Site {
        let ledger = Ledger {
            vocabulary,
            diagnostics: &self.diagnostics,
            assumptions: RefCell::default(),
        };
        let empty = Value {
            kind: Toml::Table(BTreeMap::new()),
            place: root.place.clone(),
        };
        let top = Section {
            reader: Reader::new(root, &self.diagnostics),
            prefix: String::new(),
            ledger: &ledger,
        };
        let section = |key: &'static str| Section {
            reader: top
                .reader
                .table(key)
                .unwrap_or_else(|| Reader::new(&empty, &self.diagnostics)),
            prefix: format!("{key}."),
            ledger: &ledger,
        };
        schema(&top);
        top.reader.require(&["name"]);
        let name = read::name(&top, "name");
        let criteria = read::criteria(&section("criteria"));

        let people_table = section("people");
        if matches!(top.reader.raw("people"), Some(v) if matches!(v.kind, Toml::Table(_))) {
            people_table.reader.require(&["developers"]);
        }
        let people = resolve::people(&people_table);
        checks::people(&people_table, &people);

        let data_table = section("data");
        let data = resolve::data(&data_table, &people);
        data_table.reader.finish();
        checks::data(&data_table, &data);
        let workload = resolve::workload(&section("workload"), &people, &data);

        let server_table = section("server");
        let server = resolve::server(&server_table, &people, &data);
        checks::server(&server_table, &server);

        let surroundings = section("infrastructure");
        let storage = surroundings.choice("infrastructure.storage");
        let protocols = resolve::protocols(&surroundings, &storage);
        let storage_network = resolve::storage_network(&surroundings, &protocols);
        let edges_max = resolve::edges_max(&surroundings, &server.release);
        let infrastructure = read::infrastructure(
            &surroundings,
            protocols,
            storage,
            storage_network,
            edges_max,
        );
        checks::infrastructure(&surroundings, &infrastructure, &server);

        let targets = read::targets(&section("targets"));
        let protection = read::protection(&section("protection"));
        let horizon = read::horizon(&section("horizon"));
        let prices = read::prices(&top);
        top.reader.finish();
        let assumptions = ledger.assumptions.take();
        Site {
            name,
            file: self.file.clone(),
            text: self.text.clone(),
            overrides: self.overrides.clone(),
            warnings: Vec::new(),
            criteria,
            people,
            data,
            workload,
            server,
            infrastructure,
            targets,
            protection,
            horizon,
            prices,
            assumptions,
        }
    }
}

/// Adds the tables that are not written, so that every reader has one.
fn with_tables(mut root: Value, source: SourceId) -> Value {
    if let Toml::Table(entries) = &mut root.kind {
        for table in TABLES {
            let place = Place { source, span: 0..0 };
            entries.entry(table.to_owned()).or_insert_with(|| {
                let value = Value {
                    kind: Toml::Table(BTreeMap::new()),
                    place: place.clone(),
                };
                (place, value)
            });
        }
    }
    root
}

fn schema(top: &Section<'_>) {
    top.reader.require(&["schema"]);
    let Some(found) = top.reader.number("schema") else {
        return;
    };
    if found.value != SCHEMA {
        top.report(
            "schema",
            Diagnostic::error("SIT011", "this version of plimsoll reads schema 1").help(
                "a later schema needs a later plimsoll; docs/site-file.md describes schema 1",
            ),
            &format!("found {}", found.value),
        );
    }
}

/// Reads a site file: see [`parse`].
pub fn load(path: &Path, overrides: &[String], vocabulary: &Vocabulary) -> Result<Site, SiteError> {
    let text = document::read_text(path)?;
    parse(&path.to_string_lossy(), &text, overrides, vocabulary).map_err(SiteError::Invalid)
}

/// Makes a site of a text: every problem is reported, every missing answer assumed.
///
/// `name` stands before the line in messages; an override is `key=value`, as `--set` takes it.
pub fn parse(
    name: &str,
    text: &str,
    overrides: &[String],
    vocabulary: &Vocabulary,
) -> Result<Site, Box<Diagnostics>> {
    let mut sheet = Sheet::new(name, text);
    for text in overrides {
        sheet.set(text);
    }
    sheet.resolve(vocabulary)
}
