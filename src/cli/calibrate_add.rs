//! `plimsoll calibrate --add RESULT.toml`: a measurement of one's own, blended into the parameters.

use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::out::{self, Output};
use super::output::Outcome;
use super::session::Library;
use super::{Common, Format, places};
use crate::advisor::{self, Prepared};
use crate::bench::{self, Evidence, Measured, Standing};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::diag::quoted;
use crate::document::{BYTES_MAX, fingerprint, read_named, read_text};
use crate::experiment::{Experiments, Measurement};
use crate::files::{Mark, Over, Style};
use crate::fit::{self, Blend, Verdict};
use crate::page::paragraph;
use crate::posterior::{Free, NumberId, Posterior, fit_toml};
use crate::rehearse::{self, Rehearsed};
use crate::report::{self, AdviceMoved, Answer, Blended, Saved};
use crate::site;
use crate::units::Seconds;

#[derive(Debug, Args)]
pub(super) struct AddArguments {
    /// Blend your own measurement into the parameters and show what changed; see calibration/README.md
    #[arg(
        long,
        value_name = "RESULT.toml",
        conflicts_with_all = ["check", "write"]
    )]
    pub(super) add: Option<PathBuf>,
    /// With --add of a benchmark's or a rehearsal's result: the volume's entries of the catalogue, such as medium=nvme, array=ID,
    /// network=ID, processor=ID or disks=4 (repeatable)
    #[arg(long = "as", value_name = "KIND=ID", requires = "add")]
    standing: Vec<String>,
    /// With --add: the advice for this site before and after
    #[arg(long, value_name = "SITE.toml", requires = "add")]
    site: Option<PathBuf>,
    /// With --add: write DIR/fit.toml and DIR/fitted.toml, which `--calibration DIR` then uses
    #[arg(long, value_name = "DIR", requires = "add")]
    save: Option<PathBuf>,
    /// With --save: replace these files if they exist; with --write: overwrite any file, not only one of
    /// Plimsoll that was not edited since
    #[arg(long, requires = "written")]
    pub(super) overwrite: bool,
    /// With --add: blend a measurement even if it contradicts the published data beyond chance
    #[arg(long, requires = "add")]
    force: bool,
}

/// Blends the measurement of a file.
pub(super) fn run(path: &Path, arguments: &AddArguments, common: &Common) -> Result<Outcome, Failure> {
    let over = common.calibration.as_deref();
    let mut library = Library::uncalibrated(common)?;
    let published = Posterior::load(over)?;
    let (catalog, calibration) = (&library.catalog, &mut library.calibration);
    let is_laid_over = |number: &NumberId| catalog.is_laid_over(number) || calibration.is_laid_over(number);
    let reaching = published.clone().reaching(is_laid_over);
    calibration.posterior = reaching.clone();
    let experiments = Experiments::load(over, catalog, calibration)?;
    let evidence = evidence(arguments, path, (catalog, calibration))?;
    let measurement = match &evidence {
        Some(evidence) => evidence.measurement.clone(),
        None => Measurement::load(path, &experiments, catalog, calibration)?,
    };
    if let Some(folder) = &arguments.save {
        let read = [Some(path), arguments.site.as_deref()].into_iter().flatten();
        let written = paths(folder);
        places::apart(read, written.iter().map(PathBuf::as_path))?;
        check_free(folder, arguments.overwrite)?;
    }
    let blend =
        fit::blend((catalog, calibration), &measurement.experiments, &reaching, &measurement.free, arguments.force)
            .map_err(|error| placed(path, &measurement, &error))?;
    let after = after(&blend, &published, &measurement.free);
    let advice = match &arguments.site {
        Some(site) => Some(advice(site, common, &after)?),
        None => None,
    };
    let contradicts = blend.verdict == Verdict::Contradicts;
    let saved = match &arguments.save {
        Some(folder) if !contradicts => save(folder, arguments.overwrite, &after)?,
        _ => Vec::new(),
    };
    let file = path.to_string_lossy();
    let blended = Blended {
        file: &file,
        fingerprints: (measurement.fingerprint, calibration.fingerprint),
        head: &measurement.head,
        blend: &blend,
        used: &measurement.used,
        lines: &measurement.lines,
        advice: advice.as_ref(),
        saved: &saved,
        prefix: evidence.as_ref().map_or("", |e| e.prefix.as_str()),
        taken_as: evidence.as_ref().map_or(&[], |e| &e.standing.notes),
        left_out: evidence.as_ref().map_or(&[], |e| &e.left_out),
    };
    Ok(match common.format {
        Format::Json => Outcome::json(&report::BlendedJson::of(&blended), contradicts),
        Format::Text if common.quiet => {
            let sentence = paragraph(&report::blend_verdict(&blended), 0);
            Outcome::judged(sentence, contradicts)
        }
        Format::Text => Outcome::page(&report::blend_page(&blended), contradicts),
    })
}

/// An error of a fit, with the line of the run or comparison that it is about.
fn placed(path: &Path, measurement: &Measurement, error: &fit::BlendError) -> String {
    let mut rows = measurement.experiments.rows.iter();
    let line = error.about().and_then(|id| {
        let of_row = rows.find(|row| row.id == id).map(|row| row.datum.as_str());
        measurement.lines.get(of_row.unwrap_or(id))
    });
    let file = path.display();
    match line {
        Some(line) => format!("{file}:{line}: {error}"),
        None => format!("{file}: {error}"),
    }
}

