//! Everything that a server log says, as tables: the same for text and HTML.

use super::points;
use super::words::{
    call, clock, count, counted, flaws, function, levels, moved, name, party, rate, share, size,
    span, spread, time, transfer,
};
use crate::report::handover::Grid;
use crate::report::table::{Table, paragraph};
use crate::serverlog::analysis::{
    Findings, LARGE_BYTES, ROWS, Ranked, Tally, Transfer, why_automation,
};
use crate::serverlog::answers::{Measured, undecided};
use crate::units::{Fraction, about_count, two_digits};

/// A part of the whole: sentences, then tables with their own titles.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) anchor: &'static str,
    pub(super) title: &'static str,
    pub(super) says: Vec<String>,
    pub(super) points: Vec<String>,
    pub(super) tables: Vec<(&'static str, Grid)>,
}

/// Everything as text for a terminal.
pub fn workload_text(findings: &Findings, answers: &[Measured]) -> String {
    let mut out = format!("Server log: {}\n", span(&findings.quality));
    for part in parts(findings, answers) {
        out.push_str(&format!(
            "\n{}\n{}\n\n",
            part.title,
            "═".repeat(part.title.chars().count())
        ));
        for says in &part.says {
            out.push_str(&paragraph(says, 2));
        }
        for (i, point) in part.points.iter().enumerate() {
            out.push_str(&paragraph(&format!("{}. {point}", i + 1), 2));
        }
        for (i, (title, grid)) in part.tables.iter().enumerate() {
            if !title.is_empty() {
                let is_first = i == 0 && part.says.is_empty() && part.points.is_empty();
                out.push_str(if is_first { "" } else { "\n" });
                out.push_str(&format!("  {title}\n"));
            }
            out.push_str(&table(grid));
        }
    }
    out
}

fn table(grid: &Grid) -> String {
    let heads: Vec<String> = grid
        .heads
        .iter()
        .map(|head| format!("{}{}", if head.right { ">" } else { "" }, head.text))
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = Table::new(&heads);
    for row in &grid.rows {
        table.row(row.cells.iter().map(|cell| cell.text.clone()).collect());
    }
    table.render()
}

/// All parts that have something to say, in their order.
pub(super) fn parts(findings: &Findings, answers: &[Measured]) -> Vec<Part> {
    let parts = [
        quality(findings),
        who(findings),
        what(findings),
        mix(findings),
        parts_of_time(findings),
        culprits(findings),
        locks(findings),
        pollers(findings),
        costs(findings),
        slowest(findings),
        limits(findings),
        transfers(findings),
        memory(findings),
        others(findings),
        questionnaire(findings, answers),
    ];
    parts
        .into_iter()
        .filter(|p| !p.says.is_empty() || !p.points.is_empty() || !p.tables.is_empty())
        .collect()
}

fn quality(findings: &Findings) -> Part {
    let quality = &findings.quality;
    let mut says = levels(quality);
    says.push(format!(
        "{} of {} lines understood, {} records of commands.",
        Fraction::new(quality.understood()).estimated(),
        count(quality.log.understood.lines),
        count(quality.records)
    ));
    says.extend(flaws(quality));
    says.extend(
        quality
            .cannot()
            .into_iter()
            .map(|cannot| format!("Cannot be known: {cannot}")),
    );
    for command in quality.mending() {
        says.push(format!("To mend that: `{command}`."));
    }
    let mut files = Grid::new(&["log", "file", ">size", "packed"]);
    for (i, file) in quality.log.files.iter().enumerate() {
        files.row(vec![
            (i + 1).to_string(),
            crate::diag::harmless_line(&file.name),
            size(file.bytes as f64),
            file.packed.to_owned(),
        ]);
    }
    Part {
        anchor: "quality",
        title: "How good the log is",
        says,
        tables: vec![("", files)],
        ..Part::default()
    }
}

fn who(findings: &Findings) -> Part {
    Part {
        anchor: "talk",
        title: "Who to talk to",
        points: points::talk(findings),
        ..Part::default()
    }
}

fn what(findings: &Findings) -> Part {
    Part {
        anchor: "change",
        title: "What to change",
        points: points::change(findings),
        ..Part::default()
    }
}

