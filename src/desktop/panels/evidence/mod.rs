//! Where the numbers come from: published against predicted, parameters, sources, the origin of any number.

mod data;
mod figures;
mod origin;
mod ui;
mod update;

pub use data::{Data, Parameter, SourceRow};
pub use figures::{FigureRow, Figures, Point};
pub use origin::Origin;
pub(in crate::desktop) use update::ask_accuracy;

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state, engine), out);
}
