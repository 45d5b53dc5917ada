//! Today's system and what to change first as text: one screen, and everything.

use super::super::prose::about_count;
use super::super::screen::{COLUMNS, Line, Screen, Tone, fitting, heading, plain, toned, warnings};
use super::super::table::{Table, WIDTH, cut, paragraph};
use super::{ChangeRow, Taken, TodayAnswer};
use crate::advisor::NO_LIMIT;
use crate::site::Site;

/// Findings of the screen, and lines of each.
const FINDINGS: usize = 3;
const LINES_EACH: usize = 3;
/// A change is marked where it carries less than this share of the people who are carried today.
const FEWER: f64 = 0.9;
/// Rows of changes, steps of the plan with their steps, and lines of places: as many as there is room for.
const ROOM: [(usize, usize, usize); 8] = [
    (10, 4, 6),
    (9, 3, 6),
    (8, 2, 6),
    (8, 1, 4),
    (7, 1, 3),
    (6, 0, 3),
    (4, 0, 2),
    (3, 0, 1),
];

/// One screen.
pub fn today_screen(site: &Site, answer: &TodayAnswer) -> Screen {
    Screen::fitting(ROOM.iter().map(|room| lines(site, answer, *room)))
}

fn lines(
    site: &Site,
    answer: &TodayAnswer,
    (rows, steps, places): (usize, usize, usize),
) -> Vec<Line> {
    let mut out = Vec::new();
    let title = format!("{} ({}): today's system", answer.title, site.file);
    plain(&mut out, &title, 0, 2);
    out.push(String::new().into());
    let tone = if answer.meets_targets {
        Tone::Good
    } else {
        Tone::Bad
    };
    toned(&mut out, tone, &answer.verdict.join(" "), 7);
    heading(&mut out, TodayAnswer::VOLUMES);
    for place in answer.volumes.iter().take(places) {
        plain(&mut out, &format!("{}: {}", place.roles, place.place), 2, 2);
    }
    plain(&mut out, &format!("server: {}", answer.server), 2, 2);
    findings(&mut out, answer, steps);
    changes(&mut out, answer, rows);
    if let Some(pair) = &answer.pair {
        heading(&mut out, "Best two together");
        plain(&mut out, &format!("{}: {}", pair.title, pair.gives()), 2, 3);
    }
    plan(&mut out, answer, steps);
    plain(&mut out, &answer.plan_verdict, 2, 3);
    out.push(String::new().into());
    let warnings = warnings(site, ", ");
    let ending = format!(
        "Cost from 0 to 5, assumed. --full shows {warnings}all times, risks, steps and what was not stated."
    );
    plain(&mut out, &ending, 0, 2);
    out
}

/// The gravest findings.
fn findings(out: &mut Vec<Line>, answer: &TodayAnswer, most: usize) {
    if answer.findings.is_empty() {
        return;
    }
    heading(out, TodayAnswer::FINDINGS);
    for finding in answer.findings.iter().take(most.clamp(1, FINDINGS)) {
        plain(
            out,
            &fitting(finding, COLUMNS - 2, LINES_EACH),
            2,
            LINES_EACH,
        );
    }
}

/// The table of single changes, and those that give nothing.
fn changes(out: &mut Vec<Line>, answer: &TodayAnswer, rows: usize) {
    if !answer.changes.is_empty() {
        let head = [
            TodayAnswer::CHANGES,
            "people",
            "what it fixes",
            "down time",
            "cost",
        ];
        out.push(String::new().into());
        let (tone, text) = (Tone::Heading, row(head));
        out.push(Line { tone, text });
        for change in answer.changes.iter().take(rows) {
            out.push(line(change).into());
        }
        let more = answer.changes.len().saturating_sub(rows);
        if more > 0 {
            out.push(format!("  and {more} more that help less for their price").into());
        }
    }
    if !answer.no_gain.is_empty() {
        if answer.changes.is_empty() {
            out.push(String::new().into());
        }
        // Large syncs that a change makes faster come more often, which other work can feel.
        let fewer = |row: &ChangeRow| {
            if row.factor < FEWER * answer.factor {
                format!(" (fewer people: about {})", about_count(row.people))
            } else {
                String::new()
            }
        };
        let none = answer.no_gain.iter();
        let small: Vec<String> = none
            .map(|row| format!("{}{}", small(&row.title), fewer(row)))
            .collect();
        plain(
            out,
            &format!("These alone give nothing: {}.", small.join("; ")),
            2,
            3,
        );
    }
}

