//! `plimsoll advise SITE.toml`: the main job.

use std::path::{Path, PathBuf};

use clap::Args;

use super::out::{self, Below, Document};
use super::output::Outcome;
use super::{Common, Format, Library, SiteArguments, confirm, prices};
use crate::advisor::{self, Advice};
use crate::diag::harmless_line;
use crate::document::read_named;
use crate::emit;
use crate::report;
use crate::report::line;
use crate::site::{self, Site};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    prices: prices::PriceList,
    #[command(flatten)]
    confirm: confirm::Options,
    #[command(flatten)]
    common: Common,
    /// Print everything: all volumes, times, other layouts, evidence and assumptions
    #[arg(long)]
    full: bool,
    /// Begin with the system that is there (`[today]`, `infrastructure.current_layout`): what limits it, and what to
    /// change first
    #[arg(long, conflicts_with_all = ["out", "confirm"])]
    from_today: bool,
    /// Compare with another site, or with an answer of an earlier run (`--format json`): what changed, and which answers
    /// are behind it. `--set` changes the first site alone
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["out", "from_today"])]
    against: Option<PathBuf>,
    /// Write the report and the configuration of each server below this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one file of the configuration and nothing else: its path as --out has it, such as commit-server/fstab, or
    /// tfvars for the variables for Terraform
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "from_today", "against"])]
    emit: Option<String>,
    /// With --out: overwrite any files; without it only files of Plimsoll that were not edited since
    #[arg(long, requires = "out")]
    force: bool,
}

#[expect(
    clippy::too_many_lines,
    reason = "what is asked for, one way after the other"
)]
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let format = arguments.common.format;
    let mut library = match Library::load(&arguments.common) {
        Ok(library) => library,
        Err(outcome) => return outcome,
    };
    let prices = &arguments.prices;
    let site = match prices.site(&mut library, &arguments.site, format) {
        Ok(site) => site,
        Err(outcome) => return outcome,
    };
    if arguments.from_today {
        return from_today(&library, &site, arguments);
    }
    if let Some(other) = &arguments.against {
        return against(&mut library, &site, other, arguments);
    }
    if let Some(Err(reason)) = arguments.out.as_deref().map(out::check) {
        return Outcome::wrong_as(&reason, format);
    }
    let doing = |stage: advisor::Stage| library.doing.say(&stage);
    let advice = advisor::advise_confirmed(
        &site,
        &library.vocabulary,
        &library.catalog,
        &library.calibration,
        &arguments.confirm.ask(arguments.common.seed, &doing),
    );
    if let Some(wanted) = &arguments.emit {
        return emitted(&library, &site, &advice, wanted, format);
    }
    let documents = match documents(&library, &site, &advice, arguments.out.is_some()) {
        Ok(documents) => documents,
        Err(reason) => return Outcome::wrong_as(&reason, format),
    };
    let over = out::over(arguments.force);
    let below = match arguments
        .out
        .as_deref()
        .map(|dir| out::write(dir, &documents, over))
    {
        None => Below::default(),
        Some(Ok(below)) => below,
        Some(Err(reason)) => return Outcome::wrong_as(&reason, format),
    };
    let Below { written, earlier } = below;
    let missed = advice.falls_short();
    let mut tones = Vec::new();
    let mut text = match format {
        Format::Json => {
            let mut answer = report::advice_json(&library.inputs(&site), &advice);
            if arguments.out.is_some() {
                answer["written"] = written.into();
                if !earlier.is_empty() {
                    answer["earlier"] = earlier.into();
                }
            }
            return Outcome::json(&answer, missed);
        }
        Format::Text if arguments.common.quiet => {
            let answer = report::Answer::of(&site, &library.catalog, &advice);
            format!("{}\n", answer.sentence())
        }
        Format::Text if arguments.full => report::advice_text(&site, &library.catalog, &advice),
        Format::Text => {
            let screen = report::advice_screen(&site, &library.catalog, &advice);
            tones = arguments.common.tones(screen.tones);
            screen.text
        }
    };
    if arguments.out.is_some() && !arguments.common.quiet {
        if written.is_empty() {
            line!(text, "\nNothing is recommended, so nothing was written.");
        } else {
            line!(text, "\nWritten");
            line!(text, "═══════");
        }
        for path in &written {
            line!(text, "  {path}");
        }
        if !earlier.is_empty() {
            line!(text, "\nLeft by an earlier answer and no part of this one");
            line!(text, "═════════════════════════════════════════════════");
        }
        for path in &earlier {
            line!(text, "  {path}");
        }
    }
    Outcome::judged(text, missed).toned(tones)
}

/// The largest answer of an earlier run that is read \[B\]: with all its numbers and their origins one has a megabyte or two.
const ANSWER_MAX: u64 = 64 << 20;

