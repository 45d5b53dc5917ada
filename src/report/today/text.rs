//! Today's system and what to change first as text: one screen, and everything.

use super::super::prose::about_count;
use super::super::screen::{
    COLUMNS, FINDINGS, LINES_EACH, Line, NUMBER, Screen, cells, fitting, hanging, heading, listed,
    plain, sentences, toned, warnings,
};
use super::{ChangeRow, PartRow, TodayAnswer, people_in_words};
use crate::page::{Tone, section_text};
use crate::site::Site;

/// Lines of the verdict, and of the changes that give nothing.
const VERDICT: usize = 7;
const NONE: usize = 3;
/// A change is marked where it carries less than this share of the people who are carried today.
const FEWER: f64 = 0.9;

/// How much of each part is shown.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Rows of changes.
    rows: usize,
    /// Steps of each part of the plan.
    steps: usize,
    /// Findings.
    findings: usize,
    /// Lines of the verdict.
    verdict: usize,
    /// Lines of the changes that give nothing; none where there is no room.
    none: usize,
    /// Partners of changes that give nothing alone.
    together: usize,
    /// Whether the best two together are shown.
    pair: bool,
}

impl Room {
    /// All, where there is no limit.
    const ALL: Self = Self {
        rows: usize::MAX,
        steps: usize::MAX,
        findings: FINDINGS,
        verdict: usize::MAX,
        none: usize::MAX,
        together: usize::MAX,
        pair: true,
    };

    /// What one screen has at most.
    const SCREEN: Self = Self {
        rows: 10,
        steps: 4,
        verdict: VERDICT,
        none: NONE,
        ..Self::ALL
    };

    /// What gives way where the screen is too small, one part after the other.
    const SMALLER: [fn(&mut Self); 17] = [
        |room| room.rows = 9,
        |room| room.steps = 3,
        |room| room.rows = 8,
        |room| room.steps = 2,
        |room| room.steps = 1,
        |room| room.rows = 7,
        |room| room.steps = 0,
        |room| room.none = 2,
        |room| room.together = 1,
        |room| room.rows = 5,
        |room| room.verdict = 5,
        |room| room.none = 0,
        |room| room.rows = 4,
        |room| room.pair = false,
        |room| room.together = 0,
        |room| room.findings = 2,
        |room| room.rows = 3,
    ];
}

/// One screen.
pub fn today_screen(site: &Site, answer: &TodayAnswer) -> Screen {
    Screen::fitting(Room::SCREEN, &Room::SMALLER, |room| {
        lines(site, answer, room)
    })
}

fn lines(site: &Site, answer: &TodayAnswer, room: Room) -> Vec<Line> {
    let mut out = Vec::new();
    let title = format!("{} ({}): today's system", answer.title, site.file);
    plain(&mut out, &title, 0);
    out.push(String::new().into());
    let tone = if answer.meets_targets {
        Tone::Good
    } else {
        Tone::Bad
    };
    let said = sentences(&answer.verdict.join(" "), COLUMNS, room.verdict);
    toned(&mut out, tone, &said);
    heading(&mut out, TodayAnswer::VOLUMES);
    for place in &answer.volumes {
        plain(&mut out, &format!("{}: {}", place.roles, place.place), 2);
    }
    plain(&mut out, &format!("server: {}", answer.server), 2);
    findings(&mut out, answer, room.findings);
    changes(&mut out, answer, room);
    if let Some(pair) = answer.pair.as_ref().filter(|_| room.pair) {
        heading(&mut out, "Best two together");
        plain(&mut out, &format!("{}: {}", pair.title, pair.gives()), 2);
    }
    plan(&mut out, answer, room.steps);
    plain(&mut out, &answer.plan_verdict, 2);
    out.push(String::new().into());
    let warnings = warnings(site, ", ");
    let ending = format!(
        "Solved, not simulated. Cost from 0 to 5, assumed. --full shows {warnings}all times, risks, steps and what was not stated."
    );
    plain(&mut out, &ending, 0);
    out
}

/// The gravest findings.
fn findings(out: &mut Vec<Line>, answer: &TodayAnswer, most: usize) {
    if answer.findings.is_empty() {
        return;
    }
    heading(out, TodayAnswer::FINDINGS);
    for (n, finding) in answer.findings.iter().take(most).enumerate() {
        let text = fitting(finding, COLUMNS - NUMBER, LINES_EACH);
        hanging(out, &format!("{}.", n + 1), NUMBER, &text);
    }
}

