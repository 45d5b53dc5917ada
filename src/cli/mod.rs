//! The command line: one file a subcommand. Reads files, prints, and turns outcomes into exit codes.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | done, and a target is missed, nothing fits, the network is saturated, or a measurement contradicts |
//! | 2 | usage |
//! | 3 | the input is wrong, or the method has no answer for it |
//! | 4 | a measurement failed; nothing of it is left |
//! | 130 | interrupted; what there was so far is printed |

mod advise;
mod bench;
mod bench_network;
mod calibrate;
mod calibrate_add;
mod collect;
mod color;
mod compare;
mod confirm;
mod doing;
mod examples;
mod experiment;
mod explain;
mod init;
mod init_began;
mod init_from;
mod init_log;
mod layout;
mod measuring;
mod models;
mod out;
mod output;
mod places;
mod predict;
mod prices;
mod rehearse;
mod rehearse_points;
mod report;
mod run;
mod schema;
mod simulate;
mod simulated_log;
mod solve;
mod sweep;
mod trace;
mod workload;
mod workload_replay;
mod workload_site;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

use crate::advisor;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::diag::{Diagnostics, harmless_line};
use crate::posterior::Posterior;
use crate::report::{Inputs, Tone};
use crate::site::{self, Site, SiteError, Vocabulary};
use doing::Doing;
use output::Outcome;

/// The load line for Perforce servers: sizing, placement and what-if for p4d on any storage.
#[derive(Debug, Parser)]
#[command(name = "plimsoll", version, about, after_help = examples::ALL)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Recommend a layout for a site: the main job
    #[command(after_help = examples::ADVISE)]
    Advise(advise::Arguments),
    /// Ask for a site's answers at the terminal, those that matter most first, and write them to a site file
    #[command(after_help = examples::INIT)]
    Init(init::Arguments),
    /// Print the script that gathers on a server what `init --from FILE` reads
    #[command(after_help = examples::COLLECT)]
    Collect(collect::Arguments),
    /// Write the hand-over document: one HTML file with charts, or Markdown, or JSON
    #[command(after_help = examples::REPORT)]
    Report(report::Arguments),
    /// Predict response times and utilizations of one layout under a site's load, or of several side by side
    #[command(after_help = examples::PREDICT)]
    Predict(predict::Arguments),
    /// Simulate one layout under a site's load, at the steady peak or through a scenario, or several side by side
    #[command(after_help = examples::SIMULATE)]
    Simulate(Box<simulate::Arguments>),
    /// Solve any queueing network: exactly, approximately or simulated
    #[command(after_help = examples::SOLVE)]
    Solve(Box<solve::Arguments>),
    /// Show what a server does now, from its log: who waits for whom, what costs what, answers for a site file
    #[command(after_help = examples::WORKLOAD)]
    Workload(Box<workload::Arguments>),
    /// Compare the model with the published measurements: accuracy, parameters, the fit itself
    #[command(after_help = examples::CALIBRATE)]
    Calibrate(calibrate::Arguments),
    /// Measure the volume of a folder with the operations of p4d, as input of `calibrate --add`
    #[command(after_help = examples::BENCH)]
    Bench(Box<bench::Arguments>),
    /// Try a layout before it is bought: the site's load as real locks, pages, files and sockets on a volume, beside the prediction
    #[command(after_help = examples::REHEARSE)]
    Rehearse(Box<rehearse::Arguments>),
    /// List the entries of the catalogue
    #[command(after_help = examples::MODELS)]
    Models(models::Arguments),
    /// Explain a rule, parameter, datum, source, field, catalogue entry or error code
    #[command(after_help = examples::EXPLAIN)]
    Explain(explain::Arguments),
    /// Print the JSON Schema of the site file: completion and checks in an editor
    #[command(after_help = examples::SCHEMA)]
    Schema(schema::Arguments),
    /// Open the window
    #[command(after_help = examples::DESKTOP)]
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
    /// Seed of random numbers; the analytic solution uses none
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the recommendation alone
    #[arg(long, short)]
    quiet: bool,
    /// Colours in the text: to a terminal that has not set `NO_COLOR`, always, or never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: color::Color,
}

impl Common {
    /// How lines stand out: as they would, if colours are wanted.
    fn tones(&self, tones: Vec<Tone>) -> Vec<Tone> {
        if self.color.is_wanted() {
            tones
        } else {
            Vec::new()
        }
    }
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
    /// Take all of the load so many times: people with their connections, commands, submits, syncs and large syncs; data and
    /// machines stay
    #[arg(long, value_name = "TIMES")]
    load: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// The definition of the command line: subcommands, their arguments and help.
///
/// ```
/// let definition = plimsoll::cli::definition();
/// assert!(definition.clone().try_get_matches_from(["plimsoll", "models", "arrays"]).is_ok());
/// assert!(definition.try_get_matches_from(["plimsoll", "sail"]).is_err());
/// ```
pub fn definition() -> clap::Command {
    Arguments::command()
}

/// Opens the window, with a site file if one is given; a sentence where that cannot be.
pub type OpenWindow = fn(Option<&Path>) -> Result<(), String>;

/// Parses the arguments and runs the subcommand. `window` is there when the binary has a desktop app:
/// the command line does not know it.
pub fn main(window: Option<OpenWindow>) -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return Outcome::usage(&on_one_line(error), asks_for_json()).print(),
    };
    let outcome = match arguments.command {
        Some(Command::Advise(a)) => advise::run(&a),
        Some(Command::Init(a)) => init::run(&a),
        Some(Command::Collect(a)) => collect::run(&a),
        Some(Command::Report(a)) => report::run(&a),
        Some(Command::Predict(a)) => predict::run(&a),
        Some(Command::Simulate(a)) => simulate::run(&a),
        Some(Command::Solve(a)) => solve::run(&a),
        Some(Command::Workload(a)) => workload::run(&a),
        Some(Command::Calibrate(a)) => calibrate::run(&a),
        Some(Command::Bench(a)) => bench::run(&a),
        Some(Command::Rehearse(a)) => rehearse::run(&a),
        Some(Command::Models(a)) => models::run(&a),
        Some(Command::Explain(a)) => explain::run(&a),
        Some(Command::Schema(a)) => schema::run(&a),
        Some(Command::Desktop { site }) => desktop(window, site.as_deref()),
        // Alone: the window where there is a display, else the help.
        None if window.is_some() && has_display() => desktop(window, None),
        None => Outcome::done(format!("{}\n", Arguments::command().render_help())),
    };
    outcome.print()
}

