//! Today's system: what it does, what is wrong with it, and what to change first.

mod data;
mod ui;
mod update;

pub use data::{Change, Data, Group};
pub(in crate::desktop) use update::ask_today;

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, _: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state), out);
}
