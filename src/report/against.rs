//! Two answers side by side: what changed, and which answers to the questionnaire are behind it.
//!
//! Both sides are answers in JSON, so that one may be of an earlier run, of another version or calibration.

mod deciding;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::SiteInput;
use super::advice_json::{Advised, OfRecommended};
use super::json::{Tool, list, object, value};
use super::prediction_json::Prediction;
use crate::advisor::{Difference, Effect};
use crate::diag::harmless_line;
use crate::units::{Seconds, two_digits};

pub(crate) use deciding::{deciding_sentences, in_words};
pub(crate) use words::against_sections;

/// Factors nearer to 1 than that are not shown: those with two decimals would be 1.00.
const SAME: f64 = 1.005;

/// One result that differs.
pub(crate) struct Change {
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

/// A result of an answer: what it is, how it is shown, where it stands.
type Compared = (&'static str, Unit, fn(&Advised) -> Value);

/// The results that are compared, beside times.
const RESULTS: [Compared; 10] = [
    ("layout", Unit::Word, |a| {
        let recommended = &a.recommendation;
        recommended.title.as_ref().or(recommended.layout.as_ref()).cloned().into()
    }),
    ("verdict", Unit::Word, |a| value(&a.answer.stands)),
    ("edges", Unit::Number, |a| a.recommendation.edges.into()),
    ("largest commit", Unit::Time, |a| of(a.recommended(), |r| r.largest_commit_s)),
    ("multiple of today's peak that is carried", Unit::Number, |a| of(a.chosen.as_ref(), |c| c.headroom.factor)),
    ("what ends it", Unit::Word, |a| of(a.chosen.as_ref(), |c| c.headroom.limit.clone())),
    ("bottleneck", Unit::Word, |a| of(a.prediction(), |p| p.bottleneck.name.clone())),
    ("utilization of the bottleneck", Unit::Number, |a| of(a.prediction(), |p| p.bottleneck.utilization)),
    ("targets missed", Unit::Word, |a| of(a.recommended(), |r| r.targets_missed.clone())),
    ("total price", Unit::Number, |a| a.costs.total.into()),
];

/// What is read off a part of an answer; null where the answer does not have the part.
fn of<T, V: Into<Value>>(part: Option<&T>, read: impl Fn(&T) -> V) -> Value {
    part.map_or(Value::Null, |part| read(part).into())
}

/// The results in which two answers differ, those first that differ most.
fn changes(first: &Advised, other: &Advised) -> Vec<Change> {
    let results = RESULTS.iter().map(|(what, unit, of)| ((*what).to_owned(), *unit, of(first), of(other)));
    let (ours, theirs) = (times(first), times(other));
    let classes: Vec<&str> =
        ours.keys().chain(theirs.keys().filter(|class| !ours.contains_key(*class))).copied().collect();
    let times = classes.into_iter().map(|class| {
        let [here, there] = [&ours, &theirs].map(|side| side.get(class).copied().into());
        (format!("{class}, p95"), Unit::Time, here, there)
    });
    let all = results.chain(times).filter(|(_, _, first, other)| first != other);
    let mut found: Vec<Change> = all.map(|(what, unit, first, other)| Change { what, first, other, unit }).collect();
    found.retain(|change| change.size() >= SAME.ln());
    found.sort_by(|a, b| b.size().total_cmp(&a.size()));
    found
}

/// p95 of each kind of work of an answer.
fn times(answer: &Advised) -> BTreeMap<&str, f64> {
    let classes = answer.prediction().into_iter().flat_map(|p| &p.predictions);
    let times = classes.map(|class| (class.work.class.as_str(), class.response_time_p95_s.value));
    times.collect()
}

/// Findings that one answer has and the other lacks: the rule, and what is wrong.
fn findings<'a>(has: &'a Advised, lacks: &Advised) -> Vec<(&'a str, &'a str)> {
    let has_not = |rule: &str| !lacks.findings.iter().any(|f| f.rule == rule);
    let found = has.findings.iter();
    let found = found.map(|f| (f.rule.as_str(), f.message.as_str()));
    let mut own: Vec<_> = found.filter(|(rule, _)| has_not(rule)).collect();
    own.dedup_by_key(|(rule, _)| *rule);
    own
}

/// Whether neither an answer differs, where both sides are sites, nor anything that follows from them.
fn is_same([first, other]: [&Advised; 2], answers: Option<&[Difference]>) -> bool {
    let is_alone = |has, lacks| !findings(has, lacks).is_empty();
    let inputs = answers.map_or_else(
        || made_with(first, other).is_empty() && assumptions(first, other).is_empty(),
        <[Difference]>::is_empty,
    );
    let results = changes(first, other).is_empty();
    inputs && results && !is_alone(first, other) && !is_alone(other, first)
}

/// The rules of these findings.
fn rules(found: &[(&str, &str)]) -> Vec<String> {
    found.iter().map(|(rule, _)| (*rule).to_owned()).collect()
}

/// What of the tool or its data differs.
fn made_with(first: &Advised, other: &Advised) -> Vec<String> {
    let of = |answer: &Advised| {
        let made = &answer.header.made;
        [&made.tool.tool, &made.input.parameters_hash, &made.input.site_hash].map(|text| harmless_line(text))
    };
    let whats = ["version of plimsoll", "catalogue and calibration", "answers"];
    let all = whats.into_iter().zip(of(first).into_iter().zip(of(other)));
    let differ = all.filter(|(_, (a, b))| a != b && !b.is_empty());
    differ.map(|(what, (a, b))| format!("{what}: {a}, and {b} of the other")).collect()
}

/// Assumptions in which two answers differ: field, here and there.
fn assumptions(first: &Advised, other: &Advised) -> Vec<[String; 3]> {
    let of = |answer: &Advised| -> BTreeMap<String, String> {
        let all = answer.assumptions.iter();
        all.map(|a| (a.field.clone(), a.value.clone())).collect()
    };
    let (ours, theirs) = (of(first), of(other));
    let fields: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let fields = fields.into_iter().filter(|f| ours.get(*f) != theirs.get(*f));
    fields
        .map(|field| {
            let shown =
                |side: &BTreeMap<String, String>| harmless_line(side.get(field).map_or("answered", |value| value));
            [harmless_line(field), shown(&ours), shown(&theirs)]
        })
        .collect()
}

object! {
    /// `advise --against`: two answers side by side.
    Against of (first: &Advised, other: &Advised, answers: Option<&[Difference]>, why: &[String]) [let made = &first.header.made;] {
        #[serde(flatten)] tool: Tool = made.tool.clone();
        first: SiteInput = made.input.clone(), "`input` of the first answer.";
        other: SiteInput = other.header.made.input.clone(), "`input` of the other answer.";
        why: Vec<String> = why.to_vec(), "Why the layout of the other is not that of the first: the deciding reason, what would change the order, what each carries.";
        answers: Option<Vec<AnswerDiffers>> = answers.map(|all| list(all, AnswerDiffers::of)), "Answers that differ, those first that change most; null where the other side is an earlier answer.";
        assumptions: Vec<AssumptionDiffers> = list(assumptions(first, other), AssumptionDiffers::of), "Assumed values that differ.";
        results: Vec<ResultDiffers> = list(changes(first, other), ResultDiffers::of), "Results that differ, those first that differ most.";
        findings_new: Vec<String> = rules(&findings(other, first)), "Rules of findings that the other alone has.";
        findings_gone: Vec<String> = rules(&findings(first, other)), "Rules of findings that the first alone has.";
        made_with: Vec<String> = made_with(first, other), "Version, catalogue and calibration, or answers, where these differ, in sentences.";
    }

