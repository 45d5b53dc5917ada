//! Paints a layout's diagram: boxes and lines as `Diagram` places them, scaled to the room.

use egui::accesskit::Role;
use egui::{
    CornerRadius, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, TextStyle, Ui, Vec2,
};

use super::text::{Ink, laid_out};
use crate::desktop::theme::{Busy, Theme};
use crate::page::{Diagram, Link, Node, NodeKind, short_share};

/// A diagram grows no larger than this.
const SCALE_MAX: f32 = 1.3;
/// And, where a window is narrow, no smaller: its right end is then cut off.
const SCALE_MIN: f32 = 0.3;
/// Text in boxes against small text.
const SMALLER: f32 = 0.94;
/// Below this scale boxes show their names alone; pointing at them shows the rest.
const SMALL: f32 = 0.72;
/// The least scale of text.
const TEXT_MIN: f32 = 0.78;
/// In a small drawing parts that are less busy have no figure.
const LEAST_SMALL: f64 = 0.05;
const PAD: f32 = 9.0;
const LEADING: f32 = 16.0;
const PILL: f32 = 17.0;

struct Canvas<'c> {
    origin: Pos2,
    /// Of heights and of text.
    scale: f32,
    /// Of widths: a low drawing is as wide as there is room.
    wide: f32,
    theme: &'c Theme,
}

impl Canvas<'_> {
    fn at(&self, (x, y): (f64, f64)) -> Pos2 {
        self.origin + Vec2::new(x as f32 * self.wide, y as f32 * self.scale)
    }

    fn rect(&self, rect: crate::page::Rect) -> Rect {
        let size = Vec2::new(
            rect.width as f32 * self.wide,
            rect.height as f32 * self.scale,
        );
        Rect::from_min_size(self.at((rect.x, rect.y)), size)
    }

    fn ink(&self, ui: &Ui, color: egui::Color32) -> Ink {
        Ink::new(ui, &TextStyle::Small, color).scaled(SMALLER * self.text())
    }

    /// Text does not shrink below what can be read.
    fn text(&self) -> f32 {
        self.scale.max(TEXT_MIN)
    }

    /// Whether there is room for more than the names of boxes.
    fn is_small(&self) -> bool {
        self.scale < SMALL
    }
}

/// Paints a diagram over the available width, no higher than `height_max`; pointing at a part shows more of it.
pub fn diagram(ui: &mut Ui, diagram: &Diagram, height_max: f32) {
    let (width, height) = (
        diagram.width.max(1.0) as f32,
        diagram.height.max(1.0) as f32,
    );
    let by_height = height_max / height;
    let wide = (ui.available_width() / width).clamp(SCALE_MIN, SCALE_MAX);
    let scale = wide.min(by_height).max(SCALE_MIN);
    let size = Vec2::new(width * wide, height * scale);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let words = format!(
        "The layout, drawn: {} boxes and {} lines",
        diagram.nodes.len(),
        diagram.links.len()
    );
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, &words));
    let canvas = Canvas {
        origin: rect.min,
        scale,
        wide,
        theme: Theme::of(ui),
    };
    for link in &diagram.links {
        line(ui, &canvas, link);
    }
    for (place, one) in diagram.nodes.iter().enumerate() {
        node(ui, &canvas, one, &format!("node {place}"));
    }
    for link in &diagram.links {
        label(ui, &canvas, link);
    }
    legend(ui, &canvas, rect);
    pointed_at_line(&response, &canvas, diagram);
}

fn line(ui: &Ui, canvas: &Canvas<'_>, link: &Link) {
    let theme = canvas.theme;
    let busy = link.utilization.unwrap_or(0.0);
    // Busier lines are thicker, so that colour is not alone.
    let color = if busy >= 0.2 {
        theme.busy(busy)
    } else {
        theme.muted
    };
    let width = (1.2 + 3.0 * busy.min(1.0)) as f32 * canvas.scale;
    let points = link.points.iter().map(|p| canvas.at(*p)).collect();
    ui.painter().line(points, Stroke::new(width, color));
}

