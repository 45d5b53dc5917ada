//! Layouts side by side.

mod against;
mod data;
mod measures;
mod ui;
mod ui_against;
mod ui_table;
mod update;

pub use against::OtherSite;
pub use data::{Column, Data};
pub use measures::{Figure, Group, Measure};
pub use update::CompareCommand;
pub(in crate::desktop) use update::{ask_against, update};

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state, engine), &OtherSite::of(state), out);
}
