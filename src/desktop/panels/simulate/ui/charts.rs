//! Rows over one time axis: commands in the system, utilisation, lock holds.

use egui::{
    Align2, Color32, CornerRadius, FontId, Mesh, Pos2, Rangef, Rect, Response, RichText, Role, Sense, Shape, Stroke,
    Ui, Vec2, WidgetInfo,
};

use crate::desktop::answer::simulated::Hold;
use crate::desktop::command::Command;
use crate::desktop::panels::simulate::SimulateCommand;
use crate::desktop::panels::simulate::shown::{LockRow, Mark, Row, Shown, clock};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;
use crate::desktop::widgets::time_axis::{Held, TimeAxis as Axis, ground, has_arrows, holds, legend};
use crate::units::Seconds;

/// Room for names on the left, at least and at most, and for numbers on the right.
const LEFT: (f32, f32) = (190.0, 290.0);
const RIGHT: f32 = 230.0;
const ROW: f32 = 26.0;
const LOCK_ROW: f32 = 46.0;
const SMALL: f32 = 12.5;
/// Holds as short as this are hardly seen \[s\].
const SHORTEST: f64 = 1e-3;

/// The shortest part of the axis that is shown \[s\].
const SHORTEST_PART: f64 = 120.0;

pub(super) fn show(ui: &mut Ui, shown: &Shown, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    moment(ui, shown, out);
    axis(ui, shown, out);
    part(ui, "In the system", "commands between request and response");
    for row in &shown.present {
        chart(ui, shown, row, false, out);
    }
    part(ui, "How busy", "full height is 100 %");
    for row in &shown.busy {
        chart(ui, shown, row, true, out);
    }
    if !shown.locks.is_empty() {
        ui.add_space(theme::GAP / 2.0);
        let words = ["held by a writer", "held by readers"];
        let longest = Seconds::new(f64::from(shown.longest_hold)).to_string();
        legend(ui, "Locks", words, &longest);
        for row in &shown.locks {
            lock(ui, shown, row, out);
        }
    }
}

/// The chosen moment, and the ways back to the latest or worst one and to the whole axis.
fn moment(ui: &mut Ui, shown: &Shown, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(clock(shown.moment)).text_style(theme::subtitle()));
        let word = if shown.result.is_empty() { "Latest" } else { "Worst moment" };
        if ui.add_enabled(shown.is_scrubbed, egui::Button::new(word)).clicked() {
            out.push(Command::Simulate(SimulateCommand::Scrub(None)));
        }
        let is_zoomed = shown.window != (0.0, shown.until);
        if ui.add_enabled(is_zoomed, egui::Button::new("Whole axis")).clicked() {
            out.push(Command::Simulate(SimulateCommand::Zoom(None)));
        }
        widgets::muted(
            ui,
            "Drag to choose a moment, Ctrl+wheel zooms; on the right: at the moment, and the most of the run.",
        );
    });
}

fn part(ui: &mut Ui, title: &str, about: &str) {
    ui.add_space(theme::GAP / 2.0);
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, title);
        widgets::muted(ui, about);
    });
}

