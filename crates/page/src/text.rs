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
/// let table = Table::new(&["disk", ">busy"]).with([vec!["sda".into(), "81 %".into()]]);
/// let sections = vec![
///     Section::untitled([Block::text("One is busy.")]),
///     Section::new("busy", "How busy", [table.into()]),
///     Section::new("full", "How full", Table::new(&["disk"]).unless_empty()),
/// ];
/// let page = Page::new("Two disks", sections);
/// let text = "Two disks\n\n  One is busy.\n\nHow busy\n════════\n  disk  busy\n  ──────────\n  sda   81 %\n";
/// assert_eq!(page_text(&page), text);
/// ```
pub fn page_text(page: &Page) -> String {
    let mut out = paragraph(&page.heading, 0);
    for section in &page.sections {
        out.push_str(&section_text(section));
    }
    out
}

/// A section below its heading, if it has one.
pub fn section_text(section: &Section) -> String {
    if !section.is_titled() {
        return format!("\n{}", blocks_text(&section.blocks));
    }
    let title = if section.appendix { format!("Appendix: {}", section.title) } else { section.title.to_owned() };
    let rule = "═".repeat(title.chars().count().min(WIDTH));
    format!("\n{title}\n{rule}\n{}", blocks_text(&section.blocks))
}

/// Blocks below each other: what is no paragraph stands apart by an empty line.
pub fn blocks_text(blocks: &[Block]) -> String {
    let mut out = String::new();
    let mut after: Option<&Block> = None;
    for block in blocks {
        let text = block_text(block);
        if text.is_empty() {
            continue;
        }
        let is_apart = after.is_some_and(|after| !block.joins(after));
        if is_apart {
            out.push('\n');
        }
        out.push_str(&text);
        after = Some(block);
    }
    out
}

fn block_text(block: &Block) -> String {
    match block {
        Block::Lead(text) | Block::Text(text) | Block::Note(text) | Block::Heading(text) | Block::Anchor(_, text) => {
            paragraph(text, 2)
        }
        Block::Points(points) => points.iter().map(|point| hanging("- ", &point.text, 2)).collect(),
        Block::Numbered(points) => {
            let number = |(n, point): (usize, &Cell)| hanging(&format!("{}. ", n + 1), &point.text, 2);
            points.iter().enumerate().map(number).collect()
        }
        Block::Table(table) => table.text(),
        Block::Beside(columns) => {
            let columns = columns.iter().map(|blocks| blocks_text(blocks));
            let columns: Vec<String> = columns.filter(|text| !text.is_empty()).collect();
            columns.join("\n")
        }
        // What is drawn small stands elsewhere as a whole chart, and headroom in sentences.
        Block::Small(_) | Block::LoadLine(_) => String::new(),
        Block::Chart(chart) => {
            let limits = chart.limits_in_words();
            let limits = limits.map_or(String::new(), |limits| paragraph(&limits, 2));
            chart.ends().text() + &limits
        }
        Block::Bars(bars, _) => bars.table().text(),
        Block::Diagram(drawn) => {
            let words = drawn.nodes_in_words().map(|(kind, title, about)| {
                let indent = if kind == NodeKind::Volume { 4 } else { 2 };
                hanging(&format!("{title}: "), &about, indent)
            });
            words.collect()
        }
        Block::Card(card) => {
            let message = card.message.trim_end_matches('.');
            let mut out = hanging(&format!("{}: ", card.badge), &format!("{message}. [{}]", card.id), 2);
            let action = card.action.trim_end_matches('.');
            let to_do = format!("{action}. How sure: {}.", card.sure);
            out.push_str(&paragraph(&to_do, 6));
            for (id, words) in &card.evidence {
                out.push_str(&paragraph(&format!("evidence {id}: {words}"), 6));
            }
            out
        }
    }
}

/// Columns of words are not made narrower than this.
const LEAST: usize = 16;

