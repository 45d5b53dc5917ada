//! What a server log says on one screen: how good it is, who to talk to, what to change, what happens.

use super::parts::{is_journal, title};
use super::words::{clock, count, counted, flaws, levels, moved, name, rate, share, spread, time};
use super::{journal, points};
use crate::report::screen::{COLUMNS, LINES, Screen, Tone};
use crate::report::table::wrap;
use crate::serverlog::analysis::Findings;
use crate::serverlog::answers::undecided;

/// Columns before the text of a labelled line.
const LABEL: usize = 14;
/// Most points of a list, as there is room.
const ROOM: [usize; 4] = [5, 4, 3, 2];

struct Lines(Vec<(Tone, String)>);

impl Lines {
    fn plain(&mut self, text: impl Into<String>) {
        self.0.push((Tone::Plain, text.into()));
    }

    fn heading(&mut self, text: &str) {
        self.plain("");
        self.0.push((Tone::Heading, text.to_owned()));
    }

    fn paragraph(&mut self, tone: Tone, text: &str) {
        let lines = wrap(text, COLUMNS - 2).into_iter();
        self.0.extend(lines.map(|line| (tone, format!("  {line}"))));
    }

    fn points(&mut self, points: &[String], most: usize) {
        for (i, point) in points.iter().take(most).enumerate() {
            for (n, line) in wrap(point, COLUMNS - 5).into_iter().enumerate() {
                let number = if n == 0 {
                    format!("{}.", i + 1)
                } else {
                    String::new()
                };
                self.plain(format!("  {number:<3}{line}"));
            }
        }
        if points.len() > most {
            self.plain(format!("     {} more with --full", points.len() - most));
        }
    }

    fn labelled(&mut self, label: &str, text: &str) {
        for (n, line) in wrap(text, COLUMNS - LABEL - 2).into_iter().enumerate() {
            let label = if n == 0 { label } else { "" };
            self.plain(format!("  {label:<LABEL$}{line}"));
        }
    }
}