fn node(ui: &Ui, canvas: &Canvas<'_>, node: &Node, id: &str) {
    let theme = canvas.theme;
    let at = canvas.rect(node.rect);
    let (fill, edge, radius) = match node.kind {
        NodeKind::Office => (theme.card, theme.line, 12.0),
        NodeKind::Network => (theme.rail, theme.line, 4.0),
        NodeKind::Server => (theme.rail, theme.accent, 7.0),
        NodeKind::Volume => (theme.card, theme.line, 5.0),
        NodeKind::Store => (theme.rail, theme.muted, 5.0),
    };
    let response = ui.interact(at, ui.unique_id().with(("diagram", id)), Sense::hover());
    let is_lit = response.hovered();
    let stroke = if is_lit {
        Stroke::new(2.0, theme.accent)
    } else {
        Stroke::new(1.0, edge)
    };
    let radius = CornerRadius::same((radius * canvas.scale) as u8);
    ui.painter()
        .rect(at, radius, fill, stroke, StrokeKind::Inside);
    let busy = node.utilization.map(short_share);
    let mut words = vec![node.title.clone()];
    words.extend(node.lines.iter().cloned());
    words.extend(busy.iter().map(|busy| format!("{busy} busy")));
    let words = words.join(", ");
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &words));
    if node.kind == NodeKind::Network {
        upright(ui, canvas, at, &node.title);
    } else {
        inside(ui, canvas, at, node);
    }
    response.on_hover_ui(|ui| tooltip(ui, &node.title, &node.lines, &node.hover));
}

fn inside(ui: &Ui, canvas: &Canvas<'_>, at: Rect, node: &Node) {
    let theme = canvas.theme;
    let pad = PAD * canvas.scale;
    let room = at.width() - 2.0 * pad;
    let mut taken = 0.0;
    // Where there is little room, parts that are hardly busy do not say so.
    let least = if canvas.is_small() { LEAST_SMALL } else { 0.0 };
    if let Some(busy) = node.utilization.filter(|busy| *busy >= least) {
        let corner = egui::pos2(at.right() - pad * 0.6, at.top() + pad * 0.6);
        taken = pill(ui, canvas, corner, busy) + 4.0;
    }
    let title = canvas.ink(ui, theme.text).strong();
    let shown = laid_out(ui, &node.title, &title, room - taken, 1);
    let corner = at.min + Vec2::splat(pad);
    let lift = Vec2::new(0.0, -2.0 * canvas.scale);
    ui.painter().galley(corner + lift, shown, theme.text);
    let below = canvas.ink(ui, theme.muted);
    let lines = if canvas.is_small() {
        &[][..]
    } else {
        &node.lines
    };
    for (row, text) in lines.iter().enumerate() {
        let shown = laid_out(ui, text, &below, room, 1);
        let down = Vec2::new(0.0, LEADING * canvas.scale * (row as f32 + 1.0));
        ui.painter()
            .galley(corner + lift + down, shown, theme.muted);
    }
}

/// A share on its colour, ending at the right at a point; says how wide it became.
fn pill(ui: &Ui, canvas: &Canvas<'_>, corner: Pos2, busy: f64) -> f32 {
    let theme = canvas.theme;
    let ink = canvas.ink(ui, theme.on_busy(busy)).strong();
    let text = laid_out(ui, &short_share(busy), &ink, 200.0, 1);
    let size = Vec2::new(text.size().x, PILL) + Vec2::new(12.0, 0.0);
    let size = Vec2::new(size.x, size.y * canvas.text());
    let at = Rect::from_min_size(egui::pos2(corner.x - size.x, corner.y), size);
    let radius = CornerRadius::same((size.y / 2.0) as u8);
    let edge = Stroke::new(1.0, theme.line);
    ui.painter()
        .rect(at, radius, theme.busy(busy), edge, StrokeKind::Inside);
    let middle = at.center() - text.size() / 2.0;
    ui.painter().galley(middle, text, ink.color);
    size.x
}

/// A network's name along it.
fn upright(ui: &Ui, canvas: &Canvas<'_>, at: Rect, title: &str) {
    let ink = canvas.ink(ui, canvas.theme.text).strong();
    let text = laid_out(ui, title, &ink, at.height() - 8.0, 1);
    let turned = Vec2::new(text.size().y, -text.size().x);
    let shape = egui::epaint::TextShape::new(at.center() - turned / 2.0, text, ink.color)
        .with_angle(-std::f32::consts::FRAC_PI_2);
    ui.painter().add(Shape::Text(shape));
}

