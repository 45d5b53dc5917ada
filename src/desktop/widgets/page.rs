//! Blocks of a page, painted: sentences, tables, charts, bars and the diagram with the widgets for each.
//!
//! A page holds no commands. Rows with an anchor, and cells about something, can be clicked where the panel says what for; it gets
//! the anchor or the id, and knows what to do.

use egui::{RichText, TextStyle, Ui};

use super::plot::Plot;
use super::prose::says;
use super::range::{LogAxis, range_bar};
use super::table::{self, Cell, Column};
use super::{Tone, busy_bar, chip, gap, pictures, share_bar, subhead, wide_card};
use crate::desktop::theme::{self, Theme};
use crate::page::{self, Block, Card, ChartData, Drawn, Range, Section, Table};

/// Rows by whose text the widths of columns are chosen.
const LOOKED_AT: usize = 50;
/// Characters that a column is worth, at least and at most.
const CHARACTERS: (usize, usize) = (9, 36);
/// And one in which something is drawn; and how high that is \[points\].
const DRAWN: usize = 24;
const ROOM: f32 = 22.0;
/// From this width on columns stand side by side \[points\].
const WIDE: f32 = 900.0;
/// Height of a chart over its width, at least and at most \[points\].
const HEIGHT: (f32, f32, f32) = (0.3, 140.0, 260.0);
/// The diagram grows no higher \[points\].
const DIAGRAM: f32 = 420.0;

/// Where a click on a figure leads that knows what it depends on.
pub const ORIGIN: &str = "Click for what to do and its origin.";

/// A section on a card below its title; as [`blocks`].
pub fn section<'p>(ui: &mut Ui, section: &'p Section, leads: Option<&str>) -> Option<&'p str> {
    wide_card(ui, |ui| {
        subhead(ui, section.title);
        blocks(ui, &section.blocks, leads)
    })
}

/// A section of its own that is folded until somebody opens it.
pub fn folded(ui: &mut Ui, section: &Section, is_open: bool) {
    egui::CollapsingHeader::new(section.title)
        .id_salt(section.anchor)
        .default_open(is_open)
        .show(ui, |ui| {
            wide_card(ui, |ui| blocks(ui, &section.blocks, None))
        });
}

/// Blocks below each other. `leads` says what a click on a row or a cell that leads somewhere is for; without it none does.
/// Returns the anchor or the id of what was clicked.
pub fn blocks<'p>(ui: &mut Ui, blocks: &'p [Block], leads: Option<&str>) -> Option<&'p str> {
    let mut clicked = None;
    for (i, block) in blocks.iter().enumerate() {
        if i > 0 && !block.joins(&blocks[i - 1]) {
            gap(ui);
        }
        let found = ui.push_id(i, |ui| self::block(ui, block, leads)).inner;
        clicked = clicked.or(found);
    }
    clicked
}

fn block<'p>(ui: &mut Ui, block: &'p Block, leads: Option<&str>) -> Option<&'p str> {
    let theme = Theme::of(ui);
    match block {
        Block::Lead(text) => says(ui, text, &theme::subtitle(), theme.text),
        Block::Text(text) => says(ui, text, &TextStyle::Body, theme.text),
        Block::Note(text) => says(ui, text, &TextStyle::Small, theme.muted),
        Block::Heading(text) | Block::Anchor(_, text) => title(ui, text),
        Block::Points(points) => return self::points(ui, points, leads),
        Block::Numbered(points) => {
            for (n, point) in points.iter().enumerate() {
                let text = format!("{}. {}", n + 1, point.text);
                says(ui, &text, &TextStyle::Body, theme.text);
            }
        }
        Block::Table(table) => return self::table(ui, table, leads),
        Block::Beside(columns) => return beside(ui, columns, leads),
        Block::Chart(chart) | Block::Small(chart) => self::chart(ui, chart),
        Block::Bars(bars, busy) => {
            title(ui, &bars.title);
            let clicked = pictures::bars(ui, bars, *busy, leads);
            let clicked = clicked.and_then(|id| bars.bars.iter().find(|bar| bar.about == id));
            return clicked.map(|bar| bar.about.as_str());
        }
        Block::Diagram(drawn) => pictures::diagram(ui, drawn, DIAGRAM),
        Block::LoadLine(line) => pictures::load_line(ui, line),
        Block::Card(card) => self::card(ui, card),
    }
    None
}

