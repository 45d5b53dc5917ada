//! `plimsoll collect`: prints the script that a customer reads and runs on the server.

use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::init::shown;
use super::out::Output;
use super::output::Outcome;
use super::{Common, Format};
use crate::collected::{POWERSHELL, SHELL};
use crate::report::SCHEMA;
use crate::report::json::object;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// For `PowerShell` on Windows in place of a POSIX shell
    #[arg(long)]
    powershell: bool,
    /// Write it to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// With --save: write over any file; without it only over none
    #[arg(long, requires = "save")]
    force: bool,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let script: &str = if arguments.powershell { &POWERSHELL } else { &SHELL };
    let format = arguments.common.format;
    let Some(path) = &arguments.save else {
        return Ok(match format {
            Format::Text => Outcome::done(script.to_owned()),
            Format::Json => Outcome::json(&Collect::of(Some(script), None), false),
        });
    };
    Output::new(path, None, arguments.force).write(script)?;
    let runs = if arguments.powershell { "powershell -ExecutionPolicy Bypass -File" } else { "sh" };
    Ok(match format {
        Format::Text => {
            let path = shown(path);
            Outcome::done(format!("Written to {path}. Read it; then, on the server: {runs} {path}\n"))
        }
        Format::Json => Outcome::json(&Collect::of(None, Some(path)), false),
    })
}

object! {
    /// `collect`.
    Collect of (script: Option<&str>, saved: Option<&Path>) {
        schema: u32 = SCHEMA, "Version of the form of answers.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] script: Option<String> = script.map(str::to_owned), "The script.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] written: Option<String> = saved.map(|path| path.display().to_string()), "With `--save` in its place: the file.";
    }
}
