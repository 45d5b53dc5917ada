use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::candidates::unused_arrays;

pub(super) static RULE: Rule = Rule {
    id: "STO006",
    name: "unused-array",
    summary: "no layout can use an array of this site",
    docs: "\
### What it does
Fires for each array of `infrastructure.storage` on which no layout can put a volume, and names the reason.

### Why it matters
The recommendation ignores that array. Often one line of the site file is the reason: a protocol that the
array supports is missing from `infrastructure.protocols`.

### Evidence
The array's own file in `models/arrays`, which lists its protocols.

### What to do
Add one of its protocols to `infrastructure.protocols`, or remove that line: then all protocols of the arrays are
allowed. Else remove the array from `infrastructure.storage`.

### Limits
An array that can be used and is not recommended is no finding: the table of alternatives has it.
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
            "allow one of its protocols in infrastructure.protocols, or remove it from infrastructure.storage",
            vec![
                Evidence::answer("infrastructure.protocols", protocols, allowed.clone()),
                Evidence::new("model", format!("models/arrays/{array}.toml: {reason}")),
            ],
        ));
    }
}
