//! `plimsoll schema [ANSWER]`: the JSON Schema of the site file, for editors, or of a JSON answer, for programs.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::Common;
use super::answers::ANSWERS;
use super::failure::Failure;
use super::out::Output;
use super::output::Outcome;
use super::session::Library;
use crate::site;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A JSON answer by its command, such as advise or predict-compare; without it the site file
    #[arg(value_parser = PossibleValuesParser::new(ANSWERS.map(|(name, _)| name)))]
    answer: Option<String>,
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
    let answer = arguments.answer.as_deref();
    let schema = match ANSWERS.iter().find(|(name, _)| Some(*name) == answer) {
        Some((_, make)) => make().to_value(),
        None => site::schema(&Library::uncalibrated(&arguments.common)?.vocabulary),
    };
    let Some(path) = &arguments.save else {
        return Ok(Outcome::json(&schema, false));
    };
    Output::new(path, None, arguments.force).write(&format!("{schema:#}\n"))?;
    Ok(Outcome::done(format!("Written to {}.\n", path.display())))
}
