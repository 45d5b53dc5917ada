//! Charts of lines in the window: what the report draws, with a handle and the numbers under the pointer.
//!
//! Knows how a chart is used. Must not know what it shows.

use egui::{Align2, CursorIcon, Pos2, Sense, Stroke, TextStyle, Ui, Vec2};

use super::super::theme::Theme;
use super::pen::EguiPen;
use super::text::{Ink, laid_out};
use crate::page::{Beside, ChartData, Frame, Plotted, between, chart};

/// A chart with what can be done with it.
#[derive(Debug)]
pub struct Plot<'a> {
    /// The chart.
    pub chart: &'a ChartData,
    /// What lies beside its lines.
    pub beside: Beside<'a>,
    /// A line that can be dragged along the x axis, and its label.
    pub handle: Option<(f64, &'a str)>,
    /// Height of all \[points\].
    pub height: f32,
}

/// What came of painting a chart.
pub struct Painted {
    /// The whole.
    pub response: egui::Response,
    /// Where along the x axis the handle is dragged to.
    pub dragged_to: Option<f64>,
}

impl<'a> Plot<'a> {
    /// A chart of this height with nothing beside its lines.
    pub fn of(chart: &'a ChartData, height: f32) -> Self {
        Self { chart, beside: Beside::default(), handle: None, height }
    }

    /// Paints it as wide as there is room.
    pub fn show(&self, ui: &mut Ui) -> Painted {
        let size = Vec2::new(ui.available_width().max(60.0), self.height.max(60.0));
        let sense = match self.handle {
            Some(_) => Sense::click_and_drag(),
            None => Sense::hover(),
        };
        let text = EguiPen::small(ui);
        let mut pen = EguiPen::new(ui, size, sense, &self.words());
        let frame = Frame { width: size.x.into(), height: size.y.into(), text };
        let plotted = chart(&mut pen, self.chart, &self.beside, frame);
        let area = pen.place(plotted.area);
        let pointer = pen.response().hover_pos();
        let (mut response, _) = pen.finish();
        let dragged_to = self.handled(ui, &plotted, area, &response);
        let read = pointer.filter(|at| area.contains(*at) && !response.dragged());
        if let Some(at) = read {
            ui.painter().vline(at.x, area.y_range(), Stroke::new(1.0, Theme::of(ui).line));
            let x = plotted.x.value(f64::from(at.x - response.rect.left()));
            response = response.on_hover_ui_at_pointer(|ui| self.values(ui, x));
        }
        Painted { response, dragged_to }
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

    /// The line that is dragged, and where to.
    fn handled(&self, ui: &Ui, plotted: &Plotted, area: egui::Rect, response: &egui::Response) -> Option<f64> {
        let (at, label) = self.handle?;
        let (theme, left) = (Theme::of(ui), response.rect.left());
        let x = left + plotted.x.place(at) as f32;
        let width = if response.dragged() || response.hovered() { 3.0 } else { 2.0 };
        let stroke = Stroke::new(width, theme.accent);
        ui.painter().vline(x, area.y_range(), stroke);
        ui.painter().circle(Pos2::new(x, area.bottom()), 6.0, theme.card, stroke);
        let is_right = x > area.center().x;
        let (anchor, shift) = if is_right { (Align2::RIGHT_TOP, -8.0) } else { (Align2::LEFT_TOP, 8.0) };
        let ink = Ink::new(ui, &TextStyle::Small, theme.accent);
        let label = laid_out(ui, label, &ink, area.width(), 1);
        let place = anchor.anchor_size(Pos2::new(x + shift, area.bottom() - 20.0), label.size());
        let ground = Theme::faded(theme.card, 0.7);
        ui.painter().rect_filled(place.expand2(Vec2::new(2.0, 0.0)), 3.0, ground);
        ui.painter().galley(place.min, label, theme.accent);
        if response.hovered() {
            ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
        }
        let is_asked = response.dragged() || response.clicked();
        let pointer = response.interact_pointer_pos().filter(|_| is_asked)?;
        Some(plotted.x.value(f64::from(pointer.x - left)))
    }

    /// The values of all lines at an x.
    fn values(&self, ui: &mut Ui, x: f64) {
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
                ui.label(match ends {
                    [Some(low), Some(high)] => {
                        format!("{} ({} to {})", show(y), show(low), show(high))
                    }
                    _ => show(y),
                });
                ui.end_row();
                let before = self.beside.before.iter().find(|b| b.name == series.name);
                if let Some(y) = before.and_then(|before| between(&before.points, x)) {
                    ui.colored_label(theme.muted, "before");
                    ui.colored_label(theme.muted, show(y));
                    ui.end_row();
                }
            }
        });
    }
}
