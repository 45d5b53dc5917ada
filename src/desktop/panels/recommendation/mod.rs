//! The recommendation, and why.

mod data;
mod figures;
mod hero;
mod load;
mod reasons;
mod ui;
mod ui_load;
mod ui_reasons;
mod volumes;

pub use data::{Data, text};

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state, engine), || text(state, engine), out);
}
