//! Actions of menus, palette and keyboard, each with one name, one key and one command.

use std::sync::LazyLock;

use super::command::Command;
use super::panels::Panel;
use super::panels::compare::CompareCommand;
use super::panels::rehearsal::RehearsalCommand;
use super::panels::report::ReportCommand;
use super::panels::server_log::LogCommand;
use super::panels::simulate::SimulateCommand;
use super::presets;

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

/// Ctrl and a key.
#[expect(clippy::unnecessary_wraps, reason = "some actions have no key")]
fn ctrl(key: &'static str) -> Option<Shortcut> {
    Some(Shortcut { command: true, shift: false, key })
}

/// Ctrl, Shift and a key.
fn ctrl_shift(key: &'static str) -> Option<Shortcut> {
    ctrl(key).map(|shortcut| Shortcut { shift: true, ..shortcut })
}

/// A key alone.
fn plain(key: &'static str) -> Option<Shortcut> {
    ctrl(key).map(|shortcut| Shortcut { command: false, ..shortcut })
}

const NO_KEY: Option<Shortcut> = None;

impl Shortcut {
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
#[derive(Debug, Clone)]
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
    pub command: Command,
}

/// Keys that are no actions: what they do where.
pub const KEYS: &[(&str, &str)] = &[
    ("Tab, Shift+Tab", "Next or previous control; what has the focus scrolls into view"),
    (
        "Tab, Shift+Tab in an answer",
        "Next or previous open question, of all parts; what cannot be the answer keeps the focus",
    ),
    (
        "Enter, Space",
        "Press a button, open a list; Enter also takes what is typed and goes on to the next open question",
    ),
    ("Esc", "Give up what is typed; close a dialog or a list"),
    ("← →", "Move a slider"),
    ("↑ ↓", "Next or previous entry of a list, in dialogs and here"),
    ("PageUp, PageDown", "Scroll by a page"),
    ("Home, End", "Scroll to the beginning or the end"),
    ("Ctrl+wheel", "In Simulate and Server log: zoom the time axis"),
];

/// Actions of menus, one a row: its name and its key, the command, and what that does.
macro_rules! actions {
    ($($menu:literal {$($title:expr, $key:expr => $command:expr, $about:literal;)+})+) => {
        vec![$($(Action {
            menu: $menu,
            title: $title,
            tooltip: $about,
            shortcut: $key,
            command: $command,
        }),+),+]
    };
}

/// All actions, in the order of the menus.
pub static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(|| {
    let mut all = actions! {
        "File" {
            "New customer", ctrl("N") => Command::New,
                "Begin at the first question.";
            "Open…", ctrl("O") => Command::AskOpen,
                "Open a site file.";
            "Open server log…", NO_KEY => Command::Log(LogCommand::Ask),
                "Read what a server logged: who holds locks, what to change, answers for the questionnaire.";
            "Read collected outputs…", NO_KEY => Command::AskOutputs,
                "Put what the script of plimsoll collect wrote into the questionnaire.";
            "Open saved rehearsal…", NO_KEY => Command::Rehearsal(RehearsalCommand::AskOpen),
                "Show the result of plimsoll rehearse.";
            "Compare with another site…", NO_KEY => Command::Compare(CompareCommand::Ask),
                "What changes from this site to another, and which answers are behind it.";
            "Save", ctrl("S") => Command::Save,
                "Save the site file.";
            "Save as…", ctrl_shift("S") => Command::AskSaveAs,
                "Save the site under another name.";
            "Export report…", ctrl("E") => Command::Report(ReportCommand::AskExport),
                "Write the report: .html, .md or .json.";
            "Save hand-over folder…", ctrl_shift("E") => Command::Report(ReportCommand::AskHandover),
                "Write report and configuration into a folder.";
            "Quit", ctrl("Q") => Command::Close,
                "Close the window.";
        }
        "Example" {
            presets::EXAMPLES[0].0, NO_KEY => Command::Preset(presets::EXAMPLES[0].0),
                "A present-day studio: all-flash offered, an office overseas.";
            presets::EXAMPLES[1].0, NO_KEY => Command::Preset(presets::EXAMPLES[1].0),
                "The server of source E07.";
            presets::EXAMPLES[2].0, NO_KEY => Command::Preset(presets::EXAMPLES[2].0),
                "The laboratory of source N13.";
            presets::EXAMPLES[3].0, NO_KEY => Command::Preset(presets::EXAMPLES[3].0),
                "The laboratory of source P17.";
            presets::EXAMPLES[4].0, NO_KEY => Command::Preset(presets::EXAMPLES[4].0),
                "The partner of source Z09.";
        }
        "Edit" {
            "Undo", ctrl("Z") => Command::Undo,
                "Take the last change back.";
            "Redo", ctrl_shift("Z") => Command::Redo,
                "Make the change again.";
        }
    };
    all.extend(Panel::ALL.map(|panel| {
        let (title, key, tooltip) = panel.words();
        Action { menu: "Go", title, tooltip, shortcut: ctrl(key), command: Command::Show(panel) }
    }));
    all.extend(actions! {
        "Simulation" {
            "Run simulation", plain("F5") => Command::Simulate(SimulateCommand::Run),
                "Simulate the chosen scenario.";
            "Pause or resume", plain("F6") => Command::Simulate(SimulateCommand::Pause),
                "Pause or resume the simulation.";
            "Stop simulation", plain("F7") => Command::Simulate(SimulateCommand::Stop),
                "End the simulation now; the results so far stay.";
        }
        "View" {
            "Light or dark", ctrl("T") => Command::NextLook,
                "As the desktop, light, dark.";
            "Larger", ctrl("Plus") => Command::Zoom(Some(1.1)),
                "Everything a tenth larger.";
            "Smaller", ctrl("Minus") => Command::Zoom(Some(1.0 / 1.1)),
                "Everything a tenth smaller.";
            "Usual size", ctrl("Num0") => Command::Zoom(None),
                "Neither larger nor smaller.";
        }
        "Help" {
            "Commands…", ctrl("K") => Command::AskPalette,
                "Find commands, questions, controls, layouts, findings and evidence by name.";
            "Keyboard shortcuts", plain("F1") => Command::AskShortcuts,
                "All keys.";
            "About Plimsoll", NO_KEY => Command::AskAbout,
                "Version and licence.";
        }
    });
    all
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_actions_share_a_key_or_a_name() {
        let mut keys = BTreeSet::new();
        let mut names = BTreeSet::new();
        for action in ACTIONS.iter() {
            assert!(names.insert(action.title), "{}", action.title);
            if let Some(shortcut) = action.shortcut {
                assert!(keys.insert(shortcut), "{}", shortcut.words());
            }
            assert!(action.tooltip.ends_with('.'), "{}", action.tooltip);
        }
    }
}
