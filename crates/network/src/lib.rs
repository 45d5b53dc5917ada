//! Queueing networks from a file: solved by every method, and simulated.

use plimsoll_ground::{diag, document, units};
use plimsoll_queueing::{queueing, sim};

pub mod network;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
