//! Rules that check a solved deployment: what is risky, what it does to users, the evidence, and what to do.
//!
//! One file for each rule; ids are stable and never reused: `STO` storage, `NET` network, `CPU`, `MEM`,
//! `QUE` queueing and locks, `CAP` capacity, `PLC` placement, `OSX` operating system, `BLD` build
//! farms, `FLX` clones, `RCV` recovery, `EVD` quality of the evidence; `SIT` belongs to the questionnaire.

mod assumed_edge_drives;
mod build_farm_without_proxy;
mod busy_lock;
mod busy_nfs_slots;
mod busy_processor;
mod database_not_cached;
mod db_on_nfs;
mod decisive_assumption;
mod distant_office_without_edge;
mod journal_beside_db;
mod journal_on_nfs;
mod load_limit_before_horizon;
mod locks_on_reads;
mod log_on_nfs_at_high_level;
mod long_commit;
mod memory_below_rule;
mod memory_exhausted;
mod missing_snapshot_reserve;
mod nfsv4_no_local_lock;
mod saturated_client_network;
mod saturated_disks;
mod shared_spindles;
mod shared_storage;
mod shared_storage_and_client_network;
mod single_client_mount_options;
mod slow_recovery;
mod unprotected_raid;
mod unsafe_directories;
mod unused_array;
mod volume_full_before_horizon;
mod weak_evidence;
mod windows_32_bit;
mod workspace_clones;

use std::fmt::Display;

use crate::advisor::growth::Headroom;
use crate::advisor::recovery::Recovery;
use crate::advisor::sensitivity::Influence;
use crate::calibration::Calibration;
use crate::catalog::{Access, Catalog, MountOption};
use crate::site::{Answer, Site};
use crate::system::capacity::{Memory, RoleSize};
use crate::system::{Deployment, Mount, Prediction, ResourceKind, role_in_words};
use crate::units::Fraction;

/// How bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Slows or endangers the work.
    Warning,
    /// Endangers data or stops the work.
    Critical,
}

impl Severity {
    /// One word, as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

/// One rule: its documentation and its check.
#[derive(Debug)]
pub struct Rule {
    /// Stable id: family letters and three digits.
    pub id: &'static str,
    /// The file's name with dashes: a noun phrase, the failing state.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// First version with it.
    pub since: &'static str,
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

/// What rules may use.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The questionnaire.
    pub site: &'a Site,
    /// What exists.
    pub catalog: &'a Catalog,
    /// What was measured.
    pub calibration: &'a Calibration,
    /// The deployment.
    pub deployment: &'a Deployment,
    /// What it does at the peak.
    pub prediction: &'a Prediction,
    /// Sizes by role.
    pub sizes: &'a [RoleSize],
    /// Memory of the servers, and what they need.
    pub memory: &'a Memory,
    /// How far to the limits.
    pub headroom: &'a Headroom,
    /// How long the largest submit holds the commit section \[s\].
    pub largest_commit: f64,
    /// Which assumptions matter, largest first.
    pub influences: &'a [Influence],
    /// How it fails and recovers.
    pub recovery: &'a Recovery,
}

/// One number behind a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Id of a datum, a reference, a field of the site, or `model`.
    pub id: String,
    /// What it shows, with the number.
    pub text: String,
}

impl Evidence {
    /// From an id and its text.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            text: text.into(),
        }
    }
}

impl Evidence {
    /// An answer of the site, or the assumption in its place.
    fn answer<T>(path: &str, answer: &Answer<T>, shown: impl Display) -> Self {
        Self::new(path, format!("{shown} ({})", answer.origin.kind()))
    }
}

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
        }
    }
}

