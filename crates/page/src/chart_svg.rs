//! Charts of lines as SVG: plotters draws grid, axes and lines, and what names them is laid over it.
//!
//! plotters' coordinates are whole pixels; drawn four times as large and shown at a quarter, curves are
//! smooth.

use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;

use crate::chart::{Across, ChartData, Measure};
use crate::markup::{Markup, Svg, characters, fitted, number, text_width};
use crate::theme::{FONTS, Rgb, Theme};

/// Drawn so many times as large as shown.
const SCALE: f64 = 4.0;
/// How large a chart is \[px\], and how much of its width is for the names of its lines.
#[derive(Clone, Copy)]
struct Frame {
    size: (u32, u32),
    names: f64,
    /// Size of its text.
    label: f64,
    /// Rows above for the names of marks, and room below for the axis.
    rows: f64,
    below: f64,
    labels: (usize, usize),
}

/// As wide as a page.
const WHOLE: Frame = Frame {
    size: (720, 258),
    names: 170.0,
    label: 11.5,
    rows: 3.0,
    below: 42.0,
    labels: (8, 7),
};
/// As wide as half a page.
const HALF: Frame = Frame {
    size: (352, 168),
    names: 110.0,
    label: 10.5,
    rows: 2.0,
    below: 34.0,
    labels: (5, 5),
};
/// Room above for the names of marks: rows of them \[px\].
const ROW: f64 = 15.0;
/// More lines with bands than this would cover each other: whiskers at one place instead.
const BANDS_MAX: usize = 2;

type Error<'t> = DrawingAreaErrorKind<<SVGBackend<'t> as DrawingBackend>::ErrorType>;
type Chart<'a, 't, X, Y> = ChartContext<'a, SVGBackend<'t>, Cartesian2d<X, Y>>;

/// The chart as a picture; a sentence where it cannot be drawn.
pub fn chart_svg(data: &ChartData, theme: &Theme) -> Result<Svg, String> {
    framed(data, theme, WHOLE)
}

/// The same, half as wide.
///
/// # Errors
///
/// A sentence where it cannot be drawn.
pub fn chart_small_svg(data: &ChartData, theme: &Theme) -> Result<Svg, String> {
    framed(data, theme, HALF)
}

fn framed(data: &ChartData, theme: &Theme, frame: Frame) -> Result<Svg, String> {
    let mut text = String::new();
    let places = plot(data, theme, frame, &mut text).map_err(|error| error.to_string())?;
    Ok(finished(&text, data, theme, &places, frame))
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

fn colour(Rgb(r, g, b): Rgb) -> RGBColor {
    RGBColor(r, g, b)
}

/// Where things came to lie, in drawn pixels.
struct Places {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Of each series: its points.
    lines: Vec<Vec<(f64, f64)>>,
    /// Of each series: x, low, high.
    bands: Vec<Vec<(f64, f64, f64)>>,
    /// Of each mark: along the axis that it lies across.
    marks: Vec<f64>,
}

fn px(x: f64) -> i32 {
    (x * SCALE) as i32
}

fn plot<'t>(
    data: &ChartData,
    theme: &Theme,
    frame: Frame,
    text: &'t mut String,
) -> Result<Places, Error<'t>> {
    let size = (frame.size.0 * SCALE as u32, frame.size.1 * SCALE as u32);
    let area = SVGBackend::with_string(text, size).into_drawing_area();
    let mut builder = ChartBuilder::on(&area);
    builder
        .margin_left(px(4.0))
        .margin_right(px(frame.names))
        .margin_top(px(ROW * frame.rows + 8.0))
        .x_label_area_size(px(frame.below))
        .y_label_area_size(px(64.0));
    let (x, y) = (&data.x.range, &data.y.range);
    let places = if data.y.log {
        let ticks = times(y.0, y.1);
        let y = (y.0..y.1).log_scale().with_key_points(ticks);
        let chart = builder.build_cartesian_2d(x.0..x.1, y)?;
        lines(data, theme, frame, chart)?
    } else {
        lines(
            data,
            theme,
            frame,
            builder.build_cartesian_2d(x.0..x.1, y.0..y.1)?,
        )?
    };
    area.present()?;
    Ok(places)
}

/// Times that people count in \[s\].
fn times(low: f64, high: f64) -> Vec<f64> {
    const ABOVE: [f64; 7] = [60.0, 600.0, 3600.0, 36_000.0, 864e3, 864e4, 864e5];
    let below = (-9..=1).map(|power| 10.0_f64.powi(power));
    let all = below.chain(ABOVE);
    all.filter(|t| (low..=high).contains(t)).collect()
}

