//! A network file, read: the description of the network and what it was read from.

use std::path::Path;

use super::read;
use crate::diag::Diagnostics;
use crate::document::{self, ReadError};
use crate::sim::Model;

/// A network file, read and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// The file, as named by the caller.
    pub name: String,
    /// Its text, for hashing.
    pub text: String,
    /// The overrides, in their order, for hashing.
    pub overrides: Vec<String>,
    /// What the network is called; the file's name where it does not say.
    pub title: String,
    /// Where it was published.
    pub source: Option<String>,
    /// The network, with every detail that the file has.
    pub model: Model,
    /// What looks wrong without making the file unusable, each rendered with its place.
    pub warnings: Vec<String>,
}

/// Why a network file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It could not be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// It is wrong; every problem with its place.
    #[error("{}", .0.render())]
    Wrong(Box<Diagnostics>),
}

/// Reads a file from the disk; `overrides` are laid over it as [`document::apply_override`] says.
pub fn load(path: &Path, overrides: &[String]) -> Result<File, LoadError> {
    let text = document::read_named(path, document::BYTES_MAX)?;
    parse(&path.to_string_lossy(), &text, overrides).map_err(LoadError::Wrong)
}

/// Reads a network from text.
///
/// ```
/// let text = "schema = 1\n[station.cpu]\n[class.jobs]\nrate = \"0.8 /s\"\ndemand.cpo = \"1 s\"\n";
/// let wrong = plimsoll_network::network::parse("mm1.toml", text, &[]).unwrap_err();
/// assert!(wrong.render().contains("did you mean \"cpu\"?"));
/// ```
pub fn parse(name: &str, text: &str, overrides: &[String]) -> Result<File, Box<Diagnostics>> {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source(name, text);
    let Some(mut root) = document::parse(source, &diagnostics) else {
        return Err(Box::new(diagnostics));
    };
    for line in overrides {
        document::apply_override(&mut root, line, &mut diagnostics);
    }
    let network = read::network(&root, &diagnostics);
    if diagnostics.has_errors() {
        return Err(Box::new(diagnostics));
    }
    let stem = Path::new(name).file_stem().map(|s| s.to_string_lossy());
    Ok(File {
        name: name.to_owned(),
        text: text.to_owned(),
        overrides: overrides.to_vec(),
        title: network.title.unwrap_or_else(|| stem.unwrap_or_default().into_owned()),
        source: network.source,
        model: network.model,
        warnings: diagnostics.render_each(),
    })
}
