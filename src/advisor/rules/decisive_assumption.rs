use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::sensitivity::Influence;
use crate::units::significant;

pub(super) static RULE: Rule = Rule {
    id: "EVD002",
    name: "decisive-assumption",
    summary: "a question that nobody answered decides the result",
    since: "0.1.0",
    docs: "\
### What it does
Fires when an unanswered question, moved over its range, changes a time by more than 1.5 times or
saturates something. Names the three that matter most.

### Why it matters
The recommendation is then one for a site that may not be yours. One answer is worth more than any
refinement of the model.

### Evidence
The ratios are the model's: each assumption moved to either end of its range, the deployment
predicted anew.

### What to do
Ask; `plimsoll explain` shows each question.

### Limits
One assumption is moved at a time: two that go together may do more.
",
    check,
};

/// Above it a time changes by more than the model's own error: spreads of 15 to 40 % a parameter
/// (calibration/parameters.toml) are factors of 1.2 to 1.7 at the ends of an 80 % interval.
const RATIO_MAX: f64 = 1.5;
/// How many are named: more are not asked.
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
    let named = || decisive.iter().take(NAMED);
    let words: Vec<String> = named()
        .map(|i| format!("{} ({})", i.field, effect(i)))
        .collect();
    let fields: Vec<&str> = named().map(|i| i.field.as_str()).collect();
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "unanswered questions decide the result, {} of them: {}",
                decisive.len(),
                words.join(", ")
            ),
            format!("ask for {}", fields.join(", ")),
            named()
                .map(|i| Evidence::new(&i.field, format!("assumed; {}", effect(i))))
                .collect(),
        ),
    );
}

fn effect(influence: &Influence) -> String {
    if influence.saturates {
        return "at an end of its range the deployment saturates or cannot be built".to_owned();
    }
    format!(
        "{} × on {}",
        significant(influence.ratio, 3),
        influence.time
    )
}