/// What a result of a benchmark or a rehearsal says; none if the file is neither.
fn evidence(
    arguments: &AddArguments,
    path: &Path,
    (catalog, calibration): (&Catalog, &Calibration),
) -> Result<Option<Evidence>, String> {
    // What cannot be read or is no TOML is for the other reader to say, with place and caret.
    let Some((text, table)) = read_text(path)
        .ok()
        .and_then(|text| Some((text.clone(), text.parse::<toml::Table>().ok()?)))
        .filter(|(_, table)| bench::is_result(table) || rehearse::is_rehearsal(table))
    else {
        return match arguments.standing.first() {
            None => Ok(None),
            Some(_) => Err(format!(
                "--as is for results of `plimsoll bench` and `plimsoll rehearse`; {} names its hardware itself",
                quoted(&path.to_string_lossy())
            )),
        };
    };
    if rehearse::is_rehearsal(&table) {
        return rehearsed(arguments, (path, text.as_str()), (catalog, calibration)).map(Some);
    }
    let made = Measured::load(path).and_then(|measured| {
        let standing = Standing::of(&measured.environment, &arguments.standing, catalog)?;
        let library = (catalog, calibration);
        Evidence::of(&measured, standing, library, fingerprint([text.as_str()]))
    });
    made.map(Some).map_err(|error| error.to_string())
}

/// What a rehearsal says: its probes of the db volume are results of a benchmark. The times of its kinds of work are shown beside
/// what was predicted and not blended: they hold scheduling, the rehearsal's own rows in place of p4d's, and the load's chance.
fn rehearsed(
    arguments: &AddArguments,
    (path, text): (&Path, &str),
    (catalog, calibration): (&Catalog, &Calibration),
) -> Result<Evidence, String> {
    let found = Rehearsed::load(path).map_err(|error| error.to_string())?;
    let probes = found.probes.first();
    let probes = probes.ok_or_else(|| format!("{} has no probes", quoted(&path.to_string_lossy())))?;
    let made = Standing::of(&probes.environment, &arguments.standing, catalog).and_then(|standing| {
        let library = (catalog, calibration);
        Evidence::of(probes, standing, library, fingerprint([text]))
    });
    let mut evidence = made.map_err(|error| error.to_string())?;
    let checked = found.kinds.iter().filter_map(|kind| {
        let (measured, predicted) = (kind.measured_mean_s?, kind.predicted_mean_s?);
        Some(format!(
            "{}, checked and not blended: {} measured in the rehearsal, {} predicted from its probes",
            kind.class,
            Seconds::new(measured.value),
            Seconds::new(predicted.value)
        ))
    });
    evidence.left_out.extend(checked);
    Ok(evidence)
}

/// The posterior to go on with: every number that the published parameters scale, wherever it stands.
fn after(blend: &Blend, published: &Posterior, own: &[Free]) -> Posterior {
    Posterior { free: [published.free.as_slice(), own].concat(), ..blend.after.clone() }
}

fn advice(site: &Path, common: &Common, after: &Posterior) -> Result<AdviceMoved, Failure> {
    let before = Library::load(common)?;
    let after = Library::after(common, after.clone())?;
    let text = read_named(site, BYTES_MAX)?;
    let name = site.to_string_lossy();
    let sentence = |library: &Library| {
        let site = site::parse(&name, &text, &[], &library.vocabulary)?;
        let Prepared { site, catalog } = library.prepared(site);
        let advice = advisor::advise(&site, &library.vocabulary, &catalog, &library.calibration);
        Ok::<_, Failure>(Answer::of(&site, &catalog, &advice).sentence())
    };
    Ok(AdviceMoved { site: site.to_string_lossy().into_owned(), before: sentence(&before)?, after: sentence(&after)? })
}

/// The files of a folder of one's own, and what each is.
const FILES: [(&str, &str); 2] = [("fit.toml", "a list of free parameters"), ("fitted.toml", "a fit")];

fn paths(folder: &Path) -> [PathBuf; 2] {
    FILES.map(|(name, _)| folder.join(name))
}

/// What they hold was measured: even where nobody edited them, they are replaced on request alone.
fn outputs(paths: &[PathBuf; 2], overwrite: bool) -> [Output<'_>; 2] {
    std::array::from_fn(|n| Output {
        path: &paths[n],
        mark: Some(Mark { style: Style::Hash, kind: FILES[n].1 }),
        over: if overwrite { Over::Anything } else { Over::Nothing },
        option: "--overwrite",
    })
}

/// Refuses before the work what could not be written after it.
fn check_free(folder: &Path, overwrite: bool) -> Result<(), String> {
    if !folder.exists() {
        return out::has_folder(folder);
    }
    let paths = paths(folder);
    outputs(&paths, overwrite).iter().try_for_each(Output::check)
}

fn save(folder: &Path, overwrite: bool, posterior: &Posterior) -> Result<Vec<Saved>, String> {
    let (free, fitted) = (fit_toml(&posterior.free), fit::posterior_toml(posterior));
    let paths = paths(folder);
    let [list, fit] = outputs(&paths, overwrite);
    out::make_folder(folder)?;
    let replaced = out::write_together([(list, &free), (fit, &fitted)])?;
    let saved = paths
        .iter()
        .zip(replaced)
        .map(|(path, replaced)| Saved { path: path.to_string_lossy().into_owned(), replaced });
    Ok(saved.collect())
}
