//! What is told of today's system in full: of each change, and what nobody stated. The same for the text and the window.

use super::{ChangeRow, PartRow, TodayAnswer, people_in_words};
use crate::page::{Block, Cell, Section, Table};

/// A change where it is listed.
struct Listed<'a> {
    /// By which it is chosen: its kind, and the ids of its changes.
    anchor: String,
    title: String,
    fixes: String,
    row: &'a ChangeRow,
    /// Those of its changes that are told of: of a step of the plan the new one, else all.
    parts: &'a [PartRow],
}

impl<'a> Listed<'a> {
    fn of(kind: &str, row: &'a ChangeRow) -> Self {
        let ids: Vec<&str> = row.changes.iter().map(|part| part.id.as_str()).collect();
        Self {
            anchor: format!("{kind}: {}", ids.join(", ")),
            title: row.title.clone(),
            fixes: row.what_it_fixes(),
            row,
            parts: &row.changes,
        }
    }

    /// A step of the plan: its row has the changes before it too.
    fn step(n: usize, row: &'a ChangeRow) -> Self {
        let parts = &row.changes[row.changes.len().saturating_sub(1)..];
        let title = parts.first().map_or(String::new(), |new| format!("{}. {}", n + 1, new.title));
        Self { title, parts, ..Self::of("plan", row) }
    }
}

impl TodayAnswer {
    /// Where everything lies today, and the server.
    pub fn volumes_table(&self) -> Table {
        let places = self.volumes.iter().map(|place| vec![place.roles.clone(), place.place.clone()]);
        let server = vec!["server".to_owned(), self.server.clone()];
        Table::new(&["", ""]).with(places.chain([server]))
    }

    fn groups(&self) -> [(&'static str, Vec<Listed<'_>>); 4] {
        fn all<'a>(kind: &str, rows: impl IntoIterator<Item = &'a ChangeRow>) -> Vec<Listed<'a>> {
            rows.into_iter().map(|row| Listed::of(kind, row)).collect()
        }
        let steps = self.plan.iter().enumerate().map(|(n, row)| Listed::step(n, row));
        let mut useless = all("nothing", &self.no_gain);
        for change in &mut useless {
            let with = self.only_together.iter().find_map(|pair| match pair.changes.as_slice() {
                [partner, last] if change.row.changes.first() == Some(last) => {
                    Some(format!("{} people with {}", people_in_words(pair.people), partner.title))
                }
                _ => None,
            });
            change.fixes = with.unwrap_or_else(|| "nothing".to_owned());
        }
        [
            ("Plan, one step after the other", steps.collect()),
            ("Single changes, best for their price first", all("single", &self.changes)),
            ("Best two together", all("pair", &self.pair)),
            ("These alone give nothing", useless),
        ]
    }

    /// All changes by what they are; the anchor of a row is what [`Self::change`] takes.
    pub fn changes_table(&self) -> Table {
        let mut table = Table::new(&[
            "Change",
            ">People carried, today → after",
            "What it fixes",
            "Cost and trouble",
            ">Down time",
            "Risk",
        ]);
        let before = people_in_words(self.people);
        for (title, changes) in self.groups() {
            if !changes.is_empty() {
                table.title(title);
            }
            for change in changes {
                let row = change.row;
                let risks: Vec<&str> = change.parts.iter().map(|part| part.risk.as_str()).collect();
                let cells = vec![
                    Cell::plain(change.title),
                    Cell::plain(format!("{before} → {}", people_in_words(row.people))),
                    Cell::plain(change.fixes),
                    Cell::plain(row.trouble_means.to_owned()).below(format!("cost {}", row.cost)),
                    Cell::plain(row.down_time.clone()),
                    Cell::plain(risks.join(" ")),
                ];
                table.linked(change.anchor, cells);
            }
        }
        table
    }

    /// A change by its anchor, or the first of all where none has it: its anchor, its title, and everything about it.
    pub fn change(&self, anchor: Option<&str>) -> Option<(String, String, Vec<Block>)> {
        let mut all: Vec<Listed<'_>> = self.groups().into_iter().flat_map(|(_, changes)| changes).collect();
        let place = all.iter().position(|change| Some(&*change.anchor) == anchor);
        let place = place.unwrap_or(0);
        let shown = (place < all.len()).then(|| all.swap_remove(place))?;
        Some((shown.anchor, shown.title, change_blocks(shown.row, shown.parts)))
    }
}

/// Everything about a change: what it does and gives, its steps beside the times before and after. Of a step of a plan `parts` are
/// the new changes alone; it gives what it does with the steps before.
fn change_blocks(row: &ChangeRow, parts: &[PartRow]) -> Vec<Block> {
    let gives = if parts.len() < row.changes.len() { "With the steps before it" } else { "Gives and costs" };
    let is_limited = row.is_limited && row.missed.is_empty();
    let limited = is_limited.then(|| format!("Under more load, {}.", row.limit));
    let said = (parts.iter().map(|part| part.does.clone()))
        .chain([format!("{gives}: {}.", row.gives())])
        .chain(limited)
        .chain(row.missed.iter().map(|missed| format!("Still misses: {missed}.")));
    let mut blocks: Vec<Block> = said.map(Block::Text).collect();
    let steps = parts.iter().flat_map(|part| {
        let title = (parts.len() > 1).then(|| Block::Heading(part.title.clone()));
        let steps = Block::numbered(part.steps.iter().cloned());
        title.into_iter().chain([steps, Block::Note(part.risk_and_cost())])
    });
    let steps: Vec<Block> = steps.collect();
    let times = Table::new(&ChangeRow::TIME_HEADS).with(row.time_rows().into_iter().map(Vec::from));
    let times = times.unless_empty().into_iter().collect();
    blocks.push(Block::Beside(vec![steps, times]));
    blocks
}

/// What nobody stated of it, and where it is taken from; nothing where all is stated.
pub fn taken_section(answer: &TodayAnswer) -> Option<Section> {
    let rows = answer.taken.iter().map(|taken| {
        let what = taken.what.to_owned();
        vec![taken.of.clone(), what, taken.value.clone(), taken.from.clone()]
    });
    let table = Table::new(&["of", "what", "taken", "from"]).with(rows).unless_empty()?;
    Some(Section::new("taken", "What was not stated of today's system", [table]))
}

/// All of it that does not stand on the screen: findings, what nobody stated, and each change.
pub(super) fn rest(answer: &TodayAnswer) -> Vec<Section> {
    let findings = answer.findings.iter();
    let findings = findings.map(|finding| format!("{}: {}", finding.severity.word(), finding.whole()));
    let rows = answer.changes.iter().chain(&answer.pair).chain(&answer.no_gain);
    let changes = rows.flat_map(|row| {
        let title = Block::Heading(row.title.clone());
        [title].into_iter().chain(change_blocks(row, &row.changes))
    });
    let findings = (!answer.findings.is_empty()).then(|| Block::points(findings));
    let sections = [Section::new("findings", "Findings", findings), Section::new("changes", "Each change", changes)];
    let [findings, changes] = sections;
    let sections = [Some(findings), taken_section(answer), Some(changes)];
    let said = |section: &Section| !section.blocks.is_empty();
    sections.into_iter().flatten().filter(said).collect()
}
