//! `plimsoll advise SITE.toml`: the main job.

use clap::Args;

use super::output::Outcome;
use super::{Common, Format, Library, SiteArguments};
use crate::advisor;
use crate::report;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let format = arguments.common.format;
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
    let missed = advice.chosen.as_ref().is_none_or(|c| !c.missed.is_empty());
    let text = match format {
        Format::Json => {
            return Outcome::json(
                &report::advice_json(&library.inputs(&site), &advice),
                missed,
            );
        }
        Format::Text if arguments.common.quiet => format!("{}\n", advice.sentence),
        Format::Text => report::advice_text(&site, &library.catalog, &advice),
    };
    if missed {
        Outcome::missed(text)
    } else {
        Outcome::done(text)
    }
}
