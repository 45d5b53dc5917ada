//! TOML as a tree of values with their places.

use std::collections::{BTreeMap, BTreeSet};

use toml::de::{DeTable, DeValue};

use crate::diag::{Diagnostic, Diagnostics, Place, SourceId};

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub place: Place,
}

/// The kinds of TOML value that our documents use.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A string.
    Text(String),
    /// An integer that fits 64 bits.
    Integer(i64),
    /// Any other number, `nan` and `inf` included: readers refuse those.
    Float(f64),
    /// true or false.
    Boolean(bool),
    /// An array.
    List(Vec<Value>),
    /// A table; each entry with the place of its key.
    Table(BTreeMap<String, (Place, Value)>),
    /// A date or time, which none of our documents uses.
    Datetime,
}

impl Kind {
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Float(x) if !x.is_finite() => "nan or infinity",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Boolean(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Datetime => "a date",
        }
    }
}

/// Lines of which mistakes are told: what is no TOML at all has one in each.
const LINES_TOLD: usize = 3;

/// Parses TOML. Reports what is not TOML; `None` if nothing usable remains.
pub fn parse(source: SourceId, diagnostics: &Diagnostics) -> Option<Value> {
    let text = diagnostics.text(source);
    let (root, errors) = DeTable::parse_recoverable(text);
    let failed = !errors.is_empty();
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let mut lines = BTreeSet::new();
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        lines.insert(ends.partition_point(|end| *end < span.start));
        if lines.len() > LINES_TOLD {
            continue;
        }
        let message = error.message().to_lowercase();
        let mut d =
            Diagnostic::error("DOC002", format!("not valid TOML: {}", message.trim_end())).at(source, span, "here");
        d.help.extend(toml_help(&message).map(str::to_owned));
        diagnostics.push(d);
    }
    if lines.len() > LINES_TOLD {
        let all = lines.len();
        let message = format!("{all} lines are not valid TOML: is this a TOML file at all?");
        diagnostics.push(Diagnostic::error("DOC002", message));
    }
    let place = Place { source, span: 0..0 };
    (!failed).then(|| Value { kind: table(source, root.get_ref()), place })
}

/// What to do about the mistakes that people make most.
fn toml_help(message: &str) -> Option<&'static str> {
    const HELP: [(&str, &str); 5] = [
        ("duplicate key", "each key, and each [table], is written once; the other one is above"),
        ("basic string", "a text ends with a quote on the same line"),
        ("must be quoted", "texts and quantities stand in quotes, such as \"34 GiB\""),
        ("recursion depth", "no value of this file is nested so deep"),
        ("expected `=`", "a line is key = value, or [table]"),
    ];
    let known = HELP.iter().find(|(part, _)| message.contains(part));
    known.map(|(_, help)| *help)
}

fn table(source: SourceId, entries: &DeTable<'_>) -> Kind {
    let entries = entries.iter().map(|(key, value)| {
        let key_place = Place { source, span: key.span() };
        (key.get_ref().to_string(), (key_place, convert(source, value)))
    });
    Kind::Table(entries.collect())
}

fn convert(source: SourceId, value: &toml::Spanned<DeValue<'_>>) -> Value {
    let kind = match value.get_ref() {
        DeValue::String(text) => Kind::Text(text.to_string()),
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
            .map_or_else(|_| Kind::Float(digits.as_str().parse().unwrap_or(f64::INFINITY)), Kind::Integer),
        DeValue::Float(digits) => Kind::Float(digits.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(b) => Kind::Boolean(*b),
        DeValue::Datetime(_) => Kind::Datetime,
        DeValue::Array(items) => Kind::List(items.iter().map(|item| convert(source, item)).collect()),
        DeValue::Table(entries) => table(source, entries),
    };
    Value { kind, place: Place { source, span: value.span() } }
}
