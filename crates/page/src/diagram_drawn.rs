//! A diagram, drawn: its boxes, its lines with their labels, and the scale of utilisation.

use crate::chart::short_share;
use crate::diagram::{Diagram, Link, Node, NodeKind, Rect};
use crate::pen::{Anchor, Font, Ink, Pen, Place, Point, Tooltip};
use crate::place::{LEADING, PAD, PILL, TEXT};
use crate::theme::STEPS;

/// Below this scale boxes show their names alone; pointing at them shows the rest.
const SMALL: f64 = 0.72;
/// Text does not shrink below this scale.
const TEXT_MIN: f64 = 0.78;
/// In a small drawing parts that are less busy have no figure.
const LEAST_SMALL: f64 = 0.05;

/// Draws a diagram, its widths and its heights so many times as large as they are laid out; pointing at a box or a line tells
/// more.
pub fn diagram<P: Pen>(pen: &mut P, diagram: &Diagram, (wide, high): (f64, f64)) {
    let drawing = Drawing { wide, high, text: high.max(TEXT_MIN), is_small: high < SMALL };
    for link in &diagram.links {
        drawing.line(pen, link);
    }
    for node in &diagram.nodes {
        drawing.node(pen, node);
    }
    for link in &diagram.links {
        drawing.label(pen, link);
    }
    drawing.legend(pen, diagram.height * high);
}

struct Drawing {
    wide: f64,
    high: f64,
    text: f64,
    is_small: bool,
}

impl Drawing {
    fn at(&self, (x, y): Point) -> Point {
        (x * self.wide, y * self.high)
    }

    fn rect(&self, r: Rect) -> Rect {
        let (x, y) = self.at((r.x, r.y));
        Rect::new(x, y, r.width * self.wide, r.height * self.high)
    }

    fn small(&self, ink: Ink) -> Font {
        Font::new((TEXT - 1.0) * self.text, ink)
    }

    /// A share that is shown: where there is little room, only of what is busy.
    fn shown(&self, utilization: Option<f64>) -> Option<f64> {
        utilization.filter(|busy| !self.is_small || *busy >= LEAST_SMALL)
    }

    fn line<P: Pen>(&self, pen: &mut P, link: &Link) {
        let points: Vec<Point> = link.points.iter().map(|point| self.at(*point)).collect();
        // Busier lines are thicker, so that colour is not alone.
        let busy = link.utilization.unwrap_or(0.0);
        let ink = if busy >= 0.2 { Ink::Busy(busy) } else { Ink::Muted };
        let stroke = ink.stroke((1.2 + 3.0 * busy.min(1.0)) * self.high);
        let words = words(&link.label, &[], &link.hover);
        let tooltip = Tooltip { words: &words, about: "" };
        pen.with_tooltip(Place::Along(&points), &tooltip, |pen, _| {
            pen.line(&points, stroke);
        });
    }

    fn node<P: Pen>(&self, pen: &mut P, node: &Node) {
        let (fill, edge, radius) = match node.kind {
            NodeKind::Office => (Ink::Paper, Ink::Line, 12.0),
            NodeKind::Network => (Ink::Card, Ink::Line, 4.0),
            NodeKind::Server => (Ink::Card, Ink::Accent, 6.0),
            NodeKind::Volume => (Ink::Paper, Ink::Line, 4.0),
            NodeKind::Store => (Ink::Card, Ink::Muted, 4.0),
        };
        let r = self.rect(node.rect);
        let words = words(&node.title, &node.lines, &node.hover);
        let tooltip = Tooltip { words: &words, about: "" };
        pen.with_tooltip(Place::Box(r), &tooltip, |pen, is_lit| {
            let edge = if is_lit { Ink::Accent.stroke(2.0) } else { edge.stroke(1.0) };
            pen.rect(r, radius * self.high, fill, Some(edge));
            if node.kind == NodeKind::Network {
                let name = self.small(Ink::Text).strong(true).at(Anchor::Upright);
                pen.text(r.center(), &node.title, name.within(r.height - 8.0));
            } else {
                self.inside(pen, node, r);
            }
        });
    }

