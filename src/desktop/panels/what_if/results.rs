//! Paints what a change does.

use egui::{Grid, RichText, Ui};

use super::data::Data;
use super::outcome::{Outcome, Row, Trend};
use crate::desktop::command::Command;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, plot::Plot};

/// Height of the chart of the main office, and of those of the others \[points\].
const CHART: f32 = 250.0;
const SMALL_CHART: f32 = 190.0;

pub(super) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    if let Some(problem) = &data.problem {
        widgets::card(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(
                RichText::new("This cannot be had")
                    .color(theme.bad)
                    .strong(),
            );
            ui.label(problem);
        });
        ui.add_space(theme::GAP);
        return;
    }
    let Some(outcome) = &data.outcome else {
        widgets::muted(ui, "The answer is being worked out.");
        return;
    };
    times(ui, outcome, out);
    ui.add_space(theme::GAP);
    for (i, chart) in outcome.charts.iter().enumerate() {
        widgets::card(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                widgets::subhead(ui, &chart.data.title);
                if !chart.before.is_empty() {
                    widgets::muted(ui, "dashed: before");
                }
                if !chart.whiskers.is_empty() {
                    widgets::muted(ui, "○ simulated, 95 %");
                }
            });
            let plot = Plot {
                chart: &chart.data,
                before: &chart.before,
                whiskers: &chart.whiskers,
                handle: None,
                height: if i == 0 { CHART } else { SMALL_CHART },
            };
            plot.show(ui);
        });
        ui.add_space(theme::GAP);
    }
    busy(ui, outcome);
    ui.add_space(theme::GAP);
    locks(ui, outcome);
}

fn times(ui: &mut Ui, outcome: &Outcome, _out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    widgets::card(ui, |ui| {
        ui.set_width(ui.available_width());
        if let Some(saturated) = &outcome.saturated {
            ui.label(
                RichText::new("There is no steady state")
                    .color(theme.bad)
                    .strong(),
            );
            ui.label(saturated);
            ui.add_space(theme::GAP);
        } else {
            ui.add(egui::Label::new(RichText::new(&outcome.carries).strong()).wrap());
        }
        let is_simulated = outcome.rows.iter().any(|row| !row.simulated.is_empty());
        let wide = ui.available_width() > 560.0;
        Grid::new("times")
            .num_columns(7)
            .striped(false)
            .spacing([14.0, 4.0])
            .show(ui, |ui| {
                for title in ["kind of work", "before", "with the change", "", "target"] {
                    ui.label(RichText::new(title).small().color(theme.muted));
                }
                if is_simulated && wide {
                    ui.label(RichText::new("simulated").small().color(theme.muted));
                }
                ui.end_row();
                for row in &outcome.rows {
                    self::row(ui, row, is_simulated && wide);
                }
            });
        if !outcome.simulation.is_empty() {
            widgets::muted(ui, &outcome.simulation);
        }
    });
}

fn row(ui: &mut Ui, row: &Row, is_simulated: bool) {
    let theme = Theme::of(ui);
    ui.add(egui::Label::new(&row.name).truncate());
    ui.label(RichText::new(&row.before).color(theme.muted));
    let after = ui.label(RichText::new(&row.after).strong());
    if !row.interval.is_empty() {
        after.on_hover_text(format!("80 % interval: {}", row.interval));
    }
    let color = match row.trend {
        Trend::Better => theme.good,
        Trend::Same => theme.muted,
        Trend::Worse => theme.warning,
    };
    ui.label(RichText::new(&row.factor).color(color));
    match &row.target {
        None => ui.label(RichText::new("–").color(theme.muted)),
        Some((target, true)) => ui.label(RichText::new(format!("✗ {target}")).color(theme.bad)),
        Some((target, false)) => ui.label(RichText::new(format!("✓ {target}")).color(theme.good)),
    };
    if is_simulated {
        let text = RichText::new(&row.simulated).color(theme.muted);
        ui.label(text)
            .on_hover_text("95 % interval, of chance alone");
    }
    ui.end_row();
}

fn busy(ui: &mut Ui, outcome: &Outcome) {
    widgets::card(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            widgets::subhead(ui, "How busy");
            widgets::muted(ui, "the notch is where it was");
        });
        let name_width = (ui.available_width() * 0.42).min(300.0);
        for busy in &outcome.busy {
            ui.horizontal(|ui| {
                let size = egui::Vec2::new(name_width, 18.0);
                let layout = egui::Layout::left_to_right(egui::Align::Center);
                ui.allocate_ui_with_layout(size, layout, |ui| {
                    ui.set_min_width(name_width);
                    ui.add(egui::Label::new(&busy.name).truncate());
                });
                let width = ui.available_width();
                widgets::pair_bar(ui, width, &busy.name, busy.before, busy.after);
            });
        }
    });
}

fn locks(ui: &mut Ui, outcome: &Outcome) {
    let theme = Theme::of(ui);
    widgets::card(ui, |ui| {
        ui.set_width(ui.available_width());
        widgets::subhead(ui, "Mean waits at table locks");
        if outcome.locks.is_empty() {
            widgets::muted(ui, "Nobody waits.");
            return;
        }
        Grid::new("locks")
            .num_columns(4)
            .spacing([18.0, 4.0])
            .show(ui, |ui| {
                for title in ["table", "writers before", "writers", "readers"] {
                    ui.label(RichText::new(title).small().color(theme.muted));
                }
                ui.end_row();
                for lock in &outcome.locks {
                    ui.add(egui::Label::new(&lock.name).truncate());
                    ui.label(RichText::new(&lock.before).color(theme.muted));
                    let color = match lock.trend {
                        Trend::Better => theme.good,
                        Trend::Same => theme.text,
                        Trend::Worse => theme.warning,
                    };
                    ui.label(RichText::new(&lock.after).color(color).strong());
                    ui.label(&lock.readers);
                    ui.end_row();
                }
            });
    });
}
