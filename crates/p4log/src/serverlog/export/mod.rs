//! Records and findings in the forms of other tools.

pub mod jsonl;
pub mod prometheus;
pub mod sqlite;
