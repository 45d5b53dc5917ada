//! Finds x = g(x) in a few evaluations of g, where plain repetition would swing for ever.
//!
//! Method (Anderson mixing, type II): of the last few points take the combination whose residuals
//! g(x) − x cancel best, by least squares, and step from there. In one dimension it is the secant
//! method. A rare map on which that wanders is stepped along by strides that halve, which come to rest on
//! whatever falls monotonously. All is done on logarithms, and no value moves by more than [`STRIDE_MAX`] at a time.
//!
//! References: D. G. Anderson, "Iterative procedures for nonlinear integral equations", JACM 12(4),
//! 1965; H. F. Walker and P. Ni, "Anderson acceleration for fixed-point iterations", SIAM J. Numer.
//! Anal. 49(4), 2011.

/// Points remembered besides the last.
const MEMORY: usize = 4;
/// Most by which a logarithm moves in one step, beyond the last point and its image.
pub(super) const STRIDE_MAX: f64 = 1.0;
/// Values below this count as this: nothing here is so small and matters.
pub(super) const SMALL: f64 = 1e-6;

/// Steps after which the mixing is given up for steps that halve.
const PATIENCE: usize = 30;

/// The last points with their residuals, newest last, and how far to step.
#[derive(Debug)]
pub(super) struct Mixing {
    points: Vec<(Vec<f64>, Vec<f64>)>,
    step: f64,
    steps: usize,
    /// How far each value may go when mixing is given up.
    strides: Vec<f64>,
}

impl Mixing {
    pub(super) fn new() -> Self {
        Self { points: Vec::new(), step: 1.0, steps: 0, strides: Vec::new() }
    }

    /// Goes on as if the points so far had not been.
    pub(super) fn forget(&mut self) {
        self.points.clear();
    }

    /// Largest relative change from `x` to its image.
    pub(super) fn distance(x: &[f64], image: &[f64]) -> f64 {
        let change = |(x, g): (&f64, &f64)| ((g + SMALL) / (x + SMALL)).ln().abs();
        x.iter().zip(image).map(change).fold(0.0, f64::max)
    }

    /// The next point to try after `x`, whose image is `image`; all values are positive.
    pub(super) fn next(&mut self, x: &[f64], image: &[f64]) -> Vec<f64> {
        let log = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| (x + SMALL).ln()).collect() };
        let (x, image) = (log(x), log(image));
        let residual: Vec<f64> = x.iter().zip(&image).map(|(x, g)| g - x).collect();
        // Where steps make it worse, they become shorter.
        if let Some((_, before)) = self.points.last() {
            self.step = if square(&residual) > square(before) {
                (self.step * 0.6).max(0.05)
            } else {
                (self.step * 1.3).min(1.0)
            };
        }
        self.steps += 1;
        if self.steps > PATIENCE {
            return self.stepped(x, residual);
        }
        let weights = weights(&residual, &self.points);
        let mut next = Vec::with_capacity(x.len());
        for i in 0..x.len() {
            let mut value = x[i] + self.step * residual[i];
            for ((old_x, old_residual), weight) in self.points.iter().zip(&weights) {
                let (dx, dr) = (x[i] - old_x[i], residual[i] - old_residual[i]);
                value -= weight * (dx + self.step * dr);
            }
            let (low, high) = (x[i].min(image[i]), x[i].max(image[i]));
            let value = value.clamp(low - STRIDE_MAX, high + STRIDE_MAX);
            next.push((value.exp() - SMALL).max(0.0));
        }
        self.points.push((x, residual));
        if self.points.len() > MEMORY {
            self.points.remove(0);
        }
        next
    }

    /// The next point when mixing is given up: each value goes its own way, half as far each time that it
    /// has passed where it rests. However steeply one falls while the others stay, that finds its rest.
    fn stepped(&mut self, x: Vec<f64>, residual: Vec<f64>) -> Vec<f64> {
        self.strides.resize(x.len(), STRIDE_MAX / 4.0);
        let before = self.points.last().map(|(_, before)| before);
        for (i, stride) in self.strides.iter_mut().enumerate() {
            let passed = before.is_some_and(|before| before[i] * residual[i] < 0.0);
            *stride = if passed { *stride / 2.0 } else { (*stride * 1.2).min(STRIDE_MAX / 4.0) };
        }
        let moves = residual.iter().zip(&self.strides);
        let moves = moves.map(|(r, stride)| (r / 2.0).clamp(-stride, *stride));
        let next = x.iter().zip(moves);
        let next = next.map(|(x, to)| ((x + to).exp() - SMALL).max(0.0)).collect();
        // Only the last point counts from now on.
        self.points.clear();
        self.points.push((x, residual));
        next
    }
}

