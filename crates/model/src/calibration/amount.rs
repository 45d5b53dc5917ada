//! One number as a source states it: text with a unit, or a bare number of named things.
//!
//! Knows the kinds of quantity of [`units`](crate::units) and which of them a text is. Must not
//! know what the number is about.

use std::fmt;

use crate::diag::{Diagnostic, Place, nearest, quoted};
use crate::document::{Kind, Located, Reader};
use crate::units::{Bytes, BytesPerSecond, Fraction, Growth, Hertz, PerSecond, Quantity, Seconds, significant};

/// What a number measures; numbers of different dimensions are never compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// Base unit: second.
    Time,
    /// Base unit: byte.
    Size,
    /// Things a second. Base unit: 1/s.
    Rate,
    /// Base unit: byte per second.
    Bandwidth,
    /// A part of a whole. Base unit: 1, so 36 % is 0.36.
    Share,
    /// Base unit: 1/year.
    Growth,
    /// Base unit: hertz.
    Frequency,
    /// A count or a ratio; the unit names what is counted.
    Number,
}

impl Dimension {
    /// A value in the base unit as text with at most three digits and its unit.
    ///
    /// ```
    /// use plimsoll_model::calibration::Dimension;
    /// assert_eq!(Dimension::Time.show(0.0042), "4.2 ms");
    /// assert_eq!(Dimension::Rate.show(13_500.0), "13500 /s");
    /// ```
    pub fn show(self, base: f64) -> String {
        match self {
            Self::Time => Seconds::new(base).to_string(),
            Self::Size => Bytes::new(base).to_string(),
            Self::Rate => format!("{} /s", significant(base, 3)),
            Self::Bandwidth => format!("{} MB/s", significant(base / 1e6, 3)),
            Self::Share => format!("{} %", significant(base * 100.0, 3)),
            Self::Growth => Growth::new(base).to_string(),
            Self::Frequency => Hertz::new(base).to_string(),
            Self::Number => significant(base, 3),
        }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "a time",
            Self::Size => "a size",
            Self::Rate => "a rate",
            Self::Bandwidth => "a bandwidth",
            Self::Share => "a share",
            Self::Growth => "a growth",
            Self::Frequency => "a frequency",
            Self::Number => "a number of things",
        })
    }
}

/// A number read: what it is in the base unit, and how it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub(super) base: f64,
    pub(super) dimension: Dimension,
    pub(super) unit: String,
    pub(super) shown: String,
}

/// A kind of quantity: its dimension, its units, and how to read it.
struct Reading {
    dimension: Dimension,
    units: &'static [(&'static str, f64)],
    base: fn(&str) -> Option<f64>,
}

const fn reading<Q: Quantity>(dimension: Dimension) -> Reading {
    Reading { dimension, units: Q::UNITS, base: |text| Q::parse(text).ok().map(Q::base) }
}

const READINGS: [Reading; 7] = [
    reading::<Seconds>(Dimension::Time),
    reading::<Bytes>(Dimension::Size),
    reading::<PerSecond>(Dimension::Rate),
    reading::<BytesPerSecond>(Dimension::Bandwidth),
    reading::<Fraction>(Dimension::Share),
    reading::<Growth>(Dimension::Growth),
    reading::<Hertz>(Dimension::Frequency),
];

fn units() -> impl Iterator<Item = &'static str> {
    READINGS.iter().flat_map(|reading| reading.units.iter().map(|(unit, _)| *unit))
}

/// Whether a unit has a quantity of its own, so that it belongs into the text of the value.
pub(super) fn is_unit_of_quantity(unit: &str) -> bool {
    units().any(|known| known == unit)
}

/// Reads a text that is exactly one kind of quantity.
fn quantity(text: &str) -> Option<Amount> {
    let mut fitting = READINGS.iter().filter_map(|reading| Some((reading, (reading.base)(text)?)));
    let (reading, base) = fitting.next()?;
    if fitting.next().is_some() {
        return None;
    }
    let unit = reading
        .units
        .iter()
        .map(|(unit, _)| *unit)
        .filter(|unit| text.trim_end().ends_with(unit))
        .max_by_key(|unit| unit.len())?;
    Some(Amount { base, dimension: reading.dimension, unit: unit.to_owned(), shown: text.trim().to_owned() })
}

