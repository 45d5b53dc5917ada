//! A number of an experiment: written there, a parameter of the model, or a figure of the source.

use crate::calibration::Calibration;
use crate::diag::{nearest_in_words, quoted};
use crate::document::{Kind, Reader};
use crate::units::Quantity;

/// A number in base units, and where it is taken from.
#[derive(Debug, Clone, PartialEq)]
pub enum Amount {
    /// Stated by the source's description of the run.
    Stated(f64),
    /// A parameter of the model, which a fit may move.
    Parameter(String),
    /// A figure of a datum, in its base unit.
    Figure {
        /// The datum.
        datum: String,
        /// The figure's name.
        name: String,
        /// Its value.
        value: f64,
    },
}

impl Amount {
    /// The value, where `parameter` gives that of a parameter.
    pub fn value(&self, parameter: impl Fn(&str) -> f64) -> f64 {
        match self {
            Self::Stated(value) | Self::Figure { value, .. } => *value,
            Self::Parameter(id) => parameter(id),
        }
    }
}

/// What an amount may name.
pub(super) struct Known<'a> {
    pub(super) calibration: &'a Calibration,
    /// Whether the file holds somebody's own measurement.
    pub(super) own: bool,
}

impl Known<'_> {
    /// A quantity, or `{ parameter = "…" }`, or `{ figure = "DATUM NAME" }`.
    pub(super) fn quantity<Q: Quantity>(&self, r: &Reader<'_>, key: &'static str) -> Option<Amount> {
        match r.raw(key)?.kind {
            Kind::Table(_) => self.reference(r, key),
            _ => Some(Amount::Stated(r.quantity::<Q>(key)?.value.base())),
        }
    }

    /// A bare number that is not negative, or one of the same tables.
    pub(super) fn number(&self, r: &Reader<'_>, key: &'static str) -> Option<Amount> {
        if let Kind::Table(_) = r.raw(key)?.kind {
            return self.reference(r, key);
        }
        let found = r.number(key)?;
        if found.value >= 0.0 {
            return Some(Amount::Stated(found.value));
        }
        let message = format!("{} cannot be negative", quoted(&r.full(key)));
        r.report("EXP002", message, &found.place, "less than 0");
        None
    }

    fn reference(&self, r: &Reader<'_>, key: &'static str) -> Option<Amount> {
        let table = r.table(key)?;
        let (parameter, figure) = (table.text("parameter"), table.text("figure"));
        table.finish();
        match (parameter, figure) {
            (Some(id), None) => {
                let known = &self.calibration.parameters;
                if !known.contains_key(&id.value) {
                    let ids = known.keys().map(String::as_str);
                    unknown(&table, "parameter", (&id.value, &id.place), ids);
                    return None;
                }
                Some(Amount::Parameter(id.value))
            }
            (None, Some(text)) => {
                let (datum, name) = text.value.split_once(' ').unwrap_or((&text.value, ""));
                let Some(value) = self.calibration.value(datum, name) else {
                    let found = "no datum has such a figure";
                    let message = format!("{} names no figure of a datum", quoted(&table.full("figure")));
                    table.report("EXP001", message, &text.place, found);
                    return None;
                };
                Some(Amount::Figure { datum: datum.to_owned(), name: name.to_owned(), value })
            }
            _ => {
                let message = format!("{} needs one of parameter, figure", quoted(&r.full(key)));
                r.report("EXP002", message, table.place(), "not one of them");
                None
            }
        }
    }
}

/// Reports an id that is not there, with the nearest that is.
pub(super) fn unknown<'k>(
    r: &Reader<'_>,
    what: &str,
    (id, place): (&str, &crate::diag::Place),
    known: impl Iterator<Item = &'k str>,
) {
    let found = format!("not there{}", nearest_in_words(id, known));
    r.report("EXP001", format!("no {what} {}", quoted(id)), place, found);
}
