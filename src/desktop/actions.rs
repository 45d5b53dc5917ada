//! Actions of menus, palette and keyboard, each with one name, one key and one command.

use super::command::Command;
use super::presets;
use super::state::Panel;

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shortcut {
    /// Ctrl, or Command on a Mac.
    pub command: bool,
    /// Shift.
    pub shift: bool,
    /// The key, as egui names it: `S`, `Num1`, `F1`, `Plus`.
    pub key: &'static str,
}

impl Shortcut {
    const fn ctrl(key: &'static str) -> Self {
        Self {
            command: true,
            shift: false,
            key,
        }
    }

    const fn ctrl_shift(key: &'static str) -> Self {
        Self {
            command: true,
            shift: true,
            key,
        }
    }

    const fn plain(key: &'static str) -> Self {
        Self {
            command: false,
            shift: false,
            key,
        }
    }

    /// For a person: "Ctrl+Shift+S".
    pub fn words(self) -> String {
        let command = if self.command { "Ctrl+" } else { "" };
        let shift = if self.shift { "Shift+" } else { "" };
        let key = match self.key {
            "Plus" => "+",
            "Minus" => "−",
            "Comma" => ",",
            key => key.strip_prefix("Num").unwrap_or(key),
        };
        format!("{command}{shift}{key}")
    }
}

/// An action with a name.
#[derive(Debug, Clone, Copy)]
pub struct Action {
    /// Which menu it is in.
    pub menu: &'static str,
    /// Its name.
    pub title: &'static str,
    /// What it does, in a sentence.
    pub tooltip: &'static str,
    /// Its key.
    pub shortcut: Option<Shortcut>,
    /// The command that it gives.
    pub command: fn() -> Command,
}

const fn action(
    menu: &'static str,
    title: &'static str,
    tooltip: &'static str,
    shortcut: Option<Shortcut>,
    command: fn() -> Command,
) -> Action {
    Action {
        menu,
        title,
        tooltip,
        shortcut,
        command,
    }
}

/// Keys that are no actions: what they do where.
pub const KEYS: &[(&str, &str)] = &[
    (
        "Tab, Shift+Tab",
        "Next or previous control; what has the focus scrolls into view",
    ),
    (
        "Enter, Space",
        "Press a button, open a list; Enter also ends typing",
    ),
    ("Esc", "Give up what is typed; close a dialog or a list"),
    ("← →", "Move a slider"),
    (
        "↑ ↓",
        "Next or previous entry of a list, in dialogs and here",
    ),
    ("PageUp, PageDown", "Scroll by a page"),
    ("Home, End", "Scroll to the beginning or the end"),
    (
        "Ctrl+wheel",
        "In Simulate and Server log: zoom the time axis",
    ),
];

