//! What a server log says, in words: one screen, everything, JSON, an HTML page with plots.
//!
//! ```text
//!  Findings ─┬► words, points ─► screen   who to talk to, what to change, what happens
//!            ├► parts ─────────► full text, HTML (with charts)
//!            └► json
//! ```

mod charts;
mod html;
mod journal;
mod json;
mod parts;
mod parts_locks;
mod parts_servers;
mod parts_transfers;
mod points;
mod replay;
mod screen;
mod words;

pub use html::workload_html;
pub use json::{workload_header, workload_json};
pub use parts::workload_text;
pub use replay::{replay_json, replay_text};
pub use screen::{workload_brief, workload_screen};
