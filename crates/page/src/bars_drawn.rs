//! Bars, laid out: one row a bar, its name before it and its number behind it.

use crate::chart::{Bar, BarsData};
use crate::diagram::Rect;
use crate::pen::{Anchor, Font, Ink, Pen, Place, Tooltip};

/// Height of a row in units of the size of text.
const ROW: f64 = 1.9;
/// Share of the width for names, and the most where one is longer.
const NAMES: [f64; 2] = [0.49, 0.65];

/// How high so many bars are in text of a size \[px\].
pub fn bars_height(data: &BarsData, text: f64) -> f64 {
    data.bars.len() as f64 * ROW * text + 4.0
}

/// Draws bars over a width \[px\] in text of a size \[px\]; those that say how busy something is take that colour.
pub fn bars<P: Pen>(pen: &mut P, data: &BarsData, is_busy: bool, width: f64, text: f64) {
    let font = Font::new(text, Ink::Text);
    let show = |bar: &Bar| data.measure.show(bar.value);
    let widths = data.bars.iter().map(|bar| pen.width(&show(bar), font.strong(true)));
    let behind = widths.fold(0.0, f64::max) + 12.0;
    let names = data.bars.iter();
    let names = names.map(|bar| pen.width(&bar.label, font.strong(bar.emphasis)) + 18.0);
    let [usual, most] = NAMES.map(|share| share * width);
    let start = names.fold(usual, f64::max).min(most);
    let full = (width - start - behind).max(8.0);
    for (n, bar) in data.bars.iter().enumerate() {
        let row = Rect::new(0.0, 2.0 + n as f64 * ROW * text, width, ROW * text);
        let fill = match bar.emphasis {
            // The palest step would not show on paper.
            _ if is_busy => Ink::Busy(bar.value.max(0.25)),
            true => Ink::Accent,
            false => Ink::Busy(0.5),
        };
        let words = format!("{}: {}", bar.label, show(bar));
        let tooltip = Tooltip { words: &[&words, &bar.note], about: &bar.about };
        pen.with_tooltip(Place::Box(row), &tooltip, |pen, is_lit| {
            let is_lit = is_lit && !bar.about.is_empty();
            let ink = if is_lit { Ink::Accent } else { Ink::Text };
            let font = Font { ink, ..font }.strong(bar.emphasis);
            let name = font.at(Anchor::End).within(start - 16.0);
            pen.text((start - 10.0, row.middle()), &bar.label, name);
            pen.text((start + full + 8.0, row.middle()), &show(bar), font);
            let share = (bar.value / data.full).clamp(0.0, 1.0);
            for (length, fill) in [(full, Ink::Card), (full * share, fill)] {
                let bar = Rect::new(start, row.y + 4.0, length.max(1.0), row.height - 8.0);
                pen.rect(bar, 2.0, fill, None);
            }
        });
    }
}
