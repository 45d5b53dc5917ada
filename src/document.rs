//! Reading TOML so that one run reports every problem with file, line, column and caret.
//!
//! Knows how to read a text safely ([`read_text`]), to parse it into a tree with places
//! ([`parse`]), to lay overrides on it ([`apply_override`]) and to take typed values out of it
//! ([`Reader`]). Serde stops at the first problem and loses spans through its conveniences; a
//! questionnaire with three mistakes deserves three messages. Must not know what the documents
//! are about.
//!
//! ```
//! use plimsoll::{diag::Diagnostics, document, units::Bytes};
//! let mut diagnostics = Diagnostics::default();
//! let source = diagnostics.add_source("site.toml", "db_size = \"34 GiB\"\nuser = 3\n");
//! let root = document::parse(source, &diagnostics).unwrap();
//! let reader = document::Reader::new(&root, &diagnostics);
//! assert_eq!(reader.quantity::<Bytes>("db_size").unwrap().value.to_string(), "34.0 GiB");
//! assert_eq!(reader.count("users"), None);
//! reader.finish(); // reports `user`, and that `users` is near
//! assert!(diagnostics.render().contains("did you mean \"users\"?"));
//! ```

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::diag::{Diagnostic, Diagnostics, Place, SourceId, quoted};
use crate::origin::{Origin, Sourced};
use crate::units::{Fraction, Quantity};

/// What each code of this module means, for `plimsoll explain`.
pub static CODES: &[(&str, &str)] = &[
    (
        "DOC001",
        "A file of a folder given on the command line could not be read: missing, no permission, not a file, larger than 1 MiB, or not UTF-8.",
    ),
    (
        "DOC002",
        "The text is not TOML. The usual causes are a text without quotes, a quote that is not closed, the same key twice, and a quantity without quotes: write db_size = \"34 GiB\".",
    ),
    (
        "DOC003",
        "Nothing reads this key, so its value would be lost without a word. The nearest known key is suggested; keys differ by table.",
    ),
    ("DOC004", "A key that must be there is missing."),
    (
        "DOC005",
        "The value is of another kind than the key takes: a number where a text is wanted, a table where a list is.",
    ),
    (
        "DOC006",
        "The value is not a quantity of the wanted kind. A quantity is text with its unit: \"34 GiB\" (powers of 1024) or \"34 GB\" (powers of 1000), \"140 ms\", \"150000 /day\", \"25 %/year\".",
    ),
    (
        "DOC007",
        "The value is outside its limits; the message says the limits and why they are there.",
    ),
    (
        "DOC008",
        "The word is not one of those that the key takes; the message lists them.",
    ),
    ("DOC009", "The text is too long for what it names."),
    (
        "DOC010",
        "An override on the command line must be --set key=value.",
    ),
    (
        "DOC011",
        "A number's origin is incomplete: `source` and `fitted` need `from` with ids, `derived` needs `note` with the arithmetic, `assumed` needs `note` with the reason.",
    ),
];

/// The largest file that is read.
pub const BYTES_MAX: u64 = 1 << 20;

/// A file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Missing, no permission, or broken underneath.
    #[error("cannot read {name}: {reason}")]
    Io {
        /// The path as given.
        name: String,
        /// What the system says.
        reason: String,
    },
    /// A directory, FIFO, socket or device.
    #[error("cannot read {name}: it is {what}, not a file")]
    NotAFile {
        /// The path as given.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// Larger than [`BYTES_MAX`].
    #[error("cannot read {name}: it is larger than 1 MiB, which no file of this kind is")]
    TooLarge {
        /// The path as given.
        name: String,
    },
    /// Not UTF-8.
    #[error("cannot read {name}: line {line} is not valid UTF-8 (byte {byte:#04x})")]
    NotUtf8 {
        /// The path as given.
        name: String,
        /// From 1.
        line: usize,
        /// The first bad byte.
        byte: u8,
    },
}

