//! Curves of a load: commands a second, and the mean response of each kind of work beside what the model predicts.

use crate::desktop::answer::{Course, KindCourse};
use crate::page::{Across, Axis, ChartData, Mark, Measure, Series};
use crate::units::{Seconds, significant};

/// Colours: what is measured, and what is planned or predicted.
pub(super) const MEASURED: usize = 0;
pub(super) const PREDICTED: usize = 1;

/// A curve, with what stands over it.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The kind of work, or what is counted.
    pub name: String,
    /// "1.2 ms": the figure of the last piece of time.
    pub latest: String,
    /// "predicted 0.8 ms", "planned 185"; nothing where the model predicts nothing.
    pub predicted: String,
    /// The curve; none before the first command ended.
    pub chart: Option<ChartData>,
}

/// What stands over a curve before the first command ended.
const NOTHING: &str = "no command yet";

fn time(all_s: f64) -> Axis {
    Axis {
        label: String::new(),
        measure: Measure::Time,
        log: false,
        range: (0.0, all_s.max(1e-3)),
    }
}

/// Commands a second over the time.
pub fn rates(course: &Course) -> Curve {
    let highest = course.rates.iter().map(|(_, rate)| *rate);
    let highest = highest.fold(course.planned_per_s, f64::max);
    let mut marks = vec![Mark {
        at: course.planned_per_s,
        across: Across::Y,
        label: "planned".to_owned(),
        series: Some(PREDICTED),
        limit: false,
    }];
    if course.warm_up_s > 0.0 {
        marks.push(Mark {
            at: course.warm_up_s,
            across: Across::X,
            label: "counts from here".to_owned(),
            series: None,
            limit: false,
        });
    }
    let latest = course.rates.last().map(|(_, rate)| *rate);
    let title = "Commands a second";
    let chart = ChartData {
        title: title.to_owned(),
        x: time(course.all_s),
        y: Axis {
            label: String::new(),
            measure: Measure::Number,
            log: false,
            range: (0.0, highest.max(1e-3) * 1.25),
        },
        series: vec![Series {
            name: "measured".to_owned(),
            index: MEASURED,
            points: course.rates.clone(),
            band: Vec::new(),
        }],
        marks,
    };
    Curve {
        name: title.to_owned(),
        latest: latest.map_or_else(|| NOTHING.to_owned(), |rate| significant(rate, 3)),
        predicted: format!("planned {}", significant(course.planned_per_s, 3)),
        chart: latest.map(|_| chart),
    }
}

/// The mean response of each kind of work over the time, in the order of the plan.
pub fn curves(course: &Course) -> Vec<Curve> {
    let kinds = course.kinds.iter();
    kinds.map(|kind| curve(kind, course.all_s)).collect()
}

fn curve(kind: &KindCourse, all_s: f64) -> Curve {
    let words = |seconds: f64| Seconds::new(seconds).to_string();
    let latest = kind.means.last().map(|(_, mean)| *mean);
    let predicted = kind.predicted.filter(|mean| *mean > 0.0);
    let highest = kind.means.iter().map(|(_, mean)| *mean);
    let highest = highest.fold(predicted.unwrap_or(0.0), f64::max);
    let chart = latest.map(|_| ChartData {
        title: format!("Mean response of {}", kind.name),
        x: time(all_s),
        y: Axis {
            label: String::new(),
            measure: Measure::Time,
            log: false,
            range: (0.0, highest.max(1e-9) * 1.25),
        },
        series: vec![Series {
            name: "measured".to_owned(),
            index: MEASURED,
            points: kind.means.clone(),
            band: Vec::new(),
        }],
        marks: predicted
            .map(|at| Mark {
                at,
                across: Across::Y,
                label: "predicted".to_owned(),
                series: Some(PREDICTED),
                limit: false,
            })
            .into_iter()
            .collect(),
    });
    Curve {
        name: kind.name.clone(),
        latest: latest.map_or_else(|| NOTHING.to_owned(), words),
        predicted: predicted
            .map(|mean| format!("predicted {}", words(mean)))
            .unwrap_or_default(),
        chart,
    }
}
