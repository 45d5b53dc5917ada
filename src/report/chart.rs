//! Charts as data: series, axes, marks and bars, without a drawing library and without colours.
//!
//! Whoever paints (SVG here, the window elsewhere) gives a series the colour of its index.

use super::prediction_text::kind_word;
use crate::advisor::Advice;
use crate::system::Prediction;
use crate::units::{Seconds, significant, two_digits};

/// What an axis measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Multiples of today's peak load.
    Times,
    /// A time \[s\].
    Time,
    /// A share, 1 is all.
    Share,
    /// Years from today.
    Years,
    /// A score, 1 at best.
    Score,
    /// Numbers, each in a unit of its own.
    Number,
}

impl Measure {
    /// A value as it is shown on the axis and in labels.
    ///
    /// ```
    /// use plimsoll::report::Measure;
    /// assert_eq!(Measure::Times.show(1.5), "1.5 ×");
    /// assert_eq!(Measure::Time.show(0.25), "250 ms");
    /// assert_eq!(Measure::Share.show(0.123), "12 %");
    /// ```
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Times => format!("{} ×", two_digits(value)),
            Self::Time => tick_time(value),
            Self::Share => short_share(value),
            Self::Years => two_digits(value),
            Self::Score => format!("{value:.3}"),
            Self::Number if value != 0.0 && !(1e-4..1e6).contains(&value.abs()) => {
                format!("{value:.0e}")
            }
            Self::Number => plain(value, 3),
        }
    }
}

/// Up to so many digits, without zeros at the end.
pub(super) fn plain(value: f64, digits: i32) -> String {
    let shown = significant(value, digits);
    if shown.contains('.') {
        return shown.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    shown
}

/// "81 %": a share in little room.
pub fn short_share(share: f64) -> String {
    match share {
        s if s > 0.0 && s < 1e-3 => "< 0.1 %".to_owned(),
        s => format!("{} %", two_digits(s * 100.0)),
    }
}

/// A count with a blank between thousands: "30 000 000".
pub(super) fn count(value: f64) -> String {
    let digits = format!("{value:.0}");
    let first = digits.len() % 3;
    let (head, rest) = digits.split_at(first);
    let groups = rest.as_bytes().chunks(3).map(String::from_utf8_lossy);
    let head = (!head.is_empty()).then(|| head.into());
    let all: Vec<std::borrow::Cow<'_, str>> = head.into_iter().chain(groups).collect();
    all.join("\u{202f}")
}

/// "250 ms", "5 min": a time without zeros that say nothing.
fn tick_time(value: f64) -> String {
    let shown = Seconds::new(value).to_string();
    match shown.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            let number = number.trim_end_matches('0').trim_end_matches('.');
            format!("{number} {unit}")
        }
        _ => shown,
    }
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// How values are shown.
    pub measure: Measure,
    /// Whether equal steps are equal ratios.
    pub log: bool,
    /// Its ends.
    pub range: (f64, f64),
}

/// A line, with what it may be in truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// Which colour.
    pub index: usize,
    /// Places by rising x.
    pub points: Vec<(f64, f64)>,
    /// x, low end, high end (80 % interval); empty where there is none.
    pub band: Vec<(f64, f64, f64)>,
}

/// Across which axis a mark lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Across {
    /// A vertical line at an x.
    X,
    /// A horizontal line at a y.
    Y,
}

/// A line that says something of one value: a target, a limit, today.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where.
    pub at: f64,
    /// Across which axis.
    pub across: Across,
    /// What is there.
    pub label: String,
    /// The series that it concerns; `None` concerns all.
    pub series: Option<usize>,
    /// Whether it is something not to be crossed.
    pub limit: bool,
}

/// A chart of lines.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartData {
    /// What it shows.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upward.
    pub y: Axis,
    /// Its lines.
    pub series: Vec<Series>,
    /// Lines across.
    pub marks: Vec<Mark>,
}

/// A chart of bars, one a row.
#[derive(Debug, Clone, PartialEq)]
pub struct BarsData {
    /// What it shows.
    pub title: String,
    /// How values are shown.
    pub measure: Measure,
    /// The value of a full bar.
    pub full: f64,
    /// From the top.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// What it is.
    pub label: String,
    /// How long.
    pub value: f64,
    /// More about it.
    pub note: String,
    /// Whether it is the one that matters.
    pub emphasis: bool,
}

/// The busiest resources and locks, at most `most` of them.
pub fn busy_bars(prediction: &Prediction, most: usize) -> BarsData {
    let resources = prediction.resources.iter();
    let resources = resources.map(|r| {
        let kind = kind_word(r.resource.kind()).to_owned();
        (r.resource.name.clone(), r.utilization, kind)
    });
    let locks = prediction.locks.iter().map(|l| {
        let held = format!("held for {}", Seconds::new(l.hold));
        (l.lock.to_string(), l.utilization, held)
    });
    let mut all: Vec<(String, f64, String)> = resources.chain(locks).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all.retain(|(_, busy, _)| *busy >= 5e-4);
    all.truncate(most);
    BarsData {
        title: "How busy".to_owned(),
        measure: Measure::Share,
        full: 1.0,
        bars: all
            .into_iter()
            .enumerate()
            .map(|(i, (label, value, note))| Bar {
                label,
                value,
                note,
                emphasis: i == 0,
            })
            .collect(),
    }
}

/// Total scores: the chosen layout and the best of each other, at most `most` bars.
pub fn score_bars(advice: &Advice, most: usize) -> BarsData {
    let mut bars: Vec<Bar> = Vec::new();
    if let Some(chosen) = &advice.chosen {
        bars.push(Bar {
            label: chosen.deployment.layout.clone(),
            value: chosen.scores.total,
            note: "recommended".to_owned(),
            emphasis: true,
        });
    }
    for alternative in &advice.alternatives {
        let Some(scores) = &alternative.scores else {
            continue;
        };
        if bars.len() < most && !bars.iter().any(|b| b.label == alternative.layout) {
            bars.push(Bar {
                label: alternative.layout.clone(),
                value: scores.total,
                note: alternative.why_not.clone(),
                emphasis: false,
            });
        }
    }
    BarsData {
        title: "Score by layout".to_owned(),
        measure: Measure::Score,
        full: 1.0,
        bars,
    }
}
