//! A chart of lines, laid out: where axes, lines, bands and marks lie, and their names, so that no text lies on another.

use crate::chart::{Across, Axis, ChartData, Mark, Measure, Series};
use crate::diagram::Rect;
use crate::pen::{Anchor, Font, Ink, Pen, Point, sign, spread};
use crate::scale::{Scale, ticks};

/// How large a chart is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Its width \[px\].
    pub width: f64,
    /// Its height \[px\].
    pub height: f64,
    /// Size of its text \[px\].
    pub text: f64,
    /// Whether names of lines and axes are left out: small charts with their names over them.
    pub is_bare: bool,
}

impl Frame {
    /// As wide as a page.
    pub const WHOLE: Self = Self {
        width: 720.0,
        height: 258.0,
        text: 11.5,
        is_bare: false,
    };
    /// As wide as half a page.
    pub const HALF: Self = Self {
        width: 352.0,
        height: 168.0,
        text: 10.5,
        is_bare: false,
    };
}

/// What lies on a chart beside its lines.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Beside<'a> {
    /// The same lines as they were before: dashed.
    pub before: &'a [Series],
    /// Single values.
    pub whiskers: &'a [Whisker],
    /// Points.
    pub dots: &'a [Dot],
    /// What points of each index are, where no line has that name.
    pub legend: &'a [String],
}

/// A value beside the lines, with what it may be in truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whisker {
    /// Which series' colour.
    pub index: usize,
    /// Where.
    pub x: f64,
    /// Low end, value, high end.
    pub y: (f64, f64, f64),
}

/// A point beside the lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dot {
    /// Which series' colour and shape.
    pub index: usize,
    /// Where.
    pub at: (f64, f64),
}

/// Where the lines of a chart came to lie.
#[derive(Debug, Clone, Copy)]
pub struct Plotted {
    /// Between the axes.
    pub area: Rect,
    /// To the right.
    pub x: Scale,
    /// Upward.
    pub y: Scale,
}

impl Plotted {
    /// Where values lie.
    pub fn at(&self, (x, y): (f64, f64)) -> Point {
        (self.x.place(x), self.y.place(y))
    }

    /// The same, at the edge where it lies above or below.
    fn inside(&self, (x, y): (f64, f64)) -> Point {
        (
            self.x.place(x),
            self.y.place(y).clamp(self.area.y, self.area.bottom()),
        )
    }
}

/// More lines with bands than this would cover each other: intervals at one place instead.
const BANDS_MAX: usize = 2;
/// The names of lines take at most this share of the width.
const NAMES_MAX: f64 = 0.3;
/// Room for numbers and the name of an axis: beside it and below it, in units of the size of text.
const AXES: (f64, f64) = (5.6, 3.5);

/// Share of the whole that an axis has for its numbers: their count does not depend on names.
const TICKED: f64 = 0.6;
/// From one row of text to the next, in units of the size of text; and between two names \[px\].
const ROW: f64 = 1.15;
const GAP: f64 = 2.0;

/// Draws a chart, and tells where its lines lie.
pub fn chart<P: Pen>(pen: &mut P, data: &ChartData, beside: &Beside<'_>, frame: Frame) -> Plotted {
    let row = frame.text * 1.3;
    let names = names(pen, data, beside, frame);
    let right = names
        .iter()
        .flat_map(|name| &name.rows)
        .map(|(_, width)| *width)
        .fold(0.0, f64::max);
    let left = AXES.0 * frame.text;
    let width = frame.width
        - left
        - if frame.is_bare {
            frame.text
        } else {
            right + 1.6 * frame.text
        };
    let x = Scale::new(&data.x, left, left + width.max(1.0));
    let marks = rows(pen, data, x, frame);
    let above = marks.iter().map(|(_, _, row)| row + 1).max().unwrap_or(0);
    let top = 0.6 * frame.text + above as f64 * row;
    let below = if frame.is_bare {
        row + 6.0
    } else {
        AXES.1 * frame.text
    };
    let height = (frame.height - top - below).max(1.0);
    let area = Rect {
        x: left,
        y: top,
        width: width.max(1.0),
        height,
    };
    let y = Scale::new(&data.y, area.bottom(), area.y);
    let chart = Drawing {
        data,
        frame,
        plotted: Plotted { area, x, y },
    };
    chart.axes(pen);
    chart.bands(pen);
    for series in beside.before {
        chart.line(pen, series, true);
    }
    for series in &data.series {
        chart.line(pen, series, false);
    }
    for whisker in beside.whiskers {
        let (low, value, high) = whisker.y;
        let x = x.place(whisker.x);
        chart.interval(pen, x, low, high, whisker.index);
        pen.dot(
            (x, chart.plotted.inside((0.0, value)).1),
            4.0,
            Ink::Card.into(),
            Some(Ink::Series(whisker.index)),
        );
    }
    for dot in beside.dots {
        sign(
            pen,
            dot.index,
            chart.plotted.at(dot.at),
            4.5,
            Ink::Series(dot.index).faded(0.85),
        );
    }
    chart.marks(pen, &marks);
    chart.names(pen, names);
    chart.readings(pen);
    chart.plotted
}

