//! Network files: what they mean, what is refused, and what both solvers make of them.

mod broken;
mod convert;
mod features;
mod flows;
mod gallery;
mod generated;
mod hostile;
mod limits;
mod nested_locks;
mod reference;

use plimsoll::network::{self, File};

/// A file that is right.
#[track_caller]
pub(crate) fn file(text: &str) -> File {
    match network::parse("network.toml", &format!("schema = 1\n{text}"), &[]) {
        Ok(file) => file,
        Err(diagnostics) => panic!("{}", diagnostics.render()),
    }
}
