//! Today's system and what to change first as text: one screen, and everything.

use super::super::prose::{Sentences, about_count};
use super::super::screen::{COLUMNS, LINES, LINES_EACH, findings, warnings};
use super::{ChangeRow, PartRow, TodayAnswer, people_in_words};
use crate::page::{Cell, Keep, Screen, Table, Tone, Width, section_text};
use crate::site::Site;

/// Lines of the verdict.
const VERDICT: Keep = Keep(&[(1, 7), (14, 5)]);
/// Findings.
const FINDINGS: Keep = Keep(&[(0, 3), (19, 2)]);
/// Rows of changes.
const CHANGES: Keep = Keep(&[(1, 10), (2, 9), (4, 8), (8, 7), (12, 5), (16, 4), (20, 3)]);
/// Partners of changes that give nothing alone.
const TOGETHER: Keep = Keep(&[(11, 1), (18, 0)]);
/// Lines of the changes that give nothing.
const NONE: Keep = Keep(&[(1, 3), (10, 2), (15, 0)]);
/// Whether the best two together are shown.
const PAIR: Keep = Keep(&[(17, 0)]);
/// Steps of each part of the plan.
const STEPS: Keep = Keep(&[(1, 4), (3, 3), (5, 2), (6, 1), (9, 0)]);
/// A change is marked where it carries less than this share of the people who are carried today.
const FEWER: f64 = 0.9;

/// One screen.
pub fn today_screen(site: &Site, answer: &TodayAnswer) -> Screen {
    Screen::fitting(&tables(site, answer), LINES, COLUMNS)
}

fn tables(site: &Site, answer: &TodayAnswer) -> Vec<Table> {
    let title = format!("{} ({}): today's system", answer.title, site.file);
    let tone = if answer.meets_targets { Tone::Good } else { Tone::Bad };
    let verdict: Sentences = answer.verdict.iter().cloned().collect();
    let verdict = Cell::forms(verdict.forms()).toned(tone);
    let places = answer.volumes.iter().map(|place| Cell::plain(format!("{}: {}", place.roles, place.place)));
    let places = Table::lines(2, places).titled(TodayAnswer::VOLUMES);
    let mut out = vec![
        Table::lines(0, [Cell::plain(title)]),
        Table::lines(0, [verdict]).apart(Keep::ONE).within(VERDICT),
        places,
        Table::lines(2, [Cell::plain(format!("server: {}", answer.server))]),
        findings(TodayAnswer::FINDINGS, &answer.findings, LINES_EACH).keeping(FINDINGS),
        changes(answer),
    ];
    let with = only_together(answer);
    let rows = with.iter().map(|(cell, _)| cell.clone());
    out.push(Table::lines(2, rows).keeping(TOGETHER).within(LINES_EACH));
    out.extend(no_gain(answer, &with));
    let pair = answer.pair.iter().map(|pair| Cell::plain(format!("{}: {}", pair.title, pair.gives())));
    out.push(Table::lines(2, pair).titled("Best two together").keeping(PAIR));
    out.extend(plan(answer));
    let ending = format!(
        "Solved, not simulated. Cost from 0 to 5, assumed. --full shows {}all times, risks, steps and what was not stated.",
        warnings(site, ", ")
    );
    out.push(Table::lines(0, [Cell::plain(ending)]).apart(Keep::ONE));
    out
}

/// The table of single changes.
fn changes(answer: &TodayAnswer) -> Table {
    let rows = answer.changes.iter().map(|change| {
        let (people, cost) = (people_in_words(change.people), change.cost.to_string());
        vec![change.title.clone(), people, change.what_it_fixes(), change.down_time.clone(), cost]
    });
    let table = Table::new(&[TodayAnswer::CHANGES, ">people", "what it fixes", ">down time", ">cost"]).with(rows);
    let table = table.on_screen(&[46, 9, 26, 11, 4].map(Width::Of)).apart(Keep::ONE).keeping(CHANGES);
    table.or_more(["and {} more that help less for their price"; 2])
}

