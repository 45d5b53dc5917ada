//! One table of the site file while it is read: an answer is stated, or assumed and written down.
//!
//! Knows fields, limits and assumptions; must not know any single field.

use std::cell::RefCell;

use crate::diag::{Diagnostic, Diagnostics, Place};
use crate::document::{Limits, Located, Reader};
use crate::origin::{Measurement, Origin};

use super::answer::{Answer, Assumption};
use super::answerable::{Amount, Answerable};
use super::assumptions::{End, Entry, Factor};
use super::fields::{Field, Kind, field};
use super::measured::Measurements;
use super::observed::{LAYER, Moved};
use super::times::Times;
use super::vocabulary::Vocabulary;

/// What all sections share while a file is read.
pub(super) struct Ledger<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) diagnostics: &'a Diagnostics,
    /// How many times the load is taken.
    pub(super) times: &'a Times,
    pub(super) assumptions: RefCell<Vec<Assumption>>,
    /// Which answers were measured, and where.
    pub(super) measured: Measurements<'a>,
    /// Measured answers that have a range.
    pub(super) measured_ranges: RefCell<Vec<Assumption>>,
    /// Assumptions that the system that is there moved.
    pub(super) moved: &'a [Moved],
    /// Answers that contradict each other, and which of them is used: sentences.
    pub(super) contradictions: RefCell<Vec<String>>,
}

/// One table.
pub(super) struct Section<'a> {
    pub(super) reader: Reader<'a>,
    /// What stands before a key in `--set`: `data.`, `people.site.0.`.
    pub(super) prefix: String,
    pub(super) ledger: &'a Ledger<'a>,
}

