//! Paints locks over time: rows over one axis, as those of a simulated day.

use egui::{Align2, Mesh, Pos2, Rangef, Rect, Response, Role, Sense, Shape, Stroke, TextStyle, Ui, Vec2, WidgetInfo};

use crate::desktop::command::Command;
use crate::desktop::panels::server_log::LogCommand;
use crate::desktop::panels::server_log::timeline::{Lane, SHORTEST, Timeline};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::time_axis::{Held, TimeAxis, ground, has_arrows, holds, legend};
use crate::desktop::widgets::{self, fitted};
use crate::units::{Seconds, two_digits};

/// Room for names on the left, at least and at most \[points\].
const LEFT: (f32, f32) = (120.0, 230.0);
/// Room for numbers on the right \[points\].
const RIGHT: f32 = 66.0;
/// Height of a lane \[points\].
const LANE: f32 = 50.0;
/// Shorter holds are not in the lanes of the analysis \[s\].
const SHORTEST_HOLD: f64 = 0.05;
/// Opacity of the palest bar.
const PALEST: f64 = 0.25;
/// Points that a time on the axis needs.
const TICK: f32 = 84.0;

pub(super) fn show(ui: &mut Ui, timeline: &Timeline, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    head(ui, timeline, out);
    let longest = Seconds::new(timeline.longest_hold_s).estimated();
    legend(ui, "", ["held exclusively", "held shared"], &longest);
    axis(ui, timeline, out);
    for lane in &timeline.lanes {
        row(ui, timeline, lane, out);
    }
    ui.add_space(theme::GAP / 2.0);
    widgets::muted(ui, &timeline.note);
}

fn head(ui: &mut Ui, timeline: &Timeline, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, "Locks over time");
        ui.label(timeline.part());
        let is_zoomed = timeline.window != (0.0, timeline.all_s);
        let whole = ui.add_enabled(is_zoomed, egui::Button::new("Whole log"));
        if whole.clicked() {
            out.push(Command::Log(LogCommand::Zoom(None)));
        }
        widgets::muted(
            ui,
            "Ctrl+wheel zooms, dragging moves; a chain below leads to its time. On the axis: arrow keys.",
        );
    });
}

fn axis_of(rect: Rect, timeline: &Timeline) -> TimeAxis {
    TimeAxis::of_row(rect, LEFT, RIGHT, timeline.window)
}

/// Zooms with Ctrl and the wheel, moves by dragging.
fn by_pointer(ui: &Ui, timeline: &Timeline, axis: TimeAxis, response: &Response, out: &mut Vec<Command>) {
    let by = ui.input(egui::InputState::zoom_delta);
    if let Some(at) = response.hover_pos().filter(|_| by != 1.0) {
        let part = axis.zoomed(by, at.x, timeline.all_s, SHORTEST);
        out.push(Command::Log(LogCommand::Zoom(part)));
    }
    let moved = response.drag_delta().x;
    if response.dragged() && moved != 0.0 {
        let share = f64::from(moved / axis.x.span().max(1.0));
        let by = -share * (axis.until - axis.from);
        out.extend(axis.moved(by, timeline.all_s).map(|to| Command::Log(LogCommand::Zoom(Some(to)))));
    }
}

/// With the focus the arrow keys move by a tenth, and zoom.
fn by_keys(ui: &Ui, timeline: &Timeline, axis: TimeAxis, response: &Response, out: &mut Vec<Command>) {
    if !has_arrows(ui, response, true) {
        return;
    }
    let length = axis.until - axis.from;
    for (key, share) in [(egui::Key::ArrowLeft, -0.1), (egui::Key::ArrowRight, 0.1)] {
        if ui.input(|i| i.key_pressed(key)) {
            let to = axis.moved(share * length, timeline.all_s);
            out.extend(to.map(|to| Command::Log(LogCommand::Zoom(Some(to)))));
        }
    }
    for (key, by) in [(egui::Key::ArrowUp, 1.5), (egui::Key::ArrowDown, 1.0 / 1.5)] {
        if ui.input(|i| i.key_pressed(key)) {
            let part = axis.zoomed(by, axis.x.center(), timeline.all_s, SHORTEST);
            out.push(Command::Log(LogCommand::Zoom(part)));
        }
    }
}

/// Times along the top.
fn axis(ui: &mut Ui, timeline: &Timeline, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let size = Vec2::new(ui.available_width(), 24.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let axis = axis_of(rect, timeline);
    let name = format!("Time {}", timeline.part());
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &name));
    by_pointer(ui, timeline, axis, &response, out);
    by_keys(ui, timeline, axis, &response, out);
    if response.clicked() {
        response.request_focus();
    }
    let font = TextStyle::Small.resolve(ui.style());
    for at in ticks(timeline, axis) {
        let x = axis.x(at);
        let text = timeline.clock(at);
        let galley = fitted(ui.painter(), &text, &font, theme.muted, 200.0);
        let left = (x - galley.size().x / 2.0).min(axis.x.max - galley.size().x).max(axis.x.min);
        let top = rect.bottom() - galley.size().y;
        ui.painter().galley(Pos2::new(left, top), galley, theme.muted);
    }
}

