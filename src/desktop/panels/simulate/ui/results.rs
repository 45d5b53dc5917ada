//! Tables below the charts: waits for locks, and response times at the end.

use egui::Ui;

use crate::desktop::command::Command;
use crate::desktop::panels::drivers::{follow, follow_cell, hover_text};
use crate::desktop::panels::simulate::shown::{Response, Shown, clock};
use crate::desktop::theme;
use crate::desktop::widgets::table::{Cell, Column, Table};
use crate::desktop::widgets::{self, share_in};

pub(super) fn blame(ui: &mut Ui, shown: &Shown, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, "Lock waits");
        let about = if shown.is_scrubbed {
            format!("around {}", clock(shown.moment))
        } else {
            "of the whole run".to_owned()
        };
        widgets::muted(ui, &about);
    });
    if shown.blame.is_empty() {
        widgets::muted(ui, "No command waits for a lock.");
        return;
    }
    let columns = [
        Column::text("waiting", 1.6),
        Column::text("lock", 2.0),
        Column::text("held by", 1.6),
        Column::number("total wait", 1.0),
        Column::text("share of all waits", 2.0),
    ];
    let table = Table::new(ui, &columns);
    for row in &shown.blame {
        let about = row
            .drivers
            .each_ref()
            .map(|driver| hover_text("", driver.as_ref()));
        let names = [&row.victim, &row.lock, &row.culprit];
        let mut cells: Vec<Cell<'_>> = (names.iter().zip(&row.drivers).zip(&about))
            .map(|((name, driver), about)| Cell::new(name).hover(about).leads(driver.is_some()))
            .collect();
        cells.extend([Cell::new(&row.waited), Cell::room(20.0)]);
        let painted = table.row(ui, &cells);
        share_in(ui, painted.cells[4], row.share);
        let drivers = row.drivers.each_ref().map(Option::as_ref);
        follow_cell(&painted, 0, &drivers, out);
    }
}

pub(super) fn responses(ui: &mut Ui, shown: &Shown, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    widgets::subhead(ui, "Response times of the whole run");
    let mut columns = vec![Column::text("kind of work", 2.4)];
    columns.extend(shown.heads.map(|head| Column::number(head, 1.0)));
    let table = Table::new(ui, &columns);
    for Response { row, driver } in &shown.responses {
        let driver = driver.as_ref();
        let about = hover_text("", driver);
        let lead = |text| Cell::new(text).hover(&about).leads(driver.is_some());
        let cells: Vec<Cell<'_>> = [&row.work]
            .into_iter()
            .chain(&row.cells)
            .map(|text| lead(text))
            .collect();
        follow(&table.row(ui, &cells), driver, out);
    }
    ui.add_space(theme::GAP / 2.0);
    widgets::muted(
        ui,
        "± is chance alone, which more days make smaller; the last column is the factor within which the numbers \
         behind it and the model itself leave a time with a chance of 80 %, as the analytic solver has it at the peak.",
    );
    widgets::muted(ui, &shown.how);
}
