//! What to do, and why.

mod data;
mod ui;

pub use data::Data;

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state, engine), out);
}
