//! The years ahead: load, response times and stores, and when their limits come.

mod charts;
mod data;
mod limits;
mod ui;
mod update;

pub use data::{Data, Tile};
pub use limits::LimitRow;
pub use update::years_drawn;
pub(in crate::desktop) use update::{ask_growth, horizon_moved};

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state, engine), out);
}
