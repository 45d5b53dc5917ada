//! The advice on one screen: what a person reads first, and most read no more.
//!
//! At most [`LINES`] lines of [`COLUMNS`] columns. What does not fit is left to `--full`.

mod lines;

use super::answer::{Answer, FindingRow, Stands, WorkRow};
use super::table;
use crate::advisor::Advice;
use crate::catalog::Catalog;
use crate::site::Site;

pub use lines::{COLUMNS, LINES, Screen, Tone};
pub(super) use lines::{Line, heading, plain, toned, warnings, wrapped};

/// Columns before the text of a labelled line.
const LABEL: usize = 24;
/// Findings on the screen: what to do first. They are the last to give way.
const FINDINGS: usize = 3;
/// Lines of one finding or question, where there is room for them.
const LINES_EACH: usize = 3;

/// How much of each part is shown.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Lines of the verdict.
    verdict: usize,
    /// Lines of one volume, of the servers, and of one limit.
    lines: usize,
    /// Rows of times.
    times: usize,
    /// Rows of limits.
    limits: usize,
    /// Lines of what happens without a part, of cost and of rare stalls, each.
    beside: usize,
    /// Lines of one finding.
    finding: usize,
    /// Questions, and lines of each.
    questions: (usize, usize),
    /// Lines about how sure the choice is.
    sure: usize,
    /// Reasons why a layout is not recommended.
    reasons: usize,
}

impl Room {
    /// Everything.
    const ALL: Self = Self {
        verdict: 7,
        lines: LINES_EACH,
        times: 10,
        limits: 5,
        beside: 3,
        finding: LINES_EACH + 1,
        questions: (3, LINES_EACH),
        sure: 3,
        reasons: 8,
    };

    /// What gives way where the screen is too small, one part after the other.
    fn smaller() -> impl Iterator<Item = Self> {
        const STEPS: [fn(&mut Room); 23] = [
            |room| room.reasons = 6,
            |room| room.limits = 3,
            |room| room.times = 7,
            |room| room.questions.0 = 2,
            |room| room.times = 5,
            |room| room.limits = 2,
            |room| room.beside = 2,
            |room| room.sure = 2,
            |room| room.reasons = 4,
            |room| room.times = 4,
            |room| room.questions.1 = 2,
            |room| room.lines = 2,
            |room| room.questions.0 = 1,
            |room| room.times = 3,
            |room| room.beside = 1,
            |room| room.limits = 1,
            |room| room.sure = 1,
            |room| room.verdict = 5,
            |room| room.finding = LINES_EACH,
            |room| room.lines = 1,
            |room| room.verdict = 4,
            |room| room.reasons = 2,
            |room| room.times = 2,
        ];
        let smaller = STEPS.iter().scan(Self::ALL, |room, step| {
            step(room);
            Some(*room)
        });
        std::iter::once(Self::ALL).chain(smaller)
    }
}

/// The whole screen.
pub fn advice_screen(site: &Site, catalog: &Catalog, advice: &Advice) -> Screen {
    let answer = Answer::of(site, catalog, advice);
    Screen::fitting(Room::smaller().map(|room| lines(site, &answer, room)))
}

/// How the verdict stands out.
fn tone(stands: Stands) -> Tone {
    match stands {
        Stands::Carries => Tone::Good,
        Stands::MayMiss => Tone::Warning,
        Stands::Misses | Stands::Short | Stands::Overloaded | Stands::Impossible => Tone::Bad,
    }
}

fn lines(site: &Site, answer: &Answer, room: Room) -> Vec<Line> {
    let title = format!("{} ({})", answer.title, site.file);
    let mut out: Vec<Line> = Vec::new();
    plain(&mut out, &title, 0, 2);
    out.push(String::new().into());
    let verdict = answer.verdict.join(" ");
    toned(&mut out, tone(answer.stands), &verdict, room.verdict);
    if let Some(layout) = &answer.layout {
        let title = format!(
            "Layout: {} (sizes today and in {})",
            layout.title, layout.horizon
        );
        heading(&mut out, &title);
        for place in &layout.places {
            let text = format!("{}; {}, {}", place.place, place.today, place.later);
            labelled(&mut out, &place.roles, &text, room.lines);
        }
        labelled(&mut out, "servers", &layout.servers, room.lines);
    }
    if !answer.instance.is_empty() {
        labelled(&mut out, "instance", &answer.instance, room.lines.max(2));
    }
    if answer.stands == Stands::Overloaded {
        heading(&mut out, "Busiest at the load that it keeps up with");
        for row in &answer.busiest {
            labelled(&mut out, &row.busy, &row.name, 1);
        }
    }
    times_of(&mut out, answer, room.times);
    if !answer.limits.is_empty() {
        heading(&mut out, "Limits");
        for row in answer.limits.iter().take(room.limits) {
            labelled(
                &mut out,
                row.what,
                &format!("{}: {}", row.when, row.text),
                room.lines,
            );
        }
    }
    if !answer.n_minus_one.is_empty() {
        labelled(
            &mut out,
            "one part lost",
            &answer.n_minus_one,
            room.beside.min(2),
        );
    }
    if !site.prices.is_empty() && !answer.cost.is_empty() {
        labelled(&mut out, "cost", &answer.cost, room.beside);
    }
    if let Some(stall) = answer.stalls.first() {
        labelled(&mut out, "rare stalls", stall, room.beside);
    }
    first(&mut out, answer, room.finding);
    questions(&mut out, answer, room.questions);
    if !answer.why_not.is_empty() {
        heading(&mut out, "Why not");
        for text in answer.why_not.iter().take(room.reasons) {
            plain(&mut out, text, 2, 3);
        }
    }
    if !answer.sure.is_empty() {
        out.push(String::new().into());
        labelled(&mut out, "How sure", &answer.sure, room.sure);
    }
    ending(&mut out, site);
    out
}

