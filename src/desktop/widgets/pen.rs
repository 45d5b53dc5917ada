//! The pen that paints pictures in the window: their layouts are those of the report.

use std::f32::consts::FRAC_PI_2;

use egui::epaint::TextShape;
use egui::{
    Color32, CornerRadius, CursorIcon, FontId, Mesh, Painter, Pos2, Rect, Response, RichText, Role, Sense, Shape,
    Stroke, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo,
};

use super::text::{Ink as Written, laid_out};
use crate::desktop::theme::{self, Theme};
use crate::page;
use crate::page::pen::{self, Anchor, Font, Ink, Paint, Pen, Place, Point, Tooltip};

/// Nearer than this to the pointer a line is meant \[points\].
const NEAR: f32 = 6.0;

/// Paints a picture into a part of the window; what is told shows when it is pointed at.
pub struct EguiPen<'u> {
    ui: &'u Ui,
    painter: Painter,
    theme: &'static Theme,
    rect: Rect,
    response: Response,
    /// What a click on a part is for that can be explained.
    leads: Option<&'u str>,
    /// What the pointer is on: what was drawn last lies above.
    pointed: Vec<String>,
    clicked: Option<String>,
}

impl<'u> EguiPen<'u> {
    /// On room of this size, which a screen reader calls by `words`.
    pub fn new(ui: &'u mut Ui, size: Vec2, sense: Sense, words: &str) -> Self {
        let (rect, response) = ui.allocate_exact_size(size, sense);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, words));
        let painter = ui.painter_at(rect);
        Self { ui, painter, theme: Theme::of(ui), rect, response, leads: None, pointed: Vec::new(), clicked: None }
    }

    /// The same, where a click on a part that can be explained is for something.
    #[must_use]
    pub fn leading(self, leads: Option<&'u str>) -> Self {
        Self { leads, ..self }
    }

    /// The size of small text \[points\].
    pub fn small(ui: &Ui) -> f64 {
        f64::from(TextStyle::Small.resolve(ui.style()).size)
    }

    /// Where a point of the picture lies in the window.
    pub fn at(&self, (x, y): Point) -> Pos2 {
        self.rect.min + Vec2::new(x as f32, y as f32)
    }

    /// What came of the whole.
    pub fn response(&self) -> &Response {
        &self.response
    }

    /// Tells of what the pointer is on; the id of what was clicked.
    pub fn finish(self) -> (Response, Option<String>) {
        let Self { response, pointed, clicked, .. } = self;
        let response = match &pointed[..] {
            [] => response,
            [name, more @ ..] => response.on_hover_ui_at_pointer(|ui| {
                ui.set_max_width(380.0);
                ui.label(RichText::new(name).family(theme::strong()));
                for line in more {
                    ui.label(RichText::new(line).small());
                }
            }),
        };
        (response, clicked)
    }

    /// Where a rectangle of the picture lies in the window.
    pub fn place(&self, r: page::Rect) -> Rect {
        Rect::from_min_size(self.at((r.x, r.y)), Vec2::new(r.width as f32, r.height as f32))
    }

    fn color(&self, paint: impl Into<Paint>) -> Color32 {
        let Paint { ink, share } = paint.into();
        Theme::faded(self.theme.of_ink(ink), share as f32)
    }

    fn stroke(&self, stroke: pen::Stroke) -> Stroke {
        Stroke::new(stroke.width as f32, self.color(stroke.paint))
    }

    fn all_at(&self, points: &[Point]) -> Vec<Pos2> {
        points.iter().map(|point| self.at(*point)).collect()
    }

    fn written(&self, font: Font) -> Written {
        let written = Written { font: FontId::proportional(font.size as f32), color: self.color(font.ink) };
        if font.is_strong { written.strong() } else { written }
    }

    /// Whether the pointer is on a part.
    fn is_on(&self, place: Place<'_>) -> bool {
        let Some(pointer) = self.response.hover_pos() else {
            return false;
        };
        match place {
            Place::Box(rect) => self.place(rect).contains(pointer),
            Place::Along(points) => {
                let points = self.all_at(points);
                points.windows(2).any(|leg| distance(pointer, leg[0], leg[1]) < NEAR)
            }
        }
    }
}

