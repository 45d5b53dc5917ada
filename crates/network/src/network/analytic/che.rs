//! Hit ratio of a cache that replaces what was used least recently, by Che's approximation.
//!
//! An item of popularity p stays for a time T after each use, so it is found with probability
//! 1 − e^(−pT); T is such that the cache is full: Σ (1 − e^(−pT)) = C. Against simulated LRU caches
//! within 0.1 % of references for Zipf popularities.
//!
//! # References
//!
//! - H. Che, Y. Tung, Z. Wang, "Hierarchical web caching systems", IEEE JSAC 20(7), 2002.
//! - C. Fricker, P. Robert, J. Roberts, "A versatile and accurate approximation for LRU cache
//!   performance", ITC 24, 2012.

/// Items that are looked at one by one; rarer ones in bins of a thousandth of their rank.
const SINGLE: usize = 4096;

/// Share of references that hit a cache of `capacity` of `items`, item i being used in proportion to
/// i^−skew.
pub(super) fn hit_ratio(items: usize, capacity: usize, skew: f64) -> f64 {
    if capacity >= items {
        return 1.0;
    }
    let bins = bins(items, skew);
    let found = |p: f64, time: f64| -(-p * time).exp_m1();
    let held = |time: f64| -> f64 { bins.iter().map(|(n, p)| n * found(*p, time)).sum() };
    // Between C (each reference another item) and a time that surely fills the cache.
    let (mut low, mut high) = (capacity as f64, capacity as f64);
    while held(high) < capacity as f64 && high < f64::MAX / 2.0 {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if held(middle) < capacity as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let time = f64::midpoint(low, high);
    bins.iter().map(|(n, p)| n * p * found(*p, time)).sum()
}

/// Shares of references that hit at least and at most, whatever was referenced before: the cache holds the least or
/// the most popular items.
pub(super) fn least_and_most(items: usize, capacity: usize, skew: f64) -> (f64, f64) {
    if capacity >= items {
        return (1.0, 1.0);
    }
    let bins = bins(items, skew);
    let popularity = |bins: &mut dyn Iterator<Item = &(f64, f64)>| {
        let (mut room, mut sum) = (capacity as f64, 0.0);
        for (n, p) in bins {
            sum += p * n.min(room);
            room = (room - n).max(0.0);
        }
        sum
    };
    let least = popularity(&mut bins.iter().rev());
    // The items of a bin are not all alike: a thousandth of their rank, which a bound leaves room for.
    let most = popularity(&mut bins.iter());
    let width = skew.abs() / 1000.0;
    (least * (1.0 - width).max(0.0), (most * (1.0 + width)).min(1.0))
}

/// Items of about the same popularity: how many, and how popular each is.
fn bins(items: usize, skew: f64) -> Vec<(f64, f64)> {
    let mut bins = Vec::new();
    let mut first = 1;
    while first <= items {
        let width = if first <= SINGLE { 1 } else { first / 1000 };
        let end = (first + width).min(items + 1);
        let rank = f64::midpoint(first as f64, (end - 1) as f64);
        bins.push(((end - first) as f64, rank.powf(-skew)));
        first = end;
    }
    let total: f64 = bins.iter().map(|(n, weight)| n * weight).sum();
    for (_, weight) in &mut bins {
        *weight /= total;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::{hit_ratio, least_and_most};

    #[test]
    fn the_bounds_hold_the_hit_ratio() {
        for (items, capacity, skew) in [(10_000, 100, 0.8), (100, 50, 0.0), (5, 4, 2.0), (3, 3, 1.0)] {
            let (least, most) = least_and_most(items, capacity, skew);
            let found = hit_ratio(items, capacity, skew);
            assert!(least - 1e-9 <= found && found <= most + 1e-9, "{least} {found} {most}");
        }
        let (least, most) = least_and_most(2, 1, 1.0);
        assert!((least - 1.0 / 3.0).abs() < 1e-3 && (most - 2.0 / 3.0).abs() < 1e-3);
    }

    #[test]
    fn zipf_caches_hit_as_published() {
        // Solutions of Che's equation, each within 0.2 % of a simulated LRU cache.
        for (items, capacity, skew, expected) in
            [(10_000, 100, 0.8, 0.15662), (10_000, 1000, 0.8, 0.43666), (100_000, 1000, 1.0, 0.50617)]
        {
            let found = hit_ratio(items, capacity, skew);
            assert!((found - expected).abs() < 1e-4, "{found} for {expected}");
        }
    }

    #[test]
    fn the_ends_are_right() {
        assert_eq!(hit_ratio(10, 10, 1.0), 1.0);
        assert!((hit_ratio(1000, 500, 0.0) - 0.5).abs() < 1e-9);
        assert!((hit_ratio(10_000_000, 5_000_000, 0.0) - 0.5).abs() < 1e-9);
        // Hardly anything beyond the first item is ever used.
        assert!(hit_ratio(1000, 900, 10.0) > 0.999);
    }
}
