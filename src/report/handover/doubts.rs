//! What is risky, and what nobody answered.

use super::{Block, Card, Cell, Grid, Section, Told};
use crate::report::assumed;

pub(super) fn findings(told: &Told<'_>) -> Option<Section> {
    let mut findings: Vec<_> = told.advice.findings.iter().collect();
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.rule.cmp(b.rule)));
    let cards = findings.into_iter().map(|f| {
        let evidence = f.evidence.iter();
        Block::Card(Card {
            badge: f.severity.word(),
            id: f.rule.to_owned(),
            message: f.message.clone(),
            action: f.action.clone(),
            evidence: evidence.map(|e| (e.id.clone(), e.text.clone())).collect(),
        })
    });
    let blocks: Vec<Block> = cards.collect();
    (!blocks.is_empty()).then_some(Section {
        anchor: "findings",
        title: "Findings",
        blocks,
    })
}

/// Where an assumption is told; empty if the field was answered.
pub(super) fn assumption_anchor(told: &Told<'_>, field: &str) -> String {
    let all = assumed::assumptions(told.inputs.site, &told.advice.influences);
    let place = all.iter().position(|a| a.field == field);
    place.map_or(String::new(), |place| format!("assumption-{place}"))
}

pub(super) fn assumptions(told: &Told<'_>) -> Option<Section> {
    let influences = &told.advice.influences;
    let all = assumed::assumptions(told.inputs.site, influences);
    let unused = assumed::answered_but_unused(told.inputs.site);
    if all.is_empty() && unused.is_none() {
        return None;
    }
    let mut blocks = vec![Block::Text(
        "Questions without an answer are reckoned with as below. What matters is by how much a response time may \
         change over the range."
            .to_owned(),
    )];
    blocks.extend(assumed::ask_first(influences).map(Block::Text));
    blocks.extend(unused.map(Block::Text));
    let mut table = Grid::small(&assumed::HEADS);
    for (i, assumption) in all.into_iter().enumerate() {
        let cells = assumed::cells(assumption, influences).map(Cell::plain);
        table.linked(format!("assumption-{i}"), cells.into());
    }
    blocks.push(Block::Table(table));
    Some(Section {
        anchor: "assumptions",
        title: "Assumptions: what nobody answered",
        blocks,
    })
}