/// Round times of the server's clock within the part that is shown.
fn ticks(timeline: &Timeline, axis: TimeAxis) -> Vec<f64> {
    const STEPS: [f64; 15] = [
        1.0,
        5.0,
        10.0,
        30.0,
        60.0,
        300.0,
        600.0,
        1800.0,
        3600.0,
        10_800.0,
        21_600.0,
        43_200.0,
        86_400.0,
        604_800.0,
        2_592_000.0,
    ];
    let length = axis.until - axis.from;
    let most = f64::from((axis.x.span() / TICK).max(1.0));
    let step = STEPS.into_iter().find(|step| length / step <= most);
    let step = step.unwrap_or(length.max(1.0));
    let begin = timeline.begin.micros as f64 / 1e6;
    let first = ((begin + axis.from) / step).ceil() * step - begin;
    let count = ((axis.until - first) / step).floor().max(-1.0) as i64;
    (0..=count.min(200)).map(|n| first + step * n as f64).collect()
}

fn row(ui: &mut Ui, timeline: &Timeline, lane: &Lane, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let size = Vec2::new(ui.available_width(), LANE);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let axis = axis_of(rect, timeline);
    let name = format!("{}: {}; {}", lane.name, lane.waited, lane.most());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    by_pointer(ui, timeline, axis, &response, out);
    names(ui, rect, axis, lane);
    let plot = Rect::from_x_y_ranges(axis.x, rect.y_range().shrink(2.0));
    ground(ui, plot);
    let band = |from: f32, to: f32| {
        let y = plot.y_range();
        Rangef::new(y.min + y.span() * from, y.min + y.span() * to)
    };
    for (y, bars, color) in
        [(band(0.0, 0.42), &lane.writes, theme.series(1)), (band(0.45, 0.65), &lane.reads, theme.series(0))]
    {
        let bars = bars.iter().map(|bar| Held {
            drawn: (bar.from, bar.until),
            seconds: bar.held_s,
            color: Theme::faded(color, (PALEST + (1.0 - PALEST) * bar.share()) as f32),
        });
        holds(ui, axis, y, bars, (SHORTEST_HOLD, timeline.longest_hold_s));
    }
    waiting(ui, Rect::from_x_y_ranges(axis.x, band(0.68, 1.0)), lane);
    let Some(at) = response.hover_pos().filter(|at| axis.x.contains(at.x)) else {
        response.on_hover_text(name);
        return;
    };
    let line = Stroke::new(1.0, Theme::faded(theme.text, 0.5));
    ui.painter().vline(at.x, plot.y_range(), line);
    let time = axis.time(at.x);
    let reach = 2.0 * (axis.until - axis.from) / f64::from(axis.x.span().max(1.0));
    let mut lines = vec![format!("{} at {}", lane.name, timeline.clock(time))];
    let found = lane.at(timeline.begin, time, reach);
    if found.is_empty() {
        let least = Seconds::new(SHORTEST_HOLD).estimated();
        lines.push(format!("nobody waits for it, nobody holds it for {least}"));
    }
    lines.extend(found);
    response.on_hover_text_at_pointer(lines.join("\n"));
}

/// The table, and how much was waited for it.
fn names(ui: &Ui, rect: Rect, axis: TimeAxis, lane: &Lane) {
    let theme = Theme::of(ui);
    let room = axis.x.min - rect.left() - 10.0;
    let font = TextStyle::Body.resolve(ui.style());
    let small = TextStyle::Small.resolve(ui.style());
    let name = fitted(ui.painter(), &lane.name, &font, theme.text, room);
    let waited = fitted(ui.painter(), &lane.waited, &small, theme.muted, room);
    let top = rect.center().y - f32::midpoint(name.size().y, waited.size().y);
    let below = top + name.size().y;
    ui.painter().galley(Pos2::new(rect.left(), top), name, theme.text);
    ui.painter().galley(Pos2::new(rect.left(), below), waited, theme.muted);
}

/// Commands that wait, as an area.
fn waiting(ui: &Ui, plot: Rect, lane: &Lane) {
    if lane.top <= 0.0 {
        return;
    }
    let color = Theme::of(ui).muted;
    let width = plot.width() / lane.waiting.len().max(1) as f32;
    let mut mesh = Mesh::default();
    for (n, level) in lane.waiting.iter().enumerate() {
        if *level <= 0.0 {
            continue;
        }
        // What is there is seen, however little it is.
        let height = (plot.height() * level / lane.top).max(1.0);
        let left = plot.left() + width * n as f32;
        let min = Pos2::new(left, plot.bottom() - height);
        let max = Pos2::new(left + width, plot.bottom());
        mesh.add_colored_rect(Rect::from_min_max(min, max), color);
    }
    ui.painter().add(Shape::mesh(mesh));
    let most = two_digits(f64::from(lane.top));
    let font = TextStyle::Small.resolve(ui.style());
    let at = plot.right_center() + Vec2::new(8.0, 0.0);
    ui.painter().text(at, Align2::LEFT_CENTER, format!("max {most}"), font, color);
}
