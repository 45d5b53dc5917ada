//! What a server log says as one HTML page with plots: nothing fetched, no script.

use super::charts;
use super::parts::{Part, parts, read_and_span};
use crate::page::{Block, Cell, Section};
use crate::page::{Page, page_html};
use crate::serverlog::analysis::Findings;
use crate::serverlog::answers::Measured;

/// The page; a sentence where a plot cannot be drawn. It names what the findings name: pseudonyms where these are.
pub fn workload_html(
    findings: &Findings,
    answers: &[Measured],
    made_from: &str,
) -> Result<String, String> {
    let sections: Vec<Section> = parts(findings, answers)
        .into_iter()
        .map(|part| section(findings, part))
        .collect();
    let (_, heading) = read_and_span(findings);
    page_html(&Page {
        title: "Server log: Perforce workload".to_owned(),
        eyebrow: "Workload of a Perforce server, from its log",
        heading,
        verdict: None,
        sections,
        made_from: made_from.to_owned(),
    })
}

fn section(findings: &Findings, part: Part) -> Section {
    let mut blocks: Vec<Block> = Vec::new();
    match part.anchor {
        "mix" => blocks.extend(charts::over_time(findings).map(Block::Chart)),
        "time" => blocks.extend(charts::time(findings).map(|bars| Block::Bars(bars, false))),
        "locks" => blocks.extend(charts::waits(findings).map(|bars| Block::Bars(bars, false))),
        _ => {}
    }
    blocks.extend(part.says.into_iter().map(Block::Text));
    if !part.points.is_empty() {
        blocks.push(Block::Points(
            part.points.into_iter().map(Cell::plain).collect(),
        ));
    }
    for (title, grid) in part.tables {
        if !title.is_empty() {
            blocks.push(Block::Heading(title.to_owned()));
        }
        blocks.push(Block::Table(grid));
    }
    Section {
        anchor: part.anchor,
        title: part.title,
        appendix: false,
        blocks,
    }
}
