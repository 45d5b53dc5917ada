//! What journals say: tables, hours, commits.

use super::super::analysis::Spread;
use super::super::record::Moment;

/// Rows written into one table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// As `db.have`.
    pub name: String,
    /// New rows.
    pub put: u64,
    /// Rows that were replaced.
    pub replaced: u64,
    /// Rows that were deleted.
    pub deleted: u64,
    /// Bytes of these records in the journal.
    pub bytes: u64,
}

impl Table {
    /// Its records.
    pub fn records(&self) -> u64 {
        self.put + self.replaced + self.deleted
    }
}

/// What was written in an hour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hour {
    /// When it begins, in UTC: a journal states seconds since 1970.
    pub at: Moment,
    /// Records, notes and marks included.
    pub records: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Changes that were committed.
    pub commits: u64,
}

/// Commits, and what they wrote.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Commits {
    /// Changes that were committed.
    pub count: u64,
    /// Files of each.
    pub files: Option<Spread>,
    /// Revisions with content of their own and a size, and their bytes in a workspace.
    pub sized: (u64, u64),
    /// Bytes of the journal that the transaction of each wrote.
    pub bytes: Option<Spread>,
    /// Bytes of the journal a file, over all commits with files.
    pub bytes_per_file: Option<f64>,
    /// Records and bytes by table, over all of these transactions; most bytes first.
    pub tables: Vec<(String, u64, u64)>,
    /// Changes by the day of UTC.
    pub days: Vec<(Moment, u64)>,
}

/// What journals say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Journal {
    /// The first and the last time that a note, a mark or a commit states, in UTC.
    pub span: Option<(Moment, Moment)>,
    /// Records, notes and marks included.
    pub records: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes before the first time, behind the last, or at times beyond what is kept.
    pub untimed_bytes: u64,
    /// Transactions that ended.
    pub transactions: u64,
    /// By table, most bytes first.
    pub tables: Vec<Table>,
    /// By hour, those with records.
    pub hours: Vec<Hour>,
    /// Commits.
    pub commits: Commits,
    /// Users whose row was written, which p4d does as they work, and those of them whose names are not those of builds and scripts.
    pub users: (u64, u64),
}

impl Journal {
    /// From the first time to the last \[s\].
    pub fn span_s(&self) -> f64 {
        self.span.map_or(0.0, |(from, to)| to.seconds_since(from))
    }

    /// Bytes a day over the span; `None` if it is shorter than an hour.
    pub fn bytes_per_day(&self) -> Option<f64> {
        let span_s = self.span_s();
        (span_s >= 3600.0).then(|| self.bytes as f64 / span_s * 86_400.0)
    }

    /// A table by its name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }
}
