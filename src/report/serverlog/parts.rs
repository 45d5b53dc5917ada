//! Everything that a server log says, as a page: the same for text, HTML and the window.

use super::charts;
use super::parts_locks::{culprits, locks};
use super::parts_servers::others;
use super::parts_transfers::{limits, memory, transfers};
use super::points;
use super::standing;
use super::words::{call, count, counted, flaws, function, levels, name, share, size, span, time};
use super::{checkpoint, journal, teams};
use crate::page::{Block, Page, Section, Table, page_html, page_text};
use crate::serverlog::analysis::{Findings, ROWS, Ranked, Said, Tally, why_automation};
use crate::serverlog::answers::{Measured, undecided};
use crate::units::{Fraction, about_count, two_digits};

/// Everything as text for a terminal.
pub fn workload_text(findings: &Findings, answers: &[Measured]) -> String {
    let (what, _) = read_and_span(findings);
    format!("{what}: {}", page_text(&page(findings, answers, "")))
}

/// Everything as one HTML file: nothing fetched, no script. It names what the findings name:
/// pseudonyms where these are.
pub fn workload_html(findings: &Findings, answers: &[Measured], made_from: &str) -> String {
    page_html(&page(findings, answers, made_from))
}

fn page(findings: &Findings, answers: &[Measured], made_from: &str) -> Page {
    let (_, heading) = read_and_span(findings);
    Page {
        title: "Server log: Perforce workload".to_owned(),
        eyebrow: "Workload of a Perforce server, from its log",
        made_from: made_from.to_owned(),
        ..Page::new(heading, sections(findings, answers))
    }
}

