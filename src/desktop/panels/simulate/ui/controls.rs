//! Controls: the scenario, its events, run, pause and stop.

use egui::{Button, ComboBox, DragValue, Label, ProgressBar, RichText, Ui};

use crate::desktop::command::{Command, Edit};
use crate::desktop::engine::Engine;
use crate::desktop::injected::{Injected, Trouble};
use crate::desktop::panels::simulate::SimulateCommand;
use crate::desktop::panels::simulate::data::{Data, Status};
use crate::desktop::panels::simulate::shown::clock;
use crate::desktop::state::Day;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, Tone};

pub(super) fn show(ui: &mut Ui, data: &Data, engine: &Engine, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    ui.horizontal_wrapped(|ui| {
        scenario(ui, data, engine, out);
        seed(ui, data, out);
        ui.add_space(theme::GAP);
        run(ui, data, out);
    });
    ui.add(Label::new(RichText::new(format!("Runs: {}", data.subject))).truncate());
    widgets::muted(ui, &data.summary);
    ui.add_space(theme::GAP / 2.0);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(format!("Add an event at {}", clock(f64::from(data.next_minute) * 60.0))))
            .on_hover_text("The chosen moment below, or the peak.");
        for trouble in Trouble::ALL {
            let button = Button::new(trouble.title());
            let response = ui.add_enabled(data.minutes > 0, button);
            if response.on_hover_text(trouble.about()).clicked() {
                let mut day = data.day.clone();
                day.injected.push(Injected::usual(trouble, data.next_minute));
                out.push(Command::edit(Edit::Day(day)));
            }
        }
    });
    for index in 0..data.day.injected.len() {
        injected(ui, data, index, out);
    }
    status(ui, data);
}

fn scenario(ui: &mut Ui, data: &Data, engine: &Engine, out: &mut Vec<Command>) {
    let scenarios = &engine.catalog.scenarios;
    let label = ui.label("Scenario");
    let chosen = scenarios.get(&data.day.scenario);
    let title = chosen.map_or(data.day.scenario.as_str(), |s| s.entry.title.as_str());
    ComboBox::from_id_salt("scenario")
        .width(270.0)
        .selected_text(title)
        .show_ui(ui, |ui| {
            for choice in scenarios.values().map(|scenario| &scenario.entry) {
                let is_chosen = choice.id == data.day.scenario;
                let entry = ui.selectable_label(is_chosen, &choice.title);
                widgets::menu::entry(ui, &entry, is_chosen);
                if entry.on_hover_text(&choice.summary).clicked() {
                    ui.close();
                    let day = Day { scenario: choice.id.clone(), ..data.day.clone() };
                    out.push(Command::edit(Edit::Day(day)));
                }
            }
        })
        .response
        .labelled_by(label.id);
}

fn seed(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let label = ui.label("Seed");
    let mut seed = data.day.seed;
    let response = ui.add(DragValue::new(&mut seed).range(0..=u64::from(u32::MAX)));
    let response = response.labelled_by(label.id);
    response.on_hover_text("The same seed gives the same random numbers, and so the same run.");
    if seed != data.day.seed {
        let day = Day { seed, ..data.day.clone() };
        out.push(Command::drag("seed", Edit::Day(day)));
    }
}

fn run(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let runs = matches!(data.status, Status::Running | Status::Paused);
    let text = if runs { "Run again" } else { "Run" };
    let button = Button::new(RichText::new(text).color(theme.on_accent)).fill(theme.accent);
    let help = "Simulate the scenario from its beginning (F5).";
    if ui.add(button).on_hover_text(help).clicked() {
        out.push(Command::Simulate(SimulateCommand::Run));
    }
    let text = if data.status == Status::Paused { "Resume" } else { "Pause" };
    let pause = ui.add_enabled(runs, Button::new(text));
    if pause.on_hover_text("Pause or resume (F6).").clicked() {
        out.push(Command::Simulate(SimulateCommand::Pause));
    }
    let stop = ui.add_enabled(runs, Button::new("Stop"));
    if stop.on_hover_text("End the run now; its results so far stay (F7).").clicked() {
        out.push(Command::Simulate(SimulateCommand::Stop));
    }
}

/// One event: when, what, how much.
fn injected(ui: &mut Ui, data: &Data, index: usize, out: &mut Vec<Command>) {
    let Injected { mut minute, trouble, mut amount } = data.day.injected[index];
    ui.horizontal_wrapped(|ui| {
        widgets::chip(ui, trouble.title(), Tone::Accent).on_hover_text(trouble.about());
        let label = ui.label("at");
        let latest = data.minutes.saturating_sub(1);
        let time = DragValue::new(&mut minute)
            .range(0..=latest)
            .custom_formatter(|minutes, _| clock(minutes * 60.0))
            .custom_parser(minutes_of);
        let time = ui.add(time).labelled_by(label.id);
        time.on_hover_text("When: drag, or type a time such as 14:30.");
        let label = ui.label("with");
        let size = DragValue::new(&mut amount)
            .range(1..=trouble.most())
            .speed(f64::from(trouble.usual()) / 100.0)
            .suffix(format!(" {}", trouble.unit()));
        let size = ui.add(size).labelled_by(label.id);
        size.on_hover_text("How much: drag, or type.");
        let remove = ui.button("Remove").on_hover_text("Remove this event.");
        if remove.clicked() {
            let mut day = data.day.clone();
            day.injected.remove(index);
            out.push(Command::edit(Edit::Day(day)));
        }
    });
    let now = Injected { minute, trouble, amount };
    if now != data.day.injected[index] {
        let mut day = data.day.clone();
        day.injected[index] = now;
        let gesture = format!("injected {index}");
        out.push(Command::drag(gesture, Edit::Day(day)));
    }
}

/// Minutes of "14:30", or of "870".
fn minutes_of(typed: &str) -> Option<f64> {
    match typed.trim().split_once(':') {
        Some((hours, minutes)) => {
            let hours: u32 = hours.trim().parse().ok()?;
            let minutes: u32 = minutes.trim().parse().ok().filter(|m| *m < 60)?;
            Some(f64::from(hours.min(10_000) * 60 + minutes))
        }
        None => typed.trim().parse().ok(),
    }
}

fn status(ui: &mut Ui, data: &Data) {
    let theme = Theme::of(ui);
    if let Some(problem) = &data.problem {
        let text = RichText::new(problem).color(theme.bad);
        ui.add(Label::new(text).wrap());
    }
    if data.status == Status::Idle {
        return;
    }
    ui.add_space(theme::GAP / 2.0);
    let bar = ProgressBar::new(data.progress).desired_height(6.0);
    ui.add(bar.fill(theme.accent).corner_radius(3));
    ui.horizontal_wrapped(|ui| {
        let words = if data.words.is_empty() { "starting" } else { &data.words };
        widgets::muted(ui, words);
        if let Some(stale) = data.stale {
            widgets::chip(ui, stale, Tone::Warning);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::minutes_of;

    #[test]
    fn times_are_read_as_typed() {
        assert_eq!(minutes_of("14:30"), Some(870.0));
        assert_eq!(minutes_of(" 9:05 "), Some(545.0));
        assert_eq!(minutes_of("90"), Some(90.0));
        assert_eq!(minutes_of("9:75"), None);
        assert_eq!(minutes_of("nine"), None);
    }
}
