//! Key figures as tiles: a label, a large number, a line that explains.

use egui::accesskit::Role;
use egui::{CornerRadius, CursorIcon, Rect, Sense, Stroke, StrokeKind, TextStyle, Ui, Vec2};

use super::Tone;
use super::text::{Ink, laid_out};
use crate::desktop::theme::{self, Theme};
use crate::page::{Cell, Table};

/// The least width of a tile.
const LEAST: f32 = 230.0;
const HEIGHT: f32 = 98.0;
const PAD: f32 = 14.0;

/// Paints a table of two columns as tiles in rows of equal width: what each is, and its figure. `leads` says what a click on one
/// is for whose figure is about something; returns the id of what that is.
pub fn tiles<'p>(ui: &mut Ui, figures: &'p Table, leads: &str) -> Option<&'p str> {
    let tiles = figures.rows.iter();
    let tiles: Vec<(&str, &'p Cell)> =
        tiles.filter_map(|row| Some((row.cells.first()?.text.as_str(), row.cells.get(1)?))).collect();
    let gap = theme::GAP * 1.5;
    let width = ui.available_width().max(LEAST);
    let fitting = (((width + gap) / (LEAST + gap)).floor() as usize).max(1);
    // Rows as even as can be: eight in two rows of four, not of six and two.
    let rows = tiles.len().div_ceil(fitting).max(1);
    let columns = tiles.len().div_ceil(rows).max(1);
    let each = (width - gap * (columns - 1) as f32) / columns as f32;
    let mut clicked = None;
    for chunk in tiles.chunks(columns) {
        let (rect, _) = ui.allocate_exact_size(Vec2::new(width, HEIGHT), Sense::hover());
        for (column, (label, figure)) in chunk.iter().enumerate() {
            let x = rect.left() + (each + gap) * column as f32;
            let at = Rect::from_min_size(egui::pos2(x, rect.top()), Vec2::new(each, HEIGHT));
            if paint(ui, at, label, figure, leads) {
                clicked = Some(figure.about.as_str());
            }
        }
        ui.add_space(gap - ui.spacing().item_spacing.y);
    }
    clicked
}

fn paint(ui: &Ui, at: Rect, label: &str, figure: &Cell, leads: &str) -> bool {
    let theme = Theme::of(ui);
    let is_link = !figure.about.is_empty();
    let (sense, role) = if is_link { (Sense::click(), Role::Button) } else { (Sense::hover(), Role::Label) };
    let mut response = ui.interact(at, ui.unique_id().with(("tile", label)), sense);
    let words = format!("{label}: {}; {}", figure.text, figure.below);
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, &words));
    let is_lit = is_link && (response.hovered() || response.has_focus());
    let edge = if is_lit { theme.accent } else { theme.line };
    let radius = CornerRadius::same(10);
    let painter = ui.painter();
    painter.rect(at, radius, theme.card, Stroke::new(1.0, edge), StrokeKind::Inside);
    let tone = Tone::from(figure.tone);
    if tone != Tone::Plain {
        let mut mark = at.shrink2(Vec2::new(0.0, 14.0));
        mark.set_width(4.0);
        painter.rect_filled(mark, CornerRadius::same(2), tone.color(theme));
    }
    let width = at.width() - 2.0 * PAD;
    let mut y = at.top() + PAD - 2.0;
    let small = || Ink::new(ui, &TextStyle::Small, theme.muted);
    let mut large = laid_out(ui, &figure.text, &Ink::new(ui, &theme::figure(), theme.text), width, 1);
    if large.elided {
        // Words in place of a number.
        large = laid_out(ui, &figure.text, &Ink::new(ui, &theme::subtitle(), theme.text), width, 1);
    }
    let parts = [laid_out(ui, label, &small(), width, 1), large, laid_out(ui, &figure.below, &small(), width, 2)];
    let mut is_cut = false;
    for galley in parts {
        is_cut |= galley.elided;
        let height = galley.size().y;
        painter.galley(egui::pos2(at.left() + PAD, y), galley, theme.text);
        y += height + 3.0;
    }
    if is_link {
        response = response.on_hover_cursor(CursorIcon::PointingHand);
    }
    let is_clicked = response.clicked();
    let whole = if is_cut { words.as_str() } else { "" };
    let leads = if is_link { leads } else { "" };
    let parts = [whole, &figure.more, leads];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if !parts.is_empty() {
        response.on_hover_text(parts.join("\n"));
    }
    is_clicked
}
