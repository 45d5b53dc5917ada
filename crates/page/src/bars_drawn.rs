//! Bars, laid out: one row a bar, its name before it and its number behind it.

use crate::chart::BarsData;
use crate::diagram::Rect;
use crate::pen::{Anchor, Font, Ink, Pen, Place, Told};

/// Height of a row in units of the size of text.
const ROW: f64 = 1.9;
/// Share of the width for names.
const NAMES: f64 = 0.49;

/// How high so many bars are in text of a size \[px\].
pub fn bars_height(data: &BarsData, text: f64) -> f64 {
    data.bars.len() as f64 * ROW * text + 4.0
}

/// Draws bars over a width \[px\] in text of a size \[px\]; those that say how busy something is take that colour.
pub fn bars<P: Pen>(pen: &mut P, data: &BarsData, is_busy: bool, width: f64, text: f64) {
    let font = Font::new(text, Ink::Text);
    let values: Vec<String> = data
        .bars
        .iter()
        .map(|bar| data.measure.show(bar.value))
        .collect();
    let behind = values
        .iter()
        .map(|value| pen.width(value, font.strong(true)))
        .fold(0.0, f64::max)
        + 12.0;
    let start = NAMES * width;
    let full = (width - start - behind).max(8.0);
    for (n, (bar, value)) in data.bars.iter().zip(&values).enumerate() {
        let row = Rect {
            x: 0.0,
            y: 2.0 + n as f64 * ROW * text,
            width,
            height: ROW * text,
        };
        let fill = if is_busy {
            // The palest step would not show on paper.
            Ink::Busy(bar.value.max(0.25))
        } else if bar.emphasis {
            Ink::Accent
        } else {
            Ink::Busy(0.5)
        };
        let words = format!("{}: {value}", bar.label);
        let told = Told {
            words: &[&words, &bar.note],
            about: &bar.about,
        };
        pen.told(Place::Box(row), &told, |pen, is_lit| {
            let ink = if is_lit && !bar.about.is_empty() {
                Ink::Accent
            } else {
                Ink::Text
            };
            let font = Font::new(text, ink).strong(bar.emphasis);
            pen.text(
                (start - 10.0, row.middle()),
                Anchor::End,
                &bar.label,
                font,
                start - 16.0,
            );
            pen.text(
                (start + full + 8.0, row.middle()),
                Anchor::Start,
                value,
                font,
                behind,
            );
            let share = (bar.value / data.full).clamp(0.0, 1.0);
            for (length, fill) in [(full, Ink::Card), (full * share, fill)] {
                let bar = Rect {
                    x: start,
                    y: row.y + 4.0,
                    width: length.max(1.0),
                    height: row.height - 8.0,
                };
                pen.rect(bar, 2.0, fill.into(), None);
            }
        });
    }
}
