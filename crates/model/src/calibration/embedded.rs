//! The calibration files inside the binary: `build.rs` lists whatever `calibration/` holds.

/// Path and text of each file: the sources and `parameters.toml`.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));
