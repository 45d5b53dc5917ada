//! A page as Markdown: for a wiki, a ticket, a pull request.
//!
//! Text from outside is escaped, so that it stays text: marks that begin emphasis, links, code, tables or
//! HTML get a backslash. Charts are tables of their marks and ends.

use crate::block::{Block, Card, Cell, Page, Table};
use crate::diagram::{Diagram, NodeKind};
use plimsoll_ground::diag::harmless;

/// The page as text.
pub fn page_markdown(page: &Page) -> String {
    let mut out = String::new();
    line!(out, "# {}", escaped(&page.heading));
    for section in &page.sections {
        let appendix = if section.appendix { "Appendix: " } else { "" };
        if section.is_titled() {
            line!(out, "\n## {appendix}{}", section.title);
        }
        for block in &section.blocks {
            out.push('\n');
            self::block(&mut out, block);
        }
    }
    line!(out, "\n---\n\n{}", escaped(&page.made_from));
    out
}

/// Text that Markdown leaves as it is, on one line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in harmless(text).chars() {
        match c {
            '\n' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    // What would begin a list or a rule.
    if out.starts_with(['-', '+', '=']) {
        out.insert(0, '\\');
    }
    out
}

fn block(out: &mut String, block: &Block) {
    match block {
        Block::Lead(text) => line!(out, "**{}**", escaped(text)),
        Block::Text(text) => line!(out, "{}", escaped(text)),
        Block::Note(text) => line!(out, "*{}*", escaped(text)),
        Block::Heading(text) | Block::Anchor(_, text) => line!(out, "### {}", escaped(text)),
        Block::Beside(columns) => {
            for (i, one) in columns.iter().flatten().enumerate() {
                if i > 0 {
                    out.push('\n');
                }
                self::block(out, one);
            }
        }
        Block::Points(points) => {
            for point in points {
                line!(out, "- {}", escaped(&point.text));
            }
        }
        Block::Numbered(points) => {
            for (n, point) in points.iter().enumerate() {
                line!(out, "{}. {}", n + 1, escaped(&point.text));
            }
        }
        Block::Table(shown) => table(out, shown),
        Block::Chart(chart) | Block::Small(chart) => {
            table(out, &chart.ends());
            if let Some(limits) = chart.limits_in_words() {
                line!(out, "\n{}", escaped(&limits));
            }
        }
        Block::Bars(bars, _) => table(out, &bars.table()),
        Block::Diagram(drawn) => diagram(out, drawn),
        Block::LoadLine(one) => line!(out, "Headroom: {}.", escaped(&one.words())),
        Block::Card(card) => self::card(out, card),
    }
}

fn table(out: &mut String, table: &Table) {
    let heads: Vec<String> = table.heads.iter().map(|head| escaped(&head.text)).collect();
    line!(out, "| {} |", heads.join(" | "));
    let rules = table.heads.iter().map(|head| if head.right { "--:" } else { "---" });
    line!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "));
    for row in &table.rows {
        let shown = |cell: &Cell| {
            let text = escaped(&cell.words());
            if row.strong && !text.is_empty() { format!("**{text}**") } else { text }
        };
        let cells: Vec<String> = row.cells.iter().map(shown).collect();
        line!(out, "| {} |", cells.join(" | "));
    }
}

/// Servers with their volumes; the lines between boxes do not fit into text.
fn diagram(out: &mut String, drawn: &Diagram) {
    for (kind, title, about) in drawn.nodes_in_words() {
        let (title, about) = (escaped(title), escaped(&about));
        let title = match kind {
            NodeKind::Server => format!("- **{title}**"),
            NodeKind::Volume => format!("  - {title}"),
            _ => format!("- {title}"),
        };
        line!(out, "{title}: {about}");
    }
}

/// What is wrong, what to do, on what evidence; the code comes last.
fn card(out: &mut String, card: &Card) {
    let message = escaped(card.message.trim_end_matches('.'));
    line!(out, "- **{}**: {message}. ({})", card.badge, escaped(&card.id));
    let action = escaped(card.action.trim_end_matches('.'));
    line!(out, "  - What to do: {action}. How sure: {}.", escaped(&card.sure));
    for (id, words) in &card.evidence {
        line!(out, "  - {} ({})", escaped(words), escaped(id));
    }
}
