//! The server model that a site names, or the usual one of its time: what it answers, and which answers
//! contradict it.
//!
//! What the file of a named model says is the answer of every question about the machine that the site leaves
//! open. An answer that the model cannot have is an error with both places. A model that nobody named answers
//! less: the kind of its disks, its word size, and the most that such servers had.

use crate::catalog::{Form, Server, usual_server};
use crate::diag::{Diagnostic, quoted};
use crate::origin::Origin;

use super::answer::Answer;
use super::answerable::{Amount, Answerable};
use super::section::{Section, known};
use super::vocabulary::Machine;
use crate::catalog::Release;

/// The machine of a site.
pub(super) struct Model<'v> {
    machine: &'v Machine,
    /// Where the site names it; `None` where it is the usual one of its time.
    named: Option<String>,
    /// Why it is taken, where the site does not name it.
    why: String,
}

/// Where an answer on the command line or in the window stands.
const LAID_OVER: &str = "--set";

impl<'v> Model<'v> {
    /// The model that the site names, else the usual server of the release's time that runs its systems;
    /// with the answer to `server.model`. Neither where the vocabulary has no models.
    pub(super) fn of(
        section: &Section<'v>,
        release: Release,
        systems: Option<&[String]>,
    ) -> (Option<Answer<String>>, Option<Self>) {
        const PATH: &str = "server.model";
        let machines = &section.ledger.vocabulary.machines;
        if let Some(answer) = section.stated::<String>(PATH) {
            let place = section.place(&section.place_of(PATH));
            let model =
                machines.get(&answer.value).map(|machine| Self { machine, named: Some(place), why: String::new() });
            return (Some(answer), model);
        }
        let linux = ["linux".to_owned()];
        let systems = systems.unwrap_or(&linux);
        let servers = machines.values().map(|machine| &machine.server);
        let usual = usual_server(servers, release, systems);
        let Some(machine) = usual.and_then(|usual| machines.get(&usual.entry.id)) else {
            return (None, None);
        };
        let id = machine.server.entry.id.clone();
        let why = format!("no model is named: {}, the time of p4d {release}", machine.server.entry.title);
        let origin = Origin::Assumed { why: why.clone() };
        let answer = section.assume(PATH, id.clone(), id.clone(), id, origin);
        let model = Self { machine, named: None, why };
        (Some(answer), Some(model))
    }

    fn id(&self) -> &'v str {
        &self.machine.server.entry.id
    }

    /// What its file says.
    pub(super) fn server(&self) -> &'v Server {
        &self.machine.server
    }

    /// The storage that comes with it: ids of arrays.
    pub(super) fn storage(&self) -> &'v [String] {
        &self.machine.storage
    }

    /// Whether the site names it.
    pub(super) fn is_named(&self) -> bool {
        self.named.is_some()
    }

    pub(super) fn is_instance(&self) -> bool {
        self.server().form == Form::Instance
    }

    /// "from the server model Cloud instance 8xl (models/servers/cloud-8xl.toml)".
    fn origin(&self, note: &str) -> Origin {
        let file = &self.machine.file;
        let note = if note.is_empty() { String::new() } else { format!("; {note}") };
        if self.is_named() {
            let how = format!("from the server model {} ({file}){note}", self.server().entry.name);
            let ids = vec![self.id().to_owned()];
            Origin::Derived { ids, how }
        } else {
            let why = format!("{} ({file}){note}", self.why);
            Origin::Assumed { why }
        }
    }

    /// Answers a question with what the file says.
    pub(super) fn answer<T: Answerable>(&self, section: &Section<'_>, path: &'static str, value: T) -> Answer<T> {
        let origin = self.origin("");
        section.assume(path, value.clone(), value.clone(), value, origin)
    }

    /// The same, with what else it may be in truth.
    pub(super) fn answer_within<T: Answerable>(
        &self,
        section: &Section<'_>,
        path: &'static str,
        [value, low, high]: [T; 3],
        note: &str,
    ) -> Answer<T> {
        section.assume(path, value, low, high, self.origin(note))
    }

    /// Reports an answer that the model cannot have.
    pub(super) fn check_amount<T: Amount>(
        &self,
        section: &Section<'_>,
        path: &'static str,
        answer: &Answer<T>,
        rule: Rule,
        has: T,
    ) {
        let (stated, says) = (answer.value.to_base(), has.to_base());
        let holds = match self.applies(rule) {
            Applied::Never => true,
            // Memory of "188 GB" and of "175.1 GiB" are one.
            Applied::Equal => (stated - says).abs() <= 1e-3 * says.abs(),
            Applied::AtMost => stated <= says,
        };
        let kind = known(path).kind;
        if answer.is_stated() && !holds {
            self.contradicted(section, path, &answer.value.shown(kind), &has.shown(kind));
        }
    }

    /// Reports a word that the model cannot have.
    pub(super) fn check_word(&self, section: &Section<'_>, path: &'static str, answer: &Answer<String>, has: &str) {
        if answer.is_stated() && self.is_instance() && self.is_named() && answer.value != has {
            self.contradicted(section, path, &answer.value, has);
        }
    }

    /// Reports operating systems that the model does not run.
    pub(super) fn check_systems(&self, section: &Section<'_>, stated: &[String]) {
        let runs = &self.server().systems;
        let wrong = stated.iter().filter(|s| !runs.contains(&s.as_str()));
        let wrong: Vec<String> = wrong.cloned().collect();
        if self.is_named() && !wrong.is_empty() {
            let path = "infrastructure.operating_systems";
            self.contradicted(section, path, &wrong.join(", "), &runs.join(", "));
        }
    }

    fn applies(&self, rule: Rule) -> Applied {
        match (self.is_named(), self.is_instance(), rule) {
            (true, true, Rule::BoughtOtherwise) => Applied::Equal,
            (false, ..) | (true, false, Rule::BoughtOtherwise | Rule::Freed) => Applied::Never,
            (true, true, Rule::Freed) | (true, _, Rule::AtMost) => Applied::AtMost,
        }
    }

    fn contradicted(&self, section: &Section<'_>, path: &'static str, stated: &str, says: &str) {
        let id = self.id();
        let place = section.place(&section.place_of(path));
        let named = self.named.as_deref().unwrap_or_default();
        // What is laid over a file that names a machine asks what another machine would do.
        if place == LAID_OVER && named != LAID_OVER && !self.is_instance() {
            return;
        }
        let what = if self.is_instance() { "cloud instance" } else { "server model" };
        let message = format!("{} is {}, but the {what} {id} has {says} ({})", quoted(path), stated, self.machine.file);
        let diagnostic = Diagnostic::error("SIT012", message)
            .help(format!(
                "the model is named at {named}; leave this line out to use the model's value"
            ))
            .help("or name another model, or none: `plimsoll models servers` lists them, and `--models DIR` adds your own")
            .help("a server that is to be replaced is named in \"today.model\", its system in \"today.operating_system\"");
        section.report(path, diagnostic, &format!("{id} has {says}"));
    }
}

/// Which answers other than its file's a model allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// Any on a machine, which can be bought otherwise; none on an instance.
    BoughtOtherwise,
    /// Any on a machine, to which shelves can be added; no more than it has on an instance.
    Freed,
    /// No more than it has.
    AtMost,
}

/// A rule as it applies to a model.
enum Applied {
    Never,
    Equal,
    AtMost,
}
