//! The advice on one screen: what a person reads first, and most read no more.
//!
//! At most [`LINES`] lines of [`COLUMNS`] columns. Rows wrap; where there are too many, whole sentences and whole rows are
//! left to `--full`, the least important first: what gives way at which step stands in the constants.

use super::answer::{Answer, Asked, FindingRow, Sentence, Stands, Topic, WorkRow, joined, nearest_first};
use super::response::Judged;
use crate::advisor::Advice;
use crate::catalog::Catalog;
use crate::page::{Cell, Keep, Screen, Table, Tone, Width};
use crate::site::Site;

/// Most lines of a screen.
pub const LINES: usize = 45;
/// Most columns of a line.
pub const COLUMNS: usize = 100;

/// Findings on a screen: what to do first.
pub(super) const FINDINGS: usize = 3;
/// Lines of one finding or question, where there is room for them.
pub(super) const LINES_EACH: Keep = Keep(&[(0, 3)]);

/// Lines of the verdict: sentences that do not fit give way.
const VERDICT: Keep = Keep(&[(1, 7), (16, 6), (19, 5), (22, 4), (25, 1)]);
/// Rows of times.
const TIMES: Keep = Keep(&[(1, 10), (4, 7), (6, 5), (10, 4), (14, 3), (23, 2)]);
/// Rows of limits, and lines of one where its sentences are not longer.
const LIMITS: Keep = Keep(&[(1, 5), (3, 3), (7, 2), (17, 1)]);
const LIMIT_LINES: Keep = Keep(&[(0, 2)]);
/// Whether the system that is there has its row, and its lines.
const AS_IT_IS: Keep = Keep(&[(27, 0)]);
const AS_IT_IS_LINES: Keep = Keep(&[(1, 5), (2, 3), (8, 2)]);
/// Rows of what happens without a part and of rare stalls.
const BESIDE: Keep = Keep(&[(1, 3), (12, 2), (21, 1), (26, 0)]);
/// Lines of one finding; findings are the last to give way.
const FINDING: Keep = Keep(&[(1, 4), (20, 3)]);
/// Questions, and lines of each.
const QUESTIONS: Keep = Keep(&[(1, 3), (5, 2), (13, 1), (28, 0)]);
const QUESTION: Keep = Keep(&[(1, 3), (11, 2)]);
/// Whether it is said how sure the choice is, in how many lines, and the empty line above it.
const SURE: Keep = Keep(&[(24, 0)]);
const SURE_LINES: Keep = Keep(&[(1, 3), (8, 2), (18, 1)]);
const SURE_APART: Keep = Keep(&[(0, 1), (12, 0)]);
/// Reasons why a layout is not recommended.
const REASONS: Keep = Keep(&[(1, 8), (2, 6), (9, 4), (15, 2)]);

/// Columns of the labels, at least and at most.
const LABEL: (usize, usize) = (22, 32);

/// The whole screen.
pub fn advice_screen(site: &Site, catalog: &Catalog, advice: &Advice) -> Screen {
    let answer = Answer::of(site, catalog, advice);
    Screen::fitting(&tables(site, &answer), LINES, COLUMNS)
}

fn tables(site: &Site, answer: &Answer) -> Vec<Table> {
    let title = format!("{} ({})", answer.title, site.file);
    let verdict = Cell::forms(verdict(&answer.verdict)).toned(answer.stands.tone());
    let mut out =
        vec![Table::lines(0, [Cell::plain(title)]), Table::lines(0, [verdict]).apart(Keep::ONE).within(VERDICT)];
    out.extend(layout(site, answer));
    if answer.stands == Stands::Overloaded {
        let busiest = answer.busiest.iter().map(|row| (row.busy.clone(), Cell::plain(row.name.clone())));
        out.push(Table::labelled(LABEL, busiest).titled("Busiest at the load that it keeps up with"));
    }
    out.push(times(answer));
    let limits = answer.limits.iter().map(|row| {
        let forms = row.text.forms().into_iter();
        let forms = forms.map(|text| format!("{}: {text}", row.when));
        (row.what.to_owned(), Cell::forms(forms))
    });
    out.push(Table::labelled(LABEL, limits).titled("Limits").keeping(LIMITS).within(LIMIT_LINES));
    let there = answer.as_it_is.as_ref();
    let there = there.map(|there| ("as it is today".to_owned(), Cell::forms(there.text.forms())));
    out.push(Table::labelled(LABEL, there).keeping(AS_IT_IS).within(AS_IT_IS_LINES));
    let stall = answer.stalls.first().map_or("", String::as_str);
    let beside = [("one part lost", answer.n_minus_one.as_str()), ("rare stalls", stall)];
    let beside = beside.into_iter().filter(|(_, text)| !text.is_empty());
    let beside = beside.map(|(label, text)| (label.to_owned(), Cell::plain(text.to_owned())));
    out.push(Table::labelled(LABEL, beside).keeping(BESIDE).within(LINES_EACH));
    out.push(findings("What to do first", &answer.findings, FINDING).or_more(["and {} more (--full)"; 2]));
    let questions = answer.questions.iter().map(|asked| Cell::forms(forms(asked)));
    let ask = "Ask first (unanswered questions that move this answer most)";
    out.push(Table::numbered(questions).titled(ask).keeping(QUESTIONS).within(QUESTION));
    let reasons = answer.why_not.iter().map(|text| Cell::plain(text.clone()));
    out.push(Table::lines(2, reasons).titled("Why not").keeping(REASONS));
    if !answer.sure.is_empty() {
        let sure = ("How sure".to_owned(), Cell::forms(answer.sure.forms()));
        let sure = Table::labelled(LABEL, [sure]).apart(SURE_APART).within(SURE_LINES);
        out.push(sure.keeping(SURE).or_more(["How sure the choice is: --full."; 2]));
    }
    let ending = [
        "Not estimated: licences, triggers, obliterate, other programs. State what you see in today.signs.".to_owned(),
        format!("--full shows {}all tables, reasons and evidence.", warnings(site, " and ")),
    ];
    out.push(Table::lines(0, ending.map(Cell::plain)));
    out
}

