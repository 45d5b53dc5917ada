//! One number of the model: what is known of it before the fit, and where the fit has put it.
//!
//! Knows the shape of `parameters.toml`. Must not know the data: a test does the arithmetic of what is
//! derived from them again, and the fit comes as a factor.

use std::collections::BTreeMap;

use super::amount::{self, Dimension};
use super::check::{Claims, mandatory, report};
use super::source::check_schema;
use crate::diag::{nearest, quoted};
use crate::document::{Located, Reader};
use crate::origin::{Origin, Sourced};
use crate::posterior::Factor;

/// A number of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Stable; what varies with the generation of the host ends in it: `row_write.2017`.
    pub id: String,
    /// A noun phrase.
    pub title: String,
    /// In the base unit of its dimension, with its origin and spread.
    pub value: Sourced<f64>,
    /// What it measures.
    pub dimension: Dimension,
    /// As written: `"1.779 us"`, `"20"`.
    pub shown: String,
    /// The arithmetic or the reason.
    pub note: Option<String>,
}

impl Parameter {
    /// So many times its value; a share is 1 at most, however large its error.
    pub fn times(&self, factor: f64) -> f64 {
        (self.value.value * factor).min(self.most())
    }

    /// The largest that it can be.
    pub(crate) fn most(&self) -> f64 {
        if self.dimension == Dimension::Share { 1.0 } else { f64::INFINITY }
    }

    /// Puts it where the fit has it.
    pub(super) fn fit(&mut self, factor: &Factor) {
        self.value.value = self.times(factor.times);
        self.value.spread = factor.spread;
        self.value.origin = Origin::Fitted { ids: factor.ids.clone() };
        let before = std::mem::replace(&mut self.shown, self.dimension.show(self.value.value));
        let why = self.note.take().unwrap_or_default();
        self.note = Some(format!("{before} before the fit: {why}"));
    }
}

/// Reads one `parameters.toml` over what earlier ones said.
///
/// Where there was one, this may only replace: nothing would read a parameter of a new name.
pub(super) fn read_all(reader: &Reader<'_>, parameters: &mut BTreeMap<String, Parameter>) {
    check_schema(reader);
    let replaces = !parameters.is_empty();
    let mut ids = Claims::default();
    let tables = reader.tables("parameter");
    for table in &tables {
        let id = mandatory(table, "id");
        if let Some(id) = &id {
            ids.claim(table, id, "parameter");
        }
        let Some(parameter) = read(table, id.clone().map(|id| id.value)) else {
            continue;
        };
        let is_allowed = !replaces || id.is_some_and(|id| check_replacement(table, &id, &parameter, parameters));
        if is_allowed {
            parameters.insert(parameter.id.clone(), parameter);
        }
    }
    reader.finish();
}

fn read(reader: &Reader<'_>, id: Option<String>) -> Option<Parameter> {
    let title = mandatory(reader, "title");
    reader.require(&["value"]);
    let amount = amount::read_unitless(reader, "value");
    let origin = read_origin(reader);
    let note = reader.text("note").map(|t| t.value);
    let spread = amount::spread(reader);
    reader.finish();
    let amount = amount?;
    if amount.base < 0.0 {
        let place = &reader.raw("value")?.place;
        report(
            reader,
            ("CAL011", "a parameter cannot be negative"),
            (place, "less than 0"),
            "times, sizes, rates and counts start at 0",
        );
        return None;
    }
    let mut value = Sourced::new(amount.base, origin?);
    value.spread = spread.unwrap_or(value.spread);
    Some(Parameter { id: id?, title: title?.value, value, dimension: amount.dimension, shown: amount.shown, note })
}

fn read_origin(reader: &Reader<'_>) -> Option<Origin> {
    let Some(word) = reader.raw("origin") else {
        report(
            reader,
            ("CAL002", "a parameter needs its origin"),
            (reader.place(), "no `origin` here"),
            "origin = \"derived\" (arithmetic on data), \"source\" (published), \"assumed\", \
             \"measured\" or \"fitted\"; with `from` and `note`",
        );
        // Known keys, whatever the origin turns out to be.
        let _: (Option<_>, Option<_>) = (reader.raw("from"), reader.raw("note"));
        return None;
    };
    let origin = reader.origin()?;
    if matches!(&origin, Origin::Derived { ids, .. } if ids.is_empty()) {
        report(
            reader,
            ("CAL015", "a derived parameter must name the data that it comes from"),
            (&word.place, "`from` is empty"),
            "from = [\"P17-branchsubmit-ssd\"]; a number without data behind it is \"assumed\"",
        );
        return None;
    }
    Some(origin)
}

fn check_replacement(
    reader: &Reader<'_>,
    id: &Located<String>,
    parameter: &Parameter,
    parameters: &BTreeMap<String, Parameter>,
) -> bool {
    let Some(old) = parameters.get(&id.value) else {
        report(
            reader,
            ("CAL016", &format!("no parameter {} to replace", quoted(&id.value))),
            (&id.place, "the model has none of this id"),
            &match nearest(&id.value, parameters.keys().map(String::as_str)) {
                Some(near) => format!("did you mean {near:?}?"),
                None => "calibration/parameters.toml lists all of them".to_owned(),
            },
        );
        return false;
    };
    if old.dimension == parameter.dimension {
        return true;
    }
    if let Some(value) = reader.raw("value") {
        report(
            reader,
            ("CAL016", &format!("{} must be {}", quoted(&id.value), old.dimension)),
            (&value.place, &format!("found {}", parameter.dimension)),
            &format!("it was {}", old.shown),
        );
    }
    false
}
