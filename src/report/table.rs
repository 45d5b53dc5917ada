//! Plain tables for a terminal: columns as wide as their widest cell, numbers to the right, long text
//! wrapped.

/// A table of text.
#[derive(Debug, Clone, Default)]
pub struct Table {
    heads: Vec<String>,
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

/// Widest line of the report.
pub const WIDTH: usize = 110;

impl Table {
    /// A table with these heads; a head that starts with `>` belongs to a column of numbers.
    pub fn new(heads: &[&str]) -> Self {
        Self {
            heads: heads
                .iter()
                .map(|h| h.trim_start_matches('>').to_owned())
                .collect(),
            right: heads.iter().map(|h| h.starts_with('>')).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row of as many cells as there are heads.
    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.heads.len(), "a cell for each head");
        self.rows.push(cells);
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table with an indent of two; the last column is wrapped at [`WIDTH`].
    pub fn render(&self) -> String {
        let widths: Vec<usize> = (0..self.heads.len())
            .map(|i| {
                let cells = self.rows.iter().map(|r| r[i].chars().count());
                cells
                    .chain([self.heads[i].chars().count()])
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut out = String::new();
        self.line(&mut out, &self.heads, &widths);
        let rule: usize = widths.iter().sum::<usize>() + 2 * (widths.len().saturating_sub(1));
        out.push_str("  ");
        out.push_str(&"─".repeat(rule.min(WIDTH - 2)));
        out.push('\n');
        for row in &self.rows {
            self.line(&mut out, row, &widths);
        }
        out
    }

    fn line(&self, out: &mut String, cells: &[String], widths: &[usize]) {
        let last = cells.len().saturating_sub(1);
        let before: usize = widths[..last].iter().map(|w| w + 2).sum::<usize>() + 2;
        let room = WIDTH.saturating_sub(before).max(24);
        let wrapped = if self.right[last] {
            vec![cells[last].clone()]
        } else {
            wrap(&cells[last], room)
        };
        for (n, part) in wrapped.iter().enumerate() {
            let mut line = String::from("  ");
            for (i, width) in widths.iter().enumerate().take(last) {
                let cell = if n == 0 { cells[i].as_str() } else { "" };
                let pad = " ".repeat(width - cell.chars().count());
                if self.right[i] {
                    line.push_str(&pad);
                    line.push_str(cell);
                } else {
                    line.push_str(cell);
                    line.push_str(&pad);
                }
                line.push_str("  ");
            }
            if self.right[last] {
                line.push_str(&" ".repeat(widths[last] - part.chars().count()));
            }
            line.push_str(part);
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

/// At most so many characters of a text, the last of them an ellipsis where more would follow.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width - 1).collect();
    format!("{}…", kept.trim_end())
}

/// Breaks text at blanks into lines of at most `width` characters (longer words stay whole, and a number
/// keeps its unit).
///
/// ```
/// use plimsoll::report::table::wrap;
/// assert_eq!(wrap("to be or not", 5), ["to be", "or", "not"]);
/// assert_eq!(wrap("locks 5.1 %", 9), ["locks", "5.1 %"]);
/// ```
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut word = word.to_owned();
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        if let Some(sign) = words.next_if(|next| next.starts_with('%') || (number && is_unit(next)))
        {
            word = format!("{word} {sign}");
        }
        let line = lines.last_mut().map_or(0, |l| l.chars().count());
        if line > 0 && line + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(last) = lines.last_mut() {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(&word);
        }
    }
    lines
}

/// Whether a word is the unit of the number before it.
fn is_unit(word: &str) -> bool {
    const UNITS: [&str; 7] = ["ns", "µs", "ms", "s", "/s", "min", "h"];
    UNITS.contains(&word.trim_end_matches([',', ';', '.', ':', ')']))
}

/// A paragraph with an indent.
pub fn paragraph(text: &str, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let lines = wrap(text, WIDTH - indent);
    lines
        .iter()
        .flat_map(|line| [pad.as_str(), line.as_str(), "\n"])
        .collect()
}
