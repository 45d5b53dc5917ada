//! What `plimsoll init` reads before its first question: outputs (`--from`) and server logs (`--log`).

use std::path::{Path, PathBuf};

use super::Format;
use super::init::shown;
use super::init_from;
use super::init_log::Logged;
use super::output::Outcome;
use super::session::Library;
use crate::collected::Gathered;
use crate::report;
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
            return Outcome::json(&self.json(&site.display().to_string(), open), false);
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
        Outcome::done(format!(
            "Written to {path}: {count} {answers}.\n\n{}\n{next}\n",
            self.said()
        ))
    }

    fn json(&self, path: &str, open: &[&str]) -> serde_json::Value {
        let mut answer = match &self.gathered {
            Some(gathered) => init_from::json(gathered),
            None => serde_json::json!({ "answers": [] }),
        };
        answer["schema"] = report::SCHEMA.into();
        answer["written"] = path.into();
        answer["log"] = self
            .logged
            .as_ref()
            .map_or(serde_json::Value::Null, Logged::json);
        answer["open"] = open.into();
        answer
    }
}
