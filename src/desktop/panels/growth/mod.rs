//! The years ahead: load, response times and stores, and when their limits come.

mod charts;
mod data;
mod ui;
mod update;

pub use data::Data;
pub(super) use ui::show;
pub use update::years_drawn;
pub(in crate::desktop) use update::{ask_growth, horizon_moved};
