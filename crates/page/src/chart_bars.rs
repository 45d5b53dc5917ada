//! Charts of bars as SVG: one row a bar, its name before it and its number behind it.

use crate::chart::BarsData;
use crate::markup::{Markup, Svg, fitted, number};
use crate::theme::{FONTS, Rgb, Theme};

/// Width as shown \[px\].
const WIDTH: f64 = 720.0;
/// Height of a row \[px\].
const ROW: f64 = 22.0;
/// Size of text \[px\].
const TEXT: f64 = 11.5;
/// Where bars begin, and how long a full one is \[px\].
const START: f64 = 356.0;
const FULL: f64 = 290.0;

/// The bars as a picture; those that fill their scale take its colours where they say how busy
/// something is.
pub fn bars_svg(data: &BarsData, theme: &Theme, busy: bool) -> Svg {
    let mut out = Markup::default();
    let height = data.bars.len() as f64 * ROW + 4.0;
    out.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("class", "bars"),
            ("role", "img"),
            ("width", &number(WIDTH)),
            ("height", &number(height)),
            (
                "viewBox",
                &format!("0 0 {} {}", number(WIDTH), number(height)),
            ),
            ("font-family", FONTS),
            ("font-size", &number(TEXT)),
        ],
    );
    out.element("title", &[], &data.title);
    for (i, bar) in data.bars.iter().enumerate() {
        let top = i as f64 * ROW + 2.0;
        let baseline = top + ROW / 2.0 + TEXT * 0.35;
        let share = (bar.value / data.full).clamp(0.0, 1.0);
        let fill = if busy {
            // The palest step would not show on paper.
            theme.of_utilization(bar.value.max(0.25)).0
        } else if bar.emphasis {
            theme.accent
        } else {
            theme.busy[2]
        };
        out.open("g", &[]);
        let note = format!("{}: {}", bar.label, bar.note);
        out.element("title", &[], &note);
        let mut text = |x: f64, anchor: &str, rgb: Rgb, weight: &str, text: &str| {
            out.element(
                "text",
                &[
                    ("x", &number(x)),
                    ("y", &number(baseline)),
                    ("text-anchor", anchor),
                    ("font-weight", weight),
                    ("fill", &rgb.hex()),
                ],
                text,
            );
        };
        let weight = if bar.emphasis { "600" } else { "400" };
        let label = fitted(&bar.label, (START - 16.0) / TEXT);
        text(START - 10.0, "end", theme.ink, weight, &label);
        let end = START + FULL + 8.0;
        text(
            end,
            "start",
            theme.ink,
            weight,
            &data.measure.show(bar.value),
        );
        for (width, fill) in [(FULL, theme.card), (FULL * share, fill)] {
            out.empty(
                "rect",
                &[
                    ("x", &number(START)),
                    ("y", &number(top + 4.0)),
                    ("width", &number(width.max(1.0))),
                    ("height", &number(ROW - 8.0)),
                    ("rx", "2"),
                    ("fill", &fill.hex()),
                ],
            );
        }
        out.close();
    }
    out.into_svg()
}
