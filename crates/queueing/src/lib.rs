//! Queueing networks: exact, approximate and simulated.
//!
//! [`queueing`] has stations, classes, mean value analysis and readers–writer locks; [`sim`] simulates the same; [`stats`] estimates.
//!
//! Takes plain numbers, their units in the docs. Knows no storage, no file and no Perforce.

pub mod queueing;
pub mod sim;
pub mod stats;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