fn mix(findings: &Findings) -> Part {
    let mut kinds = Grid::new(&[
        "kind of work",
        ">commands",
        ">median",
        ">95 %",
        ">longest",
        ">together",
    ]);
    for row in &findings.kinds {
        let lapse = |of: &dyn Fn(&crate::serverlog::analysis::Spread) -> f64| {
            row.lapse_s
                .as_ref()
                .map_or(String::new(), |spread| time(of(spread)))
        };
        kinds.row(vec![
            row.title.to_owned(),
            count(row.tally.commands),
            lapse(&|s| s.p50),
            lapse(&|s| s.p95),
            lapse(&|s| s.max),
            time(row.tally.lapse_s),
        ]);
    }
    let mut says = Vec::new();
    if let Some((slot, width_s)) = &findings.busiest {
        says.push(format!(
            "Most commands at once: {} on average over {} from {}.",
            two_digits(slot.at_once),
            time(*width_s as f64),
            slot.at
        ));
    }
    let automation = &findings.automation;
    if findings.called > 0 {
        let shown = |x: f64| Fraction::new(x).estimated();
        says.push(format!(
            "Builds and scripts call {} of the commands (estimate from names, {} to {}: {}).",
            shown(automation.fraction),
            shown(automation.low),
            shown(automation.high),
            why_automation()
        ));
    }
    let mut days = Grid::new(&[
        "day",
        ">commands",
        ">busiest hour",
        ">of the mean hour",
        ">submits",
        ">syncs",
    ]);
    for day in findings.days.iter().take(31) {
        days.row(vec![
            day.at.to_string().chars().take(10).collect(),
            count(day.commands()),
            count(day.busiest()),
            format!(
                "{} ×",
                two_digits(day.busiest() as f64 * 24.0 / (day.commands().max(1)) as f64)
            ),
            count(day.submits),
            count(day.syncs),
        ]);
    }
    let mut hours = Grid::new(&["hour", ">commands", ">at once, mean"]);
    for hour in findings.hours.iter().take(48) {
        hours.row(vec![
            hour.at.to_string(),
            count(hour.starts),
            two_digits(hour.at_once),
        ]);
    }
    let mut functions = ranking("function", &findings.functions, |n| name(n));
    functions.rows.truncate(ROWS);
    Part {
        anchor: "mix",
        title: "Commands",
        says,
        tables: vec![
            ("By kind of work", kinds),
            ("By function", functions),
            ("By day", days),
            ("By hour (the first two days)", hours),
        ],
        ..Part::default()
    }
}

fn parts_of_time(findings: &Findings) -> Part {
    let mut grid = Grid::new(&[
        "kind of work",
        ">tracked",
        ">together",
        ">locks",
        ">processor",
        ">sending",
        ">client",
        ">triggers",
        ">paused",
        ">rest",
        ">compute",
    ]);
    for (_, title, parts) in &findings.parts_by_kind {
        let of = |part: f64| share(part, parts.lapse_s);
        grid.row(vec![
            (*title).to_owned(),
            count(parts.commands),
            time(parts.lapse_s),
            of(parts.lock_wait_s),
            of(parts.processor_s),
            of(parts.sending_s),
            of(parts.client_s),
            of(parts.trigger_s),
            of(parts.paused_s),
            of(parts.rest_s),
            of(parts.compute_s),
        ]);
    }
    if grid.rows.is_empty() {
        return Part::default();
    }
    Part {
        anchor: "time",
        title: "Where the time goes",
        says: vec![
            "Shares of the lapses of commands with track lines. The rest is storage and what the log does not count: an estimate, and the most that storage can be. The compute phase lies across the other shares."
                .to_owned(),
        ],
        tables: vec![("", grid)],
        ..Part::default()
    }
}