/// The table of single changes, and those that give nothing.
fn changes(out: &mut Vec<Line>, answer: &TodayAnswer, room: Room) {
    if !answer.changes.is_empty() {
        let head = [
            TodayAnswer::CHANGES,
            "people",
            "what it fixes",
            "down time",
            "cost",
        ];
        out.push(String::new().into());
        change_row(out, Tone::Heading, head);
        for change in answer.changes.iter().take(room.rows) {
            let (people, cost) = (people_in_words(change.people), change.cost.to_string());
            let fixes = change.what_it_fixes();
            let row = [&change.title, &people, &fixes, &change.down_time, &cost];
            change_row(out, Tone::Plain, row.map(String::as_str));
        }
        let more = answer.changes.len().saturating_sub(room.rows);
        if more > 0 {
            out.push(format!("  and {more} more that help less for their price").into());
        }
    }
    let with = only_together(answer);
    for (text, _) in with.iter().take(room.together) {
        plain(out, text, 2);
    }
    if !answer.no_gain.is_empty() && room.none > 0 {
        if answer.changes.is_empty() {
            out.push(String::new().into());
        }
        let fewer = |row: &ChangeRow| match (row.people, answer.people) {
            (Some(after), Some(before)) if after < FEWER * before => {
                format!(
                    " (fewer people, about {}: then {})",
                    about_count(after),
                    row.limit
                )
            }
            _ => String::new(),
        };
        let is_in_pair = |row: &&ChangeRow| {
            let mut named = with.iter().flat_map(|(_, changes)| changes);
            named.any(|change| row.changes.first() == Some(*change))
        };
        let none = answer.no_gain.iter().filter(|row| !is_in_pair(row));
        let small: Vec<String> = none
            .map(|row| format!("{}{}", small(&row.title), fewer(row)))
            .collect();
        if small.is_empty() {
            return;
        }
        let text = listed("These alone give nothing:", &small, COLUMNS - 2, room.none);
        plain(out, &text, 2);
    }
}

/// A change, and what others give with it: people.
type Partner<'a> = (&'a PartRow, Vec<(&'a PartRow, Option<f64>)>);

/// Changes that give nothing alone, and what they give with which other: one text a partner, the best first, without those
/// that give much less with it than the first.
fn only_together(answer: &TodayAnswer) -> Vec<(String, Vec<&PartRow>)> {
    /// A change is named where so large a share of the people of the best one are carried.
    const MUCH: f64 = 0.5;
    let mut partners: Vec<Partner<'_>> = Vec::new();
    for row in &answer.only_together {
        let [partner, change] = row.changes.as_slice() else {
            continue;
        };
        match partners
            .iter_mut()
            .find(|(known, _)| known.id == partner.id)
        {
            Some((_, changes)) => changes.push((change, row.people)),
            None => partners.push((partner, vec![(change, row.people)])),
        }
    }
    let texts = partners.into_iter().map(|(partner, mut changes)| {
        let most = changes
            .iter()
            .filter_map(|(_, people)| *people)
            .fold(0.0, f64::max);
        changes.retain(|(_, people)| people.is_none_or(|people| people >= MUCH * most));
        let mut singles = answer.changes.iter();
        let single = singles.find(|row| row.changes.first() == Some(partner));
        let with = |part: &PartRow, people: Option<f64>| {
            let people = people.map_or(String::new(), |people| {
                format!(" ({} people)", about_count(people))
            });
            format!("{}{people}", small(&part.title))
        };
        let alone = single.map_or(answer.people, |row| row.people);
        let before = format!("Nothing alone, but together with {}:", with(partner, alone));
        let items = changes.iter().map(|(change, people)| with(change, *people));
        let text = listed(&before, &items.collect::<Vec<_>>(), COLUMNS - 2, NONE);
        (
            text,
            changes.into_iter().map(|(change, _)| change).collect(),
        )
    });
    texts.collect()
}

/// The plan, step by step.
fn plan(out: &mut Vec<Line>, answer: &TodayAnswer, steps: usize) {
    heading(out, "Plan");
    for (n, after) in answer.plan.iter().enumerate() {
        // Each row of the plan has the changes before it: the last is new.
        let Some(new) = after.changes.last() else {
            continue;
        };
        let step = after.after(n.checked_sub(1).and_then(|n| answer.plan.get(n)));
        let text = format!("{}: then {}", new.title, step.gives());
        hanging(out, &format!("{}.", n + 1), NUMBER, &text);
        for what in new.steps.iter().take(steps) {
            hanging(out, "   -", NUMBER + 2, what);
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

fn change_row(out: &mut Vec<Line>, tone: Tone, [change, people, fixes, down, cost]: [&str; 5]) {
    cells(
        out,
        tone,
        &[
            (change, 44, false),
            (people, 7, true),
            (fixes, 24, false),
            (down, 9, true),
            (cost, 4, true),
        ],
    );
}

/// Everything: the screen, then all changes with times, risks and steps, and what nobody stated.
pub fn today_text(site: &Site, answer: &TodayAnswer) -> String {
    let mut text = String::new();
    for warning in &site.warnings {
        text.push_str(warning);
        text.push('\n');
    }
    text.push_str(&Screen::of(lines(site, answer, Room::ALL)).text);
    text.extend(super::page::rest(answer).iter().map(section_text));
    text
}
