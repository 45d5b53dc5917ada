//! Numbers and statements that stand with their origin.

use super::reader::Reader;
use crate::diag::{Diagnostic, quoted};
use crate::origin::{Measurement, Origin, Sourced};
use crate::units::{Fraction, Quantity};

impl Reader<'_> {
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
        let ids: Vec<String> = self.texts("from").unwrap_or_default().into_iter().map(|id| id.value).collect();
        let note = self.text("note").map(|n| n.value);
        let kind = kind?;
        let needs = |what: &str| {
            self.diagnostics().push(
                Diagnostic::error("DOC011", format!("an origin \"{}\" needs {what}", kind.value)).at(
                    kind.place.source,
                    kind.place.span.clone(),
                    format!("of {}", quoted(self.path())),
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
            "measured" => {
                let by = |id: String| Measurement::read(&id).unwrap_or(Measurement::named(id));
                Origin::Measured { by: ids.into_iter().map(by).collect() }
            }
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
}
