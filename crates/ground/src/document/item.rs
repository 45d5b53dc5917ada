//! One value with its full name: what a reader of a key, of a list or of a table of names gets.

use super::reader::{Located, Reader};
use super::tree::{Kind, Value};
use crate::diag::{Diagnostic, Diagnostics, Place, quoted};
use crate::units::{Quantity, SMALLEST};

/// Characters that a text has at most.
pub const TEXT_MAX: usize = 4000;

/// A value, what it is called, and the sink that hears what is wrong with it.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// The last part of its name: its key, or the name that the user gave.
    pub name: String,
    /// Its full name, `class.users.think`.
    pub path: String,
    /// Where its key stands; the value itself in a list.
    pub key: Place,
    value: &'a Value,
    diagnostics: &'a Diagnostics,
}

impl<'a> Item<'a> {
    /// The raw value.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// Where the value stands.
    pub fn place(&self) -> &'a Place {
        &self.value.place
    }

    /// The sink, for checks of meaning.
    pub fn diagnostics(&self) -> &'a Diagnostics {
        self.diagnostics
    }

    /// Whether it is a text.
    pub fn is_text(&self) -> bool {
        matches!(self.value.kind, Kind::Text(_))
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.value.kind, Kind::Table(_))
    }

    fn located<T>(&self, value: T) -> Located<T> {
        Located { value, place: self.value.place.clone() }
    }

    /// A problem with the value, to be pushed into the sink.
    pub fn problem(&self, code: &'static str, message: impl Into<String>, found: impl Into<String>) -> Diagnostic {
        let place = self.place();
        Diagnostic::error(code, message).at(place.source, place.span.clone(), found)
    }

    /// Reports that the value is of another kind than expected.
    pub fn wrong(&self, expected: &str) {
        self.wrong_with(expected, None);
    }

    pub(super) fn wrong_with(&self, expected: &str, help: Option<String>) {
        let mut d = self.problem(
            "DOC005",
            format!("{} must be {expected}", quoted(&self.path)),
            format!("found {}", self.value.kind.noun()),
        );
        d.help.extend(help);
        self.diagnostics.push(d);
    }

    /// A text of at most 4,000 characters.
    pub fn text(&self) -> Option<Located<String>> {
        match &self.value.kind {
            Kind::Text(text) if text.chars().count() <= TEXT_MAX => Some(self.located(text.clone())),
            Kind::Text(text) => {
                self.diagnostics.push(self.problem(
                    "DOC009",
                    format!("{} is too long", quoted(&self.path)),
                    format!("{} characters; at most {TEXT_MAX}", text.chars().count()),
                ));
                None
            }
            _ => {
                let help = match &self.value.kind {
                    Kind::Integer(n) => Some(format!("in quotes: \"{n}\"")),
                    _ => None,
                };
                self.wrong_with("a text in quotes", help);
                None
            }
        }
    }

    /// A list of texts.
    pub fn texts(&self) -> Option<Vec<Located<String>>> {
        let Kind::List(items) = &self.value.kind else {
            let help = match &self.value.kind {
                Kind::Text(text) => Some(format!("in brackets: [{}]", quoted(text))),
                _ => None,
            };
            self.wrong_with("a list of texts", help);
            return None;
        };
        let mut texts = Vec::new();
        for item in items {
            match &item.kind {
                Kind::Text(text) => texts.push(Located { value: text.clone(), place: item.place.clone() }),
                _ => Self { value: item, ..self.clone() }.wrong("a list of texts"),
            }
        }
        Some(texts)
    }

    /// true or false.
    pub fn boolean(&self) -> Option<Located<bool>> {
        if let Kind::Boolean(b) = self.value.kind {
            return Some(self.located(b));
        }
        let help = match &self.value.kind {
            Kind::Text(_) => Some("write true or false, without quotes".to_owned()),
            _ => None,
        };
        self.wrong_with("true or false", help);
        None
    }

    /// A finite number without unit.
    pub fn number(&self) -> Option<Located<f64>> {
        match self.value.kind {
            Kind::Integer(i) => Some(self.located(i as f64)),
            Kind::Float(x) if x == 0.0 || (SMALLEST..=f64::MAX).contains(&x.abs()) => Some(self.located(x)),
            Kind::Float(_) => {
                self.wrong("a finite number, 0 or of a size of 1e-30 at least");
                None
            }
            _ => {
                let help = match &self.value.kind {
                    Kind::Text(text) if text.trim().parse::<f64>().is_ok_and(f64::is_finite) => {
                        Some(format!("without quotes: {}", text.trim()))
                    }
                    _ => None,
                };
                self.wrong_with("a number without unit", help);
                None
            }
        }
    }

    /// A whole number of things, not negative.
    pub fn count(&self) -> Option<Located<f64>> {
        let number = self.number()?;
        if number.value >= 0.0 && number.value.fract() == 0.0 {
            return Some(number);
        }
        self.diagnostics.push(self.problem(
            "DOC007",
            format!("{} must be a whole number from 0", quoted(&self.path)),
            format!("found {}", number.value),
        ));
        None
    }

    /// A quantity with its unit in the text.
    pub fn quantity<Q: Quantity>(&self) -> Option<Located<Q>> {
        let must_be = || format!("{} must be {}", quoted(&self.path), Q::EXPECTED);
        let Kind::Text(text) = &self.value.kind else {
            let found = format!("found {}", self.value.kind.noun());
            self.diagnostics
                .push(self.problem("DOC006", must_be(), found).help("a quantity is text in quotes with its unit"));
            return None;
        };
        match Q::parse(text) {
            Ok(quantity) => Some(self.located(quantity)),
            Err(error) => {
                let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || ".-+_ ".contains(c));
                let known = if unit.is_empty() { vec![] } else { error.units.clone() };
                self.diagnostics.push(
                    self.problem("DOC006", must_be(), format!("found {}", quoted(text)))
                        .suggest(unit, known)
                        .help(if error.is_too_small {
                            format!("numbers below {SMALLEST:e} (in the base unit) are too small to compute with; 0 may be right")
                        } else {
                            format!("units: {}", error.units.join(", "))
                        }),
                );
                None
            }
        }
    }

    /// A table.
    pub fn table(&self) -> Option<Reader<'a>> {
        if self.is_table() {
            return Some(Reader::of(self.value, self.path.clone(), self.diagnostics));
        }
        let help = matches!(self.value.kind, Kind::List(_))
            .then(|| format!("there is only one: write [{}], in single brackets", self.path));
        self.wrong_with("a table", help);
        None
    }

    /// The items of a list; `of` says what they should be.
    pub fn list(&self, of: &str) -> Option<Vec<Self>> {
        let Kind::List(items) = &self.value.kind else {
            self.wrong(&format!("a list of {of}"));
            return None;
        };
        let named = items.iter().enumerate().map(|(i, value)| Self {
            name: i.to_string(),
            path: format!("{}[{i}]", self.path),
            key: value.place.clone(),
            value,
            diagnostics: self.diagnostics,
        });
        Some(named.collect())
    }
}

impl<'a> Reader<'a> {
    /// The value of a key, whatever it is; marks it as known.
    pub fn item(&self, key: &'static str) -> Option<Item<'a>> {
        self.raw(key)?;
        let (name, place, value) = self.keyed_at(key)?;
        Some(self.item_of(name, place, value))
    }

    pub(super) fn item_of(&self, name: &str, key: &Place, value: &'a Value) -> Item<'a> {
        Item { name: name.to_owned(), path: self.full(name), key: key.clone(), value, diagnostics: self.diagnostics() }
    }

    /// Every entry in the order of the text, for a table whose keys are names that the user gave.
    pub fn entries(&self) -> Vec<Item<'a>> {
        let mut items: Vec<Item<'a>> = self.keyed().map(|(name, key, value)| self.item_of(name, key, value)).collect();
        items.sort_by_key(|item| (item.key.source, item.key.span.start));
        items
    }

    /// The entries of the table `key`, whose keys are names; empty where it is missing.
    pub fn named(&self, key: &'static str) -> Vec<Item<'a>> {
        let Some(table) = self.item(key).and_then(|item| item.table()) else {
            return Vec::new();
        };
        table.entries()
    }
}
