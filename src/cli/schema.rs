//! `plimsoll schema`: the JSON Schema of the site file, for editors.

use std::path::PathBuf;

use clap::Args;

use super::Common;
use super::failure::Failure;
use super::out::Output;
use super::output::Outcome;
use super::session::Library;
use crate::site;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write it to a file
    #[arg(long, value_name = "FILE.json")]
    save: Option<PathBuf>,
    /// With --save: write over any file; without it only over none
    #[arg(long, requires = "save")]
    force: bool,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let library = Library::uncalibrated(&arguments.common)?;
    let schema = site::schema(&library.vocabulary);
    let Some(path) = &arguments.save else {
        return Ok(Outcome::json(&schema, false));
    };
    Output::new(path, None, arguments.force).write(&format!("{schema:#}\n"))?;
    Ok(Outcome::done(format!("Written to {}.\n", path.display())))
}
