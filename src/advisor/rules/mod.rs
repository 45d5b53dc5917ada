//! Rules that check a solved deployment: what is risky, what it does to users, the evidence, and what to do.
//!
//! One file for each rule; ids are stable and never reused: `STO` storage, `NET` network, `CPU`, `MEM`,
//! `QUE` queueing and locks, `CAP` capacity, `PLC` placement, `OSX` operating system, `BLD` build
//! farms, `EDG` edges and replicas, `FLX` clones, `RCV` recovery, `REL` releases, `EVD` quality of the evidence;
//! `SIT` belongs to the questionnaire.

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

use std::fmt::Display;

use crate::advisor::growth::Headroom;
use crate::advisor::merged::merged;
use crate::advisor::recovery::{Recovery, Timed};
use crate::advisor::sensitivity::Influence;
use crate::calibration::Calibration;
use crate::catalog::{Access, Catalog, MountOption, Value};
use crate::origin::Origin;
use crate::site::{Answer, Site};
use crate::system::capacity::{Memory, RoleSize, provide};
use crate::system::{Deployment, Job, Mount, Prediction, ResourceKind, role_in_words};
use crate::units::{Fraction, grouped};

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
    /// Whether the deployment is the system that is there, which no emitted configuration has touched.
    pub is_there: bool,
    /// What today's peak overloads, in words: the prediction is then of the largest load that is carried.
    pub overload: Option<&'a str>,
}

/// One number behind a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Id of a datum, a reference, a field of the site, or `model`.
    pub id: String,
    /// What it shows, with the number.
    pub text: String,
    /// Whether it is an answer that nobody gave.
    pub is_assumed: bool,
}

impl Evidence {
    /// From an id and its text.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            text: text.into(),
            is_assumed: false,
        }
    }
}

impl Evidence {
    /// An answer of the site, or the assumption in its place.
    fn answer<T>(path: &str, answer: &Answer<T>, shown: impl Display) -> Self {
        let is_assumed = matches!(
            answer.origin,
            Origin::Assumed { .. } | Origin::Derived { .. }
        );
        Self {
            is_assumed,
            ..Self::new(path, format!("{shown} ({})", answer.origin.kind()))
        }
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
            cost: 0.0,
            about: Vec::new(),
            also: Vec::new(),
            is_of_today: false,
        }
    }
}

impl Finding {
    /// The same with what it costs the site \[person-hours/year\].
    fn costing(self, cost: f64) -> Self {
        Self { cost, ..self }
    }

    /// The same with the names of the resources, locks, volumes or kinds of work that it is about.
    fn about<T: Into<String>>(self, names: impl IntoIterator<Item = T>) -> Self {
        let about = names.into_iter().map(Into::into).collect();
        Self { about, ..self }
    }

    /// The same as one of the system that is there, where another is recommended.
    pub(super) fn of_today(self) -> Self {
        let message = if self.message.starts_with("today") {
            self.message
        } else {
            format!("today {}", self.message)
        };
        Self {
            is_of_today: true,
            message,
            ..self
        }
    }

    /// How sure it is, from the origins of its evidence.
    pub fn basis(&self) -> Basis<'_> {
        if let Some(assumed) = self.evidence.iter().find(|e| e.is_assumed) {
            return Basis::Assumed(&assumed.id);
        }
        if self.evidence.iter().any(|e| e.id == "model") {
            Basis::Estimated
        } else {
            Basis::Stated
        }
    }
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis<'a> {
    /// It follows from answers and published rules.
    Stated,
    /// A number in it is the model's.
    Estimated,
    /// A number in it rests on an answer that nobody gave: its field.
    Assumed(&'a str),
}

impl Basis<'_> {
    /// "from the answers", "estimate", "rests on data.files, which is assumed".
    pub fn in_words(self) -> String {
        match self {
            Self::Stated => "from the answers".to_owned(),
            Self::Estimated => "estimate".to_owned(),
            Self::Assumed(field) => format!("rests on {field}, which is assumed"),
        }
    }
}

/// Busy resources.
struct Busy {
    /// "client network 82 % busy, …".
    words: String,
    /// The busiest.
    evidence: Evidence,
    /// Their names.
    names: Vec<String>,
}

/// A day \[s\].
const A_DAY: f64 = 86_400.0;
/// Days of a year on which people work (assumed, as are all costs of findings: they rank, and are not shown).
const WORKDAYS: f64 = 250.0;
/// Working hours of a person and year.
const WORK_HOURS: f64 = 2000.0;

