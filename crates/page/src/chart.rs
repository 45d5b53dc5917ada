//! Charts as data: series, axes, marks and bars, without a drawing library and without colours.
//!
//! Whoever paints (SVG here, the window elsewhere) gives a series the colour of its index.

use crate::block::{Head, Table};
use plimsoll_ground::units::{Seconds, significant, two_digits};

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
    /// Years from the beginning of this one, shown as those of the calendar.
    Year(i32),
    /// A score, 1 at best.
    Score,
    /// Numbers, each in a unit of its own.
    Number,
}

impl Measure {
    /// A value as it is shown on the axis and in labels.
    ///
    /// ```
    /// use plimsoll_page::Measure;
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
            Self::Year(from) => format!("{:.0}", f64::from(from) + value.floor()),
            Self::Score => format!("{value:.3}"),
            Self::Number if value != 0.0 && !(1e-4..1e6).contains(&value.abs()) => {
                format!("{value:.0e}")
            }
            Self::Number => plain(value, 3),
        }
    }
}

/// Up to so many digits, without zeros at the end.
pub fn plain(value: f64, digits: i32) -> String {
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
pub fn count(value: f64) -> String {
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
    /// The id of what it depends on most, which can be explained; empty if there is none.
    pub about: String,
    /// Whether it is the one that matters.
    pub emphasis: bool,
}

impl ChartData {
    /// Each line at its beginning, at the marks across, and at its end: the chart where nothing can be drawn.
    pub fn ends(&self) -> Table {
        let (x, y) = (self.x.measure, self.y.measure);
        let ends = self.series.iter().filter_map(|s| {
            let (first, last) = (s.points.first()?, s.points.last()?);
            Some((first.0, last.0))
        });
        let (from, to) = ends.fold((f64::INFINITY, 0.0_f64), |(a, b), (c, d)| (a.min(c), b.max(d)));
        let marks = self.marks.iter().filter(|m| m.across == Across::X);
        let mut places: Vec<(f64, &str)> = marks
            .filter(|m| m.at > from && m.at < to)
            .map(|m| (m.at, m.label.as_str()))
            .chain([(from, ""), (to, "")])
            .collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        // An end that is shown as a mark is not shown twice.
        let marked: Vec<String> =
            places.iter().filter(|(_, label)| !label.is_empty()).map(|(at, _)| x.show(*at)).collect();
        places.retain(|(at, label)| !label.is_empty() || !marked.contains(&x.show(*at)));
        let titles = places.iter().map(|(at, label)| {
            let shown = x.show(*at);
            // A label that says its place needs no other.
            let text = match *label {
                "" => shown,
                label if label.contains(&shown) => label.to_owned(),
                label => format!("{label} ({shown})"),
            };
            Head { text, right: true }
        });
        let rows = self.series.iter().map(|series| {
            let values =
                places.iter().map(|(at, _)| between(&series.points, *at).map_or("–".to_owned(), |v| y.show(v)));
            [series.name.clone()].into_iter().chain(values).collect()
        });
        let table = Table { heads: [named(&self.title)].into_iter().chain(titles).collect(), ..Table::default() };
        table.with(rows)
    }

    /// "Limits in this chart: full.": what must not be crossed upward; a target's line has no label of its own, the name of
    /// its series has it.
    pub fn limits_in_words(&self) -> Option<String> {
        let limits = self.marks.iter().filter(|m| m.across == Across::Y && !m.label.is_empty());
        let limits: Vec<&str> = limits.map(|m| m.label.as_str()).collect();
        (!limits.is_empty()).then(|| format!("Limits in this chart: {}.", limits.join("; ")))
    }
}

impl BarsData {
    /// A row for each bar.
    pub fn table(&self) -> Table {
        let rows = self.bars.iter().map(|bar| vec![bar.label.clone(), self.measure.show(bar.value)]);
        let value = Head { text: String::new(), right: true };
        let table = Table { heads: vec![named(&self.title), value], ..Table::default() };
        table.with(rows)
    }
}

/// The head of a column of names: a title may begin with any sign.
fn named(title: &str) -> Head {
    Head { text: title.to_owned(), right: false }
}

/// The value of a line at an x between its points; `None` outside of them.
///
/// ```
/// use plimsoll_page::between;
/// let line = [(0.0, 1.0), (2.0, 5.0)];
/// assert_eq!(between(&line, 1.0), Some(3.0));
/// assert_eq!(between(&line, 2.5), None);
/// ```
pub fn between(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let after = points.iter().position(|(at, _)| *at >= x * (1.0 - 1e-9))?;
    let (x1, y1) = points[after];
    let Some((x0, y0)) = after.checked_sub(1).map(|before| points[before]) else {
        return (x1 <= x * (1.0 + 1e-9)).then_some(y1);
    };
    let y = y0 + (y1 - y0) * ((x - x0) / (x1 - x0)).min(1.0);
    y.is_finite().then_some(y)
}
