//! `plimsoll schema`: the JSON Schema of the site file, for editors.

use std::path::PathBuf;

use clap::Args;

use super::out::{self, Output};
use super::output::Outcome;
use super::{Common, Library};
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
    common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let library = match Library::uncalibrated(&arguments.common) {
        Ok(library) => library,
        Err(outcome) => return outcome,
    };
    let schema = site::schema(&library.vocabulary);
    let Some(path) = &arguments.save else {
        return Outcome::json(&schema, false);
    };
    let output = Output {
        path,
        mark: None,
        over: out::over(arguments.force),
        option: "--force",
    };
    match output.write(&format!("{schema:#}\n")) {
        Ok(()) => Outcome::done(format!("Written to {}.\n", path.display())),
        Err(reason) => Outcome::wrong_as(&reason, arguments.common.format),
    }
}
