//! Prices: what a thing costs, in which currency, for how much of it.

use std::fmt;

use crate::catalog::EntryKind;
use crate::diag::{Diagnostic, quoted};
use crate::document::{Kind as Toml, Located, Reader};
use crate::units::{Bytes, grouped};

use super::answer::Answer;
use super::vocabulary::{Vocabulary, Words};

/// An amount of money.
#[derive(Debug, Clone, PartialEq)]
pub struct Money {
    /// How much of the currency.
    pub amount: f64,
    /// Three capital letters, `EUR`.
    pub currency: String,
}

/// To the cent where there are cents, `9,000.50 EUR`; prices below a hundred to four decimals.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { amount, currency } = self;
        if amount.abs() < 100.0 {
            let text = format!("{amount:.4}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            return write!(f, "{text} {currency}");
        }
        let cents = (amount * 100.0).round();
        let units = grouped((cents / 100.0).trunc());
        match cents.abs() % 100.0 {
            0.0 => write!(f, "{units} {currency}"),
            rest => write!(f, "{units}.{rest:02} {currency}"),
        }
    }
}

/// For how much of the thing a price is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Per {
    /// One whole thing.
    Unit,
    /// Each of its drives.
    Drive,
    /// Each TB (1000⁴ bytes) of usable space.
    TB,
    /// Each TiB (1024⁴ bytes) of usable space.
    TiB,
    /// Each GiB of memory.
    GiB,
    /// Each port of a network.
    Port,
    /// Each Mb/s of a line, a month.
    LineMonth,
    /// Each GB of a cloud volume, a month; a GB of a cloud's bill is 1024³ bytes.
    GbMonth,
    /// Each operation a second that is provided, a month.
    IopsMonth,
    /// Each MB/s that is provided, a month.
    ThroughputMonth,
    /// Each 1,000 objects that are read, as many as a month has.
    Gets,
    /// Each 1,000 objects that are written, as many as a month has.
    Puts,
    /// An hour of running.
    Hour,
    /// A month.
    Month,
    /// A year.
    Year,
}

/// Words and what they mean; `disk` is an older word for `drive`.
const UNITS: [(&str, Per); 16] = [
    ("unit", Per::Unit),
    ("drive", Per::Drive),
    ("TB", Per::TB),
    ("TiB", Per::TiB),
    ("GiB", Per::GiB),
    ("port", Per::Port),
    ("Mb/s-month", Per::LineMonth),
    ("GB-month", Per::GbMonth),
    ("IOPS-month", Per::IopsMonth),
    ("MB/s-month", Per::ThroughputMonth),
    ("1000-gets", Per::Gets),
    ("1000-puts", Per::Puts),
    ("hour", Per::Hour),
    ("month", Per::Month),
    ("year", Per::Year),
    ("disk", Per::Drive),
];

/// Things that have a price and no entry in the catalogue: memory, a line to an office, the licence of an edge.
pub const UNLISTED: &[&str] = &["ram", "line", "edge-licence", "proxy"];

