//! What one leaves with: the report, and the configuration to paste.

mod data;
mod ui;
mod update;

pub use data::Data;
pub(super) use ui::show;
pub use update::ReportCommand;
pub(in crate::desktop) use update::update;
