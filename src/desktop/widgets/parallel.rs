//! Parallel coordinates: an axis a criterion, a line an alternative, each named at its right end.

use egui::{Sense, Ui, Vec2};

use super::pen::EguiPen;
use crate::page::pen::{Anchor, Font, Ink, Pen as _, Place, Point, Tooltip, spread};

/// One alternative.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Which colour.
    pub index: usize,
    /// A value in \[0, 1\] for each axis, the best at the top.
    pub values: Vec<f64>,
    /// Whether it stands out.
    pub is_strong: bool,
}

/// One axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// What is below it, such as its weight.
    pub note: String,
}

/// Height of all, and room above and below the lines, for the scale at the left and for names at the right \[points\].
const HEIGHT: f64 = 300.0;
const HEAD: f64 = 42.0;
const BOTTOM: f64 = HEIGHT - 16.0;
const SCALE: f64 = 34.0;
const NAMES: f64 = 220.0;

/// Paints the lines over the available width; the one that is pointed at stands out.
pub fn parallel(ui: &mut Ui, axes: &[Axis], lines: &[Line]) {
    let width = f64::from(ui.available_width().max(200.0));
    let words: Vec<&str> = lines.iter().map(|l| l.name.as_str()).collect();
    let words = format!("Scores by criterion of {}", words.join(", "));
    let text = EguiPen::small(ui);
    let size = Vec2::new(width as f32, HEIGHT as f32);
    let mut pen = EguiPen::new(ui, size, Sense::hover(), &words);
    let right = width - NAMES.min(width * 0.3);
    let step = (right - SCALE) / axes.len().max(1) as f64;
    ground(&mut pen, axes, (step, right), text);
    let points = |line: &Line| -> Vec<Point> {
        let values = line.values.iter().enumerate();
        values
            .map(|(axis, value)| (column(step, axis), height(*value)))
            .collect()
    };
    let end = |line: &Line| line.values.last().map_or(BOTTOM, |value| height(*value));
    let wanted: Vec<f64> = lines.iter().map(end).collect();
    let heights = vec![1.3 * text; lines.len()];
    let middles = spread(&wanted, &heights, (HEAD - text, BOTTOM + text));
    for (line, middle) in lines.iter().zip(middles) {
        let values = axes.iter().zip(&line.values);
        let values = values.map(|(axis, value)| format!("{} {value:.2}", axis.name));
        let words: Vec<String> = [line.name.clone()].into_iter().chain(values).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let tooltip = Tooltip {
            words: &words,
            about: "",
        };
        let (points, ink) = (points(line), Ink::Series(line.index));
        pen.with_tooltip(Place::Along(&points), &tooltip, |pen, is_lit| {
            let width = match line.is_strong {
                _ if is_lit => 4.0,
                true => 3.0,
                false => 1.8,
            };
            pen.line(&points, ink.stroke(width));
            for point in &points {
                pen.dot(*point, width + 1.5, ink, None);
            }
        });
        if let Some(end) = points.last() {
            pen.line(&[*end, (right + 6.0, middle)], ink.stroke(1.0));
        }
        let font = Font::new(text, ink)
            .strong(true)
            .within(width - right - 8.0);
        pen.text((right + 8.0, middle), &line.name, font);
    }
    pen.finish();
}

/// Where an axis stands: in the middle of its column, so that its name has room.
fn column(step: f64, axis: usize) -> f64 {
    SCALE + step * (axis as f64 + 0.5)
}

/// Where a value lies on its axis.
fn height(value: f64) -> f64 {
    BOTTOM - (BOTTOM - HEAD) * value.clamp(0.0, 1.0)
}

/// The axes with their names, and the scale.
fn ground(pen: &mut EguiPen<'_>, axes: &[Axis], (step, right): (f64, f64), text: f64) {
    let muted = Font::new(text, Ink::Muted);
    for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = height(value);
        pen.line(&[(SCALE, y), (right, y)], Ink::Line.stroke(0.75));
        pen.text((0.0, y), &format!("{value:.2}"), muted);
    }
    let name = Font::new(text, Ink::Text).strong(true);
    for (place, axis) in axes.iter().enumerate() {
        let x = column(step, place);
        pen.line(&[(x, HEAD), (x, BOTTOM)], Ink::Line.stroke(1.5));
        for (y, shown, font) in [(0.7, &axis.name, name), (2.0, &axis.note, muted)] {
            let font = font.at(Anchor::Middle).within(step - 8.0);
            pen.text((x, y * text), shown, font);
        }
    }
}
