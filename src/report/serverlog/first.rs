//! What a server log says first: how good it is, who to talk to, what to change, what happens.

use super::parts::{is_journal, read_and_span, title};
use super::words::{at_least, clock, count, counted, flaws, levels, moved_in_all, name, rate, share, spread, time};
use super::{checkpoint, journal, points, standing, unserved};
use crate::serverlog::analysis::{Findings, USERS};

/// Fewest pages of which a share is told.
const JUDGED_PAGES: u64 = 1000;

/// The short answer of a log, in sentences: the same on the command line and in the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstScreen {
    /// What was read: "Server log", or "Journal" or "Checkpoint" where there is no other log.
    pub what: &'static str,
    /// From when to when it reaches.
    pub span: String,
    /// How many commands it has, and whose; of a journal or a checkpoint without a log how many records.
    pub who: String,
    /// Whether it is a journal or a checkpoint without a log: then only the flaws and what that says are known.
    pub is_journal: bool,
    /// Whether it has no command at all.
    pub is_empty: bool,
    /// Whether no setting would make the next log say more.
    pub is_good: bool,
    /// The levels at which the server logs.
    pub levels: Vec<String>,
    /// What is wrong with the text of the log.
    pub flaws: Vec<String>,
    /// What stands still when the log ends, who holds it up, what to do; empty where all goes on.
    pub now: Vec<String>,
    /// People and owners of scripts to talk to, those who cost others most first.
    pub talk: Vec<String>,
    /// Why there is nobody to talk to, where there is none.
    pub nobody: String,
    /// What to change.
    pub change: Vec<String>,
    /// Why there is nothing to change, where there is nothing.
    pub nothing: &'static str,
    /// What happens on the server: label and text.
    pub happens: Vec<(&'static str, String)>,
    /// What the journal says: label and text; empty where there is none.
    pub journal: Vec<(&'static str, String)>,
    /// What the checkpoint holds: label and text; empty where there is none.
    pub checkpoint: Vec<(&'static str, String)>,
}

impl FirstScreen {
    /// Of the findings.
    pub fn of(findings: &Findings) -> Self {
        let quality = &findings.quality;
        let is_empty = quality.records == 0;
        let (what, span) = read_and_span(findings);
        let is_journal = is_journal(findings);
        let written = findings.journal.as_ref().map(journal::written);
        let written = written.or(findings.checkpoint.as_ref().map(checkpoint::held));
        Self {
            what,
            span,
            who: written.filter(|_| is_journal).unwrap_or_else(|| who(findings)),
            is_journal,
            is_empty,
            is_good: quality.mending().is_empty(),
            levels: levels(quality),
            flaws: flaws(quality),
            now: standing::now(findings),
            talk: points::talk(findings),
            nobody: points::nobody(findings),
            change: points::change(findings),
            nothing: if is_empty {
                "Cannot be said: this log has no command."
            } else {
                "No setting and no equipment, by what this log shows."
            },
            happens: happens(findings),
            journal: findings.journal.iter().flat_map(journal::lines).collect(),
            checkpoint: findings.checkpoint.iter().flat_map(checkpoint::lines).collect(),
        }
    }
}

/// What a log is and how good it is, a line each: from when to when, whose commands, at which levels, what would make the
/// next one better, and the first flaw of its text.
pub fn workload_brief(findings: &Findings) -> Vec<String> {
    let quality = &findings.quality;
    let mut lines = Vec::new();
    if !is_journal(findings) {
        lines.push(format!("{}. {}.", title(findings), who(findings)));
        lines.push(levels(quality).join(" "));
    }
    if let Some(journal) = &findings.journal {
        let (span, written) = (journal::span(journal), journal::written(journal));
        lines.push(format!("Journal: {span}. {written}."));
        lines.extend(journal::growth(journal).map(|text| format!("It grows by {text}.")));
    }
    if let Some(checkpoint) = &findings.checkpoint {
        let (made, held) = (checkpoint::made(checkpoint), checkpoint::held(checkpoint));
        lines.push(format!("Checkpoint: {made}. {held}."));
    }
    let mending = quality.mending();
    if !mending.is_empty() {
        let commands: Vec<String> = mending.iter().map(|c| format!("`{c}`")).collect();
        lines.push(format!("The next log says more after {}.", commands.join(" and ")));
    }
    lines.extend(flaws(quality).into_iter().next());
    lines
}

/// How many commands, and whose.
fn who(findings: &Findings) -> String {
    let people = &findings.people;
    if findings.called == 0 {
        return format!(
            "No command called by a person or script; {} in all",
            counted(findings.quality.records, "record")
        );
    }
    let users = match people.users {
        1 => "1 user".to_owned(),
        n => format!("{} users", at_least(n, USERS)),
    };
    let users = match people.people {
        0 => format!("{users}, by name none of them a person"),
        n if n == people.users => users,
        1 => format!("{users}, one of them a person by the name"),
        n => format!("{users}, {} of them people by their names", count(n)),
    };
    format!("{} called by {users}", counted(findings.called, "command"))
}

#[expect(clippy::too_many_lines, reason = "one line after the other")]
fn happens(findings: &Findings) -> Vec<(&'static str, String)> {
    let mut out: Vec<(&'static str, String)> = Vec::new();
    let mut labelled = |label, text: &str| out.push((label, text.to_owned()));
    let all: u64 = findings.kinds.iter().map(|row| row.tally.commands).sum();
    let mut kinds: Vec<_> = findings.kinds.iter().collect();
    kinds.sort_by_key(|row| std::cmp::Reverse(row.tally.commands));
    let mix: Vec<String> = kinds
        .iter()
        .take(6)
        .map(|row| {
            let part = share(row.tally.commands as f64, all as f64);
            format!("{} {part}", row.title)
        })
        .collect();
    if !mix.is_empty() {
        labelled("commands", &format!("{} (of {})", mix.join(", "), counted(all, "record")));
    }
    let parts = &findings.parts;
    // While all stand still, those that ended before say nothing of where the time goes.
    if parts.lapse_s > 0.0 && findings.standing.jam.is_none() {
        let mut named = parts.named().to_vec();
        named.sort_by(|a, b| b.2.total_cmp(&a.2));
        let shares: Vec<String> = named
            .iter()
            .filter(|(.., s)| *s > 0.005 * parts.lapse_s)
            .map(|(_, title, s)| format!("{title} {}", share(*s, parts.lapse_s)))
            .collect();
        labelled("time", &format!("{} (of {})", shares.join(", "), time(parts.lapse_s)));
    }
    if let Some((slot, width_s)) = &findings.busiest
        && slot.at_once > 0.0
    {
        let hour = findings.hours.iter().max_by_key(|h| h.starts);
        let hour = hour.map_or(String::new(), |hour| {
            format!(
                "; busiest {} from {} with {}",
                if findings.hour_s == 3600 { "hour" } else { "time" },
                clock(hour.at),
                counted(hour.starts, "command")
            )
        });
        labelled(
            "at once",
            &format!(
                "{} on average over {} at {}{hour}",
                crate::units::two_digits(slot.at_once),
                time(*width_s as f64),
                slot.at
            ),
        );
    }
    let syncs = &findings.syncs;
    if syncs.count > 0 {
        let mut text = format!("{}, {}", counted(syncs.count, "sync"), moved_in_all(syncs));
        if let Some(found) = &syncs.rate_bytes_per_s {
            text.push_str("; rate of those from 16 MiB on: ");
            text.push_str(&spread(found, rate));
        }
        labelled("syncs", &text);
    }
    let submits = &findings.submits;
    if submits.moved.count > 0 {
        let mut text = format!("{}, {}", counted(submits.moved.count, "submit"), moved_in_all(&submits.moved));
        if let Some(found) = &submits.visible_s {
            text.push_str("; as the user waits: ");
            text.push_str(&spread(found, time));
        }
        labelled("submits", &text);
    }
    for (outcome, text) in unserved::lines(findings) {
        labelled(outcome, &text);
    }
    let waits: Vec<String> = findings
        .tables
        .rows
        .iter()
        .map(|(table, sum)| (table, sum.read_wait_s.0 + sum.write_wait_s.0))
        .filter(|(_, waited)| *waited >= 0.01)
        .take(4)
        .map(|(table, waited)| format!("{} {}", name(table), time(waited)))
        .collect();
    if !waits.is_empty() {
        labelled("waits for", &waits.join(", "));
    }
    let holds = findings.contention.holds.iter().take(3);
    let holds: Vec<String> = holds.map(points::hold).collect();
    if !holds.is_empty() {
        labelled("holds", &holds.join(", "));
    }
    if let Some(proxy) = &findings.upstream.proxy {
        let (cache, server) = (proxy.cache_bytes as f64, proxy.server_bytes as f64);
        labelled(
            "proxy cache",
            &format!(
                "{} of the bytes and {} of the files came from it",
                share(cache, cache + server),
                share(proxy.cache_files as f64, proxy.cache_files as f64 + proxy.server_files as f64)
            ),
        );
    }
    if let Some(hit) = findings.cache.hit_fraction
        && findings.cache.judged_pages >= JUDGED_PAGES
    {
        labelled(
            "page cache",
            &format!(
                "{} of the pages that commands read (estimate, from {})",
                crate::units::Fraction::new(hit).estimated(),
                counted(findings.cache.judged_pages, "page")
            ),
        );
    }
    out
}
