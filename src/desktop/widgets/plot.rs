//! Charts of lines, painted from [`ChartData`]: direct labels at the line ends, units on the axes, hover.
//!
//! Knows how a chart looks. Must not know what it shows.

use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke,
    TextStyle, Ui, Vec2, WidgetInfo,
};

use super::super::theme::Theme;
use super::plot_data::{Dot, Whisker};
use super::plot_scale::{Scale, ticks};
use super::sign::sign;
use crate::page::{Across, ChartData, Series, between};

/// Room for numbers left of the axis.
const LEFT: f32 = 54.0;
/// Room for numbers and the name of the axis below.
const BELOW: f32 = 38.0;
/// Room for the name of the axis above.
const ABOVE: f32 = 20.0;
/// Room above, on the right and below where there are no names.
const BARE: [f32; 3] = [6.0, 10.0, 20.0];
/// Room for the names of lines on the right, at most.
const RIGHT_MAX: f32 = 230.0;
/// And the share of the width that they take at most.
const NAMES: f32 = 0.4;

/// A chart with what lies beside its lines.
#[derive(Debug)]
pub struct Plot<'a> {
    /// The chart.
    pub chart: &'a ChartData,
    /// The same lines as they were before: dashed.
    pub before: &'a [Series],
    /// Single values.
    pub whiskers: &'a [Whisker],
    /// Points; the one near the pointer is ringed.
    pub dots: &'a [Dot],
    /// A line that can be dragged along the x axis, and its label.
    pub handle: Option<(f64, &'a str)>,
    /// Whether names of lines and axes are left out: small charts with their names over them.
    pub is_bare: bool,
    /// Height of all \[points\].
    pub height: f32,
}

/// What came of painting a chart.
pub struct Painted {
    /// The whole.
    pub response: Response,
    /// Where along the x axis the handle is dragged to.
    pub dragged_to: Option<f64>,
    /// The point that the pointer is near to.
    pub pointed: Option<usize>,
}

/// Nearer than this to the pointer a point is meant \[points\].
const NEAR: f32 = 14.0;

pub(super) struct Canvas<'a> {
    pub(super) painter: &'a Painter,
    pub(super) theme: &'static Theme,
    pub(super) font: FontId,
    pub(super) area: Rect,
    pub(super) x: Scale,
    pub(super) y: Scale,
}

impl<'a> Plot<'a> {
    /// A chart of this height with nothing beside its lines.
    pub fn of(chart: &'a ChartData, height: f32) -> Self {
        Self {
            chart,
            before: &[],
            whiskers: &[],
            dots: &[],
            handle: None,
            is_bare: false,
            height,
        }
    }

