//! Findings of several rules that state one fact, merged into one.
//!
//! The finding that says more stays, with the evidence of both, the graver severity and the higher cost. Findings that name
//! what they are about are merged only where the one that stays names all of it.

use super::rules::Finding;

/// The rule that stays, and one that states the same fact with less.
const SAME: [(&str, &str); 25] = [
    // Too little memory: for the processes, for the database, by the rule of thumb.
    ("MEM003", "MEM001"),
    ("MEM002", "MEM001"),
    // Disks under a database that memory does not hold.
    ("STO008", "MEM002"),
    ("STO008", "MEM001"),
    ("STO008", "STO001"),
    // What is overloaded is also busy.
    ("QUE011", "QUE003"),
    ("QUE011", "STO001"),
    ("QUE011", "STO002"),
    ("QUE011", "CPU001"),
    ("QUE011", "NET001"),
    ("QUE011", "NET004"),
    ("QUE011", "EVD003"),
    // The busiest resource is no storage: its own finding names it.
    ("NET001", "EVD003"),
    ("NET004", "EVD003"),
    ("CPU001", "EVD003"),
    ("QUE003", "EVD003"),
    // One submit holds the commit section, and by name its tables.
    ("QUE001", "QUE004"),
    // One export under database, journal and lock files.
    ("PLC001", "PLC002"),
    ("PLC001", "PLC006"),
    ("PLC001", "PLC014"),
    // A queue that is there, and one that may come.
    ("EDG003", "EDG001"),
    // A backup on the disks of the database is no copy elsewhere.
    ("PLC007", "RCV008"),
    // The same standstill at night, longer than it or not.
    ("RCV003", "RCV002"),
    ("STO008", "STO009"),
    // Disks under the database, and what else lies on them.
    ("STO008", "PLC005"),
];

/// The rule that finds what hurts, and one that suspects its cause: one answer needs both checks.
const CAUSES: [(&str, &str); 2] = [
    // A checkpoint takes long, perhaps because most of the database is free pages.
    ("RCV003", "CAP005"),
    ("RCV002", "CAP005"),
];

/// Findings with each fact once, in the order in which they came.
pub(super) fn merged(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    let mut dropped: Vec<(usize, Finding)> = Vec::new();
    let places: Vec<Option<usize>> =
        findings.iter().map(|one| findings.iter().position(|other| says(other, one))).collect();
    let mut new_places = Vec::with_capacity(findings.len());
    for (finding, place) in findings.into_iter().zip(&places) {
        if let Some(place) = place {
            new_places.push(None);
            dropped.push((*place, finding));
        } else {
            new_places.push(Some(kept.len()));
            kept.push(finding);
        }
    }
    for (mut place, finding) in dropped {
        // What stays may itself have been merged into another.
        while let Some(further) = places[place] {
            place = further;
        }
        if let Some(into) = new_places[place].and_then(|i| kept.get_mut(i)) {
            join(into, finding);
        }
    }
    kept
}

/// Whether one finding states all that another does.
fn says(one: &Finding, other: &Finding) -> bool {
    let pair = (one.rule, other.rule);
    if other.is_suspicion && CAUSES.contains(&pair) {
        return true;
    }
    // A suspicion does not swallow what is found.
    let is_as_sure = other.is_suspicion || !one.is_suspicion;
    SAME.contains(&pair) && is_as_sure && other.about.iter().all(|name| one.about.contains(name))
}

/// Adds what a merged finding rests on.
fn join(into: &mut Finding, finding: Finding) {
    if CAUSES.contains(&(into.rule, finding.rule)) {
        // What is to be checked belongs to what is to be done.
        into.action = std::mem::take(&mut into.action).and(&finding.action.short());
        into.cost = into.cost.max(finding.cost);
    } else if into.is_suspicion == finding.is_suspicion {
        into.severity = into.severity.max(finding.severity);
        into.cost = into.cost.max(finding.cost);
    }
    if !into.also.contains(&finding.rule) {
        into.also.push(finding.rule);
    }
    for evidence in finding.evidence {
        if !into.evidence.iter().any(|known| known.id == evidence.id) {
            into.evidence.push(evidence);
        }
    }
}
