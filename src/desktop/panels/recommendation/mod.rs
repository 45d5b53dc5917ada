//! The recommendation, and why.

mod data;
mod hero;
mod ui;
mod ui_reasons;

pub use data::{Data, text};
pub(super) use ui::show;
