//! The advice on one screen: what a person reads first, and most read no more.
//!
//! At most [`LINES`] lines of [`COLUMNS`] columns. Rows wrap; where there are too many, whole sentences and whole rows are
//! left to `--full`, the least important first.

mod lines;

use super::answer::{Answer, Asked, FindingRow, Sentence, Stands, Topic, joined, nearest};
use super::response::Judged;
use crate::advisor::Advice;
use crate::catalog::Catalog;
use crate::page::{Tone, wrap};
use crate::site::Site;

pub use lines::{COLUMNS, LINES, Screen};
pub(super) use lines::{
    Line, cells, hanging, heading, listed, paragraph, plain, sentences, toned, warnings,
};

/// Columns before the text of a labelled line.
const LABEL: usize = 24;
/// Columns before the text of a numbered one.
pub(super) const NUMBER: usize = 5;
/// Findings on the screen: what to do first. They are the last to give way.
pub(super) const FINDINGS: usize = 3;
/// Lines of one finding or question, where there is room for them.
pub(super) const LINES_EACH: usize = 3;
/// Lines of one limit, where its sentences are not longer.
const LIMIT_LINES: usize = 2;

/// How much of each part is shown.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Lines of the verdict: sentences that do not fit give way.
    verdict: usize,
    /// Rows of times.
    times: usize,
    /// Rows of limits.
    limits: usize,
    /// Rows of what happens without a part and of rare stalls.
    beside: usize,
    /// Lines of one finding.
    finding: usize,
    /// Questions, and lines of each.
    questions: (usize, usize),
    /// Lines about how sure the choice is; none where there is no room.
    sure: usize,
    /// Reasons why a layout is not recommended.
    reasons: usize,
}

impl Room {
    /// Everything.
    const ALL: Self = Self {
        verdict: 7,
        times: 10,
        limits: 5,
        beside: 3,
        finding: LINES_EACH + 1,
        questions: (3, LINES_EACH),
        sure: 3,
        reasons: 8,
    };

    /// What gives way where the screen is too small, one part after the other.
    const SMALLER: [fn(&mut Self); 26] = [
        |room| room.reasons = 6,
        |room| room.limits = 3,
        |room| room.times = 7,
        |room| room.questions.0 = 2,
        |room| room.times = 5,
        |room| room.limits = 2,
        |room| room.sure = 2,
        |room| room.reasons = 4,
        |room| room.times = 4,
        |room| room.questions.1 = 2,
        |room| room.beside = 2,
        |room| room.questions.0 = 1,
        |room| room.times = 3,
        |room| room.reasons = 2,
        |room| room.verdict = 6,
        |room| room.limits = 1,
        |room| room.sure = 1,
        |room| room.verdict = 5,
        |room| room.finding = LINES_EACH,
        |room| room.beside = 1,
        |room| room.verdict = 4,
        |room| room.times = 2,
        |room| room.sure = 0,
        |room| room.verdict = 1,
        |room| room.beside = 0,
        |room| room.questions.0 = 0,
    ];
}

/// The whole screen.
pub fn advice_screen(site: &Site, catalog: &Catalog, advice: &Advice) -> Screen {
    let answer = Answer::of(site, catalog, advice);
    Screen::fitting(Room::ALL, &Room::SMALLER, |room| lines(site, &answer, room))
}

fn lines(site: &Site, answer: &Answer, room: Room) -> Vec<Line> {
    let title = format!("{} ({})", answer.title, site.file);
    let mut out: Vec<Line> = Vec::new();
    plain(&mut out, &title, 0);
    out.push(String::new().into());
    toned(
        &mut out,
        answer.stands.tone(),
        &verdict(&answer.verdict, room.verdict),
    );
    if let Some(layout) = &answer.layout {
        let title = format!(
            "Layout: {} (to provide today and in {})",
            layout.title, layout.horizon
        );
        heading(&mut out, &title);
        for place in &layout.places {
            let text = format!("{}; {}, {}", place.place, place.today, place.later);
            labelled(&mut out, &place.roles, &text);
        }
        labelled(&mut out, "servers", &layout.servers);
        if !site.prices.is_empty() {
            labelled(
                &mut out,
                "cost",
                &sentences(&answer.cost, COLUMNS - LABEL, LINES_EACH),
            );
        }
    }
    if !answer.instance.is_empty() {
        let instance = sentences(&answer.instance, COLUMNS - LABEL, LINES_EACH);
        labelled(&mut out, "instance", &instance);
    }
    if answer.stands == Stands::Overloaded {
        heading(&mut out, "Busiest at the load that it keeps up with");
        for row in &answer.busiest {
            labelled(&mut out, &row.busy, &row.name);
        }
    }
    times_of(&mut out, answer, room.times);
    if !answer.limits.is_empty() {
        heading(&mut out, "Limits");
        for row in answer.limits.iter().take(room.limits) {
            let text = format!("{}: {}", row.when, row.text);
            let text = sentences(&text, COLUMNS - LABEL, LIMIT_LINES);
            labelled(&mut out, row.what, &text);
        }
    }
    beside(&mut out, answer, room.beside);
    first(&mut out, answer, room.finding);
    questions(&mut out, answer, room.questions);
    if !answer.why_not.is_empty() {
        heading(&mut out, "Why not");
        for text in answer.why_not.iter().take(room.reasons) {
            plain(&mut out, text, 2);
        }
    }
    if !answer.sure.is_empty() && room.sure > 0 {
        if room.beside == Room::ALL.beside {
            out.push(String::new().into());
        }
        let sure = sentences(&answer.sure, COLUMNS - LABEL, room.sure);
        labelled(&mut out, "How sure", &sure);
    }
    ending(&mut out, site);
    out
}

