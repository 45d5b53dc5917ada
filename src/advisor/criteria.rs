//! How layouts are scored beyond their protocols' grades: the factors of `models/criteria.toml`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use crate::diag::Diagnostics;
use crate::document::{self, Kind, Reader};
use crate::origin::Sourced;
use crate::site::Site;

/// What a layout is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    /// How fast it is.
    Performance,
    /// Whether depot files can be read without the server.
    DirectFileAccess,
    /// How easily it is run.
    Manageability,
    /// How cheap it is.
    Cost,
    /// How easily it is backed up and restored.
    Backup,
}

impl Criterion {
    /// All of them, in the order of the questions.
    pub const ALL: [Self; 5] =
        [Self::Performance, Self::DirectFileAccess, Self::Manageability, Self::Cost, Self::Backup];

    /// How much it matters to a site, 0 to 10.
    pub fn weight(self, site: &Site) -> f64 {
        let criteria = &site.criteria;
        match self {
            Self::Performance => &criteria.performance,
            Self::DirectFileAccess => &criteria.direct_file_access,
            Self::Manageability => &criteria.manageability,
            Self::Cost => &criteria.cost,
            Self::Backup => &criteria.backup,
        }
        .value
    }

    /// Its key in files and answers.
    pub fn key(self) -> &'static str {
        match self {
            Self::Performance => "performance",
            Self::DirectFileAccess => "direct_file_access",
            Self::Manageability => "manageability",
            Self::Cost => "cost",
            Self::Backup => "backup",
        }
    }
}

/// In words.
impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DirectFileAccess => "direct file access",
            one => one.key(),
        })
    }
}

/// The file as embedded.
pub const TEXT: &str = include_str!("../../models/criteria.toml");

/// Factors by circumstance and criterion: `("per_edge", "cost")`.
pub type Factors = BTreeMap<(String, String), Sourced<f64>>;

/// The factors inside the binary.
pub static EMBEDDED: LazyLock<Factors> = LazyLock::new(|| {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source("models/criteria.toml", TEXT);
    let mut factors = Factors::new();
    if let Some(root) = document::parse(source, &diagnostics)
        && let Kind::Table(tables) = &root.kind
    {
        for (circumstance, (_, table)) in tables {
            let Kind::Table(entries) = &table.kind else {
                continue;
            };
            for (criterion, (_, entry)) in entries {
                let reader = Reader::new(entry, &diagnostics);
                let value = reader.number("value").map(|v| v.value);
                let (Some(value), Some(origin)) = (value, reader.origin()) else {
                    continue;
                };
                let key = (circumstance.clone(), criterion.clone());
                factors.insert(key, Sourced::new(value, origin));
            }
        }
    }
    assert!(!diagnostics.has_errors(), "embedded criteria:\n{}", diagnostics.render());
    factors
});

/// An amount that is no factor: `("edge_worth", "hours_a_year")`.
///
/// # Panics
///
/// Where the embedded file does not have it.
pub fn amount(circumstance: &str, what: &str) -> f64 {
    EMBEDDED[&(circumstance.to_owned(), what.to_owned())].value
}

/// A factor, or 1 where the circumstance does not touch the criterion.
pub fn factor(circumstance: &str, criterion: Criterion) -> f64 {
    EMBEDDED.get(&(circumstance.to_owned(), criterion.key().to_owned())).map_or(1.0, |f| f.value)
}
