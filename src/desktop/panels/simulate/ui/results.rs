//! Tables below the charts: who waits for whom, and response times at the end.

use egui::{CornerRadius, Grid, Label, Rect, RichText, ScrollArea, Sense, Ui, Vec2};

use crate::desktop::panels::simulate::shown::{Shown, clock};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;
use crate::desktop::widgets::table::{Cell, Column, Table};

pub(super) fn blame(ui: &mut Ui, shown: &Shown) {
    ui.set_min_width(ui.available_width());
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, "Who waits for whom");
        let about = if shown.is_scrubbed {
            format!("for locks, around {}", clock(shown.moment))
        } else {
            "for locks, from the beginning".to_owned()
        };
        widgets::muted(ui, &about);
    });
    if shown.blame.is_empty() {
        widgets::muted(ui, "Nobody waits for a lock.");
        return;
    }
    ScrollArea::horizontal().id_salt("blame").show(ui, |ui| {
        Grid::new("blame")
            .num_columns(5)
            .spacing([theme::WIDE_GAP, 6.0])
            .show(ui, |ui| {
                for head in [
                    "who waits",
                    "for",
                    "held by",
                    "waited, all together",
                    "of all waiting",
                ] {
                    muted_line(ui, head);
                }
                ui.end_row();
                for row in &shown.blame {
                    for cell in [&row.victim, &row.lock, &row.culprit] {
                        cell_of(ui, cell);
                    }
                    ui.label(&row.waited);
                    share(ui, row.share);
                    ui.end_row();
                }
            });
    });
}

/// A cell that is cut where it is too long, and shows all on hover.
fn cell_of(ui: &mut Ui, text: &str) {
    ui.scope(|ui| {
        ui.set_max_width(260.0);
        ui.add(Label::new(text).truncate()).on_hover_text(text);
    });
}

fn share(ui: &mut Ui, share: f32) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::new(120.0, 10.0), Sense::hover());
        ui.painter()
            .rect_filled(rect, CornerRadius::same(3), Theme::faded(theme.line, 0.5));
        let full = Rect::from_min_size(
            rect.min,
            Vec2::new(rect.width() * share.clamp(0.0, 1.0), 10.0),
        );
        ui.painter()
            .rect_filled(full, CornerRadius::same(3), theme.series(1));
        ui.label(format!("{:.1} %", share * 100.0));
    });
}

pub(super) fn responses(ui: &mut Ui, shown: &Shown) {
    ui.set_min_width(ui.available_width());
    widgets::subhead(ui, "Response times of the whole run");
    let mut columns = vec![Column::text("kind of work", 2.4)];
    columns.extend(shown.heads.map(|head| Column::number(head, 1.0)));
    let table = Table::new(ui, &columns);
    for row in &shown.responses {
        let mut cells = vec![Cell::new(&row.work)];
        cells.extend(row.cells.iter().map(|cell| Cell::new(cell)));
        table.row(ui, &cells);
    }
    widgets::muted(
        ui,
        "± is chance alone, which more days make smaller; the last column is the factor within which the numbers \
         behind it and the model itself leave a time with a chance of 80 %, as the analytic solver has it at the peak.",
    );
    widgets::muted(ui, &shown.how);
}

/// Text that explains, on one line.
fn muted_line(ui: &mut Ui, text: &str) {
    let theme = Theme::of(ui);
    ui.label(RichText::new(text).small().color(theme.muted));
}
