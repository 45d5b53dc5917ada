//! Small things that several panels paint: cards, chips, bars, sections.

pub mod menu;
pub mod page;
mod pair_bar;
pub mod pen;
pub mod pictures;
pub mod plot;
pub mod range;
pub mod scroll;
mod table;
pub mod text;
pub mod tiles;
pub mod time_axis;

pub use pair_bar::pair_bar;
pub mod link_card;
pub mod pick;
pub mod prose;

use egui::{Align2, CornerRadius, FontId, Frame, Margin, RichText, Sense, Stroke, Ui, Vec2};

use super::theme::{self, Theme};
use crate::advisor::rules::Severity;

/// A card on the ground.
pub fn card<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let theme = Theme::of(ui);
    Frame::new()
        .fill(theme.card)
        .stroke(Stroke::new(1.0, theme.line))
        .corner_radius(CornerRadius::same(10))
        .inner_margin(Margin::same(16))
        .show(ui, add)
        .inner
}

/// A card as wide as there is room.
pub fn wide_card<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        add(ui)
    })
}

/// Room between two parts.
pub fn gap(ui: &mut Ui) {
    ui.add_space(theme::GAP);
}

/// The head of a panel: its title and what it is for.
pub fn head(ui: &mut Ui, title: &str, about: &str) {
    let theme = Theme::of(ui);
    ui.label(RichText::new(title).text_style(theme::title()));
    if !about.is_empty() {
        ui.label(RichText::new(about).color(theme.muted));
    }
    ui.add_space(theme::GAP);
}

/// The head of a part of a panel.
pub fn subhead(ui: &mut Ui, title: &str) {
    ui.label(RichText::new(title).text_style(theme::subtitle()));
}

/// Text that explains.
pub fn muted(ui: &mut Ui, text: &str) {
    let theme = Theme::of(ui);
    ui.add(egui::Label::new(RichText::new(text).small().color(theme.muted)).wrap());
}

/// What a chip says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Nothing in particular.
    Plain,
    /// The accent.
    Accent,
    /// Well.
    Good,
    /// Careful.
    Warning,
    /// Wrong.
    Bad,
}

impl From<crate::page::Tone> for Tone {
    fn from(tone: crate::page::Tone) -> Self {
        match tone {
            crate::page::Tone::Plain | crate::page::Tone::Heading => Self::Plain,
            crate::page::Tone::Good => Self::Good,
            crate::page::Tone::Warning => Self::Warning,
            crate::page::Tone::Bad => Self::Bad,
        }
    }
}

impl From<Severity> for Tone {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Critical => Self::Bad,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Accent,
        }
    }
}

impl Tone {
    /// Its colour in a look.
    pub fn color(self, theme: &Theme) -> egui::Color32 {
        match self {
            Self::Plain => theme.muted,
            Self::Accent => theme.accent,
            Self::Good => theme.good,
            Self::Warning => theme.warning,
            Self::Bad => theme.bad,
        }
    }
}

/// A word with a coloured ground.
pub fn chip(ui: &mut Ui, text: &str, tone: Tone) -> egui::Response {
    let theme = Theme::of(ui);
    let color = tone.color(theme);
    Frame::new()
        .fill(Theme::faded(color, 0.14))
        .corner_radius(CornerRadius::same(9))
        .inner_margin(Margin::symmetric(8, 2))
        .show(ui, |ui| ui.label(RichText::new(text).small().color(color)))
        .response
}

/// A bar from empty to full with its per cent, for something that is busy.
pub fn busy_bar(ui: &mut Ui, width: f32, utilization: f64) -> egui::Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 18.0), Sense::hover());
    let painter = ui.painter();
    painter.rect_filled(rect, CornerRadius::same(4), theme.idle());
    let mut full = rect;
    full.set_width(rect.width() * utilization.clamp(0.0, 1.0) as f32);
    painter.rect_filled(full, CornerRadius::same(4), theme.busy(utilization));
    let text = format!("{:.1} %", utilization * 100.0);
    let is_covered = utilization > 0.25;
    painter.text(
        if is_covered { full.right_center() - Vec2::new(6.0, 0.0) } else { full.right_center() + Vec2::new(6.0, 0.0) },
        if is_covered { Align2::RIGHT_CENTER } else { Align2::LEFT_CENTER },
        text,
        FontId::proportional(12.5),
        if is_covered { theme.on_busy(utilization) } else { theme.text },
    );
    response
}

/// A bar from nothing to all in the accent, with a text beside its end.
pub fn share_bar(ui: &mut Ui, width: f32, share: f64, text: &str) -> egui::Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 16.0), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, text));
    // Room is kept for the text beside the longest bar.
    let room = (rect.width() - 52.0).max(8.0);
    let mut ground = rect.shrink2(Vec2::new(0.0, 3.0));
    ground.set_width(room);
    let painter = ui.painter();
    painter.rect_filled(ground, CornerRadius::same(3), theme.accent_faint);
    let mut full = ground;
    full.set_width(room * share.clamp(0.0, 1.0) as f32);
    painter.rect_filled(full, CornerRadius::same(3), theme.accent);
    let at = egui::pos2(ground.right() + 6.0, rect.center().y);
    let font = egui::TextStyle::Small.resolve(ui.style());
    painter.text(at, Align2::LEFT_CENTER, text, font, theme.text);
    response
}

/// Text in one line, cut with an ellipsis where it is wider than there is room.
pub fn fitted(
    painter: &egui::Painter,
    text: &str,
    font: &FontId,
    color: egui::Color32,
    width: f32,
) -> std::sync::Arc<egui::Galley> {
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font.clone(), color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(10.0));
    painter.layout_job(job)
}