    /// Paints it as wide as there is room.
    pub fn show(&self, ui: &mut Ui) -> Painted {
        let theme = Theme::of(ui);
        let size = Vec2::new(ui.available_width().max(60.0), self.height.max(60.0));
        let sense = if self.handle.is_some() {
            Sense::click_and_drag()
        } else if !self.dots.is_empty() {
            Sense::click()
        } else {
            Sense::hover()
        };
        let (rect, mut response) = ui.allocate_exact_size(size, sense);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, self.words()));
        let font = TextStyle::Small.resolve(ui.style());
        let area = self.area(ui, rect, &font);
        if area.width() < 20.0 || area.height() < 20.0 {
            return Painted {
                response,
                dragged_to: None,
                pointed: None,
            };
        }
        let canvas = Canvas {
            painter: &ui.painter_at(rect),
            theme,
            font,
            area,
            x: Scale::new(&self.chart.x, area.left(), area.right()),
            y: Scale::new(&self.chart.y, area.bottom(), area.top()),
        };
        canvas.axes(self.chart);
        for series in &self.chart.series {
            canvas.band(series);
        }
        for series in self.before {
            canvas.line(series, true);
        }
        for series in &self.chart.series {
            canvas.line(series, false);
        }
        for whisker in self.whiskers {
            canvas.whisker(*whisker);
        }
        canvas.marks(&self.chart.marks);
        if !self.is_bare {
            canvas.names(&self.chart.series, &self.chart.marks, rect.right());
        }
        let pointed = canvas.dots(self.dots, response.hover_pos());
        let dragged_to = self.handled(ui, &canvas, &response);
        let pointer = response.hover_pos().filter(|at| area.contains(*at));
        if let Some(at) = pointer
            && self.dots.is_empty()
            && !response.dragged()
        {
            let x = canvas.x.value(at.x);
            let line = Stroke::new(1.0, theme.line);
            canvas.painter.vline(at.x, area.y_range(), line);
            response = response.on_hover_ui_at_pointer(|ui| self.hover(ui, x));
        }
        Painted {
            response,
            dragged_to,
            pointed,
        }
    }

    /// Where the lines are: what the names leave of the whole.
    fn area(&self, ui: &Ui, rect: Rect, font: &FontId) -> Rect {
        if self.is_bare {
            let [above, right, below] = BARE;
            return Rect::from_min_max(
                rect.min + Vec2::new(LEFT, above),
                rect.max - Vec2::new(right, below),
            );
        }
        let theme = Theme::of(ui);
        let across = self.chart.marks.iter();
        let across = across.filter(|mark| mark.across == Across::Y);
        let labels = self.chart.series.iter().map(|series| &series.name);
        let labels = labels.chain(across.map(|mark| &mark.label));
        let widths = labels.map(|label| {
            let galley = ui
                .painter()
                .layout_no_wrap(label.clone(), font.clone(), theme.text);
            galley.size().x
        });
        let right = widths
            .fold(0.0, f32::max)
            .min(RIGHT_MAX)
            .min(rect.width() * NAMES)
            + 16.0;
        Rect::from_min_max(
            rect.min + Vec2::new(LEFT, ABOVE),
            rect.max - Vec2::new(right, BELOW),
        )
    }

    /// What a screen reader says of it.
    fn words(&self) -> String {
        let names = self.chart.series.iter().map(|series| {
            let (_, y) = series.points.last().copied().unwrap_or_default();
            format!("{} up to {}", series.name, self.chart.y.measure.show(y))
        });
        let marks = self.chart.marks.iter().map(|mark| mark.label.clone());
        let all: Vec<String> = names.chain(marks).collect();
        format!("{}: {}", self.chart.title, all.join("; "))
    }

    fn handled(&self, ui: &Ui, canvas: &Canvas<'_>, response: &Response) -> Option<f64> {
        let (at, label) = self.handle?;
        let (x, area, theme) = (canvas.x.place(at), canvas.area, canvas.theme);
        let is_held = response.dragged() || response.hovered();
        let width = if is_held { 3.0 } else { 2.0 };
        let stroke = Stroke::new(width, theme.accent);
        canvas.painter.vline(x, area.y_range(), stroke);
        let grip = Pos2::new(x, area.bottom());
        canvas.painter.circle(grip, 6.0, theme.card, stroke);
        let is_right = x > area.center().x;
        let (anchor, shift) = if is_right {
            (Align2::RIGHT_TOP, -6.0)
        } else {
            (Align2::LEFT_TOP, 6.0)
        };
        // Other labels stand at the top.
        let place = Pos2::new(x + shift, area.bottom() - 20.0);
        canvas.text_on_card(place, anchor, label, theme.accent);
        if response.hovered() {
            ui.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
        }
        let is_asked = response.dragged() || response.clicked();
        let pointer = response.interact_pointer_pos().filter(|_| is_asked)?;
        let (low, high) = self.chart.x.range;
        Some(canvas.x.value(pointer.x).clamp(low, high))
    }

    fn hover(&self, ui: &mut Ui, x: f64) {
        let theme = Theme::of(ui);
        ui.strong(self.chart.x.measure.show(x));
        let show = |y: f64| self.chart.y.measure.show(y);
        egui::Grid::new("values").num_columns(2).show(ui, |ui| {
            for series in &self.chart.series {
                let Some(y) = between(&series.points, x) else {
                    continue;
                };
                ui.colored_label(theme.series(series.index), &series.name);
                let low = series.band.iter().map(|(x, low, _)| (*x, *low));
                let high = series.band.iter().map(|(x, _, high)| (*x, *high));
                let ends = [low.collect::<Vec<_>>(), high.collect()].map(|line| between(&line, x));
                let words = match ends {
                    [Some(low), Some(high)] => {
                        format!("{} ({} to {})", show(y), show(low), show(high))
                    }
                    _ => show(y),
                };
                ui.label(words);
                ui.end_row();
                let before = self.before.iter().find(|b| b.name == series.name);
                if let Some(y) = before.and_then(|before| between(&before.points, x)) {
                    ui.colored_label(theme.muted, "before");
                    ui.colored_label(theme.muted, show(y));
                    ui.end_row();
                }
            }
        });
    }
}

