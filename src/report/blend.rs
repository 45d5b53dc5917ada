//! What `plimsoll calibrate --add` shows: a measurement against its prediction, and what it moved.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::calibration::{Ranged, moved_by, signed};
use super::peak::percent;
use crate::experiment::{Claim, Head};
use crate::fit::{Blend, CHANCE, Compared, Verdict};
use crate::page::{Block, Page, Section, Table};
use crate::posterior::NumberId;
use crate::system::{Numbers, Used};
use crate::units::significant;

/// A measurement blended, with all that is said of it.
#[derive(Debug, Clone, Copy)]
pub struct Blended<'a> {
    /// Its file, as named.
    pub file: &'a str,
    /// Fingerprint of its text, and of the calibration that it was added to.
    pub fingerprints: (u64, u64),
    /// Who measured what.
    pub head: &'a Head,
    /// What came of it.
    pub blend: &'a Blend,
    /// Numbers that its runs read, before any fit.
    pub used: &'a Numbers,
    /// The line of each run and comparison of the file, by id.
    pub lines: &'a BTreeMap<String, usize>,
    /// What a site is advised, where one was named.
    pub advice: Option<&'a AdviceMoved>,
    /// The files written.
    pub saved: &'a [Saved],
    /// How the ids of all its figures and parameters begin, which need not be said each time.
    pub prefix: &'a str,
    /// Of a benchmark's result: which entries of the catalogue the volume is taken as, and how that is known.
    pub taken_as: &'a [String],
    /// What of it was left out, and why.
    pub left_out: &'a [String],
}

/// What a site is advised before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdviceMoved {
    /// The site's file, as named.
    pub site: String,
    /// The advice in a sentence.
    pub before: String,
    /// The same with the measurement.
    pub after: String,
}

/// A file written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Saved {
    /// Where.
    #[serde(rename = "file")]
    pub path: String,
    /// Whether it took the place of another.
    pub replaced: bool,
}

/// A number that moved.
pub(crate) struct NumberMoved<'a> {
    pub(super) id: &'a NumberId,
    pub(super) before: f64,
    pub(super) after: f64,
    shown: [String; 2],
}

/// The numbers that the measurement's runs read and that moved by half a percent or more.
pub(super) fn numbers<'a>(blended: &Blended<'a>) -> Vec<NumberMoved<'a>> {
    const SHOWN_MIN: f64 = 0.005;
    let (before, after) = (blended.blend.before.factors(), blended.blend.after.factors());
    let all = blended.used.iter();
    all.map(|(id, used)| {
        let factors = [before.factor(id), after.factor(id)];
        NumberMoved {
            id,
            before: used.value * factors[0],
            after: used.value * factors[1],
            shown: factors.map(|factor| times(used, factor)),
        }
    })
    .filter(|number| (number.after / number.before).ln().abs() >= SHOWN_MIN)
    .collect()
}

/// A number times a factor, in the unit in which it is shown.
fn times(used: &Used, factor: f64) -> String {
    let text = used.shown.as_str();
    let digits = text.find(|c: char| !(c.is_ascii_digit() || ".+-_".contains(c)));
    let (amount, unit) = text.split_at(digits.unwrap_or(text.len()));
    match amount.replace('_', "").parse::<f64>() {
        Ok(amount) => format!("{}{unit}", significant(amount * factor, 3)),
        Err(_) => significant(used.value * factor, 3),
    }
}

/// Whether the measurement agrees, and what was made of it, in words.
pub fn blend_verdict(blended: &Blended<'_>) -> String {
    let blend = blended.blend;
    let shown = if blend.p < 1e-4 { "below 0.01 %".to_owned() } else { percent(blend.p) };
    let figures = match blend.degrees {
        1 => "1 figure".to_owned(),
        n => format!("{n} figures"),
    };
    let agreement =
        format!("χ² = {} of {figures}; by chance as large in {shown} of cases", significant(blend.chi_squared, 3));
    let worst = blend.data.iter().max_by(|a, b| a.standardised().abs().total_cmp(&b.standardised().abs()));
    let worst = worst.map_or_else(String::new, |datum| {
        let line = blended.lines.get(&datum.row.datum);
        let place = line.map_or_else(String::new, |line| format!("{}:{line}: ", blended.file));
        format!(
            "{place}{} was measured as {} where {} is predicted, {} σ away",
            datum.row.id,
            measured(datum),
            datum.row.dimension.show(datum.before),
            significant(datum.standardised().abs(), 2)
        )
    });
    match blend.verdict {
        Verdict::Agrees => {
            format!("the measurement agrees with the published data ({agreement}) and is blended in")
        }
        Verdict::Forced => format!(
            "the measurement contradicts the published data beyond chance ({agreement}): {worst}. It is blended in \
             because of --force: all parameters that it changes are now a compromise of both"
        ),
        Verdict::Contradicts => format!(
            "the measurement contradicts the published data beyond chance ({agreement}; the limit is {}): {worst}. It is not \
             averaged in: nothing moved, and nothing is saved. Look for what differs (release, mount options, caches, what \
             else ran), describe it in the file or set the number that differs free; --force blends nevertheless",
            percent(CHANCE)
        ),
    }
}

