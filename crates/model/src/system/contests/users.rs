//! Each section by itself: what searches do not ask for.

use super::Contests;

/// A section that takes a lock: its piece, its place among all sections, and whether it takes it alone.
pub(in crate::system) struct User {
    pub(in crate::system) piece: usize,
    /// Of all takers.
    pub(in crate::system) taker: usize,
    pub(in crate::system) section: usize,
    pub(in crate::system) exclusive: bool,
}

/// Each section that takes a lock.
pub(in crate::system) struct Users {
    /// By contest.
    pub(in crate::system) all: Vec<Vec<User>>,
    /// By taker: the first of its sections among its contest's users.
    pub(in crate::system) first: Vec<usize>,
}

impl Contests<'_> {
    /// All of them.
    pub(in crate::system) fn users(&self) -> Users {
        let mut all: Vec<Vec<User>> = self.all.iter().map(|_| Vec::new()).collect();
        let mut first = vec![usize::MAX; self.takers.len()];
        for (piece, firsts) in self.firsts.windows(2).enumerate() {
            for section in firsts[0]..firsts[1] {
                for (contest, at) in self.places_of(self.kind_of[section]) {
                    first[*at] = first[*at].min(all[*contest].len());
                    all[*contest].push(User { piece, taker: *at, section, exclusive: self.takers[*at].exclusive });
                }
            }
        }
        Users { all, first }
    }
}
