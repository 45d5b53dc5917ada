//! `plimsoll explain ID`: what an id stands for, why, on what evidence.
//!
//! What it says is [`report::explanation`]'s: the window says the same.

use clap::Args;

use super::failure::Failure;
use super::output::Outcome;
use super::session::Library;
use super::{Common, Format};
use crate::posterior::NumberId;
use crate::report::SCHEMA;
use crate::report::explanation::{Explanation, Known, did_you_mean, explain, explanation_body, explanation_text};
use crate::report::json::{Tool, object};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Such as knee, STO001, N13-mount-both, `row_write.2017`, nfsv3, `data.db_size`, SAG or DOC003
    id: String,
    #[command(flatten)]
    pub(super) common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let library = Library::load(&arguments.common)?;
    let known = Known { catalog: &library.catalog, calibration: &library.calibration, site: None, used: None };
    let id = arguments.id.as_str();
    let id = &NumberId::read(id).map_or_else(|| id.to_owned(), |number| number.explained());
    let Some(mut found) = explain(&known, id) else {
        let near = did_you_mean(&known, id).map_or(String::new(), |near| format!("; did you mean {near:?}?"));
        let reason = format!("nothing is called {}{near}", crate::diag::quoted(id));
        return Err(reason.into());
    };
    // As it was asked for.
    id.clone_into(&mut found.id);
    Ok(match arguments.common.format {
        Format::Text => Outcome::done(explanation_text(&found)),
        Format::Json => Outcome::json(&Explained::of(&found), false),
    })
}

object! {
    /// `explain`.
    Explained of (found: &Explanation) {
        #[serde(flatten)] tool: Tool = Tool::of(SCHEMA);
        id: String = found.id.clone(), "The id as given.";
        kind: String = found.kind.to_owned(), "What it is the id of.";
        text: String = explanation_body(found), "What it stands for, why, on what evidence.";
    }
}
