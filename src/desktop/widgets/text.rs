//! Text laid out for painters: wrapped at a width, with a last row that ends in "…" where it is cut.

use std::sync::Arc;

use egui::text::{CCursor, CCursorRange, LayoutJob};
use egui::text_edit::TextEditState;
use egui::{Color32, FontId, Galley, TextStyle, Ui};

use crate::desktop::theme;

/// How a text is painted.
#[derive(Debug, Clone)]
pub struct Ink {
    /// Family and size.
    pub font: FontId,
    /// Colour.
    pub color: Color32,
}

impl Ink {
    /// In one of the styles of the look.
    pub fn new(ui: &Ui, style: &TextStyle, color: Color32) -> Self {
        Self { font: style.resolve(ui.style()), color }
    }

    /// The same, strong.
    #[must_use]
    pub fn strong(mut self) -> Self {
        self.font.family = theme::strong();
        self
    }

    /// The same, so many times as large.
    #[must_use]
    pub fn scaled(mut self, scale: f32) -> Self {
        self.font.size *= scale;
        self
    }
}

/// Selects characters of a field, so that typing replaces them.
pub fn select(ui: &Ui, field: egui::Id, characters: std::ops::Range<usize>) {
    let mut state = TextEditState::load(ui.ctx(), field).unwrap_or_default();
    let ends = [characters.start, characters.end].map(CCursor::new);
    let range = CCursorRange::two(ends[0], ends[1]);
    state.cursor.set_char_range(Some(range));
    state.store(ui.ctx(), field);
}

/// Lays a text out: at most so many rows of a width; what is cut ends in "…".
pub fn laid_out(ui: &Ui, text: &str, ink: &Ink, width: f32, rows: usize) -> Arc<Galley> {
    // A number keeps its unit.
    let text = text.replace(" %", "\u{a0}%");
    let mut job = LayoutJob::simple(text, ink.font.clone(), ink.color, width.max(8.0));
    job.wrap.max_rows = rows.max(1);
    // A single row may break within a word: a long name is cut where the room ends.
    job.wrap.break_anywhere = rows <= 1;
    ui.painter().layout_job(job)
}
