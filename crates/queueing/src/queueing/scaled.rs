//! Positive numbers far beyond the range of a float.

/// A positive number of any size: `fraction`·2^(256·`exponent`).
#[derive(Clone, Copy, Default)]
pub(super) struct Scaled {
    fraction: f64,
    exponent: i64,
}

const BASE: f64 = 1.157_920_892_373_162e77; // 2^256
const HIGH: f64 = 3.402_823_669_209_385e38; // 2^128

impl Scaled {
    pub(super) const ONE: Self = Self { fraction: 1.0, exponent: 0 };

    pub(super) fn times(self, factor: f64) -> Self {
        Self { fraction: self.fraction * factor, exponent: self.exponent }.normal()
    }

    pub(super) fn plus(self, other: Self) -> Self {
        if other.fraction == 0.0 {
            return self;
        }
        if self.fraction == 0.0 {
            return other;
        }
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let fraction = match large.exponent - small.exponent {
            0 => large.fraction + small.fraction,
            1 => large.fraction + small.fraction / BASE,
            _ => large.fraction,
        };
        Self { fraction, exponent: large.exponent }.normal()
    }

    /// Keeps the fraction within 2^±128.
    fn normal(mut self) -> Self {
        if self.fraction >= HIGH {
            self.fraction /= BASE;
            self.exponent += 1;
        } else if self.fraction > 0.0 && self.fraction < 1.0 / HIGH {
            self.fraction *= BASE;
            self.exponent -= 1;
        }
        self
    }

    /// As a float: zero where it is too small for one.
    pub(super) fn value(self) -> f64 {
        self.over(Self::ONE)
    }

    pub(super) fn over(self, other: Self) -> f64 {
        let exponent = (self.exponent - other.exponent).clamp(-8, 8) as i32;
        self.fraction / other.fraction * BASE.powi(exponent)
    }
}
