//! Who holds locks and who waits, as tables.

use super::charts;
use super::parts::{plotted, section};
use super::words::{count, function, is_of_database, name, party, share, time};
use crate::page::{Block, Cell, Section, Table};
use crate::serverlog::analysis::{Contention, Findings, ROWS};

pub(super) fn culprits(findings: &Findings) -> Section {
    let found = &findings.contention;
    if found.waited_s <= 0.0 {
        return Section::default();
    }
    let mut says = vec![format!(
        "Commands waited {} for locks; {} of it is put on the commands below. The log does not say when a command held a lock: a culprit is the command that held it long enough while the victim ran, and its own culprit where it waited while it held. A reader behind a queued writer waits for what the writer waits for.",
        time(found.waited_s),
        share(found.explained_s, found.waited_s)
    )];
    let unexplained = found.looked_at_s - found.explained_s;
    if unexplained > 0.1 * found.waited_s {
        says.push(format!(
            "{} of the waits are for locks that no command of this log held meanwhile: who held them began before the log, belongs to another instance of p4d, or has no track lines.",
            share(unexplained, found.waited_s)
        ));
    }
    let left_out = found.waited_s - found.looked_at_s;
    if left_out > 0.01 * found.waited_s {
        says.push(format!(
            "{} of the waits are shorter than 50 ms, or beyond the 10,000 longest; they are not looked at.",
            share(left_out, found.waited_s)
        ));
    }
    let chains = chains(found);
    let mut blamed = Table::new(&["user", "function", "lock", ">commands", ">others waited"]);
    for row in found.blamed.iter().take(ROWS) {
        blamed.row(vec![
            name(&row.user),
            function(&row.function),
            name(&row.table),
            count(row.commands),
            time(row.others_s()),
        ]);
    }
    section("culprits", "Who holds locks, who waits", says, [("Chains", chains), ("By user and function", blamed)])
}

/// Chains of culprits.
fn chains(found: &Contention) -> Table {
    let mut chains = Table::new(&[
        "when",
        "root culprit",
        "held",
        ">for",
        ">victims",
        ">users",
        ">waited",
        "through, and who waited longest",
    ]);
    for (n, chain) in found.chains.iter().enumerate() {
        let mut then: Vec<String> = chain
            .between
            .iter()
            .take(2)
            .map(|between| {
                let queued = if between.is_queued { ", queued to write" } else { "" };
                format!(
                    "through {} ({}{queued}), {}",
                    party(&between.party),
                    name(&between.table),
                    time(between.waited_s)
                )
            })
            .collect();
        then.extend(chain.victims.iter().take(2).map(|victim| {
            format!("{} waited {} for {}", party(&victim.party), time(victim.waited_s), name(&victim.table))
        }));
        let cells = vec![
            chain.root.start.to_string(),
            party(&chain.root),
            name(&chain.table),
            time(chain.held_s),
            count(chain.commands),
            count(chain.users),
            time(chain.waited_s),
            then.join("; "),
        ];
        chains.linked(chain_anchor(n), cells.into_iter().map(Cell::plain).collect());
    }
    chains
}

/// The anchor of a chain's row, by its place in the findings.
pub fn chain_anchor(place: usize) -> String {
    format!("chain-{place}")
}

pub(super) fn locks(findings: &Findings) -> Section {
    let mut waits = Table::new(&[
        "table or lock file",
        ">read wait",
        ">longest",
        ">write wait",
        ">longest ",
        ">read held",
        ">longest  ",
        ">write held",
        ">longest   ",
    ]);
    let mut use_of = Table::new(&[
        "table",
        ">commands",
        ">read locks",
        ">write locks",
        ">peeks",
        ">peeks wait",
        ">peeks last",
        ">rows scanned",
        ">rows written",
        ">pages in",
    ]);
    for (table, sum) in findings.tables.rows.iter().take(2 * ROWS) {
        let both = |(total, longest): (f64, f64)| [time(total), time(longest)];
        let cells = [sum.read_wait_s, sum.write_wait_s, sum.read_held_s, sum.write_held_s];
        if cells.iter().any(|(total, _)| *total > 0.0) {
            let cells = cells.into_iter().flat_map(both);
            waits.row(std::iter::once(name(table)).chain(cells).collect());
        }
        if is_of_database(table) {
            use_of.row(vec![
                name(table),
                count(sum.commands),
                count(sum.read_locks),
                count(sum.write_locks),
                count(sum.peeks),
                time(sum.peek_s.0),
                time(sum.peek_s.1),
                count(sum.rows_scanned),
                count(sum.rows_written),
                count(sum.pages.0),
            ]);
        }
    }
    let tables = [("Waits and holds, total and longest", waits), ("Use", use_of)];
    let plot = charts::waits(findings).map(|bars| Block::Bars(bars, false));
    plotted(plot, section("locks", "Tables and lock files", Vec::new(), tables))
}
