//! A chart of lines, laid out: where axes, lines, bands and marks lie, and their names, so that no text lies on another.

use crate::chart::{Across, Axis, ChartData, Mark, Measure, Series};
use crate::diagram::Rect;
use crate::pen::{Anchor, Font, Ink, Pen, Point, spread};
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
}

impl Frame {
    /// As wide as a page.
    pub const WHOLE: Self = Self { width: 720.0, height: 258.0, text: 11.5 };
    /// As wide as half a page.
    pub const HALF: Self = Self { width: 352.0, height: 168.0, text: 10.5 };
}

/// What lies on a chart beside its lines.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Beside<'a> {
    /// The same lines as they were before: dashed.
    pub before: &'a [Series],
    /// Single values.
    pub whiskers: &'a [Whisker],
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
        (self.x.place(x), self.y.place(y).clamp(self.area.y, self.area.bottom()))
    }
}

/// More lines with bands than this would cover each other: intervals at one place instead.
const BANDS_MAX: usize = 2;
/// The names of lines take at most the first share of the width, or the second where they would be cut.
const NAMES: [f64; 2] = [0.3, 0.4];
/// Rows of a long name, where there is room for them.
const ROWS_MAX: usize = 3;
/// Room for numbers and the name of an axis: beside it and below it, in units of the size of text.
const AXES: (f64, f64) = (5.6, 3.5);

/// Share of the whole that an axis has for its numbers: their count does not depend on names.
const TICKED: f64 = 0.6;
/// From one row of text to the next, in units of the size of text; and between two names \[px\].
const ROW: f64 = 1.15;
const GAP: f64 = 2.0;

/// Draws a chart, and tells where its lines lie.
pub fn chart<P: Pen>(pen: &mut P, data: &ChartData, beside: &Beside<'_>, frame: Frame) -> Plotted {
    let text = frame.text;
    let names = names(pen, data, frame);
    let rows_of_names = names.iter().flat_map(|name| &name.rows);
    let widths = rows_of_names.map(|(_, width)| *width);
    let right = widths.fold(0.0, f64::max) + text * 1.6;
    let left = AXES.0 * text;
    let width = (frame.width - left - right).max(1.0);
    let x = Scale::new(&data.x, left, left + width);
    let marks = rows(pen, data, x, frame);
    let above = marks.iter().map(|(_, _, row)| row + 1).max().unwrap_or(0);
    let top = (0.6 + 1.3 * above as f64) * text;
    let below = text * AXES.1;
    let area = Rect::new(left, top, width, (frame.height - top - below).max(1.0));
    let y = Scale::new(&data.y, area.bottom(), area.y);
    let plotted = Plotted { area, x, y };
    let chart = Drawing { data, frame, plotted };
    chart.axes(pen);
    chart.bands(pen);
    for series in beside.before {
        chart.line(pen, series, true);
    }
    for series in &data.series {
        chart.line(pen, series, false);
    }
    for Whisker { index, x: at, y: (low, value, high) } in beside.whiskers {
        let (x, ink) = (x.place(*at), Ink::Series(*index));
        chart.interval(pen, x, (*low, *high), ink);
        let (_, y) = plotted.inside((*at, *value));
        pen.dot((x, y), 4.0, Ink::Card, Some(ink.stroke(2.0)));
    }
    chart.marks(pen, &marks);
    chart.names(pen, names);
    chart.readings(pen);
    plotted
}

/// A name beside the lines: its rows with their widths, and to what it belongs.
struct Name {
    rows: Vec<(String, f64)>,
    of: NameOf,
}

enum NameOf {
    /// A line that ends here.
    Line(usize, (f64, f64)),
    /// A value across.
    Across(f64, Ink),
}

/// The names of lines and of values across, each in one row, or in more where it is long.
fn names<P: Pen>(pen: &P, data: &ChartData, frame: Frame) -> Vec<Name> {
    let top = data.y.range.1;
    let lines = data.series.iter().filter_map(|series| {
        let end = *visible(&series.points, top).last()?;
        Some((&series.name, NameOf::Line(series.index, end)))
    });
    let across = across(data, Across::Y).filter(|mark| !mark.label.is_empty());
    let across = across.map(|mark| (&mark.label, NameOf::Across(mark.at, ink_across(data, mark))));
    let font = Font::new(frame.text, Ink::Text);
    let all: Vec<(&String, NameOf)> = lines.chain(across).collect();
    let height = frame.height - (0.6 + AXES.1) * frame.text;
    let column = |share: f64, most: usize| {
        let room = frame.width * share - 1.6 * frame.text;
        let width = |text: &str| pen.width(text, font);
        let names = all.iter().map(|(name, _)| in_rows(name, most, |text| width(text) <= room));
        let names: Vec<Vec<&str>> = names.collect();
        let heights = names.iter().map(|rows| rows.len() as f64 * ROW * frame.text + GAP);
        Column {
            has_height: heights.sum::<f64>() <= height,
            is_whole: names.iter().flatten().all(|row| width(row) <= room),
            names,
            room,
        }
    };
    let shares = NAMES.into_iter();
    let columns = shares.flat_map(|share| (1..=ROWS_MAX).rev().map(move |most| (share, most)));
    // Where no name can be whole, each has one row.
    let column = columns
        .map(|(share, most)| column(share, most))
        .find(|column| column.has_height && column.is_whole)
        .unwrap_or_else(|| column(NAMES[1], 1));
    let named = all.into_iter().zip(column.names);
    let named = named.map(|((_, of), rows)| {
        let rows = rows.into_iter();
        let rows = rows.map(|row| (row.to_owned(), pen.width(row, font).min(column.room)));
        Name { rows: rows.collect(), of }
    });
    named.collect()
}

