//! What a server log says: how good it is, who to talk to, its locks over time, answers for the questionnaire.

mod data;
mod timeline;
mod ui;
mod update;

pub use data::Data;
pub use timeline::{BINS, Bar, Lane, Timeline};
pub use update::LogCommand;
pub(in crate::desktop) use update::update;

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, _: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state), out);
}