impl Facts<'_> {
    /// A figure of a datum with the datum's title, as the source has it.
    fn measured(&self, id: &str, name: &str) -> Evidence {
        let figure = self.calibration.datum(id).map(|datum| {
            let shown = datum.value(name).map_or("", |value| &value.shown);
            format!("{}: {} {shown}", datum.title, name.replace('-', " "))
        });
        Evidence::new(id, figure.unwrap_or_else(|| name.to_owned()))
    }

    /// Resources of these kinds that are busier than `limit`, busiest first, and the same as
    /// evidence; nothing where there are none.
    fn busier(&self, kinds: &[ResourceKind], limit: f64) -> Option<(String, Evidence)> {
        let mut busy: Vec<_> = self
            .prediction
            .resources
            .iter()
            .filter(|r| kinds.contains(&r.kind) && r.utilization > limit)
            .collect();
        busy.sort_by(|a, b| b.utilization.total_cmp(&a.utilization));
        let first = busy.first()?;
        let words: Vec<String> = busy
            .iter()
            .map(|r| {
                format!(
                    "{} {} busy",
                    r.name,
                    Fraction::new(r.utilization).estimated()
                )
            })
            .collect();
        let text = format!(
            "{} is {} busy at the peak, above {}",
            first.name,
            Fraction::new(first.utilization).estimated(),
            Fraction::new(limit)
        );
        Some((words.join(", "), Evidence::new("model", text)))
    }

    /// The volume of a role if it lies on an export.
    fn on_export(&self, role: &str) -> Option<&Mount> {
        let mount = self.deployment.mount(role)?;
        let protocol = self.catalog.protocols.get(&mount.protocol)?;
        (protocol.access == Access::File).then_some(mount)
    }

    /// What the mount options of a volume remove or require; nothing without options.
    fn options_of(&self, mount: &Mount) -> Option<&MountOption> {
        let protocol = self.catalog.protocols.get(&mount.protocol)?;
        protocol.mount_options.get(mount.mount_option?)
    }

    /// The roles that share a volume's set of disks.
    fn roles_beside(&self, mount: &Mount) -> Vec<&'static str> {
        let beside = |m: &&Mount| m.set == mount.set;
        let volumes = self.deployment.volumes.iter().filter(beside);
        volumes.flat_map(|m| m.roles.iter().copied()).collect()
    }
}

/// "database and journal": roles as a person calls them.
fn words(roles: &[&str]) -> String {
    let words: Vec<&str> = roles.iter().map(|role| role_in_words(role)).collect();
    match words.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        other => other.join(""),
    }
}

/// "database and journal lie", "the journal lies".
fn lie(roles: &[&str]) -> String {
    match roles {
        ["depot" | "checkpoint"] => format!("the {} lie", words(roles)),
        [_] => format!("the {} lies", words(roles)),
        _ => format!("{} lie", words(roles)),
    }
}

/// What a rule found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Which rule.
    pub rule: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What is wrong and what it does to users, with the numbers: a clause without capital and full stop.
    pub message: String,
    /// What to do: the same.
    pub action: String,
    /// The evidence.
    pub evidence: Vec<Evidence>,
}

/// All rules, by id. `tests/it/rules.rs` checks the order, the docs and the files.
pub static RULES: &[&Rule] = &[
    &build_farm_without_proxy::RULE,
    &volume_full_before_horizon::RULE,
    &missing_snapshot_reserve::RULE,
    &load_limit_before_horizon::RULE,
    &assumed_edge_drives::RULE,
    &busy_processor::RULE,
    &weak_evidence::RULE,
    &decisive_assumption::RULE,
    &workspace_clones::RULE,
    &memory_below_rule::RULE,
    &database_not_cached::RULE,
    &memory_exhausted::RULE,
    &saturated_client_network::RULE,
    &distant_office_without_edge::RULE,
    &shared_storage_and_client_network::RULE,
    &windows_32_bit::RULE,
    &db_on_nfs::RULE,
    &journal_on_nfs::RULE,
    &single_client_mount_options::RULE,
    &log_on_nfs_at_high_level::RULE,
    &shared_spindles::RULE,
    &nfsv4_no_local_lock::RULE,
    &journal_beside_db::RULE,
    &shared_storage::RULE,
    &long_commit::RULE,
    &locks_on_reads::RULE,
    &busy_lock::RULE,
    &slow_recovery::RULE,
    &saturated_disks::RULE,
    &busy_nfs_slots::RULE,
    &unprotected_raid::RULE,
    &unsafe_directories::RULE,
    &unused_array::RULE,
];

/// Runs all rules; worst findings first, then by id.
pub fn check(facts: &Facts<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        (rule.check)(facts, &mut findings);
    }
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.rule.cmp(b.rule)));
    findings
}
