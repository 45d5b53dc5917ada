//! A queueing network from a file: one description for the analytic solvers and the simulator.
//!
//! Knows the format of NETWORK.toml and how it becomes a [`crate::queueing::Network`] and a
//! [`crate::sim::Model`]. Must not know storage or Perforce, nor print.
