//! `plimsoll report SITE.toml -o FILE`: the hand-over document.

use std::path::PathBuf;

use clap::Args;

use super::out;
use super::output::Outcome;
use super::{Common, Library, SiteArguments};
use crate::advisor;
use crate::diag::quoted;
use crate::document;
use crate::emit;
use crate::report::Form;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Where to write it; what it is follows from the ending: .html, .md or .json
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Write over a file that is no report
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let format = arguments.common.format;
    let path = &arguments.output;
    let name = quoted(&path.to_string_lossy());
    let Some(form) = Form::of(path) else {
        let reason = format!("{name}: a report ends in .html, .md or .json");
        return Outcome::wrong_as(&reason, format);
    };
    if !arguments.force
        && let Err(reason) = document::may_replace(path, form.mark())
    {
        let reason = format!("{name} {reason}; --force writes over it");
        return Outcome::wrong_as(&reason, format);
    }
    let library = match Library::load(&arguments.common) {
        Ok(library) => library,
        Err(outcome) => return outcome,
    };
    let site = match library.site(&arguments.site, format) {
        Ok(site) => site,
        Err(outcome) => return outcome,
    };
    let advice = advisor::advise(
        &site,
        &library.vocabulary,
        &library.catalog,
        &library.calibration,
    );
    let files = emit::configuration(&site, &library.catalog, &library.calibration, &advice);
    let written = form
        .written(&library.inputs(&site), &advice, &files)
        .and_then(|text| out::replace(path, &text));
    if let Err(reason) = written {
        return Outcome::wrong_as(&reason, format);
    }
    let missed = advice.chosen.as_ref().is_none_or(|c| !c.missed.is_empty());
    let text = if arguments.common.quiet {
        String::new()
    } else {
        format!("{}\n{}\n", advice.sentence, path.display())
    };
    match format {
        super::Format::Json => {
            let mut answer = library.inputs(&site).header();
            answer.insert("written".to_owned(), path.display().to_string().into());
            Outcome::json(&answer.into(), missed)
        }
        super::Format::Text if missed => Outcome::missed(text),
        super::Format::Text => Outcome::done(text),
    }
}
