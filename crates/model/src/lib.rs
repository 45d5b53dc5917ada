//! Perforce servers as queueing networks.
//!
//! ```text
//!  outputs ─► collected ─┐ answers
//!  p4 logs ──────────────┴► site ─► workload ──┐
//!  models/ ──────► catalog ────────────────────┼─► system ─► Prediction
//!  calibration/ ─► calibration ────────────────┘      ▲
//!  calibration/experiments/ ─► experiment ─► fit ─► posterior
//! ```
//!
//! Knows p4d, its storage and its users. Must not know what is recommended, nor how an answer is told: no layout is judged here
//! and nothing is printed.

use plimsoll_ground::{diag, document, files, origin, parallel, units};
use plimsoll_p4log::serverlog;
use plimsoll_queueing::{queueing, sim};

pub mod calibration;
pub mod catalog;
pub mod collected;
pub mod experiment;
pub mod fit;
pub mod posterior;
pub mod site;
pub mod system;
pub mod workload;

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
