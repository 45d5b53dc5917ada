//! Server logs and journals of Perforce (p4d): commands, locks, who held up whom.
//!
//! Knows no model of the server and no site.

use plimsoll_ground::{diag, files, units};
use plimsoll_queueing::{sim, stats};

pub mod serverlog;
pub mod version;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
