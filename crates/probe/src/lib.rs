//! Real hardware, measured.
//!
//! Knows files, sockets, clocks and locks of the machine on which it runs, and what the model would expect of them. Must not
//! know what is recommended: a measurement does not know what will be made of it.

use plimsoll_ground::{diag, document, files, origin, units};
use plimsoll_model::{calibration, catalog, experiment, posterior, site, system, workload};
use plimsoll_page as page;
use plimsoll_queueing::{sim, stats};

pub mod bench;
pub mod rehearse;

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
