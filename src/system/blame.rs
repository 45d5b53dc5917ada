//! Whom a section with several tables waits for: each other section once, since whoever holds several tables
//! lets go of all at once.
//!
//! Knows which contests are taken together and how long each is waited for; not how those waits come about.

use super::contests::{Contests, Kind};

/// What stays the same in all rounds, and what is written anew in each.
pub(super) struct Blame {
    /// Words of 64 sets each.
    words: usize,
    /// By contest: the sets of contests that it is one of, a bit each.
    sets: Vec<u64>,
    /// Sets that somebody is blamed for.
    blamed: Vec<u64>,
    /// Σ λ·E[S²] of the sections of each set \[s\].
    squares: Vec<f64>,
    /// The same of all sections that take a contest's lock.
    work: Vec<f64>,
    /// The places of a kind: wait over the work that is there, and the contest.
    places: Vec<(f64, usize)>,
}

impl Blame {
    pub(super) fn of(contests: &Contests<'_>) -> Self {
        let words = contests.sets.div_ceil(64);
        let mut sets = vec![0; words * contests.all.len()];
        for kind in &contests.kinds {
            for (contest, _) in &contests.places[kind.places.clone()] {
                sets[contest * words + kind.set / 64] |= 1 << (kind.set % 64);
            }
        }
        Self {
            words,
            sets,
            blamed: vec![0; words],
            squares: vec![0.0; contests.sets],
            work: vec![0.0; contests.all.len()],
            places: Vec::with_capacity(contests.all.len()),
        }
    }

    /// Begins a round in which Σ λ·E[S²] of the sections of each kind is `square` \[s\].
    pub(super) fn begin(&mut self, contests: &Contests<'_>, square: impl Fn(usize) -> f64) {
        self.squares.fill(0.0);
        self.work.fill(0.0);
        for (k, kind) in contests.kinds.iter().enumerate() {
            let square = square(k);
            self.squares[kind.set] += square;
            for (contest, _) in &contests.places[kind.places.clone()] {
                self.work[*contest] += square;
            }
        }
    }

    /// The wait of a kind of sections for all its tables \[s\], where it waits so long as each of its takers:
    /// for each set of tables that others hold together, the wait at the one of them where it is longest.
    pub(super) fn wait(
        &mut self,
        contests: &Contests<'_>,
        kind: &Kind,
        waits: &[(f64, f64)],
    ) -> f64 {
        self.places.clear();
        for (contest, taker) in &contests.places[kind.places.clone()] {
            // Whom customers of a lock wait for goes with the work that is there by the square of its holds.
            let work = self.work[*contest];
            if work > 0.0 && waits[*taker].0 > 0.0 {
                self.places.push((waits[*taker].0 / work, *contest));
            }
        }
        // The longest waits first: the others are for whom is not blamed yet.
        self.places.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        self.blamed.fill(0);
        let mut sum = 0.0;
        for (per_work, contest) in &self.places {
            let mut work = 0.0;
            let sets = &self.sets[contest * self.words..][..self.words];
            for (word, (sets, blamed)) in sets.iter().zip(&mut self.blamed).enumerate() {
                let mut more = sets & !*blamed;
                *blamed |= sets;
                while more != 0 {
                    work += self.squares[word * 64 + more.trailing_zeros() as usize];
                    more &= more - 1;
                }
            }
            sum += per_work * work;
        }
        sum
    }
}
