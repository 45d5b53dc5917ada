//! The site's questions: what is answered, what is assumed instead, and what to ask first.

mod control;
mod data;
mod question;
mod ui;

pub use control::{Control, Picked, Word};
pub use data::{Ask, Data, Group, PartHead, progress};
pub use question::{Assumed, Fault, Matter, Question};

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, &Data::of(state, engine), out);
}
