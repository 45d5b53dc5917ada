//! What the command palette finds: actions, questions, controls of What if, layouts, findings and evidence, by name.
//!
//! Two letters of what a customer just said are enough. Plain data; [`super::dialogs`] paints it.

use super::actions::{self, Shortcut};
use super::command::Command;
use super::engine::Engine;
use super::inquiry::Part;
use super::panels::what_if::KNOBS;
use super::panels::what_if::WhatIfCommand;
use super::state::State;
use crate::advisor::is_of_a_list;
use crate::site::{FIELDS, Kind};

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it belongs and what it is called: "Go: Growth".
    pub name: String,
    /// What it is, in a sentence.
    pub about: String,
    /// Its key; empty where it has none.
    pub keys: String,
    /// The command that choosing it gives.
    pub command: Command,
}

impl Entry {
    fn new(name: String, about: &str, command: Command) -> Self {
        Self { name, about: about.to_owned(), keys: String::new(), command }
    }
}

/// Entries whose name contains every word of the query; actions come first, and alone where nothing is typed.
///
/// ```
/// use plimsoll::desktop::{engine::Engine, palette::entries, state::State};
/// let (state, engine) = (State::default(), Engine::embedded());
/// assert_eq!(entries("what if memory", &state, &engine)[0].name, "What if: Memory");
/// assert!(entries("people.developers", &state, &engine)[0].name.starts_with("Question"));
/// ```
pub fn entries(query: &str, state: &State, engine: &Engine) -> Vec<Entry> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let is_meant = |entry: &Entry| {
        let name = entry.name.to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    let mut all: Vec<Entry> = actions::ACTIONS
        .iter()
        .map(|action| Entry {
            keys: action.shortcut.map_or(String::new(), Shortcut::words),
            ..Entry::new(format!("{}: {}", action.menu, action.title), action.tooltip, action.command.clone())
        })
        .collect();
    if !words.is_empty() {
        all.extend(KNOBS.iter().map(|label| {
            let name = format!("What if: {label}");
            Entry::new(name, "Move this control.", Command::WhatIf(WhatIfCommand::SeekKnob(label)))
        }));
        all.extend(questions());
        all.extend(layouts(engine));
        all.extend(findings(state));
        all.extend(evidence(engine));
    }
    all.retain(is_meant);
    all
}

/// Layouts of the catalogue, to be tried in What if.
fn layouts(engine: &Engine) -> impl Iterator<Item = Entry> {
    let offered = engine.catalog.layouts.iter();
    let offered = offered.filter(|(_, layout)| !layout.reference);
    offered.map(|(id, layout)| {
        let name = format!("Layout: {} ({id})", layout.entry.title);
        Entry::new(name, "Try this layout in What if.", Command::WhatIf(WhatIfCommand::TryLayout(id.clone())))
    })
}

/// Findings of the advice.
fn findings(state: &State) -> impl Iterator<Item = Entry> {
    let advised = state.lanes.advice.answer().into_iter();
    let findings = advised.flat_map(|advised| &advised.advice.findings);
    findings.map(|finding| {
        let name = format!("Finding: {} ({})", finding.message, finding.rule);
        let command = Command::Explain(finding.rule.to_owned());
        Entry::new(name, &finding.action.to_string(), command)
    })
}

/// Sources, published figures and parameters of the model.
fn evidence(engine: &Engine) -> impl Iterator<Item = Entry> {
    let calibration = &engine.calibration;
    let sources = calibration.sources.iter().map(|(id, source)| {
        let name = format!("Source: {id}, {}", source.title);
        Entry::new(name, "Published by this source.", Command::Explain(id.clone()))
    });
    let parameters = calibration.parameters.iter().map(|(id, parameter)| {
        let name = format!("Parameter: {} ({id})", parameter.title);
        Entry::new(name, "A number of the model and its evidence.", Command::Explain(id.clone()))
    });
    sources.chain(parameters)
}

/// The questions that are asked once; those of a list are asked of each of its tables.
fn questions() -> impl Iterator<Item = Entry> {
    let asked = FIELDS.iter().filter(|field| {
        let is_asked = field.kind != Kind::Tables && Part::of(field.path).is_some();
        is_asked && !is_of_a_list(field.path)
    });
    asked.map(|field| {
        let name = format!("Question: {} ({})", field.question.replace('`', ""), field.path);
        Entry::new(name, field.why, Command::Seek(field.path.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(query: &str) -> Vec<Entry> {
        super::entries(query, &State::default(), &Engine::embedded())
    }

    #[test]
    fn actions_are_found_by_any_part_of_their_name_and_come_first() {
        assert_eq!(entries("file save as").len(), 1);
        assert_eq!(entries("").len(), actions::ACTIONS.len());
        assert!(entries("zebra").is_empty());
        let growth = entries("growth");
        assert_eq!(growth[0].name, "Go: Growth");
        assert!(growth.len() > 3, "{growth:?}");
    }

    #[test]
    fn every_question_that_is_asked_once_is_found_by_its_path() {
        let found = entries("data.db_size");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].command, Command::Seek("data.db_size".to_owned()));
        assert!(entries("people.site").is_empty());
    }

    #[test]
    fn layouts_sources_and_parameters_are_found() {
        for query in ["layout split", "source N13", "parameter"] {
            assert!(!entries(query).is_empty(), "{query}");
        }
    }
}
