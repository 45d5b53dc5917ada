//! Layouts side by side.

mod against;
mod data;
mod measures;
mod ui;
mod ui_against;
mod ui_table;
mod update;

pub use against::OtherSite;
pub use data::{Column, Data};
pub use measures::{Figure, Group, Measure};
pub(super) use ui::show;
pub use update::CompareCommand;
pub(in crate::desktop) use update::{ask_against, update};
