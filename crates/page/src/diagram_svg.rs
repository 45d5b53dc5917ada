//! The diagram as SVG.

use crate::chart::short_share;
use crate::diagram::{Diagram, Link, Node, NodeKind};
use crate::markup::{Markup, Svg, fitted, number, text_width};
use crate::place::{LEADING, PAD, PILL, TEXT, label_width, pill_width};
use crate::theme::{FONTS, Rgb, STEPS, Theme};

/// Size of small text.
const SMALL: f64 = TEXT - 1.0;

/// The diagram as a picture; pointing at a box or a line tells more.
pub fn diagram_svg(diagram: &Diagram, theme: &Theme) -> Svg {
    let mut out = Markup::default();
    let (width, height) = (number(diagram.width), number(diagram.height));
    out.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("class", "diagram"),
            ("role", "img"),
            ("width", &width),
            ("height", &height),
            ("viewBox", &format!("0 0 {width} {height}")),
            ("font-family", FONTS),
        ],
    );
    out.element("title", &[], "The layout");
    for link in &diagram.links {
        line(&mut out, theme, link);
    }
    for node in &diagram.nodes {
        shape(&mut out, theme, node);
    }
    for link in &diagram.links {
        label(&mut out, theme, link);
    }
    legend(&mut out, theme, diagram);
    out.into_svg()
}

fn told(out: &mut Markup, title: &str, hover: &[String]) {
    let lines = [title].into_iter().filter(|t| !t.is_empty());
    let lines: Vec<&str> = lines.chain(hover.iter().map(String::as_str)).collect();
    out.element("title", &[], &lines.join("\n"));
}

fn line(out: &mut Markup, theme: &Theme, link: &Link) {
    let points: Vec<String> = link
        .points
        .iter()
        .map(|(x, y)| format!("{},{}", number(*x), number(*y)))
        .collect();
    // Busier lines are thicker, so that colour is not alone.
    let busy = link.utilization.unwrap_or(0.0);
    let rgb = match link.utilization {
        Some(busy) if busy >= 0.2 => theme.of_utilization(busy).0,
        _ => theme.muted,
    };
    out.open("g", &[]);
    told(out, &link.label, &link.hover);
    out.empty(
        "polyline",
        &[
            ("points", &points.join(" ")),
            ("fill", "none"),
            ("stroke", &rgb.hex()),
            ("stroke-width", &number(1.2 + 3.0 * busy.min(1.0))),
            ("stroke-linejoin", "round"),
        ],
    );
    out.close();
}

fn rectangle(
    out: &mut Markup,
    (x, y, w, h): (f64, f64, f64, f64),
    radius: f64,
    fill: Rgb,
    edge: Rgb,
) {
    out.empty(
        "rect",
        &[
            ("x", &number(x)),
            ("y", &number(y)),
            ("width", &number(w)),
            ("height", &number(h)),
            ("rx", &number(radius)),
            ("fill", &fill.hex()),
            ("stroke", &edge.hex()),
        ],
    );
}

struct Writing {
    size: f64,
    anchor: &'static str,
    weight: &'static str,
    rgb: Rgb,
}

fn text(out: &mut Markup, (x, y): (f64, f64), how: &Writing, text: &str) {
    out.element(
        "text",
        &[
            ("x", &number(x)),
            ("y", &number(y)),
            ("font-size", &number(how.size)),
            ("text-anchor", how.anchor),
            ("font-weight", how.weight),
            ("fill", &how.rgb.hex()),
        ],
        text,
    );
}

