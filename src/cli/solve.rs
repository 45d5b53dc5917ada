//! `plimsoll solve NETWORK.toml`: any queueing network, by any method.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::output::Outcome;
use super::sweep;
use crate::network::{self, Answer, File, Method, Unsolved};
use crate::report::{self, Compared, Point, Solved, Sweep};
use crate::sim::Stopped;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The network (TOML); see docs/network-file.md
    #[arg(value_name = "NETWORK.toml")]
    network: PathBuf,
    /// How to solve it
    #[arg(long, value_parser = method, default_value = "auto", value_name = "auto|exact|convolution|amva|linearizer|aql|bounds|sim")]
    method: Method,
    /// Solve it for each value of a list or range: population=1:200[:STEP], CLASS.population=…, CLASS.rate=… (in /s), STATION.servers=1,2,4
    #[arg(long, value_parser = sweep::parse, value_name = "KEY=FROM:TO")]
    sweep: Option<sweep::Request>,
    /// Several methods side by side, with differences to the first
    #[arg(
        long,
        value_name = "METHOD,METHOD,…",
        value_delimiter = ',',
        value_parser = method,
        conflicts_with_all = ["method", "sweep"]
    )]
    compare: Vec<Method>,
    /// Override a value of the file, such as `--set class.users.population=40` (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    simulation: super::run::Options,
    /// Seed of the random streams
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Text for people, JSON for programs, CSV for a sweep
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// No progress on the terminal
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
    Csv,
}

impl Format {
    /// The format of errors.
    pub(super) fn of_errors(self) -> super::Format {
        match self {
            Self::Json => super::Format::Json,
            Self::Text | Self::Csv => super::Format::Text,
        }
    }
}

fn method(word: &str) -> Result<Method, String> {
    let words = || Method::WORDS.iter().map(|(_, known)| *known);
    let found = Method::WORDS.iter().find(|(_, known)| *known == word);
    found.map(|(method, _)| *method).ok_or_else(|| {
        let near = crate::diag::nearest(word, words()).map_or(String::new(), |near| format!("did you mean {near:?}? "));
        let all: Vec<&str> = words().collect();
        format!("{near}known: {}", all.join(", "))
    })
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let format = arguments.format;
    if format == Format::Csv && arguments.sweep.is_none() {
        return Err(Failure::Usage(clap::Error::raw(
            clap::error::ErrorKind::ArgumentConflict,
            "--format csv needs --sweep; without it there is only one point\n",
        )));
    }
    let file = network::load(&arguments.network, &arguments.set)?;
    let answer = if let Some(request) = &arguments.sweep {
        swept(&file, request, arguments)
    } else if arguments.compare.is_empty() {
        one(&file, arguments)
    } else {
        Ok(compared(&file, arguments))
    };
    if format == Format::Json {
        // The warnings are in the answer.
        return answer;
    }
    // They come first, before a reason why there is no answer too.
    let answer = answer.unwrap_or_else(|failure| failure.outcome(format.of_errors()));
    Ok(answer.with_warnings(&file.warnings))
}

/// One answer, and whether somebody interrupted it.
fn solve(file: &File, method: Method, arguments: &Arguments) -> Result<Answer, Unsolved> {
    if method == Method::Sim {
        return simulate(file, arguments);
    }
    match network::solve(file, method) {
        Err(Unsolved::NotSettled(reason)) if method == Method::Auto => {
            let mut answer = simulate(file, arguments)?;
            answer.method = method;
            answer.notes.insert(0, format!("simulated, since analysis found {reason}"));
            Ok(answer)
        }
        solved => solved,
    }
}

fn simulate(file: &File, arguments: &Arguments) -> Result<Answer, Unsolved> {
    let run = arguments.simulation.run(arguments.seed);
    let (options, quiet) = (&arguments.simulation, arguments.quiet);
    let outcome = super::run::simulate(&file.model, &run, options, u64::MAX, quiet)
        .map_err(|error| Unsolved::Refused(error.to_string()))?;
    Ok(Answer::of_simulation(&file.model, outcome))
}

