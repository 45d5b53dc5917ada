//! What is assumed where the user gave no answer: `assumed` of the entries of `models/questions.toml`.
//!
//! Knows how that is written; must not know any single field. It either is a value, or a
//! factor `per` other fields; `rate.NAME` holds further factors of the arithmetic in `resolve`.

use crate::diag::Diagnostics;
use crate::document::{Kind as Toml, Reader};
use crate::origin::Origin;
use crate::units::Bytes;

use super::answerable::{Amount, Answerable};
use super::fields::{ENTRIES, FILE, Kind, QUESTIONS};

/// Calls `take` with what is assumed of a field; panics if that is missing or wrong: it is ours.
fn with_table<R>(path: &'static str, take: impl FnOnce(&Reader<'_>) -> Option<R>) -> R {
    let mut diagnostics = Diagnostics::default();
    let taken = take_at(&Reader::new(&ENTRIES, &diagnostics), path, take);
    match taken {
        Some(taken) if diagnostics.is_empty() => taken,
        _ => {
            // Only a message needs the text, and this runs for each question without answer.
            diagnostics.add_source(FILE, QUESTIONS);
            panic!("assumption {path}: {}", diagnostics.render())
        }
    }
}

fn take_at<R>(entries: &Reader<'_>, path: &'static str, take: impl FnOnce(&Reader<'_>) -> Option<R>) -> Option<R> {
    take(&entries.table(path)?.table("assumed")?)
}

/// A value that is assumed as it stands.
pub(super) struct Entry<T> {
    pub(super) value: T,
    pub(super) low: T,
    pub(super) high: T,
    pub(super) origin: Origin,
}

impl<T: Answerable> Entry<T> {
    pub(super) fn of(path: &'static str, kind: Kind) -> Self {
        with_table(path, |table| {
            let take = |key| T::read(table, key, kind, None).map(|found| found.value);
            let entry = Self { value: take("value")?, low: take("low")?, high: take("high")?, origin: table.origin()? };
            table.finish();
            Some(entry)
        })
    }
}

/// The value of a factor, or one end of its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Value,
    Low,
    High,
}

/// A factor of an arithmetic: a quantity or a plain number, in the base unit.
pub(super) struct Factor {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) shown: String,
    ids: Vec<String>,
    note: String,
}

impl Factor {
    pub(super) fn of<T: Amount>(path: &'static str, kind: Kind) -> Self {
        with_table(path, |table| {
            let take = |key| {
                if matches!(table.raw(key)?.kind, Toml::Text(_)) {
                    let quantity = T::read(table, key, kind, None)?.value;
                    Some((quantity.to_base(), quantity.shown(kind)))
                } else {
                    let number = table.number(key)?.value;
                    Some((number, number.shown(Kind::Number)))
                }
            };
            let (value, shown) = take("value")?;
            let ids = table.texts("from").unwrap_or_default();
            let factor = Self {
                value,
                low: take("low")?.0,
                high: take("high")?.0,
                shown,
                ids: ids.into_iter().map(|id| id.value).collect(),
                note: table.text("note")?.value,
            };
            table.texts("per")?;
            table.origin()?;
            table.finish();
            Some(factor)
        })
    }

    /// The value, or one end of the range.
    pub(super) fn at(&self, end: End) -> f64 {
        match end {
            End::Value => self.value,
            End::Low => self.low,
            End::High => self.high,
        }
    }

    /// The origin of a result: the arithmetic with its numbers, then the reason for the factor.
    pub(super) fn origin(&self, arithmetic: &str) -> Origin {
        Origin::Derived { ids: self.ids.clone(), how: format!("{arithmetic}; {}", self.note) }
    }
}

/// What a database takes of so many revisions and files in the lists of workspaces: what `data.db_size` is assumed to be where it
/// is unanswered.
pub fn database_of(revisions: f64, listed: f64) -> Bytes {
    let of = |path| Factor::of::<Bytes>(path, Kind::Size).value;
    Bytes::new(revisions * of("data.db_size") + listed * of("rate.have_row"))
}

/// How the default of a field reads in the documentation: the value, or the factor and what it is per.
pub fn default_text(path: &'static str) -> Option<String> {
    let diagnostics = Diagnostics::default();
    let entries = Reader::new(&ENTRIES, &diagnostics);
    let found = take_at(&entries, path, |table| {
        let text = match &table.raw("value")?.kind {
            Toml::Text(text) => text.clone(),
            Toml::Integer(number) => number.to_string(),
            Toml::Float(number) => number.to_string(),
            Toml::Boolean(switch) => switch.to_string(),
            Toml::List(_) => {
                table.texts("value")?.iter().map(|item| item.value.as_str()).collect::<Vec<_>>().join(", ")
            }
            Toml::Table(_) | Toml::Datetime => return None,
        };
        let per: Vec<String> = table
            .raw("per")
            .and_then(|_| table.texts("per"))
            .unwrap_or_default()
            .into_iter()
            .map(|field| format!("`{}`", field.value))
            .collect();
        Some(if per.is_empty() { text } else { format!("{text} × {}", per.join(" × ")) })
    });
    // A field without entry is reported into the sink, which nobody reads: it has no default.
    found
}
