//! Layouts side by side.

mod against;
mod data;
mod others;
mod ui;
mod ui_against;
mod ui_heads;
mod update;

pub use against::OtherSite;
pub use data::{Column, Data};
pub use others::{Other, best_of_families};
pub(super) use ui::show;
pub use update::CompareCommand;
pub(in crate::desktop) use update::{ask_against, update};
