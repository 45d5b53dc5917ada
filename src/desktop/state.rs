//! Everything that the window shows, as plain data: no egui type, no handle, no channel.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::answer::Lanes;
use super::dialog::{Dialog, Palette};
use super::injected::Injected;
use super::inquiry::Inquiry;
use super::panels::Panel;
use super::panels::rehearsal::Opened;
use super::preferences::Preferences;
use super::reading::Reading;
use crate::advisor::Curve;
use crate::advisor::what_if::Change;
use crate::site::Site;

/// What the window shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// What can be undone.
    pub scenario: Arc<Scenario>,
    /// Earlier scenarios, the oldest first.
    pub past: Vec<Arc<Scenario>>,
    /// Scenarios that were undone, the latest last.
    pub future: Vec<Arc<Scenario>>,
    /// What the pointer is changing right now: the same again makes no new step to undo.
    pub gesture: Option<String>,
    /// The site file, if there is one.
    pub file: Option<PathBuf>,
    /// The text as it is on disk.
    pub saved: Arc<str>,
    /// A file of which the window said that it is another one or was changed: the next save replaces it.
    pub insisted: Option<PathBuf>,
    /// The questionnaire as read from the text.
    pub reading: Reading,
    /// The open panel.
    pub panel: Panel,
    /// How the questionnaire is looked at.
    pub inquiry: Inquiry,
    /// What was asked of the workers, and what they found.
    pub lanes: Lanes,
    /// Response times over the load of the latest what-if that has them: shown until the present one does.
    pub curve: Option<Arc<Curve>>,
    /// The control of the what-if that is to have the focus: its name.
    pub sought_knob: Option<&'static str>,
    /// The simulated day.
    pub simulation: Simulation,
    /// The site that today's system was asked about last.
    pub today_of: Option<Arc<Site>>,
    /// The change of today's system that is looked at: its name.
    pub change_shown: Option<String>,
    /// The file that the site is compared with, and its text.
    pub other: Option<Other>,
    /// The part of the log's time that is shown \[s from its beginning\]; none is all of it.
    pub log_zoom: Option<(f64, f64)>,
    /// The saved rehearsal that is looked at.
    pub rehearsal: Option<Opened>,
    /// A question in the middle of the window.
    pub dialog: Option<Dialog>,
    /// The command palette, if it is open.
    pub palette: Option<Palette>,
    /// What stays from one session to the next.
    pub preferences: Preferences,
    /// The last thing that was done or went wrong, for the bar at the bottom.
    pub notice: Option<Notice>,
    /// The number whose origin is looked at: its name.
    pub origin: Option<String>,
    /// Where one came from, the latest last: the panel, and the number that was looked at there.
    pub trail: Vec<(Panel, Option<String>)>,
    /// How the evidence is looked at.
    pub evidence: EvidenceView,
    /// Whether the pinned layouts were chosen by hand; until then they are the best of each family.
    pub has_own_pins: bool,
    /// The window is to be closed.
    pub is_leaving: bool,
}

/// What is saved and what undo goes back to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    /// The site file.
    pub text: Arc<str>,
    /// What differs from the recommendation.
    pub change: Arc<Change>,
    /// Layouts to compare.
    pub pins: Vec<Pin>,
    /// Years that the growth panel looks ahead; the site's horizon until it is dragged.
    pub horizon_years: Option<f64>,
    /// What is simulated.
    pub day: Day,
    /// Whether the what-if moves the number of developers alone, without their commands and syncs.
    pub is_untied: bool,
}

/// A layout that is compared: its title, and how it differs from the recommendation.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin {
    /// Its name in the comparison.
    pub name: String,
    /// What stands above its column: of a layout of the catalogue its title alone.
    pub title: String,
    /// How it differs from the recommendation.
    pub change: Arc<Change>,
}

/// What is simulated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// A scenario of the catalogue.
    pub scenario: String,
    /// Seed of the random numbers.
    pub seed: u64,
    /// What was put into it by hand.
    pub injected: Vec<Injected>,
}

impl Default for Day {
    fn default() -> Self {
        Self { scenario: "working-day".to_owned(), seed: 1, injected: Vec::new() }
    }
}

/// A file that the site is compared with: another site, or an answer of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// Where it is.
    pub path: PathBuf,
    /// Its text.
    pub text: Arc<str>,
    /// The text of the site that it was compared with last.
    pub asked_of: Option<Arc<str>>,
}

/// How the simulated day is looked at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Simulation {
    /// Whether it waits.
    pub is_paused: bool,
    /// The chosen moment \[s from the beginning\]; none is the latest, and after the run the worst.
    pub moment: Option<f64>,
    /// The part of the time axis that is shown \[s\]; none is all of it.
    pub zoom: Option<(f64, f64)>,
}

/// How the evidence is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EvidenceView {
    /// Which part.
    pub part: EvidencePart,
    /// Only the figures of one source.
    pub source: Option<String>,
    /// The order of the figures.
    pub order: FigureOrder,
}

/// The parts of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EvidencePart {
    /// Published against predicted.
    #[default]
    Figures,
    /// What the data made of the parameters.
    Parameters,
    /// Who published what.
    Sources,
}

/// Orders of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FigureOrder {
    /// The largest error first.
    #[default]
    Error,
    /// By datum.
    Datum,
    /// As in the files.
    File,
}

/// A sentence at the bottom of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What to say.
    pub text: String,
    /// Whether something went wrong.
    pub is_problem: bool,
    /// A folder that was written and can be shown.
    pub folder: Option<PathBuf>,
}

impl Notice {
    /// Something was done.
    pub fn done(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_problem: false, folder: None }
    }

    /// A folder was written.
    pub fn folder(text: impl Into<String>, folder: PathBuf) -> Self {
        Self { folder: Some(folder), ..Self::done(text) }
    }

    /// Something went wrong.
    pub fn problem(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_problem: true, folder: None }
    }
}

impl State {
    /// Whether there is a site: a file was opened, or one was begun. Until then the start card is shown.
    pub fn is_begun(&self) -> bool {
        let is_changed = !(self.past.is_empty() && self.future.is_empty());
        self.file.is_some() || !self.scenario.text.is_empty() || is_changed
    }

    /// Whether a panel is shown, and not the start card.
    pub fn shows_panel(&self) -> bool {
        self.is_begun() || !self.panel.needs_site()
    }

    /// Whether there is something that the file on disk does not have.
    pub fn is_dirty(&self) -> bool {
        self.scenario.text != self.saved
    }

    /// What the site is called in messages: the file, or that there is none yet.
    pub fn source_name(&self) -> String {
        let name = self.file.as_deref().map(Path::to_string_lossy);
        name.map_or_else(|| "new site".to_owned(), std::borrow::Cow::into_owned)
    }

    /// What stands in the title of the window.
    pub fn title(&self) -> String {
        let dirty = if self.is_dirty() { " •" } else { "" };
        let name = self.file.as_deref().and_then(Path::file_name);
        match name {
            Some(name) => format!("{}{dirty} – Plimsoll", name.to_string_lossy()),
            None => format!("new site{dirty} – Plimsoll"),
        }
    }
}