fn one(file: &File, arguments: &Arguments) -> Result<Outcome, Failure> {
    let format = arguments.format;
    let bounds = network::bounds(file);
    if arguments.method == Method::Bounds {
        return match bounds {
            Err(unsolved) => refused(file, arguments, &unsolved),
            Ok(bounds) if format == Format::Json => Ok(Outcome::json(&report::NetworkBounds::of(file, &bounds), false)),
            Ok(bounds) => Ok(Outcome::page(&report::bounds_page(file, &bounds), false)),
        };
    }
    // A saturated network has none, but can be simulated for a while.
    let bounds = bounds.unwrap_or_default();
    let answer = match solve(file, arguments.method, arguments) {
        Ok(answer) => answer,
        Err(unsolved) => return refused(file, arguments, &unsolved),
    };
    let solved = Solved {
        file,
        answer: &answer,
        bounds: &bounds,
        seed: arguments.seed,
        confidence: arguments.simulation.run(arguments.seed).confidence,
    };
    let unsteady = ended(&answer, Stopped::Unsteady);
    let outcome = match format {
        Format::Json => Outcome::json(&report::NetworkSolved::of(&solved), unsteady),
        Format::Text | Format::Csv => Outcome::page(&report::solve_page(&solved), unsteady),
    };
    Ok(outcome.interrupted_if(is_interrupted(&answer)))
}

/// Saturation is an answer; what a method cannot do is an error.
fn refused(file: &File, arguments: &Arguments, unsolved: &Unsolved) -> Result<Outcome, Failure> {
    if !matches!(unsolved, Unsolved::Saturated { .. }) {
        return Err(Failure::wrong(unsolved));
    }
    Ok(match arguments.format {
        Format::Json => {
            let json = report::NetworkUnsolved::of(file, arguments.method, unsolved);
            Outcome::json(&json, true)
        }
        Format::Text | Format::Csv => Outcome::page(&report::unsolved_page(file, unsolved), true),
    })
}

fn is_interrupted(answer: &Answer) -> bool {
    ended(answer, Stopped::Interrupted)
}

/// Whether a simulation ended for this reason.
fn ended(answer: &Answer, reason: Stopped) -> bool {
    answer.run.as_ref().is_some_and(|run| run.stopped == reason)
}

fn compared(file: &File, arguments: &Arguments) -> Outcome {
    let mut columns: Vec<Compared> = Vec::new();
    for &method in &arguments.compare {
        columns.push((method, solve(file, method, arguments)));
    }
    let interrupted = columns.iter().any(|(_, o)| o.as_ref().is_ok_and(is_interrupted));
    let saturated = columns.iter().any(|(_, o)| match o {
        Ok(answer) => ended(answer, Stopped::Unsteady),
        Err(unsolved) => matches!(unsolved, Unsolved::Saturated { .. }),
    });
    let outcome = match arguments.format {
        Format::Json => Outcome::json(&report::NetworkSideBySide::of(file, &columns), saturated),
        Format::Text | Format::Csv => Outcome::page(&report::solve_comparison_page(file, &columns), saturated),
    };
    outcome.interrupted_if(interrupted)
}

fn swept(file: &File, request: &sweep::Request, arguments: &Arguments) -> Result<Outcome, Failure> {
    let (key, unit) = request.resolve(file)?;
    let mut points = Vec::new();
    for &value in request.values() {
        let mut overrides = arguments.set.clone();
        overrides.push(format!("{key}={value}{unit}"));
        let at = network::parse(&file.name, &file.text, &overrides)?;
        let outcome = solve(&at, arguments.method, arguments);
        let stop = outcome.as_ref().is_ok_and(is_interrupted);
        points.push(Point { value, outcome });
        if stop {
            break;
        }
    }
    let interrupted = points.iter().any(|p| p.outcome.as_ref().is_ok_and(is_interrupted));
    let sweep = Sweep { key: key.replace('"', ""), points };
    let outcome = match arguments.format {
        Format::Json => Outcome::json(&report::NetworkSwept::of(file, &sweep), false),
        Format::Csv => Outcome::done(report::sweep_csv(&sweep)),
        Format::Text => Outcome::page(&report::sweep_page(file, &sweep), false),
    };
    Ok(outcome.interrupted_if(interrupted))
}
