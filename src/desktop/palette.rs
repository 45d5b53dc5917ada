//! What the command palette finds: actions, and by name every question and every control of What if.
//!
//! So that whoever talks with a customer types two letters of what was just said, and is there. Plain data;
//! [`super::dialogs`] paints it.

use super::actions::{self, Shortcut};
use super::command::Command;
use super::inquiry::Part;
use super::panels::what_if::KNOBS;
use crate::site::{FIELDS, Kind};

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it belongs and what it is called: "Go: Growth".
    pub name: String,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Its key; empty where it has none.
    pub keys: String,
    /// What it asks for.
    pub command: Command,
}

/// Entries whose name contains every word of the query; actions come first, and alone where nothing is typed.
///
/// ```
/// use plimsoll::desktop::palette::entries;
/// assert_eq!(entries("what if memory")[0].name, "What if: Memory");
/// assert!(entries("people.developers")[0].name.starts_with("Question"));
/// ```
pub fn entries(query: &str) -> Vec<Entry> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let is_meant = |entry: &Entry| {
        let name = entry.name.to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    let mut all: Vec<Entry> = actions::ACTIONS
        .iter()
        .map(|action| Entry {
            name: format!("{}: {}", action.menu, action.title),
            about: action.tooltip,
            keys: action.shortcut.map_or(String::new(), Shortcut::words),
            command: (action.command)(),
        })
        .collect();
    if !words.is_empty() {
        all.extend(KNOBS.iter().map(|label| Entry {
            name: format!("What if: {label}"),
            about: "Take hold of this control.",
            keys: String::new(),
            command: Command::SeekKnob(label),
        }));
        all.extend(questions());
    }
    all.retain(is_meant);
    all
}

/// The questions that are asked once; those of a list are asked of each of its tables.
fn questions() -> impl Iterator<Item = Entry> {
    let asked = FIELDS.iter().filter(|field| {
        let part = Part::of(field.path);
        let is_listed = matches!(part, None | Some(Part::Offices | Part::Prices));
        field.kind != Kind::Tables && !is_listed
    });
    asked.map(|field| Entry {
        name: format!(
            "Question: {} ({})",
            field.question.replace('`', ""),
            field.path
        ),
        about: field.why,
        keys: String::new(),
        command: Command::Seek(field.path.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
