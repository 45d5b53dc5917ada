//! To whom the wait of a section with several tables is attributed: each other section once, since whoever holds several tables
//! lets go of all at once.
//!
//! Knows which contests are taken together and how long each is waited for; not how those waits come about.

use super::contests::{Contests, Kind};

/// What stays the same in all rounds, and what is written anew in each.
pub(super) struct WaitAttribution {
    /// Words of 64 sets each.
    words: usize,
    /// By contest: the sets of contests that it is one of, a bit each.
    sets: Vec<u64>,
    /// Sets whose wait is attributed already.
    attributed: Vec<u64>,
    /// How many sets there are.
    sets_in_all: usize,
    /// By contest and set: Σ λ·E[S²] of the sections that take it with that set, as they have it there \[s\].
    squares: Vec<f64>,
    /// The same of all sections that take a contest's lock.
    work: Vec<f64>,
    /// The places of a kind: wait over the work that is there, and the contest.
    places: Vec<(f64, usize)>,
}

impl WaitAttribution {
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
            attributed: vec![0; words],
            sets_in_all: contests.sets,
            squares: vec![0.0; contests.sets * contests.all.len()],
            work: vec![0.0; contests.all.len()],
            places: Vec::with_capacity(contests.all.len()),
        }
    }

    /// Begins a round in which λ·E[S²] of each taker of a lock is `square` \[s\].
    pub(super) fn begin(&mut self, contests: &Contests<'_>, square: impl Fn(usize) -> f64) {
        self.squares.fill(0.0);
        self.work.fill(0.0);
        for kind in &contests.kinds {
            for (contest, taker) in &contests.places[kind.places.clone()] {
                let square = square(*taker);
                self.squares[contest * self.sets_in_all + kind.set] += square;
                self.work[*contest] += square;
            }
        }
    }

    /// The wait of a kind of sections for all its tables \[s\], where it waits so long as each of its takers:
    /// for each set of tables that others hold together, the wait at the one of them where it is longest.
    pub(super) fn wait(&mut self, contests: &Contests<'_>, kind: &Kind, waits: &[f64]) -> f64 {
        self.places.clear();
        for (contest, taker) in &contests.places[kind.places.clone()] {
            // Whom customers of a lock wait for goes with the work that is there by the square of its holds.
            let work = self.work[*contest];
            if work > 0.0 && waits[*taker] > 0.0 {
                self.places.push((waits[*taker] / work, *contest));
            }
        }
        // The longest waits first: the others are for whom is not attributed yet.
        self.places.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        self.attributed.fill(0);
        let mut sum = 0.0;
        for (per_work, contest) in &self.places {
            let mut work = 0.0;
            let sets = &self.sets[contest * self.words..][..self.words];
            let squares = &self.squares[contest * self.sets_in_all..][..self.sets_in_all];
            for (word, (sets, attributed)) in sets.iter().zip(&mut self.attributed).enumerate() {
                let mut more = sets & !*attributed;
                *attributed |= sets;
                while more != 0 {
                    work += squares[word * 64 + more.trailing_zeros() as usize];
                    more &= more - 1;
                }
            }
            sum += per_work * work;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::WaitAttribution;
    use crate::system::contests::tests::contests;

    #[test]
    fn others_are_waited_for_once_where_they_have_their_tables_for_longest() {
        // Who takes both alone waits 10 s at each, and all but a hundredth of it for others who take both. At the second that is
        // so since they have it for as long as they wait for a third.
        let contests = contests(&[&[(0, true), (1, true)], &[(1, false)]]);
        let waits = [10.0; 3];
        let mut attribution = WaitAttribution::of(&contests);
        let mut wait = |squares: [f64; 3]| {
            attribution.begin(&contests, |taker| squares[taker]);
            attribution.wait(&contests, &contests.kinds[0], &waits)
        };
        let takers = contests.takers.iter();
        let takers: Vec<_> = takers.map(|own| own.exclusive).collect();
        assert_eq!(takers, [true, true, false]);
        assert!((wait([99.0, 99.0, 1.0]) - 10.1).abs() < 1e-9);
        // Blamed by no more than what they do with all tables in hand, the readers would have all of the second wait.
        assert!((wait([1e-6, 1e-6, 1.0]) - 20.0).abs() < 1e-3);
    }
}
