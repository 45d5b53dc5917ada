//! The site's load on a volume of this machine: what will be done, curves while it runs, the result beside the prediction.

mod charts;
mod data;
mod ui;
mod update;

pub use charts::{Curve, curves, rates};
pub use data::{Data, Running};
pub(super) use ui::show;
pub use update::RehearsalCommand;
pub(in crate::desktop) use update::{ask_plan, ended, stop, update};
