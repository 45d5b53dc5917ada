//! Which lines of a table's section a log has: what stands in none of them is not known, which differs from nothing.

/// A set of lines below the name of a table or lock file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SectionLines(u8);

impl SectionLines {
    /// No line.
    pub const NONE: Self = Self(0);
    /// `pages in+out+cached`.
    pub const PAGES: Self = Self(1);
    /// `pages split internal+leaf`.
    pub const SPLITS: Self = Self(2);
    /// `locks read/write … rows get+pos+scan put+del`.
    pub const ROWS: Self = Self(4);
    /// `total lock wait+held read/write`.
    pub const TOTAL: Self = Self(8);
    /// `max lock wait+held read/write`.
    pub const LONGEST: Self = Self(16);
    /// `peek count`.
    pub const PEEKS: Self = Self(32);
    /// `pages reordered internal+leaf`.
    pub const REORDERED: Self = Self(64);
    /// All of them, as rows of structured logs have them.
    pub const ALL: Self = Self(127);

    /// Adds lines.
    pub fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// What a line says; `None` if the log does not have it.
    ///
    /// ```
    /// use plimsoll_p4log::serverlog::record::SectionLines;
    /// assert_eq!(SectionLines::PAGES.of(SectionLines::PAGES, 7), Some(7));
    /// assert_eq!(SectionLines::PAGES.of(SectionLines::ROWS, 0), None);
    /// ```
    pub fn of<T>(self, line: Self, value: T) -> Option<T> {
        (self.0 & line.0 == line.0).then_some(value)
    }
}