/// Draws grid, axes and lines, and tells where they lie.
fn lines<'t, X, Y>(
    data: &ChartData,
    theme: &Theme,
    frame: Frame,
    mut chart: Chart<'_, 't, X, Y>,
) -> Result<Places, Error<'t>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let font = |size: f64, rgb: Rgb| ("sans-serif", px(size)).into_font().color(&colour(rgb));
    // As much of an axis's name as fits beside it, in units of its size.
    let along = f64::from(frame.size.1) - ROW * frame.rows - frame.below - 8.0;
    let across = f64::from(frame.size.0) - frame.names - 68.0;
    let (x_shown, y_shown) = (data.x.measure, data.y.measure);
    chart
        .configure_mesh()
        .x_desc(axis_name(&data.x.label, across / frame.label))
        .y_desc(axis_name(&data.y.label, along / frame.label))
        .light_line_style(TRANSPARENT)
        .bold_line_style(colour(theme.line).stroke_width(px(0.75) as u32))
        .axis_style(colour(theme.muted).stroke_width(px(1.0) as u32))
        .x_labels(frame.labels.0)
        .y_labels(frame.labels.1)
        .x_label_formatter(&|v| tick(x_shown, *v))
        .y_label_formatter(&|v| tick(y_shown, *v))
        .label_style(font(frame.label, theme.muted))
        .axis_desc_style(font(frame.label, theme.muted))
        .set_all_tick_mark_size(px(3.0))
        .draw()?;
    for series in &data.series {
        let style = colour(theme.of_series(series.index)).stroke_width(px(2.0) as u32);
        let points = visible(&series.points, data.y.range.1);
        chart.draw_series(LineSeries::new(points, style))?;
    }
    let (xs, ys) = chart.plotting_area().get_pixel_range();
    let at = |x: f64, y: f64| {
        let (x, y) = chart.backend_coord(&(x, y));
        (f64::from(x), f64::from(y))
    };
    let inside = |y: f64| y.clamp(data.y.range.0, data.y.range.1);
    let bands = data.series.iter().map(|s| {
        let band = s.band.iter().map(|(x, low, high)| {
            let (px, low) = at(*x, inside(*low));
            (px, low, at(*x, inside(*high)).1)
        });
        band.collect()
    });
    let marks = data.marks.iter().map(|mark| match mark.across {
        Across::X => at(mark.at, data.y.range.0).0,
        Across::Y => at(data.x.range.0, mark.at).1,
    });
    Ok(Places {
        left: f64::from(xs.start),
        right: f64::from(xs.end),
        top: f64::from(ys.start),
        bottom: f64::from(ys.end),
        lines: data
            .series
            .iter()
            .map(|s| {
                let points = visible(&s.points, data.y.range.1).into_iter();
                points.map(|(x, y)| at(x, y)).collect()
            })
            .collect(),
        bands: bands.collect(),
        marks: marks.collect(),
    })
}

/// plotters escapes markup, and nothing else.
fn axis_name(label: &str, room: f64) -> String {
    fitted(&characters(label).replace('\n', " "), room)
}

/// A value at an axis; a share needs no decimals there.
fn tick(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Share if value == 0.0 || value >= 0.01 => format!("{:.0} %", value * 100.0),
        // Rounding errors of the axis are not values.
        other => other.show((value * 1e9).round() / 1e9),
    }
}

/// Lays names, marks and what is shown on hovering over what plotters drew.
fn finished(drawn: &str, data: &ChartData, theme: &Theme, places: &Places, shown: Frame) -> Svg {
    // plotters' own frame is replaced: it says the drawn size.
    let inner = drawn.split_once('>').map_or("", |(_, rest)| rest);
    let inner = inner.rsplit_once("</svg>").map_or(inner, |(rest, _)| rest);
    let mut frame = Markup::default();
    let (width, height) = (
        f64::from(shown.size.0) * SCALE,
        f64::from(shown.size.1) * SCALE,
    );
    frame.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("class", "chart"),
            ("role", "img"),
            ("width", &shown.size.0.to_string()),
            ("height", &shown.size.1.to_string()),
            ("viewBox", &format!("0 0 {width} {height}")),
            ("font-family", FONTS),
        ],
    );
    frame.element("title", &[], &data.title);
    let mut over = Overlay {
        data,
        theme,
        places,
        frame: shown,
        out: Markup::after(inner.to_owned()),
    };
    over.bands();
    over.marks_across_x();
    over.marks_across_y();
    over.names();
    over.hover();
    frame.picture(&over.out.into_svg());
    frame.into_svg()
}

