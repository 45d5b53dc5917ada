//! Estimators: means with intervals, batches, warm-up, quantiles.
//!
//! Knows numbers that were observed one after another. Must not know what they mean.
