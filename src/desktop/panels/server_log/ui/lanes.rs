//! Paints locks over time: rows over one axis, as those of a simulated day.

use egui::{
    Align2, Color32, CornerRadius, Mesh, Pos2, Rangef, Rect, Response, RichText, Role, Sense,
    Shape, Stroke, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo,
};

use crate::desktop::command::Command;
use crate::desktop::panels::server_log::LogCommand;
use crate::desktop::panels::server_log::timeline::{Bar, Lane, SHORTEST, Timeline};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::time_axis::TimeAxis;
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
    legend(ui, timeline);
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

/// What the colours mean.
fn legend(ui: &mut Ui, timeline: &Timeline) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        let entries = [
            (theme.series(1), "held exclusively"),
            (theme.series(0), "held shared"),
            (theme.muted, "commands that wait"),
        ];
        for (color, words) in entries {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(10.0), Sense::hover());
            ui.painter().rect_filled(rect, CornerRadius::same(2), color);
            ui.label(RichText::new(words).small().color(theme.muted));
        }
        let longest = Seconds::new(timeline.longest_hold_s).estimated();
        let words = format!("a taller bar is a longer hold, at most {longest}");
        ui.label(RichText::new(words).small().color(theme.muted));
    });
}

fn axis_of(rect: Rect, timeline: &Timeline) -> TimeAxis {
    let left = (rect.width() * 0.2).clamp(LEFT.0, LEFT.1);
    let left = left.min(rect.width() * 0.3);
    TimeAxis {
        x: Rangef::new(
            rect.left() + left,
            (rect.right() - RIGHT).max(rect.left() + left + 1.0),
        ),
        from: timeline.window.0,
        until: timeline.window.1,
    }
}

/// Zooms with Ctrl and the wheel, moves by dragging.
fn by_pointer(
    ui: &Ui,
    timeline: &Timeline,
    axis: TimeAxis,
    response: &Response,
    out: &mut Vec<Command>,
) {
    let by = ui.input(egui::InputState::zoom_delta);
    if let Some(at) = response.hover_pos().filter(|_| by != 1.0) {
        let part = axis.zoomed(by, at.x, timeline.all_s, SHORTEST);
        out.push(Command::Log(LogCommand::Zoom(part)));
    }
    let moved = response.drag_delta().x;
    if response.dragged() && moved != 0.0 {
        let share = f64::from(moved / axis.x.span().max(1.0));
        let by = -share * (axis.until - axis.from);
        out.extend(
            axis.moved(by, timeline.all_s)
                .map(|to| Command::Log(LogCommand::Zoom(Some(to)))),
        );
    }
}

/// With the focus the arrow keys move by a tenth, and zoom.
fn by_keys(
    ui: &Ui,
    timeline: &Timeline,
    axis: TimeAxis,
    response: &Response,
    out: &mut Vec<Command>,
) {
    if !response.has_focus() {
        return;
    }
    let arrows = egui::EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        ..egui::EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    let stroke = Stroke::new(1.0, Theme::of(ui).accent);
    let radius = CornerRadius::same(4);
    ui.painter()
        .rect_stroke(response.rect, radius, stroke, StrokeKind::Inside);
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
        let left = (x - galley.size().x / 2.0)
            .min(axis.x.max - galley.size().x)
            .max(axis.x.min);
        let top = rect.bottom() - galley.size().y;
        ui.painter()
            .galley(Pos2::new(left, top), galley, theme.muted);
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
    (0..=count.min(200))
        .map(|n| first + step * n as f64)
        .collect()
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
    let ground = Theme::faded(theme.line, 0.35);
    ui.painter()
        .rect_filled(plot, CornerRadius::same(2), ground);
    let band = |from: f32, to: f32| {
        let y = plot.y_range();
        Rangef::new(y.min + y.span() * from, y.min + y.span() * to)
    };
    let longest = timeline.longest_hold_s;
    holds(
        ui,
        axis,
        band(0.0, 0.42),
        &lane.writes,
        longest,
        theme.series(1),
    );
    holds(
        ui,
        axis,
        band(0.45, 0.65),
        &lane.reads,
        longest,
        theme.series(0),
    );
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
    ui.painter()
        .galley(Pos2::new(rect.left(), top), name, theme.text);
    ui.painter()
        .galley(Pos2::new(rect.left(), below), waited, theme.muted);
}

/// Holds as bars that stand on the bottom of their band: the longer, the higher, on a logarithmic scale.
fn holds(ui: &Ui, axis: TimeAxis, y: Rangef, bars: &[Bar], longest: f64, color: Color32) {
    let whole = (longest / SHORTEST_HOLD).max(2.0).ln();
    let mut mesh = Mesh::default();
    for bar in bars {
        let share = ((bar.held_s / SHORTEST_HOLD).max(1.0).ln() / whole).clamp(0.12, 1.0);
        let from = axis.x(bar.from).max(axis.x.min);
        let until = axis.x(bar.until).max(from + 1.5).min(axis.x.max);
        if until <= from {
            continue;
        }
        let top = y.max - y.span() * share as f32;
        let rect = Rect::from_x_y_ranges(Rangef::new(from, until), Rangef::new(top, y.max));
        let strong = PALEST + (1.0 - PALEST) * bar.share();
        mesh.add_colored_rect(rect, Theme::faded(color, strong as f32));
    }
    ui.painter().add(Shape::mesh(mesh));
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
    ui.painter()
        .text(at, Align2::LEFT_CENTER, format!("max {most}"), font, color);
}
