//! Words that are picked by a click: rounded, side by side, filled where they are picked.

use egui::accesskit::Role;
use egui::{Button, CornerRadius, Response, RichText, Stroke, Ui, WidgetInfo};

use super::Tone;
use crate::desktop::theme::Theme;

/// How a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// It is not picked.
    No,
    /// It is picked.
    Yes,
    /// It counts as picked until another is.
    Faint,
    /// It is picked and should not be.
    Bad,
}

/// Paints a word; `name` is what a screen reader reads.
pub fn pick(ui: &mut Ui, word: &str, pick: Pick, name: &str) -> Response {
    let theme = Theme::of(ui);
    let (text, fill, line) = match pick {
        Pick::No => (theme.text, theme.field, theme.line),
        Pick::Yes => (theme.accent, theme.accent_faint, theme.accent),
        Pick::Faint => (theme.muted, Theme::faded(theme.accent_faint, 0.5), Theme::faded(theme.accent, 0.45)),
        Pick::Bad => (theme.bad, Theme::faded(theme.bad, 0.12), theme.bad),
    };
    let is_picked = matches!(pick, Pick::Yes | Pick::Bad);
    let button = Button::new(RichText::new(word).color(text))
        .fill(fill)
        .stroke(Stroke::new(1.0, line))
        .corner_radius(CornerRadius::same(13));
    let response = ui.add(button);
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_picked, name));
    response
}

/// A small word with a coloured ground that can be clicked.
pub fn chip_button(ui: &mut Ui, word: &str, tone: Tone, name: &str) -> Response {
    let theme = Theme::of(ui);
    let color = tone.color(theme);
    let usual = ui.spacing().button_padding;
    ui.spacing_mut().button_padding = egui::vec2(8.0, 2.0);
    let button = Button::new(RichText::new(word).small().color(color))
        .min_size(ui.spacing().interact_size * egui::vec2(0.0, 1.0))
        .fill(Theme::faded(color, 0.14))
        .stroke(Stroke::NONE)
        .corner_radius(CornerRadius::same(9));
    let response = ui.add(button);
    ui.spacing_mut().button_padding = usual;
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    response
}
