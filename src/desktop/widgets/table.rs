//! Tables of wrapped text: columns by shares of the width, rows as high as their highest cell.
//!
//! egui's grids grow with their content; these never do, so that no name, however long, pushes a number out
//! of the window.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Align, CursorIcon, Galley, Rect, Response, Sense, Stroke, TextStyle, Ui, Vec2};

use super::Tone;
use super::text::{Ink, laid_out};
use crate::desktop::theme::{self, Theme};

/// A column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column<'c> {
    /// Its head.
    pub title: &'c str,
    /// Its share of the width, against those of the others.
    pub share: f32,
    /// Whether its text ends at the right: numbers.
    pub is_number: bool,
}

impl<'c> Column<'c> {
    /// Words.
    pub(super) const fn text(title: &'c str, share: f32) -> Self {
        Self { title, share, is_number: false }
    }
}

/// What stands in a cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell<'a> {
    /// What it says.
    pub text: &'a str,
    /// What stands below, smaller.
    pub below: &'a str,
    /// What is told on pointing at it.
    pub hover: &'a str,
    /// In a colour that says something.
    pub tone: Option<Tone>,
    /// Whether it is strong.
    pub is_strong: bool,
    /// Whether it is something to click.
    pub is_link: bool,
    /// Whether that looks like other text until it is pointed at.
    pub is_quiet: bool,
    /// Room for something that is painted: so high \[points\].
    pub height: f32,
}

impl Cell<'_> {
    /// Room for something that is painted: so high.
    pub(super) fn room(height: f32) -> Self {
        Self { height, ..Self::default() }
    }
}

/// A table that is being painted.
pub(super) struct Table<'t> {
    columns: &'t [Column<'t>],
    widths: Vec<f32>,
    left: f32,
    total: f32,
}

/// What became of a row.
pub(super) struct Row {
    /// Where its cells are.
    pub cells: Vec<Rect>,
    /// Which cell was clicked.
    pub clicked: Option<usize>,
}

/// Rows of text in a cell; the hover text has the rest.
const ROWS_MAX: usize = 6;
/// Above and below the text of a row.
const PAD: f32 = 5.0;
/// Between columns.
const GAP: f32 = 14.0;
/// Tables become no narrower than this.
const LEAST: f32 = 240.0;

impl<'t> Table<'t> {
    /// A table over the available width, with its head.
    pub(super) fn new(ui: &mut Ui, columns: &'t [Column<'t>]) -> Self {
        let total = ui.available_width().max(LEAST);
        let gaps = GAP * (columns.len().max(1) - 1) as f32;
        let shares: f32 = columns.iter().map(|c| c.share).sum();
        let widths = columns.iter().map(|c| ((total - gaps) * c.share / shares.max(1e-6)).max(8.0)).collect();
        let table = Self { columns, widths, left: ui.cursor().left(), total };
        table.paint_head(ui);
        table
    }

    fn paint_head(&self, ui: &mut Ui) {
        if self.columns.iter().all(|c| c.title.is_empty()) {
            return;
        }
        let theme = Theme::of(ui);
        let ink = Ink::new(ui, &TextStyle::Small, theme.muted);
        let galleys: Vec<Arc<Galley>> = self
            .columns
            .iter()
            .zip(&self.widths)
            .map(|(column, width)| laid_out(ui, column.title, &ink, *width, 2))
            .collect();
        let height = galleys.iter().fold(0.0_f32, |h, g| h.max(g.size().y)) + PAD;
        let rect = self.allocate(ui, height);
        for (place, galley) in galleys.into_iter().enumerate() {
            let cell = self.cell(rect, place);
            let x = self.x(cell, place, galley.size().x);
            let y = cell.bottom() - PAD - galley.size().y;
            ui.painter().galley(egui::pos2(x, y.max(cell.top())), galley, theme.muted);
        }
        self.line(ui, rect.bottom());
    }

    fn allocate(&self, ui: &mut Ui, height: f32) -> Rect {
        let spacing = ui.spacing().item_spacing.y;
        ui.spacing_mut().item_spacing.y = 0.0;
        let (rect, _) = ui.allocate_exact_size(Vec2::new(self.total, height), Sense::hover());
        ui.spacing_mut().item_spacing.y = spacing;
        rect
    }

    fn line(&self, ui: &Ui, y: f32) {
        let theme = Theme::of(ui);
        let ends = self.left..=self.left + self.total;
        ui.painter().hline(ends, y, Stroke::new(1.0, theme.line));
    }

    fn cell(&self, row: Rect, place: usize) -> Rect {
        let before: f32 = self.widths[..place].iter().map(|w| w + GAP).sum();
        let min = egui::pos2(self.left + before, row.top());
        Rect::from_min_size(min, Vec2::new(self.widths[place], row.height()))
    }

    fn x(&self, cell: Rect, place: usize, width: f32) -> f32 {
        if self.columns[place].is_number { (cell.right() - width).max(cell.left()) } else { cell.left() }
    }

    /// A row, named by its first cell for those who do not see it.
    pub(super) fn row(&self, ui: &mut Ui, cells: &[Cell<'_>]) -> Row {
        let theme = Theme::of(ui);
        let laid: Vec<(Arc<Galley>, Option<Arc<Galley>>)> =
            cells.iter().zip(&self.widths).map(|(cell, width)| lay(ui, theme, cell, *width)).collect();
        let needed = |((text, below), cell): (&(Arc<Galley>, Option<Arc<Galley>>), &Cell<'_>)| {
            let below = below.as_ref().map_or(0.0, |g| g.size().y + 2.0);
            (text.size().y + below).max(cell.height)
        };
        let height = laid.iter().zip(cells).map(needed).fold(0.0_f32, f32::max) + 2.0 * PAD;
        let rect = self.allocate(ui, height);
        let mut row = Row { cells: Vec::new(), clicked: None };
        for (place, ((text, below), cell)) in laid.into_iter().zip(cells).enumerate() {
            let at = self.cell(rect, place);
            row.cells.push(at);
            if cell.text.is_empty() && cell.below.is_empty() {
                continue;
            }
            let response = interact(ui, at, cell);
            if response.clicked() {
                row.clicked = Some(place);
            }
            let is_cut = text.elided || below.as_ref().is_some_and(|b| b.elided);
            self.paint(ui, at, place, text, below, &response, cell.is_link);
            tooltip(response, cell, is_cut);
        }
        self.line(ui, rect.bottom());
        row
    }

    #[expect(clippy::too_many_arguments, reason = "what one cell is painted from")]
    fn paint(
        &self,
        ui: &Ui,
        at: Rect,
        place: usize,
        text: Arc<Galley>,
        below: Option<Arc<Galley>>,
        response: &Response,
        is_link: bool,
    ) {
        let theme = Theme::of(ui);
        let mut y = at.top() + PAD;
        let x = self.x(at, place, text.size().x);
        let size = text.size();
        ui.painter().galley(egui::pos2(x, y), text, theme.text);
        if is_link && (response.hovered() || response.has_focus()) {
            let under = y + size.y;
            let stroke = Stroke::new(1.0, theme.accent);
            ui.painter().hline(x..=x + size.x, under, stroke);
        }
        y += size.y + 2.0;
        if let Some(below) = below {
            let x = self.x(at, place, below.size().x);
            ui.painter().galley(egui::pos2(x, y), below, theme.muted);
        }
    }

    /// A title over the whole width, for the rows below.
    pub(super) fn section(&self, ui: &mut Ui, title: &str) {
        let theme = Theme::of(ui);
        let ink = Ink::new(ui, &TextStyle::Small, theme.accent).strong();
        let galley = laid_out(ui, title, &ink, self.total, 1);
        let rect = self.allocate(ui, galley.size().y + 3.0 * PAD);
        let response = ui.interact(rect, id_at(ui, rect), Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, title));
        let is_cut = galley.elided;
        let corner = rect.min + Vec2::new(0.0, 2.0 * PAD);
        ui.painter().galley(corner, galley, theme.accent);
        if is_cut {
            response.on_hover_text(title);
        }
        self.line(ui, rect.bottom());
    }
}

