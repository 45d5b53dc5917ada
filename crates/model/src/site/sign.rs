//! Signs of trouble that an administrator sees on the running server: the words of `today.signs`.
//!
//! Each has an entry in `models/glossary.toml`, which says how to find it, and a rule of the advisor that fires on it.

/// Every sign, as the site file has it.
pub const SIGNS: &[&str] = &[
    "stalls",
    "slow-syncs",
    "memory-ballooning",
    "vm-snapshots",
    "processor-steal",
    "swapping",
    "huge-pages",
    "power-saving",
    "antivirus",
    "access-times",
    "server-locks-on-disk",
    "live-checkpoint",
    "journal-not-rotated",
    "no-command-limits",
    "monitor-off",
    "untracked-log",
    "pull-list-polled",
    "exclusive-opens",
    "static-labels",
    "stale-workspaces",
    "full-build-workspaces",
    "shared-build-workspace",
    "slow-triggers",
    "default-free-space-limits",
];
