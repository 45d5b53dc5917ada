//! `plimsoll rehearse SITE.toml --points FILE.toml`: a table of settings, rehearsed one after the other.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::Format;
use super::failure::Failure;
use super::measuring::{Shown, keep_free, stop_asked, wrong};
use super::output::Outcome;
use super::rehearse::{Arguments, beside, wanted};
use super::session::Library;
use crate::advisor::Prepared;
use crate::bench::BenchError;
use crate::diag::{harmless_line, quoted};
use crate::rehearse::{self, By, Layout, Plan, Point, Points, Rehearsed, Settings};
use crate::report::json::{Tool, list, object};

/// Rehearses the points of a table, one after the other. One that fails is reported, and the next begins.
pub(super) fn points(arguments: &Arguments, path: &Path) -> Result<Outcome, Failure> {
    let table = Points::load(path)?;
    for id in &arguments.only {
        if !table.point.iter().any(|point| point.id == *id) {
            return Err(wrong("--only", &format!("there is no point {}", quoted(id))).into());
        }
    }
    let is_meant = |point: &Point| arguments.only.is_empty() || arguments.only.contains(&point.id);
    if let Some(from) = &arguments.from {
        let mut all = rehearse::points_measured(from, &table)?;
        all.retain(|(point, _)| is_meant(point));
        return Ok(points_answer(arguments.common.format, &all));
    }
    let base = wanted(arguments).settings()?;
    let mut volumes = BTreeMap::new();
    for text in &arguments.volume {
        let named = text.split_once('=').filter(|(name, folder)| !name.is_empty() && !folder.is_empty());
        let (name, folder) = named.ok_or_else(|| wrong("--volume", "write NAME=DIR"))?;
        volumes.insert(name.to_owned(), folder.to_owned());
    }
    beside(arguments)?;
    let library = Library::load(&arguments.common)?;
    let stop = stop_asked()?;
    let mut shown = Shown::new(arguments.common.quiet);
    let (mut all, mut failures, mut interrupted) = (Vec::new(), Vec::new(), false);
    for point in table.point.iter().filter(|point| is_meant(point)) {
        match one_point(arguments, &library, (&base, &volumes), point, (&stop, &mut shown))? {
            Ok(found) => all.push((point.clone(), found)),
            Err(BenchError::Interrupted) => {
                interrupted = true;
                break;
            }
            Err(error) => failures.push(format!("point {}: {error}", harmless_line(&point.id))),
        }
        shown.end();
        shown.say(&format!("{} done", harmless_line(&point.id)));
    }
    shown.end();
    let outcome = points_answer(arguments.common.format, &all);
    Ok(outcome.with_failures(failures).interrupted_if(interrupted))
}

fn one_point(
    arguments: &Arguments,
    library: &Library,
    (base, volumes): (&Settings, &BTreeMap<String, String>),
    point: &Point,
    (stop, shown): (&AtomicBool, &mut Shown),
) -> Result<Result<Rehearsed, BenchError>, Failure> {
    let mut answers = arguments.questions();
    answers.set.extend(point.set.iter().cloned());
    let Prepared { site, catalog } = library.prepared(library.read(&answers)?);
    let settings =
        Settings { load: point.load, by: if point.in_process { By::Process } else { base.by }, ..base.clone() };
    let mut plan = Plan::of(&site, &catalog, &library.calibration, &settings)?;
    let layout = Layout::parse(&point.layout(volumes)?, keep_free(arguments.keep_free.as_deref())?)?;
    let id = harmless_line(&point.id);
    let mut progress = |doing: &str, done: f64| {
        shown.progress(&|| format!("{id}, {}: {:.0} %", doing, done * 100.0));
    };
    let inputs = (&*catalog, &library.calibration);
    Ok(rehearse::rehearse(&site, &mut plan, inputs, &layout, stop, &mut progress))
}

fn points_answer(format: Format, all: &[(Point, Rehearsed)]) -> Outcome {
    match format {
        Format::Text => Outcome::done(rehearse::points_markdown(all)),
        Format::Json => Outcome::json(&RehearsedPoints::of(all), false),
    }
}

object! {
    /// `rehearse --points`.
    RehearsedPoints of (all: &[(Point, Rehearsed)]) {
        #[serde(flatten)] tool: Tool = Tool::of(rehearse::SCHEMA);
        points: Vec<RehearsedPoint> = list(all, RehearsedPoint::of), "The settings, in their order.";
    }

    /// A setting that was rehearsed.
    RehearsedPoint of ((point, found): &(Point, Rehearsed)) {
        id: String = point.id.clone();
        rehearsal: Rehearsed = found.clone(), "What was found.";
    }
}
