//! Who to talk to, and what to change: sentences, the most costly first.

use super::words::{call, clock, count, counted, function, name, share, size, time};
use crate::serverlog::analysis::{Chain, Findings, LARGE_BYTES, Limit, Poller};
use crate::units::{Fraction, about_count};

/// Waits below this are no reason to talk to anybody \[s\].
const WAIT_S: f64 = 1.0;
/// Share of the commands that a limit may cut to be proposed.
const CUT: f64 = 0.005;

/// People and owners of scripts, each with what their commands do to others.
pub(super) fn talk(findings: &Findings) -> Vec<String> {
    let mut points: Vec<(f64, String)> = Vec::new();
    for blamed in findings.contention.blamed.iter().take(5) {
        if blamed.waited_s < WAIT_S {
            continue;
        }
        let chains = findings.contention.chains.iter();
        let mut of_this = chains.filter(|c| {
            c.root.user == blamed.user
                && c.root.function == blamed.function
                && c.root.program == blamed.program
        });
        let text = match (blamed.commands, of_this.next()) {
            (1, Some(chain)) => one_culprit(chain),
            (commands, _) => format!(
                "{}: {} {} commands held {} and other locks for which others waited {} in all.",
                name(&blamed.user),
                count(commands),
                function(&blamed.function),
                name(&blamed.table),
                time(blamed.waited_s)
            ),
        };
        points.push((blamed.waited_s, text));
    }
    for poller in findings.pollers.iter().take(3) {
        points.push((poller.tally.lapse_s, one_poller(poller)));
    }
    let all = findings
        .users
        .rows
        .iter()
        .map(|(_, t)| t.lapse_s)
        .sum::<f64>();
    if let Some((user, tally)) = findings.users.rows.first()
        && findings.users.rows.len() > 2
        && tally.lapse_s > 0.3 * all
        && tally.lapse_s > 10.0
    {
        points.push((
            tally.lapse_s * 0.5,
            format!(
                "{} runs {} of all command time: {}, {} together.",
                name(user),
                share(tally.lapse_s, all),
                counted(tally.commands, "command"),
                time(tally.lapse_s)
            ),
        ));
    }
    let scans = findings.limits.iter().find(|l| l.name == "MaxScanRows");
    if let Some(worst) = scans.and_then(|l| l.worst.as_ref())
        && worst.amount >= 1_000_000
    {
        points.push((
            worst.amount as f64 / 4e5,
            format!(
                "{}: `{}` scanned {} rows in one command. Ask for a narrower path or revision range.",
                name(&worst.user),
                call(&worst.function, &worst.pattern),
                about_count(worst.amount as f64)
            ),
        ));
    }
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    points.into_iter().map(|(_, text)| text).collect()
}

/// A culprit with one command.
fn one_culprit(chain: &Chain) -> String {
    let mut text = format!(
        "{}: `{}` held {} for {} at {}. {} of {} waited {} for it in all.",
        name(&chain.root.user),
        call(&chain.root.function, &chain.root.arguments),
        name(&chain.table),
        time(chain.held_s),
        clock(chain.root.start),
        counted(chain.commands, "command"),
        counted(chain.users, "user"),
        time(chain.waited_s)
    );
    if let Some((between, table, waited_s)) = chain.between.first() {
        text.push_str(&format!(
            " {} of it was behind {}, who held {} meanwhile.",
            time(*waited_s),
            name(&between.user),
            name(table)
        ));
    }
    text
}

fn one_poller(poller: &Poller) -> String {
    let calls = poller.per_day(poller.tally.commands as f64);
    let from = if poller.addresses > 1 {
        format!(" from each of {} addresses", count(poller.addresses))
    } else {
        String::new()
    };
    let mut cost = Vec::new();
    let processor = poller.per_day(poller.tally.processor_s);
    if processor >= 1.0 {
        cost.push(format!("{} of processor time", time(processor)));
    }
    let lapse = poller.per_day(poller.tally.lapse_s);
    cost.push(format!("{} of command time", time(lapse)));
    format!(
        "{} ({}) polls `{}` every {}{from}: {} calls and {} a day. Ask for a longer interval, or a trigger instead.",
        name(&poller.user),
        name(crate::serverlog::analysis::product(&poller.program)),
        call(&poller.function, &poller.pattern),
        time(poller.interval_s),
        about_count(calls),
        cost.join(", ")
    )
}

