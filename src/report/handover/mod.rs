//! The hand-over report as data: sections of tables, charts and sentences, the same for every format.
//!
//! Whoever writes it down (HTML, Markdown) decides how it looks; what it says is decided here. Nothing
//! in it is markup.

mod accuracy;
mod appendix;
mod choice;
mod doubts;
mod growth;
mod layout;
mod peak;
mod summary;

use super::Inputs;
use super::chart::{BarsData, ChartData};
use super::diagram::Diagram;
use crate::advisor::{Advice, Views};
use crate::emit::{ConfigFile, Language};

/// What a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// What the advice was made from.
    pub inputs: Inputs<'a>,
    /// The advice.
    pub advice: &'a Advice,
    /// What is drawn of it; `None` where nothing is recommended.
    pub views: Option<&'a Views>,
    /// The configuration of its servers.
    pub configuration: &'a [ConfigFile],
}

/// The report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The site's name.
    pub title: String,
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
    /// Short sentences, one below the other.
    Points(Vec<Cell>),
    /// The figures that matter most.
    Figures(Vec<Figure>),
    /// A table.
    Table(Grid),
    /// Lines.
    Chart(ChartData),
    /// Bars; whether they say how busy something is.
    Bars(BarsData, bool),
    /// The layout.
    Diagram(Diagram),
    /// Something found.
    Card(Card),
    /// A file to paste.
    File(FileBlock),
}

/// A figure with what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The figure with its unit.
    pub value: String,
    /// What it is.
    pub label: String,
    /// More about it.
    pub note: String,
    /// Where its origin is told: the anchor of a section or row.
    pub link: String,
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

/// A file of configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct FileBlock {
    /// Where `advise --out` would put it.
    pub path: String,
    /// What it is and where it goes.
    pub title: String,
    /// What it is written in.
    pub language: Language,
    /// Its text.
    pub text: String,
}

impl Grid {
    /// A table with these heads; a head that starts with `>` belongs to a column of numbers.
    fn new(heads: &[&'static str]) -> Self {
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

    fn row(&mut self, cells: Vec<String>) {
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
    fn plain(text: String) -> Self {
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
pub fn report(told: &Told<'_>) -> Report {
    let site = told.inputs.site;
    let mut sections = vec![summary::summary(told)];
    if let Some(chosen) = &told.advice.chosen {
        sections.push(layout::layout(told, chosen));
        sections.push(peak::peak(told, chosen));
        sections.push(growth::growth(told, chosen));
    }
    sections.push(choice::alternatives(told));
    if told.advice.chosen.is_some() {
        sections.push(choice::certainty(told));
    }
    sections.extend(doubts::findings(told));
    sections.extend(doubts::assumptions(told));
    sections.push(accuracy::accuracy(told));
    sections.extend(appendix::configuration(told));
    sections.extend(appendix::numbers(told));
    Report {
        title: site.name.clone(),
        made_from: made_from(&told.inputs),
        sections,
    }
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
