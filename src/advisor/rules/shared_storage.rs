use super::{Evidence, Facts, Finding, Part, Rule, Severity};
use crate::system::LOCAL_DISKS;
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "PLC008",
    name: "shared-storage",
    summary: "other systems share the storage, and their load is assumed",
    docs: "\
### What it does
Fires when the storage is not for Perforce alone and a volume lies outside the server.

### Why it matters
Backups and batch jobs of other systems use the disks, the cache and the ports at hours of their own. The
model stretches every service on the array by an assumed share (parameter shared.share).

### Evidence
`infrastructure.dedicated`; question 6 of N13-questions; every measurement in the calibration was made on
storage without other load.

### What to do
Ask for the load of the other systems at Perforce's peak; reserve disks or a quality of service; measure.

### Limits
How much the other systems use, and when, is assumed: no source measured it.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let dedicated = &facts.site.infrastructure.dedicated;
    let devices = facts.deployment.devices();
    let outside: Vec<&str> = devices.into_iter().filter(|d| *d != LOCAL_DISKS).collect();
    if dedicated.value || outside.is_empty() {
        return;
    }
    let share = facts
        .calibration
        .parameter("shared.share")
        .map_or(0.0, |p| p.value.value);
    out.push(RULE.finding(
        Severity::Note,
        format!(
            "other systems share {}; they are assumed to use {} of {} at the peak, and a higher share makes Perforce slower",
            outside.join(" and "),
            Fraction::new(share),
            if outside.len() > 1 { "them" } else { "it" }
        ),
        "ask for their load at the peak, and reserve disks or a quality of service",
        vec![
            Evidence::answer("infrastructure.dedicated", dedicated, dedicated.value),
            facts.measured("N13-questions", "questions"),
        ],
    ).unless(facts.unstated(&["db", "depot"], &[Part::Store])));
}
