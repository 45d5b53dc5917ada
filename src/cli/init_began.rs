//! What `plimsoll init` reads before its first question: outputs (`--from`) and server logs (`--log`).

use std::path::{Path, PathBuf};

use super::Format;
use super::init::shown;
use super::init_from::{self, KnownAnswer, OutputsRead};
use super::init_log::{Logged, LogsRead};
use super::output::Outcome;
use super::session::Library;
use crate::advisor::Advice;
use crate::collected::Gathered;
use crate::report::json::{list, object};
use crate::report::{Advised, Inputs, SCHEMA};
use crate::site::EXAMPLES;

/// What was read before the first question.
pub(super) struct Began {
    /// In outputs.
    gathered: Option<Gathered>,
    /// In server logs.
    logged: Option<Logged>,
}

impl Began {
    /// Reads outputs and logs, and puts what they say into the text of a site file. What the file has stays; a log's
    /// answer stands above that of an example, which is nobody's.
    pub(super) fn read(
        outputs: &[String],
        logs: &[PathBuf],
        path: &Path,
        text: &mut String,
        library: &Library,
    ) -> Result<Self, String> {
        let vocabulary = &library.vocabulary;
        let is_example = EXAMPLES.iter().any(|(.., example)| text == example);
        let mut gathered = None;
        if !outputs.is_empty() {
            let read = init_from::read(outputs, text, vocabulary)?;
            read.filled.text.clone_into(text);
            gathered = Some(read);
        }
        let mut logged = None;
        if !logs.is_empty() {
            logged = Some(Logged::read(logs, path, text, is_example, vocabulary)?);
        }
        Ok(Self { gathered, logged })
    }

    /// Whether anything was.
    pub(super) fn is_read(&self) -> bool {
        self.gathered.is_some() || self.logged.is_some()
    }

    /// What was read, for a person.
    pub(super) fn said(&self) -> String {
        let gathered = self.gathered.iter().map(Gathered::said);
        let logged = self.logged.iter().map(Logged::said);
        gathered.chain(logged).collect::<Vec<_>>().join("\n")
    }

    /// The outcome where nothing is asked: what was read, what is open, what comes next.
    pub(super) fn outcome(&self, site: &Path, open: &[&str], format: Format) -> Outcome {
        if format == Format::Json {
            return Outcome::json(&Initiated::of(site, Some(open), Some(self)), false);
        }
        let path = shown(site);
        let gathered = self.gathered.as_ref();
        let count = gathered.map_or(0, |gathered| gathered.filled.written.len())
            + self.logged.as_ref().map_or(0, Logged::count);
        let answers = if count == 1 { "answer" } else { "answers" };
        let next = if open.is_empty() {
            let from_today = match gathered {
                Some(gathered) if !gathered.answers.volumes.is_empty() => " --from-today",
                _ => "",
            };
            format!("Next: plimsoll advise {path}{from_today}")
        } else {
            let open = open.join(", ");
            format!("Must be answered first: {open}. Go on with: plimsoll init {path}")
        };
        Outcome::done(format!("Written to {path}: {count} {answers}.\n\n{}\n{next}\n", self.said()))
    }
}

object! {
    /// `init` that ends before an advice: what was read, what is open.
    Initiated of (site: &Path, open: Option<&[&str]>, began: Option<&Began>) [
        let gathered = began.and_then(|began| began.gathered.as_ref());
    ] {
        schema: u32 = SCHEMA, "Version of the form of answers.";
        written: String = site.display().to_string(), "The site file.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] open: Option<Vec<String>> = open.map(|open| list(open, ToString::to_string)), "Fields that must be answered first.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] answers: Option<Vec<KnownAnswer>> = began.map(|_| gathered.map_or_else(Vec::new, KnownAnswer::all)), "With `--from` or `--log`: answers that outputs decide.";
        #[serde(flatten)] outputs: Option<OutputsRead> = gathered.map(OutputsRead::of);
        #[serde(skip_serializing_if = "Option::is_none")] log: Option<Option<LogsRead>> = began.map(|began| began.logged.as_ref().map(Logged::json)), "With `--from` or `--log`: what logs say; null without one.";
    }

    /// `init` with an advice.
    InitiatedAdvised of (inputs: &Inputs<'_>, advice: &Advice, site: &Path) {
        #[serde(flatten)] advised: Advised = Advised::of(inputs, advice);
        written: String = site.display().to_string(), "The site file.";
    }
}
