//! The next guess of waits whose images are known: damped steps first, then Anderson's mixing.
//!
//! Near saturation a wait for a lock falls steeply with the rates that follow from it, so that plain steps swing for
//! ever. Anderson's mixing takes the combination of the last guesses whose changes cancel best (JACM 12(4), 1965),
//! first of the waits and, if that does not settle, of their logarithms.

use nalgebra::{DMatrix, DVector};

/// Guesses after which damped steps end, and after which logarithms are mixed.
pub(super) const DAMPED: usize = 20;
const LINEAR: usize = 200;

/// Guesses after which it gives up.
pub(super) const GUESSES_MAX: usize = 400;

/// Most differences of guesses that are mixed.
const DEPTH: usize = 8;

/// Singular values below this part of the largest are noise.
const NOISE: f64 = 1e-6;

/// Part of a change that is taken where nothing else is known, and its limits.
const PART: f64 = 0.3;
const LEAST_PART: f64 = 0.02;

/// A wait's own damping.
#[derive(Clone, Copy)]
struct Step {
    part: f64,
    last: f64,
}

impl Step {
    /// Part of a change: less where the last one went the other way.
    fn part_of(&mut self, change: f64) -> f64 {
        self.part = if change * self.last < 0.0 { self.part * 0.5 } else { (self.part * 1.3).min(1.0) };
        self.last = change;
        self.part * change
    }
}

/// The iteration waits → waits that follow from the rates that they lead to.
pub(super) struct Mixing {
    guesses: usize,
    steps: Vec<Step>,
    /// Guesses and their changes in this phase, the newest last.
    known: Vec<(Vec<f64>, Vec<f64>)>,
    part: f64,
    /// Length of the last change.
    last: f64,
    /// Smallest residual, and the guess that had it.
    best: (f64, Vec<f64>),
}

impl Mixing {
    /// For so many waits.
    pub(super) fn new(size: usize) -> Self {
        let step = Step { part: 0.5, last: 0.0 };
        Self {
            guesses: 0,
            steps: vec![step; size],
            known: Vec::new(),
            part: PART,
            last: f64::INFINITY,
            best: (f64::INFINITY, vec![0.0; size]),
        }
    }

    /// The guess with the smallest residual so far.
    pub(super) fn best(self) -> Vec<f64> {
        self.best.1
    }

    /// The next guess after one whose image and residual are known.
    pub(super) fn next(&mut self, guess: &[f64], image: &[f64], residual: f64) -> Vec<f64> {
        self.guesses += 1;
        if residual < self.best.0 {
            self.best = (residual, guess.to_vec());
        }
        let pairs = guess.iter().zip(image);
        if self.guesses <= DAMPED {
            let steps = pairs.zip(&mut self.steps);
            return steps.map(|((old, new), step)| old + step.part_of(new - old)).collect();
        }
        if self.guesses == LINEAR {
            (self.known, self.part, self.last) = (Vec::new(), PART, f64::INFINITY);
            return self.best.1.clone();
        }
        if self.guesses < LINEAR {
            let changes = pairs.map(|(old, new)| new - old).collect();
            let mixed = self.mixed(guess.to_vec(), changes);
            let next = mixed.iter().zip(guess.iter().zip(image));
            return next.map(|(mixed, (old, new))| mixed.clamp(0.5 * old.min(*new), 2.0 * old.max(*new))).collect();
        }
        // No wait at all has no logarithm.
        let floor = NOISE * guess.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let logs: Vec<f64> = guess.iter().map(|wait| (wait + floor).ln()).collect();
        let moved = image.iter().zip(&logs);
        let changes: Vec<f64> = moved.map(|(new, log)| (new + floor).ln() - log).collect();
        let mixed = self.mixed(logs.clone(), changes.clone());
        let next = mixed.iter().zip(logs.iter().zip(&changes));
        next.map(|(mixed, (log, change))| {
            let (low, high) = (log.min(log + change) - 1.0, log.max(log + change) + 1.0);
            (mixed.clamp(low, high).exp() - floor).max(0.0)
        })
        .collect()
    }

    /// Anderson's combination of this point and the last ones.
    fn mixed(&mut self, point: Vec<f64>, changes: Vec<f64>) -> Vec<f64> {
        let length = changes.iter().map(|change| change * change).sum::<f64>().sqrt();
        if length > 2.0 * self.last {
            self.part = (self.part * 0.7).max(LEAST_PART);
        }
        self.last = length;
        let steps = point.iter().zip(&changes);
        let mut next: Vec<f64> = steps.map(|(at, change)| at + self.part * change).collect();
        let size = point.len();
        let right = DVector::from_column_slice(&changes);
        self.known.push((point, changes));
        if self.known.len() > DEPTH.min(size) + 1 {
            self.known.remove(0);
        }
        if self.known.len() < 2 {
            return next;
        }
        let moves =
            DMatrix::from_fn(size, self.known.len() - 1, |row, at| self.known[at + 1].1[row] - self.known[at].1[row]);
        let parts = moves.clone().svd(true, true);
        let noise = NOISE * parts.singular_values.max();
        let Ok(weights) = parts.solve(&right, noise) else {
            return next;
        };
        for (row, next) in next.iter_mut().enumerate() {
            for (at, pair) in self.known.windows(2).enumerate() {
                let went = pair[1].0[row] - pair[0].0[row];
                *next -= weights[at] * (went + self.part * moves[(row, at)]);
            }
        }
        next
    }
}
