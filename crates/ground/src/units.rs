//! Quantities with a unit: one SI base unit inside, units in the text outside.
//!
//! Knows how to parse (`"34 GiB"`), print and combine quantities. Only the operations that mean
//! something exist: [`Bytes`] over [`Seconds`] is a [`BytesPerSecond`]; adding the two does not
//! compile. Powers of 1000 (`GB`) and of 1024 (`GiB`) are different units and never mixed: sizes
//! print in powers of 1024, or as they were typed in powers of 1000; [`Bytes::si`] always prints the latter.
//!
//! ```
//! use plimsoll_ground::units::{Bytes, BytesPerSecond, Quantity, Seconds};
//! let rate: BytesPerSecond = Bytes::parse("512 MiB")? / Seconds::parse("4 s")?;
//! assert_eq!(rate.to_string(), "128 MiB/s");
//! assert_eq!(Bytes::parse("1 TB")?.to_string(), "1 TB");
//! assert_eq!(Bytes::parse("1 TiB")?.to_string(), "1 TiB");
//! assert_eq!(Bytes::parse("1 TiB")?.si(), "1.1 TB");
//! # Ok::<(), plimsoll_ground::units::UnitError>(())
//! ```

mod shown;

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Sub};

use shown::{BINARY, BINARY_RATES, DECIMAL, DECIMAL_RATES, as_typed, scaled, show_seconds, three_digits, trimmed};
pub use shown::{about, about_count, counted, grouped, list, significant, two_digits};

const KIB: f64 = 1024.0;
const MIB: f64 = KIB * KIB;
const GIB: f64 = MIB * KIB;
const TIB: f64 = GIB * KIB;
const PIB: f64 = TIB * KIB;
const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;
/// Seconds of a day.
pub const DAY: f64 = 86_400.0;
/// Seconds of a Julian year, the astronomers' 365.25 days.
pub const YEAR: f64 = 365.25 * DAY;

/// The smallest number beside nought that is computed with, in the base unit: below, ratios of two are no numbers any more.
pub const SMALLEST: f64 = 1e-30;

/// Text was not a quantity of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct UnitError {
    /// What would have been right, with an example.
    pub expected: &'static str,
    /// The text as it stands.
    pub found: String,
    /// Units that exist, for the help line.
    pub units: Vec<&'static str>,
    /// Whether it is one, and below [`SMALLEST`].
    pub is_too_small: bool,
}

/// What all quantities share.
pub trait Quantity: Copy + PartialOrd + fmt::Display {
    /// What is expected, with an example, for messages.
    const EXPECTED: &'static str;
    /// Spellings and their factors to the base unit.
    const UNITS: &'static [(&'static str, f64)];

    /// From the base unit.
    fn from_base(base: f64) -> Self;
    /// In the base unit.
    fn base(self) -> f64;

    /// Reads a number and a unit, `"34 GiB"`; the blank between them is optional.
    fn parse(text: &str) -> Result<Self, UnitError> {
        let error = || UnitError {
            expected: Self::EXPECTED,
            found: text.to_owned(),
            units: Self::UNITS.iter().map(|(unit, _)| *unit).collect(),
            is_too_small: false,
        };
        let trimmed = text.trim();
        let digits = number_length(trimmed);
        let number: f64 = trimmed[..digits].replace('_', "").parse().map_err(|_not_a_number| error())?;
        let unit = trimmed[digits..].trim();
        let factor = Self::UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(error)?.1;
        let base = number * factor;
        // What is typed with digits and becomes nought is too small as well.
        let mantissa = trimmed[..digits].split(['e', 'E']).next().unwrap_or_default();
        let is_nought = !mantissa.contains(|c: char| ('1'..='9').contains(&c));
        if !is_nought && base.abs() < SMALLEST {
            return Err(UnitError { is_too_small: true, ..error() });
        }
        if base.is_finite() { Ok(Self::from_base(base)) } else { Err(error()) }
    }
}

