//! Risks, and assumptions in place of answers.

use super::{Block, Cell, ReportSource, Section, Table};
use crate::advisor::Influence;
use crate::report::answer::{Answer, FindingRow};
use crate::report::assumed;
use crate::report::prose::about_count;
use crate::site::{answer_in_words, field};
use crate::units::two_digits;

/// Where links to the assumptions lead.
pub(super) const ASSUMPTIONS: &str = "assumptions";
/// Where links to the warnings lead, and their title.
pub(super) const WARNINGS: (&str, &str) = ("warnings", "Warnings about the answers");

pub(super) fn findings(answer: &Answer) -> Option<Section> {
    let cards = answer.findings.iter().map(FindingRow::card);
    let blocks: Vec<Block> = cards.collect();
    (!blocks.is_empty()).then(|| Section::new("findings", "Findings", blocks))
}

/// What is doubtful in the site file.
pub(super) fn warnings(source: &ReportSource<'_>) -> Option<Section> {
    let warnings = source.inputs.site.warnings.iter();
    // The first line is the warning; the rest is the place in the file.
    let said = warnings.filter_map(|warning| warning.lines().next());
    let said: Vec<String> = said.map(str::to_owned).collect();
    (!said.is_empty()).then(|| Section::new(WARNINGS.0, WARNINGS.1, [Block::points(said)]))
}

/// The anchor of an assumption; empty if the question was answered.
pub(super) fn assumption_anchor(source: &ReportSource<'_>, field: &str) -> String {
    let all = assumed::assumptions(source.inputs.site, &source.advice.influences);
    let place = all.iter().position(|a| a.field == field);
    place.map_or(String::new(), |place| format!("assumption-{place}"))
}

/// "22-fold", "up to 40 %".
fn effect(influence: Option<&Influence>) -> String {
    match influence {
        Some(i) if i.saturates => "overloads".to_owned(),
        Some(i) if i.ratio < 1.95 => format!("{} %", two_digits(100.0 * (i.ratio - 1.0))),
        Some(i) if i.ratio < 10.0 => format!("{}-fold", two_digits(i.ratio)),
        Some(i) => format!("{}-fold", about_count(i.ratio)),
        None => "little".to_owned(),
    }
}

pub(super) fn assumptions(source: &ReportSource<'_>, answer: &Answer) -> Option<Section> {
    let influences = &source.advice.influences;
    let site = source.inputs.site;
    let all = assumed::assumptions(site, influences);
    if all.is_empty() {
        return None;
    }
    let mut blocks = Vec::new();
    if !answer.questions.is_empty() {
        let points = answer.questions.iter().map(super::asked);
        blocks.push(Block::Heading("Ask first".to_owned()));
        blocks.push(Block::Points(points.map(Cell::plain).collect()));
        blocks.push(Block::Heading("All assumptions".to_owned()));
    }
    blocks.push(Block::Text(
        "Each unanswered question is replaced by the assumption below, those that matter most first. Effect: by how \
         much a response time changes over the range."
            .to_owned(),
    ));
    let mut table = Table::small(&["question", ">assumed", "range", ">effect", "origin"]);
    for (i, a) in all.into_iter().enumerate() {
        let influence = influences.iter().find(|i| i.field == a.field);
        let question = field(&a.field).map_or("", |f| f.question);
        let office = a.field.split('.').find_map(|p| p.parse::<usize>().ok());
        let office = office.and_then(|i| site.people.sites.get(i));
        let office = office.map_or(String::new(), |office| format!("{}: ", office.name));
        let said = |text: &str| answer_in_words(source.inputs.catalog, &a.field, text);
        let cells = [
            format!("{office}{question} ({})", a.field),
            said(&a.value),
            if a.low == a.high { String::new() } else { format!("{} to {}", said(&a.low), said(&a.high)) },
            effect(influence),
            a.origin.to_string(),
        ];
        table.linked(format!("assumption-{i}"), cells.map(Cell::plain).into());
    }
    blocks.push(Block::Table(table));
    Some(Section { anchor: ASSUMPTIONS, title: "Assumptions (unanswered questions)", appendix: true, blocks })
}