/// The same error, said of arguments without control characters and line ends: an argument of several
/// lines would write lines of its own.
fn on_one_line(error: clap::Error) -> clap::Error {
    let words = std::env::args_os();
    let words: Vec<String> = words.map(|w| harmless_line(&w.to_string_lossy())).collect();
    Arguments::try_parse_from(words).err().unwrap_or(error)
}

fn desktop(window: Option<OpenWindow>, site: Option<&Path>) -> Outcome {
    match window {
        None => Outcome::wrong("this plimsoll was built without its desktop feature; use `advise`"),
        Some(open) => match open(site) {
            Ok(()) => Outcome::done(String::new()),
            Err(reason) => Outcome::wrong(reason),
        },
    }
}

/// Whether the command line, wrong as it is, asks for JSON.
fn asks_for_json() -> bool {
    let words: Vec<_> = std::env::args_os().collect();
    words.iter().any(|w| w == "--format=json")
        || words
            .windows(2)
            .any(|w| w[0] == "--format" && w[1] == "json")
}

/// Whether there is a display changes no answer, only where it is shown.
fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(unix)) || cfg!(target_os = "macos") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// The catalogue and the calibration, with what the command line lays over them.
pub(crate) struct Library {
    catalog: Catalog,
    calibration: Calibration,
    vocabulary: Vocabulary,
    /// What is being done with them.
    doing: Doing,
}

impl Library {
    /// Before the fit: what is known of the model's numbers without any datum.
    fn uncalibrated(common: &Common) -> Result<Self, Outcome> {
        let wrong =
            |d: Box<Diagnostics>| Outcome::diagnostics(&d.render(), &d.to_json(), common.format);
        let calibration =
            Calibration::uncalibrated(common.calibration.as_deref()).map_err(wrong)?;
        let catalog =
            Catalog::load(common.models.as_deref(), &calibration.posterior).map_err(wrong)?;
        Ok(Self::of(catalog, calibration, common))
    }

    fn load(common: &Common) -> Result<Self, Outcome> {
        let wrong =
            |d: Box<Diagnostics>| Outcome::diagnostics(&d.render(), &d.to_json(), common.format);
        let calibration = Calibration::load(common.calibration.as_deref()).map_err(wrong)?;
        let catalog =
            Catalog::load(common.models.as_deref(), &calibration.posterior).map_err(wrong)?;
        Ok(Self::of(catalog, calibration, common))
    }

    /// After a fit of one's own.
    fn after(common: &Common, posterior: Posterior) -> Result<Self, Outcome> {
        let wrong =
            |d: Box<Diagnostics>| Outcome::diagnostics(&d.render(), &d.to_json(), common.format);
        let over = common.calibration.as_deref();
        let calibration = Calibration::load_with(over, posterior).map_err(wrong)?;
        let catalog =
            Catalog::load(common.models.as_deref(), &calibration.posterior).map_err(wrong)?;
        Ok(Self::of(catalog, calibration, common))
    }

    fn of(catalog: Catalog, calibration: Calibration, common: &Common) -> Self {
        let vocabulary = Vocabulary::of(&catalog);
        Self {
            catalog,
            calibration,
            vocabulary,
            doing: Doing::new(common.quiet),
        }
    }

    /// What an answer about a site was made from.
    fn inputs<'a>(&'a self, site: &'a Site) -> Inputs<'a> {
        Inputs {
            site,
            catalog: &self.catalog,
            calibration: &self.calibration,
        }
    }

    /// Reads a site; the catalogue has from then on what the site describes itself.
    fn site(&mut self, arguments: &SiteArguments, format: Format) -> Result<Site, Outcome> {
        let mut overrides = arguments.set.clone();
        overrides.extend(
            arguments
                .load
                .iter()
                .map(|times| format!("{}={times}", site::LOAD_KEY)),
        );
        let site = site::load(&arguments.site, &overrides, &self.vocabulary);
        let site = site.map_err(|error: SiteError| {
            Outcome::diagnostics(&error.render(), &error.to_json(), format)
        })?;
        self.equip(&site);
        Ok(self.observed(site))
    }

    /// The site with what its system shows of unanswered questions.
    fn observed(&self, site: Site) -> Site {
        let (catalog, calibration) = (&self.catalog, &self.calibration);
        self.doing.say(&"the answers are read");
        advisor::observed(&site, &self.vocabulary, catalog, calibration).unwrap_or(site)
    }

    /// Adds what a site describes itself to the catalogue.
    fn equip(&mut self, site: &Site) {
        if let Cow::Owned(more) = site.equipped(&self.catalog) {
            self.catalog = more;
        }
    }
}
