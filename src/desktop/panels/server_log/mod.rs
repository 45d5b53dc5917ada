//! What a server log says: how good it is, who to talk to, its locks over time, answers for the questionnaire.

mod data;
mod timeline;
mod ui;
mod update;

pub use data::Data;
pub use timeline::{BINS, Bar, Lane, Timeline};
pub(super) use ui::show;
pub use update::LogCommand;
pub(in crate::desktop) use update::update;
