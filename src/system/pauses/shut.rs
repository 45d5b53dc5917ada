//! Sets of tables that are shut, and how far somebody comes who takes his tables one after the other.
//!
//! A table is shut to who wants it alone as soon as somebody has it, and to all where he has it alone or somebody stands there
//! who wants it so.
//!
//! Knows one moment; not what follows ([`super::course`]).

/// A set of a server's tables, a bit each: of more than it has room for, the others are taken for open.
type Tables = u128;

/// Tables that are shut to who wants them alone, and to all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Shut {
    alone: Tables,
    all: Tables,
}

impl Shut {
    /// Tables of a server that are told apart.
    pub(super) const TABLES_MOST: u32 = Tables::BITS;

    /// By who has these tables.
    pub(super) fn by(way: &[Taken]) -> Self {
        let mut shut = Self::default();
        for taken in way {
            shut.add(taken);
        }
        shut
    }

    pub(super) fn add(&mut self, taken: &Taken) {
        let bit = 1 << taken.table;
        self.alone |= bit;
        if taken.alone {
            self.all |= bit;
        }
    }

    fn is_to(self, taken: &Taken) -> bool {
        let shut = if taken.alone { self.alone } else { self.all };
        shut & (1 << taken.table) != 0
    }

    /// Who is stuck on this way, and what is shut then.
    pub(super) fn stuck(self, way: &[Taken]) -> Option<(usize, Self)> {
        let at = way.iter().position(|taken| self.is_to(taken))?;
        let mut then = self;
        for taken in &way[..=at] {
            then.add(taken);
        }
        Some((way[at].taker, then))
    }

    /// Whether more is shut to all than there.
    pub(super) fn is_more_than(self, before: Self) -> bool {
        self.all != before.all
    }

    pub(super) fn size(self) -> u32 {
        self.alone.count_ones() + self.all.count_ones()
    }

    /// Whether a server's table is shut to all.
    pub(super) fn is_to_all(self, table: u32) -> bool {
        table < Self::TABLES_MOST && self.all & (1 << table) != 0
    }
}

/// A table that a section takes.
pub(super) struct Taken {
    pub(super) table: u32,
    pub(super) alone: bool,
    pub(super) taker: usize,
    pub(super) contest: usize,
}

#[cfg(test)]
impl Taken {
    pub(super) fn of(contest: usize, alone: bool) -> Self {
        Self {
            table: contest as u32,
            alone,
            taker: contest,
            contest,
        }
    }
}