/// The answer as a page.
pub fn blend_page(blended: &Blended<'_>) -> Page {
    let (blend, head, prefix) = (blended.blend, blended.head, blended.prefix);
    let heading = format!("{}: {}, {}, {}; {}", head.title, head.who, head.when, head.place, head.hardware);
    let taken_as =
        (!blended.taken_as.is_empty()).then(|| format!("the volume corresponds to {}", blended.taken_as.join("; ")));
    let begin = (!prefix.is_empty()).then(|| {
        let prefix = prefix.trim_end();
        format!("ids of its figures and parameters begin with {prefix:?}")
    });
    let left_out = blended.left_out.iter();
    let left_out = left_out.map(|why| format!("left out: {why}"));
    let about = taken_as.into_iter().chain(begin).chain(left_out);
    let verdict = Block::text(blend_verdict(blended));
    let sections = vec![
        Section::untitled(about.map(Block::Text)),
        Section::new("figures", "Figures", [figures(blend, prefix).into()]),
        Section::new("verdict", "Verdict", [verdict]),
        Section::new("parameters", "Parameters", parameters(blend, prefix)),
        Section::new("numbers", "Numbers", moved_numbers(blended).unless_empty()),
        Section::new("advice", "Advice", advice(blended.advice)),
        Section::new("saved", "Saved", saved(blended.saved)),
    ];
    Page::new(heading, sections)
}

fn moved_numbers(blended: &Blended<'_>) -> Table {
    let rows = numbers(blended).into_iter().map(|number| {
        let [before, after] = number.shown;
        let change = number.after / number.before - 1.0;
        vec![number.id.to_string(), before, after, signed(change)]
    });
    Table::new(&["number", ">before", ">after", ">change"]).with(rows)
}

fn advice(advice: Option<&AdviceMoved>) -> Vec<Block> {
    let said = match advice {
        None => Vec::new(),
        Some(AdviceMoved { site, before, after }) if before == after => {
            vec![format!("for {site}, before and after: {after}")]
        }
        Some(AdviceMoved { site, before, after }) => {
            vec![format!("for {site}, before: {before}"), format!("after: {after}")]
        }
    };
    said.into_iter().map(Block::Text).collect()
}

fn saved(files: &[Saved]) -> Vec<Block> {
    if files.is_empty() {
        return Vec::new();
    }
    let frozen =
        "They hold the published parameters of this version beside yours: after an update, add the measurement again.";
    let files = files.iter().map(|file| {
        let word = if file.replaced { "replaced" } else { "written" };
        format!("{} ({word})", file.path)
    });
    vec![Block::text(frozen), Block::points(files)]
}

/// What was measured, or what an order says of the quotient.
fn measured(datum: &Compared) -> String {
    let show = |value| datum.row.dimension.show(value);
    match (datum.measured, datum.row.claim) {
        (Some(value), _) => show(value),
        (None, Claim::Between(low, high)) if high.is_finite() => {
            format!("{} to {}", show(low), show(high))
        }
        (None, _) => "above 1".to_owned(),
    }
}

/// An id without what all ids of the measurement begin with.
fn short<'t>(id: &'t str, prefix: &str) -> &'t str {
    id.strip_prefix(prefix).unwrap_or(id)
}

/// The one change that would explain a figure which contradicts what is known.
fn explained(datum: &Compared, prefix: &str) -> String {
    match &datum.explained {
        Some(explained) => format!(
            "{} × {} ({} σ)",
            short(&explained.id, prefix),
            significant(explained.factor, 2),
            significant(explained.sigmas.abs(), 2)
        ),
        None if datum.contradicts() => "none".to_owned(),
        None => String::new(),
    }
}

fn figures(blend: &Blend, prefix: &str) -> Table {
    let heads = [
        "figure",
        ">measured",
        ">predicted before (80 % interval)",
        ">off by",
        "verdict",
        "one change that explains it",
        ">after",
    ];
    Table::new(&heads).with(blend.data.iter().map(|datum| {
        let show = |value| datum.row.dimension.show(value);
        let Ranged { low, high, .. } = Ranged::of(datum.before, datum.sigma);
        vec![
            short(&datum.row.id, prefix).to_owned(),
            measured(datum),
            format!("{} ({} – {})", show(datum.before), show(low), show(high)),
            format!("{} σ", significant(datum.standardised(), 2)),
            if datum.contradicts() { "contradicts".to_owned() } else { "agrees".to_owned() },
            explained(datum, prefix),
            show(datum.after),
        ]
    }))
}

fn parameters(blend: &Blend, prefix: &str) -> Vec<Block> {
    let free = &blend.before.free;
    let factor = |(mean, sigma): (f64, f64)| format!("{} ± {}", significant(mean.exp(), 3), percent(sigma));
    let rows = blend.moves.iter().map(|moved| {
        vec![
            short(&free[moved.index].id, prefix).to_owned(),
            factor(moved.before),
            factor(moved.after),
            format!("{} σ", significant(moved.sigmas(), 2)),
            moved_by(&moved.by, prefix),
        ]
    });
    let heads = ["parameter", ">before", ">after", ">moved by", "because of"];
    let table = Table::new(&heads).with(rows).unless_empty();
    let meaning = blend.moves.iter().map(|moved| {
        let free = &free[moved.index];
        format!("{}: {}", short(&free.id, prefix), free.title)
    });
    let others = format!(
        "{} of {} parameters stay where they were; factors are those of calibration/fit.toml, ± one sigma",
        free.len() - blend.moves.len(),
        free.len()
    );
    let said = [Block::points(meaning), Block::text(others)];
    table.into_iter().chain(said).collect()
}
