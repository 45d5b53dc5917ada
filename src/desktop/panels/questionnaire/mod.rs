//! The site's questions: what is answered, what is assumed instead, and what to ask first.

mod control;
mod data;
mod question;
mod ui;

pub use control::{Control, Picked, Word};
pub use data::{Ask, Data, Group, PartHead, next_open, progress};
pub use question::{Assumed, Matter, Question};
pub(super) use ui::show;
