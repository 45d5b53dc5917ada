//! The report as one HTML file: no script, nothing fetched, readable offline, printable.
//!
//! All text goes through [`Markup`], which escapes it; the style sheet is the program's own.

use crate::block::{Block, Card, Cell, Page, Section, Table, Tone};
use crate::chart_drawn::Beside;
use crate::markup::{Markup, Svg};
use crate::pen_svg::{bars_svg, chart_small_svg, chart_svg, diagram_svg, load_line_svg};
use crate::theme::Theme;

/// How it looks.
const STYLE: &str = include_str!("../assets/report.css");
/// The typeface, inside the page.
const FONT: &str = include_str!("../assets/font.css");
/// Begins every report.
pub const GENERATOR: &str = concat!("plimsoll ", env!("CARGO_PKG_VERSION"));
/// Words up to here are not broken in tables.
const WORD_MAX: usize = 34;
/// Pictures are drawn in this theme; the style sheet recolours them.
const THEME: Theme = Theme::LIGHT;

/// The page.
pub fn page_html(shown: &Page) -> String {
    let mut page = Markup::after("<!DOCTYPE html>\n".to_owned());
    page.open("html", &[("lang", "en")]);
    page.open("head", &[]);
    page.empty("meta", &[("charset", "utf-8")]);
    page.empty("meta", &[("name", "generator"), ("content", GENERATOR)]);
    page.empty("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    page.empty("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    page.element("title", &[], &shown.title);
    page.style(FONT);
    page.style(STYLE);
    let dark = THEME.recoloured(&Theme::DARK);
    page.style(&format!("@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n"));
    page.close();
    page.open("body", &[]);
    page.open("header", &[]);
    page.element("p", &[("class", "eyebrow")], shown.eyebrow);
    page.element("h1", &[], &shown.heading);
    page.close();
    page.open("nav", &[("aria-label", "Sections")]);
    for section in shown.sections.iter().filter(|one| one.is_titled()) {
        link(&mut page, section.anchor, section.title);
    }
    page.close();
    page.open("main", &[]);
    for (i, section) in shown.sections.iter().enumerate() {
        let verdict = shown.verdict.filter(|_| i == 0);
        let begins = section.appendix && i > 0 && !shown.sections[i - 1].appendix;
        self::section(&mut page, section, verdict, begins);
    }
    page.close();
    page.element("footer", &[], &shown.made_from);
    page.finish()
}

fn link(page: &mut Markup, anchor: &str, text: &str) {
    // What lies in another file says so.
    let to = if anchor.contains('#') { anchor.to_owned() } else { format!("#{anchor}") };
    page.element("a", &[("href", &to)], text);
}

/// How a verdict is coloured.
fn class_of(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain | Tone::Heading => "",
        Tone::Good => "carries",
        Tone::Warning => "doubtful",
        Tone::Bad => "misses",
    }
}

/// A section; the first has a verdict, and appendices begin on a page of their own.
fn section(page: &mut Markup, section: &Section, verdict: Option<Tone>, begins: bool) {
    let class = match verdict {
        Some(tone) => class_of(tone),
        None if begins => "appendices",
        None => "",
    };
    page.open("section", &[("id", section.anchor), ("class", class)]);
    if verdict.is_none() && section.is_titled() {
        let title = if section.appendix { format!("Appendix: {}", section.title) } else { section.title.to_owned() };
        page.element("h2", &[], &title);
    }
    for block in &section.blocks {
        self::block(page, block);
    }
    page.close();
}