/// The field at a path that our own code names.
pub(super) fn known(path: &'static str) -> &'static Field {
    match field(path) {
        Some(field) => field,
        None => panic!("{path} is read but is not in models/questions.toml"),
    }
}

/// The limits of a field in the base unit.
fn limits<T: Amount>(field: &Field) -> (f64, f64) {
    field.limits.map_or((f64::MIN, f64::MAX), |(low, high)| (T::limit(low), T::limit(high)))
}

impl Section<'_> {
    /// A stated answer: of an amount, within the limits of its field.
    pub(super) fn stated<T: Answerable>(&self, path: &'static str) -> Option<Answer<T>> {
        T::stated(self, path)
    }

    /// A stated amount within the limits of its field.
    pub(super) fn stated_amount<T: Amount>(&self, path: &'static str) -> Option<Answer<T>> {
        let field = known(path);
        let key = field.key();
        let found = T::read(&self.reader, key, field.kind, Some(self.ledger.vocabulary))?;
        let (low, high) = limits::<T>(field);
        let base = Located { value: found.value.to_base(), place: found.place };
        let limits = Limits { low, high, why: field.why };
        let show = |base| T::of_base(base).shown(field.kind);
        let within = self.reader.within(key, Some(base), limits, show)?;
        let times = self.ledger.times.of(path, &within.place);
        let given = self.given(path, T::of_base(within.value * times), &within.place);
        Some(if times == 1.0 { given } else { given.taken(times) })
    }

    /// How many times the load of the file is taken.
    pub(super) fn times_load(&self) -> f64 {
        self.ledger.times.all()
    }

    /// How many times a stated answer is taken.
    pub(super) fn times_of(&self, path: &'static str) -> f64 {
        self.ledger.times.of(path, &self.place_of(path))
    }

    /// A stated word, list or switch.
    pub(super) fn stated_word<T: Answerable>(&self, path: &'static str) -> Option<Answer<T>> {
        let field = known(path);
        let vocabulary = Some(self.ledger.vocabulary);
        let found = T::read(&self.reader, field.key(), field.kind, vocabulary)?;
        Some(self.given(path, found.value, &found.place))
    }

    /// An answer of the file: measured where `[measured]` says so, else stated.
    fn given<T: Answerable>(&self, path: &'static str, value: T, place: &Place) -> Answer<T> {
        let answer = Answer::stated(value, self.place(place));
        if self.ledger.diagnostics.name(place.source) == LAYER {
            return self.moved(path, answer);
        }
        let raw = self.reader.raw(known(path).key());
        let Some(found) = self.ledger.measured.of_answer(path, raw) else {
            return answer;
        };
        let origin = Origin::Measured { by: vec![Measurement::named(found.from.clone())] };
        if let Some([low, high]) = &found.range {
            let field = known(path);
            self.ledger.measured_ranges.borrow_mut().push(Assumption {
                field: format!("{}{}", self.prefix, field.key()),
                value: answer.value.shown(field.kind),
                low: low.clone(),
                high: high.clone(),
                origin: origin.clone(),
                value_override: answer.value.written(field.kind),
                low_override: low.clone(),
                high_override: high.clone(),
            });
        }
        Answer { origin, ..answer }
    }

    /// An assumption that the system that is there moved.
    fn moved<T: Answerable>(&self, path: &'static str, answer: Answer<T>) -> Answer<T> {
        let field = known(path);
        let full = format!("{}{}", self.prefix, field.key());
        let mut moved = self.ledger.moved.iter();
        let Some(moved) = moved.find(|moved| moved.assumption.field == full) else {
            return answer;
        };
        let origin = Origin::Derived { ids: Vec::new(), how: moved.how.clone() };
        self.ledger.assumptions.borrow_mut().push(Assumption {
            value: answer.value.shown_assumed(field.kind),
            value_override: moved.value.clone(),
            origin: origin.clone(),
            ..moved.assumption.clone()
        });
        Answer { origin, ..answer }
    }

    /// An answer, stated or assumed as `models/questions.toml` says.
    pub(super) fn answer<T: Answerable>(&self, path: &'static str) -> Answer<T> {
        self.stated(path).unwrap_or_else(|| self.assumed(path))
    }

    /// The answer to a question that was found to be open: what `models/questions.toml` says.
    pub(super) fn assumed<T: Answerable>(&self, path: &'static str) -> Answer<T> {
        let entry = Entry::<T>::of(path, known(path).kind);
        self.assume(path, entry.value, entry.low, entry.high, entry.origin)
    }

    /// An amount, stated or derived as [`Section::derive`] does.
    pub(super) fn derived<T: Amount>(
        &self,
        path: &'static str,
        formula: impl Fn(f64) -> f64,
        how: impl Fn(&str) -> String,
    ) -> Answer<T> {
        self.stated(path).unwrap_or_else(|| self.derive(path, |factor, _| formula(factor), how))
    }

    /// An amount that was not stated: `formula` makes it from the factor in
    /// `models/questions.toml`, `how` says the arithmetic given the factor as text.
    pub(super) fn derive<T: Amount>(
        &self,
        path: &'static str,
        formula: impl Fn(f64, End) -> f64,
        how: impl Fn(&str) -> String,
    ) -> Answer<T> {
        let kind = known(path).kind;
        let factor = Factor::of::<T>(path, kind);
        let (least, most) = limits::<T>(known(path));
        let result = |end: End| {
            let base = formula(factor.at(end), end).clamp(least, most);
            T::of_base(if kind == Kind::Count { base.round() } else { base })
        };
        let value: T = result(End::Value);
        let origin = factor.origin(&format!("{} = {}", how(&factor.shown), value.shown_assumed(kind)));
        let (a, b) = (result(End::Low), result(End::High));
        let (low, high) = if a.to_base() <= b.to_base() { (a, b) } else { (b, a) };
        self.assume(path, value, low, high, origin)
    }

    /// Writes an assumption down and answers with it.
    pub(super) fn assume<T: Answerable>(
        &self,
        path: &'static str,
        value: T,
        low: T,
        high: T,
        origin: Origin,
    ) -> Answer<T> {
        let field = known(path);
        self.ledger.assumptions.borrow_mut().push(Assumption {
            field: format!("{}{}", self.prefix, field.key()),
            value: value.shown_assumed(field.kind),
            low: low.shown_assumed(field.kind),
            high: high.shown_assumed(field.kind),
            origin: origin.clone(),
            value_override: value.written(field.kind),
            low_override: low.written(field.kind),
            high_override: high.written(field.kind),
        });
        Answer { value, origin, low, high }
    }

    /// Reports that an answer contradicts another, and which is used: a warning, and a sentence of the answer.
    pub(super) fn contradicts(&self, path: &'static str, code: &'static str, message: &str, help: &str) {
        let mut said = self.ledger.contradictions.borrow_mut();
        said.push(format!("The answers contradict each other: {message}."));
        drop(said);
        let diagnostic = Diagnostic::warning(code, message).help(help);
        self.report(path, diagnostic, "does not fit the others");
    }

    /// Reports each of the required fields that is missing, with its question.
    pub(super) fn require(&self, paths: &[&'static str]) {
        for path in paths {
            let field = known(path);
            self.reader.require_or(field.key(), Some(field.question));
        }
    }

    /// The place of a key's value, or of the table where it is missing.
    pub(super) fn place_of(&self, path: &'static str) -> Place {
        self.reader.raw(known(path).key()).map_or_else(|| self.reader.place().clone(), |value| value.place.clone())
    }

    /// A place as the origin states it: `site.toml:12` or `--set`.
    pub(super) fn place(&self, place: &Place) -> String {
        let name = self.ledger.diagnostics.name(place.source);
        if name.starts_with("--") {
            return name.to_owned();
        }
        let (line, _) = self.ledger.diagnostics.line_column(place);
        format!("{name}:{line}")
    }

    /// Reports something about one field.
    pub(super) fn report(&self, path: &'static str, diagnostic: Diagnostic, label: &str) {
        let place = self.place_of(path);
        self.ledger.diagnostics.push(diagnostic.at(place.source, place.span, label));
    }
}
