//! The pen that writes SVG.

use crate::bars_drawn::{bars, bars_height};
use crate::chart::{BarsData, ChartData};
use crate::chart_drawn::{Beside, Frame, chart};
use crate::diagram::{Diagram, Rect};
use crate::diagram_drawn::diagram;
use crate::load_line::LoadLine;
use crate::markup::{Attribute, Markup, Svg, fitted, number, text_width};
use crate::pen::{Anchor, Font, Ink, Paint, Pen, Place, Point, Stroke, Tooltip};
use crate::theme::{FONTS, Theme};

/// Writes a picture as SVG; what is told becomes its titles.
#[derive(Debug)]
struct SvgPen<'t> {
    out: Markup,
    theme: &'t Theme,
}

/// A picture of this size \[px\] with a class for its style and a title for those who do not see it.
fn svg(class: &str, title: &str, (width, height): Point, theme: &Theme, draw: impl FnOnce(&mut SvgPen<'_>)) -> Svg {
    let (width, height) = (number(width), number(height));
    let mut out = Markup::default();
    out.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("class", class),
            ("role", "img"),
            ("width", &width),
            ("height", &height),
            ("viewBox", &format!("0 0 {width} {height}")),
            ("font-family", FONTS),
        ],
    );
    out.element("title", &[], title);
    let mut pen = SvgPen { out, theme };
    draw(&mut pen);
    pen.out.into_svg()
}

impl SvgPen<'_> {
    /// An element without content; what is seen whole needs no opacity.
    fn put(&mut self, tag: &'static str, places: &[(&'static str, String)], fill: Option<Paint>, edge: Option<Stroke>) {
        let mut all = places.to_vec();
        let mut paint = |names: [&'static str; 2], paint: Paint| {
            all.push((names[0], self.theme.of(paint.ink).hex()));
            if paint.share < 1.0 {
                all.push((names[1], number(paint.share)));
            }
        };
        if let Some(fill) = fill {
            paint(["fill", "fill-opacity"], fill);
        }
        if let Some(edge) = edge {
            paint(["stroke", "stroke-opacity"], edge.paint);
            all.push(("stroke-width", number(edge.width)));
            if edge.is_dashed {
                all.push(("stroke-dasharray", "4 3".to_owned()));
            }
        }
        let all: Vec<Attribute<'_>> = all.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.out.empty(tag, &all);
    }
}

fn numbers<const N: usize>(places: [(&'static str, f64); N]) -> [(&'static str, String); N] {
    places.map(|(name, at)| (name, number(at)))
}

fn list(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
    points.join(" ")
}

/// A chart as wide as a page.
pub fn chart_svg(data: &ChartData, beside: &Beside<'_>, theme: &Theme) -> Svg {
    framed(data, beside, Frame::WHOLE, theme)
}

/// The same, half as wide.
pub fn chart_small_svg(data: &ChartData, theme: &Theme) -> Svg {
    framed(data, &Beside::default(), Frame::HALF, theme)
}

fn framed(data: &ChartData, beside: &Beside<'_>, frame: Frame, theme: &Theme) -> Svg {
    let size = (frame.width, frame.height);
    svg("chart", &data.title, size, theme, |pen| {
        chart(pen, data, beside, frame);
    })
}

/// Bars; those that say how busy something is take that colour.
pub fn bars_svg(data: &BarsData, theme: &Theme, is_busy: bool) -> Svg {
    let (width, text) = (Frame::WHOLE.width, Frame::WHOLE.text);
    svg("bars", &data.title, (width, bars_height(data, text)), theme, |pen| bars(pen, data, is_busy, width, text))
}

/// A diagram as large as it is laid out.
pub fn diagram_svg(data: &Diagram, theme: &Theme) -> Svg {
    svg("diagram", "The layout", (data.width, data.height), theme, |pen| diagram(pen, data, (1.0, 1.0)))
}

/// The load line.
pub fn load_line_svg(line: &LoadLine, theme: &Theme) -> Svg {
    let (width, text) = (Frame::WHOLE.width, Frame::WHOLE.text);
    svg("line", &line.words(), (width, LoadLine::height(text)), theme, |pen| line.draw(pen, width, text))
}

impl Pen for SvgPen<'_> {
    fn width(&self, text: &str, font: Font) -> f64 {
        text_width(text) * font.size
    }

    fn line(&mut self, points: &[Point], stroke: Stroke) {
        let points = ("points", list(points));
        let places = [points, ("fill", "none".to_owned()), ("stroke-linejoin", "round".to_owned())];
        self.put("polyline", &places, None, Some(stroke));
    }

    fn area(&mut self, upper: &[Point], lower: &[Point], paint: Paint) {
        let corners: Vec<Point> = upper.iter().chain(lower.iter().rev()).copied().collect();
        self.put("polygon", &[("points", list(&corners))], Some(paint), None);
    }

    fn rect(&mut self, r: Rect, radius: f64, fill: impl Into<Paint>, edge: Option<Stroke>) {
        let size = [("width", r.width), ("height", r.height), ("rx", radius)];
        let places = [numbers([("x", r.x), ("y", r.y)]).as_slice(), &numbers(size)].concat();
        self.put("rect", &places, Some(fill.into()), edge);
    }

    fn dot(&mut self, (x, y): Point, radius: f64, fill: impl Into<Paint>, edge: Option<Stroke>) {
        let places = numbers([("cx", x), ("cy", y), ("r", radius)]);
        self.put("circle", &places, Some(fill.into()), edge);
    }

    fn text(&mut self, (x, y): Point, text: &str, font: Font) {
        // From the middle of digits and capitals to the line on which they stand.
        let down = font.size * 0.35;
        let (x, y, anchor) = match font.anchor {
            Anchor::Start => (x, y + down, "start"),
            Anchor::Middle => (x, y + down, "middle"),
            Anchor::End => (x, y + down, "end"),
            Anchor::Upright => (x + down, y, "middle"),
        };
        let (x, y, size) = (number(x), number(y), number(font.size));
        let colour = self.theme.of(font.ink).hex();
        let turned = format!("rotate(-90 {x} {y})");
        let mut all = vec![("x", x.as_str()), ("y", &y), ("font-size", &size)];
        all.extend([("text-anchor", anchor), ("fill", &colour)]);
        if font.is_strong {
            all.push(("font-weight", "600"));
        }
        if font.anchor == Anchor::Upright {
            all.push(("transform", &turned));
        }
        self.out.element("text", &all, &fitted(text, font.room / font.size));
    }

    fn with_tooltip(&mut self, _: Place<'_>, tooltip: &Tooltip<'_>, draw: impl FnOnce(&mut Self, bool)) {
        self.out.open("g", &[]);
        self.out.element("title", &[], &tooltip.words.join("\n"));
        draw(self, false);
        self.out.close();
    }

    fn reading(&mut self, (x, y): Point, ink: Ink, words: &str) {
        let [(_, x), (_, y)] = numbers([("cx", x), ("cy", y)]);
        let colour = self.theme.of(ink).hex();
        let place = [("class", "hover"), ("cx", x.as_str()), ("cy", &y), ("r", "5")];
        let all = [place.as_slice(), &[("fill", &colour), ("opacity", "0")]].concat();
        self.out.open("circle", &all);
        self.out.element("title", &[], words).close();
    }
}
