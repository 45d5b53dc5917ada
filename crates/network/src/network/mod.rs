//! A queueing network from a file: one description for the analytic solvers and the simulator.
//!
//! ```text
//!                                 ┌─ analytic ─► queueing::Network, and what it cannot express
//!  NETWORK.toml ─ read ─► File ───┤
//!                                 └────────────► sim::Model
//! ```
//!
//! Knows the format of NETWORK.toml ([`load`], [`parse`]; `docs/network-file.md`), every problem
//! reported at once, and how it becomes a [`crate::sim::Model`] and a [`crate::queueing::Network`].
//! [`solve`] answers by any analytic method and [`bounds`] bounds; [`Answer`] is the shape of all
//! answers, simulated ones as well. Must not know storage or Perforce, nor print.
//!
//! ```
//! use plimsoll_network::network;
//! let text = "schema = 1\n[station.server]\n[class.jobs]\nrate = \"0.8 /s\"\ndemand.server = \"1 s\"\n";
//! let file = network::parse("mm1.toml", text, &[]).unwrap();
//! assert_eq!(file.model.stations[0].name, "server");
//! ```

mod analytic;
mod answer;
mod bounds;
mod codes;
mod file;
mod method;
mod needs;
mod read;
mod solve;

pub use analytic::{Analytic, AnalyticSolution, LockSolution, Simplification};
pub use answer::{Answer, ClassAnswer, ClassAtStation, LockAnswer, PoolAnswer, StationAnswer};
pub use bounds::{ClassBounds, bounds};
pub use codes::CODES;
pub use file::{File, LoadError, load, parse};
pub use method::Method;
pub use solve::{Unsolved, solve};
