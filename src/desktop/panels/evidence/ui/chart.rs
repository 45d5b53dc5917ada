//! The parity chart: published against predicted, both logarithmic, with the band within which the model is
//! called right.

use egui::{Color32, Ui};
use egui_plot::{
    GridInput, GridMark, Line, MarkerShape, Plot, PlotPoints, PlotResponse, Points, Polygon,
};

use crate::desktop::command::Command;
use crate::desktop::panels::evidence::data::Data;
use crate::desktop::panels::evidence::figures::{BAND, Figures, Point};
use crate::desktop::state::EvidenceView;
use crate::desktop::theme::Theme;
use crate::units::significant;

/// Nearer than this to the pointer a point is meant.
const NEAR: f32 = 14.0;

/// Chips that choose a source; they are the legend as well.
pub(super) fn filter(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let mut choose = |source: Option<String>| {
        out.push(Command::Look(EvidenceView {
            source,
            ..data.view.clone()
        }));
    };
    ui.horizontal_wrapped(|ui| {
        let all = ui.selectable_label(data.view.source.is_none(), "All sources");
        if all.clicked() {
            choose(None);
        }
        for (index, source) in data.figures.sources.iter().enumerate() {
            let is_chosen = data.view.source.as_ref() == Some(source);
            sign(ui, index, theme.series(index));
            let chip = ui.selectable_label(is_chosen, source);
            if chip
                .on_hover_text("Only the figures of this source.")
                .clicked()
            {
                choose((!is_chosen).then(|| source.clone()));
            }
        }
    });
}

/// A shape beside the colour, for those who cannot tell colours apart.
fn shape(index: usize) -> MarkerShape {
    const SHAPES: [MarkerShape; 4] = [
        MarkerShape::Circle,
        MarkerShape::Diamond,
        MarkerShape::Square,
        MarkerShape::Up,
    ];
    SHAPES[index % SHAPES.len()]
}

/// The same shape as in the chart.
fn sign(ui: &mut Ui, index: usize, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(11.0), egui::Sense::hover());
    let at = |x: f32, y: f32| rect.center() + egui::Vec2::new(x, y);
    let corners = match shape(index) {
        MarkerShape::Circle => {
            ui.painter().circle_filled(rect.center(), 5.0, color);
            return;
        }
        MarkerShape::Square => vec![at(-4.0, -4.0), at(4.0, -4.0), at(4.0, 4.0), at(-4.0, 4.0)],
        MarkerShape::Up => vec![at(0.0, -5.0), at(5.0, 4.0), at(-5.0, 4.0)],
        _ => vec![at(0.0, -5.5), at(5.0, 0.0), at(0.0, 5.5), at(-5.0, 0.0)],
    };
    let filled = egui::Shape::convex_polygon(corners, color, egui::Stroke::NONE);
    ui.painter().add(filled);
}

pub(super) fn show(ui: &mut Ui, figures: &Figures, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let (low, high) = range(&figures.points);
    let height = (ui.available_width() * 0.42).clamp(160.0, 420.0);
    let shown = Plot::new("parity")
        .height(height)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_crosshair(false)
        .default_x_bounds(low, high)
        .default_y_bounds(low, high)
        .x_grid_spacer(decades)
        .y_grid_spacer(decades)
        .x_axis_formatter(|mark, _| power(mark.value))
        .y_axis_formatter(|mark, _| power(mark.value))
        .x_axis_label("published (s, 1/s, MB/s, share: each in its own unit)")
        .y_axis_label("predicted")
        .label_formatter(|_| None)
        .grid_color(theme.line)
        .show(ui, |plot| {
            plot.set_plot_bounds_x(low..=high);
            plot.set_plot_bounds_y(low..=high);
            let (under, over) = ((1.0 - BAND).log10(), (1.0 + BAND).log10());
            let band = vec![
                [low, low + under],
                [high, high + under],
                [high, high + over],
                [low, low + over],
            ];
            let fill = Theme::faded(theme.muted, 0.18);
            plot.polygon(
                Polygon::new("±15 %", PlotPoints::from(band))
                    .fill_color(fill)
                    .stroke(egui::Stroke::NONE)
                    .allow_hover(false),
            );
            let parity = PlotPoints::from(vec![[low, low], [high, high]]);
            let line = Line::new("parity", parity).color(theme.muted).width(1.0);
            plot.line(line.allow_hover(false));
            for (index, source) in figures.sources.iter().enumerate() {
                let own = figures.points.iter().filter(|p| p.source == index);
                let places: Vec<[f64; 2]> = own.map(place).collect();
                let points = Points::new(source.clone(), PlotPoints::from(places))
                    .color(Theme::faded(theme.series(index), 0.85))
                    .shape(shape(index))
                    .radius(4.5)
                    .allow_hover(false);
                plot.points(points);
            }
        });
    point_at(ui, figures, shown, out);
}

/// What is told of the point under the pointer; a click leads to its datum.
fn point_at(ui: &Ui, figures: &Figures, shown: PlotResponse<()>, out: &mut Vec<Command>) {
    let pointer = shown.response.hover_pos();
    let near = pointer.and_then(|at| {
        let places = figures.points.iter().map(|point| {
            let [x, y] = place(point);
            let screen = shown
                .transform
                .position_from_point(&egui_plot::PlotPoint::new(x, y));
            (screen.distance(at), screen, point)
        });
        places
            .filter(|(d, ..)| *d < NEAR)
            .min_by(|a, b| a.0.total_cmp(&b.0))
    });
    let response = shown.response;
    response.widget_info(|| {
        egui::WidgetInfo::labeled(
            egui::Role::Image,
            true,
            "Parity chart; the table below says the same",
        )
    });
    if let Some((_, at, point)) = near {
        let ring = egui::Stroke::new(2.0, Theme::of(ui).text);
        ui.painter().circle(at, 7.0, Color32::TRANSPARENT, ring);
        if response.clicked() {
            out.push(Command::Explain(point.datum.clone()));
        }
        response.on_hover_text_at_pointer(&point.about);
    }
}

fn place(point: &Point) -> [f64; 2] {
    [point.published.log10(), point.predicted.log10()]
}

/// Powers of ten between which all points lie.
fn range(points: &[Point]) -> (f64, f64) {
    let all = points.iter().flat_map(place);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    if low > high {
        return (0.0, 1.0);
    }
    (low - 0.3, high + 0.3)
}

/// Lines at whole powers of ten.
#[expect(clippy::needless_pass_by_value, reason = "the signature is the plot's")]
fn decades(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let whole = (low.ceil() as i32)..=(high.floor() as i32);
    whole
        .map(|power| GridMark {
            value: f64::from(power),
            step_size: 1.0,
        })
        .collect()
}

fn power(exponent: f64) -> String {
    let value = 10f64.powf(exponent);
    if (1e-4..1e7).contains(&value) {
        significant(value, 1)
    } else {
        format!("1e{exponent:.0}")
    }
}
