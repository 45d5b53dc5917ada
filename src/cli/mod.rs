//! The command line: one file a subcommand. Reads files, prints, and turns outcomes into exit codes.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | done, and a target is missed or nothing fits |
//! | 2 | usage |
//! | 3 | the input is wrong |

mod advise;
mod explain;
mod models;
mod output;
mod predict;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::diag::Diagnostics;
use crate::site::{self, Site, SiteError, Vocabulary};
use output::Outcome;

/// The load line for Perforce servers: sizing, placement and what-if for p4d on any storage.
#[derive(Debug, Parser)]
#[command(name = "plimsoll", version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Recommend a layout for a site: the main job
    Advise(advise::Arguments),
    /// Predict what one layout does under a site's load, or several side by side
    Predict(predict::Arguments),
    /// List what the catalogue holds
    Models(models::Arguments),
    /// Explain a rule, parameter, datum, source, field, catalogue entry or error code
    Explain(explain::Arguments),
    /// Open the window
    #[cfg(feature = "desktop")]
    Desktop {
        /// A site file to open
        site: Option<PathBuf>,
    },
}

/// What every subcommand takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    format: Format,
    /// Files that add to the catalogue or override it by id (DIR/arrays/mine.toml …)
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// Files that add to the calibration data or override its parameters
    #[arg(long, value_name = "DIR")]
    calibration: Option<PathBuf>,
    /// Seed of random numbers; the analytic answers use none
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the recommendation alone, without the rest of the report
    #[arg(long, short)]
    quiet: bool,
}

/// A site file and what overrides it.
#[derive(Debug, Clone, Args)]
pub(crate) struct SiteArguments {
    /// The questionnaire (TOML); see docs/site-file.md
    #[arg(value_name = "SITE.toml")]
    site: PathBuf,
    /// Override an answer, such as `--set people.developers=400` or `--set "data.db_size=34 GiB"` (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Parses the arguments and runs the subcommand.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() {
                output::USAGE
            } else {
                output::DONE
            };
            // Nothing is left to do if the terminal is gone.
            let _gone = error.print();
            return ExitCode::from(code);
        }
    };
    let outcome = match arguments.command {
        Command::Advise(a) => advise::run(&a),
        Command::Predict(a) => predict::run(&a),
        Command::Models(a) => models::run(&a),
        Command::Explain(a) => explain::run(&a),
        #[cfg(feature = "desktop")]
        Command::Desktop { site } => match crate::desktop::run(site.as_deref()) {
            Ok(()) => Outcome::done(String::new()),
            Err(reason) => Outcome::wrong(reason),
        },
    };
    outcome.print()
}

/// The catalogue and the calibration, with what the command line lays over them.
pub(crate) struct Library {
    catalog: Catalog,
    calibration: Calibration,
    vocabulary: Vocabulary,
}

impl Library {
    fn load(common: &Common) -> Result<Self, Outcome> {
        let wrong =
            |d: Box<Diagnostics>| Outcome::diagnostics(&d.render(), &d.to_json(), common.format);
        let catalog = Catalog::load(common.models.as_deref()).map_err(wrong)?;
        let calibration = Calibration::load(common.calibration.as_deref()).map_err(wrong)?;
        let vocabulary = Vocabulary::of(&catalog);
        Ok(Self {
            catalog,
            calibration,
            vocabulary,
        })
    }

    fn site(&self, arguments: &SiteArguments, format: Format) -> Result<Site, Outcome> {
        site::load(&arguments.site, &arguments.set, &self.vocabulary).map_err(|error: SiteError| {
            Outcome::diagnostics(&error.render(), &error.to_json(), format)
        })
    }
}
