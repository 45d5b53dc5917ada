//! Rows over one time axis: what is in the system, how busy everything is, how long locks are held.

use egui::{
    Align2, Color32, CornerRadius, FontId, Mesh, Pos2, Rangef, Rect, Response, RichText, Role,
    Sense, Shape, Slider, Stroke, Ui, Vec2, WidgetInfo,
};

use crate::desktop::answer::simulated::Hold;
use crate::desktop::command::Command;
use crate::desktop::panels::simulate::shown::{LockRow, Row, Shown, clock};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;
use crate::units::Seconds;

/// Room for names on the left, at least and at most, and for numbers on the right.
const LEFT: (f32, f32) = (190.0, 290.0);
const RIGHT: f32 = 176.0;
const ROW: f32 = 26.0;
const LOCK_ROW: f32 = 46.0;
const SMALL: f32 = 12.5;
/// Holds as short as this are hardly seen \[s\].
const SHORTEST: f32 = 1e-3;

/// Where time lies on the screen.
#[derive(Clone, Copy)]
struct Axis {
    x: Rangef,
    until: f64,
}

impl Axis {
    fn x(self, time: f64) -> f32 {
        self.x.min + self.x.span() * (time / self.until).clamp(0.0, 1.0) as f32
    }

    fn time(self, x: f32) -> f64 {
        let share = (x - self.x.min) / self.x.span().max(1.0);
        f64::from(share.clamp(0.0, 1.0)) * self.until
    }
}

pub(super) fn show(ui: &mut Ui, shown: &Shown, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    moment(ui, shown, out);
    axis(ui, shown);
    part(ui, "In the system", "commands between request and response");
    for row in &shown.present {
        chart(ui, shown, row, false, out);
    }
    part(
        ui,
        "How busy",
        "share of the servers in use, full height is 100 %",
    );
    for row in &shown.busy {
        chart(ui, shown, row, true, out);
    }
    if !shown.locks.is_empty() {
        legend(ui, shown);
        for row in &shown.locks {
            lock(ui, shown, row, out);
        }
    }
}

/// The moment that is looked at: a slider for hands and keys.
fn moment(ui: &mut Ui, shown: &Shown, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        let label = ui.label("Moment");
        // Whole minutes, so that painting alone never moves it.
        let before = (shown.moment / 60.0).floor();
        let last = (shown.time / 60.0).floor().max(1.0);
        let mut minutes = before;
        ui.spacing_mut().slider_width = (ui.available_width() - 240.0).clamp(60.0, 560.0);
        let slider = Slider::new(&mut minutes, 0.0..=last)
            .custom_formatter(|minutes, _| clock(minutes * 60.0))
            .step_by(1.0);
        let response = ui.add(slider).labelled_by(label.id);
        let help =
            "The moment that the numbers on the right are of; drag here or in the rows below.";
        response.on_hover_text(help);
        if minutes != before {
            out.push(Command::Scrub(Some(minutes * 60.0)));
        }
        let latest = ui.add_enabled(shown.is_scrubbed, egui::Button::new("Latest"));
        if latest.on_hover_text("Follow the run again.").clicked() {
            out.push(Command::Scrub(None));
        }
    });
}

fn part(ui: &mut Ui, title: &str, about: &str) {
    ui.add_space(theme::GAP / 2.0);
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, title);
        widgets::muted(ui, about);
    });
}

/// What the colours of the lock rows mean.
fn legend(ui: &mut Ui, shown: &Shown) {
    let theme = Theme::of(ui);
    ui.add_space(theme::GAP / 2.0);
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, "Locks");
        let entries = [
            (theme.series(1), "written: held alone"),
            (theme.series(0), "read"),
            (theme.muted, "how many wait"),
        ];
        for (color, words) in entries {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(10.0), Sense::hover());
            ui.painter().rect_filled(rect, CornerRadius::same(2), color);
            ui.label(RichText::new(words).small().color(theme.muted));
        }
        let longest = Seconds::new(f64::from(shown.longest_hold));
        let words = format!("the taller the longer, at most {longest}");
        ui.label(RichText::new(words).small().color(theme.muted));
    });
}