/// A section: sentences, then tables below their titles, which may be empty. Tables without rows say nothing.
pub(super) fn section(
    anchor: &'static str,
    title: &'static str,
    says: Vec<String>,
    tables: impl IntoIterator<Item = (&'static str, Table)>,
) -> Section {
    let mut blocks: Vec<Block> = says.into_iter().map(Block::Text).collect();
    for (title, table) in tables.into_iter().filter(|(_, table)| !table.is_empty()) {
        if !title.is_empty() {
            blocks.push(Block::Heading(title.to_owned()));
        }
        blocks.push(table.into());
    }
    Section::new(anchor, title, blocks)
}

fn numbered(anchor: &'static str, title: &'static str, points: Vec<String>) -> Section {
    let block = (!points.is_empty()).then(|| Block::numbered(points));
    Section::new(anchor, title, block)
}

/// A section with its plot before all else.
pub(super) fn plotted(plot: Option<Block>, mut section: Section) -> Section {
    section.blocks.splice(0..0, plot);
    section
}

/// Whether there is a journal or a checkpoint, and no server log.
pub(super) fn is_journal(findings: &Findings) -> bool {
    let is_any = findings.journal.is_some() || findings.checkpoint.is_some();
    is_any && findings.quality.records == 0
}

/// What was read, and from when to when.
pub(super) fn read_and_span(findings: &Findings) -> (&'static str, String) {
    if !is_journal(findings) {
        let span = span(&findings.quality);
        let Some((_, (from, to))) = findings.quality.log.part else {
            return ("Server log", span);
        };
        return ("Part of a server log", format!("{span}; the log goes from {from} to {to}"));
    }
    match (&findings.journal, &findings.checkpoint) {
        (Some(journal), _) => ("Journal", journal::span(journal)),
        (None, Some(checkpoint)) => ("Checkpoint", checkpoint::made(checkpoint)),
        (None, None) => ("Server log", span(&findings.quality)),
    }
}

/// The same on one line.
pub(super) fn title(findings: &Findings) -> String {
    let (what, span) = read_and_span(findings);
    format!("{what}: {span}")
}

/// All sections that have something to say, in their order.
pub fn sections(findings: &Findings, answers: &[Measured]) -> Vec<Section> {
    let of_journal = [journal::section(findings), checkpoint::section(findings), questionnaire(findings, answers)];
    let mut sections = vec![quality(findings)];
    if !is_journal(findings) {
        sections.insert(0, standing::running(findings));
        sections.extend([
            numbered("talk", "Who to talk to", points::talk(findings)),
            numbered("change", "What to change", points::change(findings)),
            mix(findings),
            parts_of_time(findings),
            culprits(findings),
            locks(findings),
            pollers(findings),
            costs(findings),
            teams::costs(findings),
            slowest(findings),
            triggers(findings),
            limits(findings),
            transfers(findings),
            memory(findings),
            others(findings),
        ]);
    }
    sections.extend(of_journal);
    sections.retain(|section| !section.blocks.is_empty());
    sections
}

fn quality(findings: &Findings) -> Section {
    let quality = &findings.quality;
    let is_journal = is_journal(findings);
    let mut says = Vec::new();
    if !is_journal {
        says.extend(levels(quality));
    }
    says.push(format!(
        "{} of {} understood, {} of commands.",
        Fraction::new(quality.understood()).estimated(),
        counted(quality.log.understood.lines, "line"),
        counted(quality.records, "record")
    ));
    says.extend(flaws(quality));
    if !is_journal {
        let cannot = quality.cannot().into_iter();
        says.extend(cannot.map(|cannot| format!("Cannot be known: {cannot}")));
    }
    for command in quality.mending() {
        says.push(format!("To mend that: `{command}`."));
    }
    let mut files = Table::new(&["log", "file", ">size", "kind", "packed"]);
    for (i, file) in quality.log.files.iter().enumerate() {
        files.row(vec![
            (i + 1).to_string(),
            crate::diag::harmless_line(&file.name),
            size(file.bytes as f64),
            file.kind.to_owned(),
            file.packed.to_owned(),
        ]);
    }
    section("quality", "How good the log is", says, [("", files)])
}

fn mix(findings: &Findings) -> Section {
    let mut kinds = Table::new(&["kind of work", ">commands", ">median", ">95 %", ">longest", ">together"]);
    for row in &findings.kinds {
        let lapse = |of: &dyn Fn(&crate::serverlog::analysis::Spread) -> f64| {
            row.lapse_s.as_ref().map_or(String::new(), |spread| time(of(spread)))
        };
        kinds.row(vec![
            row.title.to_owned(),
            count(row.tally.commands),
            lapse(&|s| s.p50),
            lapse(&|s| s.p95),
            lapse(&|s| s.max),
            said(row.tally.said.lapses, time(row.tally.lapse_s)),
        ]);
    }
    let mut says = Vec::new();
    if let Some((slot, width_s)) = &findings.busiest
        && slot.at_once > 0.0
    {
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
            "Builds and scripts call {} of the commands (estimate from names{}: {}).",
            shown(automation.fraction),
            match (shown(automation.low), shown(automation.high)) {
                (low, high) if low == high => String::new(),
                (low, high) => format!(", {low} to {high}"),
            },
            why_automation()
        ));
    }
    let mut days = Table::new(&["day", ">commands", ">busiest hour", ">of the mean hour", ">submits", ">syncs"]);
    for day in findings.days.iter().take(31) {
        days.row(vec![
            day.at.to_string().chars().take(10).collect(),
            count(day.commands()),
            count(day.busiest()),
            day.peak_to_mean().map_or(String::new(), |ratio| format!("{} ×", two_digits(ratio))),
            count(day.submits),
            count(day.syncs),
        ]);
    }
    // In a log of less than an hour there is no hour of which commands at once could be a mean.
    let is_hour = findings.quality.span_s() >= 3600.0;
    let mut hours = Table::new(&["hour", ">commands", ">at once, mean"]);
    for hour in findings.hours.iter().take(48) {
        hours.row(vec![
            hour.at.to_string(),
            count(hour.starts),
            if is_hour { two_digits(hour.at_once) } else { String::new() },
        ]);
    }
    let mut functions = ranking("function", &findings.functions, name);
    functions.rows.truncate(ROWS);
    let tables = [
        ("By kind of work", kinds),
        ("By function", functions),
        ("By day", days),
        ("By hour (the first two days)", hours),
    ];
    let plot = charts::over_time(findings).map(Block::Chart);
    plotted(plot, section("mix", "Commands", says, tables))
}

fn parts_of_time(findings: &Findings) -> Section {
    let mut grid = Table::new(&[
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
            said(parts.with_usage, of(parts.processor_s)),
            of(parts.sending_s),
            of(parts.client_s),
            of(parts.trigger_s),
            of(parts.paused_s),
            of(parts.rest_s),
            of(parts.compute_s),
        ]);
    }
    if grid.is_empty() {
        return Section::default();
    }
    let says = vec![
        "Shares of the lapses of commands with track lines. The rest is storage and what the log does not count: an estimate, and the most that storage can be. The compute phase lies across the other shares."
            .to_owned(),
    ];
    let plot = charts::time(findings).map(|bars| Block::Bars(bars, false));
    plotted(plot, section("time", "Where the time goes", says, [("", grid)]))
}