fn shape(out: &mut Markup, theme: &Theme, node: &Node) {
    let r = node.rect;
    let (fill, edge, radius) = match node.kind {
        NodeKind::Office => (theme.paper, theme.line, 12.0),
        NodeKind::Network => (theme.card, theme.line, 4.0),
        NodeKind::Server => (theme.card, theme.accent, 6.0),
        NodeKind::Volume => (theme.paper, theme.line, 4.0),
        NodeKind::Store => (theme.card, theme.muted, 4.0),
    };
    out.open("g", &[]);
    let first: Vec<String> = node.lines.iter().chain(&node.hover).cloned().collect();
    told(out, &node.title, &first);
    rectangle(out, (r.x, r.y, r.width, r.height), radius, fill, edge);
    if node.kind == NodeKind::Network {
        upright(out, theme, node);
        out.close();
        return;
    }
    let pill = node.utilization.map(short_share);
    let pill_room = pill.as_ref().map_or(0.0, |p| pill_width(p) + 6.0);
    let room = r.width - 2.0 * PAD;
    let title = Writing {
        size: TEXT,
        anchor: "start",
        weight: "600",
        rgb: theme.ink,
    };
    let x = r.x + PAD;
    let y = r.y + PAD + TEXT - 2.0;
    let shown = fitted(&node.title, (room - pill_room) / TEXT);
    text(out, (x, y), &title, &shown);
    let below = Writing {
        size: SMALL,
        anchor: "start",
        weight: "400",
        rgb: theme.muted,
    };
    for (i, one) in node.lines.iter().enumerate() {
        let y = y + LEADING * (i as f64 + 1.0);
        text(out, (x, y), &below, &fitted(one, room / SMALL));
    }
    if let (Some(shown), Some(busy)) = (&pill, node.utilization) {
        let right = r.right() - PAD + 3.0;
        share(
            out,
            theme,
            (right - pill_width(shown), r.y + PAD - 3.0),
            busy,
            shown,
        );
    }
    out.close();
}

/// The network's name along it.
fn upright(out: &mut Markup, theme: &Theme, node: &Node) {
    let r = node.rect;
    let (x, y) = (r.x + r.width / 2.0 + 4.0, r.middle());
    out.element(
        "text",
        &[
            ("x", &number(x)),
            ("y", &number(y)),
            ("font-size", &number(SMALL)),
            ("text-anchor", "middle"),
            ("font-weight", "600"),
            ("fill", &theme.ink.hex()),
            (
                "transform",
                &format!("rotate(-90 {} {})", number(x), number(y)),
            ),
        ],
        &fitted(&node.title, (r.height - 8.0) / SMALL),
    );
}

/// A share on its colour of the scale.
fn share(out: &mut Markup, theme: &Theme, (x, y): (f64, f64), busy: f64, shown: &str) {
    let (fill, on) = theme.of_utilization(busy);
    let width = pill_width(shown);
    rectangle(out, (x, y, width, PILL), PILL / 2.0, fill, theme.line);
    let how = Writing {
        size: SMALL,
        anchor: "middle",
        weight: "600",
        rgb: on,
    };
    text(out, (x + width / 2.0, y + PILL - 4.2), &how, shown);
}

fn label(out: &mut Markup, theme: &Theme, link: &Link) {
    let pill = link.utilization.map(short_share);
    let own = text_width(&link.label) * SMALL;
    let width = label_width(link);
    let gap = width - own - pill.as_ref().map_or(0.0, |p| pill_width(p));
    if width <= 0.0 {
        return;
    }
    let (x, y) = (link.label_at.0 - width / 2.0, link.label_at.1);
    out.open("g", &[]);
    told(out, &link.label, &link.hover);
    if own > 0.0 {
        rectangle(
            out,
            (x - 2.0, y - 8.0, own + 4.0, 16.0),
            2.0,
            theme.paper,
            theme.paper,
        );
        let how = Writing {
            size: SMALL,
            anchor: "start",
            weight: "400",
            rgb: theme.muted,
        };
        text(out, (x, y + 4.0), &how, &link.label);
    }
    if let (Some(shown), Some(busy)) = (&pill, link.utilization) {
        share(out, theme, (x + own + gap, y - PILL / 2.0), busy, shown);
    }
    out.close();
}

/// The scale of utilisation, each step with its range in figures.
fn legend(out: &mut Markup, theme: &Theme, diagram: &Diagram) {
    let y = diagram.height - 20.0;
    let how = Writing {
        size: SMALL,
        anchor: "start",
        weight: "400",
        rgb: theme.muted,
    };
    text(out, (1.0, y + 12.0), &how, "busy at the peak");
    for step in 0..STEPS {
        let (low, high) = (step * 100 / STEPS, (step + 1) * 100 / STEPS);
        let x = 108.0 + 74.0 * step as f64;
        rectangle(out, (x, y, 70.0, PILL), 3.0, theme.busy[step], theme.line);
        let on = Writing {
            anchor: "middle",
            rgb: theme.on_busy[step],
            ..how
        };
        text(out, (x + 35.0, y + 12.0), &on, &format!("{low}–{high} %"));
    }
}
