//! A day, event by event: choose it, put troubles into it, and watch.

mod data;
mod shown;
mod ui;
mod update;

pub use data::{Data, Status};
pub use shown::{LockRow, Mark, Row, Shown, clock};
pub(super) use ui::show;
pub use update::SimulateCommand;
pub(in crate::desktop) use update::update;
