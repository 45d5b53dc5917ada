//! Two answers side by side: what changed, and which answers to the questionnaire are behind it.
//!
//! Both sides are answers in JSON, so that one may be of an earlier run, of another version or calibration.

mod words;

use serde_json::{Map, Value, json};

use super::json::list;
use crate::advisor::{Difference, Effect};
use crate::diag::harmless_line;
use crate::units::{Seconds, two_digits};

pub use words::against_sections;

/// Factors nearer to 1 than that are not shown: those with two decimals would be 1.00.
const SAME: f64 = 1.005;

/// One result that differs.
struct Change {
    what: String,
    first: Value,
    other: Value,
    /// How it is shown.
    unit: Unit,
}

#[derive(Clone, Copy)]
enum Unit {
    Time,
    Number,
    Word,
}

impl Change {
    /// By how much it differs, as the logarithm of the ratio; words are worth more than any number.
    fn size(&self) -> f64 {
        match (self.first.as_f64(), self.other.as_f64()) {
            (Some(a), Some(b)) if a > 0.0 && b > 0.0 => (b / a).ln().abs(),
            _ => f64::INFINITY,
        }
    }

    fn shown(&self, value: &Value) -> String {
        match (self.unit, value.as_f64()) {
            (Unit::Time, Some(time)) => Seconds::new(time).estimated(),
            (Unit::Number, Some(number)) => two_digits(number),
            _ => match value {
                Value::Null => "none".to_owned(),
                Value::String(text) => harmless_line(text),
                other => harmless_line(&other.to_string()),
            },
        }
    }

    fn factor(&self) -> Option<f64> {
        let (a, b) = (self.first.as_f64()?, self.other.as_f64()?);
        (a > 0.0).then_some(b / a)
    }
}

/// The results in which two answers differ, those first that differ most.
fn changes(first: &Value, other: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    let mut add = |what: String, a: &Value, b: &Value, unit| {
        if a != b {
            found.push(Change {
                what,
                first: a.clone(),
                other: b.clone(),
                unit,
            });
        }
    };
    for (what, path, unit) in [
        ("layout", "/recommendation/layout", Unit::Word),
        ("verdict", "/answer/stands", Unit::Word),
        ("edges", "/recommendation/edges", Unit::Number),
        (
            "largest commit",
            "/recommendation/largest_commit_s",
            Unit::Time,
        ),
        (
            "multiple of today's peak that is carried",
            "/headroom/factor",
            Unit::Number,
        ),
        ("what ends it", "/headroom/limit", Unit::Word),
        ("bottleneck", "/bottleneck/name", Unit::Word),
        (
            "utilization of the bottleneck",
            "/bottleneck/utilization",
            Unit::Number,
        ),
        (
            "targets missed",
            "/recommendation/targets_missed",
            Unit::Word,
        ),
        ("total price", "/costs/total", Unit::Number),
    ] {
        let at = |side: &Value| side.pointer(path).cloned().unwrap_or_default();
        add(what.to_owned(), &at(first), &at(other), unit);
    }
    let (ours, theirs) = (times(first), times(other));
    for (class, time) in &ours {
        let there = theirs.get(class).cloned().unwrap_or_default();
        add(format!("{class}, p95"), time, &there, Unit::Time);
    }
    for (class, time) in theirs
        .iter()
        .filter(|(class, _)| !ours.contains_key(*class))
    {
        add(format!("{class}, p95"), &Value::Null, time, Unit::Time);
    }
    found.retain(|change| change.size() >= SAME.ln());
    found.sort_by(|a, b| b.size().total_cmp(&a.size()));
    found
}

/// p95 of each kind of work of an answer.
fn times(answer: &Value) -> Map<String, Value> {
    let classes = answer["predictions"].as_array().into_iter().flatten();
    let times = classes.filter_map(|class| {
        let name = class["class"].as_str()?;
        Some((
            name.to_owned(),
            class["response_time_p95_s"]["value"].clone(),
        ))
    });
    times.collect()
}