impl Facts<'_> {
    /// People at work at once.
    fn at_work(&self) -> f64 {
        let people = &self.site.people;
        people.developers.value * people.at_work.value.get()
    }

    /// "300 people".
    fn people_in_words(&self) -> String {
        let people = self.site.people.developers.value;
        match grouped(people).as_str() {
            "1" => "1 person".to_owned(),
            people => format!("{people} people"),
        }
    }

    /// What a standstill of so many hours, so many times a year, costs \[person-hours/year\].
    fn standstill(&self, hours: f64, times: f64) -> f64 {
        self.at_work() * hours * times
    }

    /// What it costs if everybody loses this share of the working time \[person-hours/year\].
    fn slowed(&self, share: f64) -> f64 {
        self.at_work() * WORK_HOURS * share
    }

    /// The same of what the load causes: a load that nobody stated may be a quarter of what is assumed (a guess, as all costs).
    fn loaded(&self, share: f64) -> f64 {
        self.if_loaded(self.slowed(share))
    }

    /// The same of a cost that is known.
    fn if_loaded(&self, cost: f64) -> f64 {
        const UNSTATED: f64 = 0.25;
        let is_stated = self.site.workload.commands_per_day.is_stated();
        cost * if is_stated { 1.0 } else { UNSTATED }
    }

    /// A sign that was seen on the server, as evidence.
    fn seen(&self, sign: &str) -> Option<Evidence> {
        let answer = self.site.today.sign(sign)?;
        Some(Evidence::answer("today.signs", answer, sign))
    }

    /// How busy the busiest resource of these kinds is.
    fn utilization(&self, kinds: &[ResourceKind]) -> f64 {
        let all = self.prediction.resources.iter();
        let used = all
            .filter(|r| kinds.contains(&r.kind))
            .map(|r| r.utilization);
        used.fold(0.0, f64::max)
    }

    /// Maintenance of one kind, with its predicted time.
    fn job(&self, job: Job) -> Option<&Timed> {
        let mut all = self.recovery.durations.iter();
        all.find(|timed| timed.duration.job == job)
    }

    /// The volumes that a system that is there mounts with stated options, and these.
    fn stated_options(&self) -> impl Iterator<Item = (&Mount, Vec<&str>)> {
        let stated = |mount: &'_ Mount| mount.stated_options.is_some();
        let volumes = self.deployment.volumes.iter().filter(move |m| stated(m));
        volumes.map(|mount| {
            let options = mount.stated_options.as_deref().unwrap_or_default();
            (mount, options.split(',').map(str::trim).collect())
        })
    }

    /// A text that the emitted configuration sets, so that a finding and a file give the same number.
    fn setting(&self, file: &str, name: &str) -> Option<String> {
        let list = &self.catalog.settings.get(file)?.list;
        let setting = list.iter().find(|setting| setting.name == name)?;
        match &setting.value {
            Value::Text(text) => Some(text.value.clone()),
            Value::Amount(amount) => {
                let of = if amount.of == "cores" {
                    self.deployment.cores
                } else {
                    let role = amount.of.strip_prefix("volume_")?;
                    let size = self.sizes.iter().find(|size| size.role == role)?;
                    let mount = self.deployment.mount(role)?;
                    size.data.get() * provide(self.site, self.catalog, mount)
                };
                let number = amount.reckon(of);
                Some(amount.text.value.replace("{}", &format!("{number:.0}")))
            }
            Value::Ask { .. } => None,
        }
    }

    /// A figure of a datum with the datum's title, as the source has it.
    fn measured(&self, id: &str, name: &str) -> Evidence {
        let figure = self.calibration.datum(id).map(|datum| {
            let shown = datum.value(name).map_or("", |value| &value.shown);
            format!("{}: {} {shown}", datum.title, name.replace('-', " "))
        });
        Evidence::new(id, figure.unwrap_or_else(|| name.to_owned()))
    }

    /// Resources of these kinds that are busier than `limit`, busiest first; nothing where there are none.
    fn busier(&self, kinds: &[ResourceKind], limit: f64) -> Option<Busy> {
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
        Some(Busy {
            words: words.join(", "),
            evidence: Evidence::new("model", text),
            names: busy.iter().map(|r| r.name.clone()).collect(),
        })
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
    /// What it costs the site, roughly \[person-hours/year\]: findings of one severity are ranked by it.
    pub cost: f64,
    /// The resources, locks, volumes or kinds of work that it is about, by name; findings about the same are merged.
    pub about: Vec<String>,
    /// Rules that state the same fact and were merged into this finding.
    pub also: Vec<&'static str>,
    /// Whether it is of the system that is there, where another is recommended.
    pub is_of_today: bool,
}

/// All rules, by id. `tests/it/rules.rs` checks the order, the docs and the files.
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

/// Runs all rules; a fact that several state is found once. Worst findings first, then those that cost the site most, then
/// by id.
pub fn check(facts: &Facts<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        (rule.check)(facts, &mut findings);
    }
    let mut findings = merged(findings);
    sort(&mut findings);
    findings
}

/// Worst first, then those that cost the site most, then by id.
pub(super) fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let severity = b.severity.cmp(&a.severity);
        let cost = b.cost.total_cmp(&a.cost);
        severity.then(cost).then(a.rule.cmp(b.rule))
    });
}
