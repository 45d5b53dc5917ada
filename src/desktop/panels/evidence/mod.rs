//! Where the numbers come from: published against predicted, parameters, sources, the origin of any number.

mod data;
mod figures;
mod origin;
mod ui;
mod update;

pub use data::Data;
pub use figures::Figures;
pub use origin::Origin;
pub(super) use ui::show;
pub(in crate::desktop) use update::ask_accuracy;
