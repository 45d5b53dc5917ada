//! Sentences with commands in them: what stands between backticks is set in another type.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Label, TextStyle, Ui};

/// A sentence, ready for a label.
pub fn prose(ui: &Ui, text: &str, style: &TextStyle, color: Color32) -> LayoutJob {
    let font = style.resolve(ui.style());
    let code = FontId::monospace(font.size - 0.5);
    let mut job = LayoutJob::default();
    for (i, piece) in text.split('`').enumerate() {
        let font_id = if i % 2 == 1 { &code } else { &font };
        let format = TextFormat::simple(font_id.clone(), color);
        job.append(piece, 0.0, format);
    }
    job
}

/// Paints a sentence, wrapped.
pub fn says(ui: &mut Ui, text: &str, style: &TextStyle, color: Color32) {
    let job = prose(ui, text, style, color);
    ui.add(Label::new(job).wrap());
}
