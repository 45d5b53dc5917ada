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
pub(super) struct Anderson {
    /// Last move g(x) − x, and last image.
    last: Option<(Vec<f64>, Vec<f64>)>,
    /// Differences of moves and of images, a ring.
    moves: Vec<Vec<f64>>,
    images: Vec<Vec<f64>>,
    /// Products of moves with each other.
    gram: [[f64; DEPTH]; DEPTH],
    next: usize,
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
    pub(super) fn new() -> Self {
        Self {
            last: None,
            moves: Vec::new(),
            images: Vec::new(),
            gram: [[0.0; DEPTH]; DEPTH],
            next: 0,
        }
    }

    /// Takes a point and its image; the image becomes the next point, and stays where that would be below
    /// zero.
    pub(super) fn mix(&mut self, point: &[f64], image: &mut [f64]) {
        let step: Vec<f64> = image.iter().zip(point).map(|(g, x)| g - x).collect();
        let Some((last_step, last_image)) = self.last.take() else {
            self.last = Some((step, image.to_vec()));
            return;
        };
        let change = |now: &[f64], mut before: Vec<f64>| {
            for (before, now) in before.iter_mut().zip(now) {
                *before = now - *before;
            }
            before
        };
        let (moved, shown) = (change(&step, last_step), change(image, last_image));
        self.last = Some((step.clone(), image.to_vec()));
        if self.moves.len() < DEPTH {
            self.moves.push(moved);
            self.images.push(shown);
            self.next = self.moves.len() - 1;
        } else {
            self.next = (self.next + 1) % DEPTH;
            self.moves[self.next] = moved;
            self.images[self.next] = shown;
        }
        let count = self.moves.len();
        let mut right = [0.0; DEPTH];
        for (idx, (moved, right)) in self.moves.iter().zip(&mut right).enumerate() {
            let product = dot(moved, &self.moves[self.next]);
            self.gram[idx][self.next] = product;
            self.gram[self.next][idx] = product;
            *right = dot(moved, &step);
        }
        let weights = self.solve(right, count);
        let mut mixed = image.to_vec();
        for (shown, weight) in self.images.iter().zip(weights) {
            for (mixed, shown) in mixed.iter_mut().zip(shown) {
                *mixed -= weight * shown;
            }
        }
        for (image, mixed) in image.iter_mut().zip(mixed) {
            if mixed >= 0.0 {
                *image = mixed;
            }
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
        if weights.iter().all(|weight| weight.is_finite()) {
            weights
        } else {
            [0.0; DEPTH]
        }
    }
}
