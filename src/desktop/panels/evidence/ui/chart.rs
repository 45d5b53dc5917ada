//! The parity chart: published against predicted, both logarithmic, with the band of 15 % around equality.

use egui::{Sense, Ui, Vec2};

use crate::desktop::command::Command;
use crate::desktop::panels::evidence::data::Data;
use crate::desktop::panels::evidence::figures::{BAND, Figures, Point};
use crate::desktop::state::EvidenceView;
use crate::desktop::theme::Theme;
use crate::desktop::widgets::plot::Plot;
use crate::desktop::widgets::plot_data::Dot;
use crate::desktop::widgets::sign::sign;
use crate::page::{Axis, ChartData, Measure, Series};

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
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(11.0), Sense::hover());
            sign(ui.painter(), index, rect.center(), 5.0, theme.series(index));
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

/// Paints the chart; a click on a point leads to its datum.
pub(super) fn show(ui: &mut Ui, figures: &Figures, out: &mut Vec<Command>) {
    let chart = chart(&figures.points);
    let dots: Vec<Dot> = figures.points.iter().map(dot).collect();
    let height = (ui.available_width() * 0.42).clamp(160.0, 420.0);
    let plot = Plot {
        dots: &dots,
        ..Plot::of(&chart, height)
    };
    let painted = plot.show(ui);
    if let Some(point) = painted.pointed.map(|place| &figures.points[place]) {
        if painted.response.clicked() {
            out.push(Command::Explain(point.datum.clone()));
        }
        painted.response.on_hover_text_at_pointer(&point.about);
    }
}

fn dot(point: &Point) -> Dot {
    Dot {
        index: point.source,
        at: (point.published, point.predicted),
    }
}

/// The line of equality with its band, over the range of all points.
fn chart(points: &[Point]) -> ChartData {
    let range = range(points);
    let axis = |label: &str| Axis {
        label: label.to_owned(),
        measure: Measure::Number,
        log: true,
        range,
    };
    let ends = [range.0, range.1];
    ChartData {
        title: "Parity chart; the table below has the same figures".to_owned(),
        x: axis("published (s, 1/s, MB/s, share: each in its own unit)"),
        y: axis("predicted"),
        series: vec![Series {
            name: "equal ± 15 %".to_owned(),
            // Grey in both looks.
            index: 6,
            points: ends.map(|x| (x, x)).to_vec(),
            band: ends
                .map(|x| (x, x * (1.0 - BAND), x * (1.0 + BAND)))
                .to_vec(),
        }],
        marks: Vec::new(),
    }
}

/// Between which all points lie, with some room around.
fn range(points: &[Point]) -> (f64, f64) {
    let all = points.iter().flat_map(|p| [p.published, p.predicted]);
    let all = all.filter(|x| *x > 0.0 && x.is_finite());
    let (low, high) = all.fold((f64::INFINITY, 0.0_f64), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    if low > high {
        return (1.0, 10.0);
    }
    (low / 2.0, high * 2.0)
}