/// Reads a small text file; never hangs on a FIFO or device, never takes more than [`BYTES_MAX`].
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    let name = quoted(&path.to_string_lossy());
    let io = |e: std::io::Error| ReadError::Io {
        name: name.clone(),
        reason: e.to_string(),
    };
    let kind = std::fs::metadata(path).map_err(io)?.file_type();
    if kind.is_dir() {
        return Err(ReadError::NotAFile {
            name,
            what: "a directory",
        });
    }
    if !kind.is_file() {
        return Err(ReadError::NotAFile {
            name,
            what: "a FIFO, socket or device",
        });
    }
    let mut bytes = Vec::new();
    File::open(path)
        .map_err(io)?
        .take(BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(io)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(ReadError::TooLarge { name });
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let bytes = e.as_bytes();
        let line = bytes[..at].split(|b| *b == b'\n').count();
        ReadError::NotUtf8 {
            name,
            line,
            byte: bytes[at],
        }
    })
}

/// A hash of texts that tells inputs apart; it protects nothing. FNV-1a, 64 bits (Fowler, Noll and Vo).
///
/// ```
/// use plimsoll::document::fingerprint;
/// assert_ne!(fingerprint(["a", "b"]), fingerprint(["ab"]));
/// ```
pub fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    // A byte that UTF-8 never has ends each text.
    let bytes = texts
        .into_iter()
        .flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub place: Place,
}

/// The kinds of TOML value that our documents use.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A string.
    Text(String),
    /// An integer that fits 64 bits.
    Integer(i64),
    /// Any other number, `nan` and `inf` included: readers refuse those.
    Float(f64),
    /// true or false.
    Boolean(bool),
    /// An array.
    List(Vec<Value>),
    /// A table; each entry with the place of its key.
    Table(BTreeMap<String, (Place, Value)>),
    /// A date or time, which none of our documents uses.
    Datetime,
}

impl Kind {
    fn noun(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Float(x) if !x.is_finite() => "nan or infinity",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Boolean(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Datetime => "a date",
        }
    }
}

/// Parses TOML. Reports what is not TOML; `None` if nothing usable remains.
pub fn parse(source: SourceId, diagnostics: &Diagnostics) -> Option<Value> {
    let text = diagnostics.text(source);
    let (root, errors) = DeTable::parse_recoverable(text);
    let failed = !errors.is_empty();
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().to_lowercase();
        let mut d = Diagnostic::error("DOC002", format!("not valid TOML: {}", message.trim_end()))
            .at(source, span, "here");
        d.help.extend(toml_help(&message).map(str::to_owned));
        diagnostics.push(d);
    }
    let place = Place { source, span: 0..0 };
    (!failed).then(|| Value {
        kind: table(source, root.get_ref()),
        place,
    })
}

/// What to do about the mistakes that people make most.
fn toml_help(message: &str) -> Option<&'static str> {
    const HELP: [(&str, &str); 5] = [
        (
            "duplicate key",
            "each key, and each [table], is written once; the other one is above",
        ),
        ("basic string", "a text ends with a quote on the same line"),
        (
            "must be quoted",
            "texts and quantities stand in quotes, such as \"34 GiB\"",
        ),
        (
            "recursion limit",
            "nothing here is nested more than four deep",
        ),
        ("expected `=`", "a line is key = value, or [table]"),
    ];
    let known = HELP.iter().find(|(part, _)| message.contains(part));
    known.map(|(_, help)| *help)
}

fn table(source: SourceId, entries: &DeTable<'_>) -> Kind {
    let entries = entries.iter().map(|(key, value)| {
        let key_place = Place {
            source,
            span: key.span(),
        };
        (
            key.get_ref().to_string(),
            (key_place, convert(source, value)),
        )
    });
    Kind::Table(entries.collect())
}