/// All actions, in the order of the menus.
pub static ACTIONS: &[Action] = &[
    action(
        "File",
        "New customer",
        "Begin at the first question.",
        Some(Shortcut::ctrl("N")),
        || Command::New,
    ),
    action(
        "File",
        "Open…",
        "Open a site file.",
        Some(Shortcut::ctrl("O")),
        || Command::AskOpen,
    ),
    action(
        "File",
        "Open server log…",
        "Read what a server logged: who holds locks, what to change, answers for the questionnaire.",
        None,
        || Command::AskLog,
    ),
    action(
        "File",
        "Read collected outputs…",
        "Put what the script of plimsoll collect wrote into the questionnaire.",
        None,
        || Command::AskOutputs,
    ),
    action(
        "File",
        "Open saved rehearsal…",
        "Show the result of plimsoll rehearse.",
        None,
        || Command::AskRehearsal,
    ),
    action(
        "File",
        "Compare with another site…",
        "What changes from this site to another, and which answers are behind it.",
        None,
        || Command::AskOther,
    ),
    action(
        "File",
        "Save",
        "Save the site file.",
        Some(Shortcut::ctrl("S")),
        || Command::Save,
    ),
    action(
        "File",
        "Save as…",
        "Save the site under another name.",
        Some(Shortcut::ctrl_shift("S")),
        || Command::AskSaveAs,
    ),
    action(
        "File",
        "Export report…",
        "Write the report: .html, .md or .json.",
        Some(Shortcut::ctrl("E")),
        || Command::AskExport,
    ),
    action(
        "File",
        "Save hand-over folder…",
        "Write report and configuration into a folder.",
        Some(Shortcut::ctrl_shift("E")),
        || Command::AskHandover,
    ),
    action(
        "File",
        "Quit",
        "Close the window.",
        Some(Shortcut::ctrl("Q")),
        || Command::Close,
    ),
    action(
        "Example",
        presets::EXAMPLES[0].0,
        "A present-day studio: all-flash offered, an office overseas.",
        None,
        || Command::Preset(presets::EXAMPLES[0].0),
    ),
    action(
        "Example",
        presets::EXAMPLES[1].0,
        "The server of source E07.",
        None,
        || Command::Preset(presets::EXAMPLES[1].0),
    ),
    action(
        "Example",
        presets::EXAMPLES[2].0,
        "The laboratory of source N13.",
        None,
        || Command::Preset(presets::EXAMPLES[2].0),
    ),
    action(
        "Example",
        presets::EXAMPLES[3].0,
        "The laboratory of source P17.",
        None,
        || Command::Preset(presets::EXAMPLES[3].0),
    ),
    action(
        "Example",
        presets::EXAMPLES[4].0,
        "The partner of source Z09.",
        None,
        || Command::Preset(presets::EXAMPLES[4].0),
    ),
    action(
        "Edit",
        "Undo",
        "Take the last change back.",
        Some(Shortcut::ctrl("Z")),
        || Command::Undo,
    ),
    action(
        "Edit",
        "Redo",
        "Make the change again.",
        Some(Shortcut::ctrl_shift("Z")),
        || Command::Redo,
    ),
    action(
        "Go",
        "Questions",
        "The planning questionnaire.",
        Some(Shortcut::ctrl("Num1")),
        || Command::Show(Panel::Questionnaire),
    ),
    action(
        "Go",
        "Recommendation",
        "The recommended layout, and why.",
        Some(Shortcut::ctrl("Num2")),
        || Command::Show(Panel::Recommendation),
    ),
    action(
        "Go",
        "What if",
        "Sliders and pickers.",
        Some(Shortcut::ctrl("Num3")),
        || Command::Show(Panel::WhatIf),
    ),
    action(
        "Go",
        "Compare",
        "Layouts side by side.",
        Some(Shortcut::ctrl("Num4")),
        || Command::Show(Panel::Compare),
    ),
    action(
        "Go",
        "Growth",
        "Years ahead.",
        Some(Shortcut::ctrl("Num5")),
        || Command::Show(Panel::Growth),
    ),
    action(
        "Go",
        "Simulate",
        "A day, event by event.",
        Some(Shortcut::ctrl("Num6")),
        || Command::Show(Panel::Simulate),
    ),
    action(
        "Go",
        "Evidence",
        "Where the numbers come from.",
        Some(Shortcut::ctrl("Num7")),
        || Command::Show(Panel::Evidence),
    ),
    action(
        "Go",
        "Report",
        "Documents to hand over.",
        Some(Shortcut::ctrl("Num8")),
        || Command::Show(Panel::Report),
    ),
    action(
        "Go",
        "Today",
        "Today's system, and what to change first.",
        Some(Shortcut::ctrl("Num9")),
        || Command::Show(Panel::Today),
    ),
    action(
        "Go",
        "Server log",
        "What a server log says: locks, waits, what to change.",
        Some(Shortcut::ctrl("L")),
        || Command::Show(Panel::Log),
    ),
    action(
        "Go",
        "Rehearsal",
        "The site's load on a volume of this machine, measured beside the prediction.",
        Some(Shortcut::ctrl("R")),
        || Command::Show(Panel::Rehearsal),
    ),
    action(
        "Simulation",
        "Run simulation",
        "Simulate the chosen scenario.",
        Some(Shortcut::plain("F5")),
        || Command::Simulate,
    ),
    action(
        "Simulation",
        "Pause or resume",
        "Pause or resume the simulation.",
        Some(Shortcut::plain("F6")),
        || Command::PauseSimulation,
    ),
    action(
        "Simulation",
        "Stop simulation",
        "End the simulation now; the results so far stay.",
        Some(Shortcut::plain("F7")),
        || Command::StopSimulation,
    ),
    action(
        "Measure",
        "Start rehearsal",
        "Put the site's load on the chosen folders.",
        Some(Shortcut::plain("F8")),
        || Command::StartRehearsal,
    ),
    action(
        "Measure",
        "Stop rehearsal",
        "End it now; all its files are removed.",
        Some(Shortcut::plain("F9")),
        || Command::StopRehearsal,
    ),
    action(
        "Measure",
        "Save rehearsal result…",
        "Write the result: the same file as plimsoll rehearse --save.",
        None,
        || Command::AskSaveRehearsal,
    ),
    action(
        "View",
        "Light or dark",
        "As the desktop, light, dark.",
        Some(Shortcut::ctrl("T")),
        || Command::NextLook,
    ),
    action(
        "View",
        "Larger",
        "Everything a tenth larger.",
        Some(Shortcut::ctrl("Plus")),
        || Command::Zoom(Some(1.1)),
    ),
    action(
        "View",
        "Smaller",
        "Everything a tenth smaller.",
        Some(Shortcut::ctrl("Minus")),
        || Command::Zoom(Some(1.0 / 1.1)),
    ),
    action(
        "View",
        "Usual size",
        "Neither larger nor smaller.",
        Some(Shortcut::ctrl("Num0")),
        || Command::Zoom(None),
    ),
    action(
        "Help",
        "Commands…",
        "Find commands, questions, controls, layouts, findings and evidence by name.",
        Some(Shortcut::ctrl("K")),
        || Command::AskPalette,
    ),
    action(
        "Help",
        "Keyboard shortcuts",
        "All keys.",
        Some(Shortcut::plain("F1")),
        || Command::AskShortcuts,
    ),
    action(
        "Help",
        "About Plimsoll",
        "Version and licence.",
        None,
        || Command::AskAbout,
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_actions_share_a_key_or_a_name() {
        let mut keys = BTreeSet::new();
        let mut names = BTreeSet::new();
        for action in ACTIONS {
            assert!(names.insert(action.title), "{}", action.title);
            if let Some(shortcut) = action.shortcut {
                assert!(keys.insert(shortcut), "{}", shortcut.words());
            }
            assert!(action.tooltip.ends_with('.'), "{}", action.tooltip);
        }
    }

    #[test]
    fn every_panel_has_an_action() {
        for panel in Panel::ALL {
            assert!(
                ACTIONS
                    .iter()
                    .any(|a| a.menu == "Go" && a.title == panel.title())
            );
        }
    }
}
