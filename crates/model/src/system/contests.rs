//! Who takes which table locks: what stays the same in all rounds of [`super::lock_waits`].
//!
//! Tables that the same sections take in the same way are one contest, and sections of one group that take
//! the same contests' locks are one kind: each is looked at once a round, however many there are. Most
//! sections are begun by the same steps of the same scripts, so that a table's name is looked at once a step.

mod users;

pub(super) use users::{User, Users};

use std::hash::BuildHasherDefault;
use std::ops::Range;

use super::cost::Take;
use super::lens::Known;
use super::piece::Piece;
use super::tables::{LockOrder, is_workspace};

/// The locks of a deployment that somebody takes alone, and all sections.
pub(super) struct Contests<'f> {
    /// Locks by table and server, with their contest.
    pub(super) locks: Vec<Lock<'f>>,
    pub(super) all: Vec<Contest>,
    /// Who takes each contest's lock, one contest after the other.
    pub(super) takers: Vec<Taker>,
    pub(super) kinds: Vec<Kind>,
    /// The contests of each kind with the taker that it is there, one kind after the other.
    pub(super) places: Vec<(usize, usize)>,
    /// Sets of contests that sections take together.
    pub(super) sets: usize,
    /// The kind of each section.
    pub(super) kind_of: Vec<usize>,
    /// First section of each piece, and how many there are in all.
    pub(super) firsts: Vec<usize>,
}

/// A table of a server and the contest for it.
type Lock<'f> = (&'f str, usize, usize);

/// One lock, or several locks that the same sections take.
pub(super) struct Contest {
    /// Its part of all takers.
    pub(super) takers: Range<usize>,
}

/// Sections of one kind that take a lock.
#[derive(Clone, Copy, Default)]
pub(super) struct Taker {
    pub(super) kind: usize,
    pub(super) exclusive: bool,
}

/// Sections of one group that take the same locks in the same ways: they wait alike, and are waited for
/// alike.
pub(super) struct Kind {
    pub(super) group: usize,
    /// Its part of all places.
    pub(super) places: Range<usize>,
    /// The set of its contests, by whomever and however they are taken.
    pub(super) set: usize,
}

impl<'f> Contests<'f> {
    pub(super) fn of(pieces: &'f [Piece<'f>]) -> Self {
        let grips = Grips::of(pieces);
        let contested = grips.contested();
        let ways = Ways::of(&contested, grips.held.len());
        let kinds = kinds(pieces, &grips, &ways);
        Self::of_ways(contested, &ways, kinds, grips.firsts)
    }

    /// Of kinds of sections that take contests in these ways, and first sections.
    fn of_ways(
        contested: Contested<'f>,
        ways: &Ways,
        (kinds, kind_of): (Vec<(usize, usize)>, Vec<usize>),
        firsts: Vec<usize>,
    ) -> Self {
        let taken = kinds.iter().flat_map(|(_, way)| ways.taken(*way));
        let starts = starts(contested.ranges.len(), taken.map(|(c, _)| *c));
        let mut found = Self {
            locks: contested.locks,
            all: Vec::with_capacity(contested.ranges.len()),
            takers: Vec::new(),
            kinds: Vec::with_capacity(kinds.len()),
            places: Vec::new(),
            sets: ways.sets,
            kind_of,
            firsts,
        };
        found.add_takers(&kinds, ways, &starts);
        found
    }

    fn add_takers(&mut self, kinds: &[(usize, usize)], ways: &Ways, starts: &[usize]) {
        let all = starts[starts.len() - 1];
        self.takers.resize(all, Taker::default());
        self.places.reserve(all);
        let mut ends = starts.to_vec();
        for (kind, (group, way)) in kinds.iter().enumerate() {
            let begin = self.places.len();
            for (contest, exclusive) in ways.taken(*way) {
                self.takers[ends[*contest]] = Taker { kind, exclusive: *exclusive };
                self.places.push((*contest, ends[*contest]));
                ends[*contest] += 1;
            }
            self.kinds.push(Kind { group: *group, places: begin..self.places.len(), set: ways.all[*way].set });
        }
        let all = starts.windows(2).map(|at| Contest { takers: at[0]..at[1] });
        self.all.extend(all);
    }

    /// The contests that sections of a kind take, with the taker that they are there.
    pub(super) fn places_of(&self, kind: usize) -> &[(usize, usize)] {
        &self.places[self.kinds[kind].places.clone()]
    }

    /// Where each contest stands in the order in which tables are taken: its first table.
    pub(super) fn ranks(&self, order: &LockOrder<'_>) -> Vec<usize> {
        let mut ranks = vec![usize::MAX; self.all.len()];
        for (table, _, contest) in &self.locks {
            ranks[*contest] = ranks[*contest].min(order.rank(table));
        }
        ranks
    }
}