fn convert(source: SourceId, value: &toml::Spanned<DeValue<'_>>) -> Value {
    let kind = match value.get_ref() {
        DeValue::String(text) => Kind::Text(text.to_string()),
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
            .map_or_else(
                |_| Kind::Float(digits.as_str().parse().unwrap_or(f64::INFINITY)),
                Kind::Integer,
            ),
        DeValue::Float(digits) => Kind::Float(digits.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(b) => Kind::Boolean(*b),
        DeValue::Datetime(_) => Kind::Datetime,
        DeValue::Array(items) => {
            Kind::List(items.iter().map(|item| convert(source, item)).collect())
        }
        DeValue::Table(entries) => table(source, entries),
    };
    Value {
        kind,
        place: Place {
            source,
            span: value.span(),
        },
    }
}

/// Lays `key.sub=value` over a document. The value may be TOML (`3`, `["a"]`) or bare text (`34 GiB`);
/// an element of a list is addressed by its number from 0 (`site.1.developers=40`).
///
/// Reports an override that has no `=` or whose key is not one; unknown keys are found by the reader.
pub fn apply_override(root: &mut Value, text: &str, diagnostics: &mut Diagnostics) {
    let parts = text.split_once('=');
    let Some((key, raw)) = parts.filter(|(key, _)| !key.trim().is_empty()) else {
        let source = diagnostics.add_source("--set", text);
        let missing = match parts {
            Some(_) => "no key before \"=\"",
            None => "no \"=\" here",
        };
        diagnostics.push(
            Diagnostic::error("DOC010", "an override needs a key and a value")
                .at(source, 0..text.len(), missing)
                .help("write --set key=value, such as --set people.developers=400"),
        );
        return;
    };
    let as_toml = format!("{} = {}", key.trim(), raw.trim());
    let as_text = format!(
        "{} = {}",
        key.trim(),
        toml::Value::String(raw.trim().to_owned())
    );
    let line = if DeTable::parse(&as_toml).is_ok() {
        as_toml
    } else {
        as_text
    };
    let source = diagnostics.add_source("--set", line);
    if let Some(layer) = parse(source, diagnostics) {
        merge(root, layer, "", diagnostics);
    }
}

fn merge(base: &mut Value, layer: Value, path: &str, diagnostics: &Diagnostics) {
    let below = |key: &str| {
        if path.is_empty() {
            key.to_owned()
        } else {
            format!("{path}.{key}")
        }
    };
    match (&mut base.kind, layer.kind) {
        (Kind::Table(entries), Kind::Table(over)) => {
            for (key, (place, value)) in over {
                match entries.get_mut(&key) {
                    Some((_, old)) => merge(old, value, &below(&key), diagnostics),
                    None => {
                        entries.insert(key, (place, value));
                    }
                }
            }
        }
        (Kind::List(items), Kind::Table(over)) => {
            let length = items.len();
            for (key, (place, value)) in over {
                match key.parse().ok().and_then(|i: usize| items.get_mut(i)) {
                    Some(item) => merge(item, value, &below(&key), diagnostics),
                    None => diagnostics.push(no_element(path, length, place)),
                }
            }
        }
        (kind, over) => {
            *kind = over;
            base.place = layer.place;
        }
    }
}

/// An override addresses an element that a list does not have.
fn no_element(path: &str, length: usize, place: Place) -> Diagnostic {
    let help = match length {
        0 => "the list is empty".to_owned(),
        1 => "the list has one element, number 0".to_owned(),
        n => format!("the list has {n} elements, numbered from 0 to {}", n - 1),
    };
    Diagnostic::error("DOC010", format!("no such element in the list {path:?}"))
        .at(place.source, place.span, "not the number of one")
        .help(help)
}

/// A value read, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// What a number may be, and why no more and no less.
#[derive(Debug, Clone, Copy)]
pub struct Limits<T> {
    /// The least.
    pub low: T,
    /// The most.
    pub high: T,
    /// Why: shown to the user.
    pub why: &'static str,
}

/// Takes typed values out of one table, reports what is wrong, and at [`Reader::finish`] every key
/// that nobody asked for.
#[derive(Debug)]
pub struct Reader<'a> {
    entries: &'a BTreeMap<String, (Place, Value)>,
    place: &'a Place,
    path: String,
    diagnostics: &'a Diagnostics,
    asked: RefCell<BTreeSet<&'static str>>,
}

static EMPTY: BTreeMap<String, (Place, Value)> = BTreeMap::new();

impl<'a> Reader<'a> {
    /// A reader of a document's root.
    pub fn new(root: &'a Value, diagnostics: &'a Diagnostics) -> Self {
        Self::of(root, String::new(), diagnostics)
    }

