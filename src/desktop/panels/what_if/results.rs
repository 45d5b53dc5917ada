//! Paints what a change does.

use egui::{Label, RichText, Ui};

use super::data::Data;
use super::outcome::{Chart, Outcome};
use crate::desktop::command::Command;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::page::{self, ORIGIN};
use crate::desktop::widgets::{self, plot::Plot};
use crate::page::{Beside, ChartData, Table};

/// Height of the chart of the main office, at least and at most, and of those of the others \[points\].
const CHART: (f32, f32) = (226.0, 400.0);
const SMALL_CHART: f32 = 190.0;
/// Share of the height that there is which the first chart takes.
const CHART_SHARE: f32 = 0.4;
/// From this width on bars stand beside the response times \[points\].
const WIDE: f32 = 980.0;

pub(super) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    if let Some(problem) = &data.problem {
        widgets::card(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(RichText::new("This cannot be built").color(theme.bad).strong());
            ui.label(problem);
        });
        ui.add_space(theme::GAP);
        return;
    }
    let Some(outcome) = &data.outcome else {
        widgets::muted(ui, "Computing…");
        return;
    };
    let [first, others @ ..] = &outcome.charts[..] else {
        times(ui, outcome, out);
        return;
    };
    widgets::card(ui, |ui| {
        verdict(ui, outcome);
        let height = (ui.clip_rect().height() * CHART_SHARE).clamp(CHART.0, CHART.1);
        chart(ui, first, height);
    });
    ui.add_space(theme::GAP);
    let is_wide = ui.available_width() >= WIDE;
    if is_wide {
        ui.columns_const(|[left, right]| {
            left.vertical(|ui| times(ui, outcome, out));
            right.vertical(|ui| bars(ui, outcome, out));
        });
    } else {
        times(ui, outcome, out);
    }
    ui.add_space(theme::GAP);
    for other in others {
        widgets::card(ui, |ui| chart(ui, other, SMALL_CHART));
        ui.add_space(theme::GAP);
    }
    if !is_wide {
        bars(ui, outcome, out);
    }
}

fn bars(ui: &mut Ui, outcome: &Outcome, out: &mut Vec<Command>) {
    busy(ui, outcome, out);
    ui.add_space(theme::GAP);
    locks(ui, outcome, out);
}

/// Whether it runs at all, and how far it carries.
fn verdict(ui: &mut Ui, outcome: &Outcome) {
    let theme = Theme::of(ui);
    if let Some(short) = &outcome.short {
        let text = RichText::new("Memory is missing at the peak").color(theme.bad);
        ui.label(text.strong());
        ui.label(short);
    }
    if let Some(saturated) = &outcome.saturated {
        let text = RichText::new("Overloaded").color(theme.bad);
        ui.label(text.strong());
        ui.label(saturated);
    }
    if !outcome.carries.is_empty() {
        let text = RichText::new(&outcome.carries).strong();
        ui.add(Label::new(text).wrap());
    }
}

fn chart(ui: &mut Ui, chart: &Chart, height: f32) {
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, &chart.data.title);
        if !chart.before.is_empty() {
            widgets::muted(ui, "dashed: before");
        }
        if !chart.whiskers.is_empty() {
            widgets::muted(ui, "○ simulated, 95 %");
        }
    });
    let held = held(ui, &chart.data);
    let beside = Beside { before: &chart.before, whiskers: &chart.whiskers };
    let plot = Plot { beside, ..Plot::of(&held, height) };
    plot.show(ui);
}

/// The chart with the axes that it had when the pointer took hold of a control: as long as that is held they stay, or
/// grow.
fn held(ui: &Ui, chart: &ChartData) -> ChartData {
    let id = ui.unique_id().with(("axes", &chart.title));
    let is_held = ui.input(|i| i.pointer.any_down());
    let own = (chart.x.range, chart.y.range);
    let before: Option<((f64, f64), (f64, f64))> = ui.data(|data| data.get_temp(id));
    let around = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
    let ranges = match before {
        Some((x, y)) if is_held => (around(x, own.0), around(y, own.1)),
        _ => own,
    };
    ui.data_mut(|data| data.insert_temp(id, ranges));
    let mut held = chart.clone();
    (held.x.range, held.y.range) = ranges;
    held
}

fn times(ui: &mut Ui, outcome: &Outcome, out: &mut Vec<Command>) {
    widgets::wide_card(ui, |ui| {
        table(ui, &outcome.times, out);
        if !outcome.simulation.is_empty() {
            widgets::muted(ui, &outcome.simulation);
        }
    });
}

fn busy(ui: &mut Ui, outcome: &Outcome, out: &mut Vec<Command>) {
    widgets::wide_card(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            widgets::subhead(ui, "How busy");
            widgets::muted(ui, "the notch marks the value before");
        });
        table(ui, &outcome.busy, out);
    });
}

fn locks(ui: &mut Ui, outcome: &Outcome, out: &mut Vec<Command>) {
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, "Mean waits at table locks");
        if outcome.locks.is_empty() {
            widgets::muted(ui, "No command waits for a table lock.");
        } else {
            table(ui, &outcome.locks, out);
        }
    });
}

/// A table whose figures lead to what they depend on.
fn table(ui: &mut Ui, table: &Table, out: &mut Vec<Command>) {
    let clicked = page::table(ui, table, Some(ORIGIN));
    out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
}