/// An id for what is painted at a place: by where it is in the panel, not by where it is scrolled to.
pub(super) fn id_at(ui: &Ui, at: Rect) -> egui::Id {
    let place = at.min - ui.min_rect().min;
    let key = (place.x.round() as i32, place.y.round() as i32);
    ui.unique_id().with(key)
}

fn interact(ui: &Ui, at: Rect, cell: &Cell<'_>) -> Response {
    let (sense, role) = if cell.is_link { (Sense::click(), Role::Link) } else { (Sense::hover(), Role::Label) };
    let response = ui.interact(at, id_at(ui, at), sense);
    let words = match (cell.text, cell.below) {
        (text, "") => text.to_owned(),
        ("", below) => below.to_owned(),
        (text, below) => format!("{text}, {below}"),
    };
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, &words));
    if cell.is_link {
        return response.on_hover_cursor(CursorIcon::PointingHand);
    }
    response
}

fn tooltip(response: Response, cell: &Cell<'_>, is_cut: bool) {
    match (cell.hover, is_cut) {
        ("", false) => {}
        ("", true) => {
            response.on_hover_text(format!("{}\n{}", cell.text, cell.below));
        }
        (hover, false) => {
            response.on_hover_text(hover);
        }
        (hover, true) => {
            response.on_hover_text(format!("{}\n{}\n{hover}", cell.text, cell.below));
        }
    }
}

fn lay(ui: &Ui, theme: &Theme, cell: &Cell<'_>, width: f32) -> (Arc<Galley>, Option<Arc<Galley>>) {
    let color = match (cell.tone, cell.is_link && !cell.is_quiet) {
        (Some(tone), _) => tone.color(theme),
        (None, true) => theme.accent,
        (None, false) => theme.text,
    };
    let mut ink = Ink::new(ui, &TextStyle::Body, color).scaled(theme::DENSE);
    if cell.is_strong {
        ink = ink.strong();
    }
    let text = laid_out(ui, cell.text, &ink, width, ROWS_MAX);
    let small = Ink::new(ui, &TextStyle::Small, theme.muted);
    let below = (!cell.below.is_empty()).then(|| laid_out(ui, cell.below, &small, width, ROWS_MAX));
    (text, below)
}

/// Paints a widget into a cell that was left empty, in the middle of its height.
pub(super) fn within<R>(ui: &mut Ui, cell: Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    let layout = egui::Layout::left_to_right(Align::Center);
    let builder = egui::UiBuilder::new().max_rect(cell).layout(layout);
    let mut child = ui.new_child(builder);
    child.set_clip_rect(cell.expand(4.0).intersect(ui.clip_rect()));
    add(&mut child)
}
