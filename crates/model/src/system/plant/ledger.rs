//! What volumes are asked for, by role.

/// What a volume is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Io {
    /// Read requests.
    pub reads: f64,
    /// Write requests.
    pub writes: f64,
    /// Bytes both ways.
    pub bytes: f64,
}

impl Io {
    pub(in crate::system) fn add(&mut self, other: Self, factor: f64) {
        self.reads += other.reads * factor;
        self.writes += other.writes * factor;
        self.bytes += other.bytes * factor;
    }
}

/// Roles that commands ask for anything, in the order of the alphabet.
const ROLES: [&str; 4] = ["db", "depot", "journal", "log"];

/// Requests and bytes of a piece of work, by role; roles that it does not touch have none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::system) struct Ledger([Option<Io>; ROLES.len()]);

/// What one role's volume is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::system) struct Entry {
    role: usize,
    io: Io,
}

impl Entry {
    pub(in crate::system) fn of(role: &str, io: Io) -> Option<Self> {
        let role = ROLES.iter().position(|known| *known == role)?;
        Some(Self { role, io })
    }
}

impl Ledger {
    pub(in crate::system) fn enter(&mut self, entry: Entry, factor: f64) {
        let own = self.0[entry.role].get_or_insert_default();
        own.add(entry.io, factor);
    }

    pub(in crate::system) fn add(&mut self, other: &Self, factor: f64) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            if let Some(other) = other {
                own.get_or_insert_default().add(*other, factor);
            }
        }
    }

    pub(in crate::system) fn iter(&self) -> impl Iterator<Item = (&'static str, Io)> {
        let roles = ROLES.iter().zip(&self.0);
        roles.filter_map(|(role, io)| io.map(|io| (*role, io)))
    }
}
