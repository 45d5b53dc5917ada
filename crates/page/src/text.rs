//! A page as text for a terminal: columns as wide as their widest cell, numbers to the right, long text wrapped.

use crate::block::{Block, Cell, Page, Section, Table};
use crate::diagram::NodeKind;

/// Widest line.
pub const WIDTH: usize = 110;

/// A page: its heading, and each section below its own.
///
/// ```
/// use plimsoll_page::{Block, Page, Section, Table, page_text};
///
/// let mut table = Table::new(&["disk", ">busy"]);
/// table.row(vec!["sda".into(), "81 %".into()]);
/// let page = Page {
///     title: "Disks".into(),
///     eyebrow: "Answer",
///     heading: "Two disks".into(),
///     verdict: None,
///     sections: vec![Section::new("busy", "How busy", vec![Block::text("One is busy."), table.into()])],
///     made_from: "disks.toml".into(),
/// };
/// let text = "Two disks\n\nHow busy\n════════\n  One is busy.\n\n  disk  busy\n  ──────────\n  sda   81 %\n";
/// assert_eq!(page_text(&page), text);
/// ```
pub fn page_text(page: &Page) -> String {
    let mut out = paragraph(&page.heading, 0);
    for section in &page.sections {
        out.push_str(&section_text(section));
    }
    out
}

/// A section below its heading.
pub fn section_text(section: &Section) -> String {
    let title = if section.appendix {
        format!("Appendix: {}", section.title)
    } else {
        section.title.to_owned()
    };
    let rule = "═".repeat(title.chars().count().min(WIDTH));
    format!("\n{title}\n{rule}\n{}", blocks_text(&section.blocks))
}

/// Blocks below each other: what is no paragraph stands apart by an empty line.
pub fn blocks_text(blocks: &[Block]) -> String {
    let mut out = String::new();
    let mut after: Option<&Block> = None;
    for block in blocks {
        let is_heading = |block: &Block| matches!(block, Block::Heading(_) | Block::Anchor(..));
        let is_said = |block: &Block| {
            matches!(
                block,
                Block::Lead(_)
                    | Block::Text(_)
                    | Block::Note(_)
                    | Block::Points(_)
                    | Block::Numbered(_)
            )
        };
        let joins = |after: &Block| is_heading(after) || (is_said(after) && is_said(block));
        let is_apart = after.is_some_and(|after| !joins(after));
        if is_apart {
            out.push('\n');
        }
        out.push_str(&block_text(block));
        after = Some(block);
    }
    out
}

fn block_text(block: &Block) -> String {
    match block {
        Block::Lead(text)
        | Block::Text(text)
        | Block::Note(text)
        | Block::Heading(text)
        | Block::Anchor(_, text) => paragraph(text, 2),
        Block::Points(points) => points
            .iter()
            .map(|point| hanging("- ", &point.text, 2))
            .collect(),
        Block::Numbered(points) => {
            let number =
                |(n, point): (usize, &Cell)| hanging(&format!("{}. ", n + 1), &point.text, 2);
            points.iter().enumerate().map(number).collect()
        }
        Block::Table(table) => table.text(),
        Block::Beside(columns) => {
            let columns = columns.iter().map(|blocks| blocks_text(blocks));
            columns.collect::<Vec<_>>().join("\n")
        }
        Block::Chart(chart) | Block::Small(chart) => {
            let limits = chart.limits_in_words();
            let limits = limits.map_or(String::new(), |limits| paragraph(&limits, 2));
            chart.ends().text() + &limits
        }
        Block::Bars(bars, _) => bars.table().text(),
        Block::Diagram(drawn) => {
            let told = drawn.told().map(|(kind, title, about)| {
                let indent = if kind == NodeKind::Volume { 4 } else { 2 };
                hanging(&format!("{title}: "), &about, indent)
            });
            told.collect()
        }
        Block::Card(card) => {
            let message = card.message.trim_end_matches('.');
            let mut out = hanging(
                &format!("{}: ", card.badge),
                &format!("{message}. [{}]", card.id),
                2,
            );
            out.push_str(&paragraph(
                &format!("{}.", card.action.trim_end_matches('.')),
                6,
            ));
            for (id, words) in &card.evidence {
                out.push_str(&paragraph(&format!("evidence {id}: {words}"), 6));
            }
            out
        }
    }
}

impl Table {
    /// The table with an indent of two: columns as wide as their widest cell, numbers to the right; the last column is wrapped
    /// at [`WIDTH`].
    pub fn text(&self) -> String {
        let widths: Vec<usize> = (0..self.heads.len())
            .map(|i| {
                let cells = self.rows.iter().filter(|row| !row.strong);
                let cells = cells.map(|row| row.cells[i].text.chars().count());
                cells
                    .chain([self.heads[i].text.chars().count()])
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut out = String::new();
        let heads: Vec<&str> = self.heads.iter().map(|head| head.text.as_str()).collect();
        self.line(&mut out, &heads, &widths);
        let rule: usize = widths.iter().sum::<usize>() + 2 * (widths.len().saturating_sub(1));
        out.push_str("  ");
        out.push_str(&"─".repeat(rule.min(WIDTH - 2)));
        out.push('\n');
        for row in &self.rows {
            if row.strong {
                out.push_str(&paragraph(
                    row.cells.first().map_or("", |cell| &cell.text),
                    2,
                ));
                continue;
            }
            let cells: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
            self.line(&mut out, &cells, &widths);
        }
        out
    }

    fn line(&self, out: &mut String, cells: &[&str], widths: &[usize]) {
        let last = cells.len().saturating_sub(1);
        let before: usize = widths[..last].iter().map(|w| w + 2).sum::<usize>() + 2;
        let room = WIDTH.saturating_sub(before).max(24);
        let wrapped = if self.heads[last].right {
            vec![cells[last].to_owned()]
        } else {
            wrap(cells[last], room)
        };
        for (n, part) in wrapped.iter().enumerate() {
            let mut line = String::from("  ");
            for (i, width) in widths.iter().enumerate().take(last) {
                let cell = if n == 0 { cells[i] } else { "" };
                let pad = " ".repeat(width - cell.chars().count());
                if self.heads[i].right {
                    line.push_str(&pad);
                    line.push_str(cell);
                } else {
                    line.push_str(cell);
                    line.push_str(&pad);
                }
                line.push_str("  ");
            }
            if self.heads[last].right {
                line.push_str(&" ".repeat(widths[last] - part.chars().count()));
            }
            line.push_str(part);
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

/// At most so many characters of a text, the last of them an ellipsis where more would follow.
pub fn cut(text: &str, width: usize) -> String {
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
/// use plimsoll_page::wrap;
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

/// A paragraph behind a label, below which its further lines begin.
pub fn hanging(label: &str, text: &str, indent: usize) -> String {
    let label_width = label.chars().count();
    let lines = wrap(text, WIDTH.saturating_sub(indent + label_width).max(24));
    let pad = " ".repeat(indent);
    let lines = lines.iter().enumerate().map(|(n, line)| {
        let label = if n == 0 { label } else { "" };
        let line = format!("{pad}{label:<label_width$}{line}");
        format!("{}\n", line.trim_end())
    });
    lines.collect()
}