fn block(page: &mut Markup, block: &Block) {
    match block {
        Block::Lead(text) => {
            page.element("p", &[("class", "lead")], text);
        }
        Block::Text(text) => {
            page.element("p", &[], text);
        }
        Block::Note(text) => {
            page.element("p", &[("class", "note")], text);
        }
        Block::Heading(text) => {
            page.element("h3", &[], text);
        }
        Block::Points(points) => {
            page.open("ul", &[("class", "points")]);
            for point in points {
                page.open("li", &[]);
                text_or_link(page, point);
                page.close();
            }
            page.close();
        }
        Block::Numbered(points) => {
            page.open("ol", &[]);
            for point in points {
                page.open("li", &[]);
                text_or_link(page, point);
                page.close();
            }
            page.close();
        }
        Block::Anchor(anchor, text) => {
            page.element("h3", &[("id", anchor)], text);
        }
        Block::Beside(columns) => {
            let are_charts = matches!(columns.first().map(Vec::as_slice), Some([Block::Small(_)]));
            let class = if are_charts { "beside even" } else { "beside" };
            page.open("div", &[("class", class)]);
            for column in columns {
                page.open("div", &[]);
                for block in column {
                    self::block(page, block);
                }
                page.close();
            }
            page.close();
        }
        Block::Table(grid) => table(page, grid),
        Block::Chart(chart) => {
            picture(page, &chart.title, &chart_svg(chart, &Beside::default(), &THEME));
        }
        Block::Small(chart) => picture(page, &chart.title, &chart_small_svg(chart, &THEME)),
        Block::Bars(bars, busy) => picture(page, &bars.title, &bars_svg(bars, &THEME, *busy)),
        Block::Diagram(drawn) => picture(page, "", &diagram_svg(drawn, &THEME)),
        Block::LoadLine(line) => picture(page, "", &load_line_svg(line, &THEME)),
        Block::Card(card) => self::card(page, card),
    }
}

fn table(page: &mut Markup, grid: &Table) {
    page.open("div", &[("class", "scroll")]);
    page.open("table", &[("class", if grid.small { "small" } else { "" })]);
    page.open("thead", &[]).open("tr", &[]);
    for head in &grid.heads {
        let class = if head.right { "right" } else { "" };
        page.element("th", &[("scope", "col"), ("class", class)], &head.text);
    }
    page.close().close();
    page.open("tbody", &[]);
    for row in &grid.rows {
        let class = if row.strong { "strong" } else { "" };
        if row.anchor.is_empty() {
            page.open("tr", &[("class", class)]);
        } else {
            page.open("tr", &[("class", class), ("id", &row.anchor)]);
        }
        if row.strong {
            // Its name stands over all columns.
            let text = row.cells.first().map_or("", |cell| &cell.text);
            page.element("td", &[("colspan", &grid.heads.len().to_string())], text);
        } else {
            for (head, cell) in grid.heads.iter().zip(&row.cells) {
                self::cell(page, cell, head.right);
            }
        }
        page.close();
    }
    page.close().close().close();
}

fn cell(page: &mut Markup, cell: &Cell, right: bool) {
    let longest = cell.text.split_whitespace().map(|w| w.chars().count()).max();
    let class = match (right, cell.text.as_str()) {
        (true, _) => "right",
        (_, "missed") => "missed",
        // Such a word would make the table wider than the page.
        _ if longest.is_some_and(|l| l > WORD_MAX) => "long",
        _ => "",
    };
    let mut attributes = vec![("class", class)];
    if !cell.more.is_empty() {
        attributes.push(("title", &cell.more));
    }
    page.open("td", &attributes);
    text_or_link(page, cell);
    page.close();
}

fn text_or_link(page: &mut Markup, cell: &Cell) {
    if cell.link.is_empty() {
        page.text(&cell.words());
    } else {
        link(page, &cell.link, &cell.words());
    }
}

fn picture(page: &mut Markup, caption: &str, svg: &Svg) {
    page.open("figure", &[]);
    if !caption.is_empty() {
        page.element("figcaption", &[], caption);
    }
    page.picture(svg);
    page.close();
}

/// What is wrong, what to do, on what evidence; the code comes last.
fn card(page: &mut Markup, card: &Card) {
    let class = format!("card {}", card.badge);
    page.open("div", &[("class", &class)]);
    page.open("p", &[]);
    page.element("span", &[("class", "badge")], card.badge);
    page.text(&format!(" {}.", card.message.trim_end_matches('.')));
    page.close();
    let action = card.action.trim_end_matches('.');
    let to_do = format!("What to do: {action}. How sure: {}.", card.sure);
    page.element("p", &[], &to_do);
    page.open("ul", &[]);
    for (id, words) in &card.evidence {
        page.element("li", &[], &format!("{words} ({id})"));
    }
    page.element("li", &[], &format!("plimsoll explain {}", card.id));
    page.close().close();
}
