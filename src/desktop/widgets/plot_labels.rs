//! Labels of a chart: of marks where there is room, of lines behind their ends.

use egui::{Align2, Color32, Pos2, Stroke};

use super::super::theme::Theme;
use super::fitted;
use super::plot::Canvas;
use crate::page::{Across, Mark, Series};

/// Between the baselines of labels that would lie on each other.
const LABEL_STEP: f32 = 15.0;

impl Canvas<'_> {
    pub(super) fn marks(&self, marks: &[Mark]) {
        let (area, theme) = (self.area, self.theme);
        // Labels of vertical lines take the first row that is free; those of horizontal ones stand at the right edge.
        let mut rows: Vec<f32> = Vec::new();
        let mut vertical: Vec<&Mark> = marks.iter().filter(|m| m.across == Across::X).collect();
        vertical.sort_by(|a, b| a.at.total_cmp(&b.at));
        for mark in vertical {
            let x = self.x.place(mark.at);
            if x < area.left() || x > area.right() + 0.5 {
                continue;
            }
            let color = if mark.limit { theme.bad } else { theme.muted };
            self.dashed(
                [Pos2::new(x, area.top()), Pos2::new(x, area.bottom())],
                color,
            );
            let width = self.width(&mark.label);
            let (from, anchor) = if x + width + 6.0 > area.right() {
                (x - width - 6.0, Align2::RIGHT_TOP)
            } else {
                (x + 4.0, Align2::LEFT_TOP)
            };
            let free = rows.iter().position(|end| *end < from);
            let row = free.unwrap_or(rows.len());
            if row == rows.len() {
                rows.push(0.0);
            }
            rows[row] = from + width + 6.0;
            let shift = if anchor == Align2::LEFT_TOP {
                4.0
            } else {
                -4.0
            };
            let place = Pos2::new(x + shift, area.top() + 2.0 + row as f32 * LABEL_STEP);
            self.text_on_card(place, anchor, &mark.label, color);
        }
        for mark in marks.iter().filter(|m| m.across == Across::Y) {
            let y = self.y.place(mark.at);
            if (area.top()..=area.bottom()).contains(&y) {
                let ends = [Pos2::new(area.left(), y), Pos2::new(area.right(), y)];
                self.dashed(ends, self.color_of(mark));
            }
        }
    }

    fn color_of(&self, mark: &Mark) -> Color32 {
        mark.series
            .map_or(self.theme.bad, |index| self.theme.series(index))
    }

    /// The names of lines and of marks across behind their ends, spread so that none lies on another.
    pub(super) fn names(&self, series: &[Series], marks: &[Mark], right: f32) {
        let area = self.area;
        let lines = series.iter().filter_map(|series| {
            let end = self.at(*series.points.last()?);
            let end = Pos2::new(
                end.x.min(area.right()),
                end.y.clamp(area.top(), area.bottom()),
            );
            Some((end, &series.name, self.theme.series(series.index)))
        });
        let across = marks.iter().filter(|mark| mark.across == Across::Y);
        let across = across.filter_map(|mark| {
            let y = self.y.place(mark.at);
            let is_inside = (area.top()..=area.bottom()).contains(&y);
            is_inside.then(|| (Pos2::new(area.right(), y), &mark.label, self.color_of(mark)))
        });
        let mut ends: Vec<(f32, Pos2, &String, Color32)> = lines
            .chain(across)
            .map(|(end, name, color)| (end.y, end, name, color))
            .collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        for i in 1..ends.len() {
            ends[i].0 = ends[i].0.max(ends[i - 1].0 + LABEL_STEP);
        }
        let over = ends
            .last()
            .map_or(0.0, |last| last.0 - self.area.bottom())
            .max(0.0);
        let mut limit = f32::INFINITY;
        for end in ends.iter_mut().rev() {
            if over > 0.0 {
                end.0 = end.0.min(limit).min(self.area.bottom());
                limit = end.0 - LABEL_STEP;
            }
        }
        let left = self.area.right() + 10.0;
        for (y, end, name, color) in ends {
            let thread = Stroke::new(1.0, Theme::faded(color, 0.5));
            self.painter
                .line_segment([end, Pos2::new(left - 2.0, y)], thread);
            let galley = fitted(self.painter, name, &self.font, color, right - left);
            let top = Pos2::new(left, y - galley.size().y / 2.0);
            self.painter.galley(top, galley, color);
        }
    }
}