/// A name beside the lines: its rows, the second of which may be empty, with their widths; and to what it belongs.
struct Name {
    rows: [(String, f64); 2],
    of: Of,
}

impl Name {
    fn count(&self) -> f64 {
        if self.rows[1].0.is_empty() { 1.0 } else { 2.0 }
    }
}

enum Of {
    /// A line that ends here.
    Line(usize, (f64, f64)),
    /// A value across.
    Across(f64, Ink),
    /// Points of this index.
    Dots(usize),
}

/// The names of lines, of values across and of points, each in one row, or in two where it is long.
fn names<P: Pen>(pen: &P, data: &ChartData, beside: &Beside<'_>, frame: Frame) -> Vec<Name> {
    if frame.is_bare {
        return Vec::new();
    }
    let top = data.y.range.1;
    let lines = data.series.iter().filter_map(|series| {
        let end = *visible(&series.points, top).last()?;
        Some((&series.name, Of::Line(series.index, end)))
    });
    let across = data
        .marks
        .iter()
        .filter(|m| m.across == Across::Y && !m.label.is_empty() && m.at <= top);
    let across = across.map(|mark| (&mark.label, Of::Across(mark.at, ink_across(data, mark))));
    let dots = beside
        .legend
        .iter()
        .enumerate()
        .map(|(index, name)| (name, Of::Dots(index)));
    let font = Font::new(frame.text, Ink::Text);
    let room = frame.width * NAMES_MAX - 1.6 * frame.text;
    let all = lines.chain(across).chain(dots);
    let all: Vec<(&String, Of)> = all.collect();
    // Where there are many, each has one row.
    let is_crowded = all.len() as f64 * (2.0 * ROW * frame.text + GAP) > frame.height;
    let name = |(name, of): (&String, Of)| {
        let rows = in_rows(name, |text| is_crowded || pen.width(text, font) <= room);
        let rows = rows.map(|row| (row.to_owned(), pen.width(row, font).min(room)));
        Name { rows, of }
    };
    all.into_iter().map(name).collect()
}

/// A name in one row, or in two where it is long.
fn in_rows(name: &str, fits: impl Fn(&str) -> bool) -> [&str; 2] {
    if fits(name) {
        return [name, ""];
    }
    // Before a limit rather than within it.
    let limit = name.find(" ≤ ").filter(|at| fits(&name[..*at]));
    let mut breaks = name.match_indices(' ').map(|(at, _)| at).rev();
    match limit.or_else(|| breaks.find(|at| fits(&name[..*at]))) {
        Some(at) => [&name[..at], &name[at + 1..]],
        None => [name, ""],
    }
}

/// Names of the marks across the x axis in rows above the lines: the mark, the middle of its name, its row from below.
fn rows<'d, P: Pen>(
    pen: &P,
    data: &'d ChartData,
    x: Scale,
    frame: Frame,
) -> Vec<(&'d Mark, f64, usize)> {
    let (low, high) = data.x.range;
    let mut marks: Vec<&Mark> = data
        .marks
        .iter()
        .filter(|m| m.across == Across::X && (low..=high).contains(&m.at))
        .collect();
    marks.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut ends: Vec<f64> = Vec::new();
    let place = |mark: &'d Mark| {
        let half = pen.width(&mark.label, Font::new(frame.text, Ink::Text)) / 2.0;
        let at = x.place(mark.at);
        let start = (at - half).min(frame.width - 2.0 * half).max(0.0);
        // A name may lie to the right of the middle as long as its line leads to it.
        let row = ends
            .iter()
            .position(|end| *end + 6.0 <= start.max(at - half / 4.0));
        let row = row.unwrap_or_else(|| {
            ends.push(f64::NEG_INFINITY);
            ends.len() - 1
        });
        let start = start.max(ends[row] + 6.0);
        ends[row] = start + 2.0 * half;
        (mark, start + half, row)
    };
    marks.into_iter().map(place).collect()
}

/// The colour of a value across: that of the line which it concerns.
fn ink_across(data: &ChartData, mark: &Mark) -> Ink {
    let series = mark.series.and_then(|place| data.series.get(place));
    series.map_or(Ink::Limit, |series| Ink::Series(series.index))
}