fn triggers(findings: &Findings) -> Section {
    let mut grid = Table::new(&["trigger", ">calls", ">together", ">mean", ">longest"]);
    for (trigger, sum) in &findings.triggers.rows {
        let timed = |seconds: f64| sum.mean_s().map_or(String::new(), |_| time(seconds));
        grid.row(vec![
            name(trigger),
            count(sum.calls),
            timed(sum.lapse_s),
            timed(sum.mean_s().unwrap_or(0.0)),
            timed(sum.longest_s),
        ]);
    }
    section("triggers", "Triggers", Vec::new(), [("", grid)])
}

fn pollers(findings: &Findings) -> Section {
    if findings.pollers.is_empty() {
        return Section::default();
    }
    let mut grid = Table::new(&[
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
            about_count(poller.calls_per_day()),
            said(t.said.lapses, time(poller.per_day(t.lapse_s))),
            said(t.said.usages, time(poller.per_day(t.processor_s))),
            time(poller.per_day(t.lock_wait_s)),
            about_count(poller.per_day(t.pages_in as f64)),
        ]);
    }
    let says = vec![
        "The same question of one user, program and address at regular intervals, no more than ten minutes apart: of seven intervals all, and of each further ten six, are within ± 26 % of each other. Costs are those of 24 hours at this pace."
            .to_owned(),
    ];
    section("pollers", "Pollers", says, [("", grid)])
}

/// A sum over so many commands; a dash where the log says it of none.
pub(super) fn said(commands: u64, sum: String) -> String {
    Said::of(commands, sum).unwrap_or_else(|| "–".to_owned())
}

/// A ranking as a table.
pub(super) fn ranking(head: &'static str, ranked: &Ranked<Tally>, shown: impl Fn(&str) -> String) -> Table {
    let mut grid = Table::new(&[
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
            said(t.said.lapses, time(t.lapse_s)),
            said(t.said.usages, time(t.processor_s)),
            said(t.said.locks, time(t.lock_wait_s)),
            said(t.said.locks, time(t.write_held_s)),
            said(t.said.locks, about_count(t.rows_scanned as f64)),
            said(t.said.sent, size(t.sent_bytes as f64)),
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

fn costs(findings: &Findings) -> Section {
    let tables = [
        ("By user", "user", &findings.users),
        ("By workspace", "workspace", &findings.clients),
        ("By program", "program", &findings.programs),
        ("By address", "address", &findings.addresses),
        ("By pattern of arguments", "call", &findings.patterns),
    ];
    let lost = tables.iter().map(|(.., ranked)| ranked.lost);
    let lost = lost.fold(0.0, f64::max);
    let mut says = vec![
        "Held alone is how long commands held locks of tables that nobody else could have meanwhile (exclusive locks): the sum over tables."
            .to_owned(),
    ];
    if lost > 0.0 {
        says.push(format!(
            "Of more than 4,096 names those that cost most are kept; a row may lack up to {} of command time.",
            time(lost)
        ));
    }
    let tables = tables.into_iter().map(|(title, head, ranked)| {
        let shown = |n: &str| {
            if head == "call" { function(n) } else { name(n) }
        };
        (title, ranking(head, ranked, shown))
    });
    section("costs", "What costs what", says, tables)
}

fn slowest(findings: &Findings) -> Section {
    let mut grid = Table::new(&["when", "user", "command", ">took", "where the time went"]);
    for slow in &findings.slowest {
        let mut named = slow.parts.map_or(Vec::new(), |parts| parts.named().to_vec());
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
            if named.is_empty() { "no track lines".to_owned() } else { named.join(", ") },
        ]);
    }
    section("slowest", "The slowest commands", Vec::new(), [("", grid)])
}

fn questionnaire(findings: &Findings, answers: &[Measured]) -> Section {
    let mut grid = Table::new(&["field", ">answer", "range", "how"]);
    for answer in answers {
        let (low, high) = &answer.range;
        let range = if answer.is_least {
            "at least".to_owned()
        } else if low == high {
            String::new()
        } else {
            format!("{low} to {high}")
        };
        grid.row(vec![answer.field.to_owned(), answer.value.clone(), range, answer.how.clone()]);
    }
    section(
        "answers",
        "Answers for the questionnaire",
        undecided(findings),
        [("`--site SITE.toml` writes these", grid)],
    )
}