fn title(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).family(theme::strong()));
}

/// Short sentences; those about something can be clicked.
fn points<'p>(ui: &mut Ui, points: &'p [page::Cell], leads: Option<&str>) -> Option<&'p str> {
    let mut clicked = None;
    for (n, point) in points.iter().enumerate() {
        match leads.filter(|_| !point.about.is_empty()) {
            Some(about) => {
                let link = ui.push_id(n, |ui| ui.link(&point.text)).inner;
                if link.on_hover_text(about).clicked() {
                    clicked = Some(point.about.as_str());
                }
            }
            None => says(
                ui,
                &format!("• {}", point.text),
                &TextStyle::Body,
                Theme::of(ui).text,
            ),
        }
    }
    clicked
}

/// Columns, or where it is narrow one below the other.
fn beside<'p>(ui: &mut Ui, columns: &'p [Vec<Block>], leads: Option<&str>) -> Option<&'p str> {
    if ui.available_width() >= WIDE {
        return ui.columns(columns.len(), |places| {
            let pairs = places.iter_mut().zip(columns);
            let clicked = pairs.map(|(ui, column)| blocks(ui, column, leads));
            clicked.fold(None, Option::or)
        });
    }
    let mut clicked = None;
    for (i, column) in columns.iter().enumerate() {
        if i > 0 {
            gap(ui);
        }
        let found = ui.push_id(i, |ui| blocks(ui, column, leads)).inner;
        clicked = clicked.or(found);
    }
    clicked
}

/// A table with columns as wide as what stands in them asks for; as [`blocks`].
pub fn table<'p>(ui: &mut Ui, shown: &'p Table, leads: Option<&str>) -> Option<&'p str> {
    let columns = columns(shown);
    let table = table::Table::new(ui, &columns);
    let axes: Vec<Option<LogAxis>> = (0..shown.heads.len())
        .map(|place| axis(shown, place))
        .collect();
    if axes.iter().any(Option::is_some) {
        let scale = table.row(ui, &vec![Cell::default(); axes.len()]);
        for (axis, at) in axes.iter().zip(scale.cells) {
            if let Some(axis) = axis {
                axis.ticks(ui, at);
            }
        }
    }
    let mut clicked = None;
    for row in &shown.rows {
        if row.strong {
            table.section(ui, row.cells.first().map_or("", |cell| &cell.text));
            continue;
        }
        let targets = row.cells.iter().enumerate().map(|(i, cell)| {
            if i == 0 && cell.about.is_empty() {
                row.anchor.as_str()
            } else {
                cell.about.as_str()
            }
        });
        let targets: Vec<&str> = targets.collect();
        let led = |target: &str| leads.filter(|_| !target.is_empty());
        let more = row.cells.iter().zip(&targets);
        let more = more.map(|(cell, target)| told(&cell.more, led(target)));
        let more: Vec<String> = more.collect();
        let cells = row
            .cells
            .iter()
            .zip(&targets)
            .zip(&more)
            .map(|((cell, target), more)| {
                if cell.drawn.is_some() {
                    return Cell::room(ROOM);
                }
                let mut shown = Cell::new(&cell.text).hover(more);
                if let Some(tone) = tone(cell.tone) {
                    shown = shown.tone(tone);
                }
                match led(target) {
                    Some(_) if cell.more.is_empty() => shown.link(),
                    Some(_) => shown.leads(true),
                    None => shown,
                }
            });
        let cells: Vec<Cell<'_>> = cells.collect();
        let painted = table.row(ui, &cells);
        for ((cell, at), axis) in row.cells.iter().zip(&painted.cells).zip(&axes) {
            if let Some(drawn) = cell.drawn {
                self::drawn(ui, *at, cell, drawn, *axis);
            }
        }
        clicked = clicked.or(painted.clicked.map(|place| targets[place]));
    }
    clicked
}

