//! Lines of a screen: wrapped, and as many whole rows and sentences of them as fit.

use crate::page::{Tone, wrap};
use crate::site::Site;

/// Most lines of a screen.
pub const LINES: usize = 45;
/// Most columns of a line.
pub const COLUMNS: usize = 100;

/// A screen: its text, and how each line stands out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    /// Lines, each with its end.
    pub text: String,
    /// One a line.
    pub tones: Vec<Tone>,
}

impl Screen {
    /// Of all lines.
    pub(in crate::report) fn of(lines: Vec<Line>) -> Self {
        let mut text = String::new();
        let mut tones = Vec::with_capacity(lines.len());
        for line in lines {
            text.push_str(&line.text);
            text.push('\n');
            tones.push(line.tone);
        }
        Self { text, tones }
    }

    /// All lines of `most` where they fit. Where they do not, the steps take from it, one after the other, until they do; of
    /// what still does not fit the whole rows that do.
    pub(in crate::report) fn fitting<Room: Copy>(
        most: Room,
        steps: &[fn(&mut Room)],
        lines: impl Fn(Room) -> Vec<Line>,
    ) -> Self {
        let smaller = steps.iter().scan(most, |room, step| {
            step(room);
            Some(*room)
        });
        let mut shown = Vec::new();
        for room in std::iter::once(most).chain(smaller) {
            shown = lines(room);
            if shown.len() <= LINES {
                break;
            }
        }
        if shown.len() > LINES {
            let starts = (0..=LINES).rev().find(|i| !shown[*i].goes_on);
            shown.truncate(starts.unwrap_or(LINES));
        }
        Self::of(shown)
    }
}

/// A line and how it stands out.
pub(in crate::report) struct Line {
    pub(in crate::report) tone: Tone,
    pub(in crate::report) text: String,
    /// Whether it belongs to the row that the line before begins.
    pub(in crate::report) goes_on: bool,
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self {
            tone: Tone::Plain,
            text,
            goes_on: false,
        }
    }
}

/// An empty line and a title.
pub(in crate::report) fn heading(out: &mut Vec<Line>, title: &str) {
    out.push(String::new().into());
    toned(out, Tone::Heading, title);
}

/// Lines of one row.
pub(in crate::report) fn row(
    out: &mut Vec<Line>,
    tone: Tone,
    lines: impl IntoIterator<Item = String>,
) {
    out.extend(lines.into_iter().enumerate().map(|(n, text)| Line {
        tone,
        text,
        goes_on: n > 0,
    }));
}

/// A paragraph behind so many blanks.
pub(in crate::report) fn paragraph(out: &mut Vec<Line>, tone: Tone, text: &str, indent: usize) {
    let pad = " ".repeat(indent);
    let lines = wrap(text, COLUMNS - indent).into_iter();
    row(out, tone, lines.map(|line| format!("{pad}{line}")));
}

/// One that does not stand out.
pub(in crate::report) fn plain(out: &mut Vec<Line>, text: &str, indent: usize) {
    paragraph(out, Tone::Plain, text, indent);
}

/// One from the first column on.
pub(in crate::report) fn toned(out: &mut Vec<Line>, tone: Tone, text: &str) {
    paragraph(out, tone, text, 0);
}

/// A row behind its label, which stands before its first line.
pub(in crate::report) fn hanging(out: &mut Vec<Line>, label: &str, width: usize, text: &str) {
    let lines = wrap(text, COLUMNS - width).into_iter().enumerate();
    let lines = lines.map(|(n, line)| {
        let label = if n == 0 { label } else { "" };
        format!("  {label:<0$}{line}", width - 2)
    });
    row(out, Tone::Plain, lines);
}

/// A cell of a row of a table: its text, its columns, and whether it ends at the right.
pub(in crate::report) type Cell<'a> = (&'a str, usize, bool);

/// A row of a table; the text of a cell that is wider than its columns goes on in the lines below.
pub(in crate::report) fn cells(out: &mut Vec<Line>, tone: Tone, cells: &[Cell<'_>]) {
    let wrapped: Vec<Vec<String>> = cells
        .iter()
        .map(|(text, width, _)| wrap(text, *width))
        .collect();
    let lines = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    let line = |n: usize| {
        let parts = cells
            .iter()
            .zip(&wrapped)
            .map(|((_, width, right), lines)| {
                let text = lines.get(n).map_or("", String::as_str);
                if *right {
                    format!("  {text:>width$}")
                } else {
                    format!("  {text:<width$}")
                }
            });
        parts.collect::<String>().trim_end().to_owned()
    };
    row(out, tone, (0..lines).map(line));
}

/// As many whole sentences of a text as fit so many lines, from its beginning; the first in any case.
pub(in crate::report) fn sentences(text: &str, width: usize, most: usize) -> String {
    let mut kept = 0;
    for end in ends(text) {
        if kept > 0 && wrap(&text[..end], width).len() > most {
            break;
        }
        kept = end;
    }
    text[..kept].to_owned()
}

/// Where the sentences of a text end: before a blank and a capital letter, but for "St. Louis" and initials.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let stops = text.match_indices(". ").filter(|(at, _)| {
        let word = text[..*at].rsplit([' ', '(']).next().unwrap_or_default();
        let is_short = word.chars().count() <= 3
            && word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().skip(1).all(char::is_lowercase);
        let next = text[at + 2..].chars().next();
        !is_short && next.is_some_and(|c| c.is_uppercase() || c == '"')
    });
    stops.map(|(at, _)| at + 1).chain([text.len()])
}

/// As many whole items of a list as fit so many lines after what introduces them, at least one, and how many more there are.
pub(in crate::report) fn listed(
    before: &str,
    items: &[String],
    width: usize,
    most: usize,
) -> String {
    let said = |count: usize| {
        let shown = items[..count].join("; ");
        match items.len() - count {
            0 => format!("{before} {shown}."),
            more => format!("{before} {shown}; and {more} more."),
        }
    };
    let fits = |count: &usize| wrap(&said(*count), width).len() <= most;
    let count = (1..=items.len()).rev().find(fits);
    said(count.unwrap_or(items.len().min(1)))
}

/// "3 warnings about the answers" with what follows them; nothing where there are none.
pub(in crate::report) fn warnings(site: &Site, then: &str) -> String {
    match site.warnings.len() {
        0 => String::new(),
        1 => format!("1 warning about the answers{then}"),
        n => format!("{n} warnings about the answers{then}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{LINES, Line, Screen};

    #[test]
    fn parts_give_way_one_after_the_other_until_the_rest_fits() {
        let lines = |rows: usize| (0..rows).map(|row| Line::from(row.to_string())).collect();
        let steps: [fn(&mut usize); 3] = [|rows| *rows = 60, |rows| *rows = 40, |rows| *rows = 1];
        let shown = |most| Screen::fitting(most, &steps, lines).tones.len();
        assert_eq!(shown(LINES), LINES);
        assert_eq!(shown(100), 40);
        // Rows of two lines, of which the last that fits begins a line too late.
        let rows = |_| {
            let lines = (0..100).map(|line| Line {
                goes_on: line % 2 == 1,
                ..Line::from(String::new())
            });
            lines.collect()
        };
        let whole = Screen::fitting(0, &[], rows);
        assert_eq!(whole.tones.len(), LINES - LINES % 2);
    }
}
