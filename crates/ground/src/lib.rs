//! What the rest of Plimsoll stands on: quantities with units, where numbers come from, messages with places, TOML that is read with
//! every problem at once, files of users, work on all cores.
//!
//! Knows nothing of storage, queues or Perforce.

pub mod diag;
pub mod document;
pub mod files;
pub mod origin;
pub mod parallel;
pub mod units;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
