//! The parity chart, and the sources of its points.

use egui::{Sense, Ui, Vec2};

use crate::desktop::command::Command;
use crate::desktop::panels::evidence::data::Data;
use crate::desktop::panels::evidence::figures::Figures;
use crate::desktop::state::EvidenceView;
use crate::desktop::widgets::pen::EguiPen;
use crate::desktop::widgets::plot::Plot;
use crate::page::pen::{Ink, sign};
use crate::page::{Beside, Dot};
use crate::report::parity_chart;

/// Chips that choose a source; they are the legend as well.
pub(super) fn filter(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
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
            let mut pen = EguiPen::new(ui, Vec2::splat(11.0), Sense::hover(), source);
            sign(&mut pen, index, (5.5, 5.5), 5.0, Ink::Series(index).into());
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
    let points = &figures.points;
    let chart = parity_chart(points.iter().map(|point| point.at));
    let dots = points.iter().map(|point| Dot {
        index: point.source,
        at: point.at,
    });
    let dots: Vec<Dot> = dots.collect();
    let height = (ui.available_width() * 0.42).clamp(160.0, 420.0);
    let plot = Plot {
        beside: Beside {
            dots: &dots,
            ..Beside::default()
        },
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
