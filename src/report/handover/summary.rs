//! The first page, which can be handed over alone: verdict, drawing, charts, times, limits, what to do, how sure.
//!
//! Every sentence of it is one of [`Answer`].

use super::{Block, Cell, ReportSource, Section, Table, paper};
use crate::page::{ChartData, Keep};
use crate::report::answer::{Answer, Sentence, Stands, Topic, joined, nearest};
use crate::report::chart_lines::{load_chart, response_charts, stores_chart, with_horizon};
use crate::report::diagram::diagram;
use crate::report::prose::Sentences;
use crate::site::Site;

/// Rows and points of the first page, and sentences of a point, by the step at which they give way until one sheet holds it.
const WORK: Keep = Keep(&[(0, 4), (2, 3), (4, 2)]);
const FINDINGS: Keep = Keep(&[(0, 2), (3, 1)]);
const LIMITS: Keep = Keep(&[(0, 3), (2, 2), (5, 1)]);
const QUESTIONS: Keep = Keep(&[(0, 2), (1, 1)]);
const SURE: Keep = Keep(&[(3, 1)]);
const COST: Keep = Keep(&[(4, 1)]);
const LAST: usize = 5;
const STORES: usize = 3;
/// Whether the verdict names what is busiest and the question that decides, and whether the servers are named.
const SHOWN: Keep = Keep(&[(1, 0)]);
const SERVERS: Keep = Keep(&[(2, 0)]);
const SHORTEST: usize = 2;
/// Layouts that are named where none is recommended.
const WHY_NOT: usize = 8;

pub(super) fn summary(source: &ReportSource<'_>, answer: &Answer, is_on_paper: bool) -> Section {
    let above = |step: usize| {
        let shown = |said: &&Sentence| SHOWN.at(step) > 0 || !matches!(said.topic, Topic::Busiest | Topic::Question);
        let rest: Vec<Sentence> = answer.verdict.iter().skip(1).filter(shown).cloned().collect();
        let lead = answer.verdict.first().map(|said| Block::Lead(said.text.clone()));
        let rest = (!rest.is_empty()).then(|| Block::Text(joined(&rest)));
        lead.into_iter().chain(rest)
    };
    let line = answer.load_line.as_ref();
    let line = line.map(|line| Block::LoadLine(line.drawn()));
    let line: Vec<Block> = warnings(source.inputs.site).into_iter().chain(line).collect();
    let layout = drawing(source, answer);
    let charts = charts(source, answer);
    let charts = (!charts.is_empty()).then(|| {
        let charts = charts.into_iter().map(|chart| vec![Block::Small(chart)]);
        Block::Beside(charts.collect())
    });
    let at = |step: usize| -> Vec<Block> {
        let named = named(source, answer, SERVERS.at(step) > 0);
        let middle = line.iter().cloned().chain(named).chain(layout.clone());
        above(step).chain(middle).chain(charts.clone()).collect()
    };
    // What the drawing and the columns show too gives way first, then each column alone.
    let whole = (0..SHORTEST).find_map(|step| {
        let blocks = at(step);
        let (room, last) = if is_on_paper { (paper::room(&blocks), 1) } else { (f64::INFINITY, 0) };
        let columns = columns(source, answer, room, last)?;
        Some((blocks, columns))
    });
    let (mut blocks, columns) = whole.unwrap_or_else(|| {
        let blocks = at(SHORTEST);
        let room = paper::room(&blocks);
        let short = columns(source, answer, room, LAST);
        let last = || [left(source, answer, LAST), right(source, answer, LAST)];
        (blocks, short.unwrap_or_else(last))
    });
    blocks.extend(beside(columns));
    Section { anchor: "summary", title: "Recommendation", appendix: false, blocks }
}

/// What stands beside each other below the charts, each column at the first step up to `last` at which it is no higher than the
/// room \[mm\]; `None` where one is higher.
fn columns(source: &ReportSource<'_>, answer: &Answer, room: f64, last: usize) -> Option<[Vec<Block>; 2]> {
    let fitting = |of: fn(&ReportSource<'_>, &Answer, usize) -> Vec<Block>, side: usize| {
        let mut steps = (0..=last).map(|step| of(source, answer, step));
        steps.find(|blocks| paper::column(blocks, side) <= room)
    };
    Some([fitting(left, 0)?, fitting(right, 1)?])
}

fn left(source: &ReportSource<'_>, answer: &Answer, step: usize) -> Vec<Block> {
    let mut left = work(source, answer, WORK.at(step));
    left.extend(findings(answer, FINDINGS.at(step)));
    left
}

fn right(source: &ReportSource<'_>, answer: &Answer, step: usize) -> Vec<Block> {
    let mut right = limits(answer, step);
    if source.curves.is_none() {
        right.extend(busiest(answer));
    }
    right.extend(questions(answer, QUESTIONS.at(step)));
    if !answer.sure.is_empty() {
        right.push(Block::Heading("How sure the choice is".to_owned()));
        let sure = Cell::to(beginning(&answer.sure, SURE.at(step)), "certainty");
        right.push(Block::Points(vec![sure]));
    }
    right
}

/// So many sentences of a text; the rest stands below.
fn beginning(text: &Sentences, most: usize) -> String {
    let forms = text.forms();
    let place = forms.len().saturating_sub(most);
    forms.into_iter().nth(place).unwrap_or_default()
}

/// Columns beside each other, without those that hold nothing.
fn beside(columns: [Vec<Block>; 2]) -> Option<Block> {
    let columns: Vec<Vec<Block>> = columns.into_iter().filter(|c| !c.is_empty()).collect();
    (!columns.is_empty()).then_some(Block::Beside(columns))
}