/// What changes from a site to another, or to an answer of an earlier run.
fn against(library: &mut Library, site: &Site, other: &Path, arguments: &Arguments) -> Outcome {
    let format = arguments.common.format;
    let text = match read_named(other, ANSWER_MAX) {
        Ok(text) => text,
        Err(error) => return Outcome::wrong_as(&error.to_string(), format),
    };
    let name = other.to_string_lossy();
    let site = &advisor::settled(site, &library.vocabulary);
    let other_site = if report::is_earlier_answer(&text) {
        None
    } else {
        let read = site::parse(&name, &text, &site.overrides, &library.vocabulary);
        match read {
            Ok(read) => {
                library.equip(&read);
                Some(library.observed(read))
            }
            Err(problems) => {
                return Outcome::diagnostics(&problems.render(), &problems.to_json(), format);
            }
        }
    };
    let library = &*library;
    let earlier = match &other_site {
        Some(_) => None,
        None => match report::earlier_answer(&text) {
            Ok(earlier) => Some(earlier),
            Err(reason) => {
                let reason = format!("{}: {reason}", harmless_line(&name));
                return Outcome::wrong_as(&reason, format);
            }
        },
    };
    let doing = |stage: advisor::Stage| library.doing.say(&stage);
    // Solved times are not compared with simulated ones.
    let ask = match &earlier {
        Some(earlier) if earlier["simulation"].is_null() => advisor::Ask::NOTHING,
        _ => arguments.confirm.ask(arguments.common.seed, &doing),
    };
    let answer = |site: &Site| {
        let (vocabulary, catalog) = (&library.vocabulary, &library.catalog);
        let advice =
            advisor::advise_confirmed(site, vocabulary, catalog, &library.calibration, &ask);
        let json = report::advice_json(&library.inputs(site), &advice);
        (advice, json)
    };
    let (advice, first) = answer(site);
    let then = match (&other_site, earlier) {
        (Some(other), _) => answer(other).1,
        (None, earlier) => earlier.unwrap_or_default(),
    };
    let chosen = advice.chosen.as_ref();
    let differences = other_site.as_ref().map(|other| {
        let Some(chosen) = chosen else {
            return Vec::new();
        };
        let base = advisor::what_if::Base {
            site,
            vocabulary: &library.vocabulary,
            catalog: &library.catalog,
            calibration: &library.calibration,
            layout: &chosen.deployment.layout,
            choices: &chosen.choices,
            confirmed: Some(&chosen.prediction),
        };
        advisor::differences(&base, other)
    });
    let missed = advice.falls_short();
    let differences = differences.as_deref();
    if format == Format::Json {
        let json = report::against_json(&first, &then, differences);
        return Outcome::json(&json, missed);
    }
    let files = [site.file.as_str(), &name];
    let answer = report::AgainstAnswer::of([&first, &then], differences, &library.catalog);
    let text = report::against_text(files, &answer);
    Outcome::judged(text, missed)
}

/// Today's system and what to change first.
fn from_today(library: &Library, site: &Site, arguments: &Arguments) -> Outcome {
    let format = arguments.common.format;
    library.doing.say(&"what to change first");
    let found = match advisor::today::today(site, &library.catalog, &library.calibration) {
        Ok(found) => found,
        Err(reason) => return Outcome::wrong_as(&reason.to_string(), format),
    };
    let missed = found.falls_short();
    let answer = report::TodayAnswer::of(site, &library.catalog, &found);
    if format == Format::Json {
        return Outcome::json(&report::today_json(&library.inputs(site), &answer), missed);
    }
    if arguments.common.quiet {
        return Outcome::judged(format!("{}\n", answer.verdict.join(" ")), missed);
    }
    if arguments.full {
        return Outcome::judged(report::today_text(site, &answer), missed);
    }
    let screen = report::today_screen(site, &answer);
    let tones = arguments.common.tones(screen.tones);
    Outcome::judged(screen.text, missed).toned(tones)
}

/// The word for the variables for Terraform, whatever their file is called.
const TFVARS: &str = "tfvars";

/// One file of the configuration, alone.
fn emitted(
    library: &Library,
    site: &Site,
    advice: &Advice,
    wanted: &str,
    format: Format,
) -> Outcome {
    let files = emit::configuration(site, &library.catalog, advice);
    let is_wanted = |file: &&emit::ConfigFile| {
        let path = file.path();
        path == wanted || wanted == TFVARS && path.ends_with(TFVARS)
    };
    let Some(file) = files.iter().find(is_wanted) else {
        let paths: Vec<String> = files.iter().map(emit::ConfigFile::path).collect();
        let there = if paths.is_empty() {
            "nothing is recommended, so there is no configuration".to_owned()
        } else {
            format!("this answer has {}", paths.join(", "))
        };
        let reason = format!("no file {}: {there}", harmless_line(wanted));
        return Outcome::wrong_as(&reason, format);
    };
    let missed = advice.falls_short();
    match format {
        Format::Json => {
            let answer = serde_json::json!({ "path": file.path(), "text": file.render() });
            Outcome::json(&answer, missed)
        }
        Format::Text => Outcome::judged(file.render(), missed),
    }
}

/// The files beside the answer: the report, and the configuration of each server.
fn documents(
    library: &Library,
    site: &Site,
    advice: &Advice,
    wanted: bool,
) -> Result<Vec<Document>, String> {
    if !wanted || advice.chosen.is_none() {
        return Ok(Vec::new());
    }
    let files = emit::configuration(site, &library.catalog, advice);
    let mut documents = vec![Document {
        path: "report.html".to_owned(),
        text: report::Form::Html.written(
            &library.inputs(site),
            advice,
            &files,
            &report::Further::default(),
        )?,
        mark: report::Form::Html.mark(),
    }];
    documents.extend(files.iter().map(|file| Document {
        path: format!("config/{}", file.path()),
        text: file.render(),
        mark: out::CONFIGURATION,
    }));
    Ok(documents)
}
