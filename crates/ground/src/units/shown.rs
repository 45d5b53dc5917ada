//! Numbers as people read them: so many digits, commas at thousands, the unit that leaves few digits before the point.

use super::{DAY, GIB, HOUR, KIB, MIB, MINUTE, PIB, Seconds, TIB, YEAR};

/// A number with `digits` significant digits, without exponent for ordinary sizes.
///
/// ```
/// use plimsoll_ground::units::significant;
/// assert_eq!(significant(1234.5, 3), "1230");
/// assert_eq!(significant(0.012_345, 3), "0.0123");
/// assert_eq!(significant(99.96, 3), "100");
/// ```
pub fn significant(x: f64, digits: i32) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".to_owned() } else { format!("{x}") };
    }
    let magnitude = |v: f64| v.abs().log10().floor() as i32;
    let scale = 10f64.powi(digits - 1 - magnitude(x));
    let rounded = (x * scale).round() / scale;
    let decimals = (digits - 1 - magnitude(rounded)).max(0);
    format!("{rounded:.*}", decimals as usize)
}

/// A number with two digits, whole from 10 on: as precise as an estimate is. Zeros at the end are left out.
///
/// ```
/// use plimsoll_ground::units::two_digits;
/// assert_eq!([4.04, 81.2, 0.858, 340.4].map(two_digits), ["4", "81", "0.86", "340"]);
/// ```
pub fn two_digits(x: f64) -> String {
    if x.abs() >= 10.0 {
        return format!("{x:.0}");
    }
    trimmed(&significant(x, 2))
}

/// A number of things: "1 command", "1,234 commands".
///
/// ```
/// use plimsoll_ground::units::counted;
/// assert_eq!((counted(1, "page"), counted(0, "page")), ("1 page".to_owned(), "0 pages".to_owned()));
/// ```
pub fn counted(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {one}s", grouped(number as f64)) }
}

/// A whole number with a comma at each thousand.
///
/// ```
/// use plimsoll_ground::units::grouped;
/// assert_eq!([999.0, 12_345.4, -1e6].map(grouped), ["999", "12,345", "-1,000,000"]);
/// ```
pub fn grouped(x: f64) -> String {
    let digits = format!("{:.0}", x.abs());
    let mut out = String::new();
    if x < 0.0 {
        out.push('-');
    }
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count with two digits and a comma at each thousand.
///
/// ```
/// use plimsoll_ground::units::about_count;
/// assert_eq!([7.0, 1414.0].map(about_count), ["7", "1,400"]);
/// ```
pub fn about_count(x: f64) -> String {
    let scale = 10_f64.powf((x.abs().max(1.0).log10().floor() - 1.0).max(0.0));
    grouped((x / scale).round() * scale)
}

/// A time from now on: "about 6 years", "about 18 months", "about 3 weeks", "a few days"; "now".
///
/// ```
/// use plimsoll_ground::units::{Seconds, about};
/// let found = [6.26, 1.5, 0.05, 0.001].map(|y| about(Seconds::years(y)));
/// assert_eq!(found, ["about 6 years", "about 18 months", "about 3 weeks", "a few days"]);
/// ```
pub fn about(time: Seconds) -> String {
    let years = time.in_years();
    let whole = |x: f64, unit: &str| format!("about {x:.0} {unit}");
    match years {
        y if y >= 2.0 => whole(y, "years"),
        y if y * 12.0 >= 1.5 => whole(y * 12.0, "months"),
        y if y * 52.2 >= 1.5 => whole(y * 52.2, "weeks"),
        y if y > 0.0 => "a few days".to_owned(),
        _ => "now".to_owned(),
    }
}

/// Three digits without zeros at the end: what was stated reads as it was typed.
pub(super) fn three_digits(x: f64) -> String {
    trimmed(&significant(x, 3))
}

/// A decimal number without zeros at its end.
pub(super) fn trimmed(number: &str) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.').to_owned() } else { number.to_owned() }
}

/// Picks the largest unit that leaves a number of at least one.
pub(super) fn scaled(x: f64, digits: fn(f64) -> String, ladder: &[(&str, f64)]) -> String {
    let (unit, factor) = ladder
        .iter()
        .rev()
        .find(|(_, factor)| x.abs() >= *factor * 0.9995)
        .or_else(|| ladder.first())
        .copied()
        .unwrap_or(("", 1.0));
    format!("{} {unit}", digits(x / factor))
}

pub(super) const BINARY: [(&str, f64); 6] =
    [("B", 1.0), ("KiB", KIB), ("MiB", MIB), ("GiB", GIB), ("TiB", TIB), ("PiB", PIB)];
pub(super) const DECIMAL: [(&str, f64); 6] =
    [("B", 1.0), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12), ("PB", 1e15)];
pub(super) const BINARY_RATES: [(&str, f64); 4] = [("B/s", 1.0), ("KiB/s", KIB), ("MiB/s", MIB), ("GiB/s", GIB)];
pub(super) const DECIMAL_RATES: [(&str, f64); 4] = [("B/s", 1.0), ("KB/s", 1e3), ("MB/s", 1e6), ("GB/s", 1e9)];

/// In powers of 1024; in powers of 1000 what only there has three digits: somebody typed it so.
pub(super) fn as_typed(x: f64, binary: &[(&str, f64)], decimal: &[(&str, f64)]) -> String {
    if !has_three_digits(x, binary) && has_three_digits(x, decimal) {
        return scaled(x, three_digits, decimal);
    }
    scaled(x, three_digits, binary)
}

/// Whether three digits are all that there is to a number in its unit.
fn has_three_digits(x: f64, ladder: &[(&str, f64)]) -> bool {
    let mut units = ladder.iter().rev();
    let unit = units.find(|(_, factor)| x.abs() >= *factor * 0.9995);
    let number = x / unit.map_or(1.0, |(_, factor)| *factor);
    let shown = three_digits(number).parse::<f64>();
    shown.is_ok_and(|shown| (shown - number).abs() <= 1e-9 * number.abs())
}

/// A unit stays in use up to two of the next: "90 s" reads better than "1.5 min".
pub(super) fn show_seconds(s: f64, digits: fn(f64) -> String) -> String {
    let (unit, factor) = match s.abs() {
        0.0 => return "0 s".to_owned(),
        x if x < 120.0 => {
            return scaled(s, digits, &[("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0)]);
        }
        x if x < 2.0 * HOUR => ("min", MINUTE),
        x if x < 2.0 * DAY => ("h", HOUR),
        x if x < 2.0 * YEAR => ("days", DAY),
        _ => ("years", YEAR),
    };
    format!("{} {unit}", digits(s / factor))
}

/// "db, journal and log".
pub fn list<S: AsRef<str>>(words: &[S]) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}
