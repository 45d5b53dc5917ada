//! A day, event by event: choose it, put troubles into it, and watch.

mod data;
mod shown;
mod ui;
mod update;

pub use data::{Choice, Data, Status};
pub use shown::{BlameRow, LockRow, Mark, Row, Shown, clock};
pub use update::SimulateCommand;
pub(in crate::desktop) use update::update;

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state, engine), out);
}
