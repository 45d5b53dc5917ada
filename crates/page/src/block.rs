//! What a page is made of. Nothing in it is markup: whoever writes it down decides how it looks.

use std::borrow::Cow;

use crate::chart::{BarsData, ChartData, short_share};
use crate::diagram::Diagram;
use crate::load_line::LoadLine;
use crate::screen::Fit;

/// How something stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// Not at all.
    #[default]
    Plain,
    /// A heading.
    Heading,
    /// All is well.
    Good,
    /// It may not be.
    Warning,
    /// It is not.
    Bad,
}

/// An answer, whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// For the tab of a browser.
    pub title: String,
    /// What kind of page it is.
    pub eyebrow: &'static str,
    /// What it is about.
    pub heading: String,
    /// The verdict, which is the first section; that section then needs no heading.
    pub verdict: Option<Tone>,
    /// In their order.
    pub sections: Vec<Section>,
    /// Files and hashes that it was made from.
    pub made_from: String,
}

impl Page {
    /// A page of these sections, without those that have nothing to say.
    pub fn new(heading: impl Into<String>, mut sections: Vec<Section>) -> Self {
        let heading = heading.into();
        sections.retain(|section| !section.blocks.is_empty());
        Self { title: heading.clone(), eyebrow: "", heading, verdict: None, sections, made_from: String::new() }
    }
}

/// A section.
#[derive(Debug, Clone, PartialEq, Default)]
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

impl Section {
    /// A section of these blocks.
    pub fn new(anchor: &'static str, title: &'static str, blocks: impl IntoIterator<Item = Block>) -> Self {
        Self { anchor, title, appendix: false, blocks: blocks.into_iter().collect() }
    }

    /// Blocks without a heading of their own.
    pub fn untitled(blocks: impl IntoIterator<Item = Block>) -> Self {
        Self::new("", "", blocks)
    }

    /// Whether it has a heading.
    pub(crate) fn is_titled(&self) -> bool {
        !self.title.is_empty()
    }
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
    /// The same, numbered from 1: the first matters most.
    Numbered(Vec<Cell>),
    /// A table.
    Table(Table),
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
    /// Headroom on one bar; sentences say the same.
    LoadLine(LoadLine),
    /// Something found.
    Card(Card),
}

impl Block {
    /// A paragraph.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Short sentences.
    pub fn points(points: impl IntoIterator<Item = String>) -> Self {
        Self::Points(points.into_iter().map(Cell::plain).collect())
    }

    /// Short sentences in order.
    pub fn numbered(points: impl IntoIterator<Item = String>) -> Self {
        Self::Numbered(points.into_iter().map(Cell::plain).collect())
    }

    /// Whether it stands right below another block, without room between: what follows a heading, and sentences.
    pub fn joins(&self, after: &Self) -> bool {
        let is_said = |block: &Self| {
            use Block::{Lead, Note, Numbered, Points, Text};
            matches!(block, Lead(_) | Text(_) | Note(_) | Points(_) | Numbered(_))
        };
        matches!(after, Self::Heading(_) | Self::Anchor(..)) || (is_said(after) && is_said(self))
    }
}

impl From<Table> for Block {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

/// A finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// "warning".
    pub badge: &'static str,
    /// How that stands out.
    pub tone: Tone,
    /// The rule.
    pub id: String,
    /// What was found.
    pub message: String,
    /// What to do.
    pub action: String,
    /// How sure that is.
    pub sure: String,
    /// Id and words of what it rests on.
    pub evidence: Vec<(String, String)>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Heads of its columns.
    pub heads: Vec<Head>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// Whether it is long and looked things up in: small type.
    pub small: bool,
    /// How it stands on one screen.
    pub fit: Fit,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// Its words.
    pub text: String,
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
    /// Whether it stands out: its first cell is then over all columns.
    pub strong: bool,
    /// On a screen that is too small the rows of the largest rank give way first.
    pub rank: usize,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// The same in fewer words, the longest first, for where there is little room.
    pub shorter: Vec<String>,
    /// What stands below it, smaller.
    pub below: String,
    /// Whether it is what the row is about.
    pub strong: bool,
    /// The anchor of what it speaks of; empty if there is none.
    pub link: String,
    /// How it stands out where there are colours.
    pub tone: Tone,
    /// The id of what it depends on most, which can be explained; empty if there is none.
    pub about: String,
    /// What is told on pointing at it.
    pub more: String,
    /// What is drawn in its place by who can draw in a cell.
    pub drawn: Option<Drawn>,
}