/// From a point to a leg of a line.
fn distance(point: Pos2, from: Pos2, to: Pos2) -> f32 {
    let leg = to - from;
    let along = (point - from).dot(leg) / leg.length_sq().max(f32::MIN_POSITIVE);
    point.distance(from + leg * along.clamp(0.0, 1.0))
}

impl Pen for EguiPen<'_> {
    fn width(&self, text: &str, font: Font) -> f64 {
        let galley = laid_out(self.ui, text, &self.written(font), f32::INFINITY, 1);
        f64::from(galley.size().x)
    }

    fn line(&mut self, points: &[Point], stroke: pen::Stroke) {
        let points = self.all_at(points);
        if stroke.is_dashed {
            let dashes = Shape::dashed_line(&points, self.stroke(stroke), 4.0, 3.0);
            self.painter.extend(dashes);
        } else {
            self.painter.line(points, self.stroke(stroke));
        }
    }

    fn area(&mut self, upper: &[Point], lower: &[Point], paint: Paint) {
        let mut mesh = Mesh::default();
        for ends in upper.iter().zip(lower) {
            for end in [*ends.0, *ends.1] {
                mesh.colored_vertex(self.at(end), self.color(paint));
            }
        }
        for first in (0..mesh.vertices.len().saturating_sub(2) as u32).step_by(2) {
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 2, first + 3);
        }
        self.painter.add(Shape::mesh(mesh));
    }

    fn rect(&mut self, r: page::Rect, radius: f64, fill: impl Into<Paint>, edge: Option<pen::Stroke>) {
        let edge = edge.map_or(Stroke::NONE, |edge| self.stroke(edge));
        let radius = CornerRadius::same(radius as u8);
        let (rect, fill) = (self.place(r), self.color(fill));
        self.painter.rect(rect, radius, fill, edge, StrokeKind::Inside);
    }

    fn dot(&mut self, at: Point, radius: f64, fill: impl Into<Paint>, edge: Option<pen::Stroke>) {
        let edge = edge.map_or(Stroke::NONE, |edge| self.stroke(edge));
        self.painter.circle(self.at(at), radius as f32, self.color(fill), edge);
    }

    fn text(&mut self, at: Point, text: &str, font: Font) {
        let written = self.written(font);
        let galley = laid_out(self.ui, text, &written, font.room as f32, 1);
        let (at, size) = (self.at(at), galley.size());
        let (before, angle) = match font.anchor {
            Anchor::Start => (Vec2::new(0.0, size.y / 2.0), 0.0),
            Anchor::Middle => (size / 2.0, 0.0),
            Anchor::End => (Vec2::new(size.x, size.y / 2.0), 0.0),
            Anchor::Upright => (Vec2::new(size.y, -size.x) / 2.0, -FRAC_PI_2),
        };
        let shape = TextShape::new(at - before, galley, written.color);
        self.painter.add(shape.with_angle(angle));
    }

    fn with_tooltip(&mut self, place: Place<'_>, tooltip: &Tooltip<'_>, draw: impl FnOnce(&mut Self, bool)) {
        let leads = self.leads.filter(|_| !tooltip.about.is_empty());
        let is_on = self.is_on(place);
        if is_on {
            let words = tooltip.words.iter().copied().chain(leads).filter(|line| !line.is_empty());
            self.pointed = words.map(str::to_owned).collect();
        }
        if let Place::Box(rect) = place {
            let (sense, role) = match leads {
                Some(_) => (Sense::click(), Role::Link),
                None => (Sense::hover(), Role::Label),
            };
            let rect = self.place(rect);
            let id = self.response.id.with((tooltip.words, rect.min.x.to_bits(), rect.min.y.to_bits()));
            let part = self.ui.interact(rect, id, sense);
            part.widget_info(|| WidgetInfo::labeled(role, true, tooltip.words.join(", ")));
            if leads.is_some() && part.clicked() {
                self.clicked = Some(tooltip.about.to_owned());
            }
            if leads.is_some() && is_on {
                self.ui.set_cursor_icon(CursorIcon::PointingHand);
            }
        }
        draw(self, is_on);
    }

    /// Lines can be read everywhere in the window.
    fn reading(&mut self, _: Point, _: Ink, _: &str) {}
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
