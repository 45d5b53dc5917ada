//! The recommendation, and why.

mod data;
mod figures;
mod hero;
mod ui;
mod ui_reasons;

pub use data::{Data, text};
pub(super) use ui::show;
