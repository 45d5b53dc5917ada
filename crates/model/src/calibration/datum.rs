//! One thing that a source found: a value, a ratio, an ordering, a limit, a configuration or a trap.
//!
//! Knows the shape of `[[datum]]` and what each kind of datum must have. Must not know which model
//! uses it.

use std::collections::BTreeSet;

use super::check::{Claims, check_prefix, groups, mandatory, report};
use super::table::{self, Cell, Point, Question};
use super::value::{self, DatumValue};
use crate::diag::{nearest, quoted};
use crate::document::{Located, Reader};

/// What a datum is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DatumKind {
    /// Absolute figures.
    Value,
    /// Figures relative to each other.
    Ratio,
    /// Names, best first; no figures.
    Ordering,
    /// A rule, a bound, a condition of validity.
    Limit,
    /// Something that the product must be able to represent.
    Configuration,
    /// A figure that misleads when taken at its word.
    Trap,
}

impl DatumKind {
    const ALL: [(&'static str, Self); 6] = [
        ("value", Self::Value),
        ("ratio", Self::Ratio),
        ("ordering", Self::Ordering),
        ("limit", Self::Limit),
        ("configuration", Self::Configuration),
        ("trap", Self::Trap),
    ];
}

/// How the datum was taken from its source: its origin within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obtained {
    /// A table, slide or listing.
    Printed,
    /// Prose.
    Text,
    /// Worked out.
    Derived,
    /// Interpreted.
    Reading,
}

