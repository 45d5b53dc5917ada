//! What would be: sliders on the left, what they do on the right, at once.
//!
//! - `set`: what one control changes; `scale`: how its values are written and read.
//! - `knobs`: the controls as data; `data`: the panel as data; `outcome`: what the change does, `found` how it
//!   is told.
//! - `ui`, `controls`, `results`: paint.

mod controls;
mod data;
mod found;
mod knobs;
mod outcome;
mod placement;
mod results;
mod scale;
mod set;
mod ui;

pub use data::Data;
pub use knobs::{Control, KNOBS, Knob, Offer, Section, Slider};
pub use outcome::{Busy, Chart, LockWait, Outcome, Row, Trend};
pub use scale::Scale;
pub use set::Set;

use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;

/// Paints the panel.
pub fn show(ui: &mut egui::Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    ui::show(ui, state, &Data::of(state, engine), out);
}