/// A line as far as it lies below the upper end of the axis; where it leaves, it ends.
fn visible(points: &[(f64, f64)], top: f64) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (x, y) in points {
        if *y <= top {
            kept.push((*x, *y));
            continue;
        }
        if let Some((x0, y0)) = kept.last().copied() {
            kept.push((x0 + (x - x0) * (top - y0) / (y - y0), top));
        } else {
            kept.push((*x, top));
        }
        break;
    }
    kept
}

struct Drawing<'d> {
    data: &'d ChartData,
    frame: Frame,
    plotted: Plotted,
}

impl Drawing<'_> {
    fn axes<P: Pen>(&self, pen: &mut P) {
        let (area, data, text) = (self.plotted.area, self.data, self.frame.text);
        let font = Font::new(text, Ink::Muted);
        let (left, right, bottom) = (area.x, area.right(), area.bottom());
        for tick in ticks(
            &data.y,
            (self.frame.height * TICKED / (2.1 * text)) as usize,
        ) {
            let y = self.plotted.y.place(tick);
            pen.line(&[(left, y), (right, y)], 0.75, Ink::Line.into(), false);
            pen.text(
                (left - 6.0, y),
                Anchor::End,
                &at_axis(data.y.measure, tick),
                font,
                left,
            );
        }
        for tick in ticks(&data.x, (self.frame.width * TICKED / (3.8 * text)) as usize) {
            let x = self.plotted.x.place(tick);
            pen.line(
                &[(x, bottom), (x, bottom + 4.0)],
                1.0,
                Ink::Muted.into(),
                false,
            );
            pen.text(
                (x, bottom + 5.0 + text * 0.6),
                Anchor::Middle,
                &at_axis(data.x.measure, tick),
                font,
                right,
            );
        }
        pen.line(
            &[(left, area.y), (left, bottom), (right, bottom)],
            1.0,
            Ink::Muted.into(),
            false,
        );
        if self.frame.is_bare {
            return;
        }
        let name = |axis: &Axis| axis.label.replace('\n', " ");
        let below = (left + area.width / 2.0, self.frame.height - text * 0.7);
        pen.text(
            below,
            Anchor::Middle,
            &name(&data.x),
            font,
            self.frame.width,
        );
        pen.text(
            (text * 0.7, area.middle()),
            Anchor::Upright,
            &name(&data.y),
            font,
            area.bottom(),
        );
    }

    /// What lines may be in truth; of many lines at one place alone, each a little beside the others.
    fn bands<P: Pen>(&self, pen: &mut P) {
        let banded: Vec<&Series> = self
            .data
            .series
            .iter()
            .filter(|s| !s.band.is_empty())
            .collect();
        let today = self.data.marks.iter().find(|m| m.across == Across::X);
        for (n, series) in banded.iter().enumerate() {
            if banded.len() <= BANDS_MAX {
                let ends = |end: fn(&(f64, f64, f64)) -> f64| -> Vec<Point> {
                    series
                        .band
                        .iter()
                        .map(|band| self.plotted.inside((band.0, end(band))))
                        .collect()
                };
                pen.area(
                    &ends(|b| b.2),
                    &ends(|b| b.1),
                    Ink::Series(series.index).faded(0.14),
                );
                continue;
            }
            let Some(today) = today else { continue };
            let off = |band: &(f64, f64, f64)| (band.0 - today.at).abs();
            if let Some((_, low, high)) =
                series.band.iter().min_by(|a, b| off(a).total_cmp(&off(b)))
            {
                let beside = (n as f64 - (banded.len() as f64 - 1.0) / 2.0) * 7.0;
                self.interval(
                    pen,
                    self.plotted.x.place(today.at) + beside,
                    *low,
                    *high,
                    series.index,
                );
            }
        }
    }

    fn interval<P: Pen>(&self, pen: &mut P, x: f64, low: f64, high: f64, index: usize) {
        let [low, high] = [low, high].map(|y| self.plotted.inside((0.0, y)).1);
        let paint = Ink::Series(index).into();
        pen.line(&[(x, low), (x, high)], 1.5, paint, false);
        for y in [low, high] {
            pen.line(&[(x - 2.5, y), (x + 2.5, y)], 1.5, paint, false);
        }
    }

    fn line<P: Pen>(&self, pen: &mut P, series: &Series, is_before: bool) {
        let points = visible(&series.points, self.data.y.range.1).into_iter();
        let points: Vec<Point> = points.map(|point| self.plotted.inside(point)).collect();
        let ink = Ink::Series(series.index);
        match points[..] {
            // A line of one point would not be seen.
            [point] => pen.dot(point, 3.0, ink.into(), None),
            _ if is_before => pen.line(&points, 1.5, ink.faded(0.75), true),
            _ => pen.line(&points, 2.0, ink.into(), false),
        }
    }

    /// Lines of the marks, and the names of those across the x axis.
    fn marks<P: Pen>(&self, pen: &mut P, rows: &[(&Mark, f64, usize)]) {
        let (area, text) = (self.plotted.area, self.frame.text);
        let level = |row: usize| area.y - text * (0.8 + 1.3 * row as f64);
        let ink = |mark: &Mark| if mark.limit { Ink::Limit } else { Ink::Muted };
        for (mark, _, row) in rows {
            let x = self.plotted.x.place(mark.at);
            let ends = [(x, level(*row) + text * 0.6), (x, area.bottom())];
            pen.line(&ends, 1.0, ink(mark).faded(0.8), true);
        }
        // A name may lie on the line of a mark whose own name is above it.
        for (mark, middle, row) in rows {
            let font = Font::new(text, ink(mark));
            let (width, y) = (pen.width(&mark.label, font), level(*row));
            let behind = Rect {
                x: middle - width / 2.0,
                y: y - text * 0.6,
                width,
                height: text * 1.2,
            };
            pen.rect(behind, 0.0, Ink::Paper.into(), None);
            pen.text(
                (*middle, y),
                Anchor::Middle,
                &mark.label,
                font,
                self.frame.width,
            );
        }
        let (low, high) = self.data.y.range;
        let across = self
            .data
            .marks
            .iter()
            .filter(|m| m.across == Across::Y && (low..=high).contains(&m.at));
        for mark in across {
            let y = self.plotted.y.place(mark.at);
            pen.line(
                &[(area.x, y), (area.right(), y)],
                1.0,
                ink_across(self.data, mark).faded(0.8),
                true,
            );
        }
    }

    /// Names behind the ends of lines and values across, each with a thread to what it names.
    fn names<P: Pen>(&self, pen: &mut P, mut names: Vec<Name>) {
        let (area, text) = (self.plotted.area, self.frame.text);
        let row = text * ROW;
        let end = |name: &Name| match name.of {
            Of::Line(index, end) => (self.plotted.inside(end), Ink::Series(index)),
            Of::Across(at, ink) => (self.plotted.inside((self.data.x.range.1, at)), ink),
            Of::Dots(index) => ((area.right(), area.y), Ink::Series(index)),
        };
        names.sort_by(|a, b| end(a).0.1.total_cmp(&end(b).0.1));
        let wanted: Vec<f64> = names.iter().map(|name| end(name).0.1).collect();
        let heights: Vec<f64> = names.iter().map(|name| name.count() * row + GAP).collect();
        let middles = spread(&wanted, &heights, (area.y - row, area.bottom() + row));
        let x = area.right() + 1.2 * text;
        for (name, y) in names.iter().zip(middles) {
            let ((end_x, end_y), ink) = end(name);
            match name.of {
                Of::Dots(index) => sign(pen, index, (x - 0.6 * text, y), 0.35 * text, ink.into()),
                _ => pen.line(
                    &[(end_x.min(area.right()), end_y), (x - 3.0, y)],
                    1.0,
                    ink.into(),
                    false,
                ),
            }
            let first = y - (name.count() - 1.0) * row / 2.0;
            for (n, (shown, width)) in name.rows.iter().enumerate() {
                let at = (x, first + n as f64 * row);
                pen.text(
                    at,
                    Anchor::Start,
                    shown,
                    Font::new(text, Ink::Text),
                    width + 0.5,
                );
            }
        }
    }

    /// Places that say their numbers when they are pointed at.
    fn readings<P: Pen>(&self, pen: &mut P) {
        let (x, y) = (self.data.x.measure, self.data.y.measure);
        let unit = if x == Measure::Years { " years" } else { "" };
        for series in &self.data.series {
            for point in visible(&series.points, self.data.y.range.1) {
                let words = format!(
                    "{} at {}{unit}: {}",
                    series.name,
                    x.show(point.0),
                    y.show(point.1)
                );
                pen.reading(
                    self.plotted.inside(point),
                    Ink::Series(series.index),
                    &words,
                );
            }
        }
    }
}

/// A value at an axis; a share needs no decimals there.
fn at_axis(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Share if value == 0.0 || value >= 0.01 => format!("{:.0} %", value * 100.0),
        // Rounding errors of the axis are not values.
        other => other.show((value * 1e9).round() / 1e9),
    }
}
