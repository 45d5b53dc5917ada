//! Paints what a change does.

use egui::{Label, RichText, Sense, Ui};

use super::data::Data;
use super::outcome::{Chart, Outcome, Row, Trend};
use crate::advisor::Driver;
use crate::desktop::command::Command;
use crate::desktop::panels::drivers::{follow, hover_text};
use crate::desktop::panels::judged;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::table::{Cell, Column, Table};
use crate::desktop::widgets::{self, Tone, plot::Plot};
use crate::page::{self, ChartData};

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
            ui.label(
                RichText::new("This cannot be built")
                    .color(theme.bad)
                    .strong(),
            );
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
        times(ui, data, outcome, out);
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
            left.vertical(|ui| times(ui, data, outcome, out));
            right.vertical(|ui| bars(ui, outcome, out));
        });
    } else {
        times(ui, data, outcome, out);
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

/// A text that leads to what it depends on.
fn lead(ui: &mut Ui, label: Label, about: &str, driver: Option<&Driver>, out: &mut Vec<Command>) {
    let response = widgets::lead(ui, label, driver.is_some(), &hover_text(about, driver));
    if let Some(driver) = driver.filter(|_| response.clicked()) {
        out.push(Command::Explain(driver.id.clone()));
    }
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
    } else {
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
    let beside = page::Beside {
        before: &chart.before,
        whiskers: &chart.whiskers,
        ..page::Beside::default()
    };
    let plot = Plot {
        beside,
        ..Plot::of(&held, height)
    };
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

/// What the table of response times shows beside the present ones.
struct Beside {
    /// Those of before: something was changed.
    before: bool,
}

fn times(ui: &mut Ui, data: &Data, outcome: &Outcome, out: &mut Vec<Command>) {
    widgets::card(ui, |ui| {
        ui.set_width(ui.available_width());
        let beside = Beside {
            before: !data.changes.is_empty(),
        };
        let mut columns = vec![Column::text("kind of work, p95", 1.5)];
        if beside.before {
            columns.extend([
                Column::text("before", 0.85),
                Column::text("changed", 1.5),
                Column::text("", 1.1),
            ]);
        } else {
            columns.push(Column::text("response time", 1.5));
        }
        columns.push(Column::text("target", 1.4));
        let table = Table::new(ui, &columns);
        for row in &outcome.rows {
            time(ui, &table, row, &beside, out);
        }
        if !outcome.simulation.is_empty() {
            widgets::muted(ui, &outcome.simulation);
        }
    });
}

/// One kind of work.
fn time(ui: &mut Ui, table: &Table<'_>, row: &Row, beside: &Beside, out: &mut Vec<Command>) {
    let driver = row.driver.as_ref();
    let interval = match row.interval.as_str() {
        "" => String::new(),
        interval => format!("80 % interval: {interval}."),
    };
    let about = hover_text(&interval, driver);
    let lead = |text| Cell::new(text).hover(&about).leads(driver.is_some());
    let mut cells = vec![lead(&row.name)];
    if beside.before {
        cells.push(Cell::new(&row.before).tone(Tone::Plain));
    }
    cells.push(lead(&row.after).below(&row.simulated).strong());
    if beside.before {
        cells.push(Cell::new(&row.factor).tone(match row.trend {
            Trend::Better => Tone::Good,
            Trend::Same => Tone::Plain,
            Trend::Worse => Tone::Warning,
        }));
    }
    let (target, tone) = judged(row.target.as_ref());
    cells.push(Cell::new(&target).tone(tone));
    follow(&table.row(ui, &cells), driver, out);
}

fn busy(ui: &mut Ui, outcome: &Outcome, out: &mut Vec<Command>) {
    widgets::card(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            widgets::subhead(ui, "How busy");
            widgets::muted(ui, "the notch marks the value before");
        });
        let name_width = (ui.available_width() * 0.42).min(300.0);
        for busy in &outcome.busy {
            ui.horizontal(|ui| {
                let size = egui::Vec2::new(name_width, 18.0);
                let layout = egui::Layout::left_to_right(egui::Align::Center);
                ui.allocate_ui_with_layout(size, layout, |ui| {
                    ui.set_min_width(name_width);
                    let label = Label::new(&busy.name).truncate();
                    lead(ui, label, "", busy.driver.as_ref(), out);
                });
                let width = ui.available_width();
                let bar = widgets::pair_bar(ui, width, &busy.name, busy.before, busy.after);
                if let Some(driver) = &busy.driver {
                    // The name beside it has the focus.
                    let bar = bar.interact(Sense::CLICK);
                    let bar = bar.on_hover_text(hover_text("", Some(driver)));
                    if bar.clicked() {
                        out.push(Command::Explain(driver.id.clone()));
                    }
                }
            });
        }
    });
}

fn locks(ui: &mut Ui, outcome: &Outcome, out: &mut Vec<Command>) {
    widgets::card(ui, |ui| {
        ui.set_width(ui.available_width());
        widgets::subhead(ui, "Mean waits at table locks");
        if outcome.locks.is_empty() {
            widgets::muted(ui, "No command waits for a table lock.");
            return;
        }
        let columns = [
            Column::text("table", 2.2),
            Column::number("writers before", 1.0),
            Column::number("writers", 1.0),
            Column::number("readers", 1.0),
        ];
        let table = Table::new(ui, &columns);
        for lock in &outcome.locks {
            let driver = lock.driver.as_ref();
            let about = hover_text("", driver);
            let figure = |text| Cell::new(text).hover(&about).leads(driver.is_some());
            let after = match lock.trend {
                Trend::Better => figure(&lock.after).tone(Tone::Good),
                Trend::Same => figure(&lock.after),
                Trend::Worse => figure(&lock.after).tone(Tone::Warning),
            };
            let cells = [
                figure(&lock.name),
                Cell::new(&lock.before).tone(Tone::Plain),
                after.strong(),
                figure(&lock.readers),
            ];
            follow(&table.row(ui, &cells), driver, out);
        }
    });
}
