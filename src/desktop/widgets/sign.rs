//! Shapes of points: a series has one beside its colour, for readers who cannot tell colours apart.

use egui::{Color32, Painter, Pos2, Shape, Stroke, Vec2};

/// Paints the shape of a series around a place.
pub fn sign(painter: &Painter, index: usize, at: Pos2, radius: f32, color: Color32) {
    let corner = |x: f32, y: f32| at + Vec2::new(x, y) * radius;
    let corners = match index % 4 {
        0 => {
            painter.circle_filled(at, radius, color);
            return;
        }
        1 => vec![
            corner(0.0, -1.1),
            corner(1.1, 0.0),
            corner(0.0, 1.1),
            corner(-1.1, 0.0),
        ],
        2 => vec![
            corner(-0.85, -0.85),
            corner(0.85, -0.85),
            corner(0.85, 0.85),
            corner(-0.85, 0.85),
        ],
        _ => vec![corner(0.0, -1.0), corner(1.0, 0.8), corner(-1.0, 0.8)],
    };
    painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
}
