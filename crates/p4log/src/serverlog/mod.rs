//! Server logs of Perforce: what p4d, its replicas and proxies wrote while they worked.
//!
//! ```text
//!  P4LOG ──────────────────► reader ────┐
//!  structured logs (csv) ──► structured ┴► record::Command, Event, Damage ─► analysis ─► report, site answers
//!                                                                         ├► counterfactual: the log without some of them
//!                                                                         └► export
//!  journals, checkpoints ──► journal ──────────────────────────────────────► report, site answers
//! ```
//!
//! The format is not documented and differs by release, level and damage, so that nothing here refuses a log: what is not
//! understood is counted and shown with its place.

pub mod analysis;
pub mod answers;
pub mod arrivals;
pub mod beside;
mod block;
pub mod commands;
pub mod counterfactual;
mod counters;
mod ends;
pub mod export;
pub mod follow;
pub mod groups;
mod head;
pub mod journal;
mod kind;
mod lines;
mod live;
pub mod logs;
mod merge;
pub mod open;
mod parser;
mod pseudonym;
pub mod quality;
pub mod range;
mod reader;
pub mod record;
mod reuse;
mod scan;
mod section_lines;
mod server;
mod skim;
pub mod structured;
mod tail;
mod track;
mod unknown_lines;
mod used;
mod vocabulary;
mod waiting;
mod watch;
pub mod write;

pub use kind::{FileKind, LogText};
pub use pseudonym::Pseudonyms;
pub use reader::Reader;
pub use watch::Watch;
