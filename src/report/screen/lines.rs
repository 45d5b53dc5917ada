//! Lines of a screen: wrapped, cut, and as many of them as fit.

use crate::report::table::wrap;
use crate::site::Site;

/// Most lines of a screen.
pub const LINES: usize = 45;
/// Most columns of a line.
pub const COLUMNS: usize = 100;

/// How a line stands out where there are colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Not at all.
    Plain,
    /// A heading.
    Heading,
    /// All is well.
    Good,
    /// It may not be.
    Warning,
    /// It is not.
    Bad,
}

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

    /// The first of several versions that fits, or as much of the last as fits.
    pub(in crate::report) fn fitting(versions: impl Iterator<Item = Vec<Line>>) -> Self {
        let mut shown = Vec::new();
        for version in versions {
            shown = version;
            if shown.len() <= LINES {
                break;
            }
        }
        shown.truncate(LINES);
        Self::of(shown)
    }
}

/// A line and how it stands out.
pub(in crate::report) struct Line {
    pub(in crate::report) tone: Tone,
    pub(in crate::report) text: String,
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        let tone = Tone::Plain;
        Self { tone, text }
    }
}

/// An empty line and a title of one line.
pub(in crate::report) fn heading(out: &mut Vec<Line>, title: &str) {
    out.push(String::new().into());
    toned(out, Tone::Heading, title, 1);
}

/// A paragraph of at most so many lines, behind so many blanks.
pub(in crate::report) fn plain(out: &mut Vec<Line>, text: &str, indent: usize, most: usize) {
    let pad = " ".repeat(indent);
    let lines = wrapped(text, COLUMNS - indent, most).into_iter();
    out.extend(lines.map(|line| Line::from(format!("{pad}{line}"))));
}

/// A paragraph that stands out.
pub(in crate::report) fn toned(out: &mut Vec<Line>, tone: Tone, text: &str, most: usize) {
    let lines = wrapped(text, COLUMNS, most).into_iter();
    out.extend(lines.map(|text| Line { tone, text }));
}

/// The first lines of a text; where there are more, the last ends with a mark.
pub(in crate::report) fn wrapped(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines = wrap(text, width);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            let room: String = last.chars().take(width - 2).collect();
            *last = format!("{} …", room.trim_end_matches([',', ';', ':', ' ']));
        }
    }
    lines
}

/// "3 warnings about the answers" with what follows them; nothing where there are none.
pub(in crate::report) fn warnings(site: &Site, then: &str) -> String {
    match site.warnings.len() {
        0 => String::new(),
        1 => format!("1 warning about the answers{then}"),
        n => format!("{n} warnings about the answers{then}"),
    }
}
