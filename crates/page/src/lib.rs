//! An answer as a page: sections of sentences, tables, charts and a diagram, and what writes it down.
//!
//! ```text
//!  Page ─► Section ─► Block ─┬► text      for a terminal
//!                            ├► html      one file, pictures inside
//!                            └► markdown  for a wiki or a ticket
//!                    Table ──── screen    what fits; the rest gives way step by step
//!
//!  chart, bars, diagram, load line ─► laid out once ─► Pen ─┬► SVG
//!                                                           └► the window
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

mod bars_drawn;
mod block;
mod chart;
mod chart_drawn;
mod diagram;
mod diagram_drawn;
mod html;
mod load_line;
mod markdown;
mod markup;
mod parts;
pub mod pen;
mod pen_svg;
pub mod place;
mod scale;
mod screen;
mod text;
mod theme;

pub use bars_drawn::{bars, bars_height};
pub use block::{Block, Card, Cell, Drawn, Head, Page, Range, Row, Section, Table, Tone};
pub use chart::{Across, Axis, Bar, BarsData, ChartData, Mark, Measure, Series, between, count, plain, short_share};
pub use chart_drawn::{Beside, Frame, Plotted, Whisker, chart};
pub use diagram::{Diagram, Link, Node, NodeKind, Rect};
pub use diagram_drawn::diagram;
pub use html::{GENERATOR, page_html};
pub use load_line::LoadLine;
pub use markdown::page_markdown;
pub use markup::{Svg, text_width};
pub use pen_svg::{bars_svg, chart_small_svg, chart_svg, diagram_svg, load_line_svg};
pub use screen::{Fit, Keep, Screen, Width};
pub use text::{WIDTH, blocks_text, cut, hanging, page_text, paragraph, section_text, wrap};
pub use theme::{Rgb, Theme};

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