fn culprits(findings: &Findings) -> Part {
    let found = &findings.contention;
    if found.waited_s <= 0.0 {
        return Part::default();
    }
    let mut says = vec![format!(
        "Commands waited {} for locks; {} of it is put on the commands below. The log does not say when a command held a lock: a culprit is the command that held it long enough while the victim ran, and its own culprit where it waited while it held.",
        time(found.waited_s),
        share(found.explained_s, found.waited_s)
    )];
    let left_out = found.waited_s - found.looked_at_s;
    if left_out > 0.01 * found.waited_s {
        says.push(format!(
            "{} of the waits are shorter than 50 ms, or beyond the 10,000 longest; they are not looked at.",
            share(left_out, found.waited_s)
        ));
    }
    let mut chains = Grid::new(&[
        "when",
        "root culprit",
        "held",
        ">for",
        ">victims",
        ">users",
        ">waited",
        "through, and who waited longest",
    ]);
    for chain in &found.chains {
        let mut then: Vec<String> = chain
            .between
            .iter()
            .take(2)
            .map(|(between, table, waited_s)| {
                format!(
                    "through {} ({}), {}",
                    party(between),
                    name(table),
                    time(*waited_s)
                )
            })
            .collect();
        then.extend(chain.victims.iter().take(2).map(|victim| {
            format!(
                "{} waited {} for {}",
                party(&victim.party),
                time(victim.waited_s),
                name(&victim.table)
            )
        }));
        chains.row(vec![
            chain.root.start.to_string(),
            party(&chain.root),
            name(&chain.table),
            time(chain.held_s),
            count(chain.commands),
            count(chain.users),
            time(chain.waited_s),
            then.join("; "),
        ]);
    }
    let mut blamed = Grid::new(&["user", "function", "lock", ">commands", ">others waited"]);
    for row in found.blamed.iter().take(ROWS) {
        blamed.row(vec![
            name(&row.user),
            function(&row.function),
            name(&row.table),
            count(row.commands),
            time(row.waited_s),
        ]);
    }
    Part {
        anchor: "culprits",
        title: "Who holds locks, who waits",
        says,
        tables: vec![("Chains", chains), ("By user and function", blamed)],
        ..Part::default()
    }
}

