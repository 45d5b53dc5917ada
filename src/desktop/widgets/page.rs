//! Blocks of a page, painted: sentences, tables, charts, bars and the diagram with the widgets for each.
//!
//! A page holds no commands. Rows with an anchor, and cells about something, can be clicked where the panel says what for; it gets
//! the anchor or the id, and knows what to do.

use egui::{RichText, TextStyle, Ui};

use super::plot::Plot;
use super::prose::says;
use super::range::{LogAxis, range_bar};
use super::table::{self, Cell, Column};
use super::{Tone, busy_bar, chip, gap, pair_bar, pictures, share_bar, subhead, wide_card};
use crate::desktop::theme::{self, Theme};
use crate::page::{self, Block, Card, ChartData, Drawn, Range, Section, Table};

/// Rows by whose text the widths of columns are chosen.
const LOOKED_AT: usize = 50;
/// Characters that a column is worth, at least and at most.
const CHARACTERS: (usize, usize) = (9, 36);
/// And one in which something is drawn; and how high that is \[points\].
const DRAWN: usize = 24;
const ROOM: f32 = 22.0;
/// Height of a control behind a row \[points\].
const CONTROL: f32 = 26.0;
/// Shares of the columns whose heads a panel paints.
const NAMES: f32 = 1.1;
const FIGURES: f32 = 1.0;
/// From this width on columns stand side by side \[points\].
const WIDE: f32 = 900.0;
/// Height of a chart over its width, at least and at most \[points\].
const HEIGHT: (f32, f32, f32) = (0.3, 140.0, 260.0);
/// The diagram grows no higher \[points\].
const DIAGRAM: f32 = 420.0;

/// What a panel adds to a table, which holds no commands.
#[derive(Default)]
pub struct View<'v> {
    /// What a click on a row or a cell that leads somewhere is for; without it none does.
    pub leads: Option<&'v str>,
    /// The anchor of the row that is looked at.
    pub selected: Option<&'v str>,
    /// Paints the heads of all columns but the first, which are then equally wide.
    pub heads: Option<Painted<'v>>,
    /// Paints a control behind each row.
    pub controls: Option<Painted<'v>>,
}

/// How much room it takes, and what paints it, by its place among its like: heads are so high, controls worth so many characters.
pub type Painted<'v> = (f32, &'v mut dyn FnMut(&mut Ui, usize));

/// Where a click on a finding leads.
pub const EVIDENCE: &str = "The rule and its evidence";
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
        .show(ui, |ui| wide_card(ui, |ui| blocks(ui, &section.blocks, None)));
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
        Block::Card(card) => return self::card(ui, card, leads),
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
            None => says(ui, &format!("• {}", point.text), &TextStyle::Body, Theme::of(ui).text),
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
    let view = View { leads, ..View::default() };
    table_in(ui, shown, view)
}