/// Where everything lies, the servers, what they cost.
fn layout(site: &Site, answer: &Answer) -> Option<Table> {
    let layout = answer.layout.as_ref()?;
    let places = layout.places.iter().map(|place| {
        let text = format!("{}; {}, {}", place.place, place.today, place.later);
        (place.roles.clone(), Cell::plain(text))
    });
    let is_priced = !site.prices.is_empty() && !answer.cost.is_empty();
    let cost = is_priced.then(|| ("cost".to_owned(), Cell::forms(answer.cost.forms())));
    let instance = (!answer.instance.is_empty()).then(|| ("instance".to_owned(), Cell::plain(answer.instance.clone())));
    let figures = (!answer.figures.is_empty()).then(|| ("figures".to_owned(), Cell::plain(answer.figures.clone())));
    let mut servers = vec![layout.servers.clone(), layout.servers_alone.clone()];
    servers.dedup();
    let rows = places.chain([("servers".to_owned(), Cell::forms(servers))]).chain(figures).chain(cost).chain(instance);
    let title = format!("Layout: {} (to provide today and in {})", layout.title, layout.horizon);
    Some(Table::labelled(LABEL, rows).titled(title).within(LINES_EACH))
}

/// The verdict, then with fewer sentences: what other rows of the screen say gives way first, then the last that does not stay, and at
/// the end what would help.
fn verdict(said: &[Sentence]) -> Vec<String> {
    let mut kept = said.to_vec();
    let mut forms = vec![joined(&kept)];
    loop {
        let of = |topic| kept.iter().position(|said| said.topic == topic);
        let last = || kept.iter().rposition(|said| !said.topic.stays());
        let Some(least) = of(Topic::Busiest).or_else(|| of(Topic::Question)).or_else(last).or_else(|| of(Topic::Cure))
        else {
            return forms;
        };
        kept.remove(least);
        forms.push(joined(&kept));
    }
}

/// The gravest findings, and how many more there are.
pub(super) fn findings(title: &str, findings: &[FindingRow], lines: Keep) -> Table {
    let rows = findings.iter().map(|finding| Cell::forms(finding.forms()));
    Table::numbered(rows).titled(title).keeping(Keep(&[(0, FINDINGS)])).within(lines)
}

/// A question with what is assumed and what another answer would do, and without the latter.
fn forms(asked: &Asked) -> Vec<String> {
    let Asked { question, assumed, case, path, .. } = asked;
    let short = format!("{question} Assumed {assumed} ({path}).");
    let whole = (!case.is_empty()).then(|| format!("{question} Assumed {assumed}; {case} ({path})."));
    whole.into_iter().chain([short]).collect()
}

/// Who waits how long against which target; the rows that are nearest to their targets stay longest.
fn times(answer: &Answer) -> Table {
    let head = match answer.stands {
        Stands::Overloaded => "At that load",
        _ => "At the peak hour",
    };
    let mut table = Table::new(&[head, ">95 % within", "80 % interval", "target"]);
    for row in &answer.work {
        let WorkRow { name, p95, interval, target, .. } = row;
        let said = target.as_ref().map_or_else(Cell::default, Judged::cell);
        // What is met stands back.
        let tone = if said.tone == Tone::Good { Tone::Plain } else { said.tone };
        let texts = [name, p95, interval].map(|text| Cell::plain(text.clone()));
        table.linked(String::new(), texts.into_iter().chain([said.toned(tone)]).collect());
    }
    for (rank, place) in nearest_first(&answer.work).into_iter().enumerate() {
        table.rows[place].rank = rank;
    }
    let widths = [Width::Rest, Width::Of(13), Width::Of(21), Width::Widest(24, 43)];
    let table = table.on_screen(&widths).apart(Keep::ONE).keeping(TIMES);
    table.or_more(["and {} more kind of work", "and {} more kinds of work"])
}

/// "3 warnings about the answers" with what follows them; nothing where there are none.
pub(super) fn warnings(site: &Site, then: &str) -> String {
    match site.warnings.len() {
        0 => String::new(),
        1 => format!("1 warning about the answers{then}"),
        n => format!("{n} warnings about the answers{then}"),
    }
}
