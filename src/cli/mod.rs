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
mod answers;
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
mod failure;
mod init;
mod init_began;
mod init_from;
mod init_log;
mod layout;
mod log_part;
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
mod session;
mod simulate;
mod simulated_log;
mod solve;
mod sweep;
mod trace;
mod workload;
mod workload_follow;
mod workload_replay;
mod workload_site;
mod workload_without;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

pub use answers::answers;

use crate::diag::harmless_line;
use failure::Failure;
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
    /// Print the JSON Schema of the site file, for an editor, or of a JSON answer, for programs
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

/// A site file and what overrides it.
#[derive(Debug, Clone, Args)]
pub(crate) struct SiteArguments {
    /// The questionnaire (TOML); see docs/site-file.md
    #[arg(value_name = "SITE.toml")]
    site: PathBuf,
    /// Override an answer, such as `--set people.developers=400` or `--set "data.db_size=34 GiB"` (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Take all of the load so many times: people with their connections, commands, submits, syncs, large syncs and long commands; data and
    /// machines stay
    #[arg(long, value_name = "TIMES", allow_hyphen_values = true)]
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
        Err(error) => return Outcome::usage(&on_one_line(error), format_asked()).print(),
    };
    let (format, answer) = match arguments.command {
        Some(Command::Advise(a)) => (a.common.format, advise::run(&a)),
        Some(Command::Init(a)) => (a.common.format, init::run(&a)),
        Some(Command::Collect(a)) => (a.common.format, collect::run(&a)),
        Some(Command::Report(a)) => (a.common.format, report::run(&a)),
        Some(Command::Predict(a)) => (a.common.format, predict::run(&a)),
        Some(Command::Simulate(a)) => (a.common.format, simulate::run(&a)),
        Some(Command::Solve(a)) => (a.format.of_errors(), solve::run(&a)),
        Some(Command::Workload(a)) => (a.format, workload::run(&a)),
        Some(Command::Calibrate(a)) => (a.common.format, calibrate::run(&a)),
        Some(Command::Bench(a)) => (a.format, bench::run(&a)),
        Some(Command::Rehearse(a)) => (a.common.format, rehearse::run(&a)),
        Some(Command::Models(a)) => (a.common.format, models::run(&a)),
        Some(Command::Explain(a)) => (a.common.format, explain::run(&a)),
        Some(Command::Schema(a)) => (a.common.format, schema::run(&a)),
        Some(Command::Desktop { site }) => (Format::Text, desktop(window, site.as_deref())),
        // Alone: the window where there is a display, else the help.
        None if window.is_some() && has_display() => (Format::Text, desktop(window, None)),
        None => {
            let help = Arguments::command().render_help();
            (Format::Text, Ok(Outcome::done(format!("{help}\n"))))
        }
    };
    answer.unwrap_or_else(|failure| failure.outcome(format)).print()
}

/// The same error, said of arguments without control characters and line ends: an argument of several
/// lines would write lines of its own.
fn on_one_line(error: clap::Error) -> clap::Error {
    let words = std::env::args_os();
    let words: Vec<String> = words.map(|w| harmless_line(&w.to_string_lossy())).collect();
    Arguments::try_parse_from(words).err().unwrap_or(error)
}

fn desktop(window: Option<OpenWindow>, site: Option<&Path>) -> Result<Outcome, Failure> {
    let without = "this plimsoll was built without its desktop feature; use `advise`";
    let open = window.ok_or_else(|| Failure::wrong(without))?;
    open(site)?;
    Ok(Outcome::done(String::new()))
}

/// The format that a command line asks for, wrong as it is.
fn format_asked() -> Format {
    let words: Vec<_> = std::env::args_os().collect();
    let asks_for_json =
        words.iter().any(|w| w == "--format=json") || words.windows(2).any(|w| w[0] == "--format" && w[1] == "json");
    if asks_for_json { Format::Json } else { Format::Text }
}

/// Whether there is a display changes no answer, only where it is shown.
fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(unix)) || cfg!(target_os = "macos") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
