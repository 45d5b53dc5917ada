//! The site's load on a volume of this machine: what will be done, curves while it runs, the result beside the prediction.

mod charts;
mod data;
mod ui;
mod update;

pub use charts::{Curve, curves, rates};
pub use data::{Data, Running};
pub use update::RehearsalCommand;
pub(in crate::desktop) use update::{ask_plan, ended, stop, update};

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, _: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state), out);
}