/// A row as wide as there is room; pointing at it chooses a moment.
fn row(ui: &mut Ui, shown: &Shown, height: f32, name: &str, out: &mut Vec<Command>) -> (Rect, Axis, Response) {
    let size = Vec2::new(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let axis = axis_of(rect, shown);
    scrub(ui, shown, axis, &response, out);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    (rect, axis, response)
}

fn axis_of(rect: Rect, shown: &Shown) -> Axis {
    let right = RIGHT.min(rect.width() * 0.28);
    Axis::of_row(rect, LEFT, right, shown.window)
}

/// Chooses the moment under the pointer; zooms around it with Ctrl and the wheel, or with two fingers.
fn scrub(ui: &Ui, shown: &Shown, axis: Axis, response: &Response, out: &mut Vec<Command>) {
    if (response.clicked() || response.dragged())
        && let Some(at) = response.interact_pointer_pos()
    {
        let moment = axis.time(at.x).min(shown.time);
        out.push(Command::Simulate(SimulateCommand::Scrub(Some(moment))));
    }
    let by = ui.input(egui::InputState::zoom_delta);
    if let Some(at) = response.hover_pos().filter(|_| by != 1.0) {
        let part = axis.zoomed(by, at.x, shown.until, SHORTEST_PART);
        out.push(Command::Simulate(SimulateCommand::Zoom(part)));
    }
}

/// Name on the left, number at the moment and the most of the run on the right.
fn words(ui: &Ui, rect: Rect, axis: Axis, name: &str, value: &str, most: &str) {
    let theme = Theme::of(ui);
    let room = axis.x.min - rect.left() - 10.0;
    text_within(ui, rect.left_center(), Align2::LEFT_CENTER, name, room, theme.text);
    let room = rect.right() - axis.x.max - 8.0;
    let at = Pos2::new(axis.x.max + 8.0, rect.center().y);
    let words = if most.is_empty() { value.to_owned() } else { format!("{value}, max {most}") };
    text_within(ui, at, Align2::LEFT_CENTER, &words, room, theme.text);
}

/// Text of one line, cut where there is no more room.
fn text_within(ui: &Ui, at: Pos2, align: Align2, text: &str, room: f32, color: Color32) {
    let font = FontId::proportional(SMALL + 1.0);
    let galley = widgets::fitted(ui.painter(), &text.replace('\n', " "), &font, color, room);
    let rect = align.anchor_size(at, galley.size());
    ui.painter().galley(rect.min, galley, color);
}

fn chart(ui: &mut Ui, shown: &Shown, data: &Row, is_busy: bool, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let (rect, axis, response) = row(ui, shown, ROW, &data.name, out);
    words(ui, rect, axis, &data.name, &data.value, &data.most);
    let plot = Rect::from_x_y_ranges(axis.x, rect.y_range().shrink(2.0));
    backed(ui, shown, axis, plot);
    let color = |share: f32| {
        if is_busy { theme.busy(f64::from(share)) } else { Theme::faded(theme.accent, 0.75) }
    };
    bins(ui, shown, axis, plot, &data.bins, data.top, color);
    cursor(ui, shown, axis, plot);
    response.on_hover_text(&data.about);
}

fn lock(ui: &mut Ui, shown: &Shown, data: &LockRow, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let (rect, axis, response) = row(ui, shown, LOCK_ROW, &data.name, out);
    words(ui, rect, axis, &data.name, &data.value, &data.most);
    let plot = Rect::from_x_y_ranges(axis.x, rect.y_range().shrink(2.0));
    backed(ui, shown, axis, plot);
    let band = |from: f32, to: f32| {
        let y = plot.y_range();
        Rangef::new(y.min + y.span() * from, y.min + y.span() * to)
    };
    let reads = Theme::faded(theme.series(0), 0.7);
    for (y, bars, color) in [(band(0.0, 0.44), &data.writes, theme.series(1)), (band(0.48, 0.70), &data.reads, reads)] {
        let bars = bars.iter().map(|hold| Held {
            drawn: (hold.from, hold.from + f64::from(hold.length)),
            seconds: f64::from(hold.length),
            color,
        });
        let longest = f64::from(shown.longest_hold);
        holds(ui, axis, y, bars, (SHORTEST, longest));
    }
    let waiting = Rect::from_x_y_ranges(axis.x, band(0.75, 1.0));
    bins(ui, shown, axis, waiting, &data.waiting, data.top, |_| theme.muted);
    cursor(ui, shown, axis, plot);
    let near = response.hover_pos().and_then(|at| {
        let reach = 4.0 * (axis.until - axis.from) / f64::from(axis.x.span().max(1.0));
        near(&data.writes, axis.time(at.x), reach)
    });
    let about = match near {
        Some(hold) => format!("{}\n{}", data.about, hold_in_words(hold, shown)),
        None => data.about.clone(),
    };
    response.on_hover_text(about);
}

/// The longest hold within reach of a time.
fn near(holds: &[Hold], time: f64, reach: f64) -> Option<&Hold> {
    let near =
        holds.iter().filter(|hold| hold.from - reach <= time && time <= hold.from + f64::from(hold.length) + reach);
    near.max_by(|a, b| a.length.total_cmp(&b.length))
}

fn hold_in_words(hold: &Hold, shown: &Shown) -> String {
    let holder = hold.activity.and_then(|index| shown.activities.get(usize::from(index)));
    let holder = holder.map_or("background work", String::as_str);
    let length = Seconds::new(f64::from(hold.length));
    format!("Here: {holder} holds it for {length}, from {}.", clock(hold.from))
}

/// The ground of a row, with what happens behind it.
fn backed(ui: &Ui, shown: &Shown, axis: Axis, plot: Rect) {
    ground(ui, plot);
    for mark in &shown.marks {
        if let Some(x) = axis.stretch(mark.at, mark.until) {
            let rect = Rect::from_x_y_ranges(x, plot.y_range());
            let color = Theme::faded(mark_color(ui, mark), 0.22);
            ui.painter().rect_filled(rect, CornerRadius::ZERO, color);
        }
    }
}

fn mark_color(ui: &Ui, mark: &Mark) -> Color32 {
    let theme = Theme::of(ui);
    if mark.is_failure { theme.bad } else { theme.warning }
}

/// Bars from the bottom, one a bin.
fn bins(ui: &Ui, shown: &Shown, axis: Axis, plot: Rect, values: &[f32], top: f32, color: impl Fn(f32) -> Color32) {
    /// Bins of a whole run.
    const ALL: f64 = 480.0;
    if top <= 0.0 {
        return;
    }
    let mut mesh = Mesh::default();
    let bin = shown.until / ALL;
    for (n, value) in values.iter().enumerate() {
        let share = (value / top).clamp(0.0, 1.0);
        if share <= 0.0 {
            continue;
        }
        let left = axis.x(bin * n as f64).max(plot.left());
        let right = axis.x(bin * (n + 1) as f64).min(plot.right());
        if right <= left {
            continue;
        }
        let rect =
            Rect::from_min_max(Pos2::new(left, plot.bottom() - plot.height() * share), Pos2::new(right, plot.bottom()));
        mesh.add_colored_rect(rect, color(share));
    }
    ui.painter().add(Shape::mesh(mesh));
}

/// The axis is dragged like a row; with the focus the arrow keys go on by a minute.
fn by_pointer_and_keys(ui: &Ui, shown: &Shown, axis: Axis, response: &Response, out: &mut Vec<Command>) {
    let name = format!("Moment {}", clock(shown.moment));
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &name));
    scrub(ui, shown, axis, response, out);
    if !has_arrows(ui, response, false) {
        return;
    }
    for (key, minutes) in [(egui::Key::ArrowLeft, -1.0), (egui::Key::ArrowRight, 1.0)] {
        if ui.input(|i| i.key_pressed(key)) {
            let to = (shown.moment + 60.0 * minutes).clamp(0.0, shown.time);
            out.push(Command::Simulate(SimulateCommand::Scrub(Some(to))));
        }
    }
}

