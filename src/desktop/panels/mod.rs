//! The panels: for each, `data` says what is shown, and `ui` paints it and asks.
//!
//! `data` is made from the state alone, without egui, so that tests read it without a window. `ui`
//! changes nothing: what the pointer asks for is a command. `update`, where there is one, has the commands of the panel,
//! what they do, and the question to the workers that only this panel shows the answer of.

pub mod compare;
pub mod evidence;
pub mod growth;
pub mod questionnaire;
pub mod recommendation;
pub mod rehearsal;
pub mod report;
pub mod server_log;
pub mod simulate;
pub mod today;
pub mod what_if;

use egui::Ui;

use super::command::Command;
use super::effect::Effect;
use super::engine::Engine;
use super::state::State;

/// The panels, in the order of a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Panel {
    /// The site's questions.
    #[default]
    Questionnaire,
    /// What to do.
    Recommendation,
    /// Sliders.
    WhatIf,
    /// Layouts side by side.
    Compare,
    /// Years ahead.
    Growth,
    /// A day.
    Simulate,
    /// Where the numbers come from.
    Evidence,
    /// What one leaves with.
    Report,
    /// Today's system.
    Today,
    /// What its log says.
    Log,
    /// The site's load on a real volume, measured before.
    Rehearsal,
}

impl Panel {
    /// All, in order.
    pub const ALL: [Self; 11] = [
        Self::Questionnaire,
        Self::Recommendation,
        Self::WhatIf,
        Self::Compare,
        Self::Growth,
        Self::Simulate,
        Self::Evidence,
        Self::Report,
        Self::Today,
        Self::Log,
        Self::Rehearsal,
    ];

    /// Its name, the key that opens it together with Ctrl, and what it shows.
    pub fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Questionnaire => ("Questions", "Num1", "The planning questionnaire."),
            Self::Recommendation => {
                let about = "The recommended layout, and why.";
                ("Recommendation", "Num2", about)
            }
            Self::WhatIf => ("What if", "Num3", "Sliders and pickers."),
            Self::Compare => ("Compare", "Num4", "Layouts side by side."),
            Self::Growth => ("Growth", "Num5", "Years ahead."),
            Self::Simulate => ("Simulate", "Num6", "A day, event by event."),
            Self::Evidence => ("Evidence", "Num7", "Where the numbers come from."),
            Self::Report => ("Report", "Num8", "Documents to hand over."),
            Self::Today => {
                let about = "Today's system, and what to change first.";
                ("Today", "Num9", about)
            }
            Self::Log => {
                let about = "What a server log says: locks, waits, what to change.";
                ("Server log", "L", about)
            }
            Self::Rehearsal => {
                let about = "The site's load on a real volume, measured beside the prediction.";
                ("Rehearsal", "R", about)
            }
        }
    }

    /// Its name.
    pub fn title(self) -> &'static str {
        self.words().0
    }

    /// Whether there is nothing in it without a site: a log can be read and a saved rehearsal opened before.
    pub fn needs_site(self) -> bool {
        !matches!(self, Self::Log | Self::Rehearsal)
    }
}

/// Paints the open panel.
pub fn show(ui: &mut Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    match state.panel {
        Panel::Questionnaire => {
            questionnaire::show(ui, &questionnaire::Data::of(state, engine), out);
        }
        Panel::Recommendation => {
            let text = || recommendation::text(state, engine);
            recommendation::show(ui, &recommendation::Data::of(state, engine), text, out);
        }
        Panel::WhatIf => what_if::show(ui, state, &what_if::Data::of(state, engine), out),
        Panel::Compare => {
            let other = compare::OtherSite::of(state);
            compare::show(ui, &compare::Data::of(state, engine), &other, out);
        }
        Panel::Growth => growth::show(ui, &growth::Data::of(state, engine), out),
        Panel::Simulate => simulate::show(ui, &simulate::Data::of(state, engine), engine, out),
        Panel::Evidence => evidence::show(ui, &evidence::Data::of(state, engine), engine, out),
        Panel::Report => report::show(ui, &report::Data::of(state), out),
        Panel::Today => today::show(ui, &today::Data::of(state), out),
        Panel::Log => server_log::show(ui, &server_log::Data::of(state), out),
        Panel::Rehearsal => rehearsal::show(ui, state, out),
    }
}

/// Asks what only the open panel shows: when it is opened, and when the recommendation or what differs from it has
/// changed, perhaps back.
pub(super) fn ask(state: &mut State) -> Vec<Effect> {
    match state.panel {
        Panel::WhatIf => what_if::ask_check(state),
        Panel::Growth => growth::ask_growth(state),
        Panel::Today => today::ask_today(state),
        Panel::Compare => compare::ask_against(state),
        Panel::Evidence => evidence::ask_accuracy(state),
        _ => Vec::new(),
    }
}

/// The same when the answers were read anew: what is computed from them alone need not wait for the advice.
pub(super) fn ask_at_once(state: &mut State) -> Vec<Effect> {
    match state.panel {
        Panel::Today | Panel::Compare => ask(state),
        _ => Vec::new(),
    }
}

/// Whether a panel scrolls parts of itself, and must have no more than the room that there is.
pub fn scrolls_itself(panel: Panel) -> bool {
    panel == Panel::Questionnaire
}

/// What a panel says where there is no recommendation yet, or none at all.
pub fn waiting(state: &State) -> Option<String> {
    if let Some(problem) = state.lanes.advice.problem() {
        return Some(problem.to_owned());
    }
    match state.lanes.advice.answer() {
        None if state.lanes.advice.is_busy() => Some("Computing the advice…".to_owned()),
        None => Some("Answer the questions first: the number of developers is enough.".to_owned()),
        Some(advised) if advised.advice.chosen.is_none() => Some(advised.answer.sentence()),
        Some(_) => None,
    }
}
