//! Server logs of Perforce: what p4d, its replicas and proxies wrote while they worked.
//!
//! ```text
//!  files (plain, gzip, zstd) ─► reader ─► record::Command, Event, Damage ─► analysis ─► report
//!                                                                        └► export, site answers
//! ```
//!
//! The format is not documented and differs by release, level and damage, so that nothing here refuses a log: what is not
//! understood is counted and shown with its place.

pub mod analysis;
pub mod answers;
pub mod arrivals;
mod block;
pub mod commands;
pub mod export;
mod head;
mod lines;
mod live;
pub mod logs;
mod merge;
pub mod open;
mod parser;
mod pseudonym;
pub mod quality;
mod reader;
pub mod record;
mod reuse;
mod scan;
mod server;
mod track;
mod unread;
pub mod write;

pub use pseudonym::Pseudonyms;
pub use reader::Reader;
