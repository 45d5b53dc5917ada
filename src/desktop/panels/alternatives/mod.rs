//! The layouts that were not chosen, with why not and a button to pin them: shown by more than one panel.

mod data;
mod ui;

pub use data::{Other, best_of_families, others};
pub use ui::show;
