//! Why this layout: scores, the others and why not, and how sure that is.

use super::appendix::number_anchor;
use super::{Block, Cell, Grid, Section, Told};
use crate::advisor::{Alternative, DoubtKind};
use crate::report::chart::score_bars;
use crate::report::contest::{ALONE, RIVAL_HEADS, data_behind, rival_cells, share};
use crate::units::significant;

/// Layouts drawn as bars.
const BARS: usize = 10;
/// What a lead hangs on is told down to this share of its variance, and so many of it.
const SHARE_MIN: f64 = 5e-3;
const TOLD: usize = 8;

pub(super) fn alternatives(told: &Told<'_>) -> Section {
    let advice = told.advice;
    let mut blocks = Vec::new();
    if let Some(chosen) = &advice.chosen {
        blocks.push(Block::Text(format!(
            "{} deployments were solved. A score is the weighted geometric mean of the criteria below, 1 at best; the \
             chosen one has {}.",
            advice.solved,
            significant(chosen.scores.total, 3)
        )));
        blocks.push(Block::Bars(score_bars(advice, BARS), false));
        let mut criteria = Grid::new(&["criterion", ">weight", ">score", "grade"]);
        for s in &chosen.scores.by_criterion {
            criteria.row(vec![
                s.criterion.replace('_', " "),
                format!("{} %", significant(s.weight * 100.0, 2)),
                format!("{:.2}", s.value),
                s.word().to_owned(),
            ]);
        }
        blocks.push(Block::Table(criteria));
        blocks.push(Block::Heading("The others, and why not".to_owned()));
    }
    let mut table = Grid::new(&[
        "layout",
        "protocols, filesystem",
        ">edges",
        ">score",
        "why not",
    ]);
    let mut seen: Vec<(String, String)> = Vec::new();
    for a in &advice.alternatives {
        let with = a.in_words();
        // The best number of edges stands for the others; JSON has them all.
        let key = (a.layout.clone(), with.clone());
        if !seen.contains(&key) {
            table.row(cells(a, with));
            seen.push(key);
        }
    }
    if table.rows.is_empty() {
        blocks.push(Block::Text("There is no other layout.".to_owned()));
    } else {
        blocks.push(Block::Table(table.filled()));
    }
    Section {
        anchor: "alternatives",
        title: "Why this one",
        blocks,
    }
}

fn cells(a: &Alternative, with: String) -> Vec<String> {
    let edges = a.deployment.as_ref().map(|d| d.edges.to_string());
    let total = a.scores.as_ref().map(|s| format!("{:.3}", s.total));
    vec![
        a.layout.clone(),
        with,
        edges.unwrap_or_default(),
        total.unwrap_or_default(),
        a.why_not.clone(),
    ]
}

pub(super) fn certainty(told: &Told<'_>) -> Section {
    let contest = &told.advice.contest;
    let mut blocks = Vec::new();
    if contest.rivals.is_empty() {
        blocks.push(Block::Text(ALONE.to_owned()));
    } else {
        let mut table = Grid::new(&RIVAL_HEADS);
        for rival in &contest.rivals {
            table.row(rival_cells(rival));
        }
        blocks.push(Block::Table(table));
    }
    let doubts = contest.doubts.iter().filter(|d| d.share >= SHARE_MIN);
    let mut hangs = Grid::new(&["the lead hangs on", "", ">share of its variance"]);
    for doubt in doubts.take(TOLD) {
        let link = match doubt.kind {
            DoubtKind::Question => super::doubts::assumption_anchor(told, &doubt.name),
            DoubtKind::Number => number_anchor(told, &doubt.name),
            DoubtKind::Parameter | DoubtKind::Model => "accuracy".to_owned(),
        };
        let kind = match doubt.kind {
            DoubtKind::Question => "a question without answer",
            DoubtKind::Parameter => "a parameter of the fit",
            DoubtKind::Number => "a number of the catalogue",
            DoubtKind::Model => "",
        };
        hangs.linked(
            String::new(),
            vec![
                Cell::to(&doubt.name, link),
                Cell::plain(kind.to_owned()),
                Cell::plain(share(doubt.share)),
            ],
        );
    }
    if !hangs.rows.is_empty() {
        blocks.push(Block::Table(hangs));
    }
    let data = data_behind(contest);
    if !data.is_empty() {
        blocks.push(Block::Note(format!(
            "Published data behind its parameters: {}.",
            data.join(", ")
        )));
    }
    Section {
        anchor: "certainty",
        title: "How sure the choice is",
        blocks,
    }
}
