//! What if: sliders on the left, their results on the right, at once.
//!
//! - `set`: what one control changes; `scale`: how its values are written and read.
//! - `knobs`: the controls as data; `tie`: answers that grow with the developers; `data`: the panel as data;
//!   `outcome`: the results of a change, which `found` makes.
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
mod tie;
mod ui;
mod update;

pub use data::{Data, Tie};
pub use knobs::{Control, KNOBS, Knob, Offer, Section, Sensitivity, Slider};
pub use outcome::{Chart, Outcome};
pub use scale::Scale;
pub use set::Set;
pub use tie::developers;
pub(super) use ui::show;
pub use update::{WhatIfCommand, changed};
pub(in crate::desktop) use update::{ask_check, forget_check, update};
