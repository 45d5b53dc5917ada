//! Paints what happens at the peak.

use egui::{Ui, Vec2};

use super::data::Data;
use crate::desktop::command::Command;
use crate::desktop::panels::drivers::{follow, hover_text};
use crate::desktop::widgets;
use crate::desktop::widgets::range::{LogAxis, range_bar};
use crate::desktop::widgets::table::{Cell, Column, Table, within};

/// Response times with their intervals against their targets.
pub(super) fn responses(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    widgets::card(ui, |ui| {
        widgets::subhead(ui, "Response times at the peak");
        widgets::muted(
            ui,
            "95 of 100 are within the time that the dot marks; the band holds 80 %, the upright line is the \
             target.",
        );
        let columns = [
            Column::text("Kind of work", 1.7),
            Column::number("p95 (80 % interval)", 1.5),
            Column::text("", 3.4),
            Column::text("Target", 1.1),
            Column::number("Mean", 0.8),
            Column::number("Rate", 1.1),
            Column::text("Where the time goes", 2.0),
        ];
        let ends = data.responses.iter().flat_map(|r| {
            let range = r.range;
            [
                Some(range.value),
                Some(range.low),
                Some(range.high),
                range.target,
            ]
        });
        let axis = LogAxis::around(ends.flatten());
        let table = Table::new(ui, &columns);
        if let Some(head) = table.head_cell(2) {
            axis.ticks(ui, head);
        }
        for response in &data.responses {
            let driver = response.driver.as_ref();
            let about = hover_text(&response.hover, driver);
            let row = table.row(
                ui,
                &[
                    Cell::new(&response.name)
                        .strong()
                        .hover(&about)
                        .leads(driver.is_some()),
                    Cell::new(&response.p95)
                        .below(&response.interval)
                        .hover(&about)
                        .leads(driver.is_some()),
                    Cell::room(22.0),
                    Cell::new(&response.target).tone(response.tone),
                    Cell::new(&response.mean),
                    Cell::new(&response.rate),
                    Cell::new(&response.parts).hover(&response.hover),
                ],
            );
            range_bar(ui, row.cells[2], axis, &response.range, response.tone);
            follow(&row, driver, out);
        }
    });
}

/// The busiest resources as bars.
pub(super) fn resources(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    widgets::card(ui, |ui| {
        widgets::subhead(ui, "Busiest resources");
        let columns = [
            Column::text("Resource", 2.4),
            Column::text("Kind", 1.2),
            Column::text("Busy at the peak", 1.8),
        ];
        let table = Table::new(ui, &columns);
        for resource in &data.resources {
            let driver = resource.driver.as_ref();
            let about = hover_text("", driver);
            let row = table.row(
                ui,
                &[
                    Cell::new(&resource.name)
                        .hover(&about)
                        .leads(driver.is_some()),
                    Cell::new(&resource.kind),
                    Cell::room(20.0),
                ],
            );
            bar(ui, row.cells[2], resource.utilization, &resource.name);
            follow(&row, driver, out);
        }
    });
}

fn bar(ui: &mut Ui, cell: egui::Rect, utilization: f64, name: &str) {
    within(ui, cell, |ui| {
        let width = ui.available_width().max(30.0);
        let response = widgets::busy_bar(ui, width, utilization);
        let words = format!("{name}: {:.1} % busy", utilization * 100.0);
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, &words));
        response.on_hover_text(words);
    });
}

/// The busiest locks.
pub(super) fn locks(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    widgets::card(ui, |ui| {
        widgets::subhead(ui, "Table locks");
        if data.locks.is_empty() {
            ui.set_min_size(Vec2::new(ui.available_width(), 0.0));
            widgets::muted(
                ui,
                "No table lock is in use for more than 0.1 % of the time.",
            );
            return;
        }
        let columns = [
            Column::text("Lock", 2.2),
            Column::text("Used", 1.5),
            Column::number("Held for", 0.9),
            Column::number("Writers wait", 0.9),
            Column::number("Readers wait", 0.9),
        ];
        let table = Table::new(ui, &columns);
        for lock in &data.locks {
            let driver = lock.driver.as_ref();
            let about = hover_text("", driver);
            let row = table.row(
                ui,
                &[
                    Cell::new(&lock.name).hover(&about).leads(driver.is_some()),
                    Cell::room(20.0),
                    Cell::new(&lock.hold),
                    Cell::new(&lock.writers),
                    Cell::new(&lock.readers),
                ],
            );
            bar(ui, row.cells[1], lock.utilization, &lock.name);
            follow(&row, driver, out);
        }
    });
}
