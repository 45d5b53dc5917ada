//! What a customer knows in the room: the questions that are asked before anything is computed.

use crate::site::{FIELDS, Kind};

/// Their fields, in the order of asking: people, where it runs, the offices, how much is stored and on what, how long a sync may
/// take. A list of tables stands for the questions of each of its tables.
pub const OPENING: [&str; 9] = [
    "name",
    "people.developers",
    "server.model",
    OFFICES,
    "data.db_size",
    "data.depot_size",
    "infrastructure.storage",
    "targets.sync",
    "targets.large_sync",
];

/// The list of offices beside the main one.
pub const OFFICES: &str = "people.site";

/// Whether a question is asked once for each table of a list.
pub fn is_of_a_list(path: &str) -> bool {
    let mut lists = FIELDS.iter().filter(|field| field.kind == Kind::Tables);
    lists.any(|list| {
        let below = path.strip_prefix(list.path);
        below.is_some_and(|rest| rest.starts_with('.'))
    })
}
