//! Where a number comes from. The origin travels with the value to the screen and the report.
//!
//! Knows the six kinds of origin and the one-sigma error that each is trusted with when it states
//! none. Must not know what the numbers mean.

use std::fmt;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// An answer of the user, and where it stands (`site.toml:12` or `--set`).
    Stated {
        /// File and line, or option.
        place: String,
    },
    /// A published figure or rule.
    Source {
        /// Ids of calibration data or references.
        ids: Vec<String>,
    },
    /// A measurement by this tool on the user's hardware, or a log of the user's server.
    Measured {
        /// The tests of a result, or which log.
        by: Vec<Measurement>,
    },
    /// The result of a fit.
    Fitted {
        /// Ids of the data that moved it.
        ids: Vec<String>,
    },
    /// Arithmetic on other values.
    Derived {
        /// Ids or fields that went in.
        ids: Vec<String>,
        /// The arithmetic.
        how: String,
    },
    /// Nobody said: taken because of `why`.
    Assumed {
        /// The reason.
        why: String,
    },
}

/// A measurement of the user's own, as an origin names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measurement {
    /// When and where, or what says it: `measured on 2026-11-22 in srv-db`, `a server log`.
    pub place: String,
    /// Which of the tests of that place and day: `read.8k.random.1`; `None` if `place` names it itself.
    pub test: Option<String>,
}

impl Measurement {
    /// How the ids of a user's own microbenchmarks begin.
    const BEGINS: &str = "measured on ";

    /// The test of a microbenchmark on a day in a folder.
    pub fn of_test(day: &str, folder: &str, test: &str) -> Self {
        Self { place: format!("{}{day} in {folder}", Self::BEGINS), test: Some(test.to_owned()) }
    }

    /// What names itself.
    pub fn named(place: impl Into<String>) -> Self {
        let place = place.into();
        Self { place, test: None }
    }

    /// A microbenchmark by the id that a file gives it; `None` of other ids.
    ///
    /// ```
    /// use plimsoll_ground::origin::Measurement;
    /// let test = Measurement::of_test("2026-11-22", "srv-db", "read.8k.random.1");
    /// assert_eq!(test.to_string(), "measured on 2026-11-22 in srv-db read.8k.random.1");
    /// assert_eq!(Measurement::read(&test.to_string()), Some(test));
    /// assert_eq!(Measurement::read("P17-submit-ssd"), None);
    /// ```
    pub fn read(id: &str) -> Option<Self> {
        let (place, test) = id.strip_prefix(Self::BEGINS)?.rsplit_once(' ')?;
        Some(Self { place: format!("{}{place}", Self::BEGINS), test: Some(test.to_owned()) })
    }
}

/// As the id of a file.
impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)?;
        self.test.iter().try_for_each(|test| write!(f, " {test}"))
    }
}

impl Origin {
    /// One word, as in data files and JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Stated { .. } => "stated",
            Self::Source { .. } => "source",
            Self::Measured { .. } => "measured",
            Self::Fitted { .. } => "fitted",
            Self::Derived { .. } => "derived",
            Self::Assumed { .. } => "assumed",
        }
    }

    /// The ids that it rests on.
    pub fn ids(&self) -> &[String] {
        match self {
            Self::Source { ids } | Self::Fitted { ids } | Self::Derived { ids, .. } => ids,
            Self::Stated { .. } | Self::Measured { .. } | Self::Assumed { .. } => &[],
        }
    }

    /// The one-sigma relative error of a value that states none: what its kind is trusted with.
    ///
    /// Published figures 5 % (two digits printed), arithmetic on them 15 %, guesses 40 %; answers of
    /// the user are taken as they are. Documented in `models/README.md`; a fit replaces them.
    pub fn default_spread(&self) -> f64 {
        match self {
            Self::Stated { .. } => 0.0,
            Self::Source { .. } | Self::Measured { .. } => 0.05,
            Self::Fitted { .. } => 0.1,
            Self::Derived { .. } => 0.15,
            Self::Assumed { .. } => 0.4,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stated { place } => write!(f, "stated: {place}"),
            Self::Source { ids } => write!(f, "source: {}", ids.join(", ")),
            Self::Measured { by } => {
                let by: Vec<String> = by.iter().map(ToString::to_string).collect();
                write!(f, "measured: {}", by.join(", "))
            }
            Self::Fitted { ids } => write!(f, "fitted: {}", ids.join(", ")),
            Self::Derived { ids, how } if ids.is_empty() => write!(f, "derived: {how}"),
            Self::Derived { ids, how } => write!(f, "derived from {}: {how}", ids.join(", ")),
            Self::Assumed { why } => write!(f, "assumed: {why}"),
        }
    }
}

/// A value with its origin and its one-sigma relative error.
#[derive(Debug, Clone, PartialEq)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
    /// One-sigma relative error; 0.2 is 20 %.
    pub spread: f64,
}

impl<T> Sourced<T> {
    /// With the spread that its origin is trusted with.
    pub fn new(value: T, origin: Origin) -> Self {
        let spread = origin.default_spread();
        Self { value, origin, spread }
    }
}
