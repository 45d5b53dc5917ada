//! What a server log says on one screen: how good it is, who to talk to, what to change, what happens.

use super::first::FirstScreen;
use crate::page::{Tone, wrap};
use crate::report::screen::{COLUMNS, LINES, Screen};
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

fn lines(findings: &Findings, next: &[String], most: usize) -> Vec<(Tone, String)> {
    let mut out = Lines(Vec::new());
    let first = FirstScreen::of(findings);
    out.plain(format!("{}: {}", first.what, first.span));
    if first.is_journal {
        journal_alone(&mut out, &first, findings);
        notes(&mut out, next);
        return out.0;
    }
    out.plain(first.who.clone());

    out.heading("How good the log is");
    let tone = if first.is_good {
        Tone::Good
    } else {
        Tone::Warning
    };
    out.paragraph(tone, &first.levels.join(" "));
    for flaw in first.flaws.iter().take(most) {
        out.paragraph(Tone::Plain, flaw);
    }
    if first.flaws.len() > most {
        out.paragraph(
            Tone::Plain,
            &format!("{} more with --full", first.flaws.len() - most),
        );
    }

    out.heading("Who to talk to");
    if first.talk.is_empty() {
        out.paragraph(Tone::Plain, &first.nobody);
    }
    out.points(&first.talk, most);
    out.heading("What to change");
    if first.change.is_empty() {
        let tone = if first.is_empty {
            Tone::Plain
        } else {
            Tone::Good
        };
        out.paragraph(tone, first.nothing);
    }
    out.points(&first.change, most);

    if !first.is_empty {
        out.heading("What happens");
        for (label, text) in &first.happens {
            out.labelled(label, text);
        }
    }
    in_database(&mut out, &first);
    notes(&mut out, next);
    out.0
}

/// What the journal says and the checkpoint holds, where there are any.
fn in_database(out: &mut Lines, first: &FirstScreen) {
    for (title, lines) in [
        ("What the journal says", &first.journal),
        ("What the checkpoint holds", &first.checkpoint),
    ] {
        if !lines.is_empty() {
            out.heading(title);
        }
        for (label, text) in lines {
            out.labelled(label, text);
        }
    }
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

/// A journal or a checkpoint without a server log.
fn journal_alone(out: &mut Lines, first: &FirstScreen, findings: &Findings) {
    if !first.flaws.is_empty() {
        out.heading(if first.journal.is_empty() {
            "How good the checkpoint is"
        } else {
            "How good the journal is"
        });
    }
    for flaw in &first.flaws {
        out.paragraph(Tone::Warning, flaw);
    }
    in_database(out, first);
    out.heading("What it cannot say");
    for sentence in undecided(findings) {
        out.paragraph(Tone::Plain, &sentence);
    }
}