/// A value with its interval and its target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The value.
    pub value: f64,
    /// Low end.
    pub low: f64,
    /// High end.
    pub high: f64,
    /// What it is compared with.
    pub target: Option<f64>,
}

/// A value that can be drawn in a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drawn {
    /// A time \[s\] on an axis that all rows of the column share.
    Range(Range),
    /// How busy something is, in \[0, 1\].
    Busy(f64),
    /// A share, in \[0, 1\].
    Share(f64),
    /// How busy something was and is, in \[0, 1\]; none where there was or is no such thing.
    Pair(Option<f64>, Option<f64>),
    /// By how much something is off, as a share of what it should be; NaN where that is not known.
    Off(f64),
}

impl Table {
    /// A table with these heads; a head that starts with `>` belongs to a column of numbers.
    pub fn new(heads: &[&str]) -> Self {
        let head = |text: &&str| Head { text: text.trim_start_matches('>').to_owned(), right: text.starts_with('>') };
        Self { heads: heads.iter().map(head).collect(), ..Self::default() }
    }

    /// The same in small type.
    pub fn small(heads: &[&str]) -> Self {
        Self { small: true, ..Self::new(heads) }
    }

    /// The same with these rows.
    #[must_use]
    pub fn with(mut self, rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        for row in rows {
            self.row(row);
        }
        self
    }

    /// The same without columns that say nothing.
    #[must_use]
    pub fn filled(mut self) -> Self {
        for column in (0..self.heads.len()).rev() {
            let is_empty = |row: &Row| row.cells[column].words().is_empty();
            if self.rows.iter().all(is_empty) {
                self.heads.remove(column);
                for row in &mut self.rows {
                    row.cells.remove(column);
                }
            }
        }
        self
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Itself as a block; none without rows.
    pub fn unless_empty(self) -> Option<Block> {
        (!self.is_empty()).then_some(Block::Table(self))
    }

    /// A row of as many cells as there are heads.
    pub fn row(&mut self, cells: Vec<String>) {
        self.linked(String::new(), cells.into_iter().map(Cell::plain).collect());
    }

    /// The same, where links to this anchor lead.
    pub fn linked(&mut self, anchor: String, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.heads.len(), "a cell for each head");
        self.rows.push(Row { anchor, cells, strong: false, rank: 0 });
    }

    /// A title over all columns, for the rows below.
    pub fn title(&mut self, text: impl Into<String>) {
        let mut cells = vec![String::new(); self.heads.len()];
        if let Some(first) = cells.first_mut() {
            *first = text.into();
        }
        self.row(cells);
        if let Some(row) = self.rows.last_mut() {
            row.strong = true;
        }
    }
}

impl Cell {
    /// A cell that leads nowhere.
    pub fn plain(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// How busy something was and is: "34 % → 50 %".
    pub fn pair(before: Option<f64>, after: Option<f64>) -> Self {
        let text = match (before.map(short_share), after.map(short_share)) {
            (Some(before), Some(after)) if before == after => after,
            (Some(before), Some(after)) => format!("{before} → {after}"),
            (None, Some(after)) => format!("new: {after}"),
            (Some(_), None) => "gone".to_owned(),
            (None, None) => String::new(),
        };
        Self::plain(text).drawn(Drawn::Pair(before, after))
    }

    /// A cell that leads to an anchor.
    pub fn to(text: impl Into<String>, link: impl Into<String>) -> Self {
        Self { text: text.into(), link: link.into(), ..Self::default() }
    }

    /// The same, standing out.
    #[must_use]
    pub fn toned(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }

    /// The same with something smaller below.
    #[must_use]
    pub fn below(mut self, below: impl Into<String>) -> Self {
        self.below = below.into();
        self
    }

    /// The same as what the row is about.
    #[must_use]
    pub fn strong(mut self) -> Self {
        self.strong = true;
        self
    }

    /// What it says with what stands below it, on one line: "17 ms (same)".
    pub fn words(&self) -> Cow<'_, str> {
        match (self.text.as_str(), self.below.as_str()) {
            (text, "") => text.into(),
            ("", below) => below.into(),
            (text, below) => format!("{text} ({below})").into(),
        }
    }

    /// The same, drawn where that can be.
    #[must_use]
    pub fn drawn(mut self, drawn: Drawn) -> Self {
        self.drawn = Some(drawn);
        self
    }

    /// The same, leading to what it depends on most, with words about that.
    #[must_use]
    pub fn about(mut self, id: impl Into<String>, words: impl Into<String>) -> Self {
        self.about = id.into();
        self.more = words.into();
        self
    }
}
