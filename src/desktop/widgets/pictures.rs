//! Bars, the diagram and the load line of the report, as large as there is room.

use egui::{Sense, Ui, Vec2};

use super::pen::EguiPen;
use crate::page::{self, BarsData, Diagram, LoadLine};

/// A diagram grows no larger than this, and where a window is narrow no smaller: its right end is then cut off.
const SCALE: (f64, f64) = (0.3, 1.3);

/// Paints a diagram over the available width, no higher than `height_max`; a low one is as wide as there is room.
pub fn diagram(ui: &mut Ui, diagram: &Diagram, height_max: f32) {
    let (width, height) = (diagram.width.max(1.0), diagram.height.max(1.0));
    let wide = (f64::from(ui.available_width()) / width).clamp(SCALE.0, SCALE.1);
    let high = wide.min(f64::from(height_max) / height).max(SCALE.0);
    let (boxes, lines) = (diagram.nodes.len(), diagram.links.len());
    let words = format!("The layout, drawn: {boxes} boxes and {lines} lines");
    let size = Vec2::new((width * wide) as f32, (height * high) as f32);
    let mut pen = EguiPen::new(ui, size, Sense::hover(), &words);
    page::diagram(&mut pen, diagram, (wide, high));
    pen.finish();
}

/// Paints the load line over the available width.
pub fn load_line(ui: &mut Ui, line: &LoadLine) {
    let (width, text) = (ui.available_width().max(80.0), EguiPen::small(ui));
    let size = Vec2::new(width, LoadLine::height(text) as f32);
    let mut pen = EguiPen::new(ui, size, Sense::hover(), &line.words());
    line.draw(&mut pen, width.into(), text);
    pen.finish();
}

/// Paints bars over the available width. `leads` says what a click on one that can be explained is for; the id of that one.
pub fn bars(ui: &mut Ui, data: &BarsData, is_busy: bool, leads: Option<&str>) -> Option<String> {
    let (width, text) = (ui.available_width().max(80.0), EguiPen::small(ui));
    let size = Vec2::new(width, page::bars_height(data, text) as f32);
    let mut pen = EguiPen::new(ui, size, Sense::hover(), &data.title).leading(leads);
    page::bars(&mut pen, data, is_busy, width.into(), text);
    pen.finish().1
}