fn locks(findings: &Findings) -> Part {
    let mut waits = Grid::new(&[
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
    let mut use_of = Grid::new(&[
        "table",
        ">commands",
        ">read locks",
        ">write locks",
        ">peeks",
        ">peeks last",
        ">rows scanned",
        ">rows written",
        ">pages in",
    ]);
    for (table, sum) in findings.tables.rows.iter().take(2 * ROWS) {
        let both = |(total, longest): (f64, f64)| [time(total), time(longest)];
        let cells = [
            sum.read_wait_s,
            sum.write_wait_s,
            sum.read_held_s,
            sum.write_held_s,
        ];
        if cells.iter().any(|(total, _)| *total > 0.0) {
            let cells = cells.into_iter().flat_map(both);
            waits.row(std::iter::once(name(table)).chain(cells).collect());
        }
        if !table.contains('/') && table.contains('.') {
            use_of.row(vec![
                name(table),
                count(sum.commands),
                count(sum.read_locks),
                count(sum.write_locks),
                count(sum.peeks),
                time(sum.peek_s.1),
                count(sum.rows_scanned),
                count(sum.rows_written),
                count(sum.pages.0),
            ]);
        }
    }
    if use_of.rows.is_empty() && waits.rows.is_empty() {
        return Part::default();
    }
    Part {
        anchor: "locks",
        title: "Tables and lock files",
        tables: vec![
            ("Waits and holds, total and longest", waits),
            ("Use", use_of),
        ],
        ..Part::default()
    }
}

fn pollers(findings: &Findings) -> Part {
    if findings.pollers.is_empty() {
        return Part::default();
    }
    let mut grid = Grid::new(&[
        "user",
        "program",
        "call",
        ">addresses",
        ">every",
        ">calls a day",
        ">command time",
        ">processor",
        ">lock waits",
        ">pages",
    ]);
    for poller in findings.pollers.iter().take(ROWS) {
        let t = &poller.tally;
        grid.row(vec![
            name(&poller.user),
            name(crate::serverlog::analysis::product(&poller.program)),
            call(&poller.function, &poller.pattern),
            count(poller.addresses),
            time(poller.interval_s),
            about_count(poller.per_day(t.commands as f64)),
            time(poller.per_day(t.lapse_s)),
            time(poller.per_day(t.processor_s)),
            time(poller.per_day(t.lock_wait_s)),
            about_count(poller.per_day(t.pages_in as f64)),
        ]);
    }
    Part {
        anchor: "pollers",
        title: "Pollers",
        says: vec![
            "The same call of one user, program and address at regular intervals: 60 % of them within ± 26 % of each other, at least 8 calls, no more than ten minutes apart. Costs are those of a day at this pace."
                .to_owned(),
        ],
        tables: vec![("", grid)],
        ..Part::default()
    }
}

/// A ranking as a table.
fn ranking(head: &'static str, ranked: &Ranked<Tally>, shown: impl Fn(&str) -> String) -> Grid {
    let mut grid = Grid::new(&[
        head,
        ">commands",
        ">time",
        ">processor",
        ">lock waits",
        ">held alone",
        ">rows scanned",
        ">sent",
        ">failed",
    ]);
    let mut row = |label: String, t: &Tally| {
        grid.row(vec![
            label,
            count(t.commands),
            time(t.lapse_s),
            time(t.processor_s),
            time(t.lock_wait_s),
            time(t.write_held_s),
            about_count(t.rows_scanned as f64),
            size(t.sent_bytes as f64),
            count(t.failed),
        ]);
    };
    for (label, tally) in &ranked.rows {
        row(shown(label), tally);
    }
    if let Some(others) = &ranked.others {
        row(format!("{} others", count(ranked.merged)), others);
    }
    grid
}

fn costs(findings: &Findings) -> Part {
    let tables = [
        ("By user", "user", &findings.users),
        ("By workspace", "workspace", &findings.clients),
        ("By program", "program", &findings.programs),
        ("By address", "address", &findings.addresses),
        ("By pattern of arguments", "call", &findings.patterns),
    ];
    let lost = tables.iter().map(|(.., ranked)| ranked.lost);
    let lost = lost.fold(0.0, f64::max);
    let mut says = Vec::new();
    let is_cut = tables.iter().any(|(.., ranked)| ranked.merged > 4096);
    if is_cut {
        says.push(format!(
            "Of more than 4,096 names those that cost most are kept; a row may lack up to {} of command time.",
            time(lost)
        ));
    }
    let tables = tables
        .into_iter()
        .filter(|(.., ranked)| !ranked.rows.is_empty())
        .map(|(title, head, ranked)| {
            let shown = |n: &str| {
                if head == "call" {
                    name(n.strip_prefix("user-").unwrap_or(n))
                } else {
                    name(n)
                }
            };
            (title, ranking(head, ranked, shown))
        });
    Part {
        anchor: "costs",
        title: "What costs what",
        says,
        tables: tables.collect(),
        ..Part::default()
    }
}

fn slowest(findings: &Findings) -> Part {
    if findings.slowest.is_empty() {
        return Part::default();
    }
    let mut grid = Grid::new(&["when", "user", "command", ">took", "where the time went"]);
    for slow in &findings.slowest {
        let mut named = slow
            .parts
            .map_or(Vec::new(), |parts| parts.named().to_vec());
        named.sort_by(|a, b| b.2.total_cmp(&a.2));
        let named: Vec<String> = named
            .iter()
            .filter(|(.., s)| *s >= 0.05 * slow.lapse_s)
            .take(3)
            .map(|(id, title, s)| {
                let title = if *id == "rest" { "rest" } else { title };
                format!("{title} {}", time(*s))
            })
            .collect();
        grid.row(vec![
            slow.start.to_string(),
            name(&slow.user),
            call(&slow.function, &slow.arguments),
            time(slow.lapse_s),
            if named.is_empty() {
                "no track lines".to_owned()
            } else {
                named.join(", ")
            },
        ]);
    }
    Part {
        anchor: "slowest",
        title: "The slowest commands",
        tables: vec![("", grid)],
        ..Part::default()
    }
}

fn limits(findings: &Findings) -> Part {
    let mut grid = Grid::new(&[
        "limit",
        ">value",
        ">would have cut",
        ">users",
        ">command time",
        "the largest",
    ]);
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
                count(cut.users),
                time(cut.lapse_s),
                worst.map_or(String::new(), |worst| {
                    format!(
                        "{} {}: {} {}",
                        count(worst.amount),
                        limit.unit,
                        name(&worst.user),
                        call(&worst.function, &worst.pattern)
                    )
                }),
            ]);
        }
    }
    if grid.rows.is_empty() {
        return Part::default();
    }
    Part {
        anchor: "limits",
        title: "What limits would have cut",
        says,
        tables: vec![("", grid)],
        ..Part::default()
    }
}

