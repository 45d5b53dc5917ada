use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::Timed;
use crate::advisor::sensitivity::Influence;
use crate::units::{Fraction, two_digits};

pub(super) static RULE: Rule = Rule {
    id: "EVD002",
    name: "decisive-assumption",
    summary: "an unanswered question decides the result",
    docs: "\
### What it does
Fires when an unanswered question, moved over its range, changes a time by more than 1.5 times or
saturates something. Names the three that matter most.

### Why it matters
The recommendation may then be one for another site than yours. One answer is worth more than any
refinement of the model.

### Evidence
The ratios are the model's: it moves each assumption to both ends of its range and predicts the
deployment again.

### What to do
Answer them, or ask the customer; `plimsoll explain` shows each question.

### Limits
One assumption is moved at a time: two together may do more.
",
    check,
};

/// Above it a time changes by more than the model's own error: spreads of 15 to 40 % a parameter
/// (calibration/parameters.toml) are factors of 1.2 to 1.7 at the ends of an 80 % interval.
const RATIO_MAX: f64 = 1.5;
/// How many are named.
const NAMED: usize = 3;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let decisive: Vec<&Influence> = facts
        .influences
        .iter()
        .filter(|i| i.saturates || i.ratio > RATIO_MAX)
        .collect();
    if decisive.is_empty() {
        return;
    }
    let named: Vec<&Influence> = decisive.iter().copied().take(NAMED).collect();
    let assumptions = facts.site.assumptions();
    let assumed = |field: &str| {
        let found = assumptions.iter().find(|a| a.field == field);
        found.map_or(String::new(), |a| format!("assumed {}; ", a.value))
    };
    let words: Vec<String> = named
        .iter()
        .map(|i| {
            let question = facts.site.question(&i.field);
            format!("{question} ({}{})", assumed(&i.field), effect(i))
        })
        .collect();
    let fields: Vec<&str> = named.iter().map(|i| i.field.as_str()).collect();
    let number = match decisive.len() {
        1 => "1 unanswered question dominates".to_owned(),
        n => format!("{n} unanswered questions dominate"),
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("{number} this result. {}", words.join(" ")),
            format!("answer {}", fields.join(", ")),
            named
                .iter()
                .map(|i| Evidence::new(&i.field, format!("{}{}", assumed(&i.field), effect(i))))
                .collect(),
        ),
    );
}

/// What another answer would do.
fn effect(influence: &Influence) -> String {
    if influence.saturates {
        return "one end of the range overloads the deployment or cannot be built".to_owned();
    }
    let time = influence.time_in_words();
    let times = if influence.time == Some(Timed::LargestCommit) {
        format!("the {time}")
    } else {
        format!("{time} times")
    };
    if influence.ratio < 2.0 {
        let more = Fraction::new(influence.ratio - 1.0).estimated();
        return format!("changes {times} by up to {more}");
    }
    format!("changes {times} up to {}-fold", two_digits(influence.ratio))
}
