//! Labels of a chart: of marks where there is room, of lines behind their ends.

use egui::{Align2, Pos2, Rect, Stroke, Vec2};

use super::super::theme::Theme;
use super::fitted;
use super::plot::Canvas;
use crate::report::{Across, Mark, Series};

/// Between the baselines of labels that would lie on each other.
const LABEL_STEP: f32 = 15.0;

impl Canvas<'_> {
    pub(super) fn marks(&self, marks: &[Mark]) {
        let (area, theme) = (self.area, self.theme);
        // Labels of vertical lines take the first row that is free; those of horizontal ones stand one behind another.
        let mut rows: Vec<f32> = Vec::new();
        let mut taken: Vec<Rect> = Vec::new();
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
            let size = Vec2::new(width, LABEL_STEP);
            taken.push(anchor.anchor_size(place, size));
            self.text_on_card(place, anchor, &mark.label, color);
        }
        for mark in marks.iter().filter(|m| m.across == Across::Y) {
            let y = self.y.place(mark.at);
            if y < area.top() || y > area.bottom() {
                continue;
            }
            let color = mark.series.map_or(theme.bad, |index| theme.series(index));
            self.dashed(
                [Pos2::new(area.left(), y), Pos2::new(area.right(), y)],
                color,
            );
            let size = Vec2::new(self.width(&mark.label), LABEL_STEP);
            let free_from = |top: f32| {
                let mut place = Rect::from_min_size(Pos2::new(area.left() + 5.0, top), size);
                while let Some(other) = taken.iter().find(|other| other.intersects(place)) {
                    place = place.translate(Vec2::new(other.right() - place.left() + 10.0, 0.0));
                }
                place
            };
            // Above its line, or below it where others leave no room.
            let above = free_from((y - LABEL_STEP).max(area.top()));
            let place = if above.right() > area.right() {
                free_from(y + 1.0)
            } else {
                above
            };
            taken.push(place);
            self.text_on_card(place.left_top(), Align2::LEFT_TOP, &mark.label, color);
        }
    }

    /// The names of the lines behind their ends, spread so that none lies on another.
    pub(super) fn names(&self, series: &[Series], right: f32) {
        let mut ends: Vec<(f32, Pos2, &Series)> = series
            .iter()
            .filter_map(|series| {
                let end = self.at(*series.points.last()?);
                let y = end.y.clamp(self.area.top(), self.area.bottom());
                Some((y, Pos2::new(end.x.min(self.area.right()), y), series))
            })
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
        for (y, end, series) in ends {
            let color = self.theme.series(series.index);
            let thread = Stroke::new(1.0, Theme::faded(color, 0.5));
            self.painter
                .line_segment([end, Pos2::new(left - 2.0, y)], thread);
            let galley = fitted(self.painter, &series.name, &self.font, color, right - left);
            let top = Pos2::new(left, y - galley.size().y / 2.0);
            self.painter.galley(top, galley, color);
        }
    }
}
