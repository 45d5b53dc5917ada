//! Parallel coordinates: an axis a criterion, a line an alternative, each named at its right end.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Galley, Pos2, Rangef, Rect, Sense, Stroke, TextStyle, Ui, Vec2};

use super::text::{Ink, laid_out};
use crate::desktop::theme::Theme;

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

const HEIGHT: f32 = 300.0;
const HEAD: f32 = 42.0;
const FOOT: f32 = 16.0;
/// Room for the names at the right.
const NAMES: f32 = 220.0;
const SCALE: f32 = 34.0;

/// Paints the lines over the available width; the one that is pointed at stands out.
pub fn parallel(ui: &mut Ui, axes: &[Axis], lines: &[Line]) {
    let width = ui.available_width().max(200.0);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, HEIGHT), Sense::hover());
    let words: Vec<&str> = lines.iter().map(|l| l.name.as_str()).collect();
    let words = format!("Scores by criterion of {}", words.join(", "));
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, &words));
    if axes.is_empty() {
        return;
    }
    let names = NAMES.min(width * 0.3);
    let plot = Rect::from_min_max(
        rect.min + Vec2::new(SCALE, HEAD),
        rect.max - Vec2::new(names, FOOT),
    );
    let step = plot.width() / axes.len() as f32;
    // Axes stand in the middle of their columns, so that their names have room.
    let x = |axis: usize| plot.left() + step * (axis as f32 + 0.5);
    let y = |value: f64| plot.bottom() - plot.height() * value.clamp(0.0, 1.0) as f32;
    let points: Vec<Vec<Pos2>> = lines
        .iter()
        .map(|line| {
            let values = line.values.iter().enumerate();
            values.map(|(i, v)| egui::pos2(x(i), y(*v))).collect()
        })
        .collect();
    let pointed = response.hover_pos().and_then(|p| nearest(&points, p));
    ground(ui, axes, plot, step, x, y);
    for (place, (line, points)) in lines.iter().zip(&points).enumerate() {
        draw(ui, line, points, pointed.map(|one| one == place));
    }
    ends(
        ui,
        lines,
        &points,
        Rangef::new(plot.right(), rect.right()),
        plot.y_range(),
    );
    if let Some(line) = pointed.and_then(|place| lines.get(place)) {
        response.on_hover_ui_at_pointer(|ui| {
            ui.label(egui::RichText::new(&line.name).family(crate::desktop::theme::strong()));
            for (axis, value) in axes.iter().zip(&line.values) {
                ui.label(egui::RichText::new(format!("{} {value:.2}", axis.name)).small());
            }
        });
    }
}

fn ground(
    ui: &Ui,
    axes: &[Axis],
    plot: Rect,
    step: f32,
    x: impl Fn(usize) -> f32,
    y: impl Fn(f64) -> f32,
) {
    let theme = Theme::of(ui);
    let small = Ink::new(ui, &TextStyle::Small, theme.muted);
    for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let stroke = Stroke::new(1.0, Theme::faded(theme.line, 0.7));
        ui.painter().hline(plot.x_range(), y(value), stroke);
        let text = laid_out(ui, &format!("{value:.2}"), &small, SCALE, 1);
        let at = egui::pos2(plot.left() - SCALE, y(value) - text.size().y / 2.0);
        ui.painter().galley(at, text, theme.muted);
    }
    for (place, axis) in axes.iter().enumerate() {
        let stroke = Stroke::new(1.5, theme.line);
        ui.painter().vline(x(place), plot.y_range(), stroke);
        let name = Ink::new(ui, &TextStyle::Small, theme.text).strong();
        let room = (step - 8.0).max(20.0);
        let mut top = plot.top() - HEAD;
        for (text, ink) in [(&axis.name, &name), (&axis.note, &small)] {
            let text = laid_out(ui, text, ink, room, 1);
            let at = egui::pos2(x(place) - text.size().x / 2.0, top);
            top += text.size().y + 1.0;
            ui.painter().galley(at, text, theme.text);
        }
    }
}