/// Rules of findings that one answer has and the other lacks.
fn findings(has: &Value, lacks: &Value) -> Vec<String> {
    let rules = |answer: &Value| -> Vec<String> {
        let all = answer["findings"].as_array().into_iter().flatten();
        all.filter_map(|f| Some(f["rule"].as_str()?.to_owned()))
            .collect()
    };
    let others = rules(lacks);
    let mut own = rules(has);
    own.retain(|rule| !others.contains(rule));
    own.dedup();
    own
}

/// What of the tool or its data differs.
fn made_with(first: &Value, other: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (what, path) in [
        ("version of plimsoll", "/tool"),
        ("catalogue and calibration", "/input/parameters_hash"),
        ("answers", "/input/site_hash"),
    ] {
        let at = |side: &Value| {
            side.pointer(path)
                .and_then(Value::as_str)
                .map(harmless_line)
        };
        if let (Some(a), Some(b)) = (at(first), at(other))
            && a != b
        {
            found.push(format!("{what}: {a}, and {b} of the other"));
        }
    }
    found
}

/// Assumptions in which two answers differ: field, here and there.
fn assumptions(first: &Value, other: &Value) -> Vec<[String; 3]> {
    let of = |answer: &Value| -> Map<String, Value> {
        let all = answer["assumptions"].as_array().into_iter().flatten();
        all.filter_map(|a| Some((a["field"].as_str()?.to_owned(), a["value"].clone())))
            .collect()
    };
    let (ours, theirs) = (of(first), of(other));
    let shown = |value: Option<&Value>| {
        let text = value.and_then(Value::as_str).unwrap_or("answered");
        harmless_line(text)
    };
    let mut fields: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
    fields.sort();
    fields.dedup();
    let fields = fields
        .into_iter()
        .filter(|f| ours.get(*f) != theirs.get(*f));
    fields
        .map(|f| [harmless_line(f), shown(ours.get(f)), shown(theirs.get(f))])
        .collect()
}

fn effect_json(effect: &Effect) -> Value {
    let times = list(
        &effect.factors,
        |(work, factor)| json!({ "class": work.to_string(), "p95_factor": factor }),
    );
    json!({ "times": times, "fails": effect.fails })
}

/// The comparison for programs; `answers` are nothing where the other side is an answer and no site.
pub fn against_json(first: &Value, other: &Value, answers: Option<&[Difference]>) -> Value {
    let answers = answers.map(|all| {
        list(all, |d| {
            json!({
                "field": d.field,
                "first": d.first,
                "other": d.other,
                "alone": effect_json(&d.alone),
                "step": effect_json(&d.step),
            })
        })
    });
    json!({
        "schema": 1,
        "tool": first["tool"],
        "first": first["input"],
        "other": other["input"],
        "answers": answers,
        "assumptions": list(assumptions(first, other), |[field, first, other]| json!({
            "field": field, "first": first, "other": other,
        })),
        "results": list(changes(first, other), |change| json!({
            "what": change.what,
            "first": change.first,
            "other": change.other,
            "factor": change.factor(),
        })),
        "findings_new": findings(other, first),
        "findings_gone": findings(first, other),
        "made_with": made_with(first, other),
    })
}

/// An answer of an earlier run, as `--format json` prints it.
///
/// # Errors
///
/// A sentence, where the text is none.
pub fn earlier_answer(text: &str) -> Result<Value, String> {
    let answer: Value =
        serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    if answer.get("recommendation").is_none() || answer.get("input").is_none() {
        return Err("it is no answer of `plimsoll advise --format json`".to_owned());
    }
    Ok(answer)
}

/// Whether a text is meant as an answer of an earlier run, and not as a site file.
pub fn is_earlier_answer(text: &str) -> bool {
    text.trim_start().starts_with('{')
}
