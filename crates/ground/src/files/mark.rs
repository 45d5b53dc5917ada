//! The line by which a file is known that Plimsoll wrote and nobody has edited since.
//!
//! It stands in one place, which the kind of file says, and carries a checksum of all the rest. The same text gives the
//! same mark. It guards against accidents, not against somebody who means to forge it.

use std::ops::Range;

/// How a mark is written, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A comment of HTML, which Markdown and SVG take too; the last line.
    Markup,
    /// A comment that begins with `#`: TOML, scripts of a shell, fstab and its like; the last line.
    Hash,
    /// The first key of an object that is written on several lines.
    Json,
}

/// What marks a kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// How it is written.
    pub style: Style,
    /// What the file is, with its article: "a report". One kind never replaces another.
    pub kind: &'static str,
}

/// What a file is as seen by a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// Ours, as it was written.
    Unchanged,
    /// Ours, and edited since.
    Edited,
    /// Ours, and of another kind.
    OtherKind(String),
    /// Not ours.
    Foreign,
}

const MADE: &str = "made by plimsoll ";
const CHECKSUM: &str = ", checksum ";
const MEANING: &str = "; Plimsoll writes over it only while it is unchanged";

/// A number that tells texts apart: FNV-1a, 64 bits (Fowler, Noll and Vo). It protects nothing.
pub fn checksum(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The checksum in a mark: of all that stands in the file but itself.
fn sum(version: &str, kind: &str, rest: [&str; 2]) -> u64 {
    let head = [version, kind].into_iter().flat_map(|word| word.bytes().chain([0xff]));
    checksum(head.chain(rest.into_iter().flat_map(str::bytes)))
}

impl Style {
    /// What stands before and after the sentence.
    fn around(self) -> (&'static str, &'static str) {
        match self {
            Self::Markup => ("<!-- ", " -->"),
            Self::Hash => ("# ", ""),
            Self::Json => ("  \"mark\": \"", "\","),
        }
    }

    /// The line of a mark.
    fn line(self, version: &str, kind: &str, sum: u64) -> String {
        let (before, after) = self.around();
        format!("{before}{MADE}{version}: {kind}{CHECKSUM}{sum:016x}{MEANING}{after}\n")
    }

    /// Where the line of a mark stands in a text, if it has one there; the line's end belongs to it.
    fn place(self, text: &str) -> Option<Range<usize>> {
        match self {
            Self::Json => {
                let begin = text.strip_prefix("{\n").map(|_| 2)?;
                let end = begin + text[begin..].find('\n')? + 1;
                Some(begin..end)
            }
            Self::Markup | Self::Hash => {
                let body = text.strip_suffix('\n')?;
                Some(body.rfind('\n').map_or(0, |at| at + 1)..text.len())
            }
        }
    }

    /// Version, kind and checksum that a line states, if it is a mark.
    fn read(self, line: &str) -> Option<(&str, &str, u64)> {
        let (before, after) = self.around();
        let line = line.trim_end().strip_prefix(before)?.strip_suffix(after)?;
        let line = line.strip_prefix(MADE)?.strip_suffix(MEANING)?;
        let (version, line) = line.split_once(": ")?;
        let (kind, sum) = line.split_once(CHECKSUM)?;
        let is_sum = sum.len() == 16;
        let sum = u64::from_str_radix(sum, 16).ok().filter(|_| is_sum)?;
        Some((version, kind, sum))
    }
}

impl Mark {
    /// The text with its mark.
    pub fn on(self, text: &str) -> String {
        let mut text = text.to_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let version = env!("CARGO_PKG_VERSION");
        let sum = sum(version, self.kind, [&text, ""]);
        let line = self.style.line(version, self.kind, sum);
        match self.style {
            Style::Json if text.starts_with("{\n") => text.insert_str(2, &line),
            // Nothing else than an object on several lines is ever written.
            Style::Json => {}
            Style::Markup | Style::Hash => text.push_str(&line),
        }
        text
    }

    /// The text without its mark, as it is before [`Self::on`]; a text without one stays.
    ///
    /// ```
    /// use plimsoll_ground::files::{Mark, Style};
    /// let mark = Mark { style: Style::Hash, kind: "a fit" };
    /// assert_eq!(mark.off(&mark.on("a = 1\n")), "a = 1\n");
    /// assert_eq!(mark.off("a = 1\n"), "a = 1\n");
    /// ```
    pub fn off(self, text: &str) -> String {
        match self.style.place(text) {
            Some(at) if self.style.read(&text[at.clone()]).is_some() => [&text[..at.start], &text[at.end..]].concat(),
            _ => text.to_owned(),
        }
    }

    /// Whether a file is ours.
    pub(super) fn origin(self, bytes: &[u8]) -> Origin {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Origin::Foreign;
        };
        let found = self.style.place(text).and_then(|at| {
            let (version, kind, _) = self.style.read(&text[at.clone()])?;
            let rest = [&text[..at.start], &text[at.end..]];
            let line = self.style.line(version, kind, sum(version, kind, rest));
            let is_same = text[at] == line;
            Some((kind, is_same))
        });
        match found {
            Some((kind, _)) if kind != self.kind => Origin::OtherKind(kind.to_owned()),
            Some((_, true)) => Origin::Unchanged,
            Some((_, false)) => Origin::Edited,
            // Lines were added at the mark's end of the file.
            None if text.lines().any(|line| self.style.read(line).is_some()) => Origin::Edited,
            None => Origin::Foreign,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STYLES: [Style; 3] = [Style::Markup, Style::Hash, Style::Json];

    fn mark(style: Style) -> Mark {
        Mark { style, kind: "a report" }
    }

    proptest! {
        #[test]
        fn a_marked_text_is_known_and_any_edit_is_seen(
            body in "[a-z#<\"{}\n]{0,60}",
            at in 0.0..1.0_f64,
            put in "[a-z \n]{1,3}",
            cut in any::<bool>(),
        ) {
            for style in STYLES {
                let text = match style {
                    Style::Json => format!("{{\n{body}\n}}\n"),
                    Style::Markup | Style::Hash => format!("{body}\n"),
                };
                let marked = mark(style).on(&text);
                prop_assert_eq!(mark(style).origin(marked.as_bytes()), Origin::Unchanged);
                prop_assert_eq!(mark(style).off(&marked), text.clone());
                prop_assert_eq!(mark(style).origin(text.as_bytes()), Origin::Foreign);
                let place = (marked.len() as f64 * at) as usize;
                let mut edited = marked.clone();
                if cut {
                    edited.truncate(place);
                } else {
                    edited.insert_str(place, &put);
                }
                if edited.trim_end() != marked.trim_end() {
                    prop_assert_ne!(mark(style).origin(edited.as_bytes()), Origin::Unchanged);
                }
            }
        }
    }

    #[test]
    fn words_of_ours_in_the_text_of_others_are_no_mark() {
        for (style, text) in [
            (Style::Markup, "# Notes\n## Recommendation\nmade by plimsoll 0.1.0\n"),
            (Style::Json, "{\n  \"tool\": \"hammer\"\n}\n"),
            (Style::Hash, "#!/bin/sh\n# nightly plimsoll-bench\n"),
            (Style::Hash, ""),
        ] {
            assert_eq!(mark(style).origin(text.as_bytes()), Origin::Foreign, "{text}");
        }
        assert_eq!(mark(Style::Hash).origin(&[0xff, 0xfe]), Origin::Foreign);
    }

    #[test]
    fn one_kind_is_not_another_and_a_line_more_is_an_edit() {
        for style in STYLES {
            let marked = mark(style).on("{\n  \"a\": 1\n}\n");
            let other = Mark { style, kind: "a result" };
            assert_eq!(other.origin(marked.as_bytes()), Origin::OtherKind("a report".to_owned()));
            let longer = format!("{marked}more\n");
            assert_eq!(mark(style).origin(longer.as_bytes()), Origin::Edited);
            let windows = marked.replace('\n', "\r\n");
            assert_ne!(mark(style).origin(windows.as_bytes()), Origin::Unchanged);
        }
    }
}