impl Canvas<'_> {
    pub(super) fn at(&self, (x, y): (f64, f64)) -> Pos2 {
        Pos2::new(self.x.place(x), self.y.place(y))
    }

    fn inside(&self) -> Painter {
        self.painter.with_clip_rect(self.area.expand(1.0))
    }

    fn axes(&self, chart: &ChartData) {
        let (area, theme) = (self.area, self.theme);
        let grid = Stroke::new(1.0, Theme::faded(theme.line, 0.7));
        for tick in ticks(&chart.y, (area.height() / 34.0) as usize) {
            let y = self.y.place(tick);
            self.painter.hline(area.x_range(), y, grid);
            let place = Pos2::new(area.left() - 6.0, y);
            self.text(
                place,
                Align2::RIGHT_CENTER,
                &chart.y.measure.show(tick),
                theme.muted,
            );
        }
        for tick in ticks(&chart.x, (area.width() / 62.0) as usize) {
            let x = self.x.place(tick);
            self.painter.vline(
                x,
                area.bottom()..=area.bottom() + 4.0,
                Stroke::new(1.0, theme.muted),
            );
            let place = Pos2::new(x, area.bottom() + 5.0);
            self.text(
                place,
                Align2::CENTER_TOP,
                &chart.x.measure.show(tick),
                theme.muted,
            );
        }
        let axis = Stroke::new(1.0, theme.muted);
        self.painter.hline(area.x_range(), area.bottom(), axis);
        let below = Pos2::new(area.center().x, area.bottom() + BELOW - 1.0);
        self.text(below, Align2::CENTER_BOTTOM, &chart.x.label, theme.muted);
        let above = Pos2::new(area.left() - LEFT + 4.0, area.top() - 5.0);
        self.text(above, Align2::LEFT_BOTTOM, &chart.y.label, theme.muted);
    }

    fn band(&self, series: &Series) {
        let color = Theme::faded(self.theme.series(series.index), 0.08);
        let mut mesh = Mesh::default();
        for (x, low, high) in &series.band {
            for y in [*low, *high] {
                // What has no end goes out at the top.
                let place = self
                    .at((*x, y))
                    .y
                    .clamp(self.area.top() - 4.0, self.area.bottom() + 4.0);
                mesh.colored_vertex(Pos2::new(self.x.place(*x), place), color);
            }
        }
        for i in 1..series.band.len() as u32 {
            let first = (i - 1) * 2;
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 2, first + 3);
        }
        self.inside().add(Shape::mesh(mesh));
    }

    fn line(&self, series: &Series, is_before: bool) {
        let points: Vec<Pos2> = series.points.iter().map(|p| self.at(*p)).collect();
        let color = self.theme.series(series.index);
        if is_before {
            let stroke = Stroke::new(1.5, Theme::faded(color, 0.75));
            self.inside()
                .extend(Shape::dashed_line(&points, stroke, 4.0, 4.0));
        } else if let [point] = points[..] {
            // A line of one point would not be seen.
            self.inside().circle_filled(point, 3.0, color);
        } else {
            self.inside()
                .add(Shape::line(points, Stroke::new(2.2, color)));
        }
    }

    /// Paints points; gives the one near the pointer.
    fn dots(&self, dots: &[Dot], pointer: Option<Pos2>) -> Option<usize> {
        for dot in dots {
            let color = Theme::faded(self.theme.series(dot.index), 0.85);
            sign(&self.inside(), dot.index, self.at(dot.at), 4.5, color);
        }
        let pointer = pointer?;
        let far = dots.iter().map(|dot| self.at(dot.at).distance(pointer));
        let nearest = far.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let (place, _) = nearest.filter(|(_, far)| *far < NEAR)?;
        let ring = Stroke::new(2.0, self.theme.text);
        let at = self.at(dots[place].at);
        self.painter.circle(at, 7.0, Color32::TRANSPARENT, ring);
        Some(place)
    }

    fn whisker(&self, Whisker { index, x, y }: Whisker) {
        let color = self.theme.series(index);
        let (low, middle, high) = y;
        let (bottom, top) = (self.at((x, low)), self.at((x, high)));
        let stroke = Stroke::new(1.5, color);
        let painter = self.inside();
        painter.line_segment([bottom, top], stroke);
        for end in [bottom, top] {
            painter.hline(end.x - 4.0..=end.x + 4.0, end.y, stroke);
        }
        painter.circle(
            self.at((x, middle)),
            4.0,
            self.theme.card,
            Stroke::new(2.0, color),
        );
    }

    pub(super) fn dashed(&self, ends: [Pos2; 2], color: Color32) {
        let stroke = Stroke::new(1.0, Theme::faded(color, 0.8));
        self.painter
            .extend(Shape::dashed_line(&ends, stroke, 5.0, 3.0));
    }

    pub(super) fn width(&self, text: &str) -> f32 {
        let galley =
            self.painter
                .layout_no_wrap(text.to_owned(), self.font.clone(), self.theme.text);
        galley.size().x
    }

    fn text(&self, at: Pos2, anchor: Align2, text: &str, color: Color32) {
        self.painter
            .text(at, anchor, text, self.font.clone(), color);
    }

    /// Text that covers the lines behind it.
    pub(super) fn text_on_card(&self, at: Pos2, anchor: Align2, text: &str, color: Color32) {
        let galley = self
            .painter
            .layout_no_wrap(text.to_owned(), self.font.clone(), color);
        let rect = anchor.anchor_size(at, galley.size());
        let ground = Theme::faded(self.theme.card, 0.7);
        self.painter
            .rect_filled(rect.expand2(Vec2::new(2.0, 0.0)), 3.0, ground);
        self.painter.galley(rect.min, galley, color);
    }
}
