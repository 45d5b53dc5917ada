//! Random numbers for the hand-written loops and for the peers: the fastest known to us, the same for all.
//!
//! Generator: xoshiro256++ (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number
//! generators", ACM TOMS 47(4), 2021), seeded by `SplitMix64`. Exponential times: the ziggurat of
//! G. Marsaglia and W. W. Tsang, "The ziggurat method for generating random variables", Journal of
//! Statistical Software 5(8), 2000, with 256 layers on 53 bits.

/// Layers of the ziggurat.
const LAYERS: usize = 256;
/// Where its base layer ends, and the area of each layer.
const END: f64 = 7.697_117_470_131_05;
const AREA: f64 = 0.003_949_659_822_581_557;
/// 2⁵³: a layer is entered by the upper 53 bits of a draw, chosen by the lower 8.
const SCALE: f64 = 9_007_199_254_740_992.0;

/// A stream of random numbers.
pub struct Stream {
    state: [u64; 4],
    /// By layer: below which integer a draw is inside for sure, and the width of a step.
    layers: Box<[(u64, f64); LAYERS]>,
    /// By layer: e⁻ˣ at its right end.
    heights: Box<[f64; LAYERS]>,
}

impl Stream {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut mixed = seed;
        let mut next = || {
            mixed = mixed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let state = [next(), next(), next(), next()];
        let (mut layers, mut heights) = (Box::new([(0, 0.0); LAYERS]), Box::new([0.0; LAYERS]));
        let mut right = END;
        let base = AREA / (-END).exp();
        layers[0] = ((END / base * SCALE) as u64, base / SCALE);
        heights[0] = 1.0;
        for layer in (1..LAYERS).rev() {
            let left = if layer == 1 { 0.0 } else { -(AREA / right + (-right).exp()).ln() };
            layers[layer] = ((left / right * SCALE) as u64, right / SCALE);
            heights[layer] = (-right).exp();
            right = left;
        }
        Self { state, layers, heights }
    }

    #[inline]
    fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let bits = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        bits
    }

    /// An exponential time of mean 1.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        let bits = self.bits();
        let (draw, layer) = (bits >> 11, (bits & 0xff) as usize);
        let (inside, width) = self.layers[layer];
        let time = draw.cast_signed() as f64 * width;
        if draw < inside { time } else { self.outside(time, layer) }
    }

    #[cold]
    #[inline(never)]
    fn outside(&mut self, time: f64, layer: usize) -> f64 {
        let uniform = (self.bits() >> 11) as f64 / SCALE;
        if layer == 0 {
            return END - (1.0 - uniform).ln();
        }
        // The layer lies between the heights of its own right end and of the next one's.
        let (low, high) = (self.heights[layer], if layer == 1 { 1.0 } else { self.heights[layer - 1] });
        if low + uniform * (high - low) < (-time).exp() { time } else { self.exponential() }
    }
}