fn label(ui: &Ui, canvas: &Canvas<'_>, link: &Link) {
    let theme = canvas.theme;
    let ink = canvas.ink(ui, theme.muted);
    let is_named = !link.label.is_empty() && !canvas.is_small();
    let text = is_named.then(|| laid_out(ui, &link.label, &ink, 400.0, 1));
    let own = text.as_ref().map_or(0.0, |t| t.size().x);
    let strong = canvas.ink(ui, theme.text).strong();
    let least = if canvas.is_small() { LEAST_SMALL } else { 0.0 };
    let utilization = link.utilization.filter(|busy| *busy >= least);
    let share = utilization.map(|busy| {
        let text = laid_out(ui, &short_share(busy), &strong, 200.0, 1);
        text.size().x + 12.0
    });
    let gap = if text.is_some() && share.is_some() {
        5.0
    } else {
        0.0
    };
    let width = own + gap + share.unwrap_or(0.0);
    let middle = canvas.at(link.label_at);
    if let Some(text) = text {
        let corner = egui::pos2(middle.x - width / 2.0, middle.y - text.size().y / 2.0);
        let behind = Rect::from_min_size(corner, text.size()).expand2(Vec2::new(3.0, 0.0));
        ui.painter()
            .rect_filled(behind, CornerRadius::same(2), theme.card);
        ui.painter().galley(corner, text, theme.muted);
    }
    if let Some(busy) = utilization {
        let top = middle.y - PILL * canvas.text() / 2.0;
        pill(ui, canvas, egui::pos2(middle.x + width / 2.0, top), busy);
    }
}

/// The levels of utilisation.
fn legend(ui: &Ui, canvas: &Canvas<'_>, rect: Rect) {
    let theme = canvas.theme;
    let y = rect.bottom() - (PILL + 3.0) * canvas.text();
    let ink = canvas.ink(ui, theme.muted);
    let text = laid_out(ui, "busy at the peak", &ink, 300.0, 1);
    let mut x = rect.left() + text.size().x + 12.0;
    ui.painter()
        .galley(egui::pos2(rect.left(), y), text, theme.muted);
    let size = Vec2::new(84.0, PILL) * canvas.text();
    for (words, busy) in Busy::ALL {
        let at = Rect::from_min_size(egui::pos2(x, y), size);
        let edge = Stroke::new(1.0, theme.line);
        let radius = CornerRadius::same(3);
        ui.painter()
            .rect(at, radius, theme.busy(busy), edge, StrokeKind::Inside);
        let ink = canvas.ink(ui, theme.on_busy(busy));
        let text = laid_out(ui, words, &ink, size.x, 1);
        let corner = at.center() - text.size() / 2.0;
        ui.painter().galley(corner, text, ink.color);
        x += size.x + 4.0;
    }
}

fn tooltip(ui: &mut Ui, title: &str, lines: &[String], hover: &[String]) {
    let theme = Theme::of(ui);
    ui.set_max_width(380.0);
    if !title.is_empty() {
        ui.label(egui::RichText::new(title).family(crate::desktop::theme::strong()));
    }
    for line in lines {
        ui.label(egui::RichText::new(line).small().color(theme.muted));
    }
    for line in hover.iter().filter(|line| *line != title) {
        ui.label(egui::RichText::new(line).small());
    }
}

/// Tells of the line that the pointer is on, where it is on no box.
fn pointed_at_line(response: &Response, canvas: &Canvas<'_>, diagram: &Diagram) {
    let Some(pointer) = response.hover_pos() else {
        return;
    };
    let is_on = |rect: crate::page::Rect| canvas.rect(rect).contains(pointer);
    if diagram.nodes.iter().any(|node| is_on(node.rect)) {
        return;
    }
    let near = |link: &&Link| {
        let label = canvas.at(link.label_at).distance(pointer) < 24.0;
        let mut legs = link.points.windows(2);
        label || legs.any(|leg| distance(pointer, canvas.at(leg[0]), canvas.at(leg[1])) < 6.0)
    };
    if let Some(link) = diagram.links.iter().find(near) {
        let response = response.clone();
        response.on_hover_ui_at_pointer(|ui| tooltip(ui, &link.label, &[], &link.hover));
    }
}

/// From a point to a leg of a line.
fn distance(point: Pos2, from: Pos2, to: Pos2) -> f32 {
    let leg = to - from;
    let length = leg.length_sq();
    if length <= 0.0 {
        return point.distance(from);
    }
    let along = ((point - from).dot(leg) / length).clamp(0.0, 1.0);
    point.distance(from + leg * along)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_to_a_leg_is_that_to_its_nearest_point() {
        let (from, to) = (Pos2::new(0.0, 0.0), Pos2::new(10.0, 0.0));
        assert_eq!(distance(Pos2::new(5.0, 3.0), from, to), 3.0);
        assert_eq!(distance(Pos2::new(13.0, 4.0), from, to), 5.0);
        assert_eq!(distance(Pos2::new(3.0, 4.0), from, from), 5.0);
    }
}