/// The plan, step by step.
fn plan(out: &mut Vec<Line>, answer: &TodayAnswer, steps: usize) {
    heading(out, "Plan");
    for (n, after) in answer.plan.iter().enumerate() {
        // Each row of the plan has the changes before it: the last is new.
        let Some(new) = after.changes.last() else {
            continue;
        };
        let title = new.title.as_str();
        plain(
            out,
            &format!("{}. {title}: then {}", n + 1, after.gives()),
            2,
            2,
        );
        for what in new.steps.iter().take(steps) {
            plain(out, &format!("- {what}"), 5, 1);
        }
    }
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

fn row([change, people, fixes, down, cost]: [&str; 5]) -> String {
    let (change, fixes) = (cut(change, 44), cut(fixes, 24));
    let row = format!("  {change:<44} {people:>8}  {fixes:<24} {down:>9}  {cost:>4}");
    row.trim_end().to_owned()
}

/// The line of a change in the table.
fn line(change: &ChangeRow) -> String {
    let (people, cost) = (about_count(change.people), change.cost.to_string());
    let fixes = change.what_it_fixes();
    row([&change.title, &people, &fixes, &change.down_time, &cost])
}

/// Everything: the screen, then all changes with times, risks and steps, and what nobody stated.
pub fn today_text(site: &Site, answer: &TodayAnswer) -> String {
    let mut text = String::new();
    for warning in &site.warnings {
        text.push_str(warning);
        text.push('\n');
    }
    let all = (usize::MAX, usize::MAX, usize::MAX);
    text.push_str(&Screen::of(lines(site, answer, all)).text);
    if !answer.findings.is_empty() {
        line!(text, "\nFindings");
        line!(text, "════════");
        for finding in &answer.findings {
            let word = finding.severity.word();
            text.push_str(&paragraph(&format!("{word}: {}", finding.whole()), 2));
        }
    }
    if !answer.taken.is_empty() {
        line!(text, "\nWhat was not stated of today's system");
        line!(text, "═════════════════════════════════════");
        let mut table = Table::new(&["of", "what", "taken", "from"]);
        for taken in &answer.taken {
            let Taken {
                of,
                what,
                value,
                from,
            } = taken;
            table.row(vec![
                of.clone(),
                (*what).to_owned(),
                value.clone(),
                from.clone(),
            ]);
        }
        text.push_str(&table.render());
    }
    let pair = answer.pair.iter();
    for row in answer.changes.iter().chain(pair).chain(&answer.no_gain) {
        line!(text, "\n{}", row.title);
        line!(text, "{}", "═".repeat(row.title.chars().count().min(WIDTH)));
        for part in &row.changes {
            text.push_str(&paragraph(&part.does, 2));
        }
        text.push_str(&paragraph(&format!("Gives: {}.", row.gives()), 2));
        if row.limit != NO_LIMIT {
            text.push_str(&paragraph(&format!("Then {}.", row.limit), 2));
        }
        for missed in &row.missed {
            text.push_str(&paragraph(&format!("Still misses: {missed}."), 2));
        }
        let mut table = Table::new(&ChangeRow::TIME_HEADS);
        for cells in row.time_rows() {
            table.row(cells.to_vec());
        }
        if !table.is_empty() {
            text.push_str(&table.render());
        }
        for part in &row.changes {
            text.push_str(&paragraph(&part.risk_and_cost(), 2));
            for (n, step) in part.steps.iter().enumerate() {
                text.push_str(&paragraph(&format!("{}. {step}", n + 1), 4));
            }
        }
    }
    text
}