/// How many bytes of `text` are a decimal number such as `-1_000.5e3`.
///
/// `inf` and `nan` are not numbers here: no quantity is either.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    while end < bytes.len() && (bytes[end].is_ascii_digit() || matches!(bytes[end], b'.' | b'_')) {
        end += 1;
    }
    if end < bytes.len() && matches!(bytes[end], b'e' | b'E') {
        let mut exponent = end + 1;
        if exponent < bytes.len() && matches!(bytes[exponent], b'-' | b'+') {
            exponent += 1;
        }
        if exponent < bytes.len() && bytes[exponent].is_ascii_digit() {
            while exponent < bytes.len() && bytes[exponent].is_ascii_digit() {
                exponent += 1;
            }
            end = exponent;
        }
    }
    end
}

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $expected:literal, [$($unit:literal => $factor:expr),* $(,)?], $show:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
        pub struct $name(f64);

        impl $name {
            /// Nothing of it.
            pub const ZERO: Self = Self(0.0);

            /// From the base unit.
            pub const fn new(base: f64) -> Self {
                Self(base)
            }

            /// In the base unit.
            pub const fn get(self) -> f64 {
                self.0
            }

            /// The larger of two.
            #[must_use]
            pub fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }

            /// The smaller of two.
            #[must_use]
            pub fn min(self, other: Self) -> Self {
                Self(self.0.min(other.0))
            }
        }

        impl Quantity for $name {
            const EXPECTED: &'static str = $expected;
            const UNITS: &'static [(&'static str, f64)] = &[$(($unit, $factor)),*];
            fn from_base(base: f64) -> Self {
                Self(base)
            }
            fn base(self) -> f64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let show: fn(f64) -> String = $show;
                f.pad(&show(self.0))
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }

        impl Div<f64> for $name {
            type Output = Self;
            fn div(self, divisor: f64) -> Self {
                Self(self.0 / divisor)
            }
        }

        /// The ratio of two is a plain number.
        impl Div for $name {
            type Output = f64;
            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
                Self(items.map(|item| item.0).sum())
            }
        }
    };
}

quantity! {
    /// A duration. Base unit: second.
    Seconds, "a time such as \"140 ms\"",
    ["ns" => 1e-9, "us" => 1e-6, "µs" => 1e-6, "μs" => 1e-6, "ms" => 1e-3, "s" => 1.0,
     "min" => MINUTE, "h" => HOUR, "d" => DAY, "day" => DAY, "days" => DAY, "week" => 7.0 * DAY,
     "weeks" => 7.0 * DAY, "month" => YEAR / 12.0, "months" => YEAR / 12.0, "year" => YEAR,
     "years" => YEAR],
    |s| show_seconds(s, three_digits)
}

quantity! {
    /// A size. Base unit: byte. Prints in powers of 1024; see [`Bytes::si`].
    Bytes, "a size such as \"34 GiB\" (1024³) or \"34 GB\" (1000³)",
    ["B" => 1.0, "KiB" => KIB, "MiB" => MIB, "GiB" => GIB, "TiB" => TIB, "PiB" => PIB,
     "KB" => 1e3, "kB" => 1e3, "MB" => 1e6, "GB" => 1e9, "TB" => 1e12, "PB" => 1e15],
    |b| as_typed(b, &BINARY, &DECIMAL)
}

quantity! {
    /// Things a second: commands, files, I/O operations. Base unit: 1/s.
    PerSecond, "a rate such as \"150000 /day\"",
    ["/s" => 1.0, "/min" => 1.0 / MINUTE, "/h" => 1.0 / HOUR, "/hour" => 1.0 / HOUR,
     "/d" => 1.0 / DAY, "/day" => 1.0 / DAY],
    |r| format!("{} /s", three_digits(r))
}

quantity! {
    /// Data a second. Base unit: byte per second. `b` is a bit, `B` a byte.
    BytesPerSecond, "a bandwidth such as \"500 MiB/s\", \"10 Gb/s\" or \"2 TiB/day\"",
    ["B/s" => 1.0, "KiB/s" => KIB, "MiB/s" => MIB, "GiB/s" => GIB, "TiB/s" => TIB, "KB/s" => 1e3, "kB/s" => 1e3,
     "MB/s" => 1e6, "GB/s" => 1e9, "TB/s" => 1e12, "kb/s" => 125.0, "Mb/s" => 125e3, "Gb/s" => 125e6,
     "kbit/s" => 125.0, "Mbit/s" => 125e3, "Gbit/s" => 125e6,
     "MiB/day" => MIB / DAY, "GiB/day" => GIB / DAY, "TiB/day" => TIB / DAY,
     "MB/day" => 1e6 / DAY, "GB/day" => 1e9 / DAY, "TB/day" => 1e12 / DAY],
    |b| as_typed(b, &BINARY_RATES, &DECIMAL_RATES)
}

