//! Caches that follow each other: against LRU lists that serve the same references, and in the answer for a site.

use std::collections::{BTreeMap, HashMap};

use super::*;
use plimsoll::system::cache::filtered;

/// An LRU list of so many pages.
struct Lru {
    capacity: usize,
    clock: u64,
    last: HashMap<u32, u64>,
    order: BTreeMap<u64, u32>,
}

impl Lru {
    fn new(capacity: usize) -> Self {
        Self { capacity, clock: 0, last: HashMap::new(), order: BTreeMap::new() }
    }

    /// Whether the page is there; it is, and is the latest, afterwards. With what was evicted for it.
    fn ask(&mut self, page: u32) -> (bool, Option<u32>) {
        self.clock += 1;
        let before = self.last.insert(page, self.clock);
        if let Some(before) = before {
            self.order.remove(&before);
        }
        self.order.insert(self.clock, page);
        let evicted = (self.order.len() > self.capacity).then(|| self.order.pop_first());
        let evicted = evicted.flatten().map(|(_, page)| page);
        if let Some(page) = evicted {
            self.last.remove(&page);
        }
        (before.is_some(), evicted)
    }

    fn take(&mut self, page: u32) -> bool {
        let Some(at) = self.last.remove(&page) else {
            return false;
        };
        self.order.remove(&at).is_some()
    }
}

const HOT: u32 = 2_000;
const COLD: u32 = 18_000;
const TO_HOT: f64 = 0.8;

fn pages() -> [Popularity; 2] {
    [
        Popularity { bytes: f64::from(HOT), references: TO_HOT },
        Popularity { bytes: f64::from(COLD), references: 1.0 - TO_HOT },
    ]
}

/// Independent references to the hot and the cold pages, from a fixed seed (a linear congruential generator: Knuth,
/// "The Art of Computer Programming", volume 2, 3.3.4, line 26).
fn references(count: usize) -> impl Iterator<Item = u32> {
    let mut state = 4_711_u64;
    let mut uniform = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..count).map(move |_| {
        if uniform() < TO_HOT {
            (uniform() * f64::from(HOT)) as u32
        } else {
            HOT + (uniform() * f64::from(COLD)) as u32
        }
    })
}

const WARM_UP: usize = 200_000;
const COUNTED: usize = 400_000;

/// A cache below another one that is smaller than it sees what the other misses.
#[test]
fn the_cache_below_finds_what_two_lru_lists_find() {
    for (above, below) in [(500, 4_000), (1_500, 6_000), (3_000, 12_000)] {
        let (mut first, mut second) = (Lru::new(above), Lru::new(below));
        let (mut found, mut asked) = (0_usize, 0_usize);
        for (count, page) in references(WARM_UP + COUNTED).enumerate() {
            if !first.ask(page).0 {
                let is_there = second.ask(page).0;
                if count >= WARM_UP {
                    asked += 1;
                    found += usize::from(is_there);
                }
            }
        }
        let lru = found as f64 / asked as f64;
        let (hit, missed) = filtered(&pages(), above as f64);
        let misses = asked as f64 / COUNTED as f64;
        assert!((1.0 - hit - misses).abs() < 0.01, "{above}: misses {misses}, estimated {}", 1.0 - hit);
        let estimated = hit_ratio(&missed, below as f64);
        assert!((estimated - lru).abs() < 0.12, "{above} above {below}: {lru} found, {estimated} estimated");
        // Taken alone, as if the one above hid nothing, it would be far too good.
        let alone = hit_ratio(&pages(), below as f64);
        assert!((estimated - lru).abs() < (alone - lru).abs());
    }
}

/// A tier that takes what a cache evicts, and gives back what is asked for, makes one cache of both.
#[test]
fn a_tier_of_evicted_pages_is_one_cache_with_the_memory_above() {
    let (memory, tier) = (1_000, 4_000);
    let (mut first, mut second) = (Lru::new(memory), Lru::new(tier));
    let mut found = 0;
    for (count, page) in references(WARM_UP + COUNTED).enumerate() {
        let (is_there, evicted) = first.ask(page);
        let is_below = !is_there && second.take(page);
        if let Some(evicted) = evicted {
            second.ask(evicted);
        }
        if count >= WARM_UP {
            found += usize::from(is_there || is_below);
        }
    }
    let lru = found as f64 / COUNTED as f64;
    let estimated = hit_ratio(&pages(), f64::from(memory as u32 + tier as u32));
    assert!((estimated - lru).abs() < 0.01, "{lru} found, {estimated} estimated");
}

proptest! {
    /// What is missed, is missed by some class; a cache that holds nothing passes everything on as it came.
    #[test]
    fn misses_add_up(hot in 1e6_f64..1e12, cold in 1e6_f64..1e12, to_hot in 0.01_f64..0.99, share in 0.0_f64..1.2) {
        let pages = [
            Popularity { bytes: hot, references: to_hot },
            Popularity { bytes: cold, references: 1.0 - to_hot },
        ];
        let capacity = share * (hot + cold);
        let (hit, missed) = filtered(&pages, capacity);
        prop_assert!((hit - hit_ratio(&pages, capacity)).abs() < 1e-9);
        let sum: f64 = missed.iter().map(|p| p.references).sum();
        prop_assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        let (none, same) = filtered(&pages, 0.0);
        prop_assert_eq!((none, same), (0.0, pages));
        // Two caches that follow each other find no more than one of both sizes together.
        let both = hit + (1.0 - hit) * hit_ratio(&missed, capacity);
        prop_assert!(both <= hit_ratio(&pages, 2.0 * capacity) + 0.02, "{both}");
    }
}
