//! Who takes which table locks: what stays the same in all rounds of [`super::contention`].
//!
//! Tables that the same sections take in the same way are one contest, and sections of one group that take
//! the same contests' locks are one kind: each is looked at once a round, however many there are.

use std::ops::Range;

use super::lens::Known;
use super::solve::Piece;
use super::tables::is_workspace;

/// The locks of a deployment that somebody takes alone, and all sections.
pub(super) struct Contests<'f> {
    /// Locks by table and server, with their contest.
    pub(super) locks: Vec<Lock<'f>>,
    pub(super) all: Vec<Contest>,
    /// Who takes each contest's lock.
    pub(super) users: Vec<User>,
    pub(super) kinds: Vec<Kind>,
    /// The kind of each section.
    pub(super) kind_of: Vec<usize>,
    /// First section of each piece, and how many there are in all.
    pub(super) firsts: Vec<usize>,
}

/// A table of a server.
type Table<'f> = (&'f str, usize);

/// A table of a server and the contest for it.
type Lock<'f> = (&'f str, usize, usize);

/// One lock, or several locks that the same sections take.
pub(super) struct Contest {
    /// Its part of all users.
    pub(super) users: Range<usize>,
    pub(super) takers: Vec<Taker>,
    /// The groups that take it.
    pub(super) crowds: Vec<usize>,
    /// The sets of contests that it is one of.
    pub(super) sets: Vec<usize>,
}

/// A section that takes a lock: its piece, its place among all sections, and whether it takes it alone.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct User {
    pub(super) piece: usize,
    pub(super) section: usize,
    pub(super) exclusive: bool,
}

/// Sections of one kind that take a lock: which of its crowds they belong to, and the first of them among
/// its users.
pub(super) struct Taker {
    pub(super) kind: usize,
    pub(super) exclusive: bool,
    pub(super) crowd: usize,
    pub(super) user: usize,
}

/// Sections of one group that take the same locks in the same ways: they wait alike, and are waited for
/// alike.
pub(super) struct Kind {
    pub(super) group: usize,
    /// Its contests, and the taker that it is in each.
    pub(super) places: Vec<(usize, usize)>,
    /// The first kind that takes the same contests' locks, by whomever and however.
    pub(super) set: usize,
}

impl<'f> Contests<'f> {
    pub(super) fn of(pieces: &'f [Piece<'f>]) -> Self {
        let mut firsts = Vec::with_capacity(pieces.len() + 1);
        let mut sections = 0;
        for piece in pieces {
            firsts.push(sections);
            sections += piece.cost.sections.len();
        }
        firsts.push(sections);
        let (tables, uses) = uses(pieces, &firsts);
        let (locks, ranges, users) = contested(&tables, &uses);
        let (mut kinds, kind_of) = kinds(pieces, &ranges, &users, sections);
        let all = ranges.into_iter().enumerate().map(|(c, range)| {
            let mut contest = Contest {
                takers: Vec::with_capacity(range.len()),
                crowds: Vec::with_capacity(4),
                sets: Vec::with_capacity(range.len()),
                users: range,
            };
            contest.find_takers(c, &users, &kind_of, &mut kinds);
            contest
        });
        Self {
            all: all.collect(),
            locks,
            users,
            kinds,
            kind_of,
            firsts,
        }
    }
}

impl Contest {
    fn find_takers(&mut self, place: usize, users: &[User], kind_of: &[usize], kinds: &mut [Kind]) {
        for (u, user) in users[self.users.clone()].iter().enumerate() {
            let kind = kind_of[user.section];
            let mut takers = self.takers.iter();
            if takers.any(|t| t.kind == kind && t.exclusive == user.exclusive) {
                continue;
            }
            let group = kinds[kind].group;
            let known = self.crowds.iter().position(|crowd| *crowd == group);
            if known.is_none() {
                self.crowds.push(group);
            }
            kinds[kind].places.push((place, self.takers.len()));
            if !self.sets.contains(&kinds[kind].set) {
                self.sets.push(kinds[kind].set);
            }
            self.takers.push(Taker {
                kind,
                exclusive: user.exclusive,
                crowd: known.unwrap_or(self.crowds.len() - 1),
                user: u,
            });
        }
    }
}

