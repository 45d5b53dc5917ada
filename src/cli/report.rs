//! `plimsoll report SITE.toml -o FILE`: the hand-over document.

use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::out::{self, Document, Output};
use super::output::Outcome;
use super::session::Library;
use super::{Common, Format, SiteArguments, confirm, places, prices};
use crate::diag::quoted;
use crate::emit::{self, ConfigFile};
use crate::files::Over;
use crate::rehearse::{self, Rehearsed};
use crate::report::json::object;
use crate::report::{Answer, Form, Further, Header, Inputs};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Where to write it; the ending decides the format: .html, .md or .json
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Also write the configuration of each server, into the folder config beside FILE
    #[arg(long)]
    configuration: bool,
    /// Overwrite any file; without it only a report that was not edited since
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    prices: prices::PriceList,
    /// A saved rehearsal, which becomes a section (repeatable): what `plimsoll rehearse --save` wrote
    #[arg(long, value_name = "RESULT.toml")]
    rehearsal: Vec<PathBuf>,
    #[command(flatten)]
    confirm: confirm::Options,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let path = &arguments.output;
    let name = quoted(&path.to_string_lossy());
    let form = Form::of(path).ok_or_else(|| format!("{name}: the name of a report ends in .html, .md or .json"))?;
    let paths = form.paths(path);
    let outputs = paths.iter().map(|path| Output::new(path, Some(form.mark()), arguments.force));
    let outputs: Vec<Output<'_>> = outputs.collect();
    let read = arguments.rehearsal.iter().chain([&arguments.site.site]);
    places::apart(read.map(PathBuf::as_path), paths.iter().map(PathBuf::as_path))?;
    for output in &outputs {
        output.check()?;
    }
    let library = Library::load(&arguments.common)?;
    let session = arguments.prices.open(library, &arguments.site)?;
    let further = further(&arguments.rehearsal, &session.site.name)?;
    let advice = session.advice(&arguments.confirm, arguments.common.seed);
    let files = emit::configuration(&session.site, &session.library.catalog, &advice);
    let texts = form.written(path, &session.inputs(), &advice, &files, &further);
    for (output, (_, text)) in outputs.iter().zip(&texts) {
        output.write(text)?;
    }
    let written =
        if arguments.configuration { configuration(path, &files, out::over(arguments.force))? } else { Vec::new() };
    let missed = advice.falls_short(&session.site);
    Ok(match arguments.common.format {
        Format::Json => {
            let configuration = arguments.configuration.then_some(written);
            Outcome::json(&ReportWritten::of(&session.inputs(), path, configuration), missed)
        }
        Format::Text if arguments.common.quiet => Outcome::judged(String::new(), missed),
        Format::Text => {
            let answer = Answer::of(&session.site, &session.library.catalog, &advice);
            let reports = paths.iter().map(|path| path.display().to_string());
            let below = reports.chain(written).map(|path| format!("{path}\n"));
            let text = format!("{}\n{}", answer.sentence(), below.collect::<String>());
            Outcome::judged(text, missed)
        }
    })
}

/// What saved rehearsals add to the report on a site of this name.
fn further(paths: &[PathBuf], site: &str) -> Result<Further, String> {
    let all = paths.iter().map(|path| Rehearsed::load(path));
    let all: Vec<Rehearsed> = all.collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    Ok(Further { sections: rehearse::section(&all, site).into_iter().collect(), rehearsals: all })
}

/// Writes the files of configuration below the report's folder, all of them or none.
fn configuration(report: &Path, files: &[ConfigFile], over: Over) -> Result<Vec<String>, String> {
    let folder = report.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let documents = files.iter().map(|file| Document {
        path: format!("config/{}", file.path()),
        text: file.render(),
        mark: out::CONFIGURATION,
    });
    let documents: Vec<Document> = documents.collect();
    out::write(folder, &documents, over).map(|below| below.written)
}

object! {
    /// `report`.
    ReportWritten of (inputs: &Inputs<'_>, path: &Path, configuration: Option<Vec<String>>) {
        #[serde(flatten)] header: Header = inputs.header();
        written: String = path.display().to_string(), "The report.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] configuration: Option<Vec<String>> = configuration, "With `--configuration`: its files.";
    }
}
