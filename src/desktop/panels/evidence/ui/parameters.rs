//! What the data made of the parameters: before and after, as factors on one logarithmic scale.

use egui::{Align2, CornerRadius, FontId, Label, Rangef, Rect, RichText, Sense, Stroke, Ui, Vec2};

use super::link;
use crate::desktop::command::Command;
use crate::desktop::panels::evidence::data::Parameter;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;

/// The scale goes from this factor's inverse to it.
const WIDEST: f64 = 8.0;

pub(super) fn show(ui: &mut Ui, parameters: &[Parameter], out: &mut Vec<Command>) {
    widgets::wide_card(ui, |ui| {
        widgets::muted(
            ui,
            "Each is a factor on numbers of the model. Thin: what was known before any datum; thick: what the data \
             left of it, both with a chance of 80 %; the dot is where the model stands.",
        );
        ui.add_space(theme::GAP);
        for parameter in parameters {
            row(ui, parameter, out);
            ui.separator();
        }
    });
}

fn row(ui: &mut Ui, parameter: &Parameter, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        link(ui, &parameter.id, out);
        ui.add(Label::new(RichText::new(&parameter.title)).wrap());
    });
    scale(ui, parameter);
    ui.horizontal_wrapped(|ui| {
        ui.label(&parameter.posterior);
        let before = format!("before {}, {}", parameter.prior, parameter.narrower);
        let text = RichText::new(before).small().color(theme.muted);
        ui.add(Label::new(text).wrap())
            .on_hover_text(&parameter.why);
    });
    if !parameter.moved_by.is_empty() {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new("moved by").small().color(theme.muted));
            for datum in &parameter.moved_by {
                link(ui, datum, out);
            }
        });
    }
}

fn scale(ui: &mut Ui, parameter: &Parameter) {
    let theme = Theme::of(ui);
    let size = Vec2::new(ui.available_width().min(680.0), 26.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let plot = rect.shrink2(Vec2::new(24.0, 0.0));
    let x = |factor: f64| {
        let share = 0.5 + 0.5 * factor.ln() / WIDEST.ln();
        plot.left() + plot.width() * share.clamp(0.0, 1.0) as f32
    };
    let painter = ui.painter();
    let middle = rect.top() + 8.0;
    for factor in [1.0 / 4.0, 1.0 / 2.0, 1.0, 2.0, 4.0] {
        let stroke = Stroke::new(1.0, theme.line);
        painter.vline(
            x(factor),
            Rangef::new(rect.top(), rect.top() + 16.0),
            stroke,
        );
        let text = match factor {
            f if f < 1.0 => format!("÷ {}", 1.0 / f),
            f if f > 1.0 => format!("× {f}"),
            _ => "1".to_owned(),
        };
        let at = egui::Pos2::new(x(factor), rect.bottom() + 3.0);
        painter.text(
            at,
            Align2::CENTER_BOTTOM,
            text,
            FontId::proportional(10.5),
            theme.muted,
        );
    }
    let moved = parameter.moved;
    let span = |low: f64, high: f64, half: f32| {
        Rect::from_x_y_ranges(x(low)..=x(high), middle - half..=middle + half)
    };
    let before = span(moved.prior_low, moved.prior_high, 1.5);
    painter.rect_filled(before, CornerRadius::same(1), theme.muted);
    let after = span(moved.low, moved.high, 4.0);
    painter.rect_filled(
        after,
        CornerRadius::same(3),
        Theme::faded(theme.accent, 0.7),
    );
    painter.circle_filled(egui::Pos2::new(x(moved.mean), middle), 5.0, theme.accent);
    response.on_hover_text(format!(
        "{}\nscales {}",
        parameter.why,
        parameter.scales.join(", ")
    ));
}
