//! An explanation as text.

use super::{Block, Explanation, heading};
use crate::page::{Table, WIDTH, paragraph, wrap};

/// Cells of a table are cut at so many characters; what was cut follows in full.
const CELL: usize = 36;

/// Title and blocks, a blank line between them.
pub(super) fn body(explanation: &Explanation) -> String {
    let title = heading(&explanation.title);
    let blocks = explanation.blocks.iter().map(block);
    let parts = [title]
        .into_iter()
        .chain(blocks)
        .filter(|part| !part.is_empty());
    parts.collect::<Vec<String>>().join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => paragraph(text, 2),
        Block::Docs(docs) => (*docs).to_owned(),
        Block::Facts(facts) => names(facts),
        Block::Rows { heads, rows } => table(heads, rows),
    }
}

/// Names in one column, what they are in the next.
fn names(facts: &[(String, String)]) -> String {
    let width = facts.iter().map(|(name, _)| name.chars().count()).max();
    let width = width.unwrap_or(0);
    let mut out = String::new();
    for (name, value) in facts {
        for (n, line) in wrap(value, WIDTH.saturating_sub(width + 4))
            .iter()
            .enumerate()
        {
            let name = if n == 0 { name.as_str() } else { "" };
            let row = format!("  {name:width$}  {line}");
            out.push_str(row.trim_end());
            out.push('\n');
        }
    }
    out
}

fn table(heads: &'static [&'static str], rows: &[Vec<String>]) -> String {
    let mut table = Table::new(heads);
    let last = heads.len().saturating_sub(1);
    let mut long = Vec::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(i, cell)| {
            // The last column is wrapped by the table.
            if i == last || cell.chars().count() <= CELL {
                return cell.clone();
            }
            long.push(format!("{}: {cell}", row[0]));
            let start: String = cell.chars().take(CELL - 1).collect();
            format!("{start}…")
        });
        let cells = cells.collect();
        table.row(cells);
    }
    let mut out = table.text();
    for text in long {
        out.push('\n');
        out.push_str(&paragraph(&text, 2));
    }
    out
}