impl Table {
    /// The table with an indent of two: numbers to the right, columns as wide as their widest cell; where the lines would be
    /// wider than [`WIDTH`], the widest columns are wrapped, those of words first. Columns without names have no head.
    pub fn text(&self) -> String {
        let widths = self.widths();
        let mut out = String::new();
        let heads: Vec<&str> = self.heads.iter().map(|head| head.text.as_str()).collect();
        if heads.iter().any(|head| !head.is_empty()) {
            self.line(&mut out, &heads, &widths);
            let rule: usize = widths.iter().sum::<usize>() + 2 * (widths.len().saturating_sub(1));
            out.push_str("  ");
            out.push_str(&"─".repeat(rule.min(WIDTH - 2)));
            out.push('\n');
        }
        for row in &self.rows {
            if row.strong {
                out.push_str(&paragraph(row.cells.first().map_or("", |cell| &cell.text), 2));
                continue;
            }
            let cells: Vec<_> = row.cells.iter().map(Cell::words).collect();
            let cells: Vec<&str> = cells.iter().map(|words| &**words).collect();
            self.line(&mut out, &cells, &widths);
        }
        out
    }

    fn widths(&self) -> Vec<usize> {
        let rows = || self.rows.iter().filter(|row| !row.strong);
        let natural = |column: usize| {
            let cells = rows().map(|row| row.cells[column].words().chars().count());
            cells.chain([self.heads[column].text.chars().count()]).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..self.heads.len()).map(natural).collect();
        let is_wide = |widths: &[usize]| widths.iter().sum::<usize>() + 2 * widths.len() > WIDTH;
        if !is_wide(&widths) {
            return widths;
        }
        // A number keeps its unit.
        let longest_part = |column: usize| {
            let head = wrap(&self.heads[column].text, 1);
            let parts = rows().flat_map(|row| wrap(&row.cells[column].words(), 1)).chain(head);
            parts.map(|part| part.chars().count()).max().unwrap_or(0)
        };
        // Words give way first.
        for is_number in [false, true] {
            let columns: Vec<usize> =
                (0..widths.len()).filter(|column| self.heads[*column].right == is_number).collect();
            let least = |column: usize| longest_part(column).max(if is_number { 0 } else { LEAST });
            let least: Vec<usize> = columns.iter().map(|column| least(*column)).collect();
            while is_wide(&widths) {
                let wide = columns.iter().zip(&least).filter(|(column, least)| widths[**column] > **least);
                let Some((widest, _)) = wide.max_by_key(|(column, _)| widths[**column]) else {
                    break;
                };
                widths[*widest] -= 1;
            }
        }
        widths
    }

    fn line(&self, out: &mut String, cells: &[&str], widths: &[usize]) {
        let wrapped: Vec<Vec<String>> = (cells.iter().zip(widths))
            .map(|(cell, width)| {
                // What fits keeps its blanks, such as those of a row that belongs to the one above.
                if cell.chars().count() <= *width { vec![(*cell).to_owned()] } else { wrap(cell, *width) }
            })
            .collect();
        for n in 0..wrapped.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::from(" ");
            for ((lines, width), head) in wrapped.iter().zip(widths).zip(&self.heads) {
                let cell = lines.get(n).map_or("", String::as_str);
                let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
                let parts = if head.right { [" ", &pad, cell, " "] } else { [" ", cell, &pad, " "] };
                line.extend(parts);
            }
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
/// assert_eq!(wrap("12 ms ± 4 %", 6), ["12 ms", "± 4 %"]);
/// ```
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut word = word.to_owned();
        // A sign stands with what it is of.
        while is_sign(word.rsplit(' ').next().unwrap_or_default())
            && let Some(next) = words.next()
        {
            word = format!("{word} {next}");
        }
        let last = word.rsplit(' ').next().unwrap_or_default();
        let number = last.starts_with(|c: char| c.is_ascii_digit());
        if let Some(sign) = words.next_if(|next| next.starts_with('%') || (number && is_unit(next))) {
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

/// Whether a word says something of the number after it.
fn is_sign(word: &str) -> bool {
    ["±", "×÷", "≤", "≥", "<", ">"].contains(&word)
}

/// Whether a word is the unit of the number before it.
fn is_unit(word: &str) -> bool {
    const UNITS: [&str; 24] = [
        "ns", "µs", "ms", "s", "/s", "min", "h", "×", "B", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB",
        "MB/s", "GB/s", "KiB/s", "MiB/s", "Gb/s", "Mb/s",
    ];
    UNITS.contains(&word.trim_end_matches([',', ';', '.', ':', ')']))
}

/// A paragraph with an indent.
pub fn paragraph(text: &str, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let lines = wrap(text, WIDTH - indent);
    lines.iter().flat_map(|line| [pad.as_str(), line.as_str(), "\n"]).collect()
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