/// A way to set names below each other.
struct Column<'n> {
    /// The rows of each.
    names: Vec<Vec<&'n str>>,
    /// The longest row \[px\].
    room: f64,
    /// Whether the chart is high enough for all.
    has_height: bool,
    /// Whether no row is cut.
    is_whole: bool,
}

/// A name in one row, or in at most so many where it is long.
fn in_rows(name: &str, most: usize, fits: impl Fn(&str) -> bool) -> Vec<&str> {
    let (mut rows, mut rest) = (Vec::new(), name);
    while rows.len() + 1 < most && !fits(rest) {
        // Before a limit rather than within it.
        let limit = rest.find(" ≤ ").filter(|at| fits(&rest[..*at]));
        let mut breaks = rest.match_indices(' ').map(|(at, _)| at).rev();
        let Some(at) = limit.or_else(|| breaks.find(|at| fits(&rest[..*at]))) else {
            break;
        };
        rows.push(&rest[..at]);
        rest = &rest[at + 1..];
    }
    rows.push(rest);
    rows
}

/// The marks across an axis that lie within it.
fn across(data: &ChartData, axis: Across) -> impl Iterator<Item = &Mark> {
    let (low, high) = if axis == Across::X { data.x.range } else { data.y.range };
    let marks = data.marks.iter().filter(move |mark| mark.across == axis);
    marks.filter(move |mark| (low..=high).contains(&mark.at))
}

/// A mark across the x axis, the middle of its name, and the row of that, counted upward.
type Placed<'d> = (&'d Mark, f64, usize);

