//! The table of figures: published, predicted, the error between.

use egui::{Align, CornerRadius, Grid, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, Vec2};

use super::link;
use crate::desktop::command::Command;
use crate::desktop::panels::evidence::data::Data;
use crate::desktop::panels::evidence::figures::{FigureRow, Figures};
use crate::desktop::state::{EvidenceView, FigureOrder};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;

const ORDERS: [(FigureOrder, &str); 3] = [
    (FigureOrder::Error, "largest error first"),
    (FigureOrder::Datum, "by datum"),
    (FigureOrder::File, "as in the files"),
];

/// In which order.
pub(super) fn order(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, "Figures");
        for (order, title) in ORDERS {
            if ui
                .selectable_label(data.view.order == order, title)
                .clicked()
            {
                out.push(Command::Look(EvidenceView {
                    order,
                    ..data.view.clone()
                }));
            }
        }
    });
}

/// Rows of figures; the source's colour where `figures` knows its sources.
pub(super) fn show(ui: &mut Ui, figures: &Figures, rows: &[FigureRow], out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ScrollArea::horizontal().id_salt("figures").show(ui, |ui| {
        Grid::new("figures")
            .num_columns(5)
            .spacing([theme::WIDE_GAP, 5.0])
            .show(ui, |ui| {
                for head in ["figure", "published", "predicted", "error", ""] {
                    ui.label(RichText::new(head).small().color(theme.muted));
                }
                ui.end_row();
                for row in rows {
                    ui.horizontal(|ui| {
                        if !figures.sources.is_empty() {
                            let (dot, _) = ui.allocate_exact_size(Vec2::splat(8.0), Sense::hover());
                            ui.painter()
                                .circle_filled(dot.center(), 4.0, theme.series(row.source));
                        }
                        link(ui, &row.datum, out);
                        let name = row.id.strip_prefix(&row.datum).unwrap_or(&row.id).trim();
                        let text = RichText::new(name).color(theme.muted);
                        ui.scope(|ui| {
                            ui.set_max_width(240.0);
                            ui.add(Label::new(text).truncate()).on_hover_text(name);
                        });
                    });
                    ui.label(&row.published);
                    ui.label(&row.predicted);
                    error(ui, row);
                    let fit = if row.is_fitted { "" } else { "not fitted" };
                    widgets::muted(ui, fit);
                    ui.end_row();
                }
            });
    });
}

/// The error as a bar to the left or right of nothing.
fn error(ui: &mut Ui, row: &FigureRow) {
    /// An error that fills half of the bar.
    const FULL: f64 = 0.5;
    let theme = Theme::of(ui);
    let color = if row.is_right { theme.good } else { theme.bad };
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::new(120.0, 12.0), Sense::hover());
        let painter = ui.painter();
        let middle = rect.center().x;
        painter.vline(middle, rect.y_range(), egui::Stroke::new(1.0, theme.line));
        if row.error.is_finite() {
            let length = rect.width() / 2.0 * (row.error / FULL).clamp(-1.0, 1.0) as f32;
            let (from, until) = (middle.min(middle + length), middle.max(middle + length));
            let bar = Rect::from_x_y_ranges(from..=until, rect.y_range().shrink(2.0));
            painter.rect_filled(bar, CornerRadius::same(2), color);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.label(RichText::new(&row.shown).color(color));
        });
    });
}
