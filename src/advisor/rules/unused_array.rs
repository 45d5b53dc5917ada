use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::candidates::unused_arrays;

pub(super) static RULE: Rule = Rule {
    id: "STO006",
    name: "unused-array",
    summary: "an array that the site names cannot be used by any layout",
    since: "0.2.0",
    docs: "\
### What it does
Fires for each array of `infrastructure.storage` on which no layout can put a volume, and says why.

### Why it matters
The recommendation was made without that array. Often one line of the site file is in its way: a
protocol that the array speaks is missing from `infrastructure.protocols`.

### Evidence
The array's own file in `models/arrays`, which says what it speaks.

### What to do
Add one of its protocols to `infrastructure.protocols`, or leave that line out: then the arrays say what
can be spoken. Else take the array out of `infrastructure.storage`.

### Limits
An array that could be used and is not recommended is no finding: the table of alternatives has it.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let protocols = &facts.site.infrastructure.protocols;
    let allowed = protocols.value.join(", ");
    for (array, reason) in unused_arrays(facts.site, facts.catalog) {
        out.push(RULE.finding(
            Severity::Warning,
            format!("no layout can use {array}: {reason}"),
            "allow a protocol that it speaks, or take it out of infrastructure.storage",
            vec![
                Evidence::answer("infrastructure.protocols", protocols, allowed.clone()),
                Evidence::new("model", format!("models/arrays/{array}.toml: {reason}")),
            ],
        ));
    }
}