/// Names of the marks across the x axis in rows above the lines.
fn rows<'d, P: Pen>(pen: &P, data: &'d ChartData, x: Scale, frame: Frame) -> Vec<Placed<'d>> {
    let mut marks: Vec<&Mark> = across(data, Across::X).collect();
    marks.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut ends: Vec<f64> = Vec::new();
    let place = |mark: &'d Mark| {
        let half = pen.width(&mark.label, Font::new(frame.text, Ink::Text)) / 2.0;
        let at = x.place(mark.at);
        let start = (at - half).min(frame.width - 2.0 * half).max(0.0);
        // A name may lie to the right of the middle as long as its line leads to it.
        let first = start.max(at - half / 4.0);
        let row = ends.iter().position(|end| *end + 6.0 <= first);
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
        let Plotted { area, x, y } = self.plotted;
        let Frame { width, height, text } = self.frame;
        let font = Font::new(text, Ink::Muted);
        let (left, right, bottom) = (area.x, area.right(), area.bottom());
        let show = |axis: &Axis, value: f64| at_axis(axis.measure, value);
        let (data_x, data_y) = (&self.data.x, &self.data.y);
        for tick in ticks(data_y, (height * TICKED / (2.1 * text)) as usize) {
            let at = y.place(tick);
            pen.line(&[(left, at), (right, at)], Ink::Line.stroke(0.75));
            pen.text((left - 6.0, at), &show(data_y, tick), font.at(Anchor::End));
        }
        let middle = font.at(Anchor::Middle);
        for tick in ticks(data_x, (width * TICKED / (3.8 * text)) as usize) {
            let at = x.place(tick);
            pen.line(&[(at, bottom), (at, bottom + 4.0)], Ink::Muted.stroke(1.0));
            pen.text((at, bottom + 5.0 + text * 0.6), &show(data_x, tick), middle);
        }
        let axes = [(left, area.y), (left, bottom), (right, bottom)];
        pen.line(&axes, Ink::Muted.stroke(1.0));
        let name = |axis: &Axis| axis.label.replace('\n', " ");
        let below = (area.center().0, height - text * 0.7);
        pen.text(below, &name(data_x), middle.within(width));
        let beside = font.at(Anchor::Upright).within(bottom);
        pen.text((text * 0.7, area.middle()), &name(data_y), beside);
    }

    /// What lines may be in truth; of many lines at one place alone, each a little beside the others.
    fn bands<P: Pen>(&self, pen: &mut P) {
        let banded = self.data.series.iter().filter(|s| !s.band.is_empty());
        let banded: Vec<&Series> = banded.collect();
        let today = self.data.marks.iter().find(|m| m.across == Across::X);
        for (n, Series { index, band, .. }) in banded.iter().enumerate() {
            if banded.len() <= BANDS_MAX {
                let high = band.iter().map(|(x, _, high)| self.plotted.inside((*x, *high)));
                let low = band.iter().map(|(x, low, _)| self.plotted.inside((*x, *low)));
                let [high, low] = [high.collect::<Vec<_>>(), low.collect()];
                pen.area(&high, &low, Ink::Series(*index).faded(0.14));
            } else if let Some(today) = today {
                let off = |band: &&(f64, f64, f64)| (band.0 - today.at).abs();
                let nearest = band.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
                let beside = (n as f64 - (banded.len() as f64 - 1.0) / 2.0) * 7.0;
                let x = self.plotted.x.place(today.at) + beside;
                if let Some((_, low, high)) = nearest {
                    self.interval(pen, x, (*low, *high), Ink::Series(*index));
                }
            }
        }
    }

    fn interval<P: Pen>(&self, pen: &mut P, x: f64, ends: (f64, f64), ink: Ink) {
        let [low, high] = [ends.0, ends.1].map(|y| self.plotted.inside((0.0, y)).1);
        pen.line(&[(x, low), (x, high)], ink.stroke(1.5));
        for y in [low, high] {
            pen.line(&[(x - 2.5, y), (x + 2.5, y)], ink.stroke(1.5));
        }
    }

    fn line<P: Pen>(&self, pen: &mut P, series: &Series, is_before: bool) {
        let points = visible(&series.points, self.data.y.range.1).into_iter();
        let points: Vec<Point> = points.map(|point| self.plotted.inside(point)).collect();
        let ink = Ink::Series(series.index);
        match points[..] {
            // A line of one point would not be seen.
            [point] => pen.dot(point, 3.0, ink, None),
            _ if is_before => pen.line(&points, ink.stroke(1.5).dashed()),
            _ => pen.line(&points, ink.stroke(2.0)),
        }
    }

    /// Lines of the marks, and the names of those across the x axis.
    fn marks<P: Pen>(&self, pen: &mut P, rows: &[Placed<'_>]) {
        let (area, text) = (self.plotted.area, self.frame.text);
        let level = |row: usize| area.y - text * (0.8 + 1.3 * row as f64);
        let ink = |mark: &Mark| if mark.limit { Ink::Limit } else { Ink::Muted };
        for (mark, _, row) in rows {
            let x = self.plotted.x.place(mark.at);
            let ends = [(x, level(*row) + text * 0.6), (x, area.bottom())];
            pen.line(&ends, ink(mark).stroke(1.0).dashed());
        }
        // A name may lie on the line of a mark whose own name is above it.
        for (mark, middle, row) in rows {
            let font = Font::new(text, ink(mark)).at(Anchor::Middle).within(self.frame.width);
            let (width, y) = (pen.width(&mark.label, font), level(*row));
            let behind = Rect::new(middle - width / 2.0, y - text * 0.6, width, text * 1.2);
            pen.rect(behind, 0.0, Ink::Paper, None);
            pen.text((*middle, y), &mark.label, font);
        }
        for mark in across(self.data, Across::Y) {
            let y = self.plotted.y.place(mark.at);
            let stroke = ink_across(self.data, mark).stroke(1.0).dashed();
            pen.line(&[(area.x, y), (area.right(), y)], stroke);
        }
    }

    /// Names behind the ends of lines and values across, each with a thread to what it names.
    fn names<P: Pen>(&self, pen: &mut P, mut names: Vec<Name>) {
        let (area, text) = (self.plotted.area, self.frame.text);
        let row = text * ROW;
        let end = |name: &Name| match name.of {
            NameOf::Line(index, end) => (self.plotted.inside(end), Ink::Series(index)),
            NameOf::Across(at, ink) => (self.plotted.inside((self.data.x.range.1, at)), ink),
        };
        names.sort_by(|a, b| end(a).0.1.total_cmp(&end(b).0.1));
        let wanted: Vec<f64> = names.iter().map(|name| end(name).0.1).collect();
        let heights: Vec<f64> = names.iter().map(|name| name.rows.len() as f64 * row + GAP).collect();
        let middles = spread(&wanted, &heights, (area.y - row, area.bottom() + row));
        let x = area.right() + 1.2 * text;
        for (name, y) in names.iter().zip(middles) {
            let ((end_x, end_y), ink) = end(name);
            let end = (end_x.min(area.right()), end_y);
            pen.line(&[end, (x - 3.0, y)], ink.stroke(1.0));
            let first = y - (name.rows.len() as f64 - 1.0) * row / 2.0;
            for (place, (shown, width)) in name.rows.iter().enumerate() {
                pen.text((x, first + place as f64 * row), shown, Font::new(text, Ink::Text).within(width + 0.5));
            }
        }
    }

    /// Places that say their numbers when they are pointed at.
    fn readings<P: Pen>(&self, pen: &mut P) {
        let (x, y) = (self.data.x.measure, self.data.y.measure);
        let unit = if x == Measure::Years { " years" } else { "" };
        for Series { name, index, points, .. } in &self.data.series {
            for point in visible(points, self.data.y.range.1) {
                let (at, is) = (x.show(point.0), y.show(point.1));
                let words = format!("{name} at {at}{unit}: {is}");
                pen.reading(self.plotted.inside(point), Ink::Series(*index), &words);
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