/// Reads the number under a key; a bare one needs `unit`, a text has its own.
pub(super) fn read(reader: &Reader<'_>, key: &'static str, unit: Option<&Located<String>>) -> Option<Amount> {
    let value = reader.raw(key)?;
    if let Kind::Text(text) = &value.kind {
        return quantity(text).or_else(|| {
            not_a_quantity(reader, key, text, &value.place);
            None
        });
    }
    let number = reader.number(key)?;
    let written = &reader.diagnostics().text(number.place.source)[number.place.span.clone()];
    let Some(unit) = unit else {
        needs_unit(reader, &number.place, written);
        return None;
    };
    Some(Amount {
        base: number.value,
        dimension: Dimension::Number,
        unit: unit.value.clone(),
        shown: format!("{written} {}", unit.value),
    })
}

/// Reads a number that may be a pure count or factor, without any unit.
pub(super) fn read_unitless(reader: &Reader<'_>, key: &'static str) -> Option<Amount> {
    if matches!(&reader.raw(key)?.kind, Kind::Text(_)) {
        return read(reader, key, None);
    }
    let number = reader.number(key)?;
    let written = &reader.diagnostics().text(number.place.source)[number.place.span.clone()];
    Some(Amount { base: number.value, dimension: Dimension::Number, unit: String::new(), shown: written.to_owned() })
}

fn needs_unit(reader: &Reader<'_>, place: &Place, written: &str) {
    reader.diagnostics().push(
        Diagnostic::error("CAL001", "a number needs a unit")
            .at(place.source, place.span.clone(), format!("{written} of what?"))
            .help(format!("write a quantity as text, \"{written} s\", or say what is counted: unit = \"files\"")),
    );
}

fn not_a_quantity(reader: &Reader<'_>, key: &'static str, text: &str, place: &Place) {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || ".-+_ ".contains(c));
    let mut error = Diagnostic::error("CAL003", format!("{} is no quantity", quoted(&reader.full(key)))).at(
        place.source,
        place.span.clone(),
        if unit.is_empty() {
            "no unit here".to_owned()
        } else {
            format!("no kind of quantity has the unit {}", quoted(unit))
        },
    );
    if let Some(near) = nearest(unit, units()).filter(|_| !unit.is_empty()) {
        error = error.help(format!("did you mean {near:?}?"));
    }
    reader.diagnostics().push(error.help(
        "units: ns us ms s min h d; B, KB to PB, KiB to PiB, each also with /s; kb/s Mb/s Gb/s; \
         /s /min /h /d; %; %/year; Hz MHz GHz. Other things are counted: value = 12, unit = \"disks\"",
    ));
}

/// The one-sigma relative error under `spread`, in (0, 1].
pub(super) fn spread(reader: &Reader<'_>) -> Option<f64> {
    let spread = reader.quantity::<Fraction>("spread")?;
    if spread.value.get() > 0.0 && spread.value.get() <= 1.0 {
        return Some(spread.value.get());
    }
    reader.diagnostics().push(
        Diagnostic::error("CAL011", "a spread must be more than 0 % and at most 100 %")
            .at(
                spread.place.source,
                spread.place.span,
                format!("found {} %", significant(spread.value.get() * 100.0, 3)),
            )
            .help("it is the one-sigma relative error; leave it out where nothing is known"),
    );
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_unit_belongs_to_two_kinds_of_quantity() {
        let all: Vec<&str> = units().collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }

    #[test]
    fn the_unit_as_written_is_kept() {
        let read = |text| quantity(text).map(|a| (a.base, a.dimension, a.unit));
        let some = |base, dimension, unit: &str| Some((base, dimension, unit.to_owned()));
        assert_eq!(read("732 s"), some(732.0, Dimension::Time, "s"));
        assert_eq!(read("1.1 GB/s"), some(1.1e9, Dimension::Bandwidth, "GB/s"));
        assert_eq!(read("4 KiB"), some(4096.0, Dimension::Size, "KiB"));
        assert_eq!(read("9146 /s"), some(9146.0, Dimension::Rate, "/s"));
        assert_eq!(read("2.5 GHz"), some(2.5e9, Dimension::Frequency, "GHz"));
        assert_eq!(read("12 parsecs"), None);
        assert_eq!(read("12"), None);
    }
}