impl Obtained {
    const ALL: [(&'static str, Self); 4] =
        [("printed", Self::Printed), ("text", Self::Text), ("derived", Self::Derived), ("reading", Self::Reading)];
}

/// What p4d or its storage does that a datum measures: what is left out together when the calibration is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mechanism {
    /// Locks, rows and forced writes of a change.
    Commit,
    /// Content to clients.
    Sync,
    /// Small commands that read metadata, and what mounts cost them.
    Listing,
    /// Reads of storage and its caches.
    Read,
    /// Writes to storage that nobody forces.
    Write,
}

impl Mechanism {
    const ALL: [(&'static str, Self); 5] = [
        ("commit", Self::Commit),
        ("sync", Self::Sync),
        ("listing", Self::Listing),
        ("read", Self::Read),
        ("write", Self::Write),
    ];
}

/// One thing that a source found.
#[derive(Debug, Clone, PartialEq)]
pub struct Datum {
    /// Stable; begins with the source's id.
    pub id: String,
    /// What it is good for.
    pub kind: DatumKind,
    /// What it measures of p4d; `None` of what no run answers to.
    pub mechanism: Option<Mechanism>,
    /// A noun phrase.
    pub title: String,
    /// Where in the source.
    pub section: String,
    /// Id of the setup that it holds for.
    pub setup: String,
    /// How it was taken.
    pub obtained: Obtained,
    /// What was found.
    pub statement: String,
    /// The figures.
    pub values: Vec<DatumValue>,
    /// Names, best first.
    pub order: Vec<String>,
    /// Names of `order` that are about equal.
    pub tied: Vec<Vec<String>>,
    /// What `order` compares.
    pub measure: Option<String>,
    /// How an ambiguous source was read, and why.
    pub reading: Option<String>,
    /// Grades.
    pub cells: Vec<Cell>,
    /// Arguments.
    pub points: Vec<Point>,
    /// Questions.
    pub questions: Vec<Question>,
    /// Id of the source.
    pub source_id: String,
}

impl Datum {
    /// The figure of that name.
    pub fn value(&self, name: &str) -> Option<&DatumValue> {
        self.values.iter().find(|value| value.name == name)
    }
}

/// What `[[datum]]` may refer to.
pub(super) struct Context<'a> {
    pub(super) source_id: &'a str,
    pub(super) setups: &'a BTreeSet<String>,
}

pub(super) fn read(reader: &Reader<'_>, context: &Context<'_>, ids: &mut Claims) -> Option<Datum> {
    let id = mandatory(reader, "id");
    if let Some(id) = &id {
        ids.claim(reader, id, "datum");
        check_prefix(reader, id, context.source_id);
    }
    let kind = word(reader, "kind", &DatumKind::ALL);
    let obtained = read_obtained(reader);
    let setup = mandatory(reader, "setup");
    if let Some(setup) = &setup {
        check_setup(reader, setup, context);
    }
    let order = read_order(reader);
    let values = value::read_all(reader);
    if let Some(kind) = kind {
        check_kind(reader, kind);
    }
    let title = mandatory(reader, "title");
    let section = mandatory(reader, "section");
    let statement = mandatory(reader, "statement");
    let mechanism = reader.raw("mechanism").and_then(|_| word(reader, "mechanism", &Mechanism::ALL));
    let datum = Datum {
        mechanism,
        title: title.map(|t| t.value).unwrap_or_default(),
        section: section.map(|t| t.value).unwrap_or_default(),
        statement: statement.map(|t| t.value).unwrap_or_default(),
        tied: read_tied(reader, &order),
        order,
        values,
        measure: reader.text("measure").map(|t| t.value),
        reading: reader.text("reading").map(|t| t.value),
        cells: table::cells(reader),
        points: table::points(reader),
        questions: table::questions(reader),
        source_id: context.source_id.to_owned(),
        id: id.map(|t| t.value).unwrap_or_default(),
        setup: setup.map(|t| t.value).unwrap_or_default(),
        kind: kind.unwrap_or(DatumKind::Value),
        obtained: obtained.unwrap_or(Obtained::Reading),
    };
    reader.finish();
    (kind.is_some() && obtained.is_some()).then_some(datum)
}

fn word<T: Copy>(reader: &Reader<'_>, key: &'static str, all: &[(&'static str, T)]) -> Option<T> {
    reader.require(&[key]);
    let words: Vec<&'static str> = all.iter().map(|(word, _)| *word).collect();
    let found = reader.word(key, &words)?.value;
    all.iter().find(|(word, _)| *word == found).map(|(_, t)| *t)
}

fn read_obtained(reader: &Reader<'_>) -> Option<Obtained> {
    if reader.raw("obtained").is_none() {
        report(
            reader,
            ("CAL002", "a datum needs its origin"),
            (reader.place(), "no `obtained` here"),
            "obtained = \"printed\" (table, slide, listing), \"text\" (prose), \"derived\" (worked \
             out) or \"reading\" (interpreted)",
        );
        return None;
    }
    word(reader, "obtained", &Obtained::ALL)
}

fn check_setup(reader: &Reader<'_>, setup: &Located<String>, context: &Context<'_>) {
    if context.setups.contains(&setup.value) {
        return;
    }
    let known: Vec<&str> = context.setups.iter().map(String::as_str).collect();
    let near = nearest(&setup.value, known.iter().copied());
    report(
        reader,
        ("CAL006", &format!("no setup {} in this file", quoted(&setup.value))),
        (&setup.place, "nothing has this id"),
        &match near {
            Some(near) => format!("did you mean {near:?}?"),
            None if known.is_empty() => "describe it as a [[setup]] of this file".to_owned(),
            None => format!("setups here: {}", quoted(&known.join(", "))),
        },
    );
}

/// Each kind has what makes it useful.
fn check_kind(reader: &Reader<'_>, kind: DatumKind) {
    let has = |key| reader.keys().any(|k| k == key);
    let missing = |what: &str, help: &str| {
        report(reader, ("CAL009", what), (reader.place(), "in this datum"), help);
    };
    if matches!(kind, DatumKind::Value | DatumKind::Ratio) && !has("value") {
        missing(
            "a value or ratio needs figures",
            "add value = [{ name = \"elapsed\", value = \"732 s\" }], or choose another kind",
        );
    }
    if kind == DatumKind::Ordering && !has("order") {
        missing("an ordering needs an order", "add order = [\"best\", \"worst\"] and measure = \"what is compared\"");
    }
    if has("order") != has("measure") {
        missing(
            "`order` and `measure` need each other",
            "measure says what is compared, such as measure = \"elapsed\"",
        );
    }
    if has("tied") && !has("order") {
        missing("`tied` needs `order`", "tied groups names of order that are about equal");
    }
}

fn read_order(reader: &Reader<'_>) -> Vec<String> {
    let names = reader.texts("order").unwrap_or_default();
    let mut claims = Claims::default();
    for name in &names {
        claims.claim(reader, name, "name in order");
    }
    names.into_iter().map(|name| name.value).collect()
}

fn read_tied(reader: &Reader<'_>, order: &[String]) -> Vec<Vec<String>> {
    let tied = groups(reader, "tied");
    for name in tied.iter().flatten() {
        if !order.contains(&name.value) {
            report(
                reader,
                ("CAL010", &format!("{} is tied but not in order", quoted(&name.value))),
                (&name.place, "not a name of `order`"),
                &format!("order has: {}", quoted(&order.join(", "))),
            );
        }
    }
    let names = |group: Vec<Located<String>>| group.into_iter().map(|n| n.value).collect();
    tied.into_iter().map(names).collect()
}
