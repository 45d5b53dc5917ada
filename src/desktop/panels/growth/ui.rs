//! Paints the years ahead.

use egui::{Align, DragValue, Label, Layout, RichText, Ui, Vec2};

use super::data::Data;
use crate::desktop::command::{Command, Edit};
use crate::desktop::panels::what_if::Scale;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::page::{self, ORIGIN};
use crate::desktop::widgets::tiles::tiles;
use crate::desktop::widgets::{self, plot::Plot};
use crate::page::ChartData;

/// Height of a chart, at least and at most; two and their heads share the height that there is \[points\].
const CHART: (f32, f32) = (216.0, 400.0);
const CHART_HEADS: f32 = 150.0;
/// A row of charts needs so much each \[points\].
const CHART_MIN: f32 = 360.0;

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    head(ui, data, out);
    if let Some(waiting) = &data.waiting {
        ui.label(waiting);
        return;
    }
    let clicked = tiles(ui, &data.figures, ORIGIN);
    out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
    ui.add_space(theme::GAP);
    let [load, times, stores] = &data.charts[..] else {
        return;
    };
    let room = ui.clip_rect().bottom() - ui.cursor().top() - CHART_HEADS;
    let height = (room / 2.0).clamp(CHART.0, CHART.1);
    if ui.available_width() > 2.0 * CHART_MIN {
        ui.columns(2, |columns| {
            let [left, right] = columns else { return };
            chart(left, data, times, height, out);
            left.add_space(theme::GAP);
            chart(left, data, stores, height, out);
            chart(right, data, load, height, out);
            right.add_space(theme::GAP);
            limits(right, data, out);
        });
    } else {
        for one in [times, load, stores] {
            chart(ui, data, one, height, out);
            ui.add_space(theme::GAP);
        }
        limits(ui, data, out);
    }
}

fn head(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Growth").text_style(theme::title()));
        if data.is_changed {
            widgets::chip(ui, "with the changes of What if", widgets::Tone::Accent);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if data.horizon > 0.0 && data.horizon != data.bought_for {
                let reset = ui.button("Reset");
                if reset.on_hover_text("Back to the horizon of the site.").clicked() {
                    out.push(Command::edit(Edit::Horizon(None)));
                }
                let about = "Write this horizon into the site's answers; sizes follow.";
                if ui.button("Use as horizon").on_hover_text(about).clicked() {
                    out.push(Command::answer("horizon.time", &format!("{} years", data.horizon)));
                    out.push(Command::edit(Edit::Horizon(None)));
                }
            }
            let mut horizon = data.horizon;
            let typed = DragValue::new(&mut horizon)
                .speed(0.1)
                .range(0.0..=20.0)
                .custom_formatter(|years, _| Scale::Years.show(years))
                .custom_parser(|typed| Scale::Years.read(typed))
                .update_while_editing(false);
            let typed = ui.add_sized(Vec2::new(110.0, 26.0), typed);
            let label = ui.label("Horizon");
            let typed = typed.labelled_by(label.id);
            if typed.changed() {
                out.push(horizon_at(horizon, typed.dragged()));
            }
            typed.on_hover_text("Drag, type years, or drag the line in a chart.");
        });
    });
    let words = format!("Growth: {}. Equipment is bought for {} years.", data.growth, data.bought_for);
    if data.bought_for > 0.0 {
        ui.add(Label::new(RichText::new(words).color(theme.muted)).truncate());
    }
    ui.add_space(theme::GAP);
}

/// Looks so far ahead; what is dragged goes by tenths of a year.
fn horizon_at(years: f64, is_dragged: bool) -> Command {
    let years = if is_dragged { Scale::Years.snap(years) } else { years };
    Command::drag("horizon", Edit::Horizon(Some(years)))
}

fn chart(ui: &mut Ui, data: &Data, chart: &ChartData, height: f32, out: &mut Vec<Command>) {
    widgets::card(ui, |ui| {
        widgets::subhead(ui, &chart.title);
        let label = Scale::Years.show(data.horizon);
        let is_inside = data.horizon <= chart.x.range.1;
        let plot = Plot { handle: is_inside.then_some((data.horizon, label.as_str())), ..Plot::of(chart, height) };
        // A pointer that is held still asks for nothing.
        let dragged = plot.show(ui).dragged_to.map(|years| Scale::Years.snap(years));
        if let Some(years) = dragged.filter(|years| *years != data.horizon) {
            out.push(horizon_at(years, true));
        }
    });
}

fn limits(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, "Limits");
        let clicked = page::table(ui, &data.limits, Some(ORIGIN));
        out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
        ui.add_space(theme::GAP);
        widgets::muted(
            ui,
            "Years count from today; bands are the ranges of assumed growth. Response times are those of equipment as it is bought today.",
        );
    });
}
