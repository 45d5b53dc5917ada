//! The first page, which can be handed over alone: verdict, drawing, charts, times, limits, what to do, how sure.
//!
//! Every sentence of it is one of [`Answer`].

use super::{Block, Cell, Section, Table, Told};
use crate::page::{ChartData, Series};
use crate::report::answer::{Answer, Stands, joined, nearest};
use crate::report::chart_lines::{load_chart, response_charts, stores_chart, with_horizon};
use crate::report::diagram::diagram;
use crate::report::prose::load_in_words;
use crate::site::Site;

/// Rows and points of the first page: as many as one page of paper holds.
const WORK: usize = 4;
const LIMITS: usize = 3;
const STORES: usize = 3;
const FINDINGS: usize = 2;
const QUESTIONS: usize = 2;
/// Layouts that are named where none is recommended.
const WHY_NOT: usize = 8;

pub(super) fn summary(told: &Told<'_>, answer: &Answer) -> Section {
    let mut blocks = Vec::new();
    if let Some((first, rest)) = answer.verdict.split_first() {
        blocks.push(Block::Lead(first.text.clone()));
        blocks.extend((!rest.is_empty()).then(|| Block::Text(joined(rest))));
    }
    blocks.extend(warnings(told.inputs.site));
    let line = answer.load_line.as_ref();
    blocks.extend(line.map(|line| Block::LoadLine(line.drawn())));
    drawing(told, answer, &mut blocks);
    let charts = charts(told, answer);
    if !charts.is_empty() {
        blocks.push(Block::Beside(
            charts.into_iter().map(|c| vec![Block::Small(c)]).collect(),
        ));
    }
    let mut left = work(told, answer);
    left.extend(findings(answer));
    let mut right = limits(answer);
    if told.curves.is_none() {
        right.extend(busiest(answer));
    }
    right.extend(questions(answer));
    if !answer.sure.is_empty() {
        right.push(Block::Heading("How sure the choice is".to_owned()));
        let sure = Cell::to(answer.sure.to_string(), "certainty");
        right.push(Block::Points(vec![sure]));
    }
    blocks.extend(beside([left, right]));
    Section {
        anchor: "summary",
        title: "Recommendation",
        appendix: false,
        blocks,
    }
}

/// Columns beside each other, without those that hold nothing.
fn beside(columns: [Vec<Block>; 2]) -> Option<Block> {
    let columns: Vec<Vec<Block>> = columns.into_iter().filter(|c| !c.is_empty()).collect();
    (!columns.is_empty()).then_some(Block::Beside(columns))
}

/// What is doubtful in the site file.
fn warnings(site: &Site) -> Option<Block> {
    let said: Vec<&str> = site
        .warnings
        .iter()
        // The first line is the warning; the rest is the place in the file.
        .filter_map(|warning| warning.lines().next())
        .collect();
    (!said.is_empty()).then(|| Block::Note(format!("In the site file: {}", said.join("; "))))
}

/// The layout, drawn; the reasons where there is none.
fn drawing(told: &Told<'_>, answer: &Answer, blocks: &mut Vec<Block>) {
    let chosen = told.advice.chosen.as_ref();
    let chosen = chosen.map(|c| (&c.deployment, &c.prediction));
    let best = told.advice.overload.as_ref();
    let best = best.map(|o| (&o.deployment, &o.prediction));
    if let Some(layout) = &answer.layout {
        blocks.push(Block::Text(format!(
            "{}. {}.",
            layout.title, layout.servers
        )));
    } else if let Some(overload) = &told.advice.overload {
        blocks.push(Block::Text(format!(
            "Drawn is the best layout that this site has, {}, at {}.",
            overload.deployment.title,
            load_in_words(overload.factor)
        )));
    }
    if let Some((deployment, prediction)) = chosen.or(best) {
        let catalog = told.inputs.catalog;
        let drawn = diagram(told.inputs.site, catalog, deployment, prediction);
        blocks.push(Block::Diagram(drawn));
    }
    if answer.layout.is_none() {
        blocks.push(Block::Heading("Why no layout is recommended".to_owned()));
        let reasons = answer.why_not.iter().take(WHY_NOT);
        let points = reasons.map(|why| Cell::to(format!("{why}."), "alternatives"));
        blocks.push(Block::Points(points.collect()));
    }
}

