//! What one leaves with: the report, and the configuration to paste.

mod data;
mod ui;
mod update;

pub use data::{Data, File, Line};
pub use update::ReportCommand;
pub(in crate::desktop) use update::update;

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, _engine: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state), out);
}
