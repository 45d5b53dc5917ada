//! What a slider counts in: how its values are shown, typed, snapped to, and spelt as answers.

use crate::units::{Bytes, PerSecond, Quantity as _, Seconds, significant};

/// What a slider counts in. Values are in the unit that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Things.
    Count,
    /// Things a day.
    PerDay,
    /// Per cent.
    Percent,
    /// Bytes.
    Size,
    /// Years.
    Years,
}

const DAY: f64 = 86_400.0;

impl Scale {
    /// For a person.
    ///
    /// ```
    /// use plimsoll::desktop::panels::what_if::Scale;
    /// assert_eq!(Scale::Size.show(549_755_813_888.0), "512 GiB");
    /// assert_eq!(Scale::Size.read("512 GiB"), Some(549_755_813_888.0));
    /// assert_eq!(Scale::PerDay.read("150000 /day"), Some(150_000.0));
    /// assert_eq!(Scale::Count.read("1,200"), Some(1200.0));
    /// assert_eq!(Scale::Count.read("many"), None);
    /// ```
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Count => grouped(value),
            Self::PerDay => format!("{} /day", grouped(value)),
            Self::Percent => format!("{} %", trimmed(value)),
            Self::Size => {
                let shown = Bytes::new(value).to_string();
                let (number, unit) = shown.split_once(' ').unwrap_or((&shown, ""));
                format!("{} {unit}", without_zeros(number))
            }
            Self::Years if value == 0.0 => "today".to_owned(),
            Self::Years if value == 1.0 => "in 1 year".to_owned(),
            Self::Years => format!("in {} years", trimmed(value)),
        }
    }

    /// As it is spelt in a site file.
    pub fn spell(self, value: f64) -> String {
        match self {
            Self::Count => format!("{value:.0}"),
            Self::PerDay => format!("{value:.0} /day"),
            Self::Percent => format!("{value} %"),
            Self::Size => {
                let shown = Bytes::new(value).to_string();
                let is_exact = Bytes::parse(&shown).is_ok_and(|b| b.get() == value);
                if is_exact { shown } else { format!("{} GiB", value / 1024f64.powi(3)) }
            }
            Self::Years => format!("{value}"),
        }
    }

    /// What was typed; the unit may be left away where there is but one.
    pub fn read(self, typed: &str) -> Option<f64> {
        let typed = typed.trim();
        let plain = typed.replace([',', '_', ' ', '\u{202f}'], "");
        let number = || plain.parse::<f64>().ok();
        let value = match self {
            Self::Count => number(),
            Self::PerDay => {
                let rate = PerSecond::parse(typed).map(|rate| rate.get() * DAY);
                let plain = plain.strip_suffix("/day").unwrap_or(&plain);
                rate.ok().or_else(|| plain.parse().ok()).map(|v: f64| v.round())
            }
            Self::Percent => plain.strip_suffix('%').unwrap_or(&plain).parse().ok(),
            Self::Size => Bytes::parse(typed).ok().map(Bytes::get),
            Self::Years => {
                let typed = typed.strip_prefix("in ").unwrap_or(typed);
                let time = Seconds::parse(typed).map(|time| trim(time.in_years()));
                let today = (typed == "today").then_some(0.0);
                time.ok().or_else(number).or(today)
            }
        };
        value.filter(|v| v.is_finite() && *v >= 0.0)
    }

    /// The nearest value that reads well.
    pub fn snap(self, value: f64) -> f64 {
        match self {
            Self::Count if value < 100.0 => value.round(),
            Self::Count | Self::PerDay => significant(value, 2).parse().unwrap_or(value),
            Self::Percent => value.round(),
            Self::Size => {
                // Memory and data come in whole GiB; small things in whole MiB.
                let unit = if value < 1024f64.powi(3) {
                    1024f64.powi(2)
                } else if value < 1024f64.powi(4) {
                    1024f64.powi(3)
                } else {
                    1024f64.powi(4) / 8.0
                };
                let shown = (value / unit).max(1.0);
                significant(shown, 2).parse().map_or(value, |n: f64| n * unit)
            }
            Self::Years => (value * 10.0).round() / 10.0,
        }
    }
}

/// Six digits are more than a person means.
fn trim(value: f64) -> f64 {
    significant(value, 6).parse().unwrap_or(value)
}

fn trimmed(value: f64) -> String {
    without_zeros(&significant(value, 3)).to_owned()
}

/// Zeros at the end say nothing.
fn without_zeros(number: &str) -> &str {
    if number.contains('.') {
        return number.trim_end_matches('0').trim_end_matches('.');
    }
    number
}

/// "12 000": a count with narrow blanks between thousands.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}