    /// An answer to the questionnaire that differs.
    AnswerDiffers of (d: &Difference) {
        field: String = d.field.clone(), "Its field, or a list of tables.";
        first: String = d.first.clone(), "As the first writes it.";
        other: String = d.other.clone(), "As the other writes it.";
        alone: EffectJson = EffectJson::of(&d.alone), "What it changes alone.";
        step: EffectJson = EffectJson::of(&d.step), "What it changes after those above it.";
    }

    /// What an answer changes.
    #[schemars(rename = "Effect")]
    EffectJson of (effect: &Effect) {
        times: Vec<TimeFactor> = list(&effect.factors, |(work, factor)| TimeFactor::of(&work.to_string(), *factor)), "Times of the kinds of work.";
        fails: Option<String> = effect.fails.clone(), "What is overloaded then, or why it cannot be; else null.";
    }

    /// How much longer a kind of work takes.
    TimeFactor of (class: &str, factor: f64) {
        class: String = class.to_owned(), "The kind of work.";
        p95_factor: f64 = factor, "The other 95th percentile over the first.";
    }

    /// An assumed value that differs.
    AssumptionDiffers of ([field, first, other]: [String; 3]) {
        field: String = field, "Its field.";
        first: String = first, "The value of the first.";
        other: String = other, "The value of the other.";
    }

    /// A result that differs.
    ResultDiffers of (change: Change) {
        factor: Option<f64> = change.factor(), "The other over the first; null where these are no numbers.";
        what: String = change.what, "Which result.";
        first: Value = change.first, "A number, a text, a list of texts, or null: of the first.";
        other: Value = change.other, "The same of the other.";
    }
}

impl Advised {
    /// Whether a simulation was to confirm it.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.prediction().is_some_and(|p| p.simulation.is_some())
    }

    fn prediction(&self) -> Option<&Prediction> {
        self.chosen.as_ref().map(|chosen| &chosen.prediction)
    }

    fn recommended(&self) -> Option<&OfRecommended> {
        self.recommendation.chosen.as_ref()
    }
}

/// An answer of an earlier run, as `--format json` prints it.
///
/// # Errors
///
/// A sentence, where the text is none.
pub(crate) fn earlier_answer(text: &str) -> Result<Advised, String> {
    let answer: Value = serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    serde_json::from_value(answer)
        .map_err(|error| format!("it is no answer of `plimsoll advise --format json`: {error}"))
}

/// Whether a text is meant as an answer of an earlier run, and not as a site file.
pub fn is_earlier_answer(text: &str) -> bool {
    text.trim_start().starts_with('{')
}
