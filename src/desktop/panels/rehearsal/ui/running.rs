//! Paints a rehearsal while it runs: how far it is, and its curves.

use egui::{Align, Layout, ProgressBar, RichText, TextStyle, Ui};

use super::super::charts::{Curve, MEASURED, PREDICTED, curves, rates};
use super::super::data::{Data, Running};
use crate::desktop::answer::Course;
use crate::desktop::command::Command;
use crate::desktop::panels::rehearsal::RehearsalCommand;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, gap, plot::Plot};

/// The least width of a small chart \[points\].
const LEAST: f32 = 300.0;
/// Heights of the charts \[points\].
const RATES: f32 = 120.0;
const SMALL: f32 = 104.0;

pub(super) fn show(ui: &mut Ui, data: &Data, running: &Running, out: &mut Vec<Command>) {
    let site = data.site.as_deref().unwrap_or_default();
    widgets::head(ui, "Rehearsal", site);
    widgets::wide_card(ui, |ui| {
        ui.horizontal(|ui| {
            widgets::subhead(ui, &running.doing);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let word = if running.is_stopping {
                    "Stopping…"
                } else {
                    "Stop rehearsal"
                };
                let stop = ui.add_enabled(!running.is_stopping, egui::Button::new(word));
                let about = "Ends it now and removes everything that it wrote (F9)";
                if stop.on_hover_text(about).clicked() {
                    out.push(Command::Rehearsal(RehearsalCommand::Stop));
                }
            });
        });
        if let Some(done) = running.done {
            ui.add(ProgressBar::new(done as f32).show_percentage());
        }
        let mut words = vec![running.left.clone()];
        if running.is_stopping {
            words = vec!["Everything that it wrote is being removed.".to_owned()];
        } else if let Some(course) = &data.course {
            words.push(format!("{} commands done", course.commands));
        }
        words.retain(|words| !words.is_empty());
        widgets::muted(ui, &words.join("; "));
    });
    gap(ui);
    if let Some(course) = &data.course {
        widgets::card(ui, |ui| charts(ui, course));
    }
}

/// Commands a second, and the mean response of each kind of work.
pub(super) fn charts(ui: &mut Ui, course: &Course) {
    ui.set_min_width(ui.available_width());
    labelled(ui, &rates(course), RATES);
    gap(ui);
    widgets::subhead(ui, "Mean response by kind of work");
    widgets::muted(
        ui,
        "Each point is the mean of the commands that ended since the point before; the dashed line is the mean that the model predicts.",
    );
    gap(ui);
    let all = curves(course);
    let spacing = 3.0 * theme::GAP;
    ui.spacing_mut().item_spacing.x = spacing;
    let fitting = ((ui.available_width() + spacing) / (LEAST + spacing)) as usize;
    let columns = fitting.clamp(1, 4);
    for row in all.chunks(columns) {
        ui.columns(columns, |columns| {
            for (column, curve) in columns.iter_mut().zip(row) {
                column.vertical(|ui| {
                    ui.spacing_mut().item_spacing.x = theme::GAP;
                    labelled(ui, curve, SMALL);
                });
            }
        });
    }
}

/// A chart with its figures over it.
fn labelled(ui: &mut Ui, curve: &Curve, high: f32) {
    let theme = Theme::of(ui);
    let height = ui.spacing().interact_size.y;
    let width = ui.available_width();
    let layout = Layout::right_to_left(Align::Center);
    ui.allocate_ui_with_layout(egui::vec2(width, height), layout, |ui| {
        let small = |text: &str, color| RichText::new(text).small().color(color);
        ui.label(small(&curve.predicted, theme.series(PREDICTED)));
        let measured = if curve.chart.is_some() {
            theme.series(MEASURED)
        } else {
            theme.muted
        };
        ui.label(small(&curve.latest, measured));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let name = RichText::new(&curve.name).family(theme::strong());
            let name = name.text_style(TextStyle::Small);
            ui.add(egui::Label::new(name).truncate());
        });
    });
    match &curve.chart {
        Some(chart) => {
            let plot = Plot::of(chart, high);
            Plot {
                is_bare: true,
                ..plot
            }
            .show(ui);
        }
        None => {
            ui.add_space(high);
        }
    }
}