/// The gravest findings, and how many more there are.
fn first(out: &mut Vec<Line>, answer: &Answer, lines: usize) {
    if answer.findings.is_empty() {
        return;
    }
    heading(out, "What to do first");
    for (i, finding) in answer.findings.iter().take(FINDINGS).enumerate() {
        numbered(out, i + 1, &fitting(finding, COLUMNS - 5, lines), lines);
    }
    let more = answer.findings.len().saturating_sub(FINDINGS);
    if more > 0 {
        out.push(format!("  and {more} more (--full)").into());
    }
}

/// What the estimate leaves out, and where the rest is.
fn ending(out: &mut Vec<Line>, site: &Site) {
    let outside = "Not estimated: licences, triggers, obliterate, and other programs on the server. State what you see in today.signs.";
    plain(out, outside, 0, 2);
    let warnings = warnings(site, " and ");
    out.push(format!("--full shows {warnings}all tables, reasons and evidence.").into());
}

/// Unanswered questions with what is assumed, and what another answer would do.
fn questions(out: &mut Vec<Line>, answer: &Answer, (most, lines): (usize, usize)) {
    if answer.questions.is_empty() {
        return;
    }
    heading(
        out,
        "Ask first (unanswered questions that move this answer most)",
    );
    for (i, asked) in answer.questions.iter().take(most).enumerate() {
        let case = if asked.case.is_empty() {
            String::new()
        } else {
            format!("; {}", asked.case)
        };
        let text = format!(
            "{} Assumed {}{case} ({}).",
            asked.question, asked.assumed, asked.path
        );
        numbered(out, i + 1, &text, lines);
    }
}

/// The longest form of a finding that takes at most so many lines, else what to do alone.
pub(super) fn fitting(finding: &FindingRow, width: usize, most: usize) -> String {
    let fits = |text: &String| table::wrap(text, width).len() <= most;
    let fitting = finding.forms().into_iter().find(fits);
    fitting.unwrap_or_else(|| format!("{}. [{}]", finding.action, finding.rule))
}

/// Who waits how long against which target.
fn times_of(out: &mut Vec<Line>, answer: &Answer, most: usize) {
    if answer.work.is_empty() {
        return;
    }
    out.push(String::new().into());
    let head = if answer.stands == Stands::Overloaded {
        "At that load"
    } else {
        "At the peak hour"
    };
    out.push(Line {
        tone: Tone::Heading,
        text: time_row([head, "95 % within", "80 % interval", "target"]),
    });
    let mut rows: Vec<&WorkRow> = answer.work.iter().collect();
    let all = rows.len();
    if all > most {
        // Those nearest to missing a target stay.
        let need = |r: &WorkRow| match &r.target {
            None => 0,
            Some(t) => 1 + t.risk.unwrap_or(if t.is_met { 0 } else { 100 }),
        };
        let mut order: Vec<usize> = (0..all).collect();
        order.sort_by_key(|i| (std::cmp::Reverse(need(rows[*i])), *i));
        let kept = &order[..most];
        let mut at = 0..all;
        rows.retain(|_| at.next().is_some_and(|i| kept.contains(&i)));
    }
    for row in &rows {
        let target = row.target.as_ref();
        let tone = match target {
            Some(t) if t.risk.is_some() => Tone::Warning,
            Some(t) if !t.is_met => Tone::Bad,
            _ => Tone::Plain,
        };
        let target = target.map_or(String::new(), |t| format!("{}: {}", t.limit, t.verdict()));
        let text = time_row([&row.name, &row.p95, &row.interval, &target]);
        out.push(Line { tone, text });
    }
    if rows.len() < all {
        out.push(format!("  and {} more kinds of work", all - rows.len()).into());
    }
}

fn labelled(out: &mut Vec<Line>, label: &str, text: &str, most: usize) {
    let width = LABEL.max(label.chars().count() + 4);
    let lines = wrapped(text, COLUMNS - width, most);
    for (n, line) in lines.iter().enumerate() {
        let label = if n == 0 { label } else { "" };
        out.push(format!("  {label:<0$}{line}", width - 2).into());
    }
}

fn numbered(out: &mut Vec<Line>, n: usize, text: &str, most: usize) {
    let lines = wrapped(text, COLUMNS - 5, most);
    for (i, line) in lines.iter().enumerate() {
        let mark = if i == 0 {
            format!("{n}.")
        } else {
            String::new()
        };
        out.push(format!("  {mark:<3}{line}").into());
    }
}

/// Columns of the name of a kind of work, and the least that are left for the target.
const NAME: usize = 38;
const TARGET: usize = 24;

/// A row whose name takes fewer columns where its target needs more.
fn time_row([name, time, interval, target]: [&str; 4]) -> String {
    let longer = target.chars().count().saturating_sub(TARGET);
    let width = NAME - longer.min(NAME / 2);
    let name = table::cut(name, width);
    let row = format!("  {name:<width$} {time:>11}  {interval:<19} {target}");
    row.trim_end().to_owned()
}
