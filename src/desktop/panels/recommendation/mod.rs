//! The recommendation, and why.

mod data;
mod figures;
mod hero;
mod load;
mod reasons;
mod ui;
mod ui_load;
mod ui_reasons;
mod volumes;

pub use data::{Data, text};
pub(super) use ui::show;
