//! What a server log says on one screen: how good it is, who to talk to, what to change, what happens.

use super::first::FirstScreen;
use crate::page::{Cell, Keep, Screen, Table, Tone};
use crate::report::screen::{COLUMNS, LINES};
use crate::serverlog::analysis::Findings;
use crate::serverlog::answers::undecided;

/// Points of a list.
const POINTS: Keep = Keep(&[(1, 5), (2, 4), (3, 3), (4, 2)]);
/// Columns of the labels.
const LABEL: (usize, usize) = (14, 14);

/// The screen.
pub fn workload_screen(findings: &Findings, next: &[String]) -> Screen {
    let first = FirstScreen::of(findings);
    let title = Cell::plain(format!("{}: {}", first.what, first.span));
    let mut out = Vec::new();
    if first.is_journal {
        out.push(Table::lines(0, [title]));
        let title = if first.journal.is_empty() { "How good the checkpoint is" } else { "How good the journal is" };
        let flaws = first.flaws.iter().map(|flaw| Cell::plain(flaw.clone()).toned(Tone::Warning));
        out.push(Table::lines(2, flaws).titled(title));
        out.extend(in_database(&first));
        out.push(texts(&undecided(findings)).titled("What it cannot say"));
    } else {
        out.push(Table::lines(0, [title, Cell::plain(first.who.clone())]));
        if !first.now.is_empty() {
            let now = Table::numbered(first.now.iter().cloned().map(Cell::plain));
            out.push(now.titled(if findings.standing.is_past {
                "What stood still at the end of this part"
            } else {
                "What stands still now"
            }));
        }
        let tone = if first.is_good { Tone::Good } else { Tone::Warning };
        let levels = Cell::plain(first.levels.join(" ")).toned(tone);
        out.push(Table::lines(2, [levels]).titled("How good the log is"));
        out.push(kept(texts(&first.flaws)));
        let nobody = Cell::plain(first.nobody.clone());
        out.push(points("Who to talk to", &first.talk, nobody));
        let tone = if first.is_empty { Tone::Plain } else { Tone::Good };
        let nothing = Cell::plain(first.nothing.to_owned()).toned(tone);
        out.push(points("What to change", &first.change, nothing));
        if !first.is_empty {
            out.push(labelled("What happens", &first.happens));
        }
        out.extend(in_database(&first));
    }
    out.push(texts(next).apart(Keep::ONE));
    Screen::fitting(&out, LINES, COLUMNS)
}

fn texts(texts: &[String]) -> Table {
    Table::lines(2, texts.iter().cloned().map(Cell::plain))
}

/// A list of which the last points give way.
fn kept(table: Table) -> Table {
    table.keeping(POINTS).or_more(["{} more with --full"; 2])
}

/// Numbered points; without any, why there are none.
fn points(title: &str, points: &[String], none: Cell) -> Table {
    let table = if points.is_empty() {
        Table::lines(2, [none])
    } else {
        Table::numbered(points.iter().cloned().map(Cell::plain))
    };
    kept(table).titled(title)
}

fn labelled(title: &str, rows: &[(&str, String)]) -> Table {
    let rows = rows.iter().map(|(label, text)| ((*label).to_owned(), Cell::plain(text.clone())));
    Table::labelled(LABEL, rows).titled(title)
}

/// What the journal says and the checkpoint holds, where there are any.
fn in_database(first: &FirstScreen) -> [Table; 2] {
    [labelled("What the journal says", &first.journal), labelled("What the checkpoint holds", &first.checkpoint)]
}
