//! Rules that check a solved deployment: what is risky, what it does to users, the evidence, and what to do.
//!
//! The words of a rule are `models/rules/ID.md`; its check stands in the file of its family. Ids are stable and never reused: `STO`
//! storage, `NET` network, `CPU`, `MEM`, `QUE` queueing and locks, `CAP` capacity, `PLC` placement, `OSX` operating system, `BLD` build
//! farms, `EDG` edges and replicas, `CLD` instances of a cloud, `FLX` clones, `RCV` recovery, `REL` releases,
//! `EVD` quality of the evidence; `SIT` belongs to the questionnaire.

mod builds;
mod capacity;
mod commands;
mod edges;
mod evidence;
mod hosts;
mod locks;
mod memory;
mod network;
mod nfs;
mod placement;
mod recovery;
mod signs;
mod storage;

use std::sync::LazyLock;

use super::facts::{A_DAY, Busy, WORK_HOURS, WORKDAYS, lie, words};
use super::merged::merged;
use super::said::Said;
use super::unstated::Part;
use signs::{SIGN_RULES, SignRule};

pub(super) use memory::HIT_MIN;
pub(super) use network::SHARE_MIN;
pub(super) use storage::UTILIZATION_MAX as BUSY_DISKS;
pub(crate) use storage::unserved;

pub use super::facts::Facts;
pub use super::finding::{Basis, Evidence, Finding, Remedy, Severity};

/// One rule: its documentation and its check.
#[derive(Debug)]
pub struct Rule {
    /// Stable id: family letters and three digits.
    pub id: &'static str,
    /// A noun phrase with dashes, the failing state; its check has the same name.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// In which part of the space that is searched its remedy lies; none where it lies elsewhere.
    pub remedy: Option<Remedy>,
    /// Markdown with the sections of [`DOC_SECTIONS`].
    pub docs: &'static str,
    check: Check,
}

/// How a rule checks the facts.
#[derive(Debug, Clone, Copy)]
enum Check {
    /// It finds one thing or nothing.
    Once(fn(&Facts<'_>) -> Option<Finding>),
    /// It may find several: an office, a volume, a server each.
    Each(fn(&Facts<'_>, &mut Vec<Finding>)),
    /// It repeats signs: its rows of [`SIGN_RULES`].
    Signs,
}

/// Every rule's docs have these headings, in this order.
pub const DOC_SECTIONS: [&str; 5] =
    ["### What it does", "### Why it matters", "### Evidence", "### What to do", "### Limits"];

/// The checks, by the id of their rule.
const FAMILIES: [&[(&str, Check)]; 13] = [
    builds::RULES,
    capacity::RULES,
    commands::RULES,
    edges::RULES,
    evidence::RULES,
    hosts::RULES,
    locks::RULES,
    memory::RULES,
    network::RULES,
    nfs::RULES,
    placement::RULES,
    recovery::RULES,
    storage::RULES,
];

/// All rules, by id.
pub static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let rules = crate::catalog::RULES
        .iter()
        .map(|(id, text)| Rule::of(id, text).unwrap_or_else(|| panic!("models/rules/{id}.md: name, summary, text")));
    rules.collect()
});

impl Rule {
    /// From its text: name, summary and, where the search may find it, the kind of remedy between lines of dashes, then the docs.
    fn of(id: &'static str, text: &'static str) -> Option<Self> {
        let (head, docs) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
        let mut lines = head.lines();
        let mut line = |key| lines.next().map(|line| line.strip_prefix(key));
        let (name, summary) = (line("name: ")??, line("summary: ")??);
        let remedy = match line("remedy: ") {
            Some(word) => Some(Remedy::named(word?)?),
            None => None,
        };
        let check = FAMILIES.iter().copied().flatten().find(|(rule, _)| *rule == id);
        Some(Self { id, name, summary, remedy, docs, check: check.map_or(Check::Signs, |(_, check)| *check) })
    }

    /// What it finds.
    pub fn findings(&self, facts: &Facts<'_>) -> Vec<Finding> {
        let mut found = Vec::new();
        match self.check {
            Check::Once(check) => found.extend(check(facts)),
            Check::Each(check) => check(facts, &mut found),
            Check::Signs => {
                let rows = SIGN_RULES.iter().filter(|row| row.rule == self.id);
                found.extend(rows.filter_map(|row| row.finding(facts)));
            }
        }
        for finding in &mut found {
            finding.rule = self.id;
            finding.remedy = self.remedy;
        }
        found
    }
}

/// Runs all rules; a fact that several state is found once. In the order of `sort`.
pub fn check(facts: &Facts<'_>) -> Vec<Finding> {
    let findings = RULES.iter().flat_map(|rule| rule.findings(facts));
    let mut findings = merged(findings.collect());
    sort(&mut findings, |_| 0);
    findings
}

/// The rules that say what to do about a sign of `today.signs`.
pub(super) fn of_sign(sign: &str) -> impl Iterator<Item = &'static str> {
    /// Those that look at more than the sign.
    const OTHERS: [(&str, &str); 3] =
        [("full-build-workspaces", "BLD002"), ("live-checkpoint", "RCV002"), ("slow-syncs", "NET005")];
    let rows = SIGN_RULES.iter().map(SignRule::sign_and_rule);
    let all = rows.chain(OTHERS);
    all.filter_map(move |(of, rule)| (of == sign).then_some(rule))
}

/// Worst first; of one severity what is to be done before what was weighed and stays, what the answers show before what rests on an
/// assumed answer, and what is only suspected last; then by their place, those that cost the site most, then by id.
pub(super) fn sort(findings: &mut [Finding], place: impl Fn(&Finding) -> usize) {
    findings.sort_by(|a, b| {
        let stays = a.stays.is_some().cmp(&b.stays.is_some());
        let severity = b.severity.cmp(&a.severity).then(stays);
        let shown = a.sureness().cmp(&b.sureness());
        let leading = place(a).cmp(&place(b));
        let cost = b.cost.total_cmp(&a.cost);
        severity.then(shown).then(leading).then(cost).then(a.rule.cmp(b.rule))
    });
}
