//! Cells of CSV files (RFC 4180) that a spreadsheet shows and does not run.
//!
//! A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, with or without quotes,
//! and skips a tab or a carriage return before it (OWASP, "CSV Injection"). Such a text gets an apostrophe
//! in front, which spreadsheets know as "this is text". Numbers are never texts: a column that is summed
//! stays a column of numbers.

use crate::diag::{harmless_line, is_harmful};

/// A text as a cell: on one line, no formula, in quotes where it needs them.
///
/// ```
/// use plimsoll::report::csv;
/// assert_eq!(csv::text("cpu.utilization"), "cpu.utilization");
/// assert_eq!(csv::text("=1+1"), "'=1+1");
/// assert_eq!(csv::text("a,\"b\""), "\"a,\"\"b\"\"\"");
/// ```
pub fn text(text: &str) -> String {
    // A semicolon separates where a comma is the decimal sign.
    if text.contains([',', ';', '"', '\n', '\r', '\t']) {
        return quoted(text);
    }
    guarded(text)
}

/// The same, always in quotes.
///
/// ```
/// assert_eq!(plimsoll::report::csv::quoted("@SUM(1)"), "\"'@SUM(1)\"");
/// ```
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", guarded(text).replace('"', "\"\""))
}

/// A line of finished cells.
pub fn row(cells: &[String]) -> String {
    format!("{}\r\n", cells.join(","))
}

fn guarded(text: &str) -> String {
    let shown = harmless_line(text);
    // What looks empty at the beginning is skipped; the wide forms count as the narrow ones.
    let first = text.chars().find(|c| !c.is_whitespace() && !is_harmful(*c)).unwrap_or(' ');
    let begins = text.starts_with(['\t', '\r', '\n']);
    let is_formula =
        begins || matches!(first, '=' | '+' | '-' | '@' | '\u{ff1d}' | '\u{ff0b}' | '\u{ff0d}' | '\u{ff20}');
    if is_formula { format!("'{shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::{quoted, row, text};

    #[test]
    fn no_text_begins_a_formula() {
        for start in ["=", "+", "-", "@", "\t", "\r", "\n", "＝", " =", "\t=", "\u{200b}="] {
            for rest in ["cmd|' /C calc'!A0", "1+1", "", "\"x\""] {
                for cell in [text(&format!("{start}{rest}")), quoted(&format!("{start}{rest}"))] {
                    let inside = cell.trim_start_matches('"');
                    assert!(inside.starts_with('\''), "{start:?}{rest:?}: {cell:?}");
                    assert!(!cell.contains(['\t', '\r', '\n']), "{cell:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_plain_stays_plain() {
        assert_eq!(text("db.have (write)"), "db.have (write)");
        assert_eq!(text("a;b"), "\"a;b\"");
        assert_eq!(row(&[text("a"), "-1.5".to_owned()]), "a,-1.5\r\n");
    }
}
