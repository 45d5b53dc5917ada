//! Plimsoll: the load line for Perforce servers.
pub mod diag;
pub mod document;
pub mod origin;
pub mod site;
pub mod units;
