//! Today's system: what it does, what is wrong with it, and what to change first.

mod data;
mod ui;
mod update;

pub use data::Data;
pub(super) use ui::show;
pub(in crate::desktop) use update::ask_today;
