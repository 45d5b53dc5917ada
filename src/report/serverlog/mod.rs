//! What a server log says, in words: one screen, everything, JSON, an HTML page with plots.
//!
//! ```text
//!  Findings ─┬► words, points ─► screen   who to talk to, what to change, what happens
//!            ├► parts, charts ─► page: full text, HTML, the window
//!            └► json
//! ```

mod charts;
mod checkpoint;
mod counterfactual;
mod first;
mod journal;
mod json;
mod lanes;
mod parts;
mod parts_locks;
mod parts_servers;
mod parts_transfers;
mod points;
mod replay;
mod screen;
mod standing;
mod standing_json;
mod teams;
mod unserved;
mod words;

pub(crate) use counterfactual::WithoutLog;
pub use counterfactual::counterfactual_page;
pub use first::{FirstScreen, workload_brief};
pub(crate) use json::{AnswerWritten, Cost, SiteWritten, Workload};
pub use lanes::{hold_in_words, wait_in_words};
pub use parts::{sections, workload_html, workload_text};
pub use parts_locks::chain_anchor;
pub(crate) use replay::ReplayedLog;
pub use replay::replay_page;
pub use screen::workload_screen;
pub use standing::{State, why};
pub use words::{axis_clock, name};
