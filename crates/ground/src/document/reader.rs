//! Typed values out of a table, every problem reported.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Kind, Value};
use crate::diag::{Diagnostic, Diagnostics, Place, quoted};
use crate::units::Quantity;

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

/// Nobody reads more suggestions; finding the nearest word for each key of a hostile megabyte takes seconds.
const SUGGESTED_MAX: usize = 100;

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

    pub(super) fn of(value: &'a Value, path: String, diagnostics: &'a Diagnostics) -> Self {
        let entries = if let Kind::Table(entries) = &value.kind { entries } else { &EMPTY };
        Self { entries, place: &value.place, path, diagnostics, asked: RefCell::default() }
    }

    /// The sink, for checks of meaning.
    pub fn diagnostics(&self) -> &'a Diagnostics {
        self.diagnostics
    }

    /// The table's own full name.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Where the table stands.
    pub fn place(&self) -> &'a Place {
        self.place
    }

    /// The full name of a key, `people.developers`.
    pub fn full(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Every key with its place and its value.
    pub(super) fn keyed(&self) -> impl Iterator<Item = (&'a str, &'a Place, &'a Value)> {
        let entries = self.entries.iter();
        entries.map(|(key, (place, value))| (key.as_str(), place, value))
    }

    /// One key with its place and its value.
    pub(super) fn keyed_at(&self, key: &str) -> Option<(&'a str, &'a Place, &'a Value)> {
        let (key, (place, value)) = self.entries.get_key_value(key)?;
        Some((key.as_str(), place, value))
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
        let path = self.full(key);
        let mut d = Diagnostic::error("DOC004", format!("{} is missing", quoted(&path)));
        d.missing = Some(path);
        let unknown = self.entries.keys().map(String::as_str);
        match crate::diag::nearest(key, unknown) {
            Some(near) => d.help.push(format!("is {near:?} meant to be it?")),
            None => d.help.extend(help.map(str::to_owned)),
        }
        // An absent table and the root have no place of their own.
        let label = if self.place.span.is_empty() { "in this file" } else { "in this table" };
        self.diagnostics.push(d.at(self.place.source, self.place.span.clone(), label));
    }

    /// Reports a value that is of another kind than expected.
    pub fn wrong(&self, key: &str, value: &'a Value, expected: &str) {
        self.item_of(key, &value.place, value).wrong(expected);
    }

    /// Reports a value that has the right kind and the wrong meaning.
    pub fn report(&self, code: &'static str, message: impl Into<String>, place: &Place, found: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, message).at(place.source, place.span.clone(), found));
    }

    /// A text of at most 4,000 characters.
    pub fn text(&self, key: &'static str) -> Option<Located<String>> {
        self.item(key)?.text()
    }

    /// One of `words`.
    pub fn word(&self, key: &'static str, words: &[&'static str]) -> Option<Located<&'static str>> {
        let text = self.text(key)?;
        self.known(key, &text, words)
    }

    fn known(&self, key: &str, text: &Located<String>, words: &[&'static str]) -> Option<Located<&'static str>> {
        let found = words.iter().find(|word| **word == text.value);
        if found.is_none() {
            self.unknown_word(key, text, words.iter().copied());
        }
        found.map(|word| Located { value: *word, place: text.place.clone() })
    }

    /// Reports a word that is not one of those allowed.
    pub fn unknown_word<'w>(&self, key: &str, text: &Located<String>, words: impl IntoIterator<Item = &'w str>) {
        let words: Vec<&str> = words.into_iter().collect();
        self.diagnostics.push(
            Diagnostic::error("DOC008", format!("{} cannot be {}", quoted(&self.full(key)), quoted(&text.value)))
                .at(text.place.source, text.place.span.clone(), "not a known word here")
                .suggest(&text.value, words.iter().copied().filter(|_| self.diagnostics.count() < SUGGESTED_MAX))
                .help(format!("allowed: {}", words.join(", "))),
        );
    }

    /// A list of texts.
    pub fn texts(&self, key: &'static str) -> Option<Vec<Located<String>>> {
        self.item(key)?.texts()
    }

    /// A list of words, each one of `words`.
    pub fn word_list(&self, key: &'static str, words: &[&'static str]) -> Option<Vec<&'static str>> {
        let texts = self.texts(key)?;
        Some(texts.iter().filter_map(|t| self.known(key, t, words)).map(|l| l.value).collect())
    }

    /// true or false.
    pub fn boolean(&self, key: &'static str) -> Option<Located<bool>> {
        self.item(key)?.boolean()
    }

    /// A finite number without unit.
    pub fn number(&self, key: &'static str) -> Option<Located<f64>> {
        self.item(key)?.number()
    }

    /// A whole number of things, not negative.
    pub fn count(&self, key: &'static str) -> Option<Located<f64>> {
        self.item(key)?.count()
    }

    /// A quantity with its unit in the text.
    pub fn quantity<Q: Quantity>(&self, key: &'static str) -> Option<Located<Q>> {
        self.item(key)?.quantity()
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
                format!("{} must be from {} to {}", quoted(&self.full(key)), show(limits.low), show(limits.high)),
            )
            .at(value.place.source, value.place.span.clone(), format!("found {}", show(value.value)))
            .help(limits.why),
        );
        None
    }

    /// A table below this one.
    pub fn table(&self, key: &'static str) -> Option<Self> {
        self.item(key)?.table()
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
        let Some(item) = self.item(key) else {
            return Vec::new();
        };
        if item.is_table() {
            let full = self.full(key);
            let help = format!("there can be several: write [[{full}]], in double brackets");
            item.wrong_with("a list of tables", Some(help));
            return Vec::new();
        }
        let mut tables = Vec::new();
        for (i, one) in item.list("tables").unwrap_or_default().iter().enumerate() {
            if one.is_table() {
                let path = format!("{}[{i}]", self.full(key));
                tables.push(Reader::of(one.value(), path, self.diagnostics));
            } else {
                self.wrong(key, one.value(), "a table");
            }
        }
        tables
    }

    /// Reports every key that nobody asked for, with the nearest that somebody did.
    pub fn finish(&self) {
        let asked = self.asked.borrow();
        let unknown = self.entries.iter().filter(|(key, _)| !asked.contains(key.as_str()));
        for (n, (key, (place, _))) in unknown.enumerate() {
            let open = asked.iter().copied().filter(|k| !self.entries.contains_key(*k));
            let mut d = Diagnostic::error("DOC003", format!("unknown key {}", quoted(&self.full(key)))).at(
                place.source,
                place.span.clone(),
                "nothing reads this",
            );
            if n < SUGGESTED_MAX {
                d = d.suggest(key, open);
                if d.help.is_empty() {
                    d = d.suggest(key, asked.iter().copied());
                }
            }
            if d.help.is_empty() {
                d = d.help(format!("known here: {}", asked.iter().copied().collect::<Vec<_>>().join(", ")));
            }
            self.diagnostics.push(d);
        }
    }
}
