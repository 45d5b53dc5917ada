//! `plimsoll predict SITE.toml --layout NAME|FILE`: what given layouts do under a site's load.

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::layout::{layout_id, of_site};
use super::output::Outcome;
use super::session::{Library, Session};
use super::{Common, Format, SiteArguments, confirm};
use crate::advisor::{self, NoForecast};
use crate::page::paragraph;
use crate::report::{self, Column, Inputs, Predicted, PredictedSideBySide};
use crate::site::Site;
use crate::system::Deployment;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The questionnaire (TOML); see docs/site-file.md
    #[arg(value_name = "SITE.toml", required_unless_present = "experiment")]
    site: Option<PathBuf>,
    /// Override an answer, such as `--set people.developers=400` or `--set "data.db_size=34 GiB"` (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Take all of the load so many times: people with their connections, commands, submits, syncs, large syncs and long commands
    #[arg(long, value_name = "TIMES", conflicts_with = "experiment")]
    load: Option<String>,
    /// A published measurement instead of a site: a run or datum of calibration/experiments (N13-mount-both)
    #[arg(long, value_name = "ID", conflicts_with_all = ["site", "set", "layout", "compare"])]
    experiment: Option<String>,
    /// A layout of the catalogue (`plimsoll models layouts`), or a layout file
    #[arg(long, value_name = "NAME|FILE")]
    layout: Option<String>,
    /// Several layouts side by side
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', conflicts_with = "layout")]
    compare: Vec<String>,
    #[command(flatten)]
    confirm: confirm::Options,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let library = Library::load(&arguments.common)?;
    if let Some(id) = &arguments.experiment {
        return super::experiment::run(id, &library, &arguments.common);
    }
    let mut session = library.with_site(&SiteArguments {
        // The command line has it where there is no experiment.
        site: arguments.site.clone().unwrap_or_default(),
        set: arguments.set.clone(),
        load: arguments.load.clone(),
    })?;
    let Session { library, site } = &mut session;
    let current = site.infrastructure.current_layout.as_ref().map(|l| l.value.clone());
    let names: Vec<String> = if arguments.compare.is_empty() {
        arguments.layout.clone().or(current).into_iter().collect()
    } else {
        arguments.compare.clone()
    };
    if names.is_empty() {
        let layouts = of_site(&library.catalog, site);
        return Err(format!("--layout or --compare must name a layout:{layouts}").into());
    }
    let ids = names.iter().map(|name| layout_id(&mut library.catalog, site, name));
    let ids = ids.collect::<Result<Vec<String>, Failure>>()?;
    let (catalog, calibration) = (&library.catalog, &library.calibration);
    let doing = |stage: advisor::Stage| library.doing.say(&stage);
    let ask = arguments.confirm.ask(arguments.common.seed, &doing);
    let vocabulary = &library.vocabulary;
    let forecasts = advisor::forecasts_confirmed(site, vocabulary, catalog, calibration, &ids, &ask);
    let columns: Vec<Column> = ids.into_iter().zip(forecasts).collect();
    answer(&session.inputs(), &columns, arguments.common.format)
}

fn answer(inputs: &Inputs<'_>, columns: &[Column], format: Format) -> Result<Outcome, Failure> {
    if let [(name, Err(reason @ NoForecast::Unsuitable(_)))] = columns {
        return Err(format!("{name}: {reason}").into());
    }
    let is_saturated = |(_, outcome): &Column| matches!(outcome, Err(NoForecast::Saturated { .. }));
    let saturated = columns.iter().any(is_saturated);
    let short: Vec<(&str, &str)> = columns
        .iter()
        .filter_map(|(name, outcome)| {
            let short = outcome.as_ref().ok()?.short.as_deref()?;
            Some((name.as_str(), short))
        })
        .collect();
    let missed: Vec<(&str, Vec<String>)> = columns
        .iter()
        .filter_map(|(name, outcome)| {
            let forecast = outcome.as_ref().ok()?;
            let missed = advisor::missed(inputs.site, &forecast.prediction);
            Some((name.as_str(), missed))
        })
        .filter(|(_, missed)| !missed.is_empty())
        .collect();
    let falls_short = saturated || !missed.is_empty() || !short.is_empty();
    if format == Format::Json {
        let targets = missed.iter();
        let targets = targets.map(|(name, words)| ((*name).to_owned(), words.clone()));
        let targets = targets.collect();
        return Ok(if let [column] = columns {
            Outcome::json(&Predicted::of(inputs, column, targets), falls_short)
        } else {
            let answer = PredictedSideBySide::of(inputs, columns, targets);
            Outcome::json(&answer, falls_short)
        });
    }
    let mut text = String::new();
    for warning in &inputs.site.warnings {
        text.push_str(warning);
        text.push('\n');
    }
    for note in &inputs.site.notes {
        text.push_str(&paragraph(note, 0));
    }
    // Response times of a server that ends its processes are worth nothing: that is said before them.
    for (name, short) in &short {
        let words = format!("{name} does not survive the peak: {short}");
        text.push_str(&paragraph(&words, 0));
    }
    let answer = match columns {
        [(_, Ok(forecast))] => {
            let open = report::open_in_words(forecast);
            let open: String = open.iter().map(|said| paragraph(said, 2)).collect();
            format!(
                "{}\n{}{open}",
                paragraph(&headline(inputs.site, &forecast.deployment), 0),
                report::prediction_text(&forecast.prediction, Some(inputs.site)),
            )
        }
        [(name, Err(reason))] => overloaded(inputs.site, name, reason),
        _ => report::comparison_text(columns),
    };
    text.push_str(&answer);
    for (name, words) in &missed {
        text.push_str(&paragraph(&format!("{name} misses a target: {}", words.join("; ")), 2));
    }
    Ok(Outcome::judged(text, falls_short))
}

/// Why a layout has no answer, and its times at a load that it carries.
fn overloaded(site: &Site, name: &str, reason: &NoForecast) -> String {
    let less = reason.carries().map(|less| {
        let carried = report::carried(site, less.factor, "keeps up with");
        let times = report::prediction_text(&less.prediction, Some(site));
        (carried, format!("\nAt that load\n{times}"))
    });
    let (carried, times) = less.unwrap_or_default();
    let said = match reason.chance() {
        Some(chance) => {
            format!("{name} likely does not carry this load ({chance} %): {reason}. {carried}")
        }
        None => format!("{name} does not carry this load: {reason}. {carried}"),
    };
    format!("{}{times}", paragraph(said.trim_end(), 0))
}

fn headline(site: &Site, deployment: &Deployment) -> String {
    format!(
        "{} ({}), {}, under the peak load of {}",
        deployment.title,
        deployment.layout,
        deployment.beside_in_words(),
        site.name
    )
}
