//! `plimsoll report SITE.toml -o FILE`: the hand-over document.

use std::path::{Path, PathBuf};

use clap::Args;

use super::out::{self, Document, Output};
use super::output::Outcome;
use super::{Common, Library, SiteArguments, confirm, places, prices};
use crate::advisor;
use crate::diag::quoted;
use crate::emit::{self, ConfigFile};
use crate::files::Over;
use crate::rehearse::{self, Rehearsed};
use crate::report::{Answer, Form, Further};

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
    common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let format = arguments.common.format;
    let path = &arguments.output;
    let name = quoted(&path.to_string_lossy());
    let Some(form) = Form::of(path) else {
        let reason = format!("{name}: the name of a report ends in .html, .md or .json");
        return Outcome::wrong_as(&reason, format);
    };
    let output = Output {
        path,
        mark: Some(form.mark()),
        over: out::over(arguments.force),
        option: "--force",
    };
    let site = &arguments.site.site;
    let read = arguments
        .rehearsal
        .iter()
        .chain([site])
        .map(PathBuf::as_path);
    if let Err(reason) = places::apart(read, [path.as_path()]).and_then(|()| output.check()) {
        return Outcome::wrong_as(&reason, format);
    }
    let mut library = match Library::load(&arguments.common) {
        Ok(library) => library,
        Err(outcome) => return outcome,
    };
    let prices = &arguments.prices;
    let site = match prices.site(&mut library, &arguments.site, format) {
        Ok(site) => site,
        Err(outcome) => return outcome,
    };
    let further = match further(&arguments.rehearsal, &site.name) {
        Ok(further) => further,
        Err(reason) => return Outcome::wrong_as(&reason, format),
    };
    let doing = |stage: advisor::Stage| library.doing.say(&stage);
    let advice = advisor::advise_confirmed(
        &site,
        &library.vocabulary,
        &library.catalog,
        &library.calibration,
        &arguments.confirm.ask(arguments.common.seed, &doing),
    );
    let files = emit::configuration(&site, &library.catalog, &advice);
    let written = form
        .written(&library.inputs(&site), &advice, &files, &further)
        .and_then(|text| output.write(&text))
        .and_then(|()| {
            if arguments.configuration {
                configuration(path, &files, output.over)
            } else {
                Ok(Vec::new())
            }
        });
    let written = match written {
        Ok(written) => written,
        Err(reason) => return Outcome::wrong_as(&reason, format),
    };
    let missed = advice.falls_short();
    let text = if arguments.common.quiet {
        String::new()
    } else {
        let answer = Answer::of(&site, &library.catalog, &advice);
        let below = written.iter().map(|path| format!("{path}\n"));
        let below: String = below.collect();
        format!("{}\n{}\n{below}", answer.sentence(), path.display())
    };
    match format {
        super::Format::Json => {
            let mut answer = library.inputs(&site).header();
            answer.insert("written".to_owned(), path.display().to_string().into());
            if arguments.configuration {
                answer.insert("configuration".to_owned(), written.into());
            }
            Outcome::json(&answer.into(), missed)
        }
        super::Format::Text => Outcome::judged(text, missed),
    }
}

/// What saved rehearsals add to the report on a site of this name.
fn further(paths: &[PathBuf], site: &str) -> Result<Further, String> {
    let all = paths.iter().map(|path| Rehearsed::load(path));
    let all: Vec<Rehearsed> = all.collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    let values = all.iter().map(serde_json::to_value);
    let values: Vec<_> = values
        .collect::<Result<_, _>>()
        .map_err(|e| e.to_string())?;
    let key = (!values.is_empty()).then(|| ("rehearsals", values.into()));
    Ok(Further {
        sections: rehearse::section(&all, site).into_iter().collect(),
        keys: key.into_iter().collect(),
    })
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
