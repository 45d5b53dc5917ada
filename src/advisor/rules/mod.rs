//! Rules that check a solved deployment: what is risky, what it does to users, the evidence, and what to do.
//!
//! One file for each rule; ids are stable and never reused: `STO` storage, `NET` network, `CPU`, `MEM`,
//! `QUE` queueing and locks, `CAP` capacity, `PLC` placement, `OSX` operating system, `BLD` build
//! farms, `EDG` edges and replicas, `CLD` instances of a cloud, `FLX` clones, `RCV` recovery, `REL` releases,
//! `EVD` quality of the evidence; `SIT` belongs to the questionnaire.

mod access_times;
mod antivirus;
mod archive_pull_queue;
mod assumed_edge_drives;
mod availability_missed;
mod build_farm_without_proxy;
mod busy_lock;
mod busy_nfs_slots;
mod busy_office_line;
mod busy_processor;
mod case_handling;
mod checkpoint_beside_db;
mod checkpoint_far_from_estimate;
mod checkpoint_longer_than_night;
mod database_not_cached;
mod database_not_rebuilt;
mod database_on_disks;
mod db_on_nfs;
mod decisive_assumption;
mod default_free_space_limits;
mod depots_on_cloud_volumes;
mod distant_office_without_edge;
mod edge_without_copy;
mod exclusive_opens;
mod expensive_tool_reads;
mod few_inodes;
mod full_build_workspaces;
mod huge_pages;
mod idle_cores;
mod idle_edges;
mod idle_proxy;
mod instance_limits;
mod journal_beside_db;
mod journal_not_rotated;
mod journal_on_nfs;
mod listed_pull_queue;
mod live_checkpoint;
mod load_limit_before_horizon;
mod locks_on_reads;
mod log_on_nfs_at_high_level;
mod long_commit;
mod long_holder;
mod long_large_syncs;
mod long_verify;
mod many_checkpoints_kept;
mod memory_below_rule;
mod memory_exhausted;
mod missing_snapshot_reserve;
mod more_commands_than_published;
mod nfsv4_no_local_lock;
mod no_backup;
mod old_release;
mod overloaded_peak;
mod parity_under_database;
mod polling_flood;
mod power_saving;
mod quiet_log;
mod saturated_client_network;
mod saturated_disks;
mod server_locks_on_disk;
mod shared_build_workspace;
mod shared_paths;
mod shared_spindles;
mod shared_storage;
mod shared_storage_and_client_network;
mod single_client_mount_options;
mod slow_recovery;
mod slow_syncs;
mod slow_triggers;
mod small_tcp_window;
mod snapshots_beside_data;
mod soft_mount;
mod stale_workspaces;
mod static_labels;
mod storage_will_not_help;
mod swapping;
mod synchronous_mount;
mod too_few_pull_threads;
mod unexplained_stalls;
mod unlimited_commands;
mod unpinned_nfs_version;
mod unprotected_raid;
mod unsafe_directories;
mod unused_array;
mod virtual_machine_traps;
mod volume_full_before_horizon;
mod weak_evidence;
mod windows_32_bit;
mod windows_under_load;
mod workspace_clones;

use super::facts::{A_DAY, Busy, WORK_HOURS, WORKDAYS, lie, memory_to_buy, words};
use super::merged::merged;
use super::unstated::Part;

pub(super) use saturated_disks::UTILIZATION_MAX as BUSY_DISKS;
pub(super) use small_tcp_window::SHARE_MIN;

pub use super::facts::Facts;
pub use super::finding::{Basis, Evidence, Finding, Severity};

