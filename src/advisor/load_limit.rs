//! What ends the load that a deployment carries.

use std::fmt;

use super::headroom::FACTOR_MAX;
use super::safety::MemoryShort;
use crate::system::{PredictError, Resource};
use crate::workload::Work;

/// What gives way first above the largest load that is carried.
#[derive(Debug, Clone, PartialEq)]
pub enum LoadLimit {
    /// Nothing, up to the largest multiple that is tried.
    NotFound,
    /// A server lacks memory.
    Memory(MemoryShort),
    /// There is no steady state.
    Overload(PredictError),
    /// A target is missed.
    Target {
        /// Of which kind of work.
        work: Work,
        /// Its name, and the target: "submit misses its target of 5 s".
        words: String,
    },
}

impl LoadLimit {
    /// Whether anything ends it.
    pub fn is_found(&self) -> bool {
        *self != Self::NotFound
    }

    /// The kind of work that takes too long, where that is what ends it.
    pub fn work(&self) -> Option<&Work> {
        match self {
            Self::Target { work, .. } => Some(work),
            Self::NotFound | Self::Memory(_) | Self::Overload(_) => None,
        }
    }

    /// The resource that cannot keep up, where that is what ends it.
    pub fn resource(&self) -> Option<&Resource> {
        match self {
            Self::Overload(error) => error.resource(),
            Self::NotFound | Self::Memory(_) | Self::Target { .. } => None,
        }
    }
}

impl fmt::Display for LoadLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => write!(f, "no limit was found up to {FACTOR_MAX} times the peak load"),
            Self::Memory(short) => short.fmt(f),
            Self::Overload(error) => error.fmt(f),
            Self::Target { words, .. } => f.write_str(words),
        }
    }
}
