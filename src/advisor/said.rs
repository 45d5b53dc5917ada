//! What a finding says, in parts: what is wrong or to be done first, then its detail, then what follows from it.

use std::fmt;

/// A sentence without capital and full stop: "first: detail; rest". Where room is short the later parts give way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    first: String,
    detail: String,
    rest: String,
}

impl Said {
    /// The same with a detail of what was said first; it stands behind a colon.
    #[must_use]
    pub fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    /// The same with one thing more; it stands behind a semicolon. Without words the same.
    #[must_use]
    pub fn then(mut self, words: impl AsRef<str>) -> Self {
        let words = words.as_ref();
        if !self.rest.is_empty() && !words.is_empty() {
            self.rest.push_str("; ");
        }
        self.rest.push_str(words);
        self
    }

    /// The same behind a word: "perhaps", "today".
    #[must_use]
    pub fn after(self, word: &str) -> Self {
        self.with_first(|first| format!("{word} {first}"))
    }

    /// The same with a second thing to do at its end.
    #[must_use]
    pub fn and(mut self, words: &str) -> Self {
        let parts = [&mut self.rest, &mut self.detail];
        let last = parts.into_iter().find(|part| !part.is_empty());
        let last = last.unwrap_or(&mut self.first);
        *last = format!("{last}, and {words}");
        self
    }

    /// The same with its first words as `write` writes them.
    #[must_use]
    pub fn with_first(self, write: impl Fn(&str) -> String) -> Self {
        Self { first: write(&self.first), ..self }
    }

    /// What is said first.
    pub fn least(&self) -> &str {
        &self.first
    }

    /// That with its detail.
    pub fn short(&self) -> String {
        match self.detail.as_str() {
            "" => self.first.clone(),
            detail => format!("{}: {detail}", self.first),
        }
    }
}

/// All of it.
impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())?;
        match self.rest.as_str() {
            "" => Ok(()),
            rest => write!(f, "; {rest}"),
        }
    }
}

impl From<String> for Said {
    fn from(first: String) -> Self {
        Self { first, ..Self::default() }
    }
}

impl From<&str> for Said {
    fn from(first: &str) -> Self {
        first.to_owned().into()
    }
}

/// What is said first, and each thing more.
impl FromIterator<String> for Said {
    fn from_iter<I: IntoIterator<Item = String>>(words: I) -> Self {
        let mut words = words.into_iter();
        let first = words.next().unwrap_or_default();
        words.fold(first.into(), Self::then)
    }
}

#[cfg(test)]
mod tests {
    use super::Said;

    #[test]
    fn later_parts_give_way_first() {
        let said = Said::from("buy memory").detail("64 GiB").then("then drives").then("");
        let forms = [said.to_string(), said.short(), said.least().to_owned()];
        assert_eq!(forms, ["buy memory: 64 GiB; then drives", "buy memory: 64 GiB", "buy memory"]);
        let more = said.after("perhaps").and("look");
        assert_eq!(more.to_string(), "perhaps buy memory: 64 GiB; then drives, and look");
        assert_eq!(Said::from("stop").and("look").to_string(), "stop, and look");
    }
}