/// Tables, and steps that take some, that a load usually meets.
const TABLES_USUAL: usize = 48;

/// Sections that are begun by the same steps of the same scripts on the same server.
struct Grips<'f> {
    tables: Vec<Table<'f>>,
    /// Of each grip its tables and how it takes them, each way once: its part of all.
    held: Vec<Range<usize>>,
    all_held: Vec<(usize, bool)>,
    /// The grip of each section.
    grip_of: Vec<usize>,
    /// First section of each piece, and how many there are in all.
    firsts: Vec<usize>,
}

/// A table of a server.
type Table<'f> = (&'f str, usize);

impl<'f> Grips<'f> {
    fn of(pieces: &'f [Piece<'f>]) -> Self {
        let sections: usize = pieces.iter().map(|piece| piece.cost.sections.len()).sum();
        let mut grips = Self {
            grip_of: Vec::with_capacity(sections),
            firsts: Vec::with_capacity(pieces.len() + 1),
            tables: Vec::with_capacity(TABLES_USUAL),
            held: Vec::with_capacity(TABLES_USUAL),
            all_held: Vec::with_capacity(8 * TABLES_USUAL),
        };
        let mut index: Known<Table<'f>, usize> =
            Known::with_capacity_and_hasher(TABLES_USUAL, BuildHasherDefault::default());
        // Steps lead from the steps before them to those with them, each known by where its tables lie.
        let mut paths: Known<(usize, usize, usize), usize> =
            Known::with_capacity_and_hasher(TABLES_USUAL, BuildHasherDefault::default());
        let mut ends: Vec<Option<usize>> = Vec::with_capacity(TABLES_USUAL);
        ends.push(None);
        for piece in pieces {
            grips.firsts.push(grips.grip_of.len());
            for section in &piece.cost.sections {
                let takes = piece.cost.takes(section);
                let mut path = 0;
                for (tables, exclusive) in takes {
                    let step = tables.as_ptr().addr() + usize::from(*exclusive);
                    path = *paths.entry((section.server, path, step)).or_insert_with(|| {
                        ends.push(None);
                        ends.len() - 1
                    });
                }
                let grip = ends[path].unwrap_or_else(|| {
                    grips.add(takes, section.server, &mut index);
                    grips.held.len() - 1
                });
                ends[path] = Some(grip);
                grips.grip_of.push(grip);
            }
        }
        grips.firsts.push(grips.grip_of.len());
        grips
    }

    fn add(&mut self, takes: &[Take<'f>], server: usize, index: &mut Known<Table<'f>, usize>) {
        let begin = self.all_held.len();
        for (tables, exclusive) in takes {
            for table in tables.iter().filter(|table| !is_workspace(table)) {
                let table = *index.entry((table, server)).or_insert_with(|| {
                    self.tables.push((table, server));
                    self.tables.len() - 1
                });
                if !self.all_held[begin..].contains(&(table, *exclusive)) {
                    self.all_held.push((table, *exclusive));
                }
            }
        }
        self.held.push(begin..self.all_held.len());
    }

    /// The tables that somebody takes alone, since nobody waits where all are readers.
    fn contested(&self) -> Contested<'f> {
        let starts = starts(self.tables.len(), self.all_held.iter().map(|(t, _)| *t));
        let mut ends = starts.clone();
        let mut written = vec![false; self.tables.len()];
        let mut takers = vec![(0, false); self.all_held.len()];
        for (grip, range) in self.held.iter().enumerate() {
            for (table, exclusive) in &self.all_held[range.clone()] {
                takers[ends[*table]] = (grip, *exclusive);
                ends[*table] += 1;
                written[*table] |= exclusive;
            }
        }
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(self.tables.len());
        let mut locks = Vec::with_capacity(self.tables.len());
        for (table, (name, server)) in self.tables.iter().enumerate() {
            if !written[table] {
                continue;
            }
            let range = starts[table]..starts[table + 1];
            let same = |r: &Range<usize>| takers[r.clone()] == takers[range.clone()];
            let contest = ranges.iter().position(same).unwrap_or(ranges.len());
            if contest == ranges.len() {
                ranges.push(range);
            }
            locks.push((*name, *server, contest));
        }
        Contested { locks, ranges, takers }
    }
}

/// The tables that somebody takes alone.
struct Contested<'f> {
    locks: Vec<Lock<'f>>,
    /// Of each contest the grips that take it and how: its part of all.
    ranges: Vec<Range<usize>>,
    takers: Vec<(usize, bool)>,
}

