//! The types that an answer can have: how each is read, shown to a person and written exactly.
//!
//! Knows the document's reader and the kinds of field; must not know any single field.

use crate::diag::{Diagnostic, quoted};
use crate::document::{Kind as Toml, Located, Reader};
use crate::units::{self, Bytes, BytesPerSecond, Fraction, Growth, Hertz, PerSecond, Quantity, Seconds, significant};

use super::answer::Answer;
use super::fields::Kind;
use super::protection::Backup;
use super::section::Section;
use super::vocabulary::Vocabulary;
use crate::catalog::Release;

/// A type that answers have.
pub(super) trait Answerable: Clone + PartialEq {
    /// Takes it out of a table; words are checked where a vocabulary is given.
    fn read(
        reader: &Reader<'_>,
        key: &'static str,
        kind: Kind,
        vocabulary: Option<&Vocabulary>,
    ) -> Option<Located<Self>>;

    /// For a person.
    fn shown(&self, kind: Kind) -> String;
    /// The same of what nobody stated: three digits are more than is known of it.
    fn shown_assumed(&self, kind: Kind) -> String {
        self.shown(kind)
    }

    /// Exactly, as `--set` takes it.
    fn written(&self, kind: Kind) -> String;

    /// The answer that a table states; an amount only within the limits of its field.
    fn stated(section: &Section<'_>, path: &'static str) -> Option<Answer<Self>> {
        section.stated_word(path)
    }
}

/// Between the words of a list, as it is shown.
pub(super) const BETWEEN: &str = ", ";

/// An answer that is an amount: it has limits and can be reckoned with.
pub(super) trait Amount: Answerable + Copy {
    /// In the base unit.
    fn to_base(self) -> f64;
    /// From the base unit.
    fn of_base(base: f64) -> Self;
    /// A limit as the field states it. Panics on nonsense: limits are ours.
    fn limit(text: &str) -> f64;
}

/// How exact text is: decimals after the point in the unit it is written in.
const DECIMALS: usize = 9;

/// The unit in which a kind of quantity is written exactly.
fn exact_unit(kind: Kind) -> &'static str {
    match kind {
        Kind::Size => "B",
        Kind::Time => "s",
        Kind::Rate => "/day",
        Kind::Bandwidth => "B/s",
        Kind::Clock => "GHz",
        Kind::Share => "%",
        Kind::Growth => "%/year",
        _ => "",
    }
}

/// A number without exponent and without needless zeros.
fn plain(x: f64) -> String {
    trimmed(&format!("{x:.DECIMALS$}")).to_owned()
}

/// Without the noise that binary fractions leave in the last digits.
fn rounded(x: f64) -> f64 {
    (x * 1e9).round() / 1e9
}

/// A decimal number without the zeros at its end: "24.0" is "24".
fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// In the unit in which the kind is written, as a number.
fn in_exact_unit<Q: Quantity>(quantity: Q, kind: Kind) -> f64 {
    let unit = exact_unit(kind);
    let factor = Q::UNITS.iter().find(|(name, _)| *name == unit);
    quantity.base() / factor.map_or(1.0, |(_, factor)| *factor)
}

/// A count with a comma at each thousand; other numbers with four digits.
pub(super) fn grouped(x: f64) -> String {
    const EXACT: f64 = 1e15;
    if x.fract() != 0.0 && x.abs() < 1000.0 {
        return trimmed(&significant(x, 4)).to_owned();
    }
    if x.abs() >= EXACT {
        return format!("{x:e}");
    }
    units::grouped(x)
}

/// Makes quantities answers and amounts.
macro_rules! quantities {
    ($($quantity:ty),+) => {
        $(
            impl Answerable for $quantity {
                fn read(
                    reader: &Reader<'_>,
                    key: &'static str,
                    _kind: Kind,
                    _vocabulary: Option<&Vocabulary>,
                ) -> Option<Located<Self>> {
                    reader.quantity(key)
                }

                fn shown(&self, kind: Kind) -> String {
                    if matches!(kind, Kind::Rate | Kind::Share | Kind::Growth) {
                        let number = in_exact_unit(*self, kind);
                        return format!("{} {}", grouped(rounded(number)), exact_unit(kind));
                    }
                    let text = self.to_string();
                    match text.split_once(' ') {
                        Some((number, unit)) => format!("{} {unit}", trimmed(number)),
                        None => text,
                    }
                }

                fn shown_assumed(&self, kind: Kind) -> String {
                    if !matches!(kind, Kind::Rate | Kind::Growth) {
                        return self.shown(kind);
                    }
                    let three = significant(in_exact_unit(*self, kind), 3);
                    match three.parse::<f64>() {
                        Ok(whole) if whole >= 1000.0 => format!("{} {}", grouped(whole), exact_unit(kind)),
                        _ => format!("{} {}", trimmed(&three), exact_unit(kind)),
                    }
                }

                fn written(&self, kind: Kind) -> String {
                    format!("{} {}", plain(in_exact_unit(*self, kind)), exact_unit(kind))
                }

                fn stated(section: &Section<'_>, path: &'static str) -> Option<Answer<Self>> {
                    section.stated_amount(path)
                }
            }

            impl Amount for $quantity {
                fn to_base(self) -> f64 {
                    self.base()
                }

                fn of_base(base: f64) -> Self {
                    Self::from_base(base)
                }

                fn limit(text: &str) -> f64 {
                    match Self::parse(text) {
                        Ok(quantity) => quantity.base(),
                        Err(error) => panic!("a limit of a question is not a quantity: {error}"),
                    }
                }
            }
        )+
    };
}