/// Settings and equipment, each with what it would do.
pub(super) fn change(findings: &Findings) -> Vec<String> {
    let mut points = Vec::new();
    let mending = findings.quality.mending();
    if !mending.is_empty() {
        let commands: Vec<String> = mending.iter().map(|c| format!("`{c}`")).collect();
        points.push(format!(
            "Log more, then read the log of a working day: {}.",
            commands.join(", ")
        ));
    }
    let parts = &findings.parts;
    let of_time = |part: f64| part / parts.lapse_s.max(1e-9);
    let tables = || findings.tables.rows.iter();
    let clients: f64 = tables()
        .filter(|(table, _)| table == "clients" || table == "clientEntity")
        .map(|(_, sum)| sum.read_wait_s.0 + sum.write_wait_s.0)
        .sum();
    if clients >= WAIT_S {
        points.push(format!(
            "Give each job a workspace of its own: commands waited {} for another command of the same workspace.",
            time(clients)
        ));
    }
    let reads: f64 = tables()
        .filter(|(table, _)| !table.contains('/') && table.contains('.'))
        .map(|(_, sum)| sum.read_wait_s.0)
        .sum();
    if findings.peeks == 0 && reads >= WAIT_S {
        points.push(format!(
            "Set db.peeking=2: no read of this log went without a lock, and reads waited {} for locks.",
            time(reads)
        ));
    }
    if of_time(parts.lock_wait_s) >= 0.1 && parts.lock_wait_s >= WAIT_S {
        let most = tables().max_by(|a, b| {
            let waited = |s: &(String, _)| {
                let sum: &crate::serverlog::analysis::TableSum = &s.1;
                sum.read_wait_s.0 + sum.write_wait_s.0
            };
            waited(a).total_cmp(&waited(b))
        });
        if let Some((table, sum)) = most {
            points.push(format!(
                "Shorten what holds {}: waits for locks are {} of command time, {} of them for this lock.",
                name(table),
                Fraction::new(of_time(parts.lock_wait_s)).estimated(),
                share(
                    sum.read_wait_s.0 + sum.write_wait_s.0,
                    findings.contention.waited_s
                )
            ));
        }
    }
    points.extend(findings.limits.iter().filter_map(limit));
    let syncs = findings.parts_by_kind.iter().find(|(id, ..)| *id == "sync");
    if let Some((_, _, sync)) = syncs
        && sync.sending_s >= 0.4 * sync.lapse_s
        && sync.sending_s >= 10.0
    {
        points.push(format!(
            "Look at the network and the clients' disks: {} of the time of syncs is spent on sending.",
            share(sync.sending_s, sync.lapse_s)
        ));
    }
    if let Some(hit) = findings.cache.hit_fraction
        && hit < 0.95
        && findings.cache.judged_pages > 10_000
    {
        points.push(format!(
            "Give the server more memory: {} of the database pages came from storage rather than the page cache (estimate).",
            Fraction::new(1.0 - hit).estimated()
        ));
    }
    if of_time(parts.trigger_s) >= 0.1 && parts.trigger_s >= WAIT_S {
        points.push(format!(
            "Shorten the triggers: they are {} of command time.",
            Fraction::new(of_time(parts.trigger_s)).estimated()
        ));
    }
    if let Some((paused, at)) = findings.server.paused
        && paused > 0
    {
        let at = at.map_or(String::new(), |at| format!(" at {at}"));
        points.push(format!(
            "Add processors or memory, or limit the largest commands: the server paused {} at once{at} ({} under pressure on the processor, {} on memory).",
            counted(paused, "command"),
            counted(findings.server.pressure.0, "report"),
            counted(findings.server.pressure.1, "report")
        ));
    }
    if findings.syncs.large_at_once >= 3.0 {
        points.push(format!(
            "Spread large syncs over the day or serve them from an edge or proxy: {} of {} and more ran at once.",
            findings.syncs.large_at_once.ceil(),
            size(LARGE_BYTES as f64)
        ));
    }
    points
}

/// The lowest value that cuts few commands and some time.
fn limit(limit: &Limit) -> Option<String> {
    if limit.name == "MaxResults" {
        // Its count is an estimate; it is shown in the table alone.
        return None;
    }
    let few = |commands: u64| commands as f64 <= CUT * limit.seen as f64;
    let cut = limit
        .cuts
        .iter()
        .find(|cut| cut.commands > 0 && few(cut.commands))?;
    (cut.lapse_s >= 10.0).then(|| {
        let worst = limit.worst.as_ref().map_or(String::new(), |worst| {
            format!(
                " The largest is {}'s `{}`.",
                name(&worst.user),
                call(&worst.function, &worst.pattern)
            )
        });
        format!(
            "Set {} to {} in the groups of ordinary users: it would have cut {} of {} ({} of command time).{worst}",
            limit.name,
            count(cut.value),
            counted(cut.commands, "command"),
            count(limit.seen),
            time(cut.lapse_s)
        )
    })
}