/// The same with what a panel adds to it.
pub fn table_in<'p>(ui: &mut Ui, shown: &'p Table, mut view: View<'_>) -> Option<&'p str> {
    let columns = columns(shown, &view);
    let table = table::Table::new(ui, &columns);
    let axes: Vec<Option<LogAxis>> = (0..columns.len()).map(|place| axis(shown, place)).collect();
    if let Some((height, paint)) = &mut view.heads {
        let cells = vec![Cell::room(*height); columns.len()];
        let row = table.row(ui, &cells);
        for (place, at) in row.cells[1..].iter().enumerate() {
            table::within(ui, *at, |ui| ui.push_id(place, |ui| paint(ui, place)));
        }
    }
    if axes.iter().any(Option::is_some) {
        let scale = table.row(ui, &vec![Cell::default(); axes.len()]);
        for (axis, at) in axes.iter().zip(scale.cells) {
            if let Some(axis) = axis {
                axis.ticks(ui, at);
            }
        }
    }
    let mut clicked = None;
    for (place, row) in shown.rows.iter().enumerate() {
        if row.strong {
            table.section(ui, row.cells.first().map_or("", |cell| &cell.text));
            continue;
        }
        let targets =
            row.cells.iter().enumerate().map(|(i, cell)| {
                if i == 0 && cell.about.is_empty() { row.anchor.as_str() } else { cell.about.as_str() }
            });
        let targets: Vec<&str> = targets.collect();
        let led = |target: &str| view.leads.filter(|_| !target.is_empty());
        let more = row.cells.iter().zip(&targets);
        let more = more.map(|(cell, target)| hover_words(&cell.more, led(target)));
        let more: Vec<String> = more.collect();
        let cells = row.cells.iter().zip(&targets).zip(&more);
        let cells = cells.enumerate().map(|(i, ((cell, target), more))| {
            if cell.drawn.is_some() {
                return Cell::room(ROOM);
            }
            let is_selected = i == 0 && view.selected.is_some_and(|anchor| anchor == row.anchor);
            Cell {
                text: &cell.text,
                below: &cell.below,
                hover: more,
                tone: tone(cell.tone),
                is_strong: cell.strong || is_selected,
                is_link: led(target).is_some(),
                is_quiet: !cell.more.is_empty(),
                height: 0.0,
            }
        });
        let control = view.controls.is_some().then(|| Cell::room(CONTROL));
        let cells: Vec<Cell<'_>> = cells.chain(control).collect();
        let painted = table.row(ui, &cells);
        for ((cell, at), axis) in row.cells.iter().zip(&painted.cells).zip(&axes) {
            if let Some(drawn) = cell.drawn {
                self::drawn(ui, *at, row, cell, drawn, *axis);
            }
        }
        if let (Some((_, paint)), Some(at)) = (&mut view.controls, painted.cells.last()) {
            table::within(ui, *at, |ui| ui.push_id(place, |ui| paint(ui, place)));
        }
        clicked = clicked.or(painted.clicked.map(|place| targets[place]));
    }
    clicked
}

/// What is shown on pointing at something: its own words, and where a click leads.
fn hover_words(words: &str, leads: Option<&str>) -> String {
    let parts = [Some(words), leads].into_iter().flatten();
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// The axis that the ranges of a column share; none where there are none.
fn axis(shown: &Table, place: usize) -> Option<LogAxis> {
    let ranges = shown.rows.iter().filter_map(|row| match row.cells.get(place)?.drawn? {
        Drawn::Range(Range { value, low, high, target }) => Some([Some(value), Some(low), Some(high), target]),
        Drawn::Busy(_) | Drawn::Share(_) | Drawn::Pair(..) | Drawn::Off(_) => None,
    });
    let mut ends = ranges.flatten().flatten().peekable();
    ends.peek()?;
    Some(LogAxis::around(ends))
}

/// A value drawn in its cell; its text is for those who do not see it.
fn drawn(ui: &mut Ui, at: egui::Rect, row: &page::Row, cell: &page::Cell, drawn: Drawn, axis: Option<LogAxis>) {
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
        (Drawn::Pair(before, after), _) => {
            let name = row.cells.first().map_or("", |cell| &cell.text);
            table::within(ui, at, |ui| {
                let width = ui.available_width();
                pair_bar(ui, width, (name, &cell.text), before, after);
            });
            return;
        }
        (Drawn::Off(error), _) => off_bar(ui, at, error, &cell.text, cell.tone.into()),
        (Drawn::Range(_), None) => return,
    };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, &cell.text));
    if !cell.text.is_empty() {
        response.on_hover_text(&cell.text);
    }
}

