//! Caches: a hit is drawn, or found in the state of a real LRU list.

use crate::sim::model::CacheKind;
use crate::sim::random::Stream;

/// No place in the list.
const NONE: u32 = u32::MAX;

/// A cache and what is counted of it.
#[derive(Debug)]
pub(in crate::sim) struct CacheState {
    kind: State,
    pub(in crate::sim) hits: u64,
    pub(in crate::sim) references: u64,
}

#[derive(Debug)]
enum State {
    Probability(f64),
    Lru(Box<Lru>),
}

impl CacheState {
    /// An empty cache; with `warm`, one that holds the most popular items, the most popular one last
    /// used.
    pub(in crate::sim) fn new(kind: &CacheKind, warm: bool) -> Self {
        let kind = match *kind {
            CacheKind::Probability(probability) => State::Probability(probability),
            CacheKind::Lru { capacity, items, skew } => State::Lru(Box::new(Lru::new(capacity, items, skew, warm))),
        };
        Self { kind, hits: 0, references: 0 }
    }

    /// References an item; whether it hits.
    pub(in crate::sim) fn refer(&mut self, stream: &mut Stream) -> bool {
        let hit = match &mut self.kind {
            State::Probability(probability) => stream.unit() < *probability,
            State::Lru(lru) => {
                let item = lru.popularity.draw(stream);
                lru.touch(item)
            }
        };
        self.hits += u64::from(hit);
        self.references += 1;
        hit
    }
}

/// A list of items by last use, in places that are linked both ways.
#[derive(Debug)]
struct Lru {
    popularity: Alias,
    capacity: usize,
    /// Place of each item.
    place: Vec<u32>,
    /// Item in each place, and its neighbours: used more recently, and less.
    item: Vec<u32>,
    newer: Vec<u32>,
    older: Vec<u32>,
    newest: u32,
    oldest: u32,
}

impl Lru {
    fn new(capacity: usize, items: usize, skew: f64, warm: bool) -> Self {
        let weights: Vec<f64> = (1..=items).map(|i| (i as f64).powf(-skew)).collect();
        let capacity = capacity.min(items);
        let mut lru = Self {
            popularity: Alias::new(&weights),
            capacity,
            place: vec![NONE; items],
            item: Vec::with_capacity(capacity),
            newer: Vec::with_capacity(capacity),
            older: Vec::with_capacity(capacity),
            newest: NONE,
            oldest: NONE,
        };
        if warm {
            for item in (0..capacity as u32).rev() {
                lru.touch(item);
            }
        }
        lru
    }

    /// Makes an item the newest; whether it was there.
    fn touch(&mut self, item: u32) -> bool {
        let found = self.place[item as usize];
        if found != NONE {
            self.unlink(found);
            self.link_newest(found);
            return true;
        }
        if self.capacity == 0 {
            return false;
        }
        let place = if self.item.len() < self.capacity {
            self.item.push(item);
            self.newer.push(NONE);
            self.older.push(NONE);
            self.item.len() as u32 - 1
        } else {
            let place = self.oldest;
            self.unlink(place);
            self.place[self.item[place as usize] as usize] = NONE;
            self.item[place as usize] = item;
            place
        };
        self.place[item as usize] = place;
        self.link_newest(place);
        false
    }

    fn unlink(&mut self, place: u32) {
        let (newer, older) = (self.newer[place as usize], self.older[place as usize]);
        match self.older.get_mut(newer as usize) {
            Some(next) => *next = older,
            None => self.newest = older,
        }
        match self.newer.get_mut(older as usize) {
            Some(next) => *next = newer,
            None => self.oldest = newer,
        }
    }

    fn link_newest(&mut self, place: u32) {
        let second = self.newest;
        self.older[place as usize] = second;
        self.newer[place as usize] = NONE;
        match self.newer.get_mut(second as usize) {
            Some(next) => *next = place,
            None => self.oldest = place,
        }
        self.newest = place;
    }
}

/// Draws from many weights in constant time (Walker 1977; Vose, "A linear algorithm for generating random
/// numbers with a given distribution", IEEE TSE 17(9), 1991).
#[derive(Debug)]
struct Alias {
    /// Probability to keep the item that was drawn evenly, and the item to take else.
    keep: Vec<f64>,
    other: Vec<u32>,
}

impl Alias {
    fn new(weights: &[f64]) -> Self {
        let n = weights.len();
        let scale = n as f64 / weights.iter().sum::<f64>();
        let mut keep: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
        let mut other: Vec<u32> = (0..n as u32).collect();
        let (mut small, mut large): (Vec<u32>, Vec<u32>) = (0..n as u32).partition(|i| keep[*i as usize] < 1.0);
        while let (Some(less), Some(more)) = (small.pop(), large.last().copied()) {
            other[less as usize] = more;
            keep[more as usize] -= 1.0 - keep[less as usize];
            if keep[more as usize] < 1.0 {
                large.pop();
                small.push(more);
            }
        }
        for rest in small.into_iter().chain(large) {
            keep[rest as usize] = 1.0;
        }
        Self { keep, other }
    }

    fn draw(&self, stream: &mut Stream) -> u32 {
        let point = stream.unit() * self.keep.len() as f64;
        let idx = point as usize;
        if point - (idx as f64) < self.keep[idx] { idx as u32 } else { self.other[idx] }
    }
}

#[cfg(test)]
mod tests {
    use super::{Alias, Lru};
    use crate::sim::random::Stream;

    #[test]
    fn the_least_recently_used_item_goes() {
        let mut lru = Lru::new(2, 5, 0.0, false);
        let hits = [0, 1, 0, 2, 1, 0, 0].map(|item| lru.touch(item));
        assert_eq!(hits, [false, false, true, false, false, false, true]);
    }

    #[test]
    fn items_are_drawn_in_proportion_to_their_weights() {
        let alias = Alias::new(&[1.0, 0.0, 2.0, 5.0]);
        let (mut stream, mut counts) = (Stream::new(&[1]), [0u32; 4]);
        for _ in 0..80_000 {
            counts[alias.draw(&mut stream) as usize] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, expected) in counts.iter().zip([10_000.0, 0.0, 20_000.0, 50_000.0]) {
            assert!((f64::from(*count) - expected).abs() < 4.0 * 150.0);
        }
    }
}
