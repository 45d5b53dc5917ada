use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::system::LOCAL_DISKS;
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "PLC008",
    name: "shared-storage",
    summary: "others use the storage, and their load is a guess",
    since: "0.1.0",
    docs: "\
### What it does
Fires when the site says that its storage is not Perforce's alone and a volume lies outside the
server.

### Why it matters
Others' backups and batch jobs take the disks, the cache and the ports at hours of their own. The
prediction stretches every service on the array by an assumed share (parameter shared.share).

### Evidence
`infrastructure.dedicated`; question 6 of N13-questions; every measurement in the calibration is of
storage that nothing else used.

### What to do
Ask for what the others do at Perforce's peak; reserve disks or a quality of service; measure.

### Limits
How much the others take, and when, is assumed: no source measured it.
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
            "{} serves others too, who are reckoned to use {} of it at the peak",
            outside.join(", "),
            Fraction::new(share)
        ),
        "ask what the others do at the peak, and reserve disks or a share of them",
        vec![
            Evidence::answer("infrastructure.dedicated", dedicated, dedicated.value),
            facts.measured("N13-questions", "questions"),
        ],
    ));
}