/// What is told on pointing at something: its own words, and where a click leads.
fn told(words: &str, leads: Option<&str>) -> String {
    let parts = [Some(words), leads].into_iter().flatten();
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// The axis that the ranges of a column share; none where there are none.
fn axis(shown: &Table, place: usize) -> Option<LogAxis> {
    let ranges = shown
        .rows
        .iter()
        .filter_map(|row| match row.cells.get(place)?.drawn? {
            Drawn::Range(Range {
                value,
                low,
                high,
                target,
            }) => Some([Some(value), Some(low), Some(high), target]),
            Drawn::Busy(_) | Drawn::Share(_) => None,
        });
    let mut ends = ranges.flatten().flatten().peekable();
    ends.peek()?;
    Some(LogAxis::around(ends))
}

/// A value drawn in its cell; its text is for those who do not see it.
fn drawn(ui: &mut Ui, at: egui::Rect, cell: &page::Cell, drawn: Drawn, axis: Option<LogAxis>) {
    let response = match (drawn, axis) {
        (Drawn::Range(range), Some(axis)) => {
            range_bar(ui, at, axis, &range, tone(cell.tone).unwrap_or(Tone::Plain));
            ui.interact(at, table::id_at(ui, at), egui::Sense::hover())
        }
        (Drawn::Busy(share), _) => table::within(ui, at, |ui| {
            let width = ui.available_width();
            busy_bar(ui, width, share)
        }),
        (Drawn::Share(share), _) => table::within(ui, at, |ui| {
            let width = ui.available_width();
            share_bar(ui, width, share, &cell.text)
        }),
        (Drawn::Range(_), None) => return,
    };
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, &cell.text));
    if !cell.text.is_empty() {
        response.on_hover_text(&cell.text);
    }
}

/// Columns with their shares of the width.
fn columns(shown: &Table) -> Vec<Column<'_>> {
    let heads = shown.heads.iter().enumerate();
    let columns = heads.map(|(place, head)| {
        let cells = shown.rows.iter().take(LOOKED_AT).filter(|row| !row.strong);
        let lengths = cells.filter_map(|row| {
            let cell = row.cells.get(place)?;
            Some(
                cell.drawn
                    .map_or_else(|| cell.text.chars().count(), |_| DRAWN),
            )
        });
        let longest = lengths.chain([head.text.chars().count() / 2]).max();
        let share = longest.unwrap_or(0).clamp(CHARACTERS.0, CHARACTERS.1) as f32;
        if head.right {
            Column::number(&head.text, share)
        } else {
            Column::text(&head.text, share)
        }
    });
    columns.collect()
}

/// How a tone of a page is painted; none of what does not stand out.
fn tone(tone: page::Tone) -> Option<Tone> {
    (!matches!(tone, page::Tone::Plain | page::Tone::Heading)).then(|| tone.into())
}

fn chart(ui: &mut Ui, chart: &ChartData) {
    title(ui, &chart.title);
    let (share, least, most) = HEIGHT;
    let height = (ui.available_width() * share).clamp(least, most);
    Plot::of(chart, height).show(ui);
}

/// What is wrong, what to do, on what evidence; the code comes last.
fn card(ui: &mut Ui, card: &Card) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        chip(ui, card.badge, Tone::Accent);
        title(ui, &card.message);
    });
    let action = card.action.trim_end_matches('.');
    let to_do = format!("What to do: {action}. How sure: {}.", card.sure);
    says(ui, &to_do, &TextStyle::Body, theme.text);
    for (id, words) in &card.evidence {
        says(
            ui,
            &format!("{words} ({id})"),
            &TextStyle::Small,
            theme.muted,
        );
    }
    says(ui, &card.id, &TextStyle::Small, theme.muted);
}
