//! Why this layout: how sure that is, scores, and the others with why not.

use super::appendix::number_anchor;
use super::{Block, Cell, ReportSource, Section, Table};
use crate::advisor::{Alternative, VarianceSource};
use crate::catalog::Catalog;
use crate::page::Drawn;
use crate::report::answer::Answer;
use crate::report::bars::score_bars;
use crate::report::contest::{data_behind, share};
use crate::report::prose::capital;
use crate::units::two_digits;

/// Layouts drawn as bars.
const BARS: usize = 8;
/// What a lead depends on is listed down to this share of its variance, and so many of it.
const SHARE_MIN: f64 = 0.01;
const DOUBTS: usize = 6;

pub(super) fn alternatives(source: &ReportSource<'_>, answer: &Answer) -> Section {
    let mut blocks = Vec::new();
    if source.advice.chosen.is_some() {
        certainty(source, answer, &mut blocks);
        scores(source, &mut blocks);
        blocks.push(Block::Heading("The other layouts, and why not".to_owned()));
    }
    let mut seen: Vec<&str> = Vec::new();
    // The best variant stands for the others.
    let best = source.advice.alternatives.iter().filter(|other| {
        let is_new = !seen.contains(&other.layout.as_str());
        seen.push(&other.layout);
        is_new
    });
    let table = layouts_table(source.inputs.catalog, best);
    if table.rows.is_empty() {
        blocks.push(Block::Text("There is no other layout.".to_owned()));
    } else {
        blocks.push(Block::Table(table.filled()));
        blocks.push(Block::Note(
            "Each layout in its best variant. plimsoll advise SITE.toml --format json lists all variants.".to_owned(),
        ));
    }
    if source.advice.chosen.is_some() {
        let points = answer.why_not.iter().map(|why| Cell::plain(format!("{why}.")));
        blocks.push(Block::Points(points.collect()));
    }
    Section { anchor: "alternatives", title: "Why not another layout", appendix: false, blocks }
}

fn scores(source: &ReportSource<'_>, blocks: &mut Vec<Block>) {
    let advice = source.advice;
    let Some(chosen) = &advice.chosen else { return };
    let mut bars = score_bars(advice, BARS);
    for bar in &mut bars.bars {
        bar.label = source.title(&bar.label).to_owned();
    }
    blocks.push(Block::Bars(bars, false));
    let mut criteria = Table::new(&["criterion", ">weight", ">score", "grade"]);
    for s in &chosen.scores.by_criterion {
        criteria.row(vec![
            s.criterion.to_string(),
            format!("{} %", two_digits(s.weight * 100.0)),
            format!("{:.2}", s.value),
            s.word().to_owned(),
        ]);
    }
    blocks.push(Block::Table(criteria));
    let findings = match chosen.scores.findings {
        1.0 => String::new(),
        factor => format!(", times {factor:.2} for its findings of weight"),
    };
    blocks.push(Block::Note(format!(
        "The total score, {:.3} of 1, is the weighted geometric mean of these criteria{}. Compared were {} deployments.",
        chosen.scores.total, findings, advice.solved
    )));
}

/// Layouts with why they are not recommended.
pub fn layouts_table<'a>(catalog: &Catalog, layouts: impl Iterator<Item = &'a Alternative>) -> Table {
    let mut table = Table::new(&["layout", "reached over", ">edges", ">score", "why not"]);
    for other in layouts {
        let edges = other.deployment.as_ref().map(|deployment| deployment.edges.to_string());
        let total = other.scores.as_ref().map(|scores| format!("{:.3}", scores.total));
        table.row(vec![
            other.title(catalog).to_owned(),
            other.in_words(catalog),
            edges.unwrap_or_default(),
            total.unwrap_or_default(),
            capital(&other.why_not),
        ]);
    }
    table
}

/// How sure the choice is, and on what that depends.
fn certainty(source: &ReportSource<'_>, answer: &Answer, blocks: &mut Vec<Block>) {
    let contest = &source.advice.contest;
    let heading = "How sure the choice is".to_owned();
    blocks.push(Block::Anchor("certainty", heading));
    blocks.push(Block::Text(answer.sure.to_string()));
    if contest.rivals.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        "compared with",
        ">lead of the recommended",
        ">in 80 % of cases",
        ">chance that it is better",
        "verdict",
    ]);
    for rival in &contest.rivals {
        table.row(vec![
            source.title(&rival.layout).to_owned(),
            share(rival.lead.exp_m1()),
            rival.range.map(|lead| share(lead.exp_m1())).join(" to "),
            share(rival.chance),
            rival.standing().word().to_owned(),
        ]);
    }
    blocks.push(Block::Table(table));
    let doubts = contest.doubts.iter().filter(|d| d.share >= SHARE_MIN);
    let mut depends = Table::new(&["the lead depends on", "kind", ">share of its variance"]);
    for doubt in doubts.take(DOUBTS) {
        let accuracy = || "accuracy".to_owned();
        let name = doubt.source.to_string();
        let (kind, link, origin) = match &doubt.source {
            VarianceSource::Question(field) => {
                let link = super::risks::assumption_anchor(source, field);
                ("unanswered question", link, name.as_str())
            }
            VarianceSource::Measured(_) => ("range of a measured answer", accuracy(), name.as_str()),
            VarianceSource::Parameter(_) => ("parameter of the fit", accuracy(), name.as_str()),
            VarianceSource::Number(number) => {
                let link = number_anchor(source, number);
                ("number of the catalogue", link, name.as_str())
            }
            VarianceSource::Model => ("error of the model", accuracy(), ""),
        };
        depends.linked(
            String::new(),
            vec![
                Cell::to(&name, link).about(origin, ""),
                Cell::plain(kind.to_owned()),
                Cell::plain(share(doubt.share)).drawn(Drawn::Share(doubt.share)),
            ],
        );
    }
    if !depends.rows.is_empty() {
        blocks.push(Block::Table(depends));
    }
    let data = data_behind(contest);
    if !data.is_empty() {
        blocks.push(Block::Note(format!("Published data behind its parameters: {}.", data.join(", "))));
    }
}
