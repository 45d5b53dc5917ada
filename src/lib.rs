//! Plimsoll: the load line for Perforce servers.
//!
//! A ship's Plimsoll line says how deep it may be loaded. This library says how many users, how much
//! data and how many commands a Perforce server (p4d) carries on given storage, where to put what,
//! and when it will be too deep.
//!
//! ```text
//!  outputs ─► collected ─┐ answers                  ┌► queueing ─► Prediction ─┐
//!  p4 logs ─► serverlog ─┴► site ─► workload ──┐    │                          ├─► advisor ─┬─► emit: files to paste
//!  SITE.toml ───────────────┘                  ├─► system                      │            └─► report ─► cli, desktop
//!  models/ ──────► catalog ────────────────────┤    │                          │
//!  calibration/ ─► calibration ────────────────┘    └► sim ──────► Outcome ────┘
//!
//!  calibration/experiments/ ─► experiment ─► fit ─► posterior ─► catalog, calibration      (plimsoll calibrate)
//!  bench ─► result file ─► experiment, fit                                                 (bench, calibrate --add)
//!  site, workload ─► rehearse: measured beside system and sim                              (rehearse)
//!  NETWORK.toml ─► network ─► queueing, sim ─► report                                      (solve)
//!
//!  below all: units, diag, origin, files, document, parallel; below the theory: stats
//! ```
//!
//! Modules in reading order. Each imports only from those above it; `tests/it/layers.rs` holds that and
//! says which way a wrong arrow should point. `ARCHITECTURE.md` has each module's entry point and what it must not know.
//!
//! - [`units`], [`diag`], [`origin`], [`files`], [`document`], [`parallel`]: quantities, messages, where numbers come from,
//!   files of users, reading TOML with every problem reported, work on all cores; [`page`]: an answer as sections, tables and
//!   charts, written as text, HTML and Markdown;
//! - [`stats`]: estimators; [`queueing`]: stations, classes, mean value analysis, locks; [`sim`]: the
//!   same simulated; [`network`]: both from a file;
//! - [`posterior`]: what the fit made of the model's numbers; [`catalog`]: what exists, from `models/`;
//!   [`calibration`]: what was measured, from `calibration/`;
//! - [`version`](plimsoll_p4log::version) and [`serverlog`]: what p4d calls itself, and its logs and journals;
//!   [`site`]: the questionnaire; [`collected`]: answers from pasted outputs of a server; [`workload`]: the load that
//!   the answers imply;
//! - [`system`]: a deployment under a load; [`experiment`]: published measurements as such deployments;
//!   [`fit`]: parameters from them, and how well they predict; [`advisor`]: which deployment, and why;
//! - [`emit`]: the recommended deployment as configuration to paste; [`report`]: the answer as text,
//!   JSON, HTML and Markdown; [`bench`](mod@bench): microbenchmarks of real hardware; [`rehearse`](mod@rehearse): the site's load
//!   as real locks, pages, files and sockets; [`cli`] and [`desktop`] (a feature): the two faces.
//!
//! Invariants: nothing from `queueing` to `report` reads a file, a clock or an environment
//! variable, or prints (the loaders of `catalog`, `calibration`, `site`, `collected` and `serverlog` read their files); the same
//! input gives the same bytes; every number that reaches a report can say where it came from.
pub use plimsoll_ground::{diag, document, files, origin, parallel, units};
pub use plimsoll_model::{calibration, catalog, collected, experiment, fit, posterior, site, system, workload};
pub use plimsoll_network::network;
pub use plimsoll_p4log::serverlog;
pub use plimsoll_page as page;
pub use plimsoll_probe::{bench, rehearse};
pub use plimsoll_queueing::{queueing, sim, stats};

pub mod advisor;
pub mod cli;
#[cfg(feature = "desktop")]
pub mod desktop;
pub mod emit;
pub mod report;
