//! Plimsoll: the load line for Perforce servers.

pub mod queueing;
