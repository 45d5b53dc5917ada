//! p4d releases: a year and a number, ordered; which locks reads take.

use super::command::Lockless;
use super::feature::Feature;
use std::fmt;
use std::str::FromStr;

/// A release of p4d.
///
/// ```
/// use plimsoll_model::catalog::Release;
/// let release: Release = "2013.3".parse()?;
/// assert!(release.lockless() && release.edges() && release > Release::new(2012, 1));
/// assert!("2013".parse::<Release>().is_err() && "2024.9".parse::<Release>().is_err());
/// # Ok::<(), plimsoll_model::catalog::ReleaseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release {
    year: u16,
    number: u8,
}

/// Text was not a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a release of p4d such as \"2024.2\", from 1998.1 to 2030.3; a year has the releases .1 to .4")]
pub struct ReleaseError;

impl Release {
    /// The first that is known.
    pub const FIRST: Self = Self::new(1998, 1);
    /// The last that can be named.
    pub const LAST: Self = Self::new(2030, 3);

    /// The last number in a year: Perforce releases twice a year, and released three times in some.
    const NUMBER_LAST: u8 = 4;

    /// Year and number in the year, from 1.
    pub const fn new(year: u16, number: u8) -> Self {
        Self { year, number }
    }

    /// The year.
    pub fn year(self) -> u16 {
        self.year
    }

    /// Whether reads can do without locks, with `db.peeking` 2 or 3.
    pub fn lockless(self) -> bool {
        self.has(Feature::Lockless)
    }

    /// Threads of a large sync: `net.parallel.threads`, ten in P17-configurables; without parallel syncs one.
    pub fn sync_threads(self) -> f64 {
        if self.has(Feature::ParallelSyncs) { 10.0 } else { 1.0 }
    }

    /// Whether there are edge servers.
    pub fn edges(self) -> bool {
        self.has(Feature::Edges)
    }
}

/// Which locks reads take, by release and `db.peeking`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadLocks {
    /// All of their tables: before 2013.3, and with `db.peeking` 0 or 1.
    All,
    /// Those of the tables that stay locked with `db.peeking` 2, such as db.revhx.
    Few,
    /// None: `db.peeking` 3.
    None,
}

impl ReadLocks {
    /// Those of a server of this release with this `db.peeking`.
    pub fn of(release: Release, peeking: f64) -> Self {
        if !release.lockless() || peeking < 2.0 {
            Self::All
        } else if peeking < 3.0 {
            Self::Few
        } else {
            Self::None
        }
    }

    /// Those that a command takes which is lockless so far.
    #[must_use]
    pub fn of_command(self, lockless: Lockless) -> Self {
        match (self, lockless) {
            (_, Lockless::Never) => Self::All,
            (Self::Few, Lockless::Always) => Self::None,
            (locks, _) => locks,
        }
    }

    /// Those of its tables that a read locks, where `kept` stay locked with `db.peeking` 2.
    pub fn tables<'t>(self, tables: &'t [String], kept: &'t [String]) -> &'t [String] {
        match self {
            Self::All => tables,
            Self::Few => kept,
            Self::None => &[],
        }
    }

    /// Whether reads do without most locks, or all.
    pub fn peeks(self) -> bool {
        self != Self::All
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.year, self.number)
    }
}

impl FromStr for Release {
    type Err = ReleaseError;

    fn from_str(text: &str) -> Result<Self, ReleaseError> {
        let (year, number) = text.trim().split_once('.').ok_or(ReleaseError)?;
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if year.len() != 4 || number.len() != 1 || !digits(year) || !digits(number) {
            return Err(ReleaseError);
        }
        let release = Self::new(
            year.parse().map_err(|_not_a_year| ReleaseError)?,
            number.parse().map_err(|_not_a_number| ReleaseError)?,
        );
        let is_numbered = (1..=Self::NUMBER_LAST).contains(&release.number);
        if !is_numbered || release < Self::FIRST || release > Self::LAST {
            return Err(ReleaseError);
        }
        Ok(release)
    }
}
