//! Numbers and times as prose has them: two digits, "about 6 years".

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::units::two_digits;
pub(super) use crate::units::{about_count, grouped, list};

/// Sentences one after the other, of which as many are shown as there is room for. In JSON they are one text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "String")]
#[schemars(with = "String")]
pub struct Sentences(Vec<String>);

impl Sentences {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, then with fewer and fewer from their end; the first in any case.
    pub(super) fn forms(&self) -> Vec<String> {
        let counts = (1..=self.0.len()).rev();
        counts.map(|count| self.0[..count].join(" ")).collect()
    }
}

impl FromIterator<String> for Sentences {
    /// Those that say something.
    fn from_iter<T: IntoIterator<Item = String>>(sentences: T) -> Self {
        let said = sentences.into_iter().filter(|text| !text.is_empty());
        Self(said.collect())
    }
}

impl From<Sentences> for String {
    fn from(sentences: Sentences) -> Self {
        sentences.to_string()
    }
}

impl fmt::Display for Sentences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// With a capital letter at its head, unless that is a command of Perforce's.
pub(crate) fn capital(text: &str) -> String {
    if ["p4 ", "p4d "].iter().any(|command| text.starts_with(command)) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// A load that is less than the peak: "70 % of the peak load".
pub(super) fn part_in_words(factor: f64) -> String {
    format!("{} % of the peak load", two_digits(100.0 * factor))
}

#[cfg(test)]
mod tests {
    use super::{capital, list};

    #[test]
    fn a_command_keeps_its_small_letter() {
        assert_eq!(capital("large sync"), "Large sync");
        assert_eq!(capital("p4 verify of all"), "p4 verify of all");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
