//! The report as Markdown: for a wiki, a ticket, a pull request.
//!
//! Text from outside is escaped, so that it stays text: marks that begin emphasis, links, code, tables or
//! HTML get a backslash. Charts are tables of their marks and ends.

use super::chart::{BarsData, ChartData};
use super::diagram::{Diagram, NodeKind};
use super::handover::{Block, Card, Cell, Grid, Report};
use crate::diag::harmless;

/// The report as text.
pub fn report_markdown(report: &Report) -> String {
    let mut out = String::new();
    line!(out, "# {}", escaped(&report.title));
    for section in &report.sections {
        let appendix = if section.appendix { "Appendix: " } else { "" };
        line!(out, "\n## {appendix}{}", section.title);
        for block in &section.blocks {
            out.push('\n');
            self::block(&mut out, block);
        }
    }
    line!(out, "\n---\n\n{}", escaped(&report.made_from));
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
        Block::Table(grid) => table(out, grid),
        Block::Chart(chart) | Block::Small(chart) => self::chart(out, chart),
        Block::Bars(bars, _) => self::bars(out, bars),
        Block::Diagram(drawn) => diagram(out, drawn),
        Block::Card(card) => self::card(out, card),
    }
}

fn head(out: &mut String, heads: impl Iterator<Item = (String, bool)>) {
    let heads: Vec<(String, bool)> = heads.collect();
    let texts: Vec<&str> = heads.iter().map(|(text, _)| text.as_str()).collect();
    line!(out, "| {} |", texts.join(" | "));
    let rules = heads
        .iter()
        .map(|(_, right)| if *right { "--:" } else { "---" });
    let rules: Vec<&str> = rules.collect();
    line!(out, "| {} |", rules.join(" | "));
}

fn table(out: &mut String, grid: &Grid) {
    head(out, grid.heads.iter().map(|h| (escaped(h.text), h.right)));
    for row in &grid.rows {
        let shown = |cell: &Cell| {
            let text = escaped(&cell.text);
            if row.strong && !text.is_empty() {
                format!("**{text}**")
            } else {
                text
            }
        };
        let cells: Vec<String> = row.cells.iter().map(shown).collect();
        line!(out, "| {} |", cells.join(" | "));
    }
}

/// Each line at its beginning, at the marks across, and at its end.
fn chart(out: &mut String, chart: &ChartData) {
    use super::chart::Across;
    let (x, y) = (chart.x.measure, chart.y.measure);
    let ends = chart.series.iter().filter_map(|s| {
        let (first, last) = (s.points.first()?, s.points.last()?);
        Some((first.0, last.0))
    });
    let (from, to) = ends.fold((f64::INFINITY, 0.0_f64), |(a, b), (c, d)| {
        (a.min(c), b.max(d))
    });
    let marks = chart.marks.iter().filter(|m| m.across == Across::X);
    let mut places: Vec<(f64, String)> = marks
        .filter(|m| m.at > from && m.at < to)
        .map(|m| (m.at, m.label.clone()))
        .chain([(from, String::new()), (to, String::new())])
        .collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let titles = places.iter().map(|(at, label)| {
        let shown = x.show(*at);
        // A label that says its place needs no other.
        let shown = match label.as_str() {
            "" => shown,
            label if label.contains(&shown) => label.to_owned(),
            label => format!("{label} ({shown})"),
        };
        (escaped(&shown), true)
    });
    let title = escaped(&chart.title);
    head(out, [(title, false)].into_iter().chain(titles));
    for series in &chart.series {
        let mut cells = vec![escaped(&series.name)];
        cells.extend(places.iter().map(|(at, _)| {
            let value = value_at(&series.points, *at);
            value.map_or("–".to_owned(), |v| escaped(&y.show(v)))
        }));
        line!(out, "| {} |", cells.join(" | "));
    }
    let limits: Vec<String> = chart
        .marks
        .iter()
        // A target's line has no label of its own: the name of its series has it.
        .filter(|m| m.across == Across::Y && !m.label.is_empty())
        .map(|m| escaped(&m.label))
        .collect();
    if !limits.is_empty() {
        line!(out, "\nLimits in this chart: {}.", limits.join("; "));
    }
}

/// A line's value at a place between its points.
fn value_at(points: &[(f64, f64)], at: f64) -> Option<f64> {
    let after = points.iter().position(|(x, _)| *x >= at * (1.0 - 1e-9))?;
    let (x1, y1) = points[after];
    let Some((x0, y0)) = after.checked_sub(1).map(|before| points[before]) else {
        return (x1 <= at * (1.0 + 1e-9)).then_some(y1);
    };
    Some(y0 + (y1 - y0) * ((at - x0) / (x1 - x0)).min(1.0))
}

fn bars(out: &mut String, bars: &BarsData) {
    let heads = [(escaped(&bars.title), false), (String::new(), true)];
    head(out, heads.into_iter());
    for bar in &bars.bars {
        line!(
            out,
            "| {} | {} |",
            escaped(&bar.label),
            escaped(&bars.measure.show(bar.value))
        );
    }
}

/// Servers with their volumes; the lines between boxes do not fit into text.
fn diagram(out: &mut String, drawn: &Diagram) {
    for node in &drawn.nodes {
        let about = escaped(&node.lines.join(", "));
        let title = escaped(&node.title);
        match node.kind {
            NodeKind::Server => line!(out, "- **{title}**: {about}"),
            NodeKind::Volume => line!(out, "  - {title}: {about}"),
            NodeKind::Store => line!(out, "- {title}: {about}"),
            NodeKind::Office | NodeKind::Network => {}
        }
    }
}

/// What is wrong, what to do, on what evidence; the code comes last.
fn card(out: &mut String, card: &Card) {
    let message = escaped(card.message.trim_end_matches('.'));
    line!(
        out,
        "- **{}**: {message}. ({})",
        card.badge,
        escaped(&card.id)
    );
    let action = escaped(card.action.trim_end_matches('.'));
    line!(out, "  - What to do: {action}.");
    for (id, words) in &card.evidence {
        line!(out, "  - {} ({})", escaped(words), escaped(id));
    }
}
