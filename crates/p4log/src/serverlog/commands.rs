//! Commands of the catalogue and what they are called in a log: `server-log.toml`.

use super::analysis::commands;

/// What is written of commands that touch files and have no line of their own.
const FILES: &str = "//depot/main/...";

/// Function and arguments that are written for a command of the catalogue.
///
/// ```
/// use plimsoll_p4log::serverlog::commands::{id, words};
///
/// assert_eq!(words("sync-n"), ("user-sync".to_owned(), "-n //depot/main/..."));
/// assert_eq!(id("user-sync", "-f -n //depot/a"), "sync-n");
/// assert_eq!(id("user-edit", "//depot/a"), "edit");
/// ```
pub fn words(id: &str) -> (String, &'static str) {
    let named = commands().iter().find(|named| named.id == id);
    named.map_or_else(
        || (format!("user-{id}"), FILES),
        |named| {
            let arguments = named.arguments.as_deref().unwrap_or(FILES);
            (named.function.clone(), arguments)
        },
    )
}

/// The command of the catalogue that a function with these arguments would be; there may be none of that id.
pub fn id<'f>(function: &'f str, arguments: &str) -> &'f str {
    let has = |option: &str| arguments.split_whitespace().any(|word| word == option);
    let named = commands().iter().find(|named| named.function == function && named.option.as_deref().is_none_or(has));
    named.map_or_else(|| function.strip_prefix("user-").unwrap_or(function), |named| named.id.as_str())
}
