//! The parity chart: published against predicted, both logarithmic, one point a figure, with a band around equality.

use super::calibration::Calibrated;
use crate::calibration::{Dimension, source_of};
use crate::experiment::Claim;
use crate::page::{Axis, Beside, ChartData, Dot, Measure, Series, Svg, Theme, chart_svg};

/// Within this relative error a prediction is called right.
pub const BAND: f64 = 0.15;

/// Published and predicted, each in its unit; `None` of a bound, and of what cannot be shown on a logarithmic axis.
pub fn parity_point(claim: Claim, dimension: Dimension, predicted: f64) -> Option<(f64, f64)> {
    let Claim::Exactly(published) = claim else {
        return None;
    };
    // Bytes a second would lie far off from everything else.
    let scale = if dimension == Dimension::Bandwidth {
        1e-6
    } else {
        1.0
    };
    let is_shown = |x: f64| x.is_finite() && x > 0.0;
    (is_shown(published) && is_shown(predicted)).then_some((published * scale, predicted * scale))
}

/// The line of equality with its band, over the range of all points.
pub fn parity_chart(points: impl Iterator<Item = (f64, f64)>) -> ChartData {
    let (low, high) = points.fold((f64::INFINITY, 0.0_f64), |(low, high), (x, y)| {
        (low.min(x).min(y), high.max(x).max(y))
    });
    let range = if low > high {
        (1.0, 10.0)
    } else {
        (low / 2.0, high * 2.0)
    };
    let axis = |label: &str| Axis {
        label: label.to_owned(),
        measure: Measure::Number,
        log: true,
        range,
    };
    let ends = [range.0, range.1];
    ChartData {
        title: "Predicted against published, in sample".to_owned(),
        x: axis("published (s, 1/s, MB/s, share: each in its own unit)"),
        y: axis("predicted"),
        series: vec![Series {
            name: format!("equal ± {:.0} %", BAND * 100.0),
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

/// Published figures in sample, in the colour and shape of their source.
pub fn parity_svg(calibrated: &Calibrated<'_>) -> Svg {
    let rows = calibrated.accuracy.rows.iter();
    let points = rows.filter_map(|predicted| {
        let row = &calibrated.rows[predicted.row];
        let source = source_of(&row.datum);
        Some((
            source,
            parity_point(row.claim, row.dimension, predicted.predicted)?,
        ))
    });
    let points: Vec<(&str, (f64, f64))> = points.collect();
    let mut legend: Vec<String> = points
        .iter()
        .map(|(source, _)| (*source).to_owned())
        .collect();
    legend.sort_unstable();
    legend.dedup();
    let index = |source: &str| {
        legend
            .iter()
            .position(|one| one == source)
            .unwrap_or_default()
    };
    let dots: Vec<Dot> = points
        .iter()
        .map(|(source, at)| Dot {
            index: index(source),
            at: *at,
        })
        .collect();
    let beside = Beside {
        dots: &dots,
        legend: &legend,
        ..Beside::default()
    };
    chart_svg(
        &parity_chart(points.iter().map(|(_, at)| *at)),
        &beside,
        &Theme::LIGHT,
    )
}
