//! Tables below the charts: waits for locks, and response times at the end.

use egui::Ui;

use crate::desktop::command::Command;
use crate::desktop::panels::simulate::shown::{Shown, clock};
use crate::desktop::theme;
use crate::desktop::widgets;
use crate::desktop::widgets::page::{self, ORIGIN};

pub(super) fn blame(ui: &mut Ui, shown: &Shown, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, "Lock waits");
        let about =
            if shown.is_scrubbed { format!("around {}", clock(shown.moment)) } else { "of the whole run".to_owned() };
        widgets::muted(ui, &about);
    });
    if shown.blame.is_empty() {
        widgets::muted(ui, "No command waits for a lock.");
        return;
    }
    let clicked = page::table(ui, &shown.blame, Some(ORIGIN));
    out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
}

pub(super) fn responses(ui: &mut Ui, shown: &Shown, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    widgets::subhead(ui, "Response times of the whole run");
    let clicked = page::table(ui, &shown.responses, Some(ORIGIN));
    out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
    ui.add_space(theme::GAP / 2.0);
    widgets::muted(
        ui,
        "± is chance alone, which more days make smaller; the last column is the factor within which the numbers \
         behind it and the model itself leave a time with a chance of 80 %, as the analytic solver has it at the peak.",
    );
    widgets::muted(ui, &shown.how);
}
