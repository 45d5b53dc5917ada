//! A rehearsal: a site's load as real table locks, pages, journal commits, archive files and sockets on real volumes,
//! without p4d, beside what the model predicts for the same machine.
//!
//! ```text
//!  site ─► plan ─► scripts ─┐                          ┌► samples ─┐
//!                           ├─► drive (threads) ───────┼► locks    ├─► answer ─► page, JSON, saved file
//!  folders ─► field ────────┘                          └► meters   │
//!      └► probes ─► machine ─► predict, simulate ──────────────────┘
//! ```
//!
//! [`Plan`] turns a site, a multiple of its load and a scale into populations and their scripts, which are those of
//! `models/commands`. [`rehearse()`] lays out the data in fresh folders, drives the load, measures it and removes everything. The
//! prediction is that of [`crate::system`] and [`crate::sim`] for a deployment whose numbers were probed on this machine minutes before.
//!
//! Clients run beside the server, on the same host.
//!
//! Threads stand in place of p4d's processes: the project has no unsafe code, which a fork would take.

mod answer;
mod archives;
mod assembly;
mod client;
mod clients;
mod connection;
mod course;
mod drive;
mod field;
mod journal;
mod judged;
mod judgement;
mod layout;
mod load;
mod locks;
mod machine;
mod meter;
mod plan;
mod points;
mod probes;
mod processor;
mod run;
mod script;
mod section;
mod server;
mod shown;
mod summary;
mod tables;
mod turns;
mod units;
mod wanted;

pub use answer::{
    Caused, Environment, KIND, KindOfWork, LockWait, Named, RESULT, Rehearsed, SCHEMA, Span, Utilised, is_rehearsal,
};
pub use layout::Layout;
pub use locks::By;
pub use plan::{Plan, Planned, Settings};
pub use points::{Half, Point, Points, points_markdown, points_measured};
pub use run::rehearse;
pub use section::section;
pub use shown::{comparison_text, page, plan_text};
pub use wanted::{MAX_BYTES, MAX_TIME, TIME, WARM_UP, Wanted, no_server_here};