/// The screen; at most [`LINES`] lines of [`COLUMNS`] columns.
pub fn workload_screen(findings: &Findings, next: &[String]) -> Screen {
    let fitting = ROOM.iter().map(|most| lines(findings, next, *most));
    let mut fitting: Vec<Vec<(Tone, String)>> = fitting.collect();
    let at = fitting.iter().position(|lines| lines.len() <= LINES);
    let lines = fitting.swap_remove(at.unwrap_or(ROOM.len() - 1));
    let (tones, lines): (Vec<Tone>, Vec<String>) = lines.into_iter().take(LINES).unzip();
    let text = lines.iter().flat_map(|line| [line.as_str(), "\n"]);
    Screen {
        text: text.collect(),
        tones,
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
    let mending = quality.mending();
    if !mending.is_empty() {
        let commands: Vec<String> = mending.iter().map(|c| format!("`{c}`")).collect();
        lines.push(format!(
            "The next log says more after {}.",
            commands.join(" and ")
        ));
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
    let users = counted(people.users, "user");
    let users = match people.people {
        0 => format!("{users}, by name none of them a person"),
        n if n == people.users => users,
        n => format!("{users}, {} of them people by their names", count(n)),
    };
    format!("{} called by {users}", counted(findings.called, "command"))
}

fn lines(findings: &Findings, next: &[String], most: usize) -> Vec<(Tone, String)> {
    let mut out = Lines(Vec::new());
    let quality = &findings.quality;
    out.plain(title(findings));
    if is_journal(findings) {
        journal_alone(&mut out, findings);
        notes(&mut out, next);
        return out.0;
    }
    out.plain(who(findings));

    out.heading("How good the log is");
    let good = quality.mending().is_empty();
    let tone = if good { Tone::Good } else { Tone::Warning };
    out.paragraph(tone, &levels(quality).join(" "));
    let flaws = flaws(quality);
    for flaw in flaws.iter().take(most) {
        out.paragraph(Tone::Plain, flaw);
    }
    if flaws.len() > most {
        out.paragraph(
            Tone::Plain,
            &format!("{} more with --full", flaws.len() - most),
        );
    }

    let talk = points::talk(findings);
    out.heading("Who to talk to");
    if talk.is_empty() {
        let text = if quality.with_tables == 0 {
            "Cannot be said: no line of this log is about a lock."
        } else {
            "Nobody: no command of this log kept others waiting for a second, and none polls."
        };
        out.paragraph(Tone::Plain, text);
    }
    out.points(&talk, most);
    let change = points::change(findings);
    out.heading("What to change");
    if change.is_empty() && quality.records == 0 {
        out.paragraph(Tone::Plain, "Cannot be said: this log has no command.");
    } else if change.is_empty() {
        out.paragraph(Tone::Good, "Nothing that this log shows.");
    }
    out.points(&change, most);

    if quality.records > 0 {
        out.heading("What happens");
        happens(&mut out, findings);
    }
    if let Some(journal) = &findings.journal {
        out.heading("What the journal says");
        for (label, text) in journal::lines(journal) {
            out.labelled(label, &text);
        }
    }
    notes(&mut out, next);
    out.0
}

/// What comes next.
fn notes(out: &mut Lines, next: &[String]) {
    if next.is_empty() {
        return;
    }
    out.plain("");
    for line in next {
        out.paragraph(Tone::Plain, line);
    }
}

/// A journal without a server log.
fn journal_alone(out: &mut Lines, findings: &Findings) {
    let flaws = flaws(&findings.quality);
    if !flaws.is_empty() {
        out.heading("How good the journal is");
    }
    for flaw in &flaws {
        out.paragraph(Tone::Warning, flaw);
    }
    out.heading("What the journal says");
    for (label, text) in findings.journal.iter().flat_map(journal::lines) {
        out.labelled(label, &text);
    }
    out.heading("What it cannot say");
    for sentence in undecided(findings) {
        out.paragraph(Tone::Plain, &sentence);
    }
}

#[expect(clippy::too_many_lines, reason = "one line after the other")]
fn happens(out: &mut Lines, findings: &Findings) {
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
        out.labelled(
            "commands",
            &format!("{} (of {})", mix.join(", "), counted(all, "record")),
        );
    }
    let parts = &findings.parts;
    if parts.lapse_s > 0.0 {
        let mut named = parts.named().to_vec();
        named.sort_by(|a, b| b.2.total_cmp(&a.2));
        let shares: Vec<String> = named
            .iter()
            .filter(|(.., s)| *s > 0.005 * parts.lapse_s)
            .map(|(_, title, s)| format!("{title} {}", share(*s, parts.lapse_s)))
            .collect();
        out.labelled(
            "time",
            &format!("{} (of {})", shares.join(", "), time(parts.lapse_s)),
        );
    }
    if let Some((slot, width_s)) = &findings.busiest
        && slot.at_once > 0.0
    {
        let hour = findings.hours.iter().max_by_key(|h| h.starts);
        let hour = hour.map_or(String::new(), |hour| {
            format!(
                "; busiest {} from {} with {}",
                if findings.hour_s == 3600 {
                    "hour"
                } else {
                    "time"
                },
                clock(hour.at),
                counted(hour.starts, "command")
            )
        });
        out.labelled(
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
        let mut text = format!(
            "{}, {}",
            counted(syncs.count, "sync"),
            moved(syncs.files, syncs.bytes)
        );
        if let Some(found) = &syncs.rate_bytes_per_s {
            text.push_str("; rate of those from 16 MiB on: ");
            text.push_str(&spread(found, rate));
        }
        out.labelled("syncs", &text);
    }
    let submits = &findings.submits;
    if submits.moved.count > 0 {
        let mut text = format!(
            "{}, {}",
            counted(submits.moved.count, "submit"),
            moved(submits.moved.files, submits.moved.bytes)
        );
        if let Some(found) = &submits.visible_s {
            text.push_str("; as the user waits: ");
            text.push_str(&spread(found, time));
        }
        out.labelled("submits", &text);
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
        out.labelled("waits for", &waits.join(", "));
    }
    if let Some(proxy) = &findings.upstream.proxy {
        let (cache, server) = (proxy.cache_bytes as f64, proxy.server_bytes as f64);
        out.labelled(
            "proxy cache",
            &format!(
                "{} of the bytes and {} of the files came from it",
                share(cache, cache + server),
                share(
                    proxy.cache_files as f64,
                    proxy.cache_files as f64 + proxy.server_files as f64
                )
            ),
        );
    }
    if let Some(hit) = findings.cache.hit_fraction {
        out.labelled(
            "page cache",
            &format!(
                "{} of the pages that commands read (estimate, from {} pages)",
                crate::units::Fraction::new(hit).estimated(),
                count(findings.cache.judged_pages)
            ),
        );
    }
}