/// A row as wide as there is room; pointing at it chooses a moment.
fn row(
    ui: &mut Ui,
    shown: &Shown,
    height: f32,
    name: &str,
    out: &mut Vec<Command>,
) -> (Rect, Axis, Response) {
    let size = Vec2::new(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let axis = axis_of(rect, shown.until);
    if (response.clicked() || response.dragged())
        && let Some(at) = response.interact_pointer_pos()
    {
        out.push(Command::Scrub(Some(axis.time(at.x).min(shown.time))));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    (rect, axis, response)
}

fn axis_of(rect: Rect, until: f64) -> Axis {
    let left = (rect.width() * 0.2).clamp(LEFT.0, LEFT.1);
    let left = left.min(rect.width() * 0.3);
    let right = RIGHT.min(rect.width() * 0.25);
    Axis {
        x: Rangef::new(
            rect.left() + left,
            (rect.right() - right).max(rect.left() + left + 1.0),
        ),
        until,
    }
}

/// Name on the left, number on the right.
fn words(ui: &Ui, rect: Rect, axis: Axis, name: &str, value: &str) {
    let theme = Theme::of(ui);
    let room = axis.x.min - rect.left() - 10.0;
    text_within(
        ui,
        rect.left_center(),
        Align2::LEFT_CENTER,
        name,
        room,
        theme.text,
    );
    let room = rect.right() - axis.x.max - 8.0;
    let at = Pos2::new(axis.x.max + 8.0, rect.center().y);
    text_within(ui, at, Align2::LEFT_CENTER, value, room, theme.muted);
}

/// Text of one line, cut where there is no more room.
fn text_within(ui: &Ui, at: Pos2, align: Align2, text: &str, room: f32, color: Color32) {
    let mut job = egui::text::LayoutJob::simple_singleline(
        text.replace('\n', " "),
        FontId::proportional(SMALL + 1.0),
        color,
    );
    job.wrap = egui::text::TextWrapping::truncate_at_width(room.max(8.0));
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let rect = align.anchor_size(at, galley.size());
    ui.painter().galley(rect.min, galley, color);
}

fn chart(ui: &mut Ui, shown: &Shown, data: &Row, is_busy: bool, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let (rect, axis, response) = row(ui, shown, ROW, &data.name, out);
    words(ui, rect, axis, &data.name, &data.value);
    let plot = Rect::from_x_y_ranges(axis.x, rect.y_range().shrink(2.0));
    ground(ui, shown, axis, plot);
    let color = |share: f32| {
        if is_busy {
            theme.busy(f64::from(share))
        } else {
            Theme::faded(theme.accent, 0.75)
        }
    };
    bins(ui, plot, &data.bins, data.top, color);
    cursor(ui, shown, axis, plot);
    response.on_hover_text(&data.about);
}

fn lock(ui: &mut Ui, shown: &Shown, data: &LockRow, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let (rect, axis, response) = row(ui, shown, LOCK_ROW, &data.name, out);
    words(ui, rect, axis, &data.name, &data.value);
    let plot = Rect::from_x_y_ranges(axis.x, rect.y_range().shrink(2.0));
    ground(ui, shown, axis, plot);
    let band = |from: f32, to: f32| {
        let y = plot.y_range();
        Rangef::new(y.min + y.span() * from, y.min + y.span() * to)
    };
    holds(
        ui,
        shown,
        axis,
        band(0.0, 0.44),
        &data.writes,
        theme.series(1),
    );
    holds(
        ui,
        shown,
        axis,
        band(0.48, 0.70),
        &data.reads,
        Theme::faded(theme.series(0), 0.7),
    );
    let waiting = Rect::from_x_y_ranges(axis.x, band(0.75, 1.0));
    bins(ui, waiting, &data.waiting, data.top, |_| theme.muted);
    cursor(ui, shown, axis, plot);
    let near = response.hover_pos().and_then(|at| {
        let reach = 4.0 * axis.until / f64::from(axis.x.span().max(1.0));
        near(&data.writes, axis.time(at.x), reach)
    });
    let about = match near {
        Some(hold) => format!("{}\n{}", data.about, told(hold, shown)),
        None => data.about.clone(),
    };
    response.on_hover_text(about);
}

/// The longest hold within reach of a time.
fn near(holds: &[Hold], time: f64, reach: f64) -> Option<&Hold> {
    let near = holds.iter().filter(|hold| {
        hold.from - reach <= time && time <= hold.from + f64::from(hold.length) + reach
    });
    near.max_by(|a, b| a.length.total_cmp(&b.length))
}

fn told(hold: &Hold, shown: &Shown) -> String {
    let who = hold
        .activity
        .and_then(|index| shown.activities.get(usize::from(index)));
    let who = who.map_or("work for later", String::as_str);
    let length = Seconds::new(f64::from(hold.length));
    format!(
        "Here: {who} holds it for {length} from {}.",
        clock(hold.from)
    )
}

/// The ground of a row, with what happens behind it.
fn ground(ui: &Ui, shown: &Shown, axis: Axis, plot: Rect) {
    let theme = Theme::of(ui);
    let painter = ui.painter();
    painter.rect_filled(plot, CornerRadius::same(2), Theme::faded(theme.line, 0.35));
    for mark in &shown.marks {
        let color = if mark.is_failure {
            theme.bad
        } else {
            theme.warning
        };
        let x = Rangef::new(
            axis.x(mark.at),
            axis.x(mark.until).max(axis.x(mark.at) + 1.5),
        );
        let rect = Rect::from_x_y_ranges(x, plot.y_range());
        painter.rect_filled(rect, CornerRadius::ZERO, Theme::faded(color, 0.22));
    }
}

/// Bars from the bottom, one a bin.
fn bins(ui: &Ui, plot: Rect, values: &[f32], top: f32, color: impl Fn(f32) -> Color32) {
    /// Bins of a whole run.
    const ALL: f32 = 480.0;
    if top <= 0.0 {
        return;
    }
    let mut mesh = Mesh::default();
    let width = plot.width() / ALL;
    for (n, value) in values.iter().enumerate() {
        let share = (value / top).clamp(0.0, 1.0);
        if share <= 0.0 {
            continue;
        }
        let left = plot.left() + width * n as f32;
        let rect = Rect::from_min_max(
            Pos2::new(left, plot.bottom() - plot.height() * share),
            Pos2::new((left + width).min(plot.right()), plot.bottom()),
        );
        mesh.add_colored_rect(rect, color(share));
    }
    ui.painter().add(Shape::mesh(mesh));
}

/// Holds as bars that stand on the bottom of their band: the longer, the higher, on a logarithmic scale.
fn holds(ui: &Ui, shown: &Shown, axis: Axis, y: Rangef, holds: &[Hold], color: Color32) {
    let height = |length: f32| {
        let whole = (shown.longest_hold / SHORTEST).max(2.0).ln();
        ((length / SHORTEST).max(1.0).ln() / whole).clamp(0.08, 1.0)
    };
    let mut mesh = Mesh::default();
    for hold in holds {
        let from = axis.x(hold.from);
        let until = axis.x(hold.from + f64::from(hold.length));
        let x = Rangef::new(from, until.max(from + 1.0));
        let y = Rangef::new(y.max - y.span() * height(hold.length), y.max);
        mesh.add_colored_rect(Rect::from_x_y_ranges(x, y), color);
    }
    ui.painter().add(Shape::mesh(mesh));
}

/// Hours or minutes along the top, and what happens when.
fn axis(ui: &mut Ui, shown: &Shown) {
    let theme = Theme::of(ui);
    let size = Vec2::new(ui.available_width(), 34.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let axis = axis_of(rect, shown.until);
    let step = [300.0, 600.0, 1800.0, 3600.0, 10_800.0, 21_600.0, 86_400.0]
        .into_iter()
        .find(|step| shown.until / step * 52.0 <= f64::from(axis.x.span()))
        .unwrap_or(shown.until);
    let font = FontId::proportional(SMALL);
    let mut at = 0.0;
    while at <= shown.until {
        let pos = Pos2::new(axis.x(at), rect.bottom());
        let painter = ui.painter();
        painter.text(
            pos,
            Align2::CENTER_BOTTOM,
            clock(at),
            font.clone(),
            theme.muted,
        );
        at += step;
    }
    let mut free = axis.x.min;
    for mark in &shown.marks {
        let color = if mark.is_failure {
            theme.bad
        } else {
            theme.warning
        };
        let x = axis.x(mark.at).max(free);
        let room = axis.x.max + RIGHT - x;
        if room < 40.0 {
            continue;
        }
        let words = format!("{} {}", clock(mark.at), mark.text);
        let room = room.min(260.0);
        text_within(
            ui,
            Pos2::new(x, rect.top()),
            Align2::LEFT_TOP,
            &words,
            room,
            color,
        );
        free = x + room.min(8.0 * words.chars().count() as f32) + 8.0;
    }
}

/// A line at the moment.
fn cursor(ui: &Ui, shown: &Shown, axis: Axis, rect: Rect) {
    let stroke = Stroke::new(1.5, Theme::of(ui).text);
    let y = rect.y_range().expand(3.0);
    ui.painter().vline(axis.x(shown.moment), y, stroke);
}
