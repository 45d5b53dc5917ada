//! The tables of one server that are blocked at a moment, and where a command is blocked that requests its tables one after the other.
//!
//! A table is blocked to writers as soon as a command holds it, and to all commands where one holds it exclusively or waits to do
//! so: the locks serve in order of arrival.

/// A set of a server's tables, a bit each; tables beyond the set's size count as never blocked.
type Tables = u128;

/// Tables that are blocked to writers, and tables that are blocked to all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Blocked {
    to_writers: Tables,
    to_all: Tables,
}

/// A table that a section locks.
#[derive(PartialEq)]
pub(super) struct Request {
    /// Its number among the tables of its server.
    pub(super) table: u32,
    pub(super) exclusive: bool,
    /// Index of the taker of the contest's lock.
    pub(super) taker: usize,
}

impl Blocked {
    /// Most tables of a server that are distinguished.
    pub(super) const TABLES_MOST: u32 = Tables::BITS;

    /// What a command blocks that holds these tables.
    pub(super) fn by(requests: &[Request]) -> Self {
        let mut blocked = Self::default();
        for request in requests {
            blocked.add(request);
        }
        blocked
    }

    pub(super) fn add(&mut self, request: &Request) {
        let bit = 1 << request.table;
        self.to_writers |= bit;
        if request.exclusive {
            self.to_all |= bit;
        }
    }

    fn blocks(self, request: &Request) -> bool {
        let blocked = if request.exclusive { self.to_writers } else { self.to_all };
        blocked & (1 << request.table) != 0
    }

    /// The first of these requests that is blocked, as a taker, and what is blocked then: the command keeps what it holds
    /// and stands in line.
    pub(super) fn first(self, requests: &[Request]) -> Option<(usize, Self)> {
        let at = requests.iter().position(|request| self.blocks(request))?;
        let mut then = self;
        for request in &requests[..=at] {
            then.add(request);
        }
        Some((requests[at].taker, then))
    }

    /// Whether more tables are blocked to all than in `before`.
    pub(super) fn blocks_more_than(self, before: Self) -> bool {
        self.to_all != before.to_all
    }

    pub(super) fn size(self) -> u32 {
        self.to_writers.count_ones() + self.to_all.count_ones()
    }

    /// Whether a table is blocked to all.
    pub(super) fn is_to_all(self, table: u32) -> bool {
        table < Self::TABLES_MOST && self.to_all & (1 << table) != 0
    }
}