quantity! {
    /// A part of a whole. Base unit: 1; range checks are the reader's.
    Fraction, "a share such as \"25 %\"",
    ["%" => 0.01],
    |x| format!("{} %", three_digits(x * 100.0))
}

quantity! {
    /// Growth compounded yearly. Base unit: 1/year, so 0.25 is a quarter more each year.
    Growth, "a growth such as \"25 %/year\"",
    ["%/year" => 0.01, "%/y" => 0.01],
    |x| format!("{} %/year", three_digits(x * 100.0))
}

quantity! {
    /// A clock frequency. Base unit: hertz.
    Hertz, "a frequency such as \"2.67 GHz\"",
    ["Hz" => 1.0, "MHz" => 1e6, "GHz" => 1e9],
    |x| scaled(x, three_digits, &[("Hz", 1.0), ("MHz", 1e6), ("GHz", 1e9)])
}

impl Bytes {
    /// In powers of 1000, `"1 TB"`.
    pub fn si(self) -> String {
        scaled(self.0, three_digits, &DECIMAL)
    }

    /// As an estimate is shown: in powers of 1024 with two digits.
    ///
    /// ```
    /// use plimsoll_ground::units::Bytes;
    /// assert_eq!(Bytes::new(5.19e12).estimated(), "4.7 TiB");
    /// ```
    pub fn estimated(self) -> String {
        scaled(self.0, two_digits, &BINARY)
    }

    /// The same in powers of 1000 where these are wanted.
    ///
    /// ```
    /// use plimsoll_ground::units::Bytes;
    /// assert_eq!([true, false].map(|si| Bytes::new(5.19e12).estimated_in(si)), ["5.2 TB", "4.7 TiB"]);
    /// ```
    pub fn estimated_in(self, powers_of_1000: bool) -> String {
        if powers_of_1000 { scaled(self.0, two_digits, &DECIMAL) } else { self.estimated() }
    }

    /// In powers of 1024, `"931 GiB"`, also where it was typed in powers of 1000.
    pub fn iec(self) -> String {
        scaled(self.0, three_digits, &BINARY)
    }

    /// In powers of 1000 with the unit fixed at terabytes, two decimals.
    pub fn in_tb(self) -> f64 {
        self.0 / 1e12
    }

    /// In powers of 1024 with the unit fixed at tebibytes.
    pub fn in_tib(self) -> f64 {
        self.0 / TIB
    }
}

impl BytesPerSecond {
    /// As an estimate is shown: in powers of 1024 with two digits.
    ///
    /// ```
    /// use plimsoll_ground::units::BytesPerSecond;
    /// assert_eq!(BytesPerSecond::new(62.4e6).estimated(), "60 MiB/s");
    /// ```
    pub fn estimated(self) -> String {
        scaled(self.0, two_digits, &BINARY_RATES)
    }

    /// As lines are sold.
    ///
    /// ```
    /// use plimsoll_ground::units::BytesPerSecond;
    /// assert_eq!(BytesPerSecond::new(62.5e6).in_bits(), "500 Mb/s");
    /// ```
    pub fn in_bits(self) -> String {
        let bits = self.0 * 8.0;
        let (unit, factor) = match bits {
            b if b >= 0.9995e9 => ("Gb/s", 1e9),
            b if b >= 0.9995e6 => ("Mb/s", 1e6),
            _ => ("kb/s", 1e3),
        };
        format!("{} {unit}", significant(bits / factor, 3)).replace(".00 ", " ").replace(".0 ", " ")
    }
}

impl Seconds {
    /// As an estimate is shown: two digits, and no less than a nanosecond.
    ///
    /// ```
    /// use plimsoll_ground::units::Seconds;
    /// let shown = [1.372, 7e-8, 4e-10, 450.0].map(|s| Seconds::new(s).estimated());
    /// assert_eq!(shown, ["1.4 s", "70 ns", "< 1 ns", "7.5 min"]);
    /// ```
    pub fn estimated(self) -> String {
        if self.0 > 0.0 && self.0 < 1e-9 {
            return "< 1 ns".to_owned();
        }
        show_seconds(self.0, two_digits)
    }

