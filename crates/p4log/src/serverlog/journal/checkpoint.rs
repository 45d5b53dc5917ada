//! What a checkpoint holds: rows by table, and of them files, revisions, workspaces and users.

use super::super::record::Moment;

/// Days before a checkpoint within which a person counts as active.
pub const ACTIVE_DAYS: u32 = 30;
/// Days without use after which a workspace counts as unused.
pub const UNUSED_DAYS: u32 = 90;

/// Rows of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// As `db.have`.
    pub name: String,
    /// Its rows.
    pub rows: u64,
    /// Bytes of these records in the checkpoint.
    pub bytes: u64,
}

/// Users, by their rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Users {
    /// All.
    pub all: u64,
    /// Those whose names are not those of builds and scripts.
    pub people: u64,
    /// People who used the server in the [`ACTIVE_DAYS`] before; `None` if no row says when its user did.
    pub active: Option<u64>,
}

/// Workspaces, by their rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Workspaces {
    /// All.
    pub all: u64,
    /// Those that nobody used in the [`UNUSED_DAYS`] before; `None` if no row says when it was used.
    pub unused: Option<u64>,
    /// Files of the largest, by the rows of `db.have`.
    pub largest_files: u64,
}

/// Content of revisions, of those whose rows state its size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Contents {
    /// Revisions with content.
    pub sized: u64,
    /// Its bytes in a workspace.
    pub bytes: u64,
    /// Those of them that are lazy copies: their content is kept with another revision.
    pub lazy: u64,
    /// The bytes of lazy copies.
    pub lazy_bytes: u64,
}

impl Contents {
    pub(super) fn join(&mut self, other: Self) {
        self.sized += other.sized;
        self.bytes += other.bytes;
        self.lazy += other.lazy;
        self.lazy_bytes += other.lazy_bytes;
    }

    /// Bytes of a revision on average \[B\].
    pub fn mean_bytes(&self) -> Option<f64> {
        (self.sized > 0).then(|| self.bytes as f64 / self.sized as f64)
    }
}

/// What checkpoints hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// When it was made: the first and the last time that its notes state, in UTC.
    pub span: Option<(Moment, Moment)>,
    /// Files that it lies in.
    pub files: u64,
    /// Rows of all tables.
    pub rows: u64,
    /// Bytes of the text.
    pub bytes: u64,
    /// By table, most bytes first.
    pub tables: Vec<Held>,
    /// Content of all revisions: of `db.rev`.
    pub revisions: Contents,
    /// Content of the head revisions: of `db.revhx`.
    pub heads: Contents,
    /// Users.
    pub users: Users,
    /// Workspaces.
    pub workspaces: Workspaces,
    /// A table of which two files begin with the same row: then they are no parts of one checkpoint.
    pub twice: Option<String>,
}

impl Checkpoint {
    /// Rows of a table.
    pub fn rows_of(&self, name: &str) -> u64 {
        let mut tables = self.tables.iter();
        let table = tables.find(|table| table.name == name);
        table.map_or(0, |table| table.rows)
    }
}