fn square(residual: &[f64]) -> f64 {
    residual.iter().map(|r| r * r).sum()
}

/// Weights w that minimise `‖r − Σ w·(r − r_old)‖²`.
fn weights(residual: &[f64], older: &[(Vec<f64>, Vec<f64>)]) -> Vec<f64> {
    let n = older.len();
    let columns: Vec<Vec<f64>> =
        older.iter().map(|(_, old)| residual.iter().zip(old).map(|(r, o)| r - o).collect()).collect();
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row: Vec<f64> = columns.iter().map(|c| dot(&columns[i], c)).collect();
            // Points on one line leave no direction: a trace of ridge picks the shortest.
            row[i] = row[i] * (1.0 + 1e-8) + 1e-300;
            row.push(dot(&columns[i], residual));
            row
        })
        .collect();
    eliminate(&mut rows)
}

/// Solves a small symmetric system given with its right side; a direction without length gets nothing.
fn eliminate(rows: &mut [Vec<f64>]) -> Vec<f64> {
    let n = rows.len();
    for i in 0..n {
        let (done, below) = rows.split_at_mut(i + 1);
        let pivot = &done[i];
        for row in below {
            let factor = row[i] / pivot[i];
            if factor.is_finite() {
                for (value, above) in row.iter_mut().zip(pivot) {
                    *value -= factor * above;
                }
            }
        }
    }
    let mut solution = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| rows[i][k] * solution[k]).sum();
        let value = (rows[i][n] - known) / rows[i][i];
        solution[i] = if value.is_finite() { value } else { 0.0 };
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::{Mixing, PATIENCE};

    fn rounds(g: impl Fn(&[f64]) -> Vec<f64>, start: &[f64]) -> usize {
        let mut mixing = Mixing::new();
        let mut x = start.to_vec();
        for round in 1..=80 {
            let image = g(&x);
            if Mixing::distance(&x, &image) < 1e-6 {
                return round;
            }
            x = mixing.next(&x, &image);
        }
        80
    }

    #[test]
    fn a_fall_too_steep_to_mix_is_found_by_strides() {
        let mut mixing = Mixing::new();
        mixing.steps = PATIENCE;
        let steep = |x: f64| (30.0 * (x / 20.0).powi(-80)).clamp(1e-3, 1e3);
        let mut x = vec![3.0];
        for _ in 0..60 {
            let image = vec![steep(x[0])];
            x = mixing.next(&x, &image);
        }
        assert!((steep(x[0]) / x[0] - 1.0).abs() < 1e-3, "{x:?}");
        assert_eq!(mixing.points.len(), 1);
    }

    #[test]
    fn swings_come_to_rest() {
        // Repetition would be further off each round, and swing.
        assert!(rounds(|x| vec![0.1 / x[0].powi(5)], &[1.0]) < 20);
        // A convoy: the wait rises steeply where the rate is near what the lock can do.
        let convoy = |x: &[f64]| {
            let rate = 100.0 / (1.0 + x[1]);
            let wait = if x[0] < 50.0 { (0.02 / (1.0 - x[0] / 50.0)).min(2.0) } else { 2.0 };
            vec![rate, wait]
        };
        assert!(rounds(convoy, &[0.0, 0.0]) < 40);
    }
}