/// As many sentences of the verdict as fit so many lines: what other rows of the screen say gives way first, then the last.
fn verdict(said: &[Sentence], most: usize) -> String {
    let mut kept = said.to_vec();
    while kept.len() > 1 && wrap(&joined(&kept), COLUMNS).len() > most {
        let of = |topic| kept.iter().skip(1).position(|said| said.topic == topic);
        let minor = of(Topic::Busiest).or_else(|| of(Topic::Question));
        kept.remove(minor.map_or(kept.len() - 1, |place| place + 1));
    }
    joined(&kept)
}

/// So many of: what happens without a part, what stalls rarely.
fn beside(out: &mut Vec<Line>, answer: &Answer, most: usize) {
    let stall = answer.stalls.first().map_or("", String::as_str);
    let rows = [
        ("one part lost", answer.n_minus_one.as_str()),
        ("rare stalls", stall),
    ];
    let rows = rows.into_iter().filter(|(_, text)| !text.is_empty());
    for (label, text) in rows.take(most) {
        labelled(out, label, &sentences(text, COLUMNS - LABEL, LINES_EACH));
    }
}

/// The gravest findings, and how many more there are.
fn first(out: &mut Vec<Line>, answer: &Answer, lines: usize) {
    if answer.findings.is_empty() {
        return;
    }
    heading(out, "What to do first");
    for (i, finding) in answer.findings.iter().take(FINDINGS).enumerate() {
        numbered(out, i + 1, &fitting(finding, COLUMNS - NUMBER, lines));
    }
    let more = answer.findings.len().saturating_sub(FINDINGS);
    if more > 0 {
        out.push(format!("  and {more} more (--full)").into());
    }
}

/// What the estimate leaves out, and where the rest is.
fn ending(out: &mut Vec<Line>, site: &Site) {
    let outside = "Not estimated: licences, triggers, obliterate, other programs. State what you see in today.signs.";
    plain(out, outside, 0);
    let warnings = warnings(site, " and ");
    let full = format!("--full shows {warnings}all tables, reasons and evidence.");
    plain(out, &full, 0);
}

/// Unanswered questions with what is assumed, and what another answer would do.
fn questions(out: &mut Vec<Line>, answer: &Answer, (most, lines): (usize, usize)) {
    if answer.questions.is_empty() || most == 0 {
        return;
    }
    heading(
        out,
        "Ask first (unanswered questions that move this answer most)",
    );
    for (i, asked) in answer.questions.iter().take(most).enumerate() {
        let [whole, short] = forms(asked);
        let fits = wrap(&whole, COLUMNS - NUMBER).len() <= lines;
        numbered(out, i + 1, if fits { &whole } else { &short });
    }
}

/// A question with what another answer would do, and without.
fn forms(asked: &Asked) -> [String; 2] {
    let Asked {
        question,
        assumed,
        case,
        path,
        ..
    } = asked;
    let short = format!("{question} Assumed {assumed} ({path}).");
    let whole = if case.is_empty() {
        short.clone()
    } else {
        format!("{question} Assumed {assumed}; {case} ({path}).")
    };
    [whole, short]
}

/// The longest form of a finding that takes at most so many lines, or else its shortest.
pub(super) fn fitting(finding: &FindingRow, width: usize, most: usize) -> String {
    let fits = |text: &String| wrap(text, width).len() <= most;
    let mut forms = finding.forms();
    let fitting = forms.iter().position(fits);
    forms.swap_remove(fitting.unwrap_or(forms.len() - 1))
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
    let heads = [head, "95 % within", "80 % interval", "target"];
    time_row(out, Tone::Heading, heads);
    let all = answer.work.len();
    let rows = nearest(&answer.work, most);
    for row in &rows {
        let target = row.target.as_ref();
        let tone = target.map_or(Tone::Plain, Judged::tone);
        // What is met stands back.
        let tone = if tone == Tone::Good {
            Tone::Plain
        } else {
            tone
        };
        let target = target.map_or(String::new(), |t| format!("{}: {}", t.limit, t.verdict()));
        time_row(out, tone, [&row.name, &row.p95, &row.interval, &target]);
    }
    if rows.len() < all {
        let more = all - rows.len();
        let kinds = if more == 1 { "kind" } else { "kinds" };
        out.push(format!("  and {more} more {kinds} of work").into());
    }
}

fn labelled(out: &mut Vec<Line>, label: &str, text: &str) {
    hanging(out, label, LABEL.max(label.chars().count() + 4), text);
}

fn numbered(out: &mut Vec<Line>, n: usize, text: &str) {
    hanging(out, &format!("{n}."), NUMBER, text);
}

/// Columns of the name of a kind of work, and the least that are left for the target.
const NAME: usize = 38;
const TARGET: usize = 24;

/// A row whose name takes fewer columns where its target needs more.
fn time_row(out: &mut Vec<Line>, tone: Tone, [name, time, interval, target]: [&str; 4]) {
    let longer = target.chars().count().saturating_sub(TARGET);
    let width = NAME - longer.min(NAME / 2);
    cells(
        out,
        tone,
        &[
            (name, width, false),
            (time, 11, true),
            (interval, 19, false),
            (target, TARGET + longer.min(NAME / 2), false),
        ],
    );
}