/// Those that give nothing, but for those that are told of with their partners.
fn no_gain(answer: &TodayAnswer, with: &[(Cell, Vec<&PartRow>)]) -> Option<Table> {
    let fewer = |row: &ChangeRow| match (row.people, answer.people) {
        (Some(after), Some(before)) if after < FEWER * before => {
            format!(" (fewer people, about {}: then {})", about_count(after), row.limit)
        }
        _ => String::new(),
    };
    let is_in_pair = |row: &&ChangeRow| {
        let mut named = with.iter().flat_map(|(_, changes)| changes);
        named.any(|change| row.changes.first() == Some(*change))
    };
    let none = answer.no_gain.iter().filter(|row| !is_in_pair(row));
    let small: Vec<String> = none.map(|row| format!("{}{}", small(&row.title), fewer(row))).collect();
    let table = Table::lines(2, [Cell::list("These alone give nothing:", &small)]).within(NONE);
    let table = if answer.changes.is_empty() { table.apart(Keep::ONE) } else { table };
    (!small.is_empty()).then_some(table)
}

/// A change, and what others give with it: people.
type Partner<'a> = (&'a PartRow, Vec<(&'a PartRow, Option<f64>)>);

/// Changes that give nothing alone, and what they give with which other: one row a partner, the best first, without those
/// that give much less with it than the first.
fn only_together(answer: &TodayAnswer) -> Vec<(Cell, Vec<&PartRow>)> {
    /// A change is named where so large a share of the people of the best one are carried.
    const MUCH: f64 = 0.5;
    let mut partners: Vec<Partner<'_>> = Vec::new();
    for row in &answer.only_together {
        let [partner, change] = row.changes.as_slice() else {
            continue;
        };
        match partners.iter_mut().find(|(known, _)| known.id == partner.id) {
            Some((_, changes)) => changes.push((change, row.people)),
            None => partners.push((partner, vec![(change, row.people)])),
        }
    }
    let cells = partners.into_iter().map(|(partner, mut changes)| {
        let most = changes.iter().filter_map(|(_, people)| *people).fold(0.0, f64::max);
        changes.retain(|(_, people)| people.is_none_or(|people| people >= MUCH * most));
        let mut singles = answer.changes.iter();
        let single = singles.find(|row| row.changes.first() == Some(partner));
        let with = |part: &PartRow, people: Option<f64>| {
            let people = people.map_or(String::new(), |people| format!(" ({} people)", about_count(people)));
            format!("{}{people}", small(&part.title))
        };
        let alone = single.map_or(answer.people, |row| row.people);
        let before = format!("After {} these help too, but not alone:", with(partner, alone));
        let items = changes.iter().map(|(change, people)| with(change, *people));
        let cell = Cell::list(&before, &items.collect::<Vec<_>>());
        (cell, changes.into_iter().map(|(change, _)| change).collect())
    });
    cells.collect()
}

/// The plan, step by step, and what it comes to.
fn plan(answer: &TodayAnswer) -> Vec<Table> {
    let mut out: Vec<Table> = Vec::new();
    for (n, after) in answer.plan.iter().enumerate() {
        // Each row of the plan has the changes before it: the last is new.
        let Some(new) = after.changes.last() else {
            continue;
        };
        let step = after.after(n.checked_sub(1).and_then(|n| answer.plan.get(n)));
        let text = format!("{}: then {}", new.title, step.gives());
        out.push(Table::labelled((3, 3), [(format!("{}.", n + 1), Cell::plain(text))]));
        let steps = new.steps.iter().map(|what| ("-".to_owned(), Cell::plain(what.clone())));
        let mut steps = Table::labelled((2, 2), steps).keeping(STEPS);
        steps.fit.indent = 5;
        out.push(steps);
    }
    out.push(Table::lines(2, [Cell::plain(answer.plan_verdict.clone())]));
    let target = (!answer.target.is_empty()).then(|| Cell::plain(answer.target.clone()));
    out.push(Table::lines(2, target).within(LINES_EACH));
    "Plan".clone_into(&mut out[0].fit.title);
    out
}

/// With a small letter at its head, where the first word is no name.
fn small(title: &str) -> String {
    let mut letters = title.chars();
    let (first, second) = (letters.next(), letters.next());
    match (first, second) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            let head: String = first.to_lowercase().collect();
            format!("{head}{}", title.chars().skip(1).collect::<String>())
        }
        _ => title.to_owned(),
    }
}

/// Everything: the screen, then all changes with times, risks and steps, and what nobody stated.
pub fn today_text(site: &Site, answer: &TodayAnswer) -> String {
    let warnings = site.warnings.iter().flat_map(|warning| [warning.as_str(), "\n"]);
    let mut text: String = warnings.collect();
    text.push_str(&Screen::whole(&tables(site, answer), COLUMNS).text);
    text.extend(super::page::rest(answer).iter().map(section_text));
    text
}