quantities!(Bytes, BytesPerSecond, Fraction, Growth, Hertz, PerSecond, Seconds);

impl Answerable for f64 {
    fn read(
        reader: &Reader<'_>,
        key: &'static str,
        kind: Kind,
        _vocabulary: Option<&Vocabulary>,
    ) -> Option<Located<Self>> {
        if kind == Kind::Count { reader.count(key) } else { reader.number(key) }
    }

    fn shown(&self, _kind: Kind) -> String {
        grouped(*self)
    }

    fn written(&self, _kind: Kind) -> String {
        plain(*self)
    }

    fn stated(section: &Section<'_>, path: &'static str) -> Option<Answer<Self>> {
        section.stated_amount(path)
    }
}

impl Amount for f64 {
    fn to_base(self) -> f64 {
        self
    }

    fn of_base(base: f64) -> Self {
        base
    }

    fn limit(text: &str) -> f64 {
        match text.parse() {
            Ok(number) => number,
            Err(error) => panic!("a limit of a question is not a number: {text:?}: {error}"),
        }
    }
}

impl Answerable for bool {
    fn read(
        reader: &Reader<'_>,
        key: &'static str,
        _kind: Kind,
        _vocabulary: Option<&Vocabulary>,
    ) -> Option<Located<Self>> {
        reader.boolean(key)
    }

    fn shown(&self, _kind: Kind) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }

    fn written(&self, _kind: Kind) -> String {
        self.to_string()
    }
}

/// A word, known or (without vocabulary) any.
impl Answerable for String {
    fn read(
        reader: &Reader<'_>,
        key: &'static str,
        kind: Kind,
        vocabulary: Option<&Vocabulary>,
    ) -> Option<Located<Self>> {
        let text = reader.text(key)?;
        is_known(reader, key, &text, kind, vocabulary).then_some(text)
    }

    fn shown(&self, _kind: Kind) -> String {
        self.clone()
    }

    fn written(&self, _kind: Kind) -> String {
        toml::Value::String(self.clone()).to_string()
    }
}

impl Answerable for Vec<String> {
    fn read(
        reader: &Reader<'_>,
        key: &'static str,
        kind: Kind,
        vocabulary: Option<&Vocabulary>,
    ) -> Option<Located<Self>> {
        let place = reader.raw(key)?.place.clone();
        let texts = reader.texts(key)?;
        let mut value = Self::new();
        for text in texts {
            if !is_known(reader, key, &text, kind, vocabulary) {
                continue;
            }
            if value.contains(&text.value) {
                reader.diagnostics().push(
                    Diagnostic::warning("SIT103", format!("{:?} names {:?} twice", reader.full(key), text.value)).at(
                        text.place.source,
                        text.place.span,
                        "again",
                    ),
                );
            } else {
                value.push(text.value);
            }
        }
        Some(Located { value, place })
    }

    fn shown(&self, _kind: Kind) -> String {
        if self.is_empty() { "none".to_owned() } else { self.join(BETWEEN) }
    }

    fn written(&self, kind: Kind) -> String {
        let items: Self = self.iter().map(|item| item.written(kind)).collect();
        format!("[{}]", items.join(", "))
    }
}

/// Whether a word is one that the field takes; reports it where not.
fn is_known(
    reader: &Reader<'_>,
    key: &'static str,
    text: &Located<String>,
    kind: Kind,
    vocabulary: Option<&Vocabulary>,
) -> bool {
    let (Kind::Word(words) | Kind::List(words), Some(vocabulary)) = (kind, vocabulary) else {
        return true;
    };
    let known = vocabulary.words(words);
    if known.contains(&text.value.as_str()) {
        return true;
    }
    reader.unknown_word(key, text, known);
    false
}

impl Answerable for Backup {
    fn read(
        reader: &Reader<'_>,
        key: &'static str,
        _kind: Kind,
        _vocabulary: Option<&Vocabulary>,
    ) -> Option<Located<Self>> {
        let word = reader.word(key, Self::WORDS)?;
        let value = Self::of_word(word.value)?;
        Some(Located { value, place: word.place })
    }

    fn shown(&self, _kind: Kind) -> String {
        self.word().to_owned()
    }

    fn written(&self, _kind: Kind) -> String {
        format!("{:?}", self.word())
    }
}

/// In quotes, or bare: `2024.2` loses nothing as a number, and `--set server.release=2024.2` is one.
impl Answerable for Release {
    fn read(
        reader: &Reader<'_>,
        key: &'static str,
        _kind: Kind,
        _vocabulary: Option<&Vocabulary>,
    ) -> Option<Located<Self>> {
        let value = reader.raw(key)?;
        let text = match &value.kind {
            Toml::Text(text) => text.clone(),
            Toml::Float(number) => number.to_string(),
            Toml::Integer(number) => number.to_string(),
            _ => {
                reader.wrong(key, value, "a release in quotes, such as \"2024.2\"");
                return None;
            }
        };
        if let Ok(release) = text.parse() {
            return Some(Located { value: release, place: value.place.clone() });
        }
        let must = format!("{:?} must be a release of p4d from {} to {}", reader.full(key), Self::FIRST, Self::LAST);
        let place = value.place.clone();
        reader.diagnostics().push(
            Diagnostic::error("SIT005", must).at(place.source, place.span, format!("found {}", quoted(&text))).help(
                "a year, a point and a number from 1 to 4, such as \"2024.2\"; `p4 info` shows it as P4D/…/2024.2/…",
            ),
        );
        None
    }

    fn shown(&self, _kind: Kind) -> String {
        self.to_string()
    }

    fn written(&self, _kind: Kind) -> String {
        format!("\"{self}\"")
    }
}
