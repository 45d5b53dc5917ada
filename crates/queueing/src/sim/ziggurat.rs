//! The layers of the ziggurat under e^−x, worked out when the program is compiled.
//!
//! 256 layers of equal area; the lowest also holds what lies beyond [`RIGHTMOST`]. The elementary
//! functions are our own, so that every machine has the same table.

/// Right end of the lowest layer, r, and the area of each layer (Marsaglia and Tsang 2000).
pub(super) const RIGHTMOST: f64 = 7.697_117_470_131_05;
const AREA: f64 = 3.949_659_822_581_572e-3;

/// Positions in a layer.
const POSITIONS: f64 = (1u64 << 53) as f64;

/// One layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    /// Positions below this one are under the curve.
    pub(super) inside: u64,
    /// What a position is multiplied by.
    pub(super) width: f64,
    /// Height at the lower edge, e^−x at the layer's right end.
    pub(super) low: f64,
    /// Height at the upper edge.
    pub(super) high: f64,
}

/// The layers, lowest first.
pub(super) static TABLE: [Layer; 256] = layers();

const fn layers() -> [Layer; 256] {
    let none = Layer { inside: 0, width: 0.0, low: 0.0, high: 0.0 };
    let mut table = [none; 256];
    // The lowest one is as wide as its area over its height.
    let mut height = exp(-RIGHTMOST);
    let base = AREA / height;
    table[0] = Layer { inside: (RIGHTMOST / base * POSITIONS) as u64, width: base / POSITIONS, low: 0.0, high: height };
    let mut right = RIGHTMOST;
    let mut idx = 1;
    while idx < 256 {
        let above = if idx == 255 { 1.0 } else { height + AREA / right };
        let next = if idx == 255 { 0.0 } else { -ln(above) };
        table[idx] =
            Layer { inside: (next / right * POSITIONS) as u64, width: right / POSITIONS, low: height, high: above };
        right = next;
        height = above;
        idx += 1;
    }
    table
}

/// e^x by halving the argument ten times, a series, and squaring as often.
const fn exp(x: f64) -> f64 {
    let small = x / 1024.0;
    let (mut term, mut sum, mut n) = (1.0, 1.0, 1.0);
    while n < 14.0 {
        term *= small / n;
        sum += term;
        n += 1.0;
    }
    let mut squared = 0;
    while squared < 10 {
        sum *= sum;
        squared += 1;
    }
    sum
}

/// ln y by Newton's method on [`exp`].
const fn ln(y: f64) -> f64 {
    let mut x = if y < 0.05 { -5.0 } else { y - 1.0 };
    let mut step = 0;
    while step < 40 {
        x += y / exp(x) - 1.0;
        step += 1;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::{AREA, POSITIONS, TABLE, exp, ln};

    #[test]
    fn own_functions_agree_with_the_library() {
        for x in [-7.7, -3.0, -0.5, -1e-3, 0.0] {
            assert!((exp(x) / f64::exp(x) - 1.0).abs() < 1e-12);
            assert!((ln(f64::exp(x)) - x).abs() < 1e-12);
        }
    }

    #[test]
    fn layers_have_equal_areas_and_end_at_the_top() {
        for layer in &TABLE[1..] {
            let area = layer.width * POSITIONS * (layer.high - layer.low);
            assert!((area / AREA - 1.0).abs() < 1e-9, "{layer:?}");
        }
    }
}