/// How much is doubtful in the site file.
fn warnings(site: &Site) -> Option<Block> {
    let stand = if site.warnings.len() == 1 { "stands" } else { "stand" };
    let said = crate::report::screen::warnings(site, "");
    (!said.is_empty()).then(|| Block::Note(format!("{said} {stand} below.")))
}

/// Which layout it is, and which servers, which the drawing shows too.
fn named(source: &ReportSource<'_>, answer: &Answer, with_servers: bool) -> Option<Block> {
    let overload = source.advice.overload.as_ref();
    let said = match (&answer.layout, overload) {
        (Some(layout), _) if with_servers => format!("{}. {}.", layout.title, layout.servers),
        (Some(layout), _) => format!("{}.", layout.title),
        (None, Some(overload)) => format!(
            "Drawn is the best layout that this site has, {}, at {}.",
            overload.deployment.title,
            source.inputs.site.peak.load(overload.factor)
        ),
        (None, None) => return None,
    };
    Some(Block::Text(said))
}

/// The layout, drawn; the reasons where there is none.
fn drawing(source: &ReportSource<'_>, answer: &Answer) -> Vec<Block> {
    let mut blocks = Vec::new();
    let chosen = source.advice.chosen.as_ref();
    let chosen = chosen.map(|c| (&c.deployment, &c.prediction));
    let best = source.advice.overload.as_ref();
    let best = best.map(|o| (&o.deployment, &o.prediction));
    if let Some((deployment, prediction)) = chosen.or(best) {
        let catalog = source.inputs.catalog;
        let drawn = diagram(source.inputs.site, catalog, deployment, prediction);
        blocks.push(Block::Diagram(drawn));
    }
    if answer.layout.is_none() {
        blocks.push(Block::Heading("Why no layout is recommended".to_owned()));
        let reasons = answer.why_not.iter().take(WHY_NOT);
        let points = reasons.map(|why| Cell::to(format!("{why}."), "alternatives"));
        blocks.push(Block::Points(points.collect()));
    }
    blocks
}

/// Response times over the load, and over the years what ends first: the load's limit or room in a store.
fn charts(source: &ReportSource<'_>, answer: &Answer) -> Vec<ChartData> {
    let Some(curves) = source.curves else {
        return Vec::new();
    };
    let response = response_charts(&curves.curve).into_iter().next();
    // Saturation and knee stand in the large chart.
    let mut charts: Vec<ChartData> =
        response.map(|found| super::peak::with_targets(curves, found.without_beyond())).into_iter().collect();
    let load_and_stores = &curves.load_and_stores;
    // Names of all stores would not fit.
    let mut stores = with_horizon(stores_chart(load_and_stores, STORES), load_and_stores);
    "in use".clone_into(&mut stores.y.label);
    let mut load = with_horizon(load_chart(load_and_stores), load_and_stores);
    format!("× {} load", load_and_stores.peak.peak()).clone_into(&mut load.y.label);
    let ends_first = answer.limits.first().is_some_and(|l| l.what == "space");
    let years = if ends_first { [stores, load] } else { [load, stores] };
    charts.extend(years.into_iter().find(super::growth::rises));
    charts
}

/// Times against targets: those that are nearest to missing one.
fn work(source: &ReportSource<'_>, answer: &Answer, most: usize) -> Vec<Block> {
    let all = answer.work.len();
    if all == 0 {
        return Vec::new();
    }
    // Where there is no table of all of them, all are here.
    let most = source.advice.chosen.as_ref().map_or(all, |_| most);
    let mut table = Table::new(&["kind of work", ">95 % within", ">80 % interval", "target"]);
    for row in nearest(&answer.work, most) {
        let target = row.target.as_ref();
        let target = target.map(|t| format!("{}: {}", t.limit, t.verdict()));
        table.row(vec![row.name.clone(), row.p95.clone(), row.interval.clone(), target.unwrap_or_default()]);
    }
    let title = match &source.advice.overload {
        Some(overload) if answer.stands == Stands::Overloaded => {
            let peak = source.inputs.site.peak;
            format!("Response times at {}", peak.load(overload.factor))
        }
        _ => "Response times at the peak hour".to_owned(),
    };
    let mut blocks = vec![Block::Heading(title), Block::Table(table.filled())];
    if all > most {
        let more = all - most;
        blocks.push(Block::Note(format!("And {more} more, further from their targets.")));
    }
    blocks
}

fn limits(answer: &Answer, step: usize) -> Vec<Block> {
    let limits = answer.limits.iter().take(LIMITS.at(step));
    let mut points: Vec<Cell> = limits.map(|limit| Cell::to(super::limit(limit), "growth")).collect();
    if !answer.n_minus_one.is_empty() {
        points.push(Cell::to(answer.n_minus_one.clone(), "recovery"));
    }
    if !answer.cost.is_empty() {
        points.push(Cell::to(beginning(&answer.cost, COST.at(step)), "bill"));
    }
    points_below("Limits, one part lost, and what to buy", points)
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
    vec![Block::Heading("Busiest resources".to_owned()), Block::Table(table)]
}

fn findings(answer: &Answer, most: usize) -> Vec<Block> {
    let findings = answer.findings.iter().take(most);
    let points = findings.map(|finding| Cell::to(finding.whole(), "findings"));
    let mut blocks = points_below("Risks, and what to do first", points.collect());
    let more = answer.findings.len().saturating_sub(most);
    if more > 0 {
        blocks.push(Block::Note(format!("And {more} more under Findings.")));
    }
    blocks
}

fn questions(answer: &Answer, most: usize) -> Vec<Block> {
    let questions = answer.questions.iter().take(most);
    let points = questions.map(|asked| Cell::to(super::asked(asked), "assumptions"));
    points_below("Ask first (unanswered questions)", points.collect())
}
