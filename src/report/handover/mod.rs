//! The hand-over report as data: sections of tables, charts and sentences, the same for every format.
//!
//! The first section is a page that can be handed over alone; then why it is this layout, the details, and appendices
//! to look things up.
//!
//! Whoever writes it down (HTML, Markdown) decides how it looks; what it says is decided here. Nothing
//! in it is markup.

mod accuracy;
mod appendix;
mod bill;
mod choice;
mod doubts;
mod growth;
mod layout;
mod peak;
mod recovery;
mod summary;

use super::Inputs;
use super::answer::{Answer, Asked, LimitRow, Stands};
use super::chart::{BarsData, ChartData};
use super::diagram::Diagram;
use super::prose::{Names, capital};
use crate::advisor::{Advice, Views};
use crate::emit::ConfigFile;

pub use accuracy::accuracy_measures;

/// What a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// What the advice was made from.
    pub inputs: Inputs<'a>,
    /// The advice.
    pub advice: &'a Advice,
    /// What is drawn of it; `None` where nothing is recommended.
    pub views: Option<&'a Views>,
    /// The configuration of its servers.
    pub configuration: &'a [ConfigFile],
    /// Sections of others, before the appendices.
    pub further: &'a [Section],
}

/// The same, with the names that people use for the catalogue's ids.
struct Told<'a> {
    inputs: Inputs<'a>,
    advice: &'a Advice,
    views: Option<&'a Views>,
    configuration: &'a [ConfigFile],
    names: Names,
}

impl Told<'_> {
    /// The title of a layout.
    fn title<'t>(&'t self, layout: &'t str) -> &'t str {
        let known = self.inputs.catalog.layouts.get(layout);
        known.map_or(layout, |known| &known.entry.title)
    }
}

/// The report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The site's name.
    pub title: String,
    /// Whether the work is carried.
    pub stands: Stands,
    /// Files and hashes that it was made from.
    pub made_from: String,
    /// In their order.
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Where links to it lead.
    pub anchor: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Whether it is one to look things up in.
    pub appendix: bool,
    /// In their order.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// The sentence that matters most.
    Lead(String),
    /// A paragraph.
    Text(String),
    /// A remark.
    Note(String),
    /// A heading within the section.
    Heading(String),
    /// The same, where links lead.
    Anchor(&'static str, String),
    /// Short sentences, one below the other.
    Points(Vec<Cell>),
    /// A table.
    Table(Grid),
    /// Columns beside each other.
    Beside(Vec<Vec<Self>>),
    /// Lines.
    Chart(ChartData),
    /// Lines, drawn half as wide.
    Small(ChartData),
    /// Bars; whether they say how busy something is.
    Bars(BarsData, bool),
    /// The layout.
    Diagram(Diagram),
    /// Something found.
    Card(Card),
}

/// A finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// "warning".
    pub badge: &'static str,
    /// The rule.
    pub id: String,
    /// What was found.
    pub message: String,
    /// What to do.
    pub action: String,
    /// Id and words of what it rests on.
    pub evidence: Vec<(String, String)>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    /// Heads of its columns.
    pub heads: Vec<Head>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// Whether it is long and looked things up in: small type.
    pub small: bool,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// Its words.
    pub text: &'static str,
    /// Whether it holds numbers.
    pub right: bool,
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Where links to it lead; empty if there are none.
    pub anchor: String,
    /// As many as there are heads.
    pub cells: Vec<Cell>,
    /// Whether it stands out.
    pub strong: bool,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// The anchor of what it speaks of; empty if there is none.
    pub link: String,
}

impl Grid {
    /// A table with these heads; a head that starts with `>` belongs to a column of numbers.
    pub(crate) fn new(heads: &[&'static str]) -> Self {
        let head = |text: &&'static str| Head {
            text: text.trim_start_matches('>'),
            right: text.starts_with('>'),
        };
        Self {
            heads: heads.iter().map(head).collect(),
            ..Self::default()
        }
    }

    /// The same in small type.
    fn small(heads: &[&'static str]) -> Self {
        Self {
            small: true,
            ..Self::new(heads)
        }
    }

    /// The same without columns that say nothing.
    fn filled(mut self) -> Self {
        for column in (0..self.heads.len()).rev() {
            if self
                .rows
                .iter()
                .all(|row| row.cells[column].text.is_empty())
            {
                self.heads.remove(column);
                for row in &mut self.rows {
                    row.cells.remove(column);
                }
            }
        }
        self
    }

    /// A row of as many cells as there are heads.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.linked(String::new(), cells.into_iter().map(Cell::plain).collect());
    }

    fn linked(&mut self, anchor: String, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.heads.len(), "a cell for each head");
        self.rows.push(Row {
            anchor,
            cells,
            strong: false,
        });
    }

    fn strong(&mut self, cells: Vec<String>) {
        self.row(cells);
        if let Some(row) = self.rows.last_mut() {
            row.strong = true;
        }
    }
}

impl Cell {
    pub(super) fn plain(text: String) -> Self {
        Self {
            text,
            link: String::new(),
        }
    }

    fn to(text: impl Into<String>, link: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            link: link.into(),
        }
    }
}

/// The report on an advice.
pub fn report(source: &Source<'_>) -> Report {
    let Source {
        inputs,
        advice,
        views,
        configuration,
        further,
    } = *source;
    let answer = Answer::of(inputs.site, inputs.catalog, advice);
    let told = &Told {
        inputs,
        advice,
        views,
        configuration,
        names: Names::of(inputs.catalog),
    };
    let mut sections = vec![summary::summary(told, &answer)];
    sections.push(choice::alternatives(told, &answer));
    sections.extend(doubts::findings(told, &answer));
    if let Some(chosen) = &advice.chosen {
        sections.push(layout::layout(told, chosen, &answer));
        sections.push(peak::peak(told, chosen, &answer));
        sections.push(growth::growth(told, &answer));
        sections.push(recovery::recovery(told, chosen));
        sections.push(bill::bill(told, chosen, &answer));
    }
    sections.extend_from_slice(further);
    sections.extend(doubts::assumptions(told, &answer));
    sections.push(accuracy::accuracy(told));
    sections.extend(appendix::configuration(told));
    sections.extend(appendix::numbers(told));
    Report {
        title: inputs.site.name.clone(),
        stands: answer.stands,
        made_from: made_from(&inputs),
        sections,
    }
}

/// "in about 6 years: large sync misses its target of 25 min"
fn limit(row: &LimitRow) -> String {
    format!(
        "{}: {}.",
        capital(&row.when),
        row.text.trim_end_matches('.')
    )
}

/// The question, what is assumed for it, and what another answer would do.
fn asked(asked: &Asked) -> String {
    let case = match asked.case.as_str() {
        "" => String::new(),
        case => format!("; {case}"),
    };
    let Asked {
        question,
        assumed,
        path,
        ..
    } = asked;
    format!("{question} Assumed {assumed}{case} ({path}).")
}

fn made_from(inputs: &Inputs<'_>) -> String {
    let header = inputs.header();
    let input = &header["input"];
    let text = |key: &str| input[key].as_str().unwrap_or_default().to_owned();
    format!(
        "plimsoll {} · site file {} ({}) · parameters {}",
        env!("CARGO_PKG_VERSION"),
        text("site"),
        text("site_hash"),
        text("parameters_hash")
    )
}