impl Per {
    /// The words, as the site file has them.
    pub const WORDS: &'static [&'static str] = &{
        let mut words = [""; UNITS.len()];
        let mut i = 0;
        while i < words.len() {
            words[i] = UNITS[i].0;
            i += 1;
        }
        words
    };

    /// The one with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        let found = UNITS.iter().find(|(known, _)| *known == word);
        found.map(|(_, per)| *per)
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        let found = UNITS.iter().find(|(_, per)| *per == self);
        found.map_or("", |(word, _)| word)
    }

    /// What is counted, without for how long: "GiB" of "GB-month", since a provider's GB has 1024³ bytes.
    pub fn counted(self) -> &'static str {
        match self {
            Self::LineMonth => "Mb/s",
            Self::GbMonth => "GiB",
            Self::IopsMonth => "IOPS",
            Self::ThroughputMonth => "MB/s",
            other => other.word(),
        }
    }

    /// How many times it is paid in so many years; once where the thing is bought.
    pub fn times(self, years: f64) -> f64 {
        const HOURS_A_YEAR: f64 = 8766.0;
        match self {
            Self::Unit | Self::Drive | Self::TB | Self::TiB | Self::GiB | Self::Port => 1.0,
            Self::LineMonth
            | Self::GbMonth
            | Self::IopsMonth
            | Self::ThroughputMonth
            | Self::Gets
            | Self::Puts
            | Self::Month => 12.0 * years,
            Self::Hour => HOURS_A_YEAR * years,
            Self::Year => years,
        }
    }

    /// Whether a thing with this price may have another by another unit: what a cloud bills of a volume or a bucket.
    pub fn is_part(self) -> bool {
        matches!(self, Self::GbMonth | Self::IopsMonth | Self::ThroughputMonth | Self::Gets | Self::Puts)
    }

    /// Whether it is space on a store.
    pub fn is_of_space(self) -> bool {
        matches!(self, Self::TB | Self::TiB | Self::GiB | Self::GbMonth)
    }

    /// Whether it is paid as long as the thing is in use.
    pub fn recurs(self) -> bool {
        self.times(1.0) > 1.0 || self == Self::Year
    }

    /// The unit of a price, as it is stated or the item's usual one; the units that the item has where it is none of them.
    pub fn unit_of(item: &str, stated: Option<Self>, vocabulary: &Vocabulary) -> Result<Self, Vec<&'static str>> {
        let allowed = Self::of_item(item, vocabulary);
        match stated {
            None => Ok(allowed.first().copied().unwrap_or(Self::Unit)),
            Some(per) if allowed.contains(&per) => Ok(per),
            Some(_) => Err(allowed.iter().map(|per| per.word()).collect()),
        }
    }

    /// The units in which a thing is sold; the first is that of a price that states none.
    fn of_item(item: &str, vocabulary: &Vocabulary) -> &'static [Self] {
        let is = |kind| vocabulary.words(Words::Ids(kind)).contains(&item);
        match item {
            "ram" => &[Self::GiB],
            "line" => &[Self::LineMonth],
            "edge-licence" => &[Self::Unit, Self::Month, Self::Year],
            _ if is(EntryKind::Medium) => {
                &[Self::Drive, Self::TB, Self::TiB, Self::GbMonth, Self::IopsMonth, Self::ThroughputMonth]
            }
            _ if is(EntryKind::Server) => &[Self::Unit, Self::Hour, Self::Month, Self::Year],
            _ if is(EntryKind::Network) => &[Self::Port],
            _ if is(EntryKind::Array) => &[
                Self::Unit,
                Self::TB,
                Self::TiB,
                Self::GbMonth,
                Self::ThroughputMonth,
                Self::Gets,
                Self::Puts,
                Self::Month,
                Self::Year,
            ],
            _ => &[Self::Unit],
        }
    }
}

/// The price of one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// Id of the thing.
    pub item: String,
    /// Of which size, where the price depends on it.
    pub size: Option<Bytes>,
    /// What it costs, and where that is said.
    pub money: Answer<Money>,
    /// For how much of it.
    pub per: Per,
}

/// The most that a thing may cost, in any currency.
const AMOUNT_MAX: f64 = 1e9;
impl Money {
    /// Reads `"12000 EUR"`; the blank is optional, `_` may group digits.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(text.len());
        let amount: f64 = text[..end].replace('_', "").parse().ok()?;
        let currency = text[end..].trim();
        let is_code = currency.len() == 3 && currency.bytes().all(|b| b.is_ascii_uppercase());
        (is_code && (0.0..=AMOUNT_MAX).contains(&amount)).then(|| Self { amount, currency: currency.to_owned() })
    }

    /// Takes a price out of a table; reports what is none.
    pub(super) fn read(reader: &Reader<'_>, key: &'static str) -> Option<Located<Self>> {
        let value = reader.raw(key)?;
        let place = value.place.clone();
        let found = match &value.kind {
            Toml::Text(text) => match Self::parse(text) {
                Some(value) => return Some(Located { value, place }),
                None => quoted(text),
            },
            Toml::Integer(_) | Toml::Float(_) => "a number without currency".to_owned(),
            _ => "no text".to_owned(),
        };
        reader.diagnostics().push(
            Diagnostic::error("SIT006", format!("{:?} must be a price such as \"12000 EUR\"", reader.full(key)))
                .at(place.source, place.span, format!("found {found}"))
                .help("a number from 0 to 1,000,000,000 without commas, then the currency's three capital letters"),
        );
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Money;

    #[test]
    fn money_is_shown_to_the_cent_where_it_has_cents() {
        let shown = |amount| {
            let currency = "EUR".to_owned();
            Money { amount, currency }.to_string()
        };
        assert_eq!(shown(9000.5), "9,000.50 EUR");
        assert_eq!(shown(2.0 * 9000.5), "18,001 EUR");
        assert_eq!(shown(1e6), "1,000,000 EUR");
        assert_eq!(shown(100.07), "100.07 EUR");
        assert_eq!([0.065, 12.5, 0.0].map(shown), ["0.065 EUR", "12.5 EUR", "0 EUR"]);
    }
}