/// An error as a bar to the left or right of nothing, with its words behind it.
fn off_bar(ui: &Ui, at: egui::Rect, error: f64, words: &str, tone: Tone) -> egui::Response {
    /// An error that fills its half of the bar.
    const FULL: f64 = 0.5;
    let theme = Theme::of(ui);
    let rail = egui::Rect::from_center_size(
        egui::pos2(at.left() + at.width() * 0.3, at.center().y),
        egui::vec2(at.width() * 0.6 - 8.0, 12.0),
    );
    let (painter, middle) = (ui.painter(), rail.center().x);
    painter.vline(middle, rail.y_range(), egui::Stroke::new(1.0, theme.line));
    if error.is_finite() {
        let length = rail.width() / 2.0 * (error / FULL).clamp(-1.0, 1.0) as f32;
        let (from, until) = (middle.min(middle + length), middle.max(middle + length));
        let bar = egui::Rect::from_x_y_ranges(from..=until, rail.y_range().shrink(2.0));
        painter.rect_filled(bar, 2.0, tone.color(theme));
    }
    let font = TextStyle::Body.resolve(ui.style());
    let place = egui::pos2(rail.right() + 8.0, at.center().y);
    painter.text(place, egui::Align2::LEFT_CENTER, words, font, tone.color(theme));
    ui.interact(at, table::id_at(ui, at), egui::Sense::hover())
}

/// Columns with their shares of the width.
fn columns<'c>(shown: &'c Table, view: &View<'_>) -> Vec<Column<'c>> {
    if view.heads.is_some() {
        // Wide as names of what is measured, and as figures with what stands below.
        let share = |place: usize| if place == 0 { NAMES } else { FIGURES };
        let columns = (0..shown.heads.len()).map(|place| Column::text("", share(place)));
        return columns.collect();
    }
    let heads = shown.heads.iter().enumerate();
    let columns = heads.map(|(place, head)| {
        let cells = shown.rows.iter().take(LOOKED_AT).filter(|row| !row.strong);
        let lengths = cells.filter_map(|row| {
            let cell = row.cells.get(place)?;
            let said = cell.text.chars().count().max(cell.below.chars().count());
            Some(cell.drawn.map_or(said, |_| DRAWN))
        });
        let longest = lengths.chain([head.text.chars().count() / 2]).max();
        let share = longest.unwrap_or(0).clamp(CHARACTERS.0, CHARACTERS.1) as f32;
        Column { title: &head.text, share, is_number: head.right }
    });
    let control = view.controls.as_ref();
    columns.chain(control.map(|(share, _)| Column::text("", *share))).collect()
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

/// What is wrong, what to do, how sure, on what evidence. Rule and evidence lead to what is known of them.
fn card<'p>(ui: &mut Ui, card: &'p Card, leads: Option<&str>) -> Option<&'p str> {
    let theme = Theme::of(ui);
    let mut clicked = None;
    // Lines of small text, not of buttons.
    ui.spacing_mut().interact_size.y = 0.0;
    ui.spacing_mut().item_spacing.y = 3.0;
    let mut id = |ui: &mut Ui, id: &'p str| {
        let text = RichText::new(id).small();
        match leads {
            Some(about) => {
                let link = ui.link(text.color(theme.accent)).on_hover_text(about);
                clicked = clicked.or(link.clicked().then_some(id));
            }
            None => {
                ui.label(text.color(theme.muted));
            }
        }
    };
    ui.horizontal(|ui| {
        chip(ui, card.badge, card.tone.into());
        id(ui, &card.id);
    });
    title(ui, &card.message);
    says(ui, &format!("→ {}", card.action), &TextStyle::Body, theme.text);
    let sure = format!("How sure: {}", card.sure);
    says(ui, &sure, &TextStyle::Small, theme.muted);
    for (n, (name, words)) in card.evidence.iter().enumerate() {
        ui.push_id(n, |ui| {
            ui.horizontal_wrapped(|ui| {
                // What the model says has no place of its own.
                if name == "model" {
                    ui.label(RichText::new(name).small().color(theme.muted));
                } else {
                    id(ui, name);
                }
                ui.label(RichText::new(words).small().color(theme.muted));
            });
        });
    }
    clicked
}
