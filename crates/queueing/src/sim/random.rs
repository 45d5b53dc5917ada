//! Random streams: xoshiro256++, exponentials by the ziggurat, seeds by `SplitMix64`.
//!
//! A stream belongs to one purpose of one class, such as its arrivals, and its seed is made from the
//! run's seed, the replication and that purpose alone. Alternatives with the same seed thus meet the
//! same arrivals and sizes (common random numbers), and their difference is sharper than either.
//!
//! # References
//!
//! - D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021:
//!   xoshiro256++, in the public domain.
//! - G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
//! - G. Marsaglia, W. W. Tsang, "The ziggurat method for generating random variables", Journal of
//!   Statistical Software 5(8), 2000.

use super::ziggurat::{RIGHTMOST, TABLE};

/// What a stream of a class is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u64)]
pub(super) enum Purpose {
    Arrivals = 1,
    Think,
    Service,
    Size,
    Choice,
    Cache,
}

/// One stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    state: [u64; 4],
}

/// Numbers for what is drawn before a simulation.
#[derive(Clone, Debug)]
pub struct Uniform(Stream);

impl Uniform {
    /// Of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Stream::new(&[seed]))
    }

    /// The next, evenly in \[0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }
}

/// The output function of `SplitMix64`.
fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The next word, and the state after it (Blackman and Vigna 2021, xoshiro256++).
#[inline(always)]
fn stepped([s0, s1, s2, s3]: [u64; 4]) -> (u64, [u64; 4]) {
    let word = s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0);
    let (s2, s3) = (s2 ^ s0, s3 ^ s1);
    (word, [s0 ^ s3, s1 ^ s2, s2 ^ (s1 << 17), s3.rotate_left(45)])
}

impl Stream {
    /// The stream that these words name, most general first.
    pub(super) fn new(words: &[u64]) -> Self {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut seed = words.iter().fold(GOLDEN, |seed, word| {
            mixed(seed.wrapping_add(mixed(word.wrapping_add(GOLDEN))).wrapping_mul(GOLDEN | 1))
        });
        let state = std::array::from_fn(|_| {
            seed = seed.wrapping_add(GOLDEN);
            mixed(seed)
        });
        Self { state }
    }

    #[inline]
    pub(super) fn word(&mut self) -> u64 {
        let word;
        (word, self.state) = stepped(self.state);
        word
    }

    /// Evenly in \[0, 1).
    #[inline]
    pub(super) fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Evenly in (0, 1\]: a logarithm can be taken.
    pub(super) fn positive(&mut self) -> f64 {
        ((self.word() >> 11) + 1) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Exponential with mean 1.
    pub(super) fn exponential(&mut self) -> f64 {
        let mut drawn = [0.0];
        self.fill_exponential(1.0, &mut drawn);
        drawn[0]
    }

    /// Many exponentials.
    #[inline]
    pub(super) fn fill_exponential(&mut self, mean: f64, room: &mut [f64]) {
        // Numbers of our own, whose address nobody takes, stay in registers.
        let [mut a, mut b, mut c, mut d] = self.state;
        for drawn in room {
            let word;
            (word, [a, b, c, d]) = stepped([a, b, c, d]);
            let layer = &TABLE[(word & 255) as usize];
            let position = word >> 11;
            *drawn = if position < layer.inside {
                position.cast_signed() as f64 * layer.width * mean
            } else {
                let mut rare = Self { state: [a, b, c, d] };
                let edge = rare.exponential_at_edge(word);
                [a, b, c, d] = rare.state;
                edge * mean
            };
        }
        self.state = [a, b, c, d];
    }

    /// The rare case that the layer alone does not decide, 1 in 90.
    #[cold]
    #[inline(never)]
    fn exponential_at_edge(&mut self, first: u64) -> f64 {
        let mut word = first;
        loop {
            let idx = (word & 255) as usize;
            let layer = TABLE[idx];
            let position = word >> 11;
            let x = position as f64 * layer.width;
            if position < layer.inside {
                return x;
            }
            if idx == 0 {
                // Beyond the layers an exponential starts again.
                return RIGHTMOST - self.positive().ln();
            }
            let height = layer.low + self.unit() * (layer.high - layer.low);
            if height < (-x).exp() {
                return x;
            }
            word = self.word();
        }
    }

    /// Normal with mean 0 and variance 1 (Box and Muller 1958).
    pub(super) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.positive().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::Stream;

    #[test]
    fn exponentials_have_the_moments_and_the_tail_of_an_exponential() {
        let mut stream = Stream::new(&[1, 2, 3]);
        let n = 2_000_000;
        let (mut sum, mut squares, mut beyond) = (0.0, 0.0, [0u32; 4]);
        for _ in 0..n {
            let x = stream.exponential();
            sum += x;
            squares += x * x;
            for (idx, count) in beyond.iter_mut().enumerate() {
                *count += u32::from(x > [0.1, 1.0, 4.0, 8.0][idx]);
            }
        }
        let n = f64::from(n);
        // Four standard errors each.
        assert!((sum / n - 1.0).abs() < 4.0 / n.sqrt());
        assert!((squares / n - 2.0).abs() < 4.0 * (20.0 / n).sqrt());
        for (count, x) in beyond.iter().zip([0.1f64, 1.0, 4.0, 8.0]) {
            let p = (-x).exp();
            assert!((f64::from(*count) / n - p).abs() < 4.0 * (p * (1.0 - p) / n).sqrt());
        }
    }

    #[test]
    fn normals_have_mean_zero_and_variance_one() {
        let mut stream = Stream::new(&[7]);
        let n = 400_000;
        let draws: Vec<f64> = (0..n).map(|_| stream.normal()).collect();
        let n = f64::from(n);
        let mean = draws.iter().sum::<f64>() / n;
        let variance = draws.iter().map(|x| x * x).sum::<f64>() / n;
        assert!(mean.abs() < 4.0 / n.sqrt() && (variance - 1.0).abs() < 4.0 * (2.0 / n).sqrt());
    }

    #[test]
    fn streams_that_differ_in_one_word_differ() {
        let words = |key: &[u64]| {
            let mut stream = Stream::new(key);
            [stream.word(), stream.word()]
        };
        assert_eq!(words(&[1, 0, 4]), words(&[1, 0, 4]));
        assert_ne!(words(&[1, 0, 4]), words(&[1, 4, 0]));
        assert_ne!(words(&[1, 0, 4]), words(&[1, 0, 5]));
        assert_ne!(words(&[1, 0]), words(&[1, 0, 0]));
    }
}
