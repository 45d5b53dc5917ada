//! A fixed point reached in fewer sweeps: Anderson's mixing of the last few.
//!
//! D. G. Anderson, "Iterative procedures for nonlinear integral equations", JACM 12(4), 1965: the
//! next point is the combination of the last images whose moves would cancel best. It has no other
//! fixed points than the plain iteration.

/// Earlier sweeps that are remembered.
const DEPTH: usize = 4;

/// Weight of the diagonal that keeps nearly equal moves from being divided by nothing.
const RIDGE: f64 = 1e-13;

/// The memory of an iteration x → g(x).
#[derive(Clone)]
pub(super) struct Anderson {
    /// The point that is left.
    point: Vec<f64>,
    /// Last move g(x) − x, and last image.
    step: Vec<f64>,
    image: Vec<f64>,
    /// Differences of moves and of images, each a ring of rows.
    moves: Vec<f64>,
    images: Vec<f64>,
    /// Products of moves with each other.
    gram: [[f64; DEPTH]; DEPTH],
    /// Sweeps seen since the start.
    seen: usize,
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let ((ones, one_rest), (others, other_rest)) = (one.as_chunks::<4>(), other.as_chunks::<4>());
    for (one, other) in ones.iter().zip(others) {
        for lane in 0..4 {
            sums[lane] += one[lane] * other[lane];
        }
    }
    let rest: f64 = one_rest.iter().zip(other_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

impl Anderson {
    /// For points of `size` numbers.
    pub(super) fn new(size: usize) -> Self {
        Self {
            point: vec![0.0; size],
            step: vec![0.0; size],
            image: vec![0.0; size],
            moves: vec![0.0; DEPTH * size],
            images: vec![0.0; DEPTH * size],
            gram: [[0.0; DEPTH]; DEPTH],
            seen: 0,
        }
    }

    /// Forgets all earlier sweeps.
    pub(super) fn restart(&mut self) {
        self.seen = 0;
    }

    /// Remembers the point of which an image is to be found.
    pub(super) fn leave(&mut self, point: &[f64]) {
        self.point.copy_from_slice(point);
    }

    /// Takes the image of the point that was left; it becomes the next point, and stays where that would be
    /// below zero.
    pub(super) fn mix(&mut self, image: &mut [f64]) {
        let size = image.len();
        let row = (self.seen.max(1) - 1) % DEPTH;
        let (moved, shown) = (&mut self.moves[row * size..][..size], &mut self.images[row * size..][..size]);
        let (point, before) = (&self.point[..size], &mut self.step[..size]);
        let known = &mut self.image[..size];
        for idx in 0..size {
            let step = image[idx] - point[idx];
            moved[idx] = step - before[idx];
            shown[idx] = image[idx] - known[idx];
            before[idx] = step;
            known[idx] = image[idx];
        }
        self.seen += 1;
        if self.seen == 1 {
            return;
        }
        let count = (self.seen - 1).min(DEPTH);
        let mut right = [0.0; DEPTH];
        for (idx, right) in right.iter_mut().enumerate().take(count) {
            let other = &self.moves[idx * size..][..size];
            let product = dot(other, &self.moves[row * size..][..size]);
            self.gram[idx][row] = product;
            self.gram[row][idx] = product;
            *right = dot(other, &self.step);
        }
        let weights = self.solve(right, count);
        // The point is done with: the next is made in its place.
        let mixed = &mut self.point[..size];
        mixed.copy_from_slice(image);
        for (row, weight) in weights.iter().enumerate().take(count) {
            for (mixed, shown) in mixed.iter_mut().zip(&self.images[row * size..][..size]) {
                *mixed -= weight * shown;
            }
        }
        for (image, mixed) in image.iter_mut().zip(mixed) {
            *image = if *mixed >= 0.0 { *mixed } else { *image };
        }
    }

    /// Gauss' elimination of the normal equations.
    fn solve(&self, mut right: [f64; DEPTH], count: usize) -> [f64; DEPTH] {
        let mut gram = self.gram;
        for (idx, row) in gram.iter_mut().enumerate().take(count) {
            row[idx] *= 1.0 + RIDGE;
        }
        for pivot in 0..count {
            if gram[pivot][pivot] <= f64::MIN_POSITIVE {
                return [0.0; DEPTH];
            }
            for row in pivot + 1..count {
                let (above, factor) = (gram[pivot], gram[row][pivot] / gram[pivot][pivot]);
                for (below, above) in gram[row].iter_mut().zip(above).skip(pivot) {
                    *below -= factor * above;
                }
                right[row] -= factor * right[pivot];
            }
        }
        let mut weights = [0.0; DEPTH];
        for row in (0..count).rev() {
            let known: f64 = (row + 1..count).map(|c| gram[row][c] * weights[c]).sum();
            weights[row] = (right[row] - known) / gram[row][row];
        }
        if weights.iter().all(|weight| weight.is_finite()) { weights } else { [0.0; DEPTH] }
    }
}