/// One rule: its documentation and its check.
#[derive(Debug)]
pub struct Rule {
    /// Stable id: family letters and three digits.
    pub id: &'static str,
    /// The file's name with dashes: a noun phrase, the failing state.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// Markdown with the sections of [`DOC_SECTIONS`].
    pub docs: &'static str,
    /// Checks the facts, and adds what it finds.
    pub check: fn(&Facts<'_>, &mut Vec<Finding>),
}

/// Every rule's docs have these headings, in this order.
pub const DOC_SECTIONS: [&str; 5] = [
    "### What it does",
    "### Why it matters",
    "### Evidence",
    "### What to do",
    "### Limits",
];

impl Rule {
    /// One finding of this rule.
    fn finding(
        &self,
        severity: Severity,
        message: String,
        action: impl Into<String>,
        evidence: Vec<Evidence>,
    ) -> Finding {
        Finding {
            rule: self.id,
            severity,
            message,
            action: action.into(),
            evidence,
            cost: 0.0,
            about: Vec::new(),
            also: Vec::new(),
            is_of_today: false,
            is_suspicion: false,
        }
    }
}

/// All rules, by id. `tests/it/rules/` checks the order, the docs and the files.
pub static RULES: &[&Rule] = &[
    &build_farm_without_proxy::RULE,
    &full_build_workspaces::RULE,
    &shared_build_workspace::RULE,
    &idle_proxy::RULE,
    &long_large_syncs::RULE,
    &volume_full_before_horizon::RULE,
    &missing_snapshot_reserve::RULE,
    &load_limit_before_horizon::RULE,
    &assumed_edge_drives::RULE,
    &database_not_rebuilt::RULE,
    &many_checkpoints_kept::RULE,
    &few_inodes::RULE,
    &default_free_space_limits::RULE,
    &stale_workspaces::RULE,
    &instance_limits::RULE,
    &busy_processor::RULE,
    &power_saving::RULE,
    &idle_cores::RULE,
    &archive_pull_queue::RULE,
    &too_few_pull_threads::RULE,
    &listed_pull_queue::RULE,
    &edge_without_copy::RULE,
    &idle_edges::RULE,
    &more_commands_than_published::RULE,
    &weak_evidence::RULE,
    &decisive_assumption::RULE,
    &storage_will_not_help::RULE,
    &quiet_log::RULE,
    &workspace_clones::RULE,
    &memory_below_rule::RULE,
    &database_not_cached::RULE,
    &memory_exhausted::RULE,
    &swapping::RULE,
    &unlimited_commands::RULE,
    &saturated_client_network::RULE,
    &distant_office_without_edge::RULE,
    &shared_storage_and_client_network::RULE,
    &busy_office_line::RULE,
    &small_tcp_window::RULE,
    &slow_syncs::RULE,
    &windows_32_bit::RULE,
    &case_handling::RULE,
    &windows_under_load::RULE,
    &huge_pages::RULE,
    &virtual_machine_traps::RULE,
    &db_on_nfs::RULE,
    &journal_on_nfs::RULE,
    &single_client_mount_options::RULE,
    &log_on_nfs_at_high_level::RULE,
    &shared_spindles::RULE,
    &nfsv4_no_local_lock::RULE,
    &journal_beside_db::RULE,
    &shared_storage::RULE,
    &shared_paths::RULE,
    &soft_mount::RULE,
    &synchronous_mount::RULE,
    &unpinned_nfs_version::RULE,
    &access_times::RULE,
    &server_locks_on_disk::RULE,
    &antivirus::RULE,
    &long_commit::RULE,
    &locks_on_reads::RULE,
    &busy_lock::RULE,
    &long_holder::RULE,
    &polling_flood::RULE,
    &expensive_tool_reads::RULE,
    &unexplained_stalls::RULE,
    &exclusive_opens::RULE,
    &static_labels::RULE,
    &slow_triggers::RULE,
    &overloaded_peak::RULE,
    &slow_recovery::RULE,
    &live_checkpoint::RULE,
    &checkpoint_longer_than_night::RULE,
    &availability_missed::RULE,
    &long_verify::RULE,
    &no_backup::RULE,
    &snapshots_beside_data::RULE,
    &checkpoint_beside_db::RULE,
    &journal_not_rotated::RULE,
    &checkpoint_far_from_estimate::RULE,
    &old_release::RULE,
    &saturated_disks::RULE,
    &busy_nfs_slots::RULE,
    &unprotected_raid::RULE,
    &unsafe_directories::RULE,
    &unused_array::RULE,
    &depots_on_cloud_volumes::RULE,
    &database_on_disks::RULE,
    &parity_under_database::RULE,
];

/// Runs all rules; a fact that several state is found once. In the order of `sort`.
pub fn check(facts: &Facts<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        (rule.check)(facts, &mut findings);
    }
    let mut findings = merged(findings);
    sort(&mut findings, |_| false);
    findings
}

/// Worst first; of one severity what the answers show before what rests on an assumed answer, and what is only suspected last;
/// then those that lead, those that cost the site most, then by id.
pub(super) fn sort(findings: &mut [Finding], leads: impl Fn(&Finding) -> bool) {
    findings.sort_by(|a, b| {
        let severity = b.severity.cmp(&a.severity);
        let shown = a.sureness().cmp(&b.sureness());
        let leading = leads(b).cmp(&leads(a));
        let cost = b.cost.total_cmp(&a.cost);
        severity
            .then(shown)
            .then(leading)
            .then(cost)
            .then(a.rule.cmp(b.rule))
    });
}