/// A name in one row, or in two where it is long; the second may be empty.
fn in_rows(name: &str, room: f64) -> [String; 2] {
    if text_width(name) <= room {
        return [name.to_owned(), String::new()];
    }
    let fits = |at: &usize| text_width(&name[..*at]) <= room;
    // Before a limit rather than within it.
    let limit = name.find(" ≤ ").filter(fits);
    let mut breaks = name.match_indices(' ').map(|(at, _)| at).rev();
    match limit.or_else(|| breaks.find(fits)) {
        Some(at) => [name[..at].to_owned(), fitted(&name[at + 1..], room)],
        None => [fitted(name, room), String::new()],
    }
}

struct Overlay<'o> {
    data: &'o ChartData,
    theme: &'o Theme,
    places: &'o Places,
    frame: Frame,
    out: Markup,
}

impl Overlay<'_> {
    fn line(&mut self, from: (f64, f64), to: (f64, f64), rgb: Rgb, width: f64, dashes: &str) {
        self.out.empty(
            "line",
            &[
                ("x1", &number(from.0)),
                ("y1", &number(from.1)),
                ("x2", &number(to.0)),
                ("y2", &number(to.1)),
                ("stroke", &rgb.hex()),
                ("stroke-width", &number(width * SCALE)),
                ("stroke-dasharray", dashes),
            ],
        );
    }

    fn label(&mut self, (x, y): (f64, f64), anchor: &'static str, rgb: Rgb, text: &str) {
        self.out.element(
            "text",
            &[
                ("x", &number(x)),
                ("y", &number(y)),
                ("font-size", &number(self.frame.label * SCALE)),
                ("text-anchor", anchor),
                ("fill", &rgb.hex()),
            ],
            text,
        );
    }

    fn bands(&mut self) {
        let banded = self.places.bands.iter().filter(|b| !b.is_empty()).count();
        for (i, band) in self.places.bands.iter().enumerate() {
            let rgb = self.theme.of_series(self.data.series[i].index);
            if banded <= BANDS_MAX {
                let there = band.iter().map(|(x, low, _)| (*x, *low));
                let back = band.iter().rev().map(|(x, _, high)| (*x, *high));
                let points: Vec<String> = there
                    .chain(back)
                    .map(|(x, y)| format!("{},{}", number(x), number(y)))
                    .collect();
                self.out.empty(
                    "polygon",
                    &[
                        ("points", &points.join(" ")),
                        ("fill", &rgb.hex()),
                        ("opacity", "0.14"),
                    ],
                );
            } else {
                self.whisker(i, band, rgb);
            }
        }
    }

    /// The interval at today's load, a little beside those of the other lines.
    fn whisker(&mut self, i: usize, band: &[(f64, f64, f64)], rgb: Rgb) {
        let today = self.data.marks.iter().position(|m| m.across == Across::X);
        let Some(at) = today.map(|mark| self.places.marks[mark]) else {
            return;
        };
        let nearest = band
            .iter()
            .min_by(|a, b| (a.0 - at).abs().total_cmp(&(b.0 - at).abs()));
        if let Some((_, low, high)) = nearest {
            let dodge = (i as f64 - (self.places.bands.len() as f64 - 1.0) / 2.0) * 7.0 * SCALE;
            let x = at + dodge;
            self.line((x, *low), (x, *high), rgb, 2.0, "none");
            for y in [*low, *high] {
                let half = 2.5 * SCALE;
                self.line((x - half, y), (x + half, y), rgb, 1.5, "none");
            }
        }
    }

    /// Vertical marks, their names above in as many rows as they need.
    fn marks_across_x(&mut self) {
        let mut rows: Vec<f64> = Vec::new();
        let mut marks: Vec<usize> = (0..self.data.marks.len())
            .filter(|i| self.data.marks[*i].across == Across::X)
            .collect();
        marks.sort_by(|a, b| self.places.marks[*a].total_cmp(&self.places.marks[*b]));
        for i in marks {
            let mark = &self.data.marks[i];
            let at = self.places.marks[i];
            if at < self.places.left - 1.0 || at > self.places.right + 1.0 {
                continue;
            }
            let rgb = if mark.limit {
                self.theme.limit
            } else {
                self.theme.muted
            };
            let width = text_width(&mark.label) * self.frame.label * SCALE;
            let start = (at - width / 2.0).max(self.places.left - 40.0 * SCALE);
            let row = rows.iter().position(|end| *end < start - 6.0 * SCALE);
            let row = row.unwrap_or_else(|| {
                rows.push(0.0);
                rows.len() - 1
            });
            rows[row] = start + width;
            let y = self.places.top - (6.0 + ROW * row as f64) * SCALE;
            let top = y + 3.0 * SCALE;
            self.line((at, top), (at, self.places.bottom), rgb, 1.0, "12 10");
            self.label((start + width / 2.0, y), "middle", rgb, &mark.label);
        }
    }

    /// Horizontal marks, their names at the left, one beside the other where they are close.
    fn marks_across_y(&mut self) {
        let mut put: Vec<(f64, f64)> = Vec::new();
        let mut marks: Vec<usize> = (0..self.data.marks.len())
            .filter(|i| self.data.marks[*i].across == Across::Y)
            .collect();
        marks.sort_by(|a, b| self.places.marks[*a].total_cmp(&self.places.marks[*b]));
        for i in marks {
            let mark = &self.data.marks[i];
            let at = self.places.marks[i];
            let rgb = mark.series.map_or(self.theme.limit, |s| {
                self.theme.of_series(self.data.series[s].index)
            });
            self.line(
                (self.places.left, at),
                (self.places.right, at),
                rgb,
                1.0,
                "12 10",
            );
            if mark.label.is_empty() {
                continue;
            }
            let near = put.iter().filter(|(y, _)| (y - at).abs() < 13.0 * SCALE);
            let x = near.map(|(_, end)| *end).fold(self.places.left, f64::max) + 6.0 * SCALE;
            put.push((at, x + text_width(&mark.label) * self.frame.label * SCALE));
            self.label((x, at - 4.0 * SCALE), "start", self.theme.ink, &mark.label);
        }
    }

    /// Names at the ends of lines, spread where they would cover each other.
    fn names(&mut self) {
        let mut ends: Vec<(usize, (f64, f64))> = (0..self.data.series.len())
            .filter_map(|i| Some((i, *self.places.lines[i].last()?)))
            .collect();
        ends.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
        let room = (self.frame.names - 18.0) / self.frame.label;
        let named: Vec<[String; 2]> = ends
            .iter()
            .map(|(i, _)| in_rows(&self.data.series[*i].name, room))
            .collect();
        let count = |rows: &[String; 2]| if rows[1].is_empty() { 1.0 } else { 2.0 };
        let (row, gap) = (12.5 * SCALE, 3.0 * SCALE);
        let heights: Vec<f64> = named.iter().map(|rows| count(rows) * row + gap).collect();
        let mut ys: Vec<f64> = ends.iter().map(|(_, (_, y))| *y).collect();
        for i in 1..ys.len() {
            ys[i] = ys[i].max(ys[i - 1] + f64::midpoint(heights[i - 1], heights[i]));
        }
        // What was pushed out below comes back up.
        let mut floor = self.places.bottom + row;
        for (y, height) in ys.iter_mut().zip(&heights).rev() {
            *y = y.min(floor - height / 2.0);
            floor = *y - height / 2.0;
        }
        let x = self.places.right + 14.0 * SCALE;
        for (((i, end), y), rows) in ends.into_iter().zip(ys).zip(named) {
            let series = &self.data.series[i];
            let rgb = self.theme.of_series(series.index);
            self.line(end, (x - 3.0 * SCALE, y), rgb, 1.0, "none");
            let first = y - (count(&rows) - 1.0) * row / 2.0 + 0.35 * self.frame.label * SCALE;
            for (n, name) in rows.iter().enumerate() {
                let at = (x, first + n as f64 * row);
                self.label(at, "start", self.theme.ink, name);
            }
        }
    }

    /// Places that say their numbers when they are pointed at.
    fn hover(&mut self) {
        for (series, line) in self.data.series.iter().zip(&self.places.lines) {
            for ((x, y), (px, py)) in series.points.iter().zip(line) {
                let rgb = self.theme.of_series(series.index);
                self.out.open(
                    "circle",
                    &[
                        ("class", "hover"),
                        ("cx", &number(*px)),
                        ("cy", &number(*py)),
                        ("r", &number(5.0 * SCALE)),
                        ("fill", &rgb.hex()),
                        ("opacity", "0"),
                    ],
                );
                let at = self.data.x.measure.show(*x);
                let unit = if self.data.x.measure == Measure::Years {
                    " years"
                } else {
                    ""
                };
                let is = self.data.y.measure.show(*y);
                let title = format!("{} at {at}{unit}: {is}", series.name);
                self.out.element("title", &[], &title);
                self.out.close();
            }
        }
    }
}
