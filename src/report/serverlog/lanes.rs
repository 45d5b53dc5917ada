//! Waits and holds of a timeline in words.

use super::words::{call, clock, name, time};
use crate::serverlog::analysis::LockBar;

/// "bob: submit -d x, 10:00:06 for 29 s".
fn who(bar: &LockBar) -> String {
    format!(
        "{}: {}, {} for {}",
        name(&bar.user),
        call(&bar.function, &bar.arguments),
        clock(bar.start),
        time(bar.lapse_s)
    )
}

/// "shared 1.2 s", "exclusive 28 s", or both.
fn modes(bar: &LockBar) -> String {
    let modes = [("shared", bar.read_s), ("exclusive", bar.write_s)];
    let modes = modes.into_iter().filter(|(_, s)| *s > 0.0);
    let modes: Vec<String> = modes.map(|(mode, s)| format!("{mode} {}", time(s))).collect();
    modes.join(", ")
}

/// A command that waited: "bob: submit -d x, 10:00:06 for 29 s; waited: exclusive 28 s".
pub fn wait_in_words(bar: &LockBar) -> String {
    format!("{}; waited: {}", who(bar), modes(bar))
}

/// A command that held a lock: "ann: submit, 10:00:05 for 30 s; held: exclusive 30 s".
pub fn hold_in_words(bar: &LockBar) -> String {
    format!("{}; held: {}", who(bar), modes(bar))
}