    fn of(value: &'a Value, path: String, diagnostics: &'a Diagnostics) -> Self {
        let entries = if let Kind::Table(entries) = &value.kind {
            entries
        } else {
            &EMPTY
        };
        Self {
            entries,
            place: &value.place,
            path,
            diagnostics,
            asked: RefCell::default(),
        }
    }

    /// The sink, for checks of meaning.
    pub fn diagnostics(&self) -> &'a Diagnostics {
        self.diagnostics
    }

    /// Where the table stands.
    pub fn place(&self) -> &'a Place {
        self.place
    }

    /// The full name of a key, `people.developers`.
    pub fn full(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// The keys that are there.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.entries.keys().map(String::as_str)
    }

    /// The raw value of a key; marks it as known.
    pub fn raw(&self, key: &'static str) -> Option<&'a Value> {
        self.asked.borrow_mut().insert(key);
        self.entries.get(key).map(|(_, value)| value)
    }

    /// Reports each of `keys` that is missing.
    pub fn require(&self, keys: &[&'static str]) {
        for key in keys {
            self.require_or(key, None);
        }
    }

    /// Reports a key that is missing, with a line of help if nothing near it stands there.
    pub fn require_or(&self, key: &'static str, help: Option<&str>) {
        self.asked.borrow_mut().insert(key);
        if self.entries.contains_key(key) {
            return;
        }
        let mut d = Diagnostic::error("DOC004", format!("{} is missing", quoted(&self.full(key))));
        let unknown = self.entries.keys().map(String::as_str);
        match crate::diag::nearest(key, unknown) {
            Some(near) => d.help.push(format!("is {near:?} meant to be it?")),
            None => d.help.extend(help.map(str::to_owned)),
        }
        // An absent table and the root have no place of their own.
        let label = if self.place.span.is_empty() {
            "in this file"
        } else {
            "in this table"
        };
        self.diagnostics
            .push(d.at(self.place.source, self.place.span.clone(), label));
    }

    /// Reports a value that is of another kind than expected.
    pub fn wrong(&self, key: &str, value: &Value, expected: &str) {
        self.wrong_with(key, value, expected, None);
    }

    fn wrong_with(&self, key: &str, value: &Value, expected: &str, help: Option<String>) {
        let mut d = Diagnostic::error(
            "DOC005",
            format!("{} must be {expected}", quoted(&self.full(key))),
        )
        .at(
            value.place.source,
            value.place.span.clone(),
            format!("found {}", value.kind.noun()),
        );
        d.help.extend(help);
        self.diagnostics.push(d);
    }

    /// Reports a value that has the right kind and the wrong meaning.
    pub fn report(
        &self,
        code: &'static str,
        message: impl Into<String>,
        place: &Place,
        found: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::error(code, message).at(
            place.source,
            place.span.clone(),
            found,
        ));
    }

    /// A text of at most 4,000 characters.
    pub fn text(&self, key: &'static str) -> Option<Located<String>> {
        const LENGTH_MAX: usize = 4000;
        let value = self.raw(key)?;
        match &value.kind {
            Kind::Text(text) if text.chars().count() <= LENGTH_MAX => Some(Located {
                value: text.clone(),
                place: value.place.clone(),
            }),
            Kind::Text(text) => {
                self.diagnostics.push(
                    Diagnostic::error("DOC009", format!("{} is too long", quoted(&self.full(key))))
                        .at(
                            value.place.source,
                            value.place.span.clone(),
                            format!("{} characters; at most {LENGTH_MAX}", text.chars().count()),
                        ),
                );
                None
            }
            _ => {
                let help = match &value.kind {
                    Kind::Integer(n) => Some(format!("in quotes: \"{n}\"")),
                    _ => None,
                };
                self.wrong_with(key, value, "a text in quotes", help);
                None
            }
        }
    }

    /// One of `words`.
    pub fn word(&self, key: &'static str, words: &[&'static str]) -> Option<Located<&'static str>> {
        let text = self.text(key)?;
        self.known(key, &text, words)
    }

    fn known(
        &self,
        key: &str,
        text: &Located<String>,
        words: &[&'static str],
    ) -> Option<Located<&'static str>> {
        let found = words.iter().find(|word| **word == text.value);
        if found.is_none() {
            self.unknown_word(key, text, words.iter().copied());
        }
        found.map(|word| Located {
            value: *word,
            place: text.place.clone(),
        })
    }

    /// Reports a word that is not one of those allowed.
    pub fn unknown_word<'w>(
        &self,
        key: &str,
        text: &Located<String>,
        words: impl IntoIterator<Item = &'w str>,
    ) {
        let words: Vec<&str> = words.into_iter().collect();
        self.diagnostics.push(
            Diagnostic::error(
                "DOC008",
                format!(
                    "{} cannot be {}",
                    quoted(&self.full(key)),
                    quoted(&text.value)
                ),
            )
            .at(
                text.place.source,
                text.place.span.clone(),
                "not a known word here",
            )
            .suggest(&text.value, words.iter().copied())
            .help(format!("allowed: {}", words.join(", "))),
        );
    }

    /// A list of texts.
    pub fn texts(&self, key: &'static str) -> Option<Vec<Located<String>>> {
        let value = self.raw(key)?;
        let Kind::List(items) = &value.kind else {
            let help = match &value.kind {
                Kind::Text(text) => Some(format!("in brackets: [{}]", quoted(text))),
                _ => None,
            };
            self.wrong_with(key, value, "a list of texts", help);
            return None;
        };
        let mut texts = Vec::new();
        for item in items {
            match &item.kind {
                Kind::Text(text) => {
                    texts.push(Located {
                        value: text.clone(),
                        place: item.place.clone(),
                    });
                }
                _ => self.wrong(key, item, "a list of texts"),
            }
        }
        Some(texts)
    }

    /// A list of words, each one of `words`.
    pub fn word_list(
        &self,
        key: &'static str,
        words: &[&'static str],
    ) -> Option<Vec<&'static str>> {
        let texts = self.texts(key)?;
        Some(
            texts
                .iter()
                .filter_map(|t| self.known(key, t, words))
                .map(|l| l.value)
                .collect(),
        )
    }

    /// true or false.
    pub fn boolean(&self, key: &'static str) -> Option<Located<bool>> {
        let value = self.raw(key)?;
        if let Kind::Boolean(b) = value.kind {
            return Some(Located {
                value: b,
                place: value.place.clone(),
            });
        }
        let help = match &value.kind {
            Kind::Text(_) => Some("write true or false, without quotes".to_owned()),
            _ => None,
        };
        self.wrong_with(key, value, "true or false", help);
        None
    }

    /// A finite number without unit.
    pub fn number(&self, key: &'static str) -> Option<Located<f64>> {
        let value = self.raw(key)?;
        let number = match value.kind {
            Kind::Integer(i) => i as f64,
            Kind::Float(x) if x.is_finite() => x,
            Kind::Float(_) => {
                self.wrong(key, value, "a finite number");
                return None;
            }
            _ => {
                let help = match &value.kind {
                    Kind::Text(text) if text.trim().parse::<f64>().is_ok_and(f64::is_finite) => {
                        Some(format!("without quotes: {}", text.trim()))
                    }
                    _ => None,
                };
                self.wrong_with(key, value, "a number without unit", help);
                return None;
            }
        };
        Some(Located {
            value: number,
            place: value.place.clone(),
        })
    }

    /// A whole number of things, not negative.
    pub fn count(&self, key: &'static str) -> Option<Located<f64>> {
        let number = self.number(key)?;
        if number.value >= 0.0 && number.value.fract() == 0.0 {
            return Some(number);
        }
        self.diagnostics.push(
            Diagnostic::error(
                "DOC007",
                format!("{} must be a whole number from 0", quoted(&self.full(key))),
            )
            .at(
                number.place.source,
                number.place.span.clone(),
                format!("found {}", number.value),
            ),
        );
        None
    }

    /// A quantity with its unit in the text.
    pub fn quantity<Q: Quantity>(&self, key: &'static str) -> Option<Located<Q>> {
        let value = self.raw(key)?;
        let Kind::Text(text) = &value.kind else {
            self.diagnostics.push(
                Diagnostic::error(
                    "DOC006",
                    format!("{} must be {}", quoted(&self.full(key)), Q::EXPECTED),
                )
                .at(
                    value.place.source,
                    value.place.span.clone(),
                    format!("found {}", value.kind.noun()),
                )
                .help("a quantity is text in quotes with its unit"),
            );
            return None;
        };
        match Q::parse(text) {
            Ok(quantity) => Some(Located {
                value: quantity,
                place: value.place.clone(),
            }),
            Err(error) => {
                let unit =
                    text.trim_start_matches(|c: char| c.is_ascii_digit() || ".-+_ ".contains(c));
                self.diagnostics.push(
                    Diagnostic::error(
                        "DOC006",
                        format!("{} must be {}", quoted(&self.full(key)), error.expected),
                    )
                    .at(
                        value.place.source,
                        value.place.span.clone(),
                        format!("found {}", quoted(text)),
                    )
                    .suggest(
                        unit,
                        if unit.is_empty() {
                            vec![]
                        } else {
                            error.units.clone()
                        },
                    )
                    .help(format!("units: {}", error.units.join(", "))),
                );
                None
            }
        }
    }

    /// Reports a value outside its limits and drops it.
    pub fn within<T: PartialOrd + Copy>(
        &self,
        key: &str,
        value: Option<Located<T>>,
        limits: Limits<T>,
        show: impl Fn(T) -> String,
    ) -> Option<Located<T>> {
        let value = value?;
        if value.value >= limits.low && value.value <= limits.high {
            return Some(value);
        }
        self.diagnostics.push(
            Diagnostic::error(
                "DOC007",
                format!(
                    "{} must be from {} to {}",
                    quoted(&self.full(key)),
                    show(limits.low),
                    show(limits.high)
                ),
            )
            .at(
                value.place.source,
                value.place.span.clone(),
                format!("found {}", show(value.value)),
            )
            .help(limits.why),
        );
        None
    }

    /// A table below this one.
    pub fn table(&self, key: &'static str) -> Option<Self> {
        let value = self.raw(key)?;
        if matches!(value.kind, Kind::Table(_)) {
            return Some(Reader::of(value, self.full(key), self.diagnostics));
        }
        let help = matches!(value.kind, Kind::List(_)).then(|| {
            format!(
                "there is only one: write [{}], in single brackets",
                self.full(key)
            )
        });
        self.wrong_with(key, value, "a table", help);
        None
    }

    /// A table below this one, with nothing in it where it is missing or (reported) no table.
    #[must_use]
    pub fn table_or_empty(&self, key: &'static str) -> Self {
        let missing = self.raw(key).is_none();
        let table = if missing { None } else { self.table(key) };
        table.unwrap_or_else(|| Self {
            entries: &EMPTY,
            place: self.place,
            path: self.full(key),
            diagnostics: self.diagnostics,
            asked: RefCell::default(),
        })
    }

    /// A list of tables below this one, `[[key]]`; empty where there is none.
    pub fn tables(&self, key: &'static str) -> Vec<Self> {
        let Some(value) = self.raw(key) else {
            return Vec::new();
        };
        let Kind::List(items) = &value.kind else {
            let help = matches!(value.kind, Kind::Table(_)).then(|| {
                let full = self.full(key);
                format!("there can be several: write [[{full}]], in double brackets")
            });
            self.wrong_with(key, value, "a list of tables", help);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (i, item) in items.iter().enumerate() {
            if matches!(item.kind, Kind::Table(_)) {
                tables.push(Reader::of(
                    item,
                    format!("{}[{i}]", self.full(key)),
                    self.diagnostics,
                ));
            } else {
                self.wrong(key, item, "a table");
            }
        }
        tables
    }

    /// A quantity with its origin: `{ value = "5.5 ms", origin = "source", from = ["…"] }`.
    pub fn sourced<Q: Quantity>(&self, key: &'static str) -> Option<Sourced<Q>> {
        let table = self.table(key)?;
        table.require(&["value"]);
        let value = table.quantity::<Q>("value").map(|v| v.value);
        table.with_origin(value)
    }

    /// A dimensionless number with its origin.
    pub fn sourced_number(&self, key: &'static str) -> Option<Sourced<f64>> {
        let table = self.table(key)?;
        table.require(&["value"]);
        let value = table.number("value").map(|v| v.value);
        table.with_origin(value)
    }

    /// A statement in words with its origin: `{ text = "…", origin = … }`.
    pub fn statement(&self, key: &'static str) -> Option<Sourced<String>> {
        let table = self.table(key)?;
        table.require(&["text"]);
        let value = table.text("text").map(|v| v.value);
        table.with_origin(value)
    }

    /// A word with its origin: `{ word = "…", origin = … }` under the key `name`.
    pub fn sourced_word(
        &self,
        key: &'static str,
        name: &'static str,
        words: &[&'static str],
    ) -> Option<Sourced<&'static str>> {
        let table = self.table(key)?;
        table.require(&[name]);
        let value = table.word(name, words).map(|v| v.value);
        table.with_origin(value)
    }

    /// Adds the origin that stands in the same table.
    fn with_origin<T>(&self, value: Option<T>) -> Option<Sourced<T>> {
        let origin = self.origin();
        let spread = self.quantity::<Fraction>("spread").map(|s| s.value.get());
        self.finish();
        let mut sourced = Sourced::new(value?, origin?);
        sourced.spread = spread.unwrap_or(sourced.spread);
        Some(sourced)
    }

    /// The origin that this table states with `origin`, `from` and `note`.
    pub fn origin(&self) -> Option<Origin> {
        const KINDS: [&str; 5] = ["source", "derived", "assumed", "measured", "fitted"];
        self.require(&["origin"]);
        let kind = self.word("origin", &KINDS);
        let ids: Vec<String> = self
            .texts("from")
            .unwrap_or_default()
            .into_iter()
            .map(|id| id.value)
            .collect();
        let note = self.text("note").map(|n| n.value);
        let kind = kind?;
        let needs = |what: &str| {
            self.diagnostics.push(
                Diagnostic::error(
                    "DOC011",
                    format!("an origin \"{}\" needs {what}", kind.value),
                )
                .at(
                    kind.place.source,
                    kind.place.span.clone(),
                    format!("of {}", quoted(&self.path)),
                ),
            );
        };
        if matches!(kind.value, "source" | "fitted") && ids.is_empty() {
            needs("`from` with the ids of its sources");
            return None;
        }
        Some(match kind.value {
            "source" => Origin::Source { ids },
            "fitted" => Origin::Fitted { ids },
            "measured" => Origin::Measured {
                file: ids.join(", "),
            },
            "derived" => {
                let Some(how) = note else {
                    needs("`note` with the arithmetic");
                    return None;
                };
                Origin::Derived { ids, how }
            }
            _ => {
                let Some(why) = note else {
                    needs("`note` with the reason");
                    return None;
                };
                Origin::Assumed { why }
            }
        })
    }

    /// Reports every key that nobody asked for, with the nearest that somebody did.
    pub fn finish(&self) {
        /// Nobody reads more; finding the nearest word for each key of a hostile megabyte takes seconds.
        const SUGGESTED_MAX: usize = 100;
        let asked = self.asked.borrow();
        let unknown = self
            .entries
            .iter()
            .filter(|(key, _)| !asked.contains(key.as_str()));
        for (n, (key, (place, _))) in unknown.enumerate() {
            let open = asked
                .iter()
                .copied()
                .filter(|k| !self.entries.contains_key(*k));
            let mut d = Diagnostic::error(
                "DOC003",
                format!("unknown key {}", quoted(&self.full(key))),
            )
            .at(place.source, place.span.clone(), "nothing reads this");
            if n < SUGGESTED_MAX {
                d = d.suggest(key, open);
                if d.help.is_empty() {
                    d = d.suggest(key, asked.iter().copied());
                }
            }
            if d.help.is_empty() {
                d = d.help(format!(
                    "known here: {}",
                    asked.iter().copied().collect::<Vec<_>>().join(", ")
                ));
            }
            self.diagnostics.push(d);
        }
    }
}
