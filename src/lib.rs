//! Plimsoll: the load line for Perforce servers.
//!
//! A ship's Plimsoll line says how deep it may be loaded. This library says how many users, how much
//! data and how many commands a Perforce server (p4d) carries on given storage, where to put what,
//! and when it will be too deep.
//!
//! ```text
//!  site ─► workload ──┐           ┌► queueing ─► prediction ─► advisor ─┬─► emit (configuration files)
//!                     ├─► system ─┤                                     ├─► report ─► cli, desktop
//!  catalog (models/) ─┤           └► sim ──────► outcome ───────────────┤
//!                     ├─► experiment ─► fit ─► posterior ─► catalog     │   (plimsoll calibrate)
//!  calibration/ ──────┤                                                 │
//!  bench ─► result ───┘   (plimsoll bench DIR, calibrate --add)         │
//!  NETWORK.toml ─► network ─► queueing, sim ─► answer ──────────────────┘
//! ```
//!
//! Modules in reading order; each imports only from those above it, and `tests/it/layers.rs` says
//! which way an arrow should point that does not:
//!
//! - [`units`], [`diag`], [`origin`], [`files`], [`document`], [`parallel`]: quantities, messages, where numbers come from,
//!   files of users, reading TOML with every problem reported;
//! - [`stats`]: estimators; [`queueing`]: stations, classes, mean value analysis, locks; [`sim`]: the
//!   same simulated; [`network`]: both from a file;
//! - [`posterior`]: what the fit made of the model's numbers; [`catalog`]: what exists, from `models/`;
//!   [`calibration`]: what was measured, from `calibration/`;
//! - [`serverlog`]: what a p4d log says; [`site`]: the questionnaire; [`collected`]: what pasted
//!   outputs of a server answer of it; [`workload`]: the load that it implies;
//! - [`system`]: a deployment under a load; [`experiment`]: the published measurements as such;
//!   [`fit`]: parameters from them, and how well they predict; [`advisor`]: which deployment, and why;
//! - [`emit`]: the recommended deployment as configuration to paste; [`report`]: the answer as text,
//!   JSON, HTML and Markdown; [`bench`](mod@bench): microbenchmarks of real hardware; [`rehearse`](mod@rehearse): the site's load
//!   as real locks, pages, files and sockets; [`cli`] and [`desktop`] (a feature): its two faces.
//!
//! Invariants: nothing between `queueing` and `report` reads a file, a clock or an environment
//! variable, or prints (the loaders of `catalog`, `calibration`, `site` and `collected` read their files); the same
//! input gives the same bytes; every number that reaches a report can say where it came from.
pub use plimsoll_ground::{diag, document, files, origin, parallel, units};
pub use plimsoll_network::network;
pub use plimsoll_p4log::serverlog;
pub use plimsoll_queueing::{queueing, sim, stats};

pub mod advisor;
pub mod bench;
pub mod calibration;
pub mod catalog;
pub mod cli;
pub mod collected;
#[cfg(feature = "desktop")]
pub mod desktop;
pub mod emit;
pub mod experiment;
pub mod fit;
pub mod posterior;
pub mod rehearse;
pub mod report;
pub mod site;
pub mod system;
pub mod workload;
