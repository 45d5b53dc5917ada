//! Key figures as tiles: a label, a large number, a line that explains.

use egui::accesskit::Role;
use egui::{CornerRadius, CursorIcon, Rect, Sense, Stroke, StrokeKind, TextStyle, Ui, Vec2};

use super::Tone;
use super::text::{Ink, laid_out};
use crate::desktop::theme::{self, Theme};

/// One figure.
#[derive(Debug, Clone, Copy)]
pub struct Tile<'a> {
    /// What it is.
    pub label: &'a str,
    /// The number with its unit.
    pub figure: &'a str,
    /// A line or two that explain.
    pub note: &'a str,
    /// What it means.
    pub tone: Tone,
    /// More on pointing at it.
    pub hover: &'a str,
    /// Whether it leads somewhere.
    pub is_link: bool,
}

/// The least width of a tile.
const LEAST: f32 = 230.0;
const HEIGHT: f32 = 98.0;
const PAD: f32 = 14.0;

/// Paints tiles in rows of equal width; says which was clicked.
pub fn tiles(ui: &mut Ui, tiles: &[Tile<'_>]) -> Option<usize> {
    let gap = theme::GAP * 1.5;
    let width = ui.available_width().max(LEAST);
    let fitting = (((width + gap) / (LEAST + gap)).floor() as usize).max(1);
    // Rows as even as can be: eight in two rows of four, not of six and two.
    let rows = tiles.len().div_ceil(fitting).max(1);
    let columns = tiles.len().div_ceil(rows).max(1);
    let each = (width - gap * (columns - 1) as f32) / columns as f32;
    let mut clicked = None;
    for (row, chunk) in tiles.chunks(columns).enumerate() {
        let (rect, _) = ui.allocate_exact_size(Vec2::new(width, HEIGHT), Sense::hover());
        for (column, tile) in chunk.iter().enumerate() {
            let x = rect.left() + (each + gap) * column as f32;
            let at = Rect::from_min_size(egui::pos2(x, rect.top()), Vec2::new(each, HEIGHT));
            if paint(ui, at, tile) {
                clicked = Some(row * columns + column);
            }
        }
        ui.add_space(gap - ui.spacing().item_spacing.y);
    }
    clicked
}

fn paint(ui: &Ui, at: Rect, tile: &Tile<'_>) -> bool {
    let theme = Theme::of(ui);
    let (sense, role) = if tile.is_link {
        (Sense::click(), Role::Button)
    } else {
        (Sense::hover(), Role::Label)
    };
    let mut response = ui.interact(at, ui.unique_id().with(("tile", tile.label)), sense);
    let words = format!("{}: {}; {}", tile.label, tile.figure, tile.note);
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, &words));
    let is_lit = tile.is_link && (response.hovered() || response.has_focus());
    let edge = if is_lit { theme.accent } else { theme.line };
    let radius = CornerRadius::same(10);
    let painter = ui.painter();
    painter.rect(
        at,
        radius,
        theme.card,
        Stroke::new(1.0, edge),
        StrokeKind::Inside,
    );
    if !matches!(tile.tone, Tone::Plain) {
        let mut mark = at.shrink2(Vec2::new(0.0, 14.0));
        mark.set_width(4.0);
        painter.rect_filled(mark, CornerRadius::same(2), tile.tone.color(theme));
    }
    let width = at.width() - 2.0 * PAD;
    let mut y = at.top() + PAD - 2.0;
    let parts = [
        (tile.label, Ink::new(ui, &TextStyle::Small, theme.muted), 1),
        (tile.figure, Ink::new(ui, &theme::figure(), theme.text), 1),
        (tile.note, Ink::new(ui, &TextStyle::Small, theme.muted), 2),
    ];
    let mut is_cut = false;
    for (text, ink, rows) in parts {
        let galley = laid_out(ui, text, &ink, width, rows);
        is_cut |= galley.elided;
        let height = galley.size().y;
        painter.galley(egui::pos2(at.left() + PAD, y), galley, theme.text);
        y += height + 3.0;
    }
    if tile.is_link {
        response = response.on_hover_cursor(CursorIcon::PointingHand);
    }
    let is_clicked = response.clicked();
    if is_cut {
        response.on_hover_text(format!("{words}\n\n{}", tile.hover));
    } else if !tile.hover.is_empty() {
        response.on_hover_text(tile.hover);
    }
    is_clicked
}
