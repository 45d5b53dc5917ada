//! Bytes to write: no two blocks alike, and none that a device could compress.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A stream of blocks, each different from all others of its own and other streams.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    state: u64,
}

/// The odd number nearest to 2⁶⁴ divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Data {
    /// A stream unlike any other, of this process or of another: to write what was written before would be no work
    /// for a device that knows its blocks again.
    pub(crate) fn fresh() -> Self {
        static NEXT: OnceLock<AtomicU64> = OnceLock::new();
        let next = NEXT.get_or_init(|| AtomicU64::new(RandomState::new().hash_one("stream")));
        Self::new(next.fetch_add(1, Ordering::Relaxed))
    }

    /// Stream number `stream`: the same each time.
    pub(crate) fn new(stream: u64) -> Self {
        let mut seed = Self { state: stream.wrapping_mul(GOLDEN) };
        Self { state: seed.next() }
    }

    /// The next 64 random bits (`SplitMix64`; G. L. Steele, D. Lea, C. H. Flood, "Fast splittable
    /// pseudorandom number generators", OOPSLA 2014, figure 14).
    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Evenly from 0 up to below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// Time to the next of events that come at random with rate 1.
    pub(crate) fn exponential(&mut self) -> f64 {
        // 53 random bits, above 0 so that the logarithm exists.
        let uniform = ((self.next() >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0;
        -uniform.ln()
    }

    /// Fills a block.
    pub(crate) fn fill(&mut self, block: &mut [u8]) {
        let (words, rest) = block.as_chunks_mut::<8>();
        for word in words {
            *word = self.next().to_le_bytes();
        }
        let bits = self.next().to_le_bytes();
        rest.copy_from_slice(&bits[..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Data;

    #[test]
    fn no_two_blocks_are_alike_in_or_between_streams() {
        let blocks = (0..100).flat_map(|_| {
            let mut data = Data::fresh();
            (0..10).map(move |_| {
                let mut block = [0; 64];
                data.fill(&mut block);
                block
            })
        });
        assert_eq!(blocks.collect::<BTreeSet<_>>().len(), 1000);
    }

    #[test]
    fn a_numbered_stream_is_the_same_again() {
        assert_eq!(Data::new(7).next(), Data::new(7).next());
    }
}
