//! The experiment files inside the binary: `build.rs` lists whatever `calibration/experiments/` holds.

/// Path and text of each file.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/experiments.rs"));
