//! What is risky, and what nobody answered.

use super::{Block, Card, Cell, Grid, Section, Told};
use crate::report::chart::plain;
use crate::site::Assumption;
use crate::units::significant;

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

/// Assumptions, those that matter most first, with what they do.
fn sorted(told: &Told<'_>) -> Vec<(Assumption, String)> {
    let influences = &told.advice.influences;
    let order = |field: &str| influences.iter().position(|i| i.field == field);
    let mut all = told.inputs.site.assumptions();
    all.sort_by_key(|a| (order(&a.field).unwrap_or(usize::MAX), a.field.clone()));
    let matters = |a: Assumption| {
        let influence = influences.iter().find(|i| i.field == a.field);
        let matters = match influence {
            Some(i) if i.saturates => "saturates".to_owned(),
            Some(i) => format!("× {}", plain(i.ratio, 3)),
            None => "little".to_owned(),
        };
        (a, matters)
    };
    all.into_iter().map(matters).collect()
}

/// Where an assumption is told; empty if the field was answered.
pub(super) fn assumption_anchor(told: &Told<'_>, field: &str) -> String {
    let place = sorted(told).iter().position(|(a, _)| a.field == field);
    place.map_or(String::new(), |place| format!("assumption-{place}"))
}

pub(super) fn assumptions(told: &Told<'_>) -> Option<Section> {
    let all = sorted(told);
    if all.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::Text(
        "Questions without an answer are reckoned with as below. What matters is by how much a response time may \
         change over the range."
            .to_owned(),
    )];
    if let Some(first) = told.advice.influences.first() {
        let what = if first.saturates {
            "an end of its range saturates the deployment".to_owned()
        } else {
            format!(
                "it changes {} by up to × {}",
                first.time,
                significant(first.ratio, 3)
            )
        };
        blocks.push(Block::Text(format!("Ask first: {}; {what}.", first.field)));
    }
    let mut table = Grid::small(&["field", ">taken", ">low", ">high", "matters", "origin"]);
    for (i, (a, matters)) in all.into_iter().enumerate() {
        let cells = [
            a.field,
            a.value,
            a.low,
            a.high,
            matters,
            a.origin.to_string(),
        ];
        let cells = cells.into_iter().map(Cell::plain).collect();
        table.linked(format!("assumption-{i}"), cells);
    }
    blocks.push(Block::Table(table));
    Some(Section {
        anchor: "assumptions",
        title: "Assumptions: what nobody answered",
        blocks,
    })
}
