//! The figures of a datum: a value, a range or a one-sided bound, each with its unit.
//!
//! Knows the shape of a value entry and when its range makes sense.

use super::amount::{self, Amount, Dimension};
use super::check::{Claims, mandatory, report};
use crate::diag::quoted;
use crate::document::{Kind, Located, Reader};

/// What a value entry claims.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// This much.
    Exactly(f64),
    /// This much or more.
    AtLeast(f64),
    /// This much or less.
    AtMost(f64),
    /// From, to.
    Between(f64, f64),
}

/// One figure of a datum. Numbers are in the base unit of their dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct DatumValue {
    /// Unique in its datum.
    pub name: String,
    /// The figure; none where only a range is known.
    pub value: Option<f64>,
    /// As written: `"732 s"`, `"70000 files"`, `"1 h to 2 h"`.
    pub shown: String,
    /// The unit as written, or what is counted.
    pub unit: String,
    /// What it measures.
    pub dimension: Dimension,
    /// What a rate counts: `files`.
    pub of: Option<String>,
    /// The lower end of a range, or `value` itself where that is a lower bound.
    pub low: Option<f64>,
    /// The upper end of a range, or `value` itself where that is an upper bound.
    pub high: Option<f64>,
    /// One-sigma relative error of reading; without it the entry describes and is not fitted.
    pub spread: Option<f64>,
}

impl DatumValue {
    /// What the entry claims: a figure, a one-sided bound, or a range.
    pub fn bound(&self) -> Bound {
        match (self.value, self.low, self.high) {
            (Some(value), Some(_), None) => Bound::AtLeast(value),
            (Some(value), None, Some(_)) => Bound::AtMost(value),
            (Some(value), _, _) => Bound::Exactly(value),
            (None, low, high) => Bound::Between(low.unwrap_or_default(), high.unwrap_or(f64::INFINITY)),
        }
    }
}

pub(super) fn read_all(reader: &Reader<'_>) -> Vec<DatumValue> {
    let mut names = Claims::default();
    let entries = reader.tables("value");
    let values = entries.iter().filter_map(|entry| read(entry, &mut names));
    values.collect()
}

fn read(entry: &Reader<'_>, names: &mut Claims) -> Option<DatumValue> {
    let name = mandatory(entry, "name");
    if let Some(name) = &name {
        names.claim(entry, name, "value");
    }
    let unit = entry.text("unit");
    if let Some(unit) = &unit {
        check_unit(entry, unit);
    }
    let value = amount::read(entry, "value", unit.as_ref());
    let low = amount::read(entry, "low", unit.as_ref());
    let high = amount::read(entry, "high", unit.as_ref());
    let of = entry.text("of").map(|t| t.value);
    let spread = amount::spread(entry);
    entry.finish();
    let is_stated = |key| entry.keys().any(|k| k == key);
    let all_read = is_stated("value") == value.is_some()
        && is_stated("low") == low.is_some()
        && is_stated("high") == high.is_some();
    if !all_read || !is_range_sound(entry, value.as_ref(), low.as_ref(), high.as_ref()) {
        return None;
    }
    let shown = match (&value, &low, &high) {
        (None, Some(low), Some(high)) => format!("{} to {}", low.shown, high.shown),
        _ => value.as_ref()?.shown.clone(),
    };
    let base = |amount: &Option<Amount>| amount.as_ref().map(|a| a.base);
    let stated = value.as_ref().or(low.as_ref())?;
    Some(DatumValue {
        name: name?.value,
        shown,
        unit: stated.unit.clone(),
        dimension: stated.dimension,
        of,
        spread,
        value: base(&value),
        low: base(&low),
        high: base(&high),
    })
}

/// A text has its unit already; a bare number must not be a quantity in disguise.
fn check_unit(entry: &Reader<'_>, unit: &Located<String>) {
    let stated = ["value", "low", "high"].map(|key| entry.raw(key).map(|value| &value.kind));
    let text = stated.into_iter().flatten().find_map(|kind| match kind {
        Kind::Text(text) => Some(text),
        _ => None,
    });
    if let Some(text) = text {
        report(
            entry,
            ("CAL004", "the unit is stated twice"),
            (&unit.place, &format!("the figure is already {}", quoted(text))),
            "remove `unit`: only a bare number needs it",
        );
    } else if amount::is_unit_of_quantity(&unit.value) {
        report(
            entry,
            ("CAL005", &format!("the unit {} belongs into the value", quoted(&unit.value))),
            (&unit.place, "this unit has a quantity of its own"),
            &format!("write the value as text, such as value = \"10 {}\"", unit.value),
        );
    }
}

/// The ends agree with the value in dimension and order, and a lone end is a bound.
fn is_range_sound(entry: &Reader<'_>, value: Option<&Amount>, low: Option<&Amount>, high: Option<&Amount>) -> bool {
    let wrong = |message: &str, help: &str| {
        report(entry, ("CAL011", message), (entry.place(), "in this entry"), help);
        false
    };
    let stated: Vec<&Amount> = [low, value, high].into_iter().flatten().collect();
    if let Some(pair) = stated.windows(2).find(|p| p[0].dimension != p[1].dimension) {
        return wrong(
            &format!("{} is {} but {} is {}", pair[0].shown, pair[0].dimension, pair[1].shown, pair[1].dimension),
            "value, low and high are of one dimension",
        );
    }
    if stated.windows(2).any(|pair| pair[0].base > pair[1].base) {
        return wrong("low, value and high are out of order", "low is the least, high the most");
    }
    match (value, low, high) {
        (None | Some(_), Some(_), Some(_)) | (Some(_), None, None) => true,
        (Some(value), Some(end), None) | (Some(value), None, Some(end)) => {
            value.base == end.base
                || wrong(
                    "a lone low or high must equal the value",
                    "value with an equal low is a lower bound, with an equal high an upper bound; \
                     for a range give both ends",
                )
        }
        (None, _, _) => wrong("an entry needs a figure", "give `value`, or `low` and `high`"),
    }
}
