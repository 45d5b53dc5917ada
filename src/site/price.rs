//! Prices: what a thing costs, in which currency, for how much of it.

use crate::diag::{Diagnostic, quoted};
use crate::document::{Kind as Toml, Located, Reader};

use super::answer::Answer;

/// An amount of money.
#[derive(Debug, Clone, PartialEq)]
pub struct Money {
    /// How much of the currency.
    pub amount: f64,
    /// Three capital letters, `EUR`.
    pub currency: String,
}

/// For how much of the thing a price is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// One whole thing.
    Unit,
    /// Each of its disks.
    Disk,
    /// Each TiB (1024⁴ bytes) of usable space.
    TiB,
}

impl Per {
    /// The words, as the site file has them.
    pub const WORDS: &'static [&'static str] = &["unit", "disk", "TiB"];

    /// The one with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        match word {
            "unit" => Some(Self::Unit),
            "disk" => Some(Self::Disk),
            "TiB" => Some(Self::TiB),
            _ => None,
        }
    }
}

/// The price of one thing of the catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// Id of the thing.
    pub item: String,
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
        let end = text
            .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))
            .unwrap_or(text.len());
        let amount: f64 = text[..end].replace('_', "").parse().ok()?;
        let currency = text[end..].trim();
        let is_code = currency.len() == 3 && currency.bytes().all(|b| b.is_ascii_uppercase());
        (is_code && (0.0..=AMOUNT_MAX).contains(&amount)).then(|| Self {
            amount,
            currency: currency.to_owned(),
        })
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
            Diagnostic::error(
                "SIT006",
                format!(
                    "{:?} must be a price such as \"12000 EUR\"",
                    reader.full(key)
                ),
            )
            .at(place.source, place.span, format!("found {found}"))
            .help("a number from 0 to 1,000,000,000 without commas, then the currency's three capital letters"),
        );
        None
    }
}