/// Where each of so many lists begins that hold these items one list after the other, and where the last
/// one ends.
fn starts(lists: usize, items: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts = vec![0; lists + 1];
    for list in items {
        starts[list + 1] += 1;
    }
    for list in 0..lists {
        starts[list + 1] += starts[list];
    }
    starts
}

/// Grips that take the same contests' locks in the same ways.
struct Ways {
    all: Vec<Way>,
    /// Ways that differ in more than who is alone.
    sets: usize,
    of_grip: Vec<usize>,
    /// Contests of all grips, and whether they are taken alone.
    taken: Vec<(usize, bool)>,
}

struct Way {
    /// Its part of all that is taken.
    taken: Range<usize>,
    set: usize,
}

impl Ways {
    fn of(contested: &Contested<'_>, grips: usize) -> Self {
        let ranges = contested.ranges.iter();
        let all = ranges.flat_map(|range| &contested.takers[range.clone()]);
        let starts = starts(grips, all.map(|(grip, _)| *grip));
        let mut ends = starts.clone();
        let mut taken = vec![(0, false); starts[grips]];
        for (contest, range) in contested.ranges.iter().enumerate() {
            for (grip, exclusive) in &contested.takers[range.clone()] {
                taken[ends[*grip]] = (contest, *exclusive);
                ends[*grip] += 1;
            }
        }
        let mut ways = Self { all: Vec::with_capacity(grips), sets: 0, of_grip: Vec::with_capacity(grips), taken };
        for grip in 0..grips {
            ways.add(starts[grip]..starts[grip + 1]);
        }
        ways
    }

    fn add(&mut self, range: Range<usize>) {
        let taken = &self.taken[range.clone()];
        let mut known = self.all.iter();
        let known = known.position(|way| &self.taken[way.taken.clone()] == taken);
        self.of_grip.push(known.unwrap_or(self.all.len()));
        if known.is_none() {
            let contests = || taken.iter().map(|(contest, _)| contest);
            let mut known = self.all.iter();
            let known = known.find(|way| {
                let others = self.taken[way.taken.clone()].iter();
                way.taken.len() == taken.len() && others.map(|(c, _)| c).eq(contests())
            });
            let set = known.map_or(self.sets, |way| way.set);
            self.sets = self.sets.max(set + 1);
            self.all.push(Way { taken: range, set });
        }
    }

    /// Contests that are taken in this way, and whether alone.
    fn taken(&self, way: usize) -> &[(usize, bool)] {
        &self.taken[self.all[way].taken.clone()]
    }
}

/// Group and way of each kind of sections, and the kind of each section.
fn kinds(pieces: &[Piece<'_>], grips: &Grips<'_>, ways: &Ways) -> (Vec<(usize, usize)>, Vec<usize>) {
    let groups = pieces.iter().map(|piece| piece.group + 1).max();
    let mut known = vec![None; groups.unwrap_or(0) * ways.all.len()];
    let mut kinds = Vec::with_capacity(known.len());
    let mut kind_of = Vec::with_capacity(grips.grip_of.len());
    for (piece, firsts) in pieces.iter().zip(grips.firsts.windows(2)) {
        for grip in &grips.grip_of[firsts[0]..firsts[1]] {
            let way = ways.of_grip[*grip];
            let kind = known[piece.group * ways.all.len() + way].get_or_insert_with(|| {
                kinds.push((piece.group, way));
                kinds.len() - 1
            });
            kind_of.push(*kind);
        }
    }
    (kinds, kind_of)
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Contested, Contests, Ways};

    /// Contests of one group's sections, each of another kind, which take these, alone or not, in the order of their numbers.
    pub(in super::super) fn contests(sections: &[&[(usize, bool)]]) -> Contests<'static> {
        let taken = sections.iter().flat_map(|section| section.iter());
        let all = taken.map(|(contest, _)| contest + 1).max().unwrap_or(0);
        let mut contested = Contested { locks: Vec::new(), ranges: Vec::new(), takers: Vec::new() };
        for contest in 0..all {
            let begin = contested.takers.len();
            for (section, taken) in sections.iter().enumerate() {
                let own = taken.iter().find(|(c, _)| *c == contest);
                contested.takers.extend(own.map(|(_, alone)| (section, *alone)));
            }
            contested.ranges.push(begin..contested.takers.len());
        }
        let ways = Ways::of(&contested, sections.len());
        let kinds = ways.of_grip.iter().map(|way| (0, *way)).collect();
        let kind_of = (0..sections.len()).collect();
        Contests::of_ways(contested, &ways, (kinds, kind_of), vec![0, sections.len()])
    }
}