fn largest(all: &[Transfer]) -> Grid {
    let mut grid = Grid::new(&[
        "when",
        "user",
        "workspace",
        ">took",
        "moved",
        ">rate",
        ">parallel",
    ]);
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

fn transfers(findings: &Findings) -> Part {
    let (syncs, submits) = (&findings.syncs, &findings.submits);
    let mut says = Vec::new();
    if syncs.count > 0 {
        says.push(format!(
            "{} (previews apart), {} with a count: {}.",
            counted(syncs.count, "sync"),
            count(syncs.counted),
            moved(syncs.files, syncs.bytes)
        ));
        if let Some(files) = &syncs.each_files {
            says.push(format!(
                "Files of a sync that brings some: {}.",
                spread(files, |x| about_count(x))
            ));
        }
        if let Some(bytes) = &syncs.each_bytes {
            says.push(format!("Bytes of such a sync: {}.", spread(bytes, size)));
        }
        if syncs.large > 0 {
            says.push(format!(
                "{} of {} and more, at most {} at once.",
                count(syncs.large),
                size(LARGE_BYTES as f64),
                two_digits(syncs.large_at_once)
            ));
        }
        if let Some(found) = &syncs.rate_bytes_per_s {
            says.push(format!(
                "Rate of syncs from 16 MiB on, bytes over the whole lapse: {}.",
                spread(found, rate)
            ));
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
        let phases: Vec<String> = submits
            .phases
            .iter()
            .map(|(phase, mean)| format!("{} {}", function(phase), time(*mean)))
            .collect();
        says.push(format!(
            "A submit as its user waits for it, all phases together: {}. Mean of each phase: {}.",
            spread(visible, time),
            phases.join(", ")
        ));
    }
    if let Some(files) = &submits.moved.each_files {
        says.push(format!(
            "Files of a submit: {}.",
            spread(files, |x| about_count(x))
        ));
    }
    if let Some(bytes) = &submits.moved.each_bytes {
        says.push(format!("Bytes of a submit: {}.", spread(bytes, size)));
    }
    if let Some(hold) = &submits.hold_s {
        says.push(format!(
            "A commit holds the table that it holds longest for: {}.",
            spread(hold, time)
        ));
    }
    let mut tables = Vec::new();
    for (title, all) in [
        ("The largest syncs", &syncs.largest),
        ("The largest submits", &submits.moved.largest),
    ] {
        if !all.is_empty() {
            tables.push((title, largest(all)));
        }
    }
    Part {
        anchor: "transfers",
        title: "Syncs and submits",
        says,
        tables,
        ..Part::default()
    }
}

fn memory(findings: &Findings) -> Part {
    let cache = &findings.cache;
    let mut says = Vec::new();
    if cache.pages_in > 0 {
        says.push(format!(
            "Commands read {} pages of 8 KiB of the database ({}) and wrote {}.",
            count(cache.pages_in),
            size(cache.pages_in as f64 * 8192.0),
            count(cache.pages_out)
        ));
    }
    if let Some(hit) = cache.hit_fraction {
        says.push(format!(
            "{} of the pages came from the page cache: an estimate from {} pages of commands that touched no archive file, against the blocks that the system read for them. {} of {} such commands read nothing from storage.",
            Fraction::new(hit).estimated(),
            count(cache.judged_pages),
            count(cache.without_reads),
            count(cache.counted)
        ));
    }
    if let Some(memory) = &cache.memory_bytes {
        let largest = cache.largest.as_ref().map_or(String::new(), |largest| {
            format!(
                " The largest: {} by {} at {}.",
                function(&largest.function),
                name(&largest.user),
                largest.start
            )
        });
        says.push(format!(
            "Memory of the processes: {}.{largest}",
            spread(memory, size)
        ));
    }
    Part {
        anchor: "memory",
        title: "Pages and memory",
        says,
        ..Part::default()
    }
}

fn others(findings: &Findings) -> Part {
    let upstream = &findings.upstream;
    let server = &findings.server;
    let mut says = Vec::new();
    let mut tables = Vec::new();
    let through: u64 = upstream.through.rows.iter().map(|(_, t)| t.commands).sum();
    if through > 0 {
        says.push(format!(
            "{} of the commands came through another server (edge, proxy or broker).",
            share(through as f64, findings.called as f64)
        ));
        tables.push((
            "Through which server",
            ranking("address", &upstream.through, |n| name(n)),
        ));
    }
    if upstream.brokered > 0 {
        says.push(format!(
            "{} through a broker.",
            counted(upstream.brokered, "command")
        ));
    }
    if let Some(proxy) = &upstream.proxy {
        says.push(format!(
            "The proxy had {} of the files and {} of the bytes in its cache ({} files, {} in all).",
            share(
                proxy.cache_files as f64,
                (proxy.cache_files + proxy.server_files) as f64
            ),
            share(
                proxy.cache_bytes as f64,
                (proxy.cache_bytes + proxy.server_bytes) as f64
            ),
            count(proxy.cache_files + proxy.server_files),
            size((proxy.cache_bytes + proxy.server_bytes) as f64)
        ));
    }
    if !upstream.replicas.is_empty() {
        says.push(
            "The log does not state how far a replica is behind. It was behind by no more than its longest pause between two fetches of the journal, plus the fetch; `p4 pull -lj` on the replica says more."
                .to_owned(),
        );
        let mut grid = Grid::new(&[
            "service user",
            "address",
            ">journal fetches",
            ">longest pause",
            "from",
            ">longest fetch",
            ">other commands",
        ]);
        for replica in upstream.replicas.iter().take(ROWS) {
            let (pause_s, at) = replica.longest_gap_s;
            grid.row(vec![
                name(&replica.user),
                name(&replica.address),
                count(replica.fetches),
                if replica.fetches > 1 {
                    time(pause_s)
                } else {
                    String::new()
                },
                if replica.fetches > 1 {
                    at.to_string()
                } else {
                    String::new()
                },
                time(replica.longest_s),
                count(replica.others),
            ]);
        }
        tables.push(("Replicas and edges", grid));
    }
    let stated = |what: &str, found: Option<(u64, Option<crate::serverlog::record::Moment>)>| {
        found.map(|(most, at)| {
            let at = at.map_or(String::new(), |at| format!(" at {}", clock(at)));
            format!(
                "The server stated at most {} {what} threads{at}.",
                count(most)
            )
        })
    };
    says.extend(stated("active", server.active));
    says.extend(stated("paused", server.paused));
    if server.pressure != (0, 0) {
        says.push(format!(
            "The server reported pressure on the processor {}, on memory {}.",
            times(server.pressure.0),
            times(server.pressure.1)
        ));
    }
    if !server.starts.is_empty() {
        let first: Vec<String> = server
            .starts
            .iter()
            .take(3)
            .filter_map(|at| at.map(|at| at.to_string()))
            .collect();
        says.push(format!(
            "The server started {}: {}.",
            times(server.starts.len() as u64),
            first.join(", ")
        ));
    }
    if !server.errors.is_empty() {
        let mut grid = Grid::new(&["operation", ">errors"]);
        for (operation, number) in &server.errors {
            grid.row(vec![function(operation), count(*number)]);
        }
        tables.push(("Errors", grid));
    }
    Part {
        anchor: "servers",
        title: "Other servers, and the server about itself",
        says,
        tables,
        ..Part::default()
    }
}

fn times(number: u64) -> String {
    match number {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        n => format!("{} times", count(n)),
    }
}

fn questionnaire(findings: &Findings, answers: &[Measured]) -> Part {
    let mut grid = Grid::new(&["field", ">answer", "range", "how"]);
    for answer in answers {
        let (low, high) = &answer.range;
        let range = if low == high {
            String::new()
        } else {
            format!("{low} to {high}")
        };
        grid.row(vec![
            answer.field.to_owned(),
            answer.value.clone(),
            range,
            answer.how.clone(),
        ]);
    }
    Part {
        anchor: "answers",
        title: "Answers for the questionnaire",
        says: undecided(findings),
        tables: if grid.rows.is_empty() {
            Vec::new()
        } else {
            vec![("`--site SITE.toml` writes these", grid)]
        },
        ..Part::default()
    }
}
