//! A page in two parts: what is read, and what is looked up.

use std::collections::BTreeSet;

use crate::block::{Block, Card, Cell, Page, Section, Table};

/// Most rows of a table, points below each other, findings and charts of a section that is read.
const ROWS: usize = 14;
const POINTS: usize = 6;
const FINDINGS: usize = 10;
const CHARTS: usize = 2;

impl Page {
    /// The part that is read and the part to look things up in, as files of these names; links lead from one to the other. A long
    /// section is read in short, and stands whole in the other part.
    #[must_use]
    pub fn in_two(self, names: [&str; 2]) -> [Self; 2] {
        let (mut read, mut looked_up) = (Vec::new(), Vec::new());
        for section in self.sections {
            if section.appendix {
                looked_up.push(section);
                continue;
            }
            // The first is the verdict, which stands alone.
            let short = if read.is_empty() { None } else { section.in_short() };
            if let Some(short) = short {
                read.push(short);
                looked_up.push(Section { appendix: true, ..section });
            } else {
                read.push(section);
            }
        }
        let anchors = read.iter().flat_map(Section::anchors).collect();
        let others = looked_up.iter().flat_map(Section::anchors).collect();
        lead(&mut read, &anchors, names[1]);
        lead(&mut looked_up, &others, names[0]);
        let appendix = Self {
            title: format!("{}, appendix", self.title),
            heading: format!("{}: appendix", self.heading),
            verdict: None,
            sections: looked_up,
            made_from: self.made_from.clone(),
            ..self
        };
        let read = Self { title: self.title, heading: self.heading, sections: read, made_from: self.made_from, ..self };
        [read, appendix]
    }
}

impl Section {
    /// The same with the first rows, points, findings and charts, and a word of what is left out; `None` where all is short. Of the
    /// findings of one rule the first stands for all.
    fn in_short(&self) -> Option<Self> {
        let (mut rules, mut charts, mut left) = (BTreeSet::new(), 0, false);
        let mut blocks = Vec::new();
        for block in &self.blocks {
            let mut block = block.clone();
            let (count, most) = match &mut block {
                Block::Table(Table { rows, .. }) => (cut(rows, ROWS), ROWS),
                Block::Points(points) | Block::Numbered(points) => (cut(points, POINTS), POINTS),
                Block::Card(Card { id, .. }) => {
                    let is_new = rules.len() < FINDINGS && rules.insert(id.clone());
                    (usize::from(!is_new), 0)
                }
                Block::Chart(_) => {
                    charts += 1;
                    (usize::from(charts > CHARTS), 0)
                }
                _ => (0, 1),
            };
            left |= count > 0;
            if count == 0 || most > 0 {
                blocks.push(block);
            }
        }
        left.then(|| {
            let said = "In short: all rows, findings and charts of this section stand in the appendix.";
            let whole = Cell::to(said.to_owned(), self.anchor);
            Self { blocks: std::iter::once(Block::Points(vec![whole])).chain(blocks).collect(), ..self.clone() }
        })
    }

    /// Where links into it lead.
    fn anchors(&self) -> Vec<String> {
        let mut all = vec![self.anchor.to_owned()];
        for block in &self.blocks {
            match block {
                Block::Anchor(anchor, _) => all.push((*anchor).to_owned()),
                Block::Table(table) => all.extend(table.rows.iter().map(|row| row.anchor.clone())),
                _ => {}
            }
        }
        all
    }
}

/// Takes away what is more than so many; how many that were. A few more stay: a cut for them is not worth it.
fn cut<T>(all: &mut Vec<T>, most: usize) -> usize {
    let more = all.len().saturating_sub(most + most / 4);
    if more > 0 {
        all.truncate(most);
    }
    more
}

/// Lets links that do not stay within these anchors lead into the other file.
fn lead(sections: &mut [Section], own: &BTreeSet<String>, other: &str) {
    let other = in_link(other);
    let lead = |cell: &mut Cell, whole: bool| {
        if !cell.link.is_empty() && (whole || !own.contains(&cell.link)) {
            cell.link = format!("{other}#{}", cell.link);
        }
    };
    for section in sections {
        let anchor = section.anchor;
        for block in &mut section.blocks {
            each_cell(block, &mut |cell| {
                let whole = cell.link == anchor;
                lead(cell, whole);
            });
        }
    }
}

fn each_cell(block: &mut Block, then: &mut impl FnMut(&mut Cell)) {
    match block {
        Block::Points(points) | Block::Numbered(points) => points.iter_mut().for_each(then),
        Block::Table(table) => {
            let cells = table.rows.iter_mut().flat_map(|row| &mut row.cells);
            cells.for_each(then);
        }
        Block::Beside(columns) => {
            for block in columns.iter_mut().flatten() {
                each_cell(block, then);
            }
        }
        _ => {}
    }
}

/// The name of a file as links spell it.
fn in_link(name: &str) -> String {
    let spell = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    name.bytes().map(spell).collect()
}
