use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "RCV004",
    name: "availability-missed",
    summary: "failures take the server away for longer than the site allows",
    docs: "\
### What it does
Fires where the stated `protection.availability` is more than failures of the commit server leave.

### Why it matters
Each failure costs a restore. A share of 99.99 % is 53 minutes a year: no restore from backups is so short.

### Evidence
The expected share is the model's, from rates of failure and the times of recovery (docs/model.md).

### What to do
A standby that takes over within minutes, and a switch that was practised.

### Limits
Rates of failure are assumed; maintenance is not counted.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let asked = &facts.site.protection.availability;
    let Some(found) = facts
        .recovery
        .availability
        .filter(|a| asked.is_stated() && !a.is_met())
    else {
        return;
    };
    let down = Seconds::years(found.wanted - found.expected).estimated();
    let action = match facts.recovery.standby {
        Some(standby) => format!(
            "run a standby on a machine and store of its own: it takes over in about {}",
            Seconds::new(standby.switch).estimated()
        ),
        None => "practise and script the switch to the standby, and shorten it".to_owned(),
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("the server is expected to answer {:.3} % of the time, and {} is wanted: {down} a year are missing", 100.0 * found.expected, asked.value),
            action,
            vec![
                Evidence::answer("protection.availability", asked, asked.value),
                Evidence::new("model", "failures of the commit server and the time of each recovery"),
            ],
        )
        .costing(facts.standstill((found.wanted - found.expected) * HOURS, 1.0)),
    );
}

/// Hours of a year.
const HOURS: f64 = 8766.0;