/// Hours or minutes along the top, and the events.
fn axis(ui: &mut Ui, shown: &Shown, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let size = Vec2::new(ui.available_width(), 34.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let axis = axis_of(rect, shown);
    by_pointer_and_keys(ui, shown, axis, &response, out);
    let step = [60.0, 300.0, 600.0, 1800.0, 3600.0, 10_800.0, 21_600.0, 86_400.0]
        .into_iter()
        .find(|step| (axis.until - axis.from) / step * 52.0 <= f64::from(axis.x.span()))
        .unwrap_or(shown.until);
    let font = FontId::proportional(SMALL);
    let mut at = (axis.from / step).ceil() * step;
    while at <= axis.until {
        let pos = Pos2::new(axis.x(at), rect.bottom());
        let painter = ui.painter();
        painter.text(pos, Align2::CENTER_BOTTOM, clock(at), font.clone(), theme.muted);
        at += step;
    }
    let mut free = axis.x.min;
    for mark in &shown.marks {
        if mark.at < axis.from || mark.at > axis.until {
            continue;
        }
        let x = axis.x(mark.at).max(free);
        let room = axis.x.max + RIGHT - x;
        if room < 40.0 {
            continue;
        }
        let words = format!("{} {}", clock(mark.at), mark.text);
        let room = room.min(260.0);
        text_within(ui, Pos2::new(x, rect.top()), Align2::LEFT_TOP, &words, room, mark_color(ui, mark));
        free = x + room.min(8.0 * words.chars().count() as f32) + 8.0;
    }
}

/// A line at the moment.
fn cursor(ui: &Ui, shown: &Shown, axis: Axis, rect: Rect) {
    let x = axis.x(shown.moment);
    if axis.x.contains(x) {
        let stroke = Stroke::new(1.5, Theme::of(ui).text);
        let y = rect.y_range().expand(3.0);
        ui.painter().vline(x, y, stroke);
    }
}
