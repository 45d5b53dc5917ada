//! Plimsoll: the load line for Perforce servers.
pub mod calibration;
pub mod catalog;
pub mod diag;
pub mod document;
pub mod origin;
pub mod queueing;
pub mod units;
