//! What `plimsoll calibrate --add` shows: a measurement against its prediction, and what it moved.

use std::collections::BTreeMap;

use serde::Serialize;

use super::peak::percent;
use crate::diag::harmless;
use crate::experiment::{Claim, Head};
use crate::fit::{Blend, CHANCE, Compared, Move, Verdict, half_width};
use crate::page::{Table, paragraph};
use crate::system::Used;
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
    pub used: &'a BTreeMap<String, Used>,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// Where.
    #[serde(rename = "file")]
    pub path: String,
    /// Whether it took the place of another.
    pub replaced: bool,
}

/// A number that moved.
#[derive(Serialize)]
pub(super) struct NumberMoved<'a> {
    pub(super) name: &'a str,
    pub(super) before: f64,
    pub(super) after: f64,
    #[serde(skip)]
    shown: [String; 2],
}

/// The numbers that the measurement's runs read and that moved by half a percent or more.
pub(super) fn numbers<'a>(blended: &Blended<'a>) -> Vec<NumberMoved<'a>> {
    const SHOWN_MIN: f64 = 0.005;
    let (before, after) = (
        blended.blend.before.factors(),
        blended.blend.after.factors(),
    );
    let all = blended.used.iter();
    all.map(|(name, used)| {
        let factors = [before.factor(name), after.factor(name)];
        NumberMoved {
            name,
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
pub fn blend_verdict(blend: &Blend) -> String {
    let shown = if blend.p < 1e-4 {
        "below 0.01 %".to_owned()
    } else {
        percent(blend.p)
    };
    let figures = match blend.degrees {
        1 => "1 figure".to_owned(),
        n => format!("{n} figures"),
    };
    let agreement = format!(
        "χ² = {} of {figures}; by chance as large in {shown} of cases",
        significant(blend.chi_squared, 3)
    );
    let worst = blend
        .data
        .iter()
        .max_by(|a, b| a.standardised().abs().total_cmp(&b.standardised().abs()));
    let worst = worst.map_or_else(String::new, |datum| {
        format!(
            "{} was measured as {} where {} is predicted, {} σ away",
            datum.row.id,
            measured(datum),
            datum.row.dimension.show(datum.before),
            significant(datum.standardised().abs(), 2)
        )
    });
    match blend.verdict {
        Verdict::Agrees => {
            format!(
                "the measurement agrees with the published data ({agreement}) and is blended in"
            )
        }
        Verdict::Forced => format!(
            "the measurement contradicts the published data beyond chance ({agreement}): {worst}. It is blended in \
             because of --force: all parameters that it changes are now a compromise of both"
        ),
        Verdict::Contradicts => {
            let moved = if blend.moves.is_empty() {
                "nothing"
            } else {
                "only parameters of the file itself"
            };
            format!(
                "the measurement contradicts the published data beyond chance ({agreement}; the limit is {}): {worst}. It \
                 is not averaged in: {moved} moved. Look for what differs (release, mount options, caches, what \
                 else ran), describe it in the file or set the number that differs free; --force blends nevertheless",
                percent(CHANCE)
            )
        }
    }
}

/// The answer as text; what the file says of itself reaches a terminal only as plain text.
pub fn blend_text(blended: &Blended<'_>) -> String {
    harmless(&text(blended))
}

fn text(blended: &Blended<'_>) -> String {
    let (blend, head) = (blended.blend, blended.head);
    let mut out = String::from("Measurement\n═══════════\n");
    let about = format!(
        "{}: {}, {}, {}; {}",
        head.title, head.who, head.when, head.place, head.hardware
    );
    out.push_str(&paragraph(&about, 2));
    if !blended.taken_as.is_empty() {
        let known = format!("the volume corresponds to {}", blended.taken_as.join("; "));
        out.push_str(&paragraph(&known, 2));
    }
    if !blended.prefix.is_empty() {
        let begin = format!(
            "ids of its figures and parameters begin with {:?}",
            blended.prefix.trim_end()
        );
        out.push_str(&paragraph(&begin, 2));
    }
    for why in blended.left_out {
        out.push_str(&paragraph(&format!("left out: {why}"), 2));
    }
    out.push_str("\nFigures\n═══════\n");
    out.push_str(&figures(blend, blended.prefix));
    out.push_str("\nVerdict\n═══════\n");
    out.push_str(&paragraph(&blend_verdict(blend), 2));
    out.push_str("\nParameters\n══════════\n");
    out.push_str(&parameters(blend, blended.prefix));
    let numbers = numbers(blended);
    if !numbers.is_empty() {
        out.push_str("\nNumbers\n═══════\n");
        let mut table = Table::new(&["number", ">before", ">after", ">change"]);
        for number in numbers {
            let [before, after] = number.shown;
            let change = number.after / number.before - 1.0;
            table.row(vec![number.name.to_owned(), before, after, signed(change)]);
        }
        out.push_str(&table.text());
    }
    if let Some(advice) = blended.advice {
        out.push_str("\nAdvice\n══════\n");
        if advice.before == advice.after {
            let same = format!("for {}, before and after: {}", advice.site, advice.after);
            out.push_str(&paragraph(&same, 2));
        } else {
            let before = format!("for {}, before: {}", advice.site, advice.before);
            out.push_str(&paragraph(&before, 2));
            out.push_str(&paragraph(&format!("after: {}", advice.after), 2));
        }
    }
    if !blended.saved.is_empty() {
        out.push_str("\nSaved\n═════\n");
    }
    if !blended.saved.is_empty() {
        let frozen = "They hold the published parameters of this version beside yours: after an update, add the measurement again.";
        out.push_str(&paragraph(frozen, 2));
    }
    for saved in blended.saved {
        let word = if saved.replaced {
            "replaced"
        } else {
            "written"
        };
        out.push_str(&paragraph(&format!("{} ({word})", saved.path), 2));
    }
    out
}

fn signed(change: f64) -> String {
    let sign = if change >= 0.0 { "+" } else { "" };
    format!("{sign}{} %", significant(change * 100.0, 2))
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

fn figures(blend: &Blend, prefix: &str) -> String {
    let mut table = Table::new(&[
        "figure",
        ">measured",
        ">predicted before (80 % interval)",
        ">off by",
        ">after",
    ]);
    for datum in &blend.data {
        let show = |value| datum.row.dimension.show(value);
        let width = half_width(0.0, datum.sigma.powi(2), 0.0).exp();
        table.row(vec![
            short(&datum.row.id, prefix).to_owned(),
            measured(datum),
            format!(
                "{} ({} – {})",
                show(datum.before),
                show(datum.before / width),
                show(datum.before * width)
            ),
            format!("{} σ", significant(datum.standardised(), 2)),
            show(datum.after),
        ]);
    }
    table.text()
}

fn parameters(blend: &Blend, prefix: &str) -> String {
    let mut table = Table::new(&["parameter", ">before", ">after", ">moved by", "because of"]);
    let factor =
        |(mean, sigma): (f64, f64)| format!("{} ± {}", significant(mean.exp(), 3), percent(sigma));
    let by = |moved: &Move| {
        let names = moved.by.iter();
        let names: Vec<_> = names
            .map(|m| format!("{} {}", short(&m.datum, prefix), percent(m.share)))
            .collect();
        names.join(", ")
    };
    for moved in &blend.moves {
        table.row(vec![
            short(&blend.before.free[moved.index].id, prefix).to_owned(),
            factor(moved.before),
            factor(moved.after),
            format!("{} σ", significant(moved.sigmas(), 2)),
            by(moved),
        ]);
    }
    let still = blend.before.free.len() - blend.moves.len();
    let mut out = if table.is_empty() {
        String::new()
    } else {
        table.text()
    };
    for moved in &blend.moves {
        let free = &blend.before.free[moved.index];
        out.push_str(&paragraph(
            &format!("{}: {}", short(&free.id, prefix), free.title),
            2,
        ));
    }
    let others = format!(
        "{still} of {} parameters stay where they were; factors are those of calibration/fit.toml, ± one sigma",
        blend.before.free.len()
    );
    out.push_str(&paragraph(&others, 2));
    out
}
