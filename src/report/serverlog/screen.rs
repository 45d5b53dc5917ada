//! What a server log says on one screen: how good it is, who to talk to, what to change, what happens.

use super::first::FirstScreen;
use crate::page::Tone;
use crate::report::screen::{Line, NUMBER, Screen, hanging, heading, paragraph, plain};
use crate::serverlog::analysis::Findings;
use crate::serverlog::answers::undecided;

/// Columns before the text of a labelled line.
const LABEL: usize = 16;
/// Most points of a list, and what is left of them where the screen is too small.
const MOST: usize = 5;
const FEWER: [fn(&mut usize); 3] = [|most| *most = 4, |most| *most = 3, |most| *most = 2];

/// The screen.
pub fn workload_screen(findings: &Findings, next: &[String]) -> Screen {
    Screen::fitting(MOST, &FEWER, |most| lines(findings, next, most))
}

/// Numbered points, and how many more there are.
fn points(out: &mut Vec<Line>, points: &[String], most: usize) {
    for (i, point) in points.iter().take(most).enumerate() {
        hanging(out, &format!("{}.", i + 1), NUMBER, point);
    }
    if points.len() > most {
        let more = points.len() - most;
        plain(out, &format!("{more} more with --full"), NUMBER);
    }
}

fn lines(findings: &Findings, next: &[String], most: usize) -> Vec<Line> {
    let mut out = Vec::new();
    let first = FirstScreen::of(findings);
    plain(&mut out, &format!("{}: {}", first.what, first.span), 0);
    if first.is_journal {
        journal_alone(&mut out, &first, findings);
        notes(&mut out, next);
        return out;
    }
    plain(&mut out, &first.who, 0);

    heading(&mut out, "How good the log is");
    let tone = if first.is_good {
        Tone::Good
    } else {
        Tone::Warning
    };
    paragraph(&mut out, tone, &first.levels.join(" "), 2);
    for flaw in first.flaws.iter().take(most) {
        plain(&mut out, flaw, 2);
    }
    if first.flaws.len() > most {
        plain(
            &mut out,
            &format!("{} more with --full", first.flaws.len() - most),
            2,
        );
    }

    heading(&mut out, "Who to talk to");
    if first.talk.is_empty() {
        plain(&mut out, &first.nobody, 2);
    }
    points(&mut out, &first.talk, most);
    heading(&mut out, "What to change");
    if first.change.is_empty() {
        let tone = if first.is_empty {
            Tone::Plain
        } else {
            Tone::Good
        };
        paragraph(&mut out, tone, first.nothing, 2);
    }
    points(&mut out, &first.change, most);

    if !first.is_empty {
        heading(&mut out, "What happens");
        for (label, text) in &first.happens {
            hanging(&mut out, label, LABEL, text);
        }
    }
    in_database(&mut out, &first);
    notes(&mut out, next);
    out
}

/// What the journal says and the checkpoint holds, where there are any.
fn in_database(out: &mut Vec<Line>, first: &FirstScreen) {
    for (title, lines) in [
        ("What the journal says", &first.journal),
        ("What the checkpoint holds", &first.checkpoint),
    ] {
        if !lines.is_empty() {
            heading(out, title);
        }
        for (label, text) in lines {
            hanging(out, label, LABEL, text);
        }
    }
}

/// What comes next.
fn notes(out: &mut Vec<Line>, next: &[String]) {
    if next.is_empty() {
        return;
    }
    out.push(String::new().into());
    for line in next {
        plain(out, line, 2);
    }
}

/// A journal or a checkpoint without a server log.
fn journal_alone(out: &mut Vec<Line>, first: &FirstScreen, findings: &Findings) {
    if !first.flaws.is_empty() {
        let title = if first.journal.is_empty() {
            "How good the checkpoint is"
        } else {
            "How good the journal is"
        };
        heading(out, title);
    }
    for flaw in &first.flaws {
        paragraph(out, Tone::Warning, flaw, 2);
    }
    in_database(out, first);
    heading(out, "What it cannot say");
    for sentence in undecided(findings) {
        plain(out, &sentence, 2);
    }
}
