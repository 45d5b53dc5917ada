//! Limits, syncs and submits, pages and memory, as tables.

use super::parts::section;
use super::points::amount;
use super::words::{at_least, call, count, counted, function, moved_in_all, name, rate, size, spread, time, transfer};
use crate::page::{Section, Table};
use crate::serverlog::analysis::{Findings, LARGE_BYTES, LIMIT_USERS, Transfer};
use crate::units::{Fraction, about_count, two_digits};

pub(super) fn limits(findings: &Findings) -> Section {
    let mut grid = Table::new(&["limit", ">value", ">would have cut", ">users", ">command time", "the largest"]);
    let mut says = Vec::new();
    for limit in &findings.limits {
        if limit.seen == 0 {
            continue;
        }
        says.push(format!("{}: {}.", limit.name, limit.how));
        for (i, cut) in limit.cuts.iter().enumerate() {
            let worst = limit.worst.as_ref().filter(|_| i == 0);
            grid.row(vec![
                limit.name.to_owned(),
                format!("{} {}", count(cut.value), limit.unit),
                format!("{} of {}", count(cut.commands), count(limit.seen)),
                at_least(cut.users, LIMIT_USERS),
                time(cut.lapse_s),
                worst.map_or(String::new(), |worst| {
                    format!(
                        "{}: {} {}",
                        amount(limit, worst.amount),
                        name(&worst.user),
                        call(&worst.function, &worst.pattern)
                    )
                }),
            ]);
        }
    }
    if grid.is_empty() {
        return Section::default();
    }
    section("limits", "What limits would have cut", says, [("", grid)])
}

/// What p4d does to bytes.
const CUT: &str = " (p4d cuts them to whole MiB)";

fn largest(all: &[Transfer]) -> Table {
    let mut grid = Table::new(&["when", "user", "workspace", ">took", "moved", ">rate", ">parallel"]);
    for one in all {
        grid.row(vec![
            one.start.to_string(),
            name(&one.user),
            name(&one.client),
            time(one.lapse_s),
            transfer(one),
            rate(one.rate()),
            count(one.threads),
        ]);
    }
    grid
}

pub(super) fn transfers(findings: &Findings) -> Section {
    let (syncs, submits) = (&findings.syncs, &findings.submits);
    let mut says = Vec::new();
    if syncs.count > 0 {
        says.push(format!("{} (previews apart): {}.", counted(syncs.count, "sync"), moved_in_all(syncs)));
        if let Some(files) = &syncs.each_files {
            says.push(format!("Files of a sync, those that bring nothing included: {}.", spread(files, about_count)));
        }
        if let Some(bytes) = &syncs.each_bytes {
            says.push(format!("Bytes of a sync, as the log states them{CUT}: {}.", spread(bytes, size)));
        }
        if syncs.large > 0 {
            says.push(format!(
                "{} of {} and more, at most {} at once.",
                counted(syncs.large, "sync"),
                size(LARGE_BYTES as f64),
                two_digits(syncs.large_at_once)
            ));
        }
        if let Some(found) = &syncs.rate_bytes_per_s {
            says.push(format!("Rate of syncs from 16 MiB on, bytes over the whole lapse: {}.", spread(found, rate)));
        }
    }
    if submits.moved.count > 0 || submits.without_commit > 0 {
        says.push(format!(
            "{} committed, {} begun without a commit in this log.",
            counted(submits.moved.count, "submit"),
            count(submits.without_commit)
        ));
    }
    if let Some(visible) = &submits.visible_s {
        let phases: Vec<String> =
            submits.phases.iter().map(|(phase, mean)| format!("{} {}", function(phase), time(*mean))).collect();
        says.push(format!(
            "A submit as its user waits for it, all phases together: {}. Mean of each phase: {}.",
            spread(visible, time),
            phases.join(", ")
        ));
    }
    if let Some(files) = &submits.moved.each_files {
        says.push(format!("Files of a submit: {}.", spread(files, about_count)));
    }
    if let Some(bytes) = &submits.moved.each_bytes {
        says.push(format!("Bytes of a submit, as the log states them{CUT}: {}.", spread(bytes, size)));
    }
    if let Some(hold) = &submits.hold_s {
        says.push(format!("A commit holds the table that it holds longest for: {}.", spread(hold, time)));
    }
    let tables =
        [("The largest syncs", largest(&syncs.largest)), ("The largest submits", largest(&submits.moved.largest))];
    section("transfers", "Syncs and submits", says, tables)
}

pub(super) fn memory(findings: &Findings) -> Section {
    let cache = &findings.cache;
    let mut says = Vec::new();
    if cache.pages_in > 0 {
        says.push(format!(
            "Commands read {} of 8 KiB of the database ({}) and wrote {}.",
            counted(cache.pages_in, "page"),
            size(cache.pages_in as f64 * 8192.0),
            count(cache.pages_out)
        ));
    }
    if let Some(hit) = cache.hit_fraction {
        says.push(format!(
            "{} of the pages came from the page cache: an estimate from {} of commands that touched no archive file, against the blocks that the system read for them. {} of {} such commands read nothing from storage.",
            Fraction::new(hit).estimated(),
            counted(cache.judged_pages, "page"),
            count(cache.without_reads),
            count(cache.counted)
        ));
    }
    if let Some(memory) = &cache.memory_bytes {
        // A pasted track block names neither command nor user.
        let largest = cache.largest.as_ref().filter(|l| !l.user.is_empty());
        let largest = largest.map_or(String::new(), |largest| {
            format!(" The largest: {} by {} at {}.", function(&largest.function), name(&largest.user), largest.start)
        });
        says.push(format!("Memory of the processes: {}.{largest}", spread(memory, size)));
    }
    section("memory", "Pages and memory", says, [])
}
