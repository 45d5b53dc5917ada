use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::catalog::Entry;
use crate::catalog::host::TODAY;
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "EVD001",
    name: "weak-evidence",
    summary: "no published measurement covers some of the recommended equipment",
    docs: "\
### What it does
Fires when no test of p4d gives a figure for the server's processor generation, a medium or an array of the
deployment.

### Why it matters
Such figures are extrapolated, taken from data sheets or assumed. The intervals contain that error; the
ranking of layouts is more certain than the times.

### Evidence
The origins in the catalogue, `plimsoll models`; the widest interval is the model's.

### What to do
Measure on the equipment itself before buying: branchsubmit, browse and sync of Perforce's benchmark,
or `p4 -Ztrack` of daily work.

### Limits
A medium counts as tested where a source with p4d named it, even if its own figures are assumed.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    // A system that is there need not be tried before it is bought.
    if facts.is_there {
        return;
    }
    let mut untested: Vec<String> = Vec::new();
    // Nothing is published after P17: its costs times a ratio of clocks and instructions per clock.
    if facts.deployment.processor.is_some() {
        untested.push(format!("{TODAY} processors"));
    }
    for mount in &facts.deployment.volumes {
        let medium = facts.catalog.media.get(&mount.medium).map(|m| &m.entry);
        let array = facts.catalog.arrays.get(&mount.device).map(|a| &a.entry);
        // A server's own drives and a provider's volumes are bought by their kind, an array's drives with the array.
        let own = array.filter(|array| !mount.is_private() && !tested(facts, array));
        let untried = own.or(medium.filter(|medium| !tested(facts, medium)));
        if let Some(entry) = untried
            && !untested.contains(&entry.id)
        {
            untested.push(entry.id.clone());
        }
    }
    if untested.is_empty() {
        return;
    }
    let model = &facts.deployment.server;
    let mut evidence = vec![Evidence::new(
        "server.model",
        format!("{model} represents the server"),
    )];
    let widest = facts
        .prediction
        .classes
        .iter()
        .filter(|c| c.work.target().is_some())
        .max_by(|a, b| (a.p95.high / a.p95.low).total_cmp(&(b.p95.high / b.p95.low)));
    let mut width = String::new();
    if let Some(class) = widest {
        let [low, high] = [class.p95.low, class.p95.high].map(|s| Seconds::new(s).estimated());
        width = format!(
            "; the widest estimate is {}, with a 95th percentile between {low} and {high}",
            class.name
        );
        evidence.push(Evidence::new(
            "model",
            format!(
                "80 % interval of the 95th percentile of {}: {low} to {high}",
                class.name
            ),
        ));
    }
    out.push(RULE.finding(
        Severity::Note,
        format!(
            "no published measurement covers this equipment ({}){width}",
            untested.join(", ")
        ),
        "try it on the equipment before buying (plimsoll rehearse SITE.toml --at DIR, with DIR on the new volume)",
        evidence,
    ));
}

/// Whether a figure of it comes from a source that tested p4d.
fn tested(facts: &Facts<'_>, entry: &Entry) -> bool {
    let mut ids = entry.facts.iter().flat_map(|fact| fact.origin.ids());
    ids.any(|id| facts.calibration.datum(id).is_some())
}