    /// What stands in a box: its name, what is below it, and in its corner how busy it is.
    fn inside<P: Pen>(&self, pen: &mut P, node: &Node, r: Rect) {
        let pad = PAD * self.high;
        let room = r.width - 2.0 * pad;
        let (x, y) = (r.x + pad, r.y + (PAD + TEXT / 2.0 - 1.0) * self.high);
        let mut taken = 0.0;
        if let Some(busy) = self.shown(node.utilization) {
            taken = self.pill(pen, (r.right() - pad * 0.6, y), busy) + 4.0;
        }
        let title = Font::new(TEXT * self.text, Ink::Text).strong(true);
        pen.text((x, y), &node.title, title.within(room - taken));
        let lines = node.lines.iter().filter(|_| !self.is_small);
        for (line, below) in lines.zip(1..) {
            let y = y + LEADING * self.high * f64::from(below);
            pen.text((x, y), line, self.small(Ink::Muted).within(room));
        }
    }

    fn pill_width<P: Pen>(&self, pen: &P, busy: f64) -> f64 {
        let font = self.small(Ink::Text).strong(true);
        pen.width(&short_share(busy), font) + 10.0 * self.text
    }

    /// A share on its colour, its right end at a point; how wide it is.
    fn pill<P: Pen>(&self, pen: &mut P, (right, middle): Point, busy: f64) -> f64 {
        let (width, height) = (self.pill_width(pen, busy), PILL * self.text);
        let pill = Rect::new(right - width, middle - height / 2.0, width, height);
        self.on_busy(pen, pill, busy, &short_share(busy), true);
        width
    }

    /// Text on the colour of a utilisation.
    fn on_busy<P: Pen>(&self, pen: &mut P, at: Rect, busy: f64, shown: &str, is_strong: bool) {
        let radius = if is_strong { at.height / 2.0 } else { 3.0 };
        pen.rect(at, radius, Ink::Busy(busy), Some(Ink::Line.stroke(1.0)));
        let font = self.small(Ink::OnBusy(busy)).strong(is_strong);
        pen.text(at.center(), shown, font.at(Anchor::Middle).within(at.width));
    }

    fn label<P: Pen>(&self, pen: &mut P, link: &Link) {
        let label = if self.is_small { "" } else { &link.label };
        let share = self.shown(link.utilization);
        let font = self.small(Ink::Muted);
        let own = pen.width(label, font);
        let pill = share.map_or(0.0, |busy| self.pill_width(pen, busy));
        let gap = if own > 0.0 && pill > 0.0 { 5.0 } else { 0.0 };
        let (width, height) = (own + gap + pill, PILL * self.text);
        if width <= 0.0 {
            return;
        }
        let (x, y) = self.at(link.label_at);
        let rect = Rect::new(x - width / 2.0, y - height / 2.0, width, height);
        let words = words(&link.label, &[], &link.hover);
        let tooltip = Tooltip { words: &words, about: "" };
        pen.with_tooltip(Place::Box(rect), &tooltip, |pen, _| {
            if own > 0.0 {
                let behind = Rect { x: rect.x - 2.0, width: own + 4.0, ..rect };
                pen.rect(behind, 2.0, Ink::Paper, None);
                pen.text((rect.x, y), label, font);
            }
            if let Some(busy) = share {
                self.pill(pen, (rect.right(), y), busy);
            }
        });
    }

    /// The scale of utilisation, each step with its range in figures.
    fn legend<P: Pen>(&self, pen: &mut P, bottom: f64) {
        let font = self.small(Ink::Muted);
        let (width, height) = (70.0 * self.text, PILL * self.text);
        let y = bottom - height - 4.0;
        let title = "busy at the peak";
        pen.text((1.0, y + height / 2.0), title, font);
        let mut step = Rect::new(pen.width(title, font) + 13.0, y, width, height);
        for n in 0..STEPS {
            let shown = format!("{}–{} %", n * 100 / STEPS, (n + 1) * 100 / STEPS);
            self.on_busy(pen, step, (n as f64 + 0.5) / STEPS as f64, &shown, false);
            step.x += width + 4.0 * self.text;
        }
    }
}

/// A name, where there is one, and what is told below it.
fn words<'w>(title: &'w str, lines: &'w [String], hover: &'w [String]) -> Vec<&'w str> {
    let more = lines.iter().chain(hover).map(String::as_str);
    [title].into_iter().chain(more).filter(|line| !line.is_empty()).collect()
}
