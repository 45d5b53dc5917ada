//! The parity chart: published against predicted, one point a figure, as SVG.

use plotters::prelude::*;

use super::calibration::Calibrated;
use crate::calibration::Dimension;
use crate::experiment::Claim;
use crate::page::{Rgb, Theme};

const SIZE: (u32, u32) = (900, 760);
/// Predicted over published that the chart shows.
const FACTOR_MAX: f64 = 2.0;

/// Published figures in sample: predicted over published, by figure and source.
///
/// Figures are of unlike dimensions, so that the chart shows the quotient over the figure's size
/// within its dimension; the line is parity, the band 15 %.
pub fn parity_svg(calibrated: &Calibrated<'_>) -> Result<String, String> {
    let mut text = String::new();
    draw(calibrated, &mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

type Drawn<'t> = Result<(), DrawingAreaErrorKind<<SVGBackend<'t> as DrawingBackend>::ErrorType>>;

fn draw<'t>(calibrated: &Calibrated<'_>, text: &'t mut String) -> Drawn<'t> {
    let points = points(calibrated);
    let (low, high) = points
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), p| {
            (low.min(p.published), high.max(p.published))
        });
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Predicted over published, in sample", ("sans-serif", 22))
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d(
            (low / 2.0..high * 2.0).log_scale(),
            (1.0 / FACTOR_MAX..FACTOR_MAX).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("published figure (s, 1/s, MB/s, share: each in its own unit)")
        .y_desc("predicted ÷ published (beyond 2 at the edge)")
        .light_line_style(BLACK.mix(0.06))
        .bold_line_style(BLACK.mix(0.12))
        .x_label_formatter(&|x| crate::units::significant(*x, 2))
        .y_label_formatter(&|y| format!("{y:.2}"))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()?;
    let band = [(low / 2.0, 0.85), (high * 2.0, 1.15)];
    chart.draw_series([Rectangle::new(band, BLACK.mix(0.06).filled())])?;
    chart.draw_series(LineSeries::new(
        [(low / 2.0, 1.0), (high * 2.0, 1.0)],
        BLACK.mix(0.6),
    ))?;
    let mut sources: Vec<&str> = points.iter().map(|p| p.source).collect();
    sources.sort_unstable();
    sources.dedup();
    for (i, source) in sources.iter().enumerate() {
        let Rgb(red, green, blue) = Theme::LIGHT.of_series(i);
        let colour = RGBColor(red, green, blue);
        let own = points.iter().filter(|p| p.source == *source);
        chart
            .draw_series(own.map(|p| {
                let quotient = (p.predicted / p.published).clamp(1.0 / FACTOR_MAX, FACTOR_MAX);
                Circle::new((p.published, quotient), 5, colour.mix(0.8).filled())
            }))?
            .label(*source)
            .legend(move |(x, y)| Circle::new((x + 8, y), 5, colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 15))
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()
}

struct Point<'a> {
    source: &'a str,
    published: f64,
    predicted: f64,
}

fn points<'a>(calibrated: &'a Calibrated<'_>) -> Vec<Point<'a>> {
    let rows = calibrated.accuracy.rows.iter();
    rows.filter_map(|r| {
        let row = &calibrated.problem.rows[r.row];
        let Claim::Exactly(published) = row.claim else {
            return None;
        };
        let scale = if row.dimension == Dimension::Bandwidth {
            1e-6
        } else {
            1.0
        };
        Some(Point {
            source: row.datum.split('-').next().unwrap_or(&row.datum),
            published: published * scale,
            predicted: r.predicted * scale,
        })
    })
    .collect()
}
