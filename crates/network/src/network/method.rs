//! How a network can be solved.

use std::fmt;

/// How a network is solved.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Method {
    /// Whatever is best and fast: closed forms, exact where it is not too large, else approximate.
    Auto,
    /// Exact mean value analysis.
    Exact,
    /// Exact by convolution.
    Convolution,
    /// Schweitzer's and Bard's approximate mean value analysis.
    Amva,
    /// The Linearizer.
    Linearizer,
    /// Aggregate queue lengths.
    Aql,
    /// Bounds alone.
    Bounds,
    /// Simulated.
    Sim,
}

impl Method {
    /// All of them with the words of the command line.
    pub const WORDS: [(Self, &'static str); 8] = [
        (Self::Auto, "auto"),
        (Self::Exact, "exact"),
        (Self::Convolution, "convolution"),
        (Self::Amva, "amva"),
        (Self::Linearizer, "linearizer"),
        (Self::Aql, "aql"),
        (Self::Bounds, "bounds"),
        (Self::Sim, "sim"),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(method, _)| *method == self);
        found.map_or("auto", |(_, word)| word)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.word())
    }
}
