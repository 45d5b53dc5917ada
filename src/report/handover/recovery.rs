//! Failure and recovery: maintenance against its windows, lost parts, disasters.

use super::{Block, Cell, ReportSource, Section, Table};
use crate::advisor::Chosen;
use crate::report::recovery;

pub(super) fn recovery(source: &ReportSource<'_>, chosen: &Chosen) -> Section {
    let shown = recovery::RecoverySource { site: source.inputs.site, recovery: &chosen.recovery };
    let found = &chosen.recovery;
    let points = |texts: Vec<String>| {
        let cells = texts.into_iter();
        Block::Points(cells.map(|text| Cell::plain(format!("{text}."))).collect())
    };
    let cases = found.cases.iter().map(|case| shown.case(case));
    let mut table = Table::new(&["maintenance", ">time", ">80 % interval", "limited by", "judged by"]);
    for row in shown.jobs() {
        let limit = match row.origin.as_str() {
            "" => row.limit,
            origin => format!("{}; {origin}", row.limit),
        };
        table.row(vec![row.job, row.time, row.interval, limit, row.judged]);
    }
    let disasters = found.disasters.iter().map(|one| shown.disaster(one));
    let availability = found.availability.iter();
    let availability = availability.map(|one| recovery::RecoverySource::availability(*one));
    let mut blocks = vec![
        Block::Heading(format!("One part lost at {}", source.inputs.site.peak.peak())),
        points(cases.collect()),
        Block::Heading("Disasters".to_owned()),
        points(disasters.chain(availability).collect()),
    ];
    if !found.advice.is_empty() {
        blocks.push(Block::Heading("What to do".to_owned()));
        blocks.push(points(found.advice.clone()));
    }
    blocks.push(Block::Heading("How long maintenance takes".to_owned()));
    blocks.push(Block::Table(table));
    blocks.push(Block::Note(format!(
        "On an idle server. {}The intervals are those of the numbers behind these times.",
        shown.published()
    )));
    Section { anchor: "recovery", title: "Failure and recovery", appendix: false, blocks }
}
