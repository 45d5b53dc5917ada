//! Bytes to write: no two blocks alike, and none that a device could compress.

/// A stream of blocks, each different from all others of its own and other streams.
#[derive(Debug, Clone)]
pub(super) struct Data {
    state: u64,
}

/// The odd number nearest to 2⁶⁴ divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Data {
    /// Stream number `stream`.
    pub(super) fn new(stream: u64) -> Self {
        let mut seed = Self {
            state: stream.wrapping_mul(GOLDEN),
        };
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
    pub(super) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// Time to the next of events that come at random with rate 1.
    pub(super) fn exponential(&mut self) -> f64 {
        // 53 random bits, above 0 so that the logarithm exists.
        let uniform = ((self.next() >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0;
        -uniform.ln()
    }

    /// Fills a block.
    pub(super) fn fill(&mut self, block: &mut [u8]) {
        for word in block.chunks_mut(8) {
            let bits = self.next().to_le_bytes();
            word.copy_from_slice(&bits[..word.len()]);
        }
    }
}
