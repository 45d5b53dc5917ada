//! What is told of today's system in full: of each change, and what nobody stated. The same for the text and the window.

use super::{ChangeRow, PartRow, TodayAnswer};
use crate::page::{Block, Section, Table};

/// Everything about a change: what it does and gives, its steps beside the times before and after. Of a step of a plan `parts` are
/// the new changes alone; it gives what it does with the steps before.
pub fn change_blocks(row: &ChangeRow, parts: &[PartRow]) -> Vec<Block> {
    let gives = if parts.len() < row.changes.len() {
        "With the steps before it"
    } else {
        "Gives"
    };
    let limited = row
        .is_limited
        .then(|| format!("Under more load, {}.", row.limit));
    let said = (parts.iter().map(|part| part.does.clone()))
        .chain([format!("{gives}: {}.", row.gives())])
        .chain(limited)
        .chain(
            row.missed
                .iter()
                .map(|missed| format!("Still misses: {missed}.")),
        );
    let mut blocks: Vec<Block> = said.map(Block::Text).collect();
    let steps = parts.iter().flat_map(|part| {
        let title = (parts.len() > 1).then(|| Block::Heading(part.title.clone()));
        let steps = Block::numbered(part.steps.iter().cloned());
        title
            .into_iter()
            .chain([steps, Block::Note(part.risk_and_cost())])
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
        vec![
            taken.of.clone(),
            what,
            taken.value.clone(),
            taken.from.clone(),
        ]
    });
    let table = Table::new(&["of", "what", "taken", "from"])
        .with(rows)
        .unless_empty()?;
    Some(Section::new(
        "taken",
        "What was not stated of today's system",
        [table],
    ))
}

/// All of it that does not stand on the screen: findings, what nobody stated, and each change.
pub(super) fn rest(answer: &TodayAnswer) -> Vec<Section> {
    let findings = answer.findings.iter();
    let findings =
        findings.map(|finding| format!("{}: {}", finding.severity.word(), finding.whole()));
    let rows = answer
        .changes
        .iter()
        .chain(&answer.pair)
        .chain(&answer.no_gain);
    let changes = rows.flat_map(|row| {
        let title = Block::Heading(row.title.clone());
        [title].into_iter().chain(change_blocks(row, &row.changes))
    });
    let findings = (!answer.findings.is_empty()).then(|| Block::points(findings));
    let sections = [
        Section::new("findings", "Findings", findings),
        Section::new("changes", "Each change", changes),
    ];
    let [findings, changes] = sections;
    let sections = [Some(findings), taken_section(answer), Some(changes)];
    let said = |section: &Section| !section.blocks.is_empty();
    sections.into_iter().flatten().filter(said).collect()
}
