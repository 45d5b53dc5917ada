//! Batches of a run of unknown length.
//!
//! A long run is cut into batches of equal length whose means are nearly independent. Ten to twenty of
//! them are enough for Student's t (Schmeiser 1982): more would be shorter and depend on each other,
//! so that intervals come out too narrow. When twenty are full, neighbours are merged, and the ten
//! that remain are twice as long.
//!
//! # References
//!
//! - B. Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research
//!   30(3), 1982.

/// Most batches that are kept.
pub const BATCHES_MAX: usize = 20;

/// What can be gathered in batches.
pub trait Batch {
    /// Takes in the batch that follows.
    fn absorb(&mut self, next: Self);
}

/// Up to [`BATCHES_MAX`] batches of equal length, in order.
#[derive(Clone, Debug)]
pub struct Batches<B> {
    full: Vec<B>,
    length: u64,
}

impl<B> Default for Batches<B> {
    fn default() -> Self {
        Self { full: Vec::with_capacity(BATCHES_MAX), length: 1 }
    }
}

impl<B: Batch> Batches<B> {
    /// How long the next batch must be, in lengths of the first one. Merges pairs when all are full.
    ///
    /// ```
    /// use plimsoll_queueing::stats::batch::{Batch, Batches};
    /// struct Sum(u64);
    /// impl Batch for Sum {
    ///     fn absorb(&mut self, next: Self) { self.0 += next.0; }
    /// }
    /// let mut batches = Batches::default();
    /// for _ in 0..35 {
    ///     let length = batches.next_length();
    ///     batches.push(Sum(length));
    /// }
    /// // 20, merged to 10, and 10 more; merged to 10, and 5 more.
    /// assert!(batches.full().len() == 15 && batches.full().iter().all(|sum| sum.0 == 4));
    /// ```
    pub fn next_length(&mut self) -> u64 {
        if self.full.len() >= BATCHES_MAX {
            let mut merged = Vec::with_capacity(BATCHES_MAX);
            let mut old = self.full.drain(..);
            while let (Some(mut first), Some(second)) = (old.next(), old.next()) {
                first.absorb(second);
                merged.push(first);
            }
            drop(old);
            self.full = merged;
            self.length *= 2;
        }
        self.length
    }

    /// Takes a batch of [`Self::next_length`].
    pub fn push(&mut self, batch: B) {
        self.full.push(batch);
    }

    /// The batches so far.
    pub fn full(&self) -> &[B] {
        &self.full
    }

    /// The same, owned.
    pub fn into_full(self) -> Vec<B> {
        self.full
    }
}
