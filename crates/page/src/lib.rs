//! An answer as a page: sections of sentences, tables, charts and a diagram, and what writes it down.
//!
//! ```text
//!  Page ─► Section ─► Block ─┬► text      for a terminal
//!                            ├► html      one file, pictures inside
//!                            └► markdown  for a wiki or a ticket
//!                    Table ──── screen    what fits; the rest gives way step by step
//! ```
//!
//! Knows how to lay out tables, draw charts and escape text for its place. Must not know what it tells of: neither p4d nor
//! storage stands here.

/// Adds a formatted line to a text.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => {{
        $out.push_str(&format!($($arg)*));
        $out.push('\n');
    }};
}

mod block;
mod chart;
mod chart_bars;
mod chart_svg;
mod diagram;
mod diagram_svg;
mod html;
mod markdown;
mod markup;
pub mod place;
mod screen;
mod text;
mod theme;

pub use block::{Block, Card, Cell, Drawn, Head, Page, Range, Row, Section, Table, Tone};
pub use chart::{
    Across, Axis, Bar, BarsData, ChartData, Mark, Measure, Series, between, count, plain,
    short_share,
};
pub use chart_bars::bars_svg;
pub use chart_svg::{chart_small_svg, chart_svg};
pub use diagram::{Diagram, Link, Node, NodeKind, Rect};
pub use diagram_svg::diagram_svg;
pub use html::{GENERATOR, page_html};
pub use markdown::page_markdown;
pub use markup::{Svg, text_width};
pub use screen::{Fit, Keep, Screen, Width};
pub use text::{WIDTH, blocks_text, cut, hanging, page_text, paragraph, section_text, wrap};
pub use theme::{Rgb, STEPS, Theme, busy_step};

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