    /// In years of 365.25 days.
    pub fn in_years(self) -> f64 {
        self.0 / YEAR
    }

    /// From years of 365.25 days.
    pub fn years(years: f64) -> Self {
        Self(years * YEAR)
    }
}

/// Shares below this are as good as none, and no model has them more exactly.
const LEAST_SHARE: f64 = 1e-4;
/// From here up to the whole a share has one decimal.
const NEARLY_ALL: f64 = 0.995;

impl Fraction {
    /// Whether it is so small that an estimate shows only that it is below something.
    pub fn is_next_to_nothing(self) -> bool {
        self.0 > 0.0 && self.0 < LEAST_SHARE
    }

    /// As an estimate is shown: two digits, one decimal where nearly all is meant, "< 0.01 %" of next to nothing.
    ///
    /// ```
    /// use plimsoll_ground::units::Fraction;
    /// let shown = [5e-5, 0.0123, 0.338, 0.9983, 1.0, 1.027].map(|x| Fraction::new(x).estimated());
    /// assert_eq!(shown, ["< 0.01 %", "1.2 %", "34 %", "99.8 %", "100 %", "103 %"]);
    /// ```
    pub fn estimated(self) -> String {
        let percent = 100.0 * self.0;
        if self.is_next_to_nothing() {
            return "< 0.01 %".to_owned();
        }
        if (NEARLY_ALL..1.0).contains(&self.0) {
            return format!("{} %", trimmed(&format!("{percent:.1}")));
        }
        format!("{} %", two_digits(percent))
    }
}

impl Growth {
    /// The factor after `time`: `(1 + g)^years`.
    pub fn over(self, time: Seconds) -> f64 {
        (1.0 + self.0).powf(time.in_years())
    }
}

impl Div<Seconds> for Bytes {
    type Output = BytesPerSecond;
    fn div(self, time: Seconds) -> BytesPerSecond {
        BytesPerSecond(self.0 / time.0)
    }
}

impl Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, rate: BytesPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

impl Mul<Seconds> for BytesPerSecond {
    type Output = Bytes;
    fn mul(self, time: Seconds) -> Bytes {
        Bytes(self.0 * time.0)
    }
}

impl Mul<Seconds> for PerSecond {
    type Output = f64;
    fn mul(self, time: Seconds) -> f64 {
        self.0 * time.0
    }
}

impl Mul<Bytes> for PerSecond {
    type Output = BytesPerSecond;
    fn mul(self, size: Bytes) -> BytesPerSecond {
        BytesPerSecond(self.0 * size.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_1000_and_1024_are_different_units() {
        assert_eq!(Bytes::parse("34 GB").unwrap().get(), 34e9);
        assert_eq!(Bytes::parse("34GiB").unwrap().get(), 34.0 * GIB);
        assert_eq!(BytesPerSecond::parse("10 Gb/s").unwrap().get(), 1.25e9);
    }

    #[test]
    fn what_is_not_a_quantity_is_refused_with_an_example() {
        for bad in ["", "GiB", "34", "34 gib", "nan GiB", "inf GiB", "1e999 GiB", "3 parsecs", "0x10 B", "1..2 B"] {
            let error = Bytes::parse(bad).unwrap_err();
            assert_eq!(error.found, bad);
            assert!(error.expected.contains("GiB"), "{error}");
        }
    }

    #[test]
    fn printing_keeps_three_digits_and_a_readable_unit() {
        let shown = |s: f64| Seconds::new(s).to_string();
        assert_eq!(shown(0.000_020_9), "20.9 µs");
        assert_eq!(shown(90.0), "90 s");
        assert_eq!(shown(7000.0), "117 min");
        assert_eq!(shown(45.0), "45 s");
        assert_eq!(shown(0.0), "0 s");
        assert_eq!(Bytes::parse("1023.9 GiB").unwrap().to_string(), "1 TiB");
        assert_eq!(Fraction::new(0.256).to_string(), "25.6 %");
        assert_eq!(PerSecond::parse("86400 /day").unwrap().to_string(), "1 /s");
    }

    #[test]
    fn growth_compounds() {
        let growth = Growth::parse("25 %/year").unwrap();
        assert!((growth.over(Seconds::years(2.0)) - 1.5625).abs() < 1e-12);
    }
}
