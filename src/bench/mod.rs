//! Measuring the hardware at hand.

pub mod environment;
pub mod network;