/// Response times over the load, and over the years what ends first: the load's limit or room in a store.
fn charts(told: &Told<'_>, answer: &Answer) -> Vec<ChartData> {
    let Some(curves) = told.curves else {
        return Vec::new();
    };
    let response = response_charts(&curves.curve).into_iter().next();
    // Saturation and knee stand in the large chart.
    let mut charts: Vec<ChartData> = response
        .map(|found| super::peak::with_targets(curves, found.without_beyond()))
        .into_iter()
        .collect();
    let load_and_stores = &curves.load_and_stores;
    let mut stores = with_horizon(stores_chart(load_and_stores), load_and_stores);
    // Names of all stores would not fit.
    let full = |s: &Series| s.points.last().map_or(0.0, |p| p.1);
    stores.series.sort_by(|a, b| full(b).total_cmp(&full(a)));
    stores.series.truncate(STORES);
    "in use".clone_into(&mut stores.y.label);
    let mut load = with_horizon(load_chart(load_and_stores), load_and_stores);
    "× today's load".clone_into(&mut load.y.label);
    let ends_first = answer.limits.first().is_some_and(|l| l.what == "space");
    let years = if ends_first {
        [stores, load]
    } else {
        [load, stores]
    };
    charts.extend(years.into_iter().find(super::growth::rises));
    charts
}

/// Times against targets: those that are nearest to missing one.
fn work(told: &Told<'_>, answer: &Answer) -> Vec<Block> {
    let all = answer.work.len();
    if all == 0 {
        return Vec::new();
    }
    // Where there is no table of all of them, all are here.
    let most = told.advice.chosen.as_ref().map_or(all, |_| WORK);
    let mut table = Table::new(&["kind of work", ">95 % within", ">80 % interval", "target"]);
    for row in nearest(&answer.work, most) {
        let target = row.target.as_ref();
        let target = target.map(|t| format!("{}: {}", t.limit, t.verdict()));
        table.row(vec![
            row.name.clone(),
            row.p95.clone(),
            row.interval.clone(),
            target.unwrap_or_default(),
        ]);
    }
    let title = match &told.advice.overload {
        Some(overload) if answer.stands == Stands::Overloaded => {
            format!("Response times at {}", load_in_words(overload.factor))
        }
        _ => "Response times at the peak hour".to_owned(),
    };
    let mut blocks = vec![Block::Heading(title), Block::Table(table.filled())];
    if all > most {
        let more = all - most;
        blocks.push(Block::Note(format!(
            "And {more} more, further from their targets."
        )));
    }
    blocks
}

fn limits(answer: &Answer) -> Vec<Block> {
    let limits = answer.limits.iter().take(LIMITS);
    let points = limits.map(|limit| Cell::to(super::limit(limit), "growth"));
    let mut blocks = points_below("Limits, and what to buy", points.collect());
    if !answer.n_minus_one.is_empty() {
        let lost = Cell::to(answer.n_minus_one.clone(), "recovery");
        blocks.extend(points_below("One part lost (N - 1)", vec![lost]));
    }
    if !answer.cost.is_empty() {
        let cost = Cell::to(answer.cost.to_string(), "bill");
        blocks.extend(points_below("What it costs", vec![cost]));
    }
    blocks
}

/// Points below a heading; nothing where there are none.
fn points_below(heading: &str, points: Vec<Cell>) -> Vec<Block> {
    if points.is_empty() {
        return Vec::new();
    }
    vec![Block::Heading(heading.to_owned()), Block::Points(points)]
}

/// How busy everything is, where there are no charts.
fn busiest(answer: &Answer) -> Vec<Block> {
    if answer.busiest.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(&["resource or lock", ">busy"]);
    for row in &answer.busiest {
        table.row(vec![row.name.clone(), row.busy.clone()]);
    }
    vec![
        Block::Heading("Busiest resources".to_owned()),
        Block::Table(table),
    ]
}

fn findings(answer: &Answer) -> Vec<Block> {
    let findings = answer.findings.iter().take(FINDINGS);
    let points = findings.map(|finding| Cell::to(finding.whole(), "findings"));
    let mut blocks = points_below("Risks, and what to do first", points.collect());
    let more = answer.findings.len().saturating_sub(FINDINGS);
    if more > 0 {
        blocks.push(Block::Note(format!("And {more} more under Findings.")));
    }
    blocks
}

fn questions(answer: &Answer) -> Vec<Block> {
    let questions = answer.questions.iter().take(QUESTIONS);
    let points = questions.map(|asked| Cell::to(super::asked(asked), "assumptions"));
    points_below("Ask first (unanswered questions)", points.collect())
}
