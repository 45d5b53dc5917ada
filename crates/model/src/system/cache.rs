//! How often a page is found in memory, and in the caches below it.
//!
//! Che's approximation of an LRU cache under independent references: a page of popularity p is found
//! with probability 1 − exp(−p·T), where T solves Σ (1 − exp(−p·T)) = C.
//!
//! References: Che, Tung and Wang, "Hierarchical Web Caching Systems", IEEE JSAC 20(7), 2002;
//! Fricker, Robert and Roberts, "A versatile and accurate approximation for LRU cache performance",
//! ITC 24, 2012.
//!
//! Assumptions: two classes of pages (hot and cold), each uniform; references are independent, also those that a
//! cache passes on to the next (the hierarchy of Che, Tung and Wang, section IV).

/// Pages of one popularity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Popularity {
    /// Bytes of pages.
    pub bytes: f64,
    /// Share of the references, in \[0, 1\].
    pub references: f64,
}

/// The share of references found in an LRU cache of `capacity` bytes.
///
/// ```
/// use plimsoll_model::system::cache::{Popularity, hit_ratio};
/// let pages = [Popularity { bytes: 5e9, references: 0.9 }, Popularity { bytes: 5e9, references: 0.1 }];
/// assert_eq!(hit_ratio(&pages, 10e9), 1.0);          // all fits
/// let half = hit_ratio(&pages, 5e9);
/// assert!((0.7..0.9).contains(&half), "{half}");     // mostly the hot half
/// ```
pub fn hit_ratio(pages: &[Popularity], capacity: f64) -> f64 {
    let total: f64 = pages.iter().map(|p| p.bytes).sum();
    if capacity >= total {
        return 1.0;
    }
    let t = forgotten_after(pages, capacity);
    pages.iter().map(|p| p.references * found(p, t)).sum()
}

/// The share of references found in an LRU cache of `capacity` bytes, and what it passes on to the cache below: the same
/// pages, with the shares that their misses have of all misses.
///
/// A page that is asked for often is found above, so that a cache of the same size below finds far less.
///
/// ```
/// use plimsoll_model::system::cache::{Popularity, filtered, hit_ratio};
/// let pages = [Popularity { bytes: 5e9, references: 0.9 }, Popularity { bytes: 45e9, references: 0.1 }];
/// let (found, missed) = filtered(&pages, 8e9);
/// assert!(found > 0.8);
/// assert!(hit_ratio(&missed, 8e9) < 0.5 * found);
/// ```
pub fn filtered<const N: usize>(pages: &[Popularity; N], capacity: f64) -> (f64, [Popularity; N]) {
    let total: f64 = pages.iter().map(|p| p.bytes).sum();
    if capacity >= total {
        // Nothing is passed on, and what is below does not matter.
        return (1.0, *pages);
    }
    let t = forgotten_after(pages, capacity);
    let missed: f64 = pages.iter().map(|p| p.references * (1.0 - found(p, t))).sum();
    if missed <= 0.0 {
        return (1.0, *pages);
    }
    let below = pages.map(|p| Popularity { references: p.references * (1.0 - found(&p, t)) / missed, ..p });
    (1.0 - missed, below)
}

/// Che's characteristic time of a cache that is smaller than all pages together: bytes over references.
fn forgotten_after(pages: &[Popularity], capacity: f64) -> f64 {
    if capacity <= 0.0 {
        return 0.0;
    }
    // T scales with bytes over references; the filled capacity rises with it, ever more slowly, so that
    // Newton's steps from below come ever nearer and never pass it.
    let mut t = 0.0;
    for _ in 0..STEPS_MAX {
        let (mut filled, mut slope) = (0.0, 0.0);
        for p in pages {
            let missed = 1.0 - found(p, t);
            filled += p.bytes * (1.0 - missed);
            slope += p.references * missed;
        }
        let step = (capacity - filled) / slope;
        if !(step > SETTLED * t && step.is_finite()) {
            break;
        }
        t += step;
    }
    t
}

/// Steps to the time after which a page is forgotten; a few are usual, more where a class of pages is
/// hardly ever asked for.
const STEPS_MAX: usize = 200;
/// Relative change of it at which it is found.
const SETTLED: f64 = 1e-13;

fn found(p: &Popularity, t: f64) -> f64 {
    if p.bytes <= 0.0 { 1.0 } else { 1.0 - (-p.references / p.bytes * t).exp() }
}