/// All tables with their server, and who takes which of them, section after section.
fn uses<'f>(pieces: &'f [Piece<'f>], firsts: &[usize]) -> (Vec<Table<'f>>, Vec<(usize, User)>) {
    let mut index: Known<(&str, usize), usize> = Known::default();
    let mut tables = Vec::with_capacity(32);
    let mut uses = Vec::with_capacity(8 * pieces.len());
    for (p, piece) in pieces.iter().enumerate() {
        for (s, section) in piece.cost.sections.iter().enumerate() {
            for (table, exclusive) in &section.tables {
                if is_workspace(table) {
                    continue;
                }
                let entry = index.entry((table, section.server));
                let table = *entry.or_insert_with(|| {
                    tables.push((*table, section.server));
                    tables.len() - 1
                });
                let user = User {
                    piece: p,
                    section: firsts[p] + s,
                    exclusive: *exclusive,
                };
                uses.push((table, user));
            }
        }
    }
    (tables, uses)
}

/// The tables that somebody takes alone, since nobody waits where all are readers, with their contests; and
/// of each contest its users.
fn contested<'f>(
    tables: &[Table<'f>],
    uses: &[(usize, User)],
) -> (Vec<Lock<'f>>, Vec<Range<usize>>, Vec<User>) {
    let mut ends = vec![0; tables.len() + 1];
    let mut written = vec![false; tables.len()];
    for (table, user) in uses {
        ends[table + 1] += 1;
        written[*table] |= user.exclusive;
    }
    for table in 0..tables.len() {
        ends[table + 1] += ends[table];
    }
    let starts = ends.clone();
    let mut users = vec![User::default(); uses.len()];
    for (table, user) in uses {
        users[ends[*table]] = *user;
        ends[*table] += 1;
    }
    let mut order: Vec<usize> = (0..tables.len()).filter(|table| written[*table]).collect();
    order.sort_by_key(|table| tables[*table]);
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(order.len());
    let mut locks = Vec::with_capacity(order.len());
    for table in order {
        let range = starts[table]..starts[table + 1];
        let known = ranges
            .iter()
            .position(|r| users[r.clone()] == users[range.clone()]);
        if known.is_none() {
            ranges.push(range);
        }
        let (name, server) = tables[table];
        locks.push((name, server, known.unwrap_or(ranges.len() - 1)));
    }
    (locks, ranges, users)
}

/// What the marks of sections are mixed with, that few unlike ones have the same.
const MIXTURE: usize = 1_000_003;

/// The kinds of all sections, and which of them each is.
fn kinds(
    pieces: &[Piece<'_>],
    contests: &[Range<usize>],
    users: &[User],
    sections: usize,
) -> (Vec<Kind>, Vec<usize>) {
    // What each section takes and how, and a mark that is the same where that is.
    let mut ends = vec![0; sections + 1];
    for user in contests.iter().flat_map(|range| &users[range.clone()]) {
        ends[user.section + 1] += 1;
    }
    for section in 0..sections {
        ends[section + 1] += ends[section];
    }
    let starts = ends.clone();
    let mut taken = vec![(0, false); ends[sections]];
    let mut marks = vec![0_usize; sections];
    for (c, range) in contests.iter().enumerate() {
        for user in &users[range.clone()] {
            taken[ends[user.section]] = (c, user.exclusive);
            ends[user.section] += 1;
            let mark = &mut marks[user.section];
            *mark = mark.wrapping_mul(MIXTURE) + 2 * c + usize::from(user.exclusive) + 1;
        }
    }
    let takes = |section: usize| &taken[starts[section]..starts[section + 1]];
    let mut kinds: Vec<Kind> = Vec::with_capacity(sections);
    let mut of_kind: Vec<usize> = Vec::with_capacity(sections);
    let mut kind_of = Vec::with_capacity(sections);
    for piece in pieces {
        for _ in &piece.cost.sections {
            let section = kind_of.len();
            let mut known = kinds.iter().zip(&of_kind);
            let known = known.position(|(kind, first)| {
                marks[*first] == marks[section]
                    && kind.group == piece.group
                    && takes(*first) == takes(section)
            });
            kind_of.push(known.unwrap_or(kinds.len()));
            if known.is_none() {
                let same = |first: &usize| {
                    let mut contests = takes(*first).iter().zip(takes(section));
                    takes(*first).len() == takes(section).len() && contests.all(|(a, b)| a.0 == b.0)
                };
                let set = of_kind.iter().position(same).unwrap_or(kinds.len());
                of_kind.push(section);
                kinds.push(Kind {
                    group: piece.group,
                    places: Vec::with_capacity(takes(section).len()),
                    set,
                });
            }
        }
    }
    (kinds, kind_of)
}