fn draw(ui: &Ui, line: &Line, points: &[Pos2], is_pointed: Option<bool>) {
    let theme = Theme::of(ui);
    let color = theme.series(line.index);
    let (color, width) = match (is_pointed, line.is_strong) {
        (Some(true), _) => (color, 4.0),
        (Some(false), _) => (Theme::faded(color, 0.3), 1.5),
        (None, true) => (color, 3.0),
        (None, false) => (color, 1.8),
    };
    ui.painter()
        .line(points.to_vec(), Stroke::new(width, color));
    for point in points {
        ui.painter().circle_filled(*point, width + 1.5, color);
    }
}

/// The names at the right ends, moved apart where they would lie over each other.
fn ends(ui: &Ui, lines: &[Line], points: &[Vec<Pos2>], x: Rangef, y: Rangef) {
    let theme = Theme::of(ui);
    let mut labels: Vec<(f32, Arc<Galley>, egui::Color32, Pos2)> = lines
        .iter()
        .zip(points)
        .filter_map(|(line, points)| {
            let end = *points.last()?;
            let color = theme.series(line.index);
            let ink = Ink::new(ui, &TextStyle::Small, color).strong();
            let text = laid_out(ui, &line.name, &ink, x.span() - 14.0, 1);
            Some((end.y, text, color, end))
        })
        .collect();
    let heights: Vec<f32> = labels.iter().map(|l| l.1.size().y + 2.0).collect();
    let wanted: Vec<f32> = labels.iter().map(|l| l.0).collect();
    let height = heights.iter().copied().fold(0.0, f32::max);
    for (label, at) in labels.iter_mut().zip(apart(&wanted, height, y)) {
        label.0 = at;
    }
    for (at, text, color, end) in labels {
        let start = egui::pos2(x.min + 8.0, at);
        let stroke = Stroke::new(1.0, Theme::faded(color, 0.5));
        ui.painter()
            .line_segment([end, start - Vec2::new(2.0, 0.0)], stroke);
        let corner = start - Vec2::new(0.0, text.size().y / 2.0);
        ui.painter().galley(corner, text, color);
    }
}

/// Places near those that are wanted, at least `height` apart, within a range as far as there is room.
fn apart(wanted: &[f32], height: f32, within: Rangef) -> Vec<f32> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]).then(a.cmp(b)));
    let mut places = wanted.to_vec();
    let mut least = within.min;
    for &i in &order {
        places[i] = places[i].max(least);
        least = places[i] + height;
    }
    let mut most = within.max.max(within.min + height * wanted.len() as f32);
    for &i in order.iter().rev() {
        places[i] = places[i].min(most);
        most = places[i] - height;
    }
    places
}

/// The line that a pointer is next to.
fn nearest(points: &[Vec<Pos2>], pointer: Pos2) -> Option<usize> {
    let distance = |points: &Vec<Pos2>| {
        let legs = points.windows(2).map(|leg| {
            let along = ((pointer.x - leg[0].x) / (leg[1].x - leg[0].x).max(1e-3)).clamp(0.0, 1.0);
            (leg[0] + (leg[1] - leg[0]) * along).distance(pointer)
        });
        legs.fold(f32::INFINITY, f32::min)
    };
    let all = points.iter().map(distance).enumerate();
    let near = all.min_by(|a, b| a.1.total_cmp(&b.1))?;
    (near.1 < 14.0).then_some(near.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_moved_apart_and_stay_in_order() {
        let places = apart(&[10.0, 11.0, 50.0, 12.0], 8.0, Rangef::new(0.0, 60.0));
        let mut sorted = places.clone();
        sorted.sort_by(f32::total_cmp);
        assert!(
            sorted.windows(2).all(|w| w[1] - w[0] >= 8.0 - 1e-3),
            "{places:?}"
        );
        assert!(places[0] < places[1] && places[1] < places[3] && places[3] < places[2]);
        assert!(sorted[3] <= 60.0);
        let full = apart(&[5.0; 9], 8.0, Rangef::new(0.0, 20.0));
        assert!(full.iter().all(|y| y.is_finite()));
    }

    #[test]
    fn the_line_next_to_the_pointer_is_found() {
        let points = vec![
            vec![Pos2::new(0.0, 0.0), Pos2::new(10.0, 0.0)],
            vec![Pos2::new(0.0, 40.0), Pos2::new(10.0, 40.0)],
        ];
        assert_eq!(nearest(&points, Pos2::new(5.0, 38.0)), Some(1));
        assert_eq!(nearest(&points, Pos2::new(5.0, 20.0)), None);
    }
}
